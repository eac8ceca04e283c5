//! The types of attributes.

use std::fmt;
use std::str::FromStr;

/// The type of one element of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ScalarType {
    /// `true` or `false`.
    Bool,
    /// A signed 32-bit integer.
    I32,
    /// A signed 64-bit integer.
    I64,
    /// An unsigned 32-bit integer.
    U32,
    /// An unsigned 64-bit integer.
    U64,
    /// An IEEE 754 binary32 number.
    F32,
    /// An IEEE 754 binary64 number.
    F64,
    /// Text.
    String,
    /// Uninterpreted bytes.
    Bytes,
    /// The name of an element type, such as `float32`.
    DType,
    /// A sub-graph.
    Block,
    /// The name of a variable.
    Var,
    /// A boolean, a 64-bit integer, a binary64 number or a complex one, as the value says.
    Scalar,
    /// A signed 64-bit integer that is never negative: Rust's `usize`.
    Size,
    /// A complex number of two binary64 parts.
    Complex128,
    /// The shape of a tensor, as far as it is known.
    Shape,
    /// A tensor with its data.
    Tensor,
    /// A sparse tensor with its data.
    SparseTensor,
    /// A function by its name, with values of its attributes.
    Func,
    /// A whole type, such as `seq(f32)`, as text (ONNX's `TypeProto`).
    TypeProto,
}

impl ScalarType {
    /// Every element type, in the order in which a message lists them.
    pub const ALL: [ScalarType; 20] = [
        ScalarType::Bool,
        ScalarType::I32,
        ScalarType::I64,
        ScalarType::U32,
        ScalarType::U64,
        ScalarType::F32,
        ScalarType::F64,
        ScalarType::String,
        ScalarType::Bytes,
        ScalarType::DType,
        ScalarType::Block,
        ScalarType::Var,
        ScalarType::Scalar,
        ScalarType::Size,
        ScalarType::Complex128,
        ScalarType::Shape,
        ScalarType::Tensor,
        ScalarType::SparseTensor,
        ScalarType::Func,
        ScalarType::TypeProto,
    ];

    /// The name in a declaration and in the lock.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::U32 => "u32",
            ScalarType::U64 => "u64",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::String => "string",
            ScalarType::Bytes => "bytes",
            ScalarType::DType => "dtype",
            ScalarType::Block => "block",
            ScalarType::Var => "var",
            ScalarType::Scalar => "scalar",
            ScalarType::Size => "usize",
            ScalarType::Complex128 => "complex128",
            ScalarType::Shape => "shape",
            ScalarType::Tensor => "tensor",
            ScalarType::SparseTensor => "sparse_tensor",
            ScalarType::Func => "func",
            ScalarType::TypeProto => "type_proto",
        }
    }
}

/// The type of an attribute: an element type, a list of it up to two deep, and whether it may be absent.
///
/// Written `f32`, `[i32]`, `[[i64]]`, `[i32; 3]` where a list is always of one length, and with a trailing `?` where absent is a
/// value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttrType {
    /// The type of the elements.
    pub scalar: ScalarType,
    /// How many lists are around the element: 0, 1 or 2.
    pub depth: u8,
    /// The length of each of these lists, the outermost first; `None` where a list may be of any.
    pub lengths: [Option<u32>; 2],
    /// Whether absent is a value, and the default.
    pub optional: bool,
}

impl AttrType {
    /// The deepest nesting of lists.
    pub const MAX_DEPTH: u8 = 2;

    /// A single value of that type.
    pub const fn of(scalar: ScalarType) -> Self {
        AttrType { scalar, depth: 0, lengths: [None; 2], optional: false }
    }

    /// A list of that type.
    pub const fn list(scalar: ScalarType) -> Self {
        AttrType { scalar, depth: 1, lengths: [None; 2], optional: false }
    }

    /// A list of values of that type, of any length or of that one.
    ///
    /// # Panics
    ///
    /// When lists would nest more than two deep, or the elements are optional.
    #[must_use]
    pub const fn list_of(element: Self, length: Option<u32>) -> Self {
        assert!(element.depth < Self::MAX_DEPTH, "attribute lists nest at most two deep");
        assert!(!element.optional, "the elements of an attribute list cannot be optional");
        AttrType { depth: element.depth + 1, lengths: [length, element.lengths[0]], ..element }
    }

    /// The same type where absent is a value too.
    #[must_use]
    pub const fn optional(self) -> Self {
        AttrType { optional: true, ..self }
    }

    /// The same type without the `?`.
    #[must_use]
    pub const fn required(self) -> Self {
        AttrType { optional: false, ..self }
    }

    /// The type of a list's elements, `None` where this is not a list.
    pub const fn element(self) -> Option<Self> {
        if self.depth == 0 {
            return None;
        }
        Some(AttrType { depth: self.depth - 1, lengths: [self.lengths[1], None], optional: false, ..self })
    }

    /// The length of the list, where it is always the same.
    pub const fn length(self) -> Option<u32> {
        self.lengths[0]
    }
}

impl fmt::Display for AttrType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.depth {
            f.write_str("[")?;
        }
        f.write_str(self.scalar.name())?;
        for level in (0..usize::from(self.depth)).rev() {
            match self.lengths.get(level).copied().flatten() {
                Some(length) => write!(f, "; {length}]")?,
                None => f.write_str("]")?,
            }
        }
        if self.optional { f.write_str("?") } else { Ok(()) }
    }
}

/// A text that names no attribute type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTypeError {
    /// The text.
    pub text: String,
}

impl fmt::Display for ParseTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an attribute type; the types are ", self.text)?;
        for ty in ScalarType::ALL {
            write!(f, "{}, ", ty.name())?;
        }
        f.write_str("lists of these such as [i32], [[i64]] and [i32; 3], and each with a trailing `?`")
    }
}

impl std::error::Error for ParseTypeError {}

impl FromStr for AttrType {
    type Err = ParseTypeError;

    fn from_str(text: &str) -> Result<Self, ParseTypeError> {
        let error = || ParseTypeError { text: text.to_owned() };
        let (mut inner, optional) = match text.strip_suffix('?') {
            Some(inner) => (inner, true),
            None => (text, false),
        };
        let mut depth = 0;
        let mut lengths = [None; 2];
        while let Some(rest) = inner.strip_prefix('[').filter(|_| depth < Self::MAX_DEPTH) {
            inner = rest.strip_suffix(']').ok_or_else(error)?;
            // Behind a `;` of this list, and not of the one inside it, stands nothing but a number.
            let fixed = inner.rsplit_once(';').filter(|(_, length)| !length.contains(']'));
            if let Some((element, length)) = fixed {
                let length = length.trim_start();
                let is_number =
                    length == "0" || (length.bytes().all(|b| b.is_ascii_digit()) && !length.starts_with('0'));
                lengths[usize::from(depth)] = Some(length.parse().ok().filter(|_| is_number).ok_or_else(error)?);
                inner = element;
            }
            depth += 1;
        }
        let scalar = ScalarType::ALL.into_iter().find(|ty| ty.name() == inner).ok_or_else(error)?;
        Ok(AttrType { scalar, depth, lengths, optional })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_reads_back_as_written() {
        for scalar in ScalarType::ALL {
            for depth in 0..=AttrType::MAX_DEPTH {
                for (optional, fixed) in [(false, 0), (true, 1), (false, 2), (true, 3)] {
                    let length =
                        |level: u8| (level < depth && fixed >> level & 1 == 1).then_some(u32::from(level) * 10);
                    let ty = AttrType { scalar, depth, lengths: [length(0), length(1)], optional };
                    assert_eq!(ty.to_string().parse(), Ok(ty), "{ty}");
                }
            }
        }
    }

    #[test]
    fn lists_of_one_length() {
        let of = |text: &str| text.parse::<AttrType>().unwrap();
        let element = of("[i64; 2]");
        assert_eq!(AttrType::list_of(element, Some(3)), of("[[i64; 2]; 3]"));
        assert_eq!(AttrType::list_of(element, None), of("[[i64;2]]"));
        assert_eq!((of("[[i64; 2]; 3]").length(), of("[[i64; 2]; 3]").element()), (Some(3), Some(element)));
        assert_eq!((element.length(), element.element()), (Some(2), Some(AttrType::of(ScalarType::I64))));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["[i32; ]", "[i32; -1]", "[i32; 03]", "[i32; 4294967296]", "[; 3]", "[i32; 3", "i32; 3", "[i32; 3; 3]"]
        {
            assert_eq!(text.parse::<AttrType>(), Err(ParseTypeError { text: text.to_owned() }));
        }
        for text in ["", "?", "[", "[i32", "i32]", "[[[i32]]]", "[i32?]", "int", "I32", "i32??"] {
            assert_eq!(text.parse::<AttrType>(), Err(ParseTypeError { text: text.to_owned() }));
        }
        for depth in [3, 255, 256, 258] {
            assert!(format!("{}i32{}", "[".repeat(depth), "]".repeat(depth)).parse::<AttrType>().is_err());
        }
    }
}
