//! What a field's type says: how often an operand may be there, and in which type an attribute is saved.
//!
//! A macro sees names and not types, so a type is known by the last segment of its path.

use oplock_core::{AttrType, ScalarType};
use syn::{GenericArgument, PathArguments, Type};

use crate::tokens::unwrap_groups;

/// `T`, `Option<T>` or `Vec<T>`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldShape {
    One,
    Option,
    Vec,
}

impl FieldShape {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            FieldShape::One => "T",
            FieldShape::Option => "Option<T>",
            FieldShape::Vec => "Vec<T>",
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
        return list_of(inner);
    }
    if let Type::Array(array) = ty {
        return list_of(&array.elem);
    }
    let Some((name, _)) = last_segment(ty) else {
        return Err(format!("{} cannot be saved as an attribute: {KNOWN}", describe(ty)));
    };
    Ok(AttrType::of(match name.as_str() {
        "bool" => ScalarType::Bool,
        "i32" => ScalarType::I32,
        "i64" | "usize" | "isize" => ScalarType::I64,
        "u32" => ScalarType::U32,
        "u64" => ScalarType::U64,
        "f32" => ScalarType::F32,
        "f64" => ScalarType::F64,
        "String" | "Cow" => ScalarType::String,
        "DType" => ScalarType::DType,
        "Block" => ScalarType::Block,
        "Var" => ScalarType::Var,
        "Scalar" => ScalarType::Scalar,
        "Option" => return Err("the elements of a list cannot be optional".to_owned()),
        "i8" | "i16" | "u8" | "u16" => {
            return Err(format!("`{name}` is not an attribute type: use `i32` or `u32`. {KNOWN}"));
        }
        "i128" | "u128" => return Err(format!("`{name}` is not an attribute type. {KNOWN}")),
        other => return Err(format!("how is `{other}` saved? {KNOWN}")),
    }))
}

const KNOWN: &str = "Attribute types are bool, i32, i64, u32, u64, f32, f64, usize, isize, String, Vec<u8>, DType, Block, \
                     Var, Scalar, lists of these up to two deep, and Option<…>; for a type of your own that implements \
                     `AttrValue` say how it is saved: `#[attr(as = \"[i64]\")]`, or `values = [\"…\"]` for an enum";

fn list_of(inner: &Type) -> Result<AttrType, String> {
    let element = listed(inner)?;
    if element.depth >= AttrType::MAX_DEPTH {
        return Err("lists of an attribute nest at most two deep".to_owned());
    }
    Ok(AttrType { depth: element.depth + 1, ..element })
}

fn describe(ty: &Type) -> &'static str {
    match ty {
        Type::Reference(_) => "a reference",
        Type::Tuple(_) => "a tuple",
        Type::Ptr(_) => "a pointer",
        Type::FnPtr(_) => "a function",
        Type::Slice(_) => "a slice",
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

fn last_segment(ty: &Type) -> Option<(String, &PathArguments)> {
    match unwrap_groups(ty) {
        Type::Path(path) if path.qself.is_none() => {
            path.path.segments.last().map(|segment| (segment.ident.to_string(), &segment.arguments))
        }
        _ => None,
    }
}
