//! From operators to the text of a `.spec`, with every key that a file of today has.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use oplock_core::{ArgDef, AttrDef, AttrType, OpDef, Part, Scalar, Value};

use super::{python_float, type_number};

/// An attribute for which `PaddlePaddle` has no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwritableError {
    /// The operator.
    pub op: String,
    /// The attribute.
    pub attr: String,
    /// Its type.
    pub ty: AttrType,
}

impl fmt::Display for UnwritableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnwritableError { op, attr, ty } = self;
        write!(f, "operator `{op}`, attribute `{attr}`: PaddlePaddle has no type for `{ty}`")
    }
}

impl std::error::Error for UnwritableError {}

/// The text of a `.spec`: one object, an operator a line.
///
/// # Errors
///
/// When an attribute is of a type that `PaddlePaddle` does not have.
pub fn to_text(ops: &BTreeMap<String, OpDef>) -> Result<String, UnwritableError> {
    let mut text = String::from("{");
    for (i, (name, op)) in ops.iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        let _ = write!(text, "{}: ", quoted(name));
        write_op(&mut text, op)?;
    }
    text.push_str("\n}\n");
    Ok(text)
}

fn write_op(text: &mut String, op: &OpDef) -> Result<(), UnwritableError> {
    for (open, args) in [("{\"Inputs\": {", &op.inputs), ("}, \"Outputs\": {", &op.outputs)] {
        text.push_str(open);
        for (i, arg) in args.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{}: ", quoted(&arg.name));
            write_arg(text, arg);
        }
    }
    text.push_str("}, \"Attrs\": {");
    for (i, attr) in op.attrs.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{}: ", quoted(&attr.name));
        write_attr(text, op, attr)?;
    }
    text.push_str("}}");
    Ok(())
}

fn write_arg(text: &mut String, arg: &ArgDef) {
    let ArgDef { duplicable, dispensable, intermediate, part, .. } = arg;
    let (extra, quant) = flags(*part);
    let _ = write!(
        text,
        "{{\"duplicable\": {duplicable}, \"dispensable\": {dispensable}, \"intermediate\": {intermediate}, \
         \"extra\": {extra}, \"quant\": {quant}}}"
    );
}

fn write_attr(text: &mut String, op: &OpDef, attr: &AttrDef) -> Result<(), UnwritableError> {
    let unwritable = || UnwritableError { op: op.name.to_string(), attr: attr.name.to_string(), ty: attr.ty };
    let ty = type_number(attr.ty).ok_or_else(unwritable)?;
    let (extra, quant) = flags(attr.part);
    let _ = write!(text, "{{\"type\": {ty}, \"generated\": {}, \"default_value\": ", attr.generated);
    match &attr.default {
        Some(value) => write_value(text, value),
        None => text.push_str("null"),
    }
    let _ = write!(text, ", \"extra\": {extra}, \"quant\": {quant}}}");
    Ok(())
}

const fn flags(part: Part) -> (bool, bool) {
    (matches!(part, Part::Extra), matches!(part, Part::Quant))
}

fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::F32(x) => text.push_str(&python_float(f64::from(*x))),
        Value::F64(x) | Value::Scalar(Scalar::F64(x)) => text.push_str(&python_float(*x)),
        Value::String(x) | Value::DType(x) | Value::Var(x) => text.push_str(&quoted(x)),
        Value::List(items) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { ", " });
                write_value(text, item);
            }
            text.push(']');
        }
        // Booleans and integers read the same in every language.
        other => {
            let _ = write!(text, "{other}");
        }
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use oplock_core::ScalarType;

    use super::*;
    use crate::paddle::parse;

    fn op_with(attrs: Vec<AttrDef>) -> BTreeMap<String, OpDef> {
        let mut op = OpDef::new("o\"p");
        op.attrs = attrs.into();
        op.inputs.to_mut().push(ArgDef { part: Part::Quant, dispensable: true, ..ArgDef::new("X\u{e4}") });
        BTreeMap::from([("o\"p".to_owned(), op.sorted())])
    }

    #[test]
    fn what_is_written_reads_back() {
        let attr = |name: &'static str, ty, default| AttrDef { default, ..AttrDef::new(name, ty) };
        let floats = [0.1, 1e-5, -0.0, f32::MIN_POSITIVE, f32::MAX, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        let scalars = [Scalar::Bool(true), Scalar::I64(-1), Scalar::F64(1.0), Scalar::F64(1e16)];
        let ops = op_with(vec![
            attr("none", AttrType::of(ScalarType::Block), None),
            attr(
                "floats",
                AttrType::list(ScalarType::F32),
                Some(Value::list(floats.into_iter().map(Value::F32).collect())),
            ),
            attr(
                "scalars",
                AttrType::list(ScalarType::Scalar),
                Some(Value::list(scalars.into_iter().map(Value::Scalar).collect())),
            ),
            attr("text", AttrType::of(ScalarType::String), Some(Value::String("a\"\n\u{e4}".into()))),
        ]);
        let text = to_text(&ops).unwrap();
        let spec = parse(&text).unwrap();
        assert_eq!(spec.ops, ops, "{text}");
        assert!(spec.unstated.is_empty());
    }

    #[test]
    fn types_that_paddle_has_not_are_named() {
        let nested = AttrType { depth: 2, ..AttrType::of(ScalarType::I64) };
        for ty in [AttrType::of(ScalarType::U32), nested, AttrType::of(ScalarType::F32).optional()] {
            let error = to_text(&op_with(vec![AttrDef::new("a", ty)])).unwrap_err();
            assert_eq!(error, UnwritableError { op: "o\"p".to_owned(), attr: "a".to_owned(), ty });
        }
    }
}
