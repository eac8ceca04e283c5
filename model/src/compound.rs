//! Values of several parts: complex numbers, shapes, tensors, functions.

use std::fmt;
use std::str::FromStr;

use super::value::{bits64, write_hex, write_toml_key, write_toml_string};
use super::{AttrType, Map, Str, Value};

/// A complex number of two binary64 parts, which are compared bit for bit, as [`Value`]s are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Complex128 {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl PartialEq for Complex128 {
    fn eq(&self, other: &Self) -> bool {
        (bits64(self.re), bits64(self.im)) == (bits64(other.re), bits64(other.im))
    }
}

impl Eq for Complex128 {}

/// `{ re = 1.0, im = -0.5 }`, as the lock has it.
impl fmt::Display for Complex128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{ re = {}, im = {} }}", Value::F64(self.re), Value::F64(self.im))
    }
}

/// The shape of a tensor as far as it is known: nothing of it, or its rank and some of its sizes.
///
/// Written `[1, _, 3]`, where `_` is a size that is not known, and `_` where not even the rank is.
///
/// ```
/// use oplock_model::Shape;
///
/// let shape: Shape = "[1, _, 3]".parse().unwrap();
/// assert_eq!(shape, Shape::of([Some(1), None, Some(3)]));
/// assert_eq!(shape.to_string(), "[1, _, 3]");
/// assert_eq!("_".parse(), Ok(Shape::default()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The size of each dimension, `None` where it is not known; all `None` where the rank is not known.
    pub dims: Option<Vec<Option<u64>>>,
}

impl Shape {
    /// A shape of known rank.
    pub fn of(dims: impl IntoIterator<Item = Option<u64>>) -> Self {
        Shape { dims: Some(dims.into_iter().collect()) }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = &self.dims else { return f.write_str("_") };
        f.write_str("[")?;
        for (i, dim) in dims.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            match dim {
                Some(size) => write!(f, "{size}")?,
                None => f.write_str("_")?,
            }
        }
        f.write_str("]")
    }
}

/// A text that is no shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseShapeError {
    /// The text.
    pub text: String,
}

impl fmt::Display for ParseShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is no shape: write its sizes, `[1, _, 3]`, with `_` for one that is not known, or `_` alone",
            self.text
        )
    }
}

impl std::error::Error for ParseShapeError {}

impl FromStr for Shape {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let error = || ParseShapeError { text: text.to_owned() };
        if text == "_" {
            return Ok(Shape::default());
        }
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(error)?;
        if inner.trim().is_empty() {
            return Ok(Shape::of([]));
        }
        let dims = inner.split(',').map(|dim| match dim.trim() {
            "_" => Ok(None),
            digits if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse().map(Some).map_err(|_| error())
            }
            _ => Err(error()),
        });
        dims.collect::<Result<Vec<_>, _>>().map(Shape::of)
    }
}

/// A tensor: the type of its elements, its sizes and its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// The name of the element type, such as `f32`.
    pub ty: Str,
    /// The size of each dimension.
    pub dims: Vec<u64>,
    /// The elements, the last dimension varying fastest.
    pub data: TensorData,
}

/// The elements of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TensorData {
    /// Numbers, each in little-endian order; two of the types `i4` and `u4` share a byte, the first in its lower half.
    Raw(Vec<u8>),
    /// The elements of a tensor of type `string`.
    Strings(Vec<Vec<u8>>),
}

/// How many bits an element takes; `None` of a type that is not known here, or that is no number.
fn element_bits(ty: &str) -> Option<u64> {
    Some(match ty {
        "i4" | "u4" => 4,
        "bool" | "i8" | "u8" | "qint8" | "quint8" => 8,
        "i16" | "u16" | "f16" | "bf16" | "qint16" | "quint16" => 16,
        "i32" | "u32" | "f32" | "qint32" => 32,
        "i64" | "u64" | "f64" | "complex64" => 64,
        "complex128" => 128,
        _ if ty.starts_with("f8") => 8,
        _ => return None,
    })
}

impl Tensor {
    /// Checks that there are as many elements as the sizes say, where the type is one whose elements have a known size.
    ///
    /// # Errors
    ///
    /// What does not agree, for a message that says where.
    pub fn check(&self) -> Result<(), String> {
        let Tensor { ty, dims, data } = self;
        let count = dims.iter().try_fold(1_u64, |count, size| count.checked_mul(*size));
        let Some(count) = count.filter(|_| u8::try_from(dims.len()).is_ok()) else {
            return Err("a tensor of more elements than can be counted".to_owned());
        };
        let of =
            |found: usize, what: &str| format!("a tensor of {count} elements of type `{ty}` that has {found} {what}");
        match data {
            TensorData::Strings(items) if ty != "string" => Err(of(items.len(), "texts")),
            TensorData::Strings(items) if u64::try_from(items.len()) != Ok(count) => Err(of(items.len(), "texts")),
            TensorData::Raw(bytes) if ty == "string" => Err(of(bytes.len(), "bytes")),
            TensorData::Raw(bytes) => match element_bits(ty) {
                Some(bits)
                    if count.checked_mul(bits).map(|bits| bits.div_ceil(8)) != u64::try_from(bytes.len()).ok() =>
                {
                    Err(of(bytes.len(), "bytes"))
                }
                _ => Ok(()),
            },
            TensorData::Strings(_) => Ok(()),
        }
    }
}

/// `{ dtype = "f32", dims = [1], bytes = "0000803f" }`, as the lock has it.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ dtype = ")?;
        write_toml_string(f, &self.ty)?;
        write!(f, ", dims = {:?}, bytes = ", self.dims)?;
        match &self.data {
            TensorData::Raw(bytes) => write_hex(f, bytes)?,
            TensorData::Strings(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    write_hex(f, item)?;
                }
                f.write_str("]")?;
            }
        }
        f.write_str(" }")
    }
}

/// A sparse tensor: the values that are there, and where each is (ONNX's `SparseTensorProto`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseTensor {
    /// The sizes of the whole.
    pub dims: Vec<u64>,
    /// Where each value is: one number each, or one for each dimension.
    pub indices: Tensor,
    /// The values.
    pub values: Tensor,
}

impl SparseTensor {
    /// Checks its tensors, and that there is a place for each value.
    ///
    /// # Errors
    ///
    /// What does not agree, for a message that says where.
    pub fn check(&self) -> Result<(), String> {
        self.indices.check()?;
        self.values.check()?;
        let [count] = self.values.dims.as_slice() else {
            return Err(format!("a sparse tensor whose values have {} dimensions", self.values.dims.len()));
        };
        match self.indices.dims.as_slice() {
            [places] if places == count => Ok(()),
            [places, rank] if places == count && usize::try_from(*rank) == Ok(self.dims.len()) => Ok(()),
            dims => Err(format!("a sparse tensor of {count} values with indices of the sizes {dims:?}")),
        }
    }
}

/// `{ dims = [4], indices = { … }, values = { … } }`, as the lock has it.
impl fmt::Display for SparseTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{ dims = {:?}, indices = {}, values = {} }}", self.dims, self.indices, self.values)
    }
}

/// A function by its name, with the values of its own attributes (TensorFlow's `NameAttrList`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Func {
    /// The name of the function.
    pub name: Str,
    /// The values with which it is meant. Each is of a type that the function knows, so any but a variable, a sub-graph or absence.
    pub attrs: Map<String, Value>,
}

impl Func {
    /// How deep functions may stand in the attributes of one another.
    pub const MAX_DEPTH: u8 = 4;

    /// A function without attributes.
    pub fn new(name: impl Into<Str>) -> Self {
        Func { name: name.into(), attrs: Map::new() }
    }

    /// Checks that each attribute is a value that means the same in any graph, and not too deep.
    ///
    /// # Errors
    ///
    /// Which attribute is not, for a message that says where.
    pub fn check(&self) -> Result<(), String> {
        self.check_within(Self::MAX_DEPTH)
    }

    fn check_within(&self, depth: u8) -> Result<(), String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(format!("functions are more than {} deep within each other", Self::MAX_DEPTH));
        };
        self.attrs.iter().try_for_each(|(name, value)| {
            if name.is_empty() {
                return Err(format!("function `{}` has an attribute without a name", self.name));
            }
            check_constant(value, depth, AttrType::MAX_DEPTH)
                .map_err(|what| format!("`{name}` of function `{}`: {what}", self.name))
        })
    }
}

fn check_constant(value: &Value, funcs: u8, lists: u8) -> Result<(), String> {
    match value {
        Value::Absent | Value::Block(_) | Value::Var(_) => Err(format!("{} cannot stand there", value.describe())),
        Value::List(items) => match lists.checked_sub(1) {
            Some(lists) => items.iter().try_for_each(|item| check_constant(item, funcs, lists)),
            None => Err(format!("lists are more than {} deep within each other", AttrType::MAX_DEPTH)),
        },
        Value::Func(func) => func.check_within(funcs),
        value => value.check(),
    }
}

/// `{ name = "relu", attrs = { T = { dtype = "f32" } } }`, as the lock has it.
impl fmt::Display for Func {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ name = ")?;
        write_toml_string(f, &self.name)?;
        if !self.attrs.is_empty() {
            f.write_str(", attrs = {")?;
            for (i, (name, value)) in self.attrs.iter().enumerate() {
                f.write_str(if i > 0 { ", " } else { " " })?;
                write_toml_key(f, name)?;
                write!(f, " = {}", Typed(value))?;
            }
            f.write_str(" }")?;
        }
        f.write_str(" }")
    }
}

/// A value with the name of its type, `{ f32 = 0.5 }`, where nothing else says it; a list is one of such.
struct Typed<'a>(&'a Value);

impl fmt::Display for Typed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { ", " } else { "" }, Typed(item))?;
                }
                f.write_str("]")
            }
            value => {
                let name = value.scalar_type().map_or("absent", super::ScalarType::name);
                write!(f, "{{ {name} = {value} }}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(ty: &'static str, dims: &[u64], bytes: usize) -> Tensor {
        Tensor { ty: ty.into(), dims: dims.to_vec(), data: TensorData::Raw(vec![0; bytes]) }
    }

    #[test]
    fn shapes_read_back_and_others_are_refused() {
        for text in ["_", "[]", "[_]", "[0]", "[1, _, 3]", "[18446744073709551615]"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        assert_eq!("[ 1,_ ]".parse(), Ok(Shape::of([Some(1), None])));
        for text in [
            "",
            "?",
            "1",
            "[1",
            "1]",
            "[-1]",
            "[+1]",
            "[1,]",
            "[,]",
            "[1, , 2]",
            "[[1]]",
            "[18446744073709551616]",
            "[1;2]",
        ] {
            assert_eq!(text.parse::<Shape>(), Err(ParseShapeError { text: text.to_owned() }));
        }
    }

    #[test]
    fn tensors_have_the_data_of_their_sizes() {
        for (ty, dims, bytes) in
            [("f32", vec![2, 3], 24), ("f32", vec![], 4), ("i4", vec![3], 2), ("f8e4m3fn", vec![3], 3)]
        {
            assert_eq!(tensor(ty, &dims, bytes).check(), Ok(()), "{ty}");
            assert!(tensor(ty, &dims, bytes + 1).check().is_err(), "{ty}");
        }
        // Of a type of someone's own nothing is known.
        assert_eq!(tensor("variant", &[2], 1).check(), Ok(()));
        assert!(tensor("string", &[0], 0).check().is_err());
        assert!(tensor("f32", &[u64::MAX, 2], 0).check().is_err());
        assert!(tensor("f32", &[u64::MAX, 0, 2], 0).check().is_ok());
        assert!(tensor("complex128", &[u64::MAX], 0).check().is_err());
        assert!(tensor("bool", &[1; 256], 1).check().is_err());
        let texts = |ty: &'static str, count| Tensor {
            data: TensorData::Strings(vec![vec![0xff]; count]),
            ..tensor(ty, &[2], 0)
        };
        assert_eq!(texts("string", 2).check(), Ok(()));
        assert!(texts("string", 1).check().is_err() && texts("f32", 2).check().is_err());
        assert_eq!(
            tensor("f32", &[2], 4).check(),
            Err("a tensor of 2 elements of type `f32` that has 4 bytes".to_owned())
        );
    }

    #[test]
    fn sparse_tensors_have_a_place_for_each_value() {
        let sparse = |indices: &[u64], values: &[u64]| {
            let count = |dims: &[u64]| usize::try_from(dims.iter().product::<u64>()).unwrap();
            SparseTensor {
                dims: vec![4, 4],
                indices: tensor("i64", indices, 8 * count(indices)),
                values: tensor("i8", values, count(values)),
            }
        };
        assert_eq!(sparse(&[3], &[3]).check(), Ok(()));
        assert_eq!(sparse(&[3, 2], &[3]).check(), Ok(()));
        for (indices, values) in
            [(&[2][..], &[3][..]), (&[3, 3], &[3]), (&[3], &[3, 1]), (&[], &[]), (&[3, 2, 1], &[3])]
        {
            assert!(sparse(indices, values).check().is_err(), "{indices:?} {values:?}");
        }
    }

    #[test]
    fn functions_hold_constants() {
        let with = |value: Value| Func { attrs: [("a".to_owned(), value)].into(), ..Func::new("f") };
        assert_eq!(with(Value::I64(1)).check(), Ok(()));
        assert_eq!(
            with(Value::list(vec![Value::F32(0.5)])).to_string(),
            "{ name = \"f\", attrs = { a = [{ f32 = 0.5 }] } }"
        );
        for (value, what) in
            [(Value::Absent, "no value"), (Value::Block(1), "`block`"), (Value::Var("x".into()), "`var`")]
        {
            let error = with(Value::list(vec![value])).check().unwrap_err();
            assert!(error.starts_with("`a` of function `f`: ") && error.contains(what), "{error}");
        }
        let (mut func, mut list) = (Func::new("f"), Value::list(vec![]));
        for depth in 1..=5 {
            assert_eq!(func.check().is_ok(), depth <= Func::MAX_DEPTH, "{depth}");
            assert_eq!(with(list.clone()).check().is_ok(), depth <= AttrType::MAX_DEPTH, "{depth}");
            (func, list) = (with(Value::Func(Box::new(func))), Value::list(vec![list]));
        }
        let nameless = Func { attrs: [(String::new(), Value::I64(1))].into(), ..Func::new("f") };
        assert_eq!(nameless.check(), Err("function `f` has an attribute without a name".to_owned()));
        let bad = Tensor { dims: vec![1], ..tensor("f32", &[], 0) };
        assert!(with(Value::Tensor(Box::new(bad))).check().is_err());
    }
}
