//! From oplock's definitions to the messages, for those that `TensorFlow` could have.

use std::fmt;

use oplock_core::{ArgDef, AttrDef, AttrType, ElementType, Kind, OpDef, Part, ScalarType, Value};

use super::super::proto::attr_value::{ListValue, Value as Message};
use super::super::{proto, value};
use super::UNEXPLAINED;
use super::error::Context;

/// A definition that `TensorFlow` cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwritableError {
    /// The operator and the item.
    pub context: Context,
    /// What there is no place for.
    pub reason: String,
}

impl fmt::Display for UnwritableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.context, self.reason)
    }
}

impl std::error::Error for UnwritableError {}

type Result<T> = std::result::Result<T, String>;

/// An operator's message, and the lengths of the messages of tensors whose elements are not known, by the index of the attribute.
pub(super) fn op(op: &OpDef) -> std::result::Result<(proto::OpDef, Vec<(usize, u64)>), UnwritableError> {
    let error = |item: Option<(Kind, &str)>| {
        let item = item.map(|(kind, name)| (kind, name.to_owned()));
        move |reason| UnwritableError { context: Context { op: Some(op.name.to_string()), item }, reason }
    };
    nothing_else(op).map_err(error(None))?;
    let args = |kind| -> std::result::Result<Vec<_>, UnwritableError> {
        op.args(kind).iter().map(|item| arg(item, op).map_err(error(Some((kind, &item.name))))).collect()
    };
    let attrs = op.attrs.iter().map(|item| attr(item).map_err(error(Some((Kind::Attr, &item.name)))));
    let deprecation = op.deprecated.as_ref().map(|deprecated| {
        let version = i32::try_from(deprecated.version).map_err(|_| format!("the version {}", deprecated.version));
        let explanation = if deprecated.note == UNEXPLAINED { "" } else { &deprecated.note };
        version.map(|version| proto::OpDeprecation { version, explanation: explanation.to_owned() })
    });
    let message = proto::OpDef {
        name: op.name.to_string(),
        input_arg: args(Kind::Input)?,
        output_arg: args(Kind::Output)?,
        attr: attrs.collect::<std::result::Result<_, _>>()?,
        deprecation: deprecation.transpose().map_err(error(None))?,
        is_stateful: op.flags.stateful,
        is_commutative: op.flags.commutative,
        is_aggregate: op.flags.aggregate,
        is_distributed_communication: op.flags.communication,
        allows_uninitialized_input: op.flags.uninitialized,
        ..proto::OpDef::default()
    };
    let unstated = op.attrs.iter().enumerate().filter_map(|(i, attr)| match &attr.default {
        Some(Value::Tensor(tensor)) => value::as_unstated(tensor).map(|(_, length)| (i, length)),
        _ => None,
    });
    Ok((message, unstated.collect()))
}

fn nothing_else(op: &OpDef) -> Result<()> {
    let found = [
        (op.experimental, "`experimental`"),
        (op.cfg.is_some(), "conditions"),
        (!op.aliases.is_empty(), "aliases"),
        (!op.revisions.is_empty(), "revisions"),
        (op.moved_from.is_some(), "`moved_from`"),
        (!op.types.is_empty(), "type variables that are no attributes"),
    ];
    no_place_for(&found)
}

fn no_place_for(found: &[(bool, &str)]) -> Result<()> {
    match found.iter().find(|(is_there, _)| *is_there) {
        Some((_, what)) => Err(format!("TensorFlow has no {what}")),
        None => Ok(()),
    }
}

fn arg(arg: &ArgDef, op: &OpDef) -> Result<proto::ArgDef> {
    no_place_for(&[
        (arg.intermediate, "intermediate operands"),
        (arg.part != Part::Def, "extra or quant operands"),
        (!arg.aliases.is_empty(), "aliases"),
        (arg.deprecated.is_some(), "deprecated operands"),
        (arg.min.is_some(), "minimum of an operand without an attribute that counts it"),
        (arg.heterogeneous, "operands of several types without an attribute that lists them"),
    ])?;
    let mut message = proto::ArgDef { name: arg.name.to_string(), is_ref: arg.by_ref, ..proto::ArgDef::default() };
    let of = |ty| move |name: &str| op.attr(name).is_some_and(|attr| attr.ty == ty);
    let (one, many) = (of(AttrType::of(ScalarType::DType)), of(AttrType::list(ScalarType::DType)));
    match &arg.ty {
        None => return Err("TensorFlow needs an element type".to_owned()),
        Some(ElementType::Fixed(name)) => message.r#type = value::number(name)?,
        Some(ElementType::Var(name)) if one(name) => message.type_attr = name.to_string(),
        Some(ElementType::Var(name)) if many(name) => message.type_list_attr = name.to_string(),
        Some(ElementType::Var(name)) => return Err(format!("`{name}` is no attribute that says the type")),
    }
    match &arg.count {
        Some(count) if message.type_list_attr.is_empty() && of(AttrType::of(ScalarType::I64))(count) => {
            message.number_attr = count.to_string();
        }
        Some(count) => return Err(format!("`{count}` is no attribute that counts it")),
        None if arg.duplicable && message.type_list_attr.is_empty() => {
            return Err("TensorFlow needs an attribute that counts a duplicable operand".to_owned());
        }
        None if arg.dispensable && !arg.duplicable => return Err("TensorFlow has no dispensable operands".to_owned()),
        None => {}
    }
    Ok(message)
}

fn attr(attr: &AttrDef) -> Result<proto::AttrDef> {
    no_place_for(&[
        (attr.generated, "generated attributes"),
        (attr.part != Part::Def, "extra or quant attributes"),
        (!attr.aliases.is_empty(), "aliases"),
        (attr.deprecated.is_some(), "deprecated attributes"),
    ])?;
    let name =
        value::name_of_type(attr.ty).ok_or_else(|| format!("TensorFlow has no attributes of type `{}`", attr.ty))?;
    Ok(proto::AttrDef {
        name: attr.name.to_string(),
        r#type: name,
        default_value: attr.default.as_ref().map(value::to_message).transpose()?,
        has_minimum: attr.min.is_some(),
        minimum: attr.min.unwrap_or(0),
        allowed_values: allowed(attr)?,
        description: String::new(),
    })
}

fn allowed(attr: &AttrDef) -> Result<Option<proto::AttrValue>> {
    if attr.values.is_empty() {
        return Ok(None);
    }
    let mut list = ListValue::default();
    for text in attr.values.iter() {
        match attr.ty.scalar {
            ScalarType::DType => list.r#type.push(value::number(text)?),
            _ => list.s.push(text.as_bytes().to_vec()),
        }
    }
    Ok(Some(proto::AttrValue { value: Some(Message::List(list)) }))
}
