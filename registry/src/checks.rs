//! What expansions ask while the compiler evaluates constants, so that a failure is its error.

use oplock_model::{AttrType, ScalarType};

use crate::AttrValue;
use crate::registry::Mark;

/// The type of the macro's `type_code`.
const fn attr_type(code: u8, lengths: [Option<u32>; 2]) -> AttrType {
    let scalar = ScalarType::ALL[(code & 31) as usize];
    AttrType { scalar, depth: (code >> 5) & 3, lengths, optional: code & 128 != 0 }
}

/// Holds what the declaration says of an attribute against its field's type, which is of the author's own.
///
/// # Panics
///
/// When they disagree; in the evaluation of a constant, so that it is an error of the compiler.
#[track_caller]
pub const fn check_attr<T: AttrValue>(ty: u8, lengths: [Option<u32>; 2], values: &[&str]) {
    let declared = attr_type(ty, lengths);
    if !same_type(declared, T::TYPE) {
        let mut text = Text::<512>::new();
        text.push("the declaration saves the attribute as `");
        text.push_type(declared);
        text.push("`, and the `AttrValue::TYPE` of its field's type is `");
        text.push_type(T::TYPE);
        text.push("`: say `as = \"");
        text.push_type(T::TYPE);
        text.push("\"`");
        panic!("{}", text.as_str());
    }
    if !T::VALUES.is_empty() && !same_values(values, T::VALUES) {
        let mut text = Text::<512>::new();
        text.push("`values` lists exactly what the field's type can be: `values = [");
        let mut i = 0;
        while i < T::VALUES.len() {
            text.push(if i == 0 { "\"" } else { ", \"" });
            text.push(T::VALUES[i]);
            text.push("\"");
            i += 1;
        }
        text.push("]`");
        panic!("{}", text.as_str());
    }
}

/// A text that a constant can put together; what does not fit is cut off.
struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    const fn new() -> Self {
        Text { bytes: [0; N], length: 0 }
    }

    const fn has_room(&self, length: usize) -> bool {
        self.length + length <= N
    }

    const fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if !self.has_room(bytes.len()) {
            return;
        }
        let mut i = 0;
        while i < bytes.len() {
            self.bytes[self.length] = bytes[i];
            self.length += 1;
            i += 1;
        }
    }

    /// A text in a line of its own; whether there is room for more.
    const fn push_line(&mut self, text: &str) -> bool {
        if !self.has_room(text.len() + 64) {
            self.push("\nand more, which show when these are mended");
            return false;
        }
        if self.length > 0 {
            self.push("\n");
        }
        self.push(text);
        true
    }

    const fn push_type(&mut self, ty: AttrType) {
        let mut depth = 0;
        while depth < ty.depth {
            self.push("[");
            depth += 1;
        }
        self.push(ty.scalar.name());
        while depth > 0 {
            depth -= 1;
            if let Some(length) = ty.lengths[depth as usize] {
                self.push("; ");
                self.push_number(length);
            }
            self.push("]");
        }
        if ty.optional {
            self.push("?");
        }
    }

    const fn push_number(&mut self, number: u32) {
        if number > 9 {
            self.push_number(number / 10);
        }
        let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        self.push(digits[(number % 10) as usize]);
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

const fn same_type(a: AttrType, b: AttrType) -> bool {
    a.scalar as u8 == b.scalar as u8
        && a.depth == b.depth
        && a.optional == b.optional
        && same_length(a.lengths[0], b.lengths[0])
        && same_length(a.lengths[1], b.lengths[1])
}

const fn same_length(a: Option<u32>, b: Option<u32>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        _ => false,
    }
}

const fn same_values(declared: &[&str], values: &[&str]) -> bool {
    if declared.len() != values.len() {
        return false;
    }
    let mut i = 0;
    while i < declared.len() {
        let mut j = 0;
        let mut found = false;
        while j < values.len() {
            found |= same_text(declared[i].as_bytes(), values[j].as_bytes());
            j += 1;
        }
        if !found {
            return false;
        }
        i += 1;
    }
    true
}

const fn same_text(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Checks that an operator is gone whose name is another's alias; if it is there, that is an error of the compiler.
///
/// # Panics
///
/// When the mark is there.
#[track_caller]
pub const fn replaced(mark: Mark, text: &str) {
    assert!(mark.is_none(), "{}", text);
}

/// Fails where promised operators are missing, with the texts of all of them; in the evaluation of a constant, so that it
/// is an error of the compiler.
///
/// # Panics
///
/// When a mark is missing.
#[track_caller]
pub const fn promised(marks: &[(Mark, &str)]) {
    let (mut i, mut missing) = (0, 0);
    while i < marks.len() {
        missing += marks[i].0.is_none() as usize;
        i += 1;
    }
    if missing == 0 {
        return;
    }
    let mut text = Text::<16_384>::new();
    i = 0;
    while i < marks.len() && (marks[i].0.is_some() || text.push_line(marks[i].1)) {
        i += 1;
    }
    panic!("{}", text.as_str());
}

/// Fails where the operator has attributes of these names, with the texts of all of them; in the evaluation of a constant, so that it
/// is an error of the compiler.
///
/// # Panics
///
/// When it has one.
#[track_caller]
pub const fn has_none_of(mark: Mark, attrs: &[(&str, &str)]) {
    let Some(marked) = mark else { return };
    let mut text = Text::<16_384>::new();
    let mut i = 0;
    while i < attrs.len() && (!has_attr(marked.record.0, attrs[i].0) || text.push_line(attrs[i].1)) {
        i += 1;
    }
    assert!(text.length == 0, "{}", text.as_str());
}

/// Whether a declaration ([`oplock_model::Declared`]) has an attribute of that name, or one that had it before.
const fn has_attr(record: &str, name: &str) -> bool {
    let record = record.as_bytes();
    // Whether the item is an attribute, and whether the next text is a name of it.
    let (mut is_attr, mut is_name) = (false, false);
    let mut at = 0;
    while at < record.len() {
        if !record[at].is_ascii_digit() {
            match record[at] {
                b'A' => (is_attr, is_name) = (true, true),
                b'L' => is_name = is_attr,
                b'I' | b'O' => (is_attr, is_name) = (false, false),
                letter if letter.is_ascii_uppercase() => is_name = false,
                _ => {}
            }
            at += 1;
            continue;
        }
        let mut number = 0_usize;
        while at < record.len() && record[at].is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add((record[at] - b'0') as usize);
            at += 1;
        }
        // A number ends with `;`, and before a text stands its length.
        let is_text = at < record.len() && record[at] == b'\'';
        at += 1;
        if is_text {
            if is_name && same_text(record.split_at(at).1.split_at(number).0, name.as_bytes()) {
                return true;
            }
            is_name = false;
            at += number;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use oplock_model::{ArgDef, AttrDef, Declared, Deprecated, OpDef, Scalar, Shape, TypeVar, Value};

    use super::*;

    #[test]
    fn attributes_are_found_in_a_record_by_their_names_alone() {
        let attr = |name: &'static str, ty, default: Option<Value>| AttrDef { default, ..AttrDef::new(name, ty) };
        let values = vec![Value::String("A4'text".into()), Value::String("L3'old".into())];
        let shape = Value::Shape(Shape::of([Some(4), None]));
        let def = OpDef {
            types: vec![TypeVar { name: "T".into(), allowed: vec!["A1'x".into()].into() }].into(),
            aliases: vec!["older".into()].into(),
            inputs: vec![ArgDef { aliases: vec!["input_alias".into()].into(), ..ArgDef::new("A5'input") }].into(),
            outputs: vec![ArgDef::new("out")].into(),
            attrs: vec![
                attr("number", AttrType::of(ScalarType::F64), Some(Value::F64(-0.5))),
                attr("scalar", AttrType::of(ScalarType::Scalar), Some(Value::Scalar(Scalar::I64(-7)))),
                AttrDef {
                    aliases: vec!["was".into(), "before".into()].into(),
                    deprecated: Some(Deprecated { version: 3, note: "A4'note".into() }),
                    generated: true,
                    ..attr("texts", AttrType::list(ScalarType::String), Some(Value::list(values)))
                },
                AttrDef { values: vec!["value".into()].into(), ..attr("", AttrType::of(ScalarType::String), None) },
                attr("shape", AttrType::of(ScalarType::Shape), Some(shape)),
                attr("last", AttrType::of(ScalarType::Bytes), Some(Value::Bytes(b"A4'data".to_vec().into()))),
            ]
            .into(),
            ..OpDef::new("op")
        };
        let declared = Declared { def, file: "A4'file".into(), line: 7, stale: "A5'stale".into() };
        let record = declared.to_text();
        for name in ["number", "scalar", "texts", "was", "before", "", "shape", "last"] {
            assert!(has_attr(&record, name), "{name:?}: {record}");
        }
        for name in [
            "text",
            "old",
            "older",
            "x",
            "T",
            "input",
            "input_alias",
            "out",
            "note",
            "value",
            "[4, _]",
            "data",
            "file",
            "stale",
            "op",
            "[string]",
            "A5'input",
        ] {
            assert!(!has_attr(&record, name), "{name:?}: {record}");
        }
        assert!(!has_attr(crate::__private::FAILED.0, ""));
    }
}
