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
pub use crate::checks::{check_attr, has_none_of, promised, replaced};
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
