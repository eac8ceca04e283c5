//! Of which element types operands are, and what operators promise of their behaviour.

use std::fmt;

use super::{ArgDef, List, OpDef, Part, ScalarType, Str, Value};

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
        [
            ("stateful", self.stateful),
            ("commutative", self.commutative),
            ("aggregate", self.aggregate),
            ("communication", self.communication),
            ("uninitialized", self.uninitialized),
        ]
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

/// What an operand's number of variables must be and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongNumber<'d> {
    /// It has fewer than that.
    TooFew(u32),
    /// It has not as many as the integer attribute says.
    Counted {
        /// The attribute.
        attr: &'d str,
        /// Its value.
        expected: i128,
    },
    /// It has not as many as the attribute has types.
    Typed {
        /// The attribute.
        attr: &'d str,
        /// How many types it has.
        expected: usize,
    },
}

impl fmt::Display for WrongNumber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongNumber::TooFew(least) => write!(f, "at least {least}"),
            WrongNumber::Counted { attr, expected } => write!(f, "{expected}, as attribute `{attr}` says"),
            WrongNumber::Typed { attr, expected } => write!(f, "{expected}, as attribute `{attr}` has types"),
        }
    }
}

impl OpDef {
    /// What is wrong with an operand of the operator that has so many variables; `value` is what a node says of each attribute.
    ///
    /// What may be absent whatever an attribute says (Extra, Quant, intermediate) is not missed.
    pub fn wrong_number<'d, 'v>(
        &'d self,
        arg: &'d ArgDef,
        found: usize,
        value: impl Fn(&str) -> Option<&'v Value>,
    ) -> Option<WrongNumber<'d>> {
        if !arg.duplicable || (found == 0 && (arg.intermediate || arg.part != Part::Def)) {
            return None;
        }
        if let Some(least) = arg.min.filter(|least| found > 0 && u32::try_from(found).is_ok_and(|found| found < *least))
        {
            return Some(WrongNumber::TooFew(least));
        }
        if let Some(attr) = arg.count.as_deref() {
            let expected = match value(attr)? {
                Value::I32(x) => i128::from(*x),
                Value::I64(x) => i128::from(*x),
                Value::U32(x) => i128::from(*x),
                Value::U64(x) => i128::from(*x),
                _ => return None,
            };
            return (i128::try_from(found) != Ok(expected)).then_some(WrongNumber::Counted { attr, expected });
        }
        let Some(ElementType::Var(name)) = &arg.ty else { return None };
        let attr = self.attr(name).filter(|attr| attr.ty.scalar == ScalarType::DType && attr.ty.depth == 1)?;
        match value(name)? {
            Value::List(types) if types.len() != found => {
                Some(WrongNumber::Typed { attr: &attr.name, expected: types.len() })
            }
            _ => None,
        }
    }
}
