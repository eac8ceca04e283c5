//! What the macros' expansions call. Not for use by hand, and not covered by semantic versioning.
//!
//! Expansions are tables and calls into this module: the less code each operator brings, the faster every crate
//! that declares some compiles.

use std::cell::RefCell;

pub use inventory;
pub use oplock_model::{OpDef, Scalar, Value};
pub use std::any::type_name;
pub use std::boxed::Box;
pub use std::option::Option::{self, None, Some};
pub use std::primitive;
pub use std::result::Result::{self, Err, Ok};
pub use std::string::String;
pub use std::vec::Vec;

use oplock_model::{AttrType, Kind, ScalarType, ValueError};

use crate::Var;
use crate::node::not_allowed;
pub use crate::record::Record;
pub use crate::registry::{Build, CrateOps, Erased, Mark, Marked, SavedVersions, Submission, assert_up_to_date};
pub use crate::{ArgField, AttrValue, Bind, BindError, Node, Op};

/// What stands for an operator whose declaration has errors: one without a name, and `experimental`.
pub const FAILED: Record = Record("0'0;0'0'E");

/// The mark of such an operator.
pub const FAILED_MARK: Mark = Some(Marked { record: FAILED, build: None });

/// How an operator with that mark is made of a node.
pub const fn build_of(mark: Mark) -> Option<Build> {
    match mark {
        Some(marked) => marked.build,
        None => None,
    }
}

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
    while i < marks.len() {
        if marks[i].0.is_none() {
            if !text.has_room(marks[i].1.len() + 64) {
                text.push("\nand more, which show when these are mended");
                break;
            }
            if text.length > 0 {
                text.push("\n");
            }
            text.push(marks[i].1);
        }
        i += 1;
    }
    panic!("{}", text.as_str());
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
pub fn preset<O: Op, T: AttrValue>(attr: usize) -> T {
    let attr = &O::def().attrs[attr];
    match T::from_value(attr.default.as_ref().unwrap_or(&Value::Absent)) {
        Ok(value) => value,
        Err(error) => {
            panic!("the default of attribute `{}` of `{}` is refused by its type: {error}", attr.name, O::def().name)
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
///
/// A method that cannot give its field says why to the reader, which keeps the first reason, and gives a blank value, or `None` where
/// the type is the author's own and may have no such value. What was read counts only if there is no reason: the generated
/// code is one literal of the struct so, which costs the compiler half of what a pattern for each field does.
#[derive(Debug)]
pub struct Reader<'a> {
    def: &'static OpDef,
    node: &'a Node,
    error: RefCell<Option<BindError>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(def: &'static OpDef, node: &'a Node) -> Self {
        Reader { def, node, error: RefCell::new(None) }
    }

    /// Why a field could not be given.
    pub(crate) fn into_error(self) -> Option<BindError> {
        self.error.into_inner()
    }

    fn fail<T>(&self, error: BindError) -> Option<T> {
        // The first error is the one to show.
        self.error.borrow_mut().get_or_insert(error);
        None
    }

    /// The operand of that index, inputs first.
    pub fn arg<T: for<'x> ArgField<'x>>(&self, index: usize) -> Option<T> {
        let inputs = self.def.inputs.len();
        let (kind, arg) = match index.checked_sub(inputs) {
            None => (Kind::Input, &self.def.inputs[index]),
            Some(index) => (Kind::Output, &self.def.outputs[index]),
        };
        let names = self.node.args(kind).get(arg.name.as_ref()).map_or(&[][..], Vec::as_slice);
        T::from_variables(names).or_else(|| {
            self.fail(BindError::Count {
                op: self.def.name.to_string(),
                kind,
                name: arg.name.to_string(),
                expected: "another number of",
                found: names.len(),
            })
        })
    }

    /// [`Reader::arg`] of one variable; a blank one where it cannot be given.
    pub fn var(&self, index: usize) -> Var {
        self.arg(index).unwrap_or_default()
    }

    /// [`Reader::arg`] of one variable or none.
    pub fn opt(&self, index: usize) -> Option<Var> {
        self.arg(index).unwrap_or_default()
    }

    /// [`Reader::arg`] of any number of variables.
    pub fn list(&self, index: usize) -> Vec<Var> {
        self.arg(index).unwrap_or_default()
    }

    /// [`Reader::attr`] of a type of the language or the standard library; a blank one where it cannot be given.
    pub fn plain<T: Plain>(&self, index: usize) -> T {
        self.attr(index).unwrap_or_else(T::blank)
    }

    /// The attribute of that index.
    pub fn attr<T: AttrValue>(&self, index: usize) -> Option<T> {
        let attr = &self.def.attrs[index];
        let (op, name) = (|| self.def.name.to_string(), || attr.name.to_string());
        let value = self.node.attrs_of(attr.part).get(attr.name.as_ref()).or(attr.default.as_ref());
        let Some(value) = value else { return self.fail(BindError::Missing { op: op(), name: name() }) };
        match T::from_value(value) {
            Ok(value) => Some(value),
            Err(error) => self.fail(BindError::Value { op: op(), name: name(), error }),
        }
    }
}

/// A type of the language or the standard library, of which a value stands in where an attribute cannot be read.
pub trait Plain: AttrValue {
    /// That value.
    fn blank() -> Self;
}

macro_rules! plain {
    ($($type:ty)*) => {$(
        impl Plain for $type {
            fn blank() -> Self {
                <$type>::default()
            }
        }
    )*};
}

plain!(bool i32 i64 u32 u64 f32 f64 usize isize String Vec<u8>);

impl<T: Plain> Plain for Option<T> {
    fn blank() -> Self {
        None
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn blank() -> Self {
        Vec::new()
    }
}

impl<T: Plain, const N: usize> Plain for [T; N] {
    fn blank() -> Self {
        [(); N].map(|()| T::blank())
    }
}

/// Writes the fields of an operator to a node: operands in the order of the signature, inputs first, then attributes.
#[derive(Debug)]
pub struct Writer<'a> {
    def: &'static OpDef,
    node: &'a mut Node,
    args: usize,
    error: Option<BindError>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(def: &'static OpDef, node: &'a mut Node) -> Self {
        Writer { def, node, args: 0, error: None }
    }

    /// Why an attribute could not be written.
    pub(crate) fn into_error(self) -> Option<BindError> {
        self.error
    }

    /// The next operand.
    pub fn arg<T: for<'x> ArgField<'x>>(&mut self, field: &T) {
        let inputs = self.def.inputs.len();
        let (place, arg) = match self.args.checked_sub(inputs) {
            None => (&mut self.node.inputs, &self.def.inputs[self.args]),
            Some(index) => (&mut self.node.outputs, &self.def.outputs[index]),
        };
        self.args += 1;
        let mut names = Vec::new();
        field.variables(&mut names);
        if !names.is_empty() {
            place.insert(arg.name.to_string(), names);
        }
    }

    /// [`Writer::arg`] of one variable.
    pub fn var(&mut self, field: &Var) {
        self.arg(field);
    }

    /// [`Writer::arg`] of one variable or none.
    #[allow(clippy::ref_option)] // the field as it is
    pub fn opt(&mut self, field: &Option<Var>) {
        self.arg(field);
    }

    /// [`Writer::arg`] of any number of variables.
    #[allow(clippy::ptr_arg)] // the field as it is
    pub fn list(&mut self, field: &Vec<Var>) {
        self.arg(field);
    }

    /// All attributes.
    pub fn attrs(&mut self, fields: &[&dyn DynAttr]) {
        for (attr, field) in self.def.attrs.iter().zip(fields) {
            let value = field.value().and_then(|value| match not_allowed(attr, &value) {
                None => Ok(value),
                Some(error) => Err(error),
            });
            match value {
                Ok(Value::Absent) => {}
                Ok(value) => {
                    self.node.attrs_of_mut(attr.part).insert(attr.name.to_string(), value);
                }
                Err(error) => {
                    let (op, name) = (self.def.name.to_string(), attr.name.to_string());
                    self.error.get_or_insert(BindError::Value { op, name, error });
                }
            }
        }
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
