//! What a field's type says: how often an operand may be there, and in which type an attribute is saved.
//!
//! A macro sees names and not types, so a type is known by the last segment of its path.

use oplock_core::{AttrType, ScalarType};
use quote::ToTokens as _;
use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, Type};

use crate::tokens::unwrap_groups;

/// `T`, `Option<T>` or `Vec<T>`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldShape {
    One,
    Option,
    Vec,
}

impl FieldShape {
    /// A field of that shape, for a message.
    pub(crate) fn of(self, inner: &Type) -> String {
        let inner = source(inner);
        match self {
            FieldShape::One => inner,
            FieldShape::Option => format!("Option<{inner}>"),
            FieldShape::Vec => format!("Vec<{inner}>"),
        }
    }
}

/// The shape of an operand's field, and whether the type inside it is named `Var`.
pub(crate) fn shape(ty: &Type) -> (FieldShape, bool) {
    let (shape, inner) = match (generic(ty, "Option"), generic(ty, "Vec")) {
        (Some(inner), _) => (FieldShape::Option, inner),
        (_, Some(inner)) => (FieldShape::Vec, inner),
        _ => (FieldShape::One, ty),
    };
    (shape, last_segment(inner).is_some_and(|(name, _)| name == "Var"))
}

/// The type in which a field is saved, if its name says so; else what to tell the author.
pub(crate) fn attr_type(ty: &Type) -> Result<AttrType, String> {
    match generic(ty, "Option") {
        Some(inner) if generic(inner, "Option").is_some() => {
            Err("an optional attribute is optional once: `Option<…>` around `Option<…>` cannot be saved".to_owned())
        }
        Some(inner) => listed(inner).map(AttrType::optional),
        None => listed(ty),
    }
}

fn listed(ty: &Type) -> Result<AttrType, String> {
    let ty = unwrap_groups(ty);
    if let Some(inner) = generic(ty, "Vec") {
        if last_segment(inner).is_some_and(|(name, _)| name == "u8") {
            return Ok(AttrType::of(ScalarType::Bytes));
        }
        return list_of(inner, None);
    }
    if let Type::Array(array) = ty {
        let Some(length) = array_length(&array.len) else {
            let element = list_of(&array.elem, None)?.element().unwrap_or(AttrType::of(ScalarType::I64));
            return Err(format!(
                "how long is this list? Its length is saved with it, and a macro cannot read a constant\n  \
                 help: say the number in the saved type, which is held against the field's: `#[attr(as = \"[{element}; 2]\")]`"
            ));
        };
        return list_of(&array.elem, Some(length));
    }
    let Some((name, _)) = last_segment(ty) else {
        return Err(format!("{} cannot be saved as an attribute\n{KNOWN}", describe(ty)));
    };
    Ok(AttrType::of(match name.as_str() {
        "bool" => ScalarType::Bool,
        "i32" => ScalarType::I32,
        "i64" | "isize" => ScalarType::I64,
        "usize" => ScalarType::Size,
        "u32" => ScalarType::U32,
        "u64" => ScalarType::U64,
        "f32" => ScalarType::F32,
        "f64" => ScalarType::F64,
        "String" | "Cow" => ScalarType::String,
        "DType" => ScalarType::DType,
        "Block" => ScalarType::Block,
        "Var" => ScalarType::Var,
        "Scalar" => ScalarType::Scalar,
        "Complex128" => ScalarType::Complex128,
        "Shape" => ScalarType::Shape,
        "Tensor" => ScalarType::Tensor,
        "SparseTensor" => ScalarType::SparseTensor,
        "Func" => ScalarType::Func,
        "TypeProto" => ScalarType::TypeProto,
        "Option" => return Err("the elements of a list cannot be optional".to_owned()),
        "i8" | "i16" => return Err(format!("`{name}` is not an attribute type: use `i32`\n{KNOWN}")),
        "u8" | "u16" => return Err(format!("`{name}` is not an attribute type: use `u32`\n{KNOWN}")),
        "i128" | "u128" => return Err(format!("`{name}` is not an attribute type\n{KNOWN}")),
        "char" => return Err(format!("`char` is not an attribute type: use `String`\n{KNOWN}")),
        other => {
            return Err(format!(
                "how is a `{other}` saved?\n  \
                 help: implement `AttrValue` for it and say its saved type, `#[attr(as = \"[i64]\")]`; for an enum list its \
                 values, `#[attr(values = [\"…\", \"…\"])]`\n  \
                 help: if it comes from another crate, wrap it in a type of your own first\n  \
                 help: if it is never saved: `#[skip]`\n{KNOWN}"
            ));
        }
    }))
}

const KNOWN: &str = "  types: bool, i32, i64, u32, u64, f32, f64, usize, isize, String, Vec<u8>, DType, Block, Var, Scalar, \
                     Complex128, Shape, Tensor, SparseTensor, Func, TypeProto, lists of these up to two deep, and Option<…> of all these";

fn list_of(inner: &Type, length: Option<u32>) -> Result<AttrType, String> {
    let element = listed(inner)?;
    if element.depth >= AttrType::MAX_DEPTH {
        return Err("lists of an attribute nest at most two deep".to_owned());
    }
    Ok(AttrType::list_of(element, length))
}

fn describe(ty: &Type) -> &'static str {
    match ty {
        Type::Reference(_) => "a reference (what is saved is owned, such as `String`)",
        Type::Tuple(_) => "a tuple",
        Type::Ptr(_) => "a pointer",
        Type::FnPtr(_) => "a function",
        Type::Slice(_) => "a slice (use `Vec`)",
        _ => "this type",
    }
}

/// The argument of a type that is named so and takes one type.
pub(crate) fn generic<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    match last_segment(ty) {
        Some((found, PathArguments::AngleBracketed(arguments))) if found == name && arguments.args.len() == 1 => {
            match arguments.args.first() {
                Some(GenericArgument::Type(inner)) => Some(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether that is the name of the type.
fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|(found, _)| found == name)
}

/// Names that types of other crates have as well.
const COMMON_NAMES: [&str; 11] =
    ["DType", "Block", "Var", "Scalar", "Cow", "Complex128", "Shape", "Tensor", "SparseTensor", "Func", "TypeProto"];

/// Whether the innermost type has a name that types of other crates have as well, so that it may not be the one that
/// the name stands for here.
pub(crate) fn is_common_name(ty: &Type) -> bool {
    let ty = unwrap_groups(ty);
    let inner = generic(ty, "Option").or_else(|| generic(ty, "Vec")).or(match ty {
        Type::Array(array) => Some(&*array.elem),
        _ => None,
    });
    match inner {
        Some(inner) => is_common_name(inner),
        None => COMMON_NAMES.iter().any(|name| is_named(ty, name)),
    }
}

/// The type that a name which [`attr_type`] knows stands for, as a path through the library: an alias of that name is then
/// an error of the compiler, since what is saved would be of another type than what the lock says.
pub(crate) fn meant_type(ty: &Type) -> Option<String> {
    let ty = unwrap_groups(ty);
    if let Some(inner) = generic(ty, "Option") {
        return meant_type(inner).map(|inner| format!("__rt::Option<{inner}>"));
    }
    if let Some(inner) = generic(ty, "Vec") {
        return meant_type(inner).map(|inner| format!("__rt::Vec<{inner}>"));
    }
    if let Type::Array(array) = ty {
        return meant_type(&array.elem).map(|inner| format!("[{inner}; _]"));
    }
    match last_segment(ty)?.0.as_str() {
        "String" => Some("__rt::String".to_owned()),
        name @ ("bool" | "u8" | "i32" | "i64" | "usize" | "isize" | "u32" | "u64" | "f32" | "f64") => {
            Some(format!("__rt::primitive::{name}"))
        }
        _ => None, // held against its `AttrValue::TYPE`
    }
}

/// The length of an array, where it is written as a number.
fn array_length(length: &Expr) -> Option<u32> {
    match length {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// A type as its author wrote it, for a message.
pub(crate) fn source(ty: &Type) -> String {
    let text = unwrap_groups(ty).to_token_stream().to_string();
    text.replace(" < ", "<")
        .replace(" > ", ">")
        .replace(" >", ">")
        .replace(" :: ", "::")
        .replace(" ,", ",")
        .replace("< ", "<")
}

fn last_segment(ty: &Type) -> Option<(String, &PathArguments)> {
    match unwrap_groups(ty) {
        Type::Path(path) if path.qself.is_none() => {
            path.path.segments.last().map(|segment| (segment.ident.to_string(), &segment.arguments))
        }
        _ => None,
    }
}
