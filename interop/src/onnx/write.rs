//! From schemas to the JSON that [`parse_schemas`](super::parse_schemas) reads, a schema a line.
//!
//! What is not part of the signature is not written: the release that it is of, `has_…` and `differentiation`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use oplock_core::Value;
use serde_json::Value as Json;

use super::schema::{Attribute, Constraint, Occurrence, Operand, Schema, SchemaKey};
use crate::paddle::python_float;

/// The text of a file of schemas.
pub fn to_text(schemas: &BTreeMap<SchemaKey, Schema>) -> String {
    let mut domains: BTreeMap<&str, u32> = BTreeMap::new();
    for key in schemas.keys() {
        let newest = domains.entry(&key.domain).or_default();
        *newest = key.since_version.max(*newest);
    }
    let domains = list(domains, |(domain, version)| format!("{}: {version}", quoted(domain)));
    let schemas: Vec<_> = schemas.iter().map(|(key, schema)| object(key, schema)).collect();
    format!("{{\"domains_max_since_version\": {{{domains}}}, \"schemas\": [\n{}\n]}}\n", schemas.join(",\n"))
}

fn object(key: &SchemaKey, schema: &Schema) -> String {
    let Schema { deprecated, experimental, inputs, outputs, attributes, type_constraints } = schema;
    let level = if *experimental { "EXPERIMENTAL" } else { "COMMON" };
    let ((min_input, max_input), (min_output, max_output)) = (Schema::number(inputs), Schema::number(outputs));
    format!(
        "{{\"domain\": {}, \"name\": {}, \"since_version\": {}, \"deprecated\": {deprecated}, \"support_level\": \"{level}\", \
         \"min_input\": {min_input}, \"max_input\": {max_input}, \"min_output\": {min_output}, \"max_output\": {max_output}, \
         \"inputs\": [{}], \"outputs\": [{}], \"attributes\": [{}], \"type_constraints\": [{}]}}",
        quoted(&key.domain),
        quoted(&key.name),
        key.since_version,
        list(inputs, operand),
        list(outputs, operand),
        list(attributes, attribute),
        list(type_constraints, constraint),
    )
}

fn list<T>(items: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    items.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

fn operand(operand: &Operand) -> String {
    let (option, min_arity) = match operand.occurrence {
        Occurrence::Single => ("Single", 1),
        Occurrence::Optional => ("Optional", 1),
        Occurrence::Variadic(least) => ("Variadic", least),
    };
    format!(
        "{{\"name\": {}, \"option\": \"{option}\", \"homogeneous\": {}, \"type\": {}, \"min_arity\": {min_arity}}}",
        quoted(&operand.name),
        operand.homogeneous,
        quoted(&operand.ty),
    )
}

fn attribute(attribute: &Attribute) -> String {
    let Attribute { name, ty, required, default } = attribute;
    let mut text = format!("{{\"name\": {}, \"type\": \"{ty}\", \"required\": {required}", quoted(name));
    if let Some(default) = default {
        let _ = write!(text, ", \"default\": {}", value(default));
    }
    text + "}"
}

fn constraint(constraint: &Constraint) -> String {
    let allowed = list(&constraint.allowed, |ty| quoted(ty));
    format!("{{\"name\": {}, \"allowed\": [{allowed}]}}", quoted(&constraint.name))
}

/// A number of 32 bits is written as Python does, widened.
fn value(value: &Value) -> String {
    match value {
        Value::F32(x) => python_float(f64::from(*x)),
        Value::String(text) => quoted(text),
        Value::List(items) => format!("[{}]", list(items.iter(), self::value)),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
