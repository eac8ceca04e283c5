//! Attribute values, compared bit for bit.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::name::is_invisible;
use super::{AttrType, Complex128, Func, List, ScalarType, Shape, SparseTensor, Str, Tensor};

/// The value of an attribute, in the attribute's own type.
///
/// Two values are equal when their types and bits are: `1e-5` is `0.00001`, `0.0` is not `-0.0`, and every
/// `NaN` is the same `NaN`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// No value, of an optional type.
    Absent,
    /// Of type `bool`.
    Bool(bool),
    /// Of type `i32`.
    I32(i32),
    /// Of type `i64`.
    I64(i64),
    /// Of type `u32`.
    U32(u32),
    /// Of type `u64`.
    U64(u64),
    /// Of type `f32`.
    F32(f32),
    /// Of type `f64`.
    F64(f64),
    /// Of type `string`.
    String(Str),
    /// Of type `bytes`.
    Bytes(List<u8>),
    /// Of type `dtype`.
    DType(Str),
    /// Of type `block`: the index of the sub-graph.
    Block(u32),
    /// Of type `var`.
    Var(Str),
    /// Of type `scalar`.
    Scalar(Scalar),
    /// Of type `complex128`.
    Complex128(Complex128),
    /// Of type `shape`.
    Shape(Shape),
    /// Of type `tensor`.
    Tensor(Box<Tensor>),
    /// Of type `sparse_tensor`.
    SparseTensor(Box<SparseTensor>),
    /// Of type `func`.
    Func(Box<Func>),
    /// Of type `type_proto`.
    TypeProto(Str),
    /// A list of values of one type.
    List(List<Value>),
}

/// A value of type `scalar`, which carries its own type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Scalar {
    /// A boolean.
    Bool(bool),
    /// A signed 64-bit integer.
    I64(i64),
    /// A binary64 number.
    F64(f64),
    /// A complex number.
    Complex128(Complex128),
}

/// All `NaN`s are one value, since no literal and no text tells them apart.
fn bits32(x: f32) -> u32 {
    if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }
}

pub(super) fn bits64(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
            (Scalar::I64(a), Scalar::I64(b)) => a == b,
            (Scalar::F64(a), Scalar::F64(b)) => bits64(*a) == bits64(*b),
            (Scalar::Complex128(a), Scalar::Complex128(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Scalar {}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Absent, Value::Absent) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::I32(a), Value::I32(b)) => a == b,
            (Value::I64(a), Value::I64(b)) => a == b,
            (Value::U32(a), Value::U32(b)) | (Value::Block(a), Value::Block(b)) => a == b,
            (Value::U64(a), Value::U64(b)) => a == b,
            (Value::F32(a), Value::F32(b)) => bits32(*a) == bits32(*b),
            (Value::F64(a), Value::F64(b)) => bits64(*a) == bits64(*b),
            (Value::String(a), Value::String(b))
            | (Value::DType(a), Value::DType(b))
            | (Value::TypeProto(a), Value::TypeProto(b))
            | (Value::Var(a), Value::Var(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Scalar(a), Value::Scalar(b)) => a == b,
            (Value::Complex128(a), Value::Complex128(b)) => a == b,
            (Value::Shape(a), Value::Shape(b)) => a == b,
            (Value::Tensor(a), Value::Tensor(b)) => a == b,
            (Value::SparseTensor(a), Value::SparseTensor(b)) => a == b,
            (Value::Func(a), Value::Func(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

/// A value that does not fit the type of its attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The type that the attribute has.
    pub expected: AttrType,
    /// What was found instead.
    pub found: String,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a value of type `{}`, found {}", self.expected, self.found)
    }
}

impl std::error::Error for ValueError {}

impl Value {
    /// Whether the value is of that type. A list is when all its elements are, and its length is the type's where that has one.
    pub fn fits(&self, ty: AttrType) -> bool {
        match self {
            Value::Absent => ty.optional,
            Value::List(items) => ty.element().is_some_and(|element| {
                let has_length = ty.length().is_none_or(|length| u32::try_from(items.len()) == Ok(length));
                has_length && items.iter().all(|v| v.fits(element))
            }),
            Value::I64(x) if ty.scalar == ScalarType::Size => ty.depth == 0 && *x >= 0,
            _ => ty.depth == 0 && self.scalar_type() == Some(ty.scalar) && self.check().is_ok(),
        }
    }

    /// Checks what a value's type alone does not say: that a tensor has as much data as its sizes say, and what stands in a
    /// function's attributes. A list is as good as its elements.
    ///
    /// # Errors
    ///
    /// What is wrong, for a message that says where.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Value::Tensor(tensor) => tensor.check(),
            Value::SparseTensor(tensor) => tensor.check(),
            Value::Func(func) => func.check(),
            Value::List(items) => items.iter().try_for_each(Value::check),
            _ => Ok(()),
        }
    }

    pub(super) fn scalar_type(&self) -> Option<ScalarType> {
        Some(match self {
            Value::Absent | Value::List(_) => return None,
            Value::Bool(_) => ScalarType::Bool,
            Value::I32(_) => ScalarType::I32,
            Value::I64(_) => ScalarType::I64,
            Value::U32(_) => ScalarType::U32,
            Value::U64(_) => ScalarType::U64,
            Value::F32(_) => ScalarType::F32,
            Value::F64(_) => ScalarType::F64,
            Value::String(_) => ScalarType::String,
            Value::Bytes(_) => ScalarType::Bytes,
            Value::DType(_) => ScalarType::DType,
            Value::Block(_) => ScalarType::Block,
            Value::Var(_) => ScalarType::Var,
            Value::Scalar(_) => ScalarType::Scalar,
            Value::Complex128(_) => ScalarType::Complex128,
            Value::Shape(_) => ScalarType::Shape,
            Value::Tensor(_) => ScalarType::Tensor,
            Value::SparseTensor(_) => ScalarType::SparseTensor,
            Value::Func(_) => ScalarType::Func,
            Value::TypeProto(_) => ScalarType::TypeProto,
        })
    }

    /// What kind of value this is, for a message: `a list`, or the name of its type.
    pub fn describe(&self) -> String {
        match (self, self.scalar_type()) {
            (Value::Absent, _) => "no value".to_owned(),
            (_, Some(ty)) => format!("a value of type `{}`", ty.name()),
            _ => "a list".to_owned(),
        }
    }

    /// A list of owned values.
    pub fn list(values: Vec<Value>) -> Self {
        Value::List(Cow::Owned(values))
    }
}

/// The text of the lock and of every message: TOML, in which each value of a type reads back as itself.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Absent => f.write_str("absent"),
            Value::Bool(x) | Value::Scalar(Scalar::Bool(x)) => write!(f, "{x}"),
            Value::I32(x) => write!(f, "{x}"),
            Value::I64(x) | Value::Scalar(Scalar::I64(x)) => write!(f, "{x}"),
            Value::U32(x) | Value::Block(x) => write!(f, "{x}"),
            Value::U64(x) => write!(f, "{x}"),
            // `{:?}` is the shortest text that reads back as the same number of that type.
            Value::F32(x) if x.is_nan() => f.write_str("nan"),
            Value::F64(x) if x.is_nan() => f.write_str("nan"),
            Value::F32(x) => write!(f, "{x:?}"),
            Value::F64(x) => write!(f, "{x:?}"),
            Value::String(x) | Value::DType(x) | Value::Var(x) | Value::TypeProto(x) => write_toml_string(f, x),
            Value::Bytes(bytes) => write_hex(f, bytes),
            Value::Scalar(Scalar::F64(x)) => Value::F64(*x).fmt(f),
            Value::Complex128(x) | Value::Scalar(Scalar::Complex128(x)) => x.fmt(f),
            Value::Shape(shape) => write!(f, "\"{shape}\""),
            Value::Tensor(tensor) => tensor.fmt(f),
            Value::SparseTensor(tensor) => tensor.fmt(f),
            Value::Func(func) => func.fmt(f),
            Value::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Writes text as a TOML basic string.
///
/// # Errors
///
/// When the writer fails.
pub fn write_toml_string(f: &mut dyn fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            c if is_invisible(c) => {
                let mut escape = String::new();
                let _ = write!(escape, "\\u{:04X}", u32::from(c));
                f.write_str(&escape)?;
            }
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Writes a key of TOML: bare where that is allowed, else quoted.
///
/// # Errors
///
/// When the writer fails.
pub fn write_toml_key(f: &mut dyn fmt::Write, key: &str) -> fmt::Result {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { f.write_str(key) } else { write_toml_string(f, key) }
}

/// Bytes as quoted hexadecimal digits.
pub(super) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_str("\"")?;
    for byte in bytes {
        write!(f, "{byte:02x}")?;
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_by_bits() {
        assert_eq!(Value::F32(1e-5), Value::F32(0.000_01));
        assert_ne!(Value::F32(0.0), Value::F32(-0.0));
        assert_eq!(Value::F32(f32::NAN), Value::F32(-f32::NAN));
        assert_ne!(Value::F64(0.1), Value::F64(f64::from(0.1_f32)));
        assert_ne!(Value::F32(0.5), Value::F64(0.5));
        assert_eq!(Value::list(vec![Value::F64(f64::NAN)]), Value::list(vec![Value::F64(f64::NAN)]));
        assert_ne!(Value::Scalar(Scalar::I64(0)), Value::Scalar(Scalar::F64(0.0)));
        assert_ne!(Value::Scalar(Scalar::F64(0.0)), Value::Scalar(Scalar::F64(-0.0)));
    }

    /// Every node of a graph holds several values.
    #[test]
    fn values_are_small() {
        assert_eq!(size_of::<Value>(), 32);
    }

    #[test]
    fn texts() {
        let list = Value::list(vec![Value::F32(1e-5), Value::F32(1.0), Value::F32(f32::NEG_INFINITY)]);
        assert_eq!(list.to_string(), "[1e-5, 1.0, -inf]");
        assert_eq!(Value::String("a\"\u{7}\n".into()).to_string(), "\"a\\\"\\u0007\\n\"");
        assert_eq!(Value::String("a\u{202e}b".into()).to_string(), "\"a\\u202Eb\"");
        assert_eq!(Value::Bytes(Cow::Borrowed(&[0, 255])).to_string(), "\"00ff\"");
    }

    #[test]
    fn fitting() {
        let nested = AttrType { depth: 2, ..AttrType::of(ScalarType::I64) };
        let value = Value::list(vec![Value::list(vec![]), Value::list(vec![Value::I64(1)])]);
        assert!(value.fits(nested));
        assert!(!value.fits(AttrType::list(ScalarType::I64)));
        assert!(Value::Absent.fits(nested.optional()));
        assert!(!Value::Absent.fits(nested));
        let of = |text: &str| text.parse::<AttrType>().unwrap();
        let pair = Value::list(vec![Value::I64(0), Value::I64(-1)]);
        for (ty, expected) in [("[i64; 2]", true), ("[i64; 3]", false), ("[usize]", false), ("[[i64; 2]]", false)] {
            assert_eq!(pair.fits(of(ty)), expected, "{ty}");
        }
        let pairs = Value::list(vec![pair.clone(), pair]);
        for (ty, expected) in
            [("[[i64; 2]]", true), ("[[i64]; 2]", true), ("[[i64; 2]; 1]", false), ("[[i64; 1]]", false)]
        {
            assert_eq!(pairs.fits(of(ty)), expected, "{ty}");
        }
        assert!(
            Value::I64(0).fits(of("usize")) && !Value::I64(-1).fits(of("usize")) && !Value::U64(0).fits(of("usize"))
        );
    }
}
