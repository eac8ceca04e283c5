//! What the macros' expansions call. Not for use by hand, and not covered by semantic versioning.
//!
//! Expansions are tables and calls into this module: the less code each operator brings, the faster every crate
//! that declares some compiles.

use std::borrow::Cow;

pub use inventory;
pub use oplock_core::{OpDef, Scalar, Value};
pub use oplock_macros::lock_crate;
pub use std::borrow::Cow::Borrowed;
pub use std::option::Option::{self, None, Some};
pub use std::result::Result::{self, Ok};

use oplock_core::{ArgDef, AttrDef, AttrType, Kind, List, Part, ScalarType, Str, ValueError};

pub use crate::registry::{CrateOps, Mark, Record, Submission, assert_up_to_date};
pub use crate::{ArgField, AttrValue, Bind, BindError, Node, Op};

/// Bits of a marker set, shared with the macro.
const DISPENSABLE: u8 = 1;
const DUPLICABLE: u8 = 2;
const INTERMEDIATE: u8 = 4;
const GENERATED: u8 = 8;
const QUANT: u8 = 16;
const EXTRA: u8 = 32;

const fn part(marks: u8) -> Part {
    if marks & EXTRA != 0 {
        Part::Extra
    } else if marks & QUANT != 0 {
        Part::Quant
    } else {
        Part::Def
    }
}

/// What stands for an operator whose declaration has errors.
pub const FAILED: OpDef = OpDef {
    name: Cow::Borrowed(""),
    inputs: Cow::Borrowed(&[]),
    outputs: Cow::Borrowed(&[]),
    attrs: Cow::Borrowed(&[]),
    experimental: true,
    cfg: None,
};

/// The record of such an operator.
pub const FAILED_RECORD: Record = Record { def: &FAILED, file: "", line: 0, stale: "" };

/// The signature of an input or output.
pub const fn arg(name: &'static str, marks: u8) -> ArgDef {
    ArgDef {
        name: Cow::Borrowed(name),
        dispensable: marks & DISPENSABLE != 0,
        duplicable: marks & DUPLICABLE != 0,
        intermediate: marks & INTERMEDIATE != 0,
        part: part(marks),
    }
}

/// The signature of an attribute; `ty` is that of the macro's `type_code`.
pub const fn attr(name: &'static str, ty: u8, default: Option<Value>, values: &'static [Str], marks: u8) -> AttrDef {
    AttrDef {
        name: Cow::Borrowed(name),
        ty: attr_type(ty),
        default,
        values: Cow::Borrowed(values),
        generated: marks & GENERATED != 0,
        part: part(marks),
    }
}

const fn attr_type(code: u8) -> AttrType {
    AttrType { scalar: ScalarType::ALL[(code & 15) as usize], depth: (code >> 4) & 3, optional: code & 64 != 0 }
}

/// Holds what the declaration says of an attribute against its field's type, which is of the author's own.
///
/// # Panics
///
/// When they disagree; in the evaluation of a constant, so that it is an error of the compiler.
#[track_caller]
pub const fn check_attr<T: AttrValue>(ty: u8, values: &[&str]) {
    let declared = attr_type(ty);
    if !same_type(declared, T::TYPE) {
        let mut text = Text::new();
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
        let mut text = Text::new();
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
struct Text {
    bytes: [u8; 512],
    length: usize,
}

impl Text {
    const fn new() -> Self {
        Text { bytes: [0; 512], length: 0 }
    }

    const fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if self.length + bytes.len() > self.bytes.len() {
            return;
        }
        let mut i = 0;
        while i < bytes.len() {
            self.bytes[self.length] = bytes[i];
            self.length += 1;
            i += 1;
        }
    }

    const fn push_type(&mut self, ty: AttrType) {
        let mut depth = 0;
        while depth < ty.depth {
            self.push("[");
            depth += 1;
        }
        self.push(ty.scalar.name());
        while depth > 0 {
            self.push("]");
            depth -= 1;
        }
        if ty.optional {
            self.push("?");
        }
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

const fn same_type(a: AttrType, b: AttrType) -> bool {
    a.scalar as u8 == b.scalar as u8 && a.depth == b.depth && a.optional == b.optional
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

/// Borrowed text.
pub const fn s(text: &'static str) -> Str {
    Cow::Borrowed(text)
}

/// A string value.
pub const fn string(text: &'static str) -> Value {
    Value::String(Cow::Borrowed(text))
}

/// The empty list.
pub const EMPTY: Value = Value::List(Cow::Borrowed(&[]));

/// A bytes value.
pub const fn bytes(bytes: &'static [u8]) -> Value {
    let bytes: List<u8> = Cow::Borrowed(bytes);
    Value::Bytes(bytes)
}

/// What a field has that nothing fills.
pub fn absent<T: Default>() -> T {
    T::default()
}

/// The default of an attribute, as the field's type.
///
/// # Panics
///
/// When the type's own conversion refuses a default that its declaration gives.
#[track_caller]
pub fn preset<T: AttrValue>(def: &'static OpDef, attr: usize) -> T {
    let attr = &def.attrs[attr];
    let value = attr.default.as_ref().unwrap_or(&Value::Absent);
    match T::from_value(value) {
        Ok(value) => value,
        Err(error) => {
            panic!("the default of attribute `{}` of `{}` is refused by its type: {error}", attr.name, def.name)
        }
    }
}

/// The text of a string value.
pub fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The error of a value that is none of an enumeration's.
pub fn not_one_of(values: &[&str], value: &Value) -> ValueError {
    let found = match value {
        Value::String(text) => format!("{text:?}, which is none of {values:?}"),
        other => other.describe(),
    };
    ValueError { expected: AttrType::of(ScalarType::String), found }
}

/// Reads the fields of an operator from a node that was checked against its signature.
#[derive(Debug)]
pub struct Reader<'a> {
    def: &'static OpDef,
    node: &'a Node,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(def: &'static OpDef, node: &'a Node) -> Self {
        Reader { def, node }
    }

    /// The operand of that index, inputs first.
    ///
    /// # Errors
    ///
    /// When the field cannot hold so many variables.
    pub fn arg<T: for<'x> ArgField<'x>>(&self, index: usize) -> Result<T, BindError> {
        let inputs = self.def.inputs.len();
        let (kind, arg) = match index.checked_sub(inputs) {
            None => (Kind::Input, &self.def.inputs[index]),
            Some(index) => (Kind::Output, &self.def.outputs[index]),
        };
        let names = self.node.args(kind).get(arg.name.as_ref()).map_or(&[][..], Vec::as_slice);
        T::from_variables(names).ok_or_else(|| BindError::Count {
            op: self.def.name.to_string(),
            kind,
            name: arg.name.to_string(),
            expected: "another number of",
            found: names.len(),
        })
    }

    /// The attribute of that index.
    ///
    /// # Errors
    ///
    /// When the attribute is missing and has no default, or the field's type refuses its value.
    pub fn attr<T: AttrValue>(&self, index: usize) -> Result<T, BindError> {
        let attr = &self.def.attrs[index];
        let (op, name) = (|| self.def.name.to_string(), || attr.name.to_string());
        let value = self.node.attrs.get(attr.name.as_ref()).or(attr.default.as_ref());
        let value = value.ok_or_else(|| BindError::Missing { op: op(), name: name() })?;
        T::from_value(value).map_err(|error| BindError::Value { op: op(), name: name(), error })
    }
}

/// Writes the fields of an operator to a node.
#[derive(Debug)]
pub struct Writer<'a> {
    def: &'static OpDef,
    node: &'a mut Node,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(def: &'static OpDef, node: &'a mut Node) -> Self {
        Writer { def, node }
    }

    /// Writes all fields: operands, inputs first, and attributes, in the order of the signature.
    ///
    /// # Errors
    ///
    /// When an attribute's value cannot be saved in its type.
    pub fn all(&mut self, args: &[&dyn for<'x> DynArg<'x>], attrs: &[&dyn DynAttr]) -> Result<(), BindError> {
        let inputs = self.def.inputs.iter().map(|arg| (Kind::Input, arg));
        let outputs = self.def.outputs.iter().map(|arg| (Kind::Output, arg));
        for ((kind, arg), field) in inputs.chain(outputs).zip(args) {
            let mut names = Vec::new();
            field.names(&mut names);
            if names.is_empty() {
                continue;
            }
            let place = if kind == Kind::Output { &mut self.node.outputs } else { &mut self.node.inputs };
            place.insert(arg.name.to_string(), names);
        }
        for (attr, field) in self.def.attrs.iter().zip(attrs) {
            match field.value() {
                Ok(Value::Absent) => {}
                Ok(value) => {
                    self.node.attrs.insert(attr.name.to_string(), value);
                }
                Err(error) => {
                    return Err(BindError::Value { op: self.def.name.to_string(), name: attr.name.to_string(), error });
                }
            }
        }
        Ok(())
    }
}

/// [`ArgField`] as an object.
pub trait DynArg<'a> {
    /// Adds the names of the field's variables.
    fn names(&self, names: &mut Vec<String>);
}

impl<'a, T: ArgField<'a>> DynArg<'a> for T {
    fn names(&self, names: &mut Vec<String>) {
        self.variables(names);
    }
}

/// [`AttrValue`], with a lifetime that has no meaning; it lets generated code ask for the trait where it may not hold.
pub trait AttrField<'a>: AttrValue {}

impl<T: AttrValue> AttrField<'_> for T {}

/// [`AttrValue`] as an object.
pub trait DynAttr {
    /// The value as it is saved.
    ///
    /// # Errors
    ///
    /// When it cannot be saved in its type.
    fn value(&self) -> Result<Value, ValueError>;
}

impl<T: AttrValue> DynAttr for T {
    fn value(&self) -> Result<Value, ValueError> {
        self.to_value()
    }
}
