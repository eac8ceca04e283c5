//! From the messages to oplock's definitions.
//!
//! A definition is checked as `TensorFlow` checks it when an operator is registered, so that the model says what it says: the
//! attributes that operands name exist and are of the right type, and values are of theirs.

use std::borrow::Cow;
use std::collections::BTreeSet;

use oplock_core::{
    ArgDef, AttrDef, AttrType, Deprecated, ElementType, Flags, Kind, OpDef, ScalarType, Str, Value, check_item_name,
    check_op_name,
};

use super::super::proto::attr_value::{ListValue, Value as Message};
use super::super::{proto, types, value};
use super::UNEXPLAINED;
use super::error::{Context, OpListError, Place, Result};
use super::places::OpPlaces;

/// An operator; `unstated` has the lengths of tensors whose elements are not stated, by the index of the attribute.
pub(super) fn op(
    message: &proto::OpDef,
    places: Option<&OpPlaces>,
    unstated: impl Fn(usize) -> Option<u64>,
) -> Result<OpDef> {
    let reader = Reader { op: message, places };
    check_op_name(&message.name).map_err(|error| reader.error(None, error.to_string()))?;
    let mut op = OpDef::new(message.name.clone());
    op.attrs = reader.attrs(unstated)?.into();
    op.inputs = reader.args(Kind::Input, &message.input_arg, &op)?.into();
    op.outputs = reader.args(Kind::Output, &message.output_arg, &op)?.into();
    op.flags = Flags {
        stateful: message.is_stateful,
        commutative: message.is_commutative,
        aggregate: message.is_aggregate,
        communication: message.is_distributed_communication,
        uninitialized: message.allows_uninitialized_input,
    };
    if let Some(deprecation) = &message.deprecation {
        let version = u32::try_from(deprecation.version)
            .map_err(|_| reader.error(None, format!("`deprecation` has the version {}", deprecation.version)))?;
        let note = match deprecation.explanation.as_str() {
            "" => UNEXPLAINED,
            explanation => explanation,
        };
        op.deprecated = Some(Deprecated { version, note: note.to_owned().into() });
    }
    Ok(op)
}

struct Reader<'a> {
    op: &'a proto::OpDef,
    places: Option<&'a OpPlaces>,
}

impl Reader<'_> {
    fn error(&self, item: Option<(Kind, usize, &str)>, reason: impl Into<String>) -> OpListError {
        let place = match (self.places, item) {
            (Some(places), Some((kind, index, _))) => places.item(kind, index),
            (Some(places), None) => places.op,
            (None, _) => Place::Byte(0),
        };
        let item = item.map(|(kind, index, name)| {
            (kind, if name.is_empty() { format!("#{}", index + 1) } else { name.to_owned() })
        });
        let op = (!self.op.name.is_empty()).then(|| self.op.name.clone());
        OpListError { place, context: Context { op, item }, reason: reason.into() }
    }

    fn attrs(&self, unstated: impl Fn(usize) -> Option<u64>) -> Result<Vec<AttrDef>> {
        let mut names = BTreeSet::new();
        let mut attrs = Vec::with_capacity(self.op.attr.len());
        for (i, message) in self.op.attr.iter().enumerate() {
            let error = |reason: String| self.error(Some((Kind::Attr, i, &message.name)), reason);
            check_item_name(&message.name).map_err(|reason| error(reason.to_string()))?;
            if !names.insert(&message.name) {
                return Err(error("there are two attributes of this name".to_owned()));
            }
            attrs.push(attr(message, unstated(i)).map_err(error)?);
        }
        Ok(attrs)
    }

    fn args(&self, kind: Kind, messages: &[proto::ArgDef], op: &OpDef) -> Result<Vec<ArgDef>> {
        let mut names = BTreeSet::new();
        let mut args = Vec::with_capacity(messages.len());
        for (i, message) in messages.iter().enumerate() {
            let error = |reason: String| self.error(Some((kind, i, &message.name)), reason);
            check_item_name(&message.name).map_err(|reason| error(reason.to_string()))?;
            if !names.insert(&message.name) {
                return Err(error(format!("there are two {kind}s of this name")));
            }
            args.push(arg(message, op).map_err(error)?);
        }
        Ok(args)
    }
}

fn attr(message: &proto::AttrDef, unstated: Option<u64>) -> std::result::Result<AttrDef, String> {
    let Some(ty) = value::type_of_name(&message.r#type) else {
        return Err(format!("`{}` is not the type of an attribute: such are `int`, `list(type)`", message.r#type));
    };
    let mut attr = AttrDef::new(message.name.clone(), ty);
    attr.values = allowed(message, ty)?.into();
    if message.has_minimum {
        attr.min = Some(message.minimum);
    } else if message.minimum != 0 {
        return Err(format!("`minimum` is {}, and `has_minimum` is not set", message.minimum));
    }
    attr.default = match (&message.default_value, unstated) {
        (None, _) => None,
        (Some(proto::AttrValue { value: Some(Message::Tensor(tensor)) }), Some(length))
            if ty.scalar == ScalarType::Tensor =>
        {
            Some(Value::Tensor(Box::new(value::unstated_tensor(tensor, length)?)))
        }
        (Some(default), _) => {
            Some(value::of_message(default, ty).map_err(|reason| format!("`default_value`: {reason}"))?)
        }
    };
    attr.check_min().map_err(|reason| format!("`minimum`: {reason}"))?;
    check_default(&attr)?;
    Ok(attr)
}

/// The allowed values, each once: real files repeat some.
fn allowed(message: &proto::AttrDef, ty: AttrType) -> std::result::Result<Vec<Str>, String> {
    let Some(allowed) = &message.allowed_values else { return Ok(Vec::new()) };
    let Some(Message::List(ListValue { s, r#type, .. })) = &allowed.value else {
        return Err("`allowed_values` is not a list".to_owned());
    };
    // Also finds what is of another kind.
    value::of_message(allowed, AttrType::list(ty.scalar)).map_err(|reason| format!("`allowed_values`: {reason}"))?;
    let values: Vec<Str> = match ty.scalar {
        ScalarType::String => {
            s.iter().map(|bytes| value::text(bytes).map(Cow::Owned)).collect::<std::result::Result<_, _>>()?
        }
        ScalarType::DType => r#type
            .iter()
            .map(|number| value::element(*number).map(Cow::Owned))
            .collect::<std::result::Result<_, _>>()?,
        _ => return Err(format!("`allowed_values` cannot be said of the type `{}`", message.r#type)),
    };
    if values.is_empty() {
        return Err("`allowed_values` is empty, so that no value is allowed".to_owned());
    }
    let mut seen = BTreeSet::new();
    Ok(values.into_iter().filter(|value| seen.insert(value.clone())).collect())
}

fn check_default(attr: &AttrDef) -> std::result::Result<(), String> {
    let is_allowed = |value: &Value| match value {
        Value::String(text) | Value::DType(text) => attr.values.contains(text),
        _ => true,
    };
    let default = attr.default.iter().filter(|_| !attr.values.is_empty());
    let mut single = default.flat_map(|default| match default {
        Value::List(items) => items.to_vec(),
        other => vec![other.clone()],
    });
    match single.find(|value| !is_allowed(value)) {
        Some(value) => Err(format!("the default {value} is none of the allowed values")),
        None => Ok(()),
    }
}

fn arg(message: &proto::ArgDef, op: &OpDef) -> std::result::Result<ArgDef, String> {
    let mut arg = ArgDef::new(message.name.clone());
    arg.by_ref = message.is_ref;
    let named = |field: &str, name: &str, ty: AttrType| match op.attr(name) {
        Some(attr) if attr.ty == ty => Ok(attr),
        Some(attr) => {
            let (is, wanted) = (value::name_of_type(attr.ty), value::name_of_type(ty));
            Err(format!(
                "`{field}`: the attribute `{name}` is of type `{}`, not `{}`",
                is.unwrap_or_default(),
                wanted.unwrap_or_default()
            ))
        }
        None => Err(format!("`{field}`: there is no attribute `{name}`")),
    };
    let (fixed, one, many) = (message.r#type, message.type_attr.as_str(), message.type_list_attr.as_str());
    arg.ty = Some(match (fixed != types::INVALID, !one.is_empty(), !many.is_empty()) {
        (true, false, false) => ElementType::Fixed(value::element(fixed)?.into()),
        (false, true, false) => {
            named("type_attr", one, AttrType::of(ScalarType::DType))?;
            ElementType::Var(one.to_owned().into())
        }
        (false, false, true) => {
            let attr = named("type_list_attr", many, AttrType::list(ScalarType::DType))?;
            (arg.duplicable, arg.dispensable) = (true, attr.least() == Some(0));
            ElementType::Var(many.to_owned().into())
        }
        _ => return Err("one of `type`, `type_attr` and `type_list_attr` must stand, and one only".to_owned()),
    });
    if !message.number_attr.is_empty() {
        if arg.duplicable {
            return Err("`number_attr` and `type_list_attr` cannot stand both".to_owned());
        }
        let attr = named("number_attr", &message.number_attr, AttrType::of(ScalarType::I64))?;
        arg.count = Some(message.number_attr.clone().into());
        (arg.duplicable, arg.dispensable) = (true, attr.least().is_none_or(|least| least < 1));
    }
    Ok(arg)
}
