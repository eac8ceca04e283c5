//! `PaddlePaddle`'s op description: the JSON that its own CI dumps of every operator (`.spec`).
//!
//! One object, `{op: {"Inputs": {name: {…}}, "Outputs": {…}, "Attrs": {…}}}`. This module knows its shape, its
//! numbers for types and how Python prints values; `read` and `write` go between the text and the model.

pub mod desc;
pub mod opver;
pub mod program;
pub(crate) mod python;
mod read;
mod write;

use std::collections::BTreeMap;

use oplock_core::{AttrType, Kind, OpDef, Part, Scalar, ScalarType, Value};

pub use read::{SpecError, parse};
pub use write::{UnwritableError, to_text};

/// The operators of a file.
#[derive(Debug, Default)]
pub struct Spec {
    /// By name.
    pub ops: BTreeMap<String, OpDef>,
    /// The items of which the file leaves something open; files older than 2.2 do so of all.
    pub unstated: Unstated,
}

/// An operator's item.
pub type ItemPath = (String, Kind, String);

/// What a file leaves open of some items.
pub type Unstated = BTreeMap<ItemPath, UnstatedPart>;

/// Which of the two keys that give the part are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnstatedPart {
    /// `extra` is.
    pub extra: bool,
    /// `quant` is.
    pub quant: bool,
}

/// A key that one side lacks is not compared: the part is taken from the side that has it.
pub fn settle(old: (&mut BTreeMap<String, OpDef>, &Unstated), new: (&mut BTreeMap<String, OpDef>, &Unstated)) {
    let ((old, old_open), (new, new_open)) = (old, new);
    let fill = |open: &Unstated, ops: &mut BTreeMap<String, OpDef>, from: &BTreeMap<String, OpDef>| {
        for (path @ (op, kind, item), unstated) in open {
            let Some(known) = from.get(op).and_then(|op| part_of(op, *kind, item)) else { continue };
            let Some(def) = ops.get_mut(op) else { continue };
            let Some(part) = part_mut(def, path) else { continue };
            let pick = |missing: bool, which: Part| if missing { known == which } else { *part == which };
            let (extra, quant) = (pick(unstated.extra, Part::Extra), pick(unstated.quant, Part::Quant));
            *part = part_from(extra, quant);
        }
    };
    if !old_open.is_empty() {
        fill(old_open, old, new);
    }
    if !new_open.is_empty() {
        fill(new_open, new, old);
    }
}

/// An item that is both is removed by every export, so it carries no promise.
const fn part_from(extra: bool, quant: bool) -> Part {
    match (extra, quant) {
        (true, _) => Part::Extra,
        (false, true) => Part::Quant,
        (false, false) => Part::Def,
    }
}

fn part_of(op: &OpDef, kind: Kind, item: &str) -> Option<Part> {
    match kind {
        Kind::Input | Kind::Output => op.arg(kind, item).map(|arg| arg.part),
        Kind::Attr => op.attr(item).map(|attr| attr.part),
    }
}

fn part_mut<'a>(op: &'a mut OpDef, (_, kind, item): &ItemPath) -> Option<&'a mut Part> {
    let args = match kind {
        Kind::Input => &mut op.inputs,
        Kind::Output => &mut op.outputs,
        Kind::Attr => return op.attrs.to_mut().iter_mut().find(|attr| attr.name == *item).map(|attr| &mut attr.part),
    };
    args.to_mut().iter_mut().find(|arg| arg.name == *item).map(|arg| &mut arg.part)
}

/// `PaddlePaddle`'s numbers for types (`framework.proto`, `AttrType`).
const TYPES: [(u8, AttrType); 18] = [
    (0, AttrType::of(ScalarType::I32)),
    (1, AttrType::of(ScalarType::F32)),
    (2, AttrType::of(ScalarType::String)),
    (3, AttrType::list(ScalarType::I32)),
    (4, AttrType::list(ScalarType::F32)),
    (5, AttrType::list(ScalarType::String)),
    (6, AttrType::of(ScalarType::Bool)),
    (7, AttrType::list(ScalarType::Bool)),
    (8, AttrType::of(ScalarType::Block)),
    (9, AttrType::of(ScalarType::I64)),
    (10, AttrType::list(ScalarType::Block)),
    (11, AttrType::list(ScalarType::I64)),
    (12, AttrType::list(ScalarType::F64)),
    (13, AttrType::of(ScalarType::Var)),
    (14, AttrType::list(ScalarType::Var)),
    (15, AttrType::of(ScalarType::F64)),
    (16, AttrType::of(ScalarType::Scalar)),
    (17, AttrType::list(ScalarType::Scalar)),
];

/// The number of a type, where `PaddlePaddle` has one.
pub fn type_number(ty: AttrType) -> Option<u8> {
    TYPES.iter().find(|(_, known)| *known == ty).map(|(number, _)| *number)
}

/// The type of a number.
fn type_of_number(number: u64) -> Option<AttrType> {
    TYPES.iter().find(|(known, _)| u64::from(*known) == number).map(|(_, ty)| *ty)
}

/// A number as Python prints it: the shortest text that reads back, with an exponent of at least two digits.
pub fn python_float(x: f64) -> String {
    if x.is_nan() {
        return "NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let text = format!("{x:?}");
    match text.split_once('e') {
        None => text,
        Some((mantissa, exponent)) => {
            let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
            format!("{mantissa}e{sign}{digits:0>2}")
        }
    }
}

/// A default as the published report prints it: `True`, `{1, 2}`, `None`, text as it is.
pub fn report_value(value: &Value) -> String {
    let float = |x: f64| match python_float(x).as_str() {
        "NaN" => "nan".to_owned(),
        "Infinity" => "inf".to_owned(),
        "-Infinity" => "-inf".to_owned(),
        text => text.to_owned(),
    };
    match value {
        Value::Absent => "None".to_owned(),
        Value::Bool(x) | Value::Scalar(Scalar::Bool(x)) => report_bool(*x).to_owned(),
        Value::F32(x) => float(f64::from(*x)),
        Value::F64(x) | Value::Scalar(Scalar::F64(x)) => float(*x),
        Value::String(text) | Value::DType(text) | Value::Var(text) => text.to_string(),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(report_value).collect();
            format!("{{{}}}", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// `True` or `False`.
pub const fn report_bool(x: bool) -> &'static str {
    if x { "True" } else { "False" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_python_prints_them() {
        for (x, text) in [
            (1.0, "1.0"),
            (f64::from(0.1_f32), "0.10000000149011612"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (-0.0, "-0.0"),
            (f64::INFINITY, "Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(python_float(x), text);
        }
    }

    #[test]
    fn numbers_of_types_are_a_bijection() {
        for (number, ty) in TYPES {
            assert_eq!(type_number(ty), Some(number));
            assert_eq!(type_of_number(number.into()), Some(ty));
        }
        assert_eq!(type_of_number(18), None);
        assert_eq!(type_number(AttrType::of(ScalarType::I32).optional()), None);
    }

    #[test]
    fn a_part_that_one_side_lacks_is_taken_from_the_other() {
        let arg =
            |rest: &str| format!("{{\"duplicable\": false, \"dispensable\": true, \"intermediate\": false{rest}}}");
        let spec = |rest: &str| {
            parse(&format!("{{\"o\": {{\"Inputs\": {{\"X\": {}}}, \"Outputs\": {{}}, \"Attrs\": {{}}}}}}", arg(rest)))
                .unwrap()
        };
        let part = |spec: &Spec| spec.ops["o"].inputs[0].part;
        for (old_keys, new_keys, expected) in [
            ("", ", \"extra\": true, \"quant\": false", Part::Extra),
            (", \"extra\": false, \"quant\": true", "", Part::Quant),
            ("", "", Part::Def),
            (", \"extra\": true", ", \"quant\": true", Part::Extra),
        ] {
            let (mut old, mut new) = (spec(old_keys), spec(new_keys));
            settle((&mut old.ops, &old.unstated), (&mut new.ops, &new.unstated));
            assert_eq!((part(&old), part(&new)), (expected, expected), "{old_keys} {new_keys}");
        }
    }
}
