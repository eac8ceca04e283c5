//! Of which element types operands are, and what operators promise of their behaviour.

use std::fmt;

use super::{List, Str};

/// A name that stands for the element type of several operands of one operator.
///
/// It is inferred from them and not saved with a node (ONNX's type constraint), so its name promises nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeVar {
    /// The name, by which operands refer to it.
    pub name: Str,
    /// The types for which it may stand, sorted; empty where it may for any.
    pub allowed: List<Str>,
}

/// The element type of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// That type.
    Fixed(Str),
    /// The type for which a name stands: a [`TypeVar`] of the operator, or an attribute of type `dtype`; one of type
    /// `[dtype]` has a type for each variable (TensorFlow's `type_list_attr`).
    Var(Str),
}

impl ElementType {
    /// The name of the type, or that which stands for it.
    pub fn name(&self) -> &Str {
        match self {
            ElementType::Fixed(name) | ElementType::Var(name) => name,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The element types by their own names; a text that is none of them is a type of whoever declares it.
///
/// Composed types are written with these: `seq(f32)`, `map(i64, f32)`, `optional(seq(f32))`, `sparse(f32)`.
pub const ELEMENT_TYPES: [&str; 34] = [
    "bool",
    "i2",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "u2",
    "u4",
    "u8",
    "u16",
    "u32",
    "u64",
    "f4e2m1",
    "f8e4m3b11",
    "f8e4m3fn",
    "f8e4m3fnuz",
    "f8e5m2",
    "f8e5m2fnuz",
    "f8e8m0",
    "f16",
    "bf16",
    "f32",
    "f64",
    "complex64",
    "complex128",
    "string",
    "resource",
    "variant",
    "qint8",
    "quint8",
    "qint16",
    "quint16",
    "qint32",
];

/// Whether a text can be the name of a type, or stand for one: it has no control characters, and is not empty.
pub fn is_element_type(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_control)
}

/// What an operator promises of its behaviour beside what it computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// It has an effect or a state: two equal nodes are not one, and none may be left out.
    pub stateful: bool,
    /// Its operands may be swapped.
    pub commutative: bool,
    /// It sums up any number of equal operands, whose order and grouping mean nothing.
    pub aggregate: bool,
    /// It speaks with other processes, which must reach it too (TensorFlow's `is_distributed_communication`).
    pub communication: bool,
    /// It takes variables that hold nothing yet (TensorFlow's `allows_uninitialized_input`).
    pub uninitialized: bool,
}

impl Flags {
    /// The names by which the macro, the lock and reports call them.
    pub const NAMES: [&str; 5] = ["stateful", "commutative", "aggregate", "communication", "uninitialized"];

    /// Each with its name.
    pub fn each(self) -> [(&'static str, bool); 5] {
        let Flags { stateful, commutative, aggregate, communication, uninitialized } = self;
        let [a, b, c, d, e] = Self::NAMES;
        [(a, stateful), (b, commutative), (c, aggregate), (d, communication), (e, uninitialized)]
    }

    /// The flag of that name.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "stateful" => Some(&mut self.stateful),
            "commutative" => Some(&mut self.commutative),
            "aggregate" => Some(&mut self.aggregate),
            "communication" => Some(&mut self.communication),
            "uninitialized" => Some(&mut self.uninitialized),
            _ => None,
        }
    }
}
