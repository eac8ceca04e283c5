//! From operators to the text of a `.spec`, with every key that a file of today has.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use oplock_core::{ArgDef, AttrDef, Deprecated, Kind, OpDef, Part, Scalar, Str, Value};

use super::{python_float, type_number};

/// What a definition states and a `.spec` has no place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwritableError {
    /// The operator.
    pub op: String,
    /// The item; `None` for the operator itself.
    pub item: Option<(Kind, String)>,
    /// What has no place, each as it is declared.
    pub lost: Vec<String>,
}

impl fmt::Display for UnwritableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnwritableError { op, item, lost } = self;
        write!(f, "operator `{op}`")?;
        if let Some((kind, name)) = item {
            write!(f, ", {} `{name}`", kind.noun())?;
        }
        let lost: Vec<_> = lost.iter().map(|lost| format!("`{lost}`")).collect();
        write!(f, ": PaddlePaddle has no place for {}", lost.join(", "))
    }
}

impl std::error::Error for UnwritableError {}

impl UnwritableError {
    fn check(op: &OpDef, item: Option<(Kind, &str)>, lost: Vec<String>) -> Result<(), Self> {
        if lost.is_empty() {
            return Ok(());
        }
        let item = item.map(|(kind, name)| (kind, name.to_owned()));
        Err(UnwritableError { op: op.name.to_string(), item, lost })
    }
}

/// The text of a `.spec`: one object, an operator a line.
///
/// # Errors
///
/// When something is stated that a `.spec` has no place for: types and numbers of operands, allowed values, what is deprecated, and the like.
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
    UnwritableError::check(op, None, lost_of_op(op))?;
    for (open, kind) in [("{\"Inputs\": {", Kind::Input), ("}, \"Outputs\": {", Kind::Output)] {
        text.push_str(open);
        for (i, arg) in op.args(kind).iter().enumerate() {
            UnwritableError::check(op, Some((kind, &arg.name)), lost_of_arg(arg))?;
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
    let ty = type_number(attr.ty);
    let mut lost = lost_of_attr(attr);
    if ty.is_none() {
        lost.insert(0, attr.ty.to_string());
    }
    UnwritableError::check(op, Some((Kind::Attr, &attr.name)), lost)?;
    let ty = ty.unwrap_or_default();
    let (extra, quant) = flags(attr.part);
    let _ = write!(text, "{{\"type\": {ty}, \"generated\": {}, \"default_value\": ", attr.generated);
    match &attr.default {
        Some(value) => write_value(text, value),
        None => text.push_str("null"),
    }
    let _ = write!(text, ", \"extra\": {extra}, \"quant\": {quant}}}");
    Ok(())
}

/// What of an operator has no place, its items aside. Each field is named, so that a new one is not forgotten.
fn lost_of_op(op: &OpDef) -> Vec<String> {
    let OpDef { name: _, inputs: _, outputs: _, attrs: _, experimental, cfg, aliases, .. } = op;
    let OpDef { deprecated, revisions, moved_from, types, flags, .. } = op;
    let mut lost = lost_of_past(aliases, deprecated.as_ref());
    lost.extend(experimental.then(|| "experimental".to_owned()));
    lost.extend(cfg.iter().map(|cfg| format!("cfg({cfg})")));
    lost.extend(revisions.iter().map(|revision| format!("revised(version = {})", revision.version)));
    lost.extend(moved_from.iter().map(|package| format!("moved_from = {package:?}")));
    lost.extend(types.iter().map(|var| format!("types({} = [{}])", var.name, var.allowed.join(", "))));
    lost.extend(flags.each().into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned()));
    lost
}

fn lost_of_arg(arg: &ArgDef) -> Vec<String> {
    let ArgDef { name: _, dispensable: _, duplicable: _, intermediate: _, part: _, at, aliases, deprecated, .. } = arg;
    let ArgDef { ty, count, min, heterogeneous, by_ref, .. } = arg;
    let mut lost = lost_of_past(aliases, deprecated.as_ref());
    lost.extend(at.map(|at| format!("at = {at}")));
    lost.extend(match (count, ty) {
        (None, None) => None,
        (None, Some(ty)) => Some(format!("of = {ty}")),
        (Some(count), None) => Some(format!("of = {count} * _")),
        (Some(count), Some(ty)) => Some(format!("of = {count} * {ty}")),
    });
    lost.extend(min.map(|min| format!("min = {min}")));
    let flags = [("heterogeneous", *heterogeneous), ("by_ref", *by_ref)];
    lost.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned()));
    lost
}

fn lost_of_attr(attr: &AttrDef) -> Vec<String> {
    let AttrDef { name: _, ty: _, generated: _, part: _, default, min, values, aliases, deprecated } = attr;
    let mut lost = lost_of_past(aliases, deprecated.as_ref());
    lost.extend(min.map(|min| format!("min = {min}")));
    lost.extend((!values.is_empty()).then(|| format!("values = {values:?}")));
    let is_complex = |value: &Value| matches!(value, Value::Scalar(Scalar::Complex128(_)));
    let complex = default.iter().find(|default| match default {
        Value::List(items) => items.iter().any(is_complex),
        default => is_complex(default),
    });
    lost.extend(complex.map(|default| format!("default = {default}")));
    lost
}

fn lost_of_past(aliases: &[Str], deprecated: Option<&Deprecated>) -> Vec<String> {
    let aliases = aliases.iter().map(|alias| format!("alias({alias:?})"));
    aliases.chain(deprecated.map(|deprecated| format!("deprecated(version = {})", deprecated.version))).collect()
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
    use oplock_core::{AttrType, Complex128, ElementType, Revision, ScalarType, TypeVar};

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

    /// What is said of one operator that `change` changes.
    fn refused(change: impl Fn(&mut OpDef)) -> String {
        let mut op = OpDef::new("o");
        op.inputs = vec![ArgDef { duplicable: true, ..ArgDef::new("X") }].into();
        op.attrs = vec![AttrDef::new("a", AttrType::of(ScalarType::String))].into();
        let write = |op: &OpDef| to_text(&BTreeMap::from([("o".to_owned(), op.clone())]));
        write(&op).unwrap();
        change(&mut op);
        write(&op).unwrap_err().to_string()
    }

    #[test]
    fn types_that_paddle_has_not_are_named() {
        let nested = AttrType { depth: 2, ..AttrType::of(ScalarType::I64) };
        for ty in [AttrType::of(ScalarType::U32), nested, AttrType::of(ScalarType::F32).optional()] {
            let told = refused(|op| op.attrs.to_mut()[0].ty = ty);
            assert_eq!(told, format!("operator `o`, attribute `a`: PaddlePaddle has no place for `{ty}`"));
        }
    }

    #[test]
    fn whatever_has_no_place_is_named() {
        let input = |change: &dyn Fn(&mut ArgDef)| refused(|op| change(&mut op.inputs.to_mut()[0]));
        let attr = |change: &dyn Fn(&mut AttrDef)| refused(|op| change(&mut op.attrs.to_mut()[0]));
        let deprecated = || Some(Deprecated { version: 8, note: "use Y".into() });
        let fixed = || Some(ElementType::Fixed("f32".into()));
        let complex = || Value::Scalar(Scalar::Complex128(Complex128 { re: 1.0, im: -0.5 }));
        for (told, lost) in [
            (input(&|arg| arg.ty = fixed()), "input `X`|`of = f32`"),
            (input(&|arg| (arg.ty, arg.count) = (fixed(), Some("N".into()))), "input `X`|`of = N * f32`"),
            (input(&|arg| arg.count = Some("N".into())), "input `X`|`of = N * _`"),
            (input(&|arg| (arg.min, arg.by_ref) = (Some(2), true)), "input `X`|`min = 2`, `by_ref`"),
            (input(&|arg| arg.heterogeneous = true), "input `X`|`heterogeneous`"),
            (input(&|arg| arg.at = Some(1)), "input `X`|`at = 1`"),
            (input(&|arg| arg.aliases = vec!["Y".into()].into()), "input `X`|`alias(\"Y\")`"),
            (input(&|arg| arg.deprecated = deprecated()), "input `X`|`deprecated(version = 8)`"),
            (
                attr(&|attr| attr.values = vec!["b".into(), "c".into()].into()),
                "attribute `a`|`values = [\"b\", \"c\"]`",
            ),
            (attr(&|attr| attr.min = Some(0)), "attribute `a`|`min = 0`"),
            (
                attr(&|attr| (attr.ty, attr.default) = (AttrType::of(ScalarType::Scalar), Some(complex()))),
                "attribute `a`|`default = { re = 1.0, im = -0.5 }`",
            ),
        ] {
            let (item, lost) = lost.split_once('|').unwrap();
            assert_eq!(told, format!("operator `o`, {item}: PaddlePaddle has no place for {lost}"));
        }
        let var = || TypeVar { name: "T".into(), allowed: vec!["f16".into(), "f32".into()].into() };
        for (told, lost) in [
            (refused(|op| op.types = vec![var()].into()), "`types(T = [f16, f32])`"),
            (refused(|op| (op.experimental, op.flags.stateful) = (true, true)), "`experimental`, `stateful`"),
            (refused(|op| op.cfg = Some("unix".into())), "`cfg(unix)`"),
            (refused(|op| op.moved_from = Some("x-ops".into())), "`moved_from = \"x-ops\"`"),
            (
                refused(|op| op.revisions = vec![Revision { version: 9, note: "ties".into() }].into()),
                "`revised(version = 9)`",
            ),
        ] {
            assert_eq!(told, format!("operator `o`: PaddlePaddle has no place for {lost}"));
        }
    }
}
