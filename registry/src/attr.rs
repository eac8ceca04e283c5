//! The types that an attribute's field may have, and how their values are saved.

use std::borrow::Cow;

use oplock_model::{AttrType, Complex128, Func, Scalar, ScalarType, Shape, SparseTensor, Tensor, Value, ValueError};

use crate::Var;

/// A type whose values are saved as an attribute.
///
/// Implement it for a type of your own and say so at the field, `#[attr(as = "[i64]")] pads: PadSpec`. For an enum
/// that is saved as text, `oplock::attr_enum!` implements it.
///
/// ```
/// use oplock::{AttrType, AttrValue, ScalarType, Value, ValueError};
///
/// #[derive(Clone, Debug, PartialEq)]
/// pub struct Pads(pub Vec<(usize, usize)>);
///
/// impl AttrValue for Pads {
///     const TYPE: AttrType = AttrType::list(ScalarType::Size);
///
///     fn to_value(&self) -> Result<Value, ValueError> {
///         self.0.iter().flat_map(|(low, high)| [*low, *high]).collect::<Vec<usize>>().to_value()
///     }
///
///     fn from_value(value: &Value) -> Result<Self, ValueError> {
///         let flat = Vec::<usize>::from_value(value)?;
///         Ok(Pads(flat.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved as an attribute",
    label = "does not implement `AttrValue`",
    note = "for an enum that is saved as text: `oplock::attr_enum!({Self} {{ Variant = \"text\", … }});`",
    note = "for any other type: `impl oplock::AttrValue for {Self}`"
)]
pub trait AttrValue: Sized {
    /// The type in which a value is saved.
    const TYPE: AttrType;

    /// The values of an enumeration that is saved as text; empty for any other type.
    const VALUES: &'static [&'static str] = &[];

    /// The value as it is saved, of type [`AttrValue::TYPE`].
    ///
    /// # Errors
    ///
    /// When the value cannot be saved in that type.
    fn to_value(&self) -> Result<Value, ValueError>;

    /// The value that was saved.
    ///
    /// # Errors
    ///
    /// When it is not of type [`AttrValue::TYPE`], or none of this type's values.
    fn from_value(value: &Value) -> Result<Self, ValueError>;
}

/// The name of an element type, such as `float32`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DType(pub Cow<'static, str>);

/// A sub-graph, by its index among the blocks of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(pub u32);

/// A whole type as text, such as `seq(f32)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeProto(pub Cow<'static, str>);

pub(crate) fn mismatch(expected: AttrType, found: &Value) -> ValueError {
    ValueError { expected, found: found.describe() }
}

macro_rules! plain {
    ($($type:ty => $variant:ident, $scalar:ident;)*) => {$(
        impl AttrValue for $type {
            const TYPE: AttrType = AttrType::of(ScalarType::$scalar);

            fn to_value(&self) -> Result<Value, ValueError> {
                Ok(Value::$variant(self.clone()))
            }

            fn from_value(value: &Value) -> Result<Self, ValueError> {
                match value {
                    Value::$variant(x) => Ok(x.clone()),
                    other => Err(mismatch(Self::TYPE, other)),
                }
            }
        }
    )*};
}

plain! {
    bool => Bool, Bool;
    i32 => I32, I32;
    i64 => I64, I64;
    u32 => U32, U32;
    u64 => U64, U64;
    f32 => F32, F32;
    f64 => F64, F64;
    Cow<'static, str> => String, String;
    Scalar => Scalar, Scalar;
    Complex128 => Complex128, Complex128;
    Shape => Shape, Shape;
}

macro_rules! converted {
    ($($type:ty => $variant:ident, $scalar:ident, $x:ident, $to:expr, $from:expr;)*) => {$(
        impl AttrValue for $type {
            const TYPE: AttrType = AttrType::of(ScalarType::$scalar);

            fn to_value(&self) -> Result<Value, ValueError> {
                let $x = self;
                Ok(Value::$variant($to))
            }

            fn from_value(value: &Value) -> Result<Self, ValueError> {
                match value {
                    Value::$variant($x) => Ok($from),
                    other => Err(mismatch(Self::TYPE, other)),
                }
            }
        }
    )*};
}

converted! {
    String => String, String, x, Cow::Owned(x.clone()), x.to_string();
    DType => DType, DType, x, x.0.clone(), DType(x.clone());
    Var => Var, Var, x, Cow::Owned(x.0.clone()), Var(x.to_string());
    Block => Block, Block, x, x.0, Block(*x);
    Vec<u8> => Bytes, Bytes, x, Cow::Owned(x.clone()), x.to_vec();
    TypeProto => TypeProto, TypeProto, x, x.0.clone(), TypeProto(x.clone());
}

macro_rules! boxed {
    ($($type:ident)*) => {$(
        /// Checked where it is saved.
        impl AttrValue for $type {
            const TYPE: AttrType = AttrType::of(ScalarType::$type);

            fn to_value(&self) -> Result<Value, ValueError> {
                self.check().map_err(|found| ValueError { expected: Self::TYPE, found })?;
                Ok(Value::$type(Box::new(self.clone())))
            }

            fn from_value(value: &Value) -> Result<Self, ValueError> {
                match value {
                    Value::$type(x) => Ok($type::clone(x)),
                    other => Err(mismatch(Self::TYPE, other)),
                }
            }
        }
    )*};
}

boxed!(Tensor SparseTensor Func);

macro_rules! sized {
    ($($type:ty => $scalar:ident),*) => {$(
        /// Saved as `i64`, checked both ways.
        impl AttrValue for $type {
            const TYPE: AttrType = AttrType::of(ScalarType::$scalar);

            fn to_value(&self) -> Result<Value, ValueError> {
                let found = || ValueError { expected: Self::TYPE, found: format!("{self}, which is too large") };
                Ok(Value::I64(i64::try_from(*self).map_err(|_| found())?))
            }

            fn from_value(value: &Value) -> Result<Self, ValueError> {
                match value {
                    Value::I64(x) => {
                        let found = format!("{x}, which does not fit `{}`", stringify!($type));
                        <$type>::try_from(*x).map_err(|_| ValueError { expected: Self::TYPE, found })
                    }
                    other => Err(mismatch(Self::TYPE, other)),
                }
            }
        }
    )*};
}

sized!(usize => Size, isize => I64);

/// Absent is a value of its own.
impl<T: AttrValue> AttrValue for Option<T> {
    const TYPE: AttrType = T::TYPE.optional();
    const VALUES: &'static [&'static str] = T::VALUES;

    fn to_value(&self) -> Result<Value, ValueError> {
        self.as_ref().map_or(Ok(Value::Absent), AttrValue::to_value)
    }

    fn from_value(value: &Value) -> Result<Self, ValueError> {
        match value {
            Value::Absent => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: AttrValue> AttrValue for Vec<T> {
    const TYPE: AttrType = AttrType::list_of(T::TYPE, None);
    const VALUES: &'static [&'static str] = T::VALUES;

    fn to_value(&self) -> Result<Value, ValueError> {
        self.iter().map(AttrValue::to_value).collect::<Result<Vec<_>, _>>().map(Value::list)
    }

    fn from_value(value: &Value) -> Result<Self, ValueError> {
        match value {
            Value::List(items) => items.iter().map(T::from_value).collect(),
            other => Err(mismatch(Self::TYPE, other)),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the cast back shows that nothing was lost")]
const fn length(length: usize) -> u32 {
    assert!(length as u32 as usize == length, "an attribute's array is too long");
    length as u32
}

impl<T: AttrValue, const N: usize> AttrValue for [T; N] {
    const TYPE: AttrType = AttrType::list_of(T::TYPE, Some(length(N)));
    const VALUES: &'static [&'static str] = T::VALUES;

    fn to_value(&self) -> Result<Value, ValueError> {
        self.iter().map(AttrValue::to_value).collect::<Result<Vec<_>, _>>().map(Value::list)
    }

    fn from_value(value: &Value) -> Result<Self, ValueError> {
        let items = Vec::<T>::from_value(value)?;
        let length = items.len();
        let found = format!("a list of {length} where the program holds {N}");
        items.try_into().map_err(|_| ValueError { expected: Self::TYPE, found })
    }
}
