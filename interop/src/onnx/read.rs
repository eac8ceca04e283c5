//! From the JSON of ONNX's schemas to schemas, refusing whatever is not understood.

use std::collections::BTreeMap;

use oplock_core::{Value, did_you_mean};

use super::schema::{Attribute, AttributeType, Constraint, Occurrence, Operand, Schema, SchemaKey, UNBOUNDED};
use super::types;
use crate::json::{self, Fault, JsonError, Members, Node, Tree};

type Result<T> = std::result::Result<T, Fault>;

/// Reads a file of schemas.
///
/// # Errors
///
/// When the text is not JSON, is of another shape, has a schema twice, or states something of one schema that contradicts the
/// rest of it.
pub fn parse_schemas(text: &str) -> std::result::Result<BTreeMap<SchemaKey, Schema>, JsonError> {
    let read = || {
        let root = json::parse(text)?;
        let members = root.known(["onnx_version", "domains_max_since_version", "schemas"])?;
        let mut schemas = BTreeMap::new();
        for node in members.need("schemas")?.list().map_err(|fault| fault.within("`schemas`"))? {
            let members = node.known(KEYS)?;
            let key = key(&members)?;
            let schema = schema(&members).map_err(|fault| fault.within(format!("schema `{key}`")))?;
            if schemas.insert(key.clone(), schema).is_some() {
                return Err(node.fault(format!("schema `{key}` is here a second time")));
            }
        }
        Ok(schemas)
    };
    read().map_err(|fault: Fault| fault.locate(text))
}

/// What is read of a schema. `has_…` tells how the release implements it, `differentiation` what training does with an operand: neither
/// is part of the signature.
const KEYS: [&str; 16] = [
    "domain",
    "name",
    "since_version",
    "deprecated",
    "support_level",
    "min_input",
    "max_input",
    "min_output",
    "max_output",
    "has_function",
    "has_context_dependent_function",
    "has_type_and_shape_inference_function",
    "inputs",
    "outputs",
    "attributes",
    "type_constraints",
];

fn key(members: &Members<'_, 16>) -> Result<SchemaKey> {
    let text = |key: &'static str, is_good: fn(&str) -> bool| {
        let node = members.need(key)?;
        match node.text()? {
            text if is_good(text) => Ok(text.to_owned()),
            text => Err(node.fault(format!("{text:?} is no {key}"))),
        }
    };
    let name = text("name", is_word)?;
    let domain = text("domain", |text| text.is_empty() || text.split('.').all(is_word))?;
    let since = members.need("since_version")?.number("a version")?;
    // Both are names of the same domain.
    let domain = if domain == "ai.onnx" { String::new() } else { domain };
    Ok(SchemaKey { domain, name, since_version: since })
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn schema(members: &Members<'_, 16>) -> Result<Schema> {
    let type_constraints = constraints(members.need("type_constraints")?)?;
    let operands = |key, noun, least: &'static str, greatest: &'static str| {
        let node = members.need(key)?;
        let bound = |key: &'static str| members.get(key).map(|node| node.number::<usize>("a number")).transpose();
        let (min, max) = (bound(least)?, bound(greatest)?);
        let operands = operands(node, noun, &type_constraints, min)?;
        let (is_min, is_max) = Schema::number(&operands);
        for (key, stated, is) in [(least, min, is_min), (greatest, max, is_max)] {
            if let (Some(stated), Some(node)) = (stated.filter(|stated| *stated != is), members.get(key)) {
                let is = if is == UNBOUNDED { "without bound".to_owned() } else { is.to_string() };
                return Err(node.fault(format!("`{key}` is {stated}, but by the {noun}s it is {is}")));
            }
        }
        Ok(operands)
    };
    Ok(Schema {
        deprecated: members.need("deprecated")?.flag().map_err(|fault| fault.within("`deprecated`"))?,
        experimental: match members.get("support_level") {
            None => false,
            Some(node) => match node.text()? {
                "COMMON" => false,
                "EXPERIMENTAL" => true,
                other => return Err(node.fault(format!("{other:?} is no support level: it is COMMON or EXPERIMENTAL"))),
            },
        },
        inputs: operands("inputs", "input", "min_input", "max_input")?,
        outputs: operands("outputs", "output", "min_output", "max_output")?,
        attributes: attributes(members.need("attributes")?)?,
        type_constraints,
    })
}

/// Reads the items of a list, each with its name.
fn named<T>(node: &Node, noun: &str, mut item: impl FnMut(&Node, String) -> Result<T>) -> Result<Vec<(String, T)>> {
    let mut items: Vec<(String, T)> = Vec::new();
    for node in node.list().map_err(|fault| fault.within(format!("the {noun}s")))? {
        let name = node.object()?.iter().find(|(key, _)| key == "name");
        let name = name.ok_or_else(|| node.fault("`name` is missing"))?.1.text()?.to_owned();
        let within = |fault: Fault| fault.within(format!("{noun} `{name}`"));
        if items.iter().any(|(other, _)| *other == name) {
            return Err(within(node.fault("it is here a second time")));
        }
        let item = item(node, name.clone()).map_err(within)?;
        items.push((name, item));
    }
    Ok(items)
}

fn without_names<T>(items: Vec<(String, T)>) -> Vec<T> {
    items.into_iter().map(|(_, item)| item).collect()
}

fn constraints(node: &Node) -> Result<Vec<Constraint>> {
    let constraints = named(node, "type constraint", |node, name| {
        let members = node.known(["name", "allowed"])?;
        let allowed = members.need("allowed")?.list()?.iter().map(ty);
        let mut allowed = allowed.collect::<Result<Vec<_>>>()?;
        allowed.sort_unstable();
        Ok(Constraint { name, allowed })
    })?;
    let mut constraints = without_names(constraints);
    constraints.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(constraints)
}

/// A type that can be named here too.
fn ty(node: &Node) -> Result<String> {
    let text = node.text()?;
    match types::to_oplock(text) {
        Some(ours) if oplock_core::is_element_type(&ours) => Ok(text.to_owned()),
        _ => Err(node.fault(format!("{text:?} is not a type of ONNX"))),
    }
}

fn operands(node: &Node, noun: &str, constraints: &[Constraint], min: Option<usize>) -> Result<Vec<Operand>> {
    let count = node.list().map_or(0, <[Node]>::len);
    let mut next = 0;
    let operands = named(node, noun, |node, name| {
        let at = next;
        next += 1;
        let members = node.known(["name", "option", "homogeneous", "type", "min_arity", "differentiation"])?;
        let stated = members.get("min_arity").map(|node| node.number::<u32>("a number")).transpose()?;
        let option = members.need("option")?;
        let occurrence = match option.text()? {
            "Single" => Occurrence::Single,
            "Optional" => Occurrence::Optional,
            "Variadic" if at + 1 < count => return Err(option.fault("only the last can be variadic")),
            // Releases before 1.14 leave it to `min_input` and `min_output`.
            "Variadic" => Occurrence::Variadic(stated.unwrap_or_else(|| {
                min.and_then(|min| min.checked_sub(at)).and_then(|least| u32::try_from(least).ok()).unwrap_or(1)
            })),
            other => {
                let hint = did_you_mean(other, ["Single", "Optional", "Variadic"]);
                return Err(option.fault(format!("{other:?} is no option{hint}")));
            }
        };
        if let (Occurrence::Single | Occurrence::Optional, Some(node)) = (occurrence, members.get("min_arity"))
            && stated != Some(1)
        {
            return Err(node.fault("only a variadic operand has a minimum other than 1"));
        }
        let homogeneous = members.need("homogeneous")?;
        let is_homogeneous = homogeneous.flag()?;
        if !is_homogeneous && !matches!(occurrence, Occurrence::Variadic(_)) {
            return Err(homogeneous.fault("only a variadic operand can be of several types"));
        }
        let ty_node = members.need("type")?;
        let name_of_type = ty_node.text()?;
        let ty = match constraints.iter().find(|constraint| constraint.name == name_of_type) {
            Some(constraint) => constraint.name.clone(),
            None => ty(ty_node)?,
        };
        Ok(Operand { name, occurrence, homogeneous: is_homogeneous, ty })
    })?;
    Ok(without_names(operands))
}

fn attributes(node: &Node) -> Result<Vec<Attribute>> {
    let attributes = named(node, "attribute", |node, name| {
        let members = node.known(["name", "type", "required", "default"])?;
        let ty_node = members.need("type")?;
        let ty_name = ty_node.text()?;
        let ty = AttributeType::of_name(ty_name).ok_or_else(|| {
            let hint = did_you_mean(ty_name, AttributeType::names());
            ty_node.fault(format!("{ty_name:?} is not a type of attributes{hint}"))
        })?;
        let required = members.need("required")?.flag()?;
        let default = match members.get("default") {
            None => None,
            Some(node) if required => return Err(node.fault("a required attribute has no default")),
            Some(node) => Some(default(node, ty)?),
        };
        Ok(Attribute { name, ty, required, default })
    })?;
    let mut attributes = without_names(attributes);
    attributes.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(attributes)
}

fn default(node: &Node, ty: AttributeType) -> Result<Value> {
    let attr_type = ty.attr_type();
    if let (Some(element), Tree::List(items)) = (attr_type.element(), &node.tree) {
        return items.iter().map(|item| default(item, AttributeType(element))).collect::<Result<_>>().map(Value::list);
    }
    let what = format!("a value of type {ty}");
    Ok(match (ty.to_string().as_str(), &node.tree) {
        ("INT", _) => Value::I64(node.number(&what)?),
        ("STRING", Tree::String(text)) => Value::String(text.clone().into()),
        ("FLOAT", Tree::Number(text)) => {
            // The shortest text of a widened f32 reads back as that f32; what overflows is no value.
            let value: f32 = node.number(&what)?;
            if value.is_infinite() && !text.ends_with("Infinity") {
                return Err(node.fault(format!("the number {text} is too great for a FLOAT")));
            }
            Value::F32(value)
        }
        ("STRING" | "FLOAT" | "INTS" | "STRINGS" | "FLOATS", _) => {
            return Err(node.fault(format!("this must be {what}, not {}", node.describe())));
        }
        _ => return Err(node.fault(format!("a default of type {ty} has no form in JSON"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"domain": "", "name": "Op", "since_version": 1, "deprecated": false, "min_input": 1, "max_input": 2147483647,
        "inputs": [{"name": "X", "option": "Single", "homogeneous": true, "type": "T"},
                   {"name": "Y", "option": "Variadic", "homogeneous": false, "type": "tensor(float)"}],
        "outputs": [], "attributes": [{"name": "a", "type": "FLOAT", "required": false, "default": 0.10000000149011612}],
        "type_constraints": [{"name": "T", "allowed": ["tensor(float)"]}]}"#;

    fn read(schema: &str) -> std::result::Result<Schema, String> {
        let schemas = parse_schemas(&format!("{{\"schemas\": [{schema}]}}"));
        schemas.map(|schemas| schemas.into_values().next().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_least_number_is_what_the_file_leaves_to_the_whole() {
        let least = |schema: &str| read(schema).map(|schema| schema.inputs[1].occurrence);
        assert_eq!(least(SCHEMA), Ok(Occurrence::Variadic(0)));
        assert_eq!(least(&SCHEMA.replace("\"min_input\": 1", "\"min_input\": 3")), Ok(Occurrence::Variadic(2)));
        assert_eq!(least(&SCHEMA.replace("\"min_input\": 1, ", "")), Ok(Occurrence::Variadic(1)));
    }

    #[test]
    fn defaults_are_read_in_their_own_type() {
        let default = |ty: &str, value: &str| {
            let schema = SCHEMA.replace("\"FLOAT\"", &format!("\"{ty}\""));
            read(&schema.replace("0.10000000149011612", value))
                .map(|schema| schema.attributes[0].default.clone().unwrap())
        };
        assert_eq!(default("FLOAT", "0.10000000149011612"), Ok(Value::F32(0.1)));
        assert_eq!(default("FLOAT", "-Infinity"), Ok(Value::F32(f32::NEG_INFINITY)));
        assert_eq!(default("INTS", "[1, -1]"), Ok(Value::list(vec![Value::I64(1), Value::I64(-1)])));
        assert_eq!(default("STRINGS", "[]"), Ok(Value::list(vec![])));
        assert_eq!(default("STRING", "\"a\""), Ok(Value::String("a".into())));
        for (ty, value, reason) in [
            ("FLOAT", "1e39", "the number 1e39 is too great for a FLOAT"),
            ("INT", "1.5", "this must be a value of type INT, not the number 1.5"),
            ("INTS", "1", "this must be a value of type INTS, not the number 1"),
            ("STRING", "1", "this must be a value of type STRING, not the number 1"),
            ("TENSOR", "{}", "a default of type TENSOR has no form in JSON"),
        ] {
            let error = default(ty, value).unwrap_err();
            assert!(error.ends_with(&format!("schema `Op.v1`, attribute `a`: {reason}")), "{error}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (from, to, reason) in [
            ("\"name\": \"Op\"", "\"name\": \"O.p\"", "\"O.p\" is no name"),
            ("\"domain\": \"\"", "\"domain\": \"a..b\"", "\"a..b\" is no domain"),
            ("\"since_version\": 1", "\"since_version\": -1", "this must be a version, not the number -1"),
            ("\"deprecated\": false, ", "", "schema `Op.v1`: `deprecated` is missing"),
            ("\"deprecated\"", "\"support_level\": \"RARE\", \"deprecated\"", "\"RARE\" is no support level"),
            ("\"deprecated\"", "\"depreciated\"", "did you mean `deprecated`?"),
            ("2147483647", "2", "schema `Op.v1`: `max_input` is 2, but by the inputs it is without bound"),
            ("\"outputs\"", "\"min_output\": 1, \"outputs\"", "`min_output` is 1, but by the outputs it is 0"),
            ("\"Single\"", "\"Singel\"", "input `X`: \"Singel\" is no option; did you mean `Single`?"),
            ("\"Single\"", "\"Variadic\"", "input `X`: only the last can be variadic"),
            ("true, \"type\": \"T\"", "false, \"type\": \"T\"", "only a variadic operand can be of several types"),
            ("\"type\": \"T\"", "\"type\": \"T\", \"min_arity\": 0", "only a variadic operand has a minimum"),
            ("\"type\": \"T\"", "\"type\": \"f32\"", "input `X`: \"f32\" is not a type of ONNX"),
            ("[\"tensor(float)\"]", "[\"\"]", "type constraint `T`: \"\" is not a type of ONNX"),
            ("\"Y\"", "\"X\"", "input `X`: it is here a second time"),
            ("\"FLOAT\"", "\"FLOTA\"", "\"FLOTA\" is not a type of attributes; did you mean `FLOAT`?"),
            ("\"required\": false", "\"required\": true", "a required attribute has no default"),
        ] {
            assert!(SCHEMA.contains(from), "{from}");
            let error = read(&SCHEMA.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(read(&format!("{SCHEMA}, {SCHEMA}")).unwrap_err().contains("schema `Op.v1` is here a second time"));
        let other = SCHEMA.replace("\"domain\": \"\"", "\"domain\": \"ai.onnx\"");
        assert!(read(&format!("{SCHEMA}, {other}")).unwrap_err().contains("a second time"), "they are one domain");
        assert!(parse_schemas("{\"schemas\": {}}").unwrap_err().to_string().contains("`schemas`: this must be a list"));
    }
}
