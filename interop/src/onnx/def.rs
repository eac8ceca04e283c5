//! A schema as an operator, and back.
//!
//! - An optional input is `dispensable`, a variadic one `duplicable`; one that may be left out whole is both.
//! - An attribute that is neither required nor has a default is of an optional type: absent is its value.
//! - A type constraint is a type variable. In it a type stands once, also where the schema names it twice.
//! - A deprecated schema is deprecated from its own version on; what ONNX calls experimental is `experimental`.

use std::fmt;

use oplock_core::{ArgDef, AttrDef, Deprecated, ElementType, Kind, OpDef, TypeVar, Value};

use super::schema::{Attribute, AttributeType, Constraint, Occurrence, Operand, Schema, SchemaKey};
use super::types::{to_onnx, to_oplock};

/// An operator that is no schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfitError {
    /// The operator.
    pub op: String,
    /// The item that does not fit, unless it is the operator as a whole.
    pub item: Option<(Kind, String)>,
    /// Why.
    pub reason: String,
}

impl fmt::Display for UnfitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operator `{}`", self.op)?;
        if let Some((kind, item)) = &self.item {
            write!(f, ", {kind} `{item}`")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for UnfitError {}

/// The operator that a schema is.
pub fn to_op(key: &SchemaKey, schema: &Schema) -> OpDef {
    let args = |operands: &[Operand]| operands.iter().map(|operand| arg(operand, schema)).collect::<Vec<_>>();
    let mut op = OpDef::new(key.to_string());
    op.inputs = args(&schema.inputs).into();
    op.outputs = args(&schema.outputs).into();
    op.attrs = schema.attributes.iter().map(attr).collect();
    op.types = schema.type_constraints.iter().map(type_var).collect();
    op.experimental = schema.experimental;
    // ONNX says that it is, and nothing else of it.
    let note = format!("deprecated by version {} of the operator set", key.since_version);
    op.deprecated = schema.deprecated.then_some(Deprecated { version: key.since_version, note: note.into() });
    op
}

/// The reader takes only types that have a name here.
fn ours(ty: &str) -> String {
    to_oplock(ty).unwrap_or_else(|| ty.to_owned())
}

fn arg(operand: &Operand, schema: &Schema) -> ArgDef {
    let is_var = schema.type_constraints.iter().any(|constraint| constraint.name == operand.ty);
    let (dispensable, duplicable, min) = match operand.occurrence {
        Occurrence::Single => (false, false, None),
        Occurrence::Optional => (true, false, None),
        Occurrence::Variadic(least) => (least == 0, true, Some(least).filter(|least| *least > 1)),
    };
    ArgDef {
        dispensable,
        duplicable,
        min,
        heterogeneous: !operand.homogeneous,
        ty: Some(if is_var {
            ElementType::Var(operand.ty.clone().into())
        } else {
            ElementType::Fixed(ours(&operand.ty).into())
        }),
        ..ArgDef::new(operand.name.clone())
    }
}

fn attr(attribute: &Attribute) -> AttrDef {
    let ty = attribute.ty.attr_type();
    let (ty, default) = match &attribute.default {
        Some(default) => (ty, Some(default.clone())),
        None if attribute.required => (ty, None),
        None => (ty.optional(), Some(Value::Absent)),
    };
    AttrDef { default, ..AttrDef::new(attribute.name.clone(), ty) }
}

fn type_var(constraint: &Constraint) -> TypeVar {
    let mut allowed: Vec<_> = constraint.allowed.iter().map(|ty| ours(ty).into()).collect();
    allowed.sort_unstable();
    allowed.dedup();
    TypeVar { name: constraint.name.clone().into(), allowed: allowed.into() }
}

/// The schema that an operator is.
///
/// # Errors
///
/// When its name is none of a schema's, or it states what ONNX has no place for.
pub fn from_op(op: &OpDef) -> Result<(SchemaKey, Schema), UnfitError> {
    let unfit = |item: Option<(Kind, &str)>, reason: String| UnfitError {
        op: op.name.to_string(),
        item: item.map(|(kind, item)| (kind, item.to_owned())),
        reason,
    };
    let key = SchemaKey::of_op_name(&op.name)
        .ok_or_else(|| unfit(None, "the name of a schema ends in its version, as `Conv.v11` does".to_owned()))?;
    let attribute = |attr: &AttrDef| {
        let ty = AttributeType::of_attr_type(attr.ty.required())
            .ok_or_else(|| unfit(Some((Kind::Attr, &attr.name)), format!("ONNX has no type for `{}`", attr.ty)))?;
        let default = attr.default.clone().filter(|default| *default != Value::Absent);
        let (name, required) = (attr.name.to_string(), attr.default.is_none());
        Ok(Attribute { name, ty, required, default })
    };
    let schema = Schema {
        deprecated: op.deprecated.is_some(),
        experimental: op.experimental,
        inputs: op.inputs.iter().map(operand).collect(),
        outputs: op.outputs.iter().map(operand).collect(),
        attributes: op.attrs.iter().map(attribute).collect::<Result<_, _>>()?,
        type_constraints: op.types.iter().map(constraint).collect(),
    };
    // What the schema does not say would be lost.
    let (said, is) = (to_op(&key, &schema).sorted(), op.clone().sorted());
    if said == is {
        return Ok((key, schema));
    }
    let same = |kind, name: &str| said.arg(kind, name) == is.arg(kind, name) && said.attr(name) == is.attr(name);
    let other = is.item_names().find(|(kind, name)| !same(*kind, name));
    Err(unfit(other, "ONNX has no place for all that it states".to_owned()))
}

fn operand(arg: &ArgDef) -> Operand {
    let occurrence = match (arg.duplicable, arg.dispensable) {
        (false, false) => Occurrence::Single,
        (false, true) => Occurrence::Optional,
        (true, false) => Occurrence::Variadic(arg.least()),
        (true, true) => Occurrence::Variadic(0),
    };
    let ty = match &arg.ty {
        None => String::new(),
        Some(ElementType::Var(name)) => name.to_string(),
        Some(ElementType::Fixed(name)) => to_onnx(name),
    };
    Operand { name: arg.name.to_string(), occurrence, homogeneous: !arg.heterogeneous, ty }
}

fn constraint(var: &TypeVar) -> Constraint {
    let mut allowed: Vec<_> = var.allowed.iter().map(|ty| to_onnx(ty)).collect();
    allowed.sort_unstable();
    Constraint { name: var.name.to_string(), allowed }
}

#[cfg(test)]
mod tests {
    use oplock_core::{AttrType, Part, ScalarType};

    use super::*;

    #[test]
    fn what_onnx_has_no_place_for_is_named() {
        let arg = |arg: ArgDef| OpDef { inputs: vec![arg].into(), ..OpDef::new("Op.v1") };
        let typed = ArgDef { ty: Some(ElementType::Fixed("f32".into())), ..ArgDef::new("X") };
        assert!(from_op(&arg(typed.clone())).is_ok());
        let attr = |ty| OpDef { attrs: vec![AttrDef::new("a", ty)].into(), ..OpDef::new("Op.v1") };
        let lost = "ONNX has no place for all that it states";
        for (op, message) in [
            (
                OpDef::new("Op"),
                "operator `Op`: the name of a schema ends in its version, as `Conv.v11` does".to_owned(),
            ),
            (arg(ArgDef::new("X")), format!("operator `Op.v1`, input `X`: {lost}")),
            (arg(ArgDef { intermediate: true, ..typed.clone() }), format!("operator `Op.v1`, input `X`: {lost}")),
            (arg(ArgDef { part: Part::Extra, ..typed }), format!("operator `Op.v1`, input `X`: {lost}")),
            (
                attr(AttrType::of(ScalarType::I32)),
                "operator `Op.v1`, attribute `a`: ONNX has no type for `i32`".to_owned(),
            ),
            (OpDef { cfg: Some("unix".into()), ..OpDef::new("Op.v1") }, format!("operator `Op.v1`: {lost}")),
        ] {
            assert_eq!(from_op(&op).unwrap_err().to_string(), message);
        }
    }
}
