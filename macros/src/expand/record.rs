//! `impl Op`: the declaration as one text.

use oplock_core::{AttrType, Declared, Kind, ScalarType, Value};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::parse::Declaration;
use crate::tokens::{file_and_line, parse_text, respan};
use crate::validate::{Role, Signature};

/// `impl Op for … { const RECORD: … }`.
pub(super) fn impl_op(declaration: &Declaration, signature: &Signature, stale: &str) -> TokenStream {
    let (file, line) = file_and_line(signature.name_span);
    let declared = Declared { def: signature.def.clone(), file: file.into(), line, stale: stale.to_owned().into() };
    let (ident, record) = (&declaration.item.ident, declared.to_text());
    let text = format!("impl __rt::Op for {ident} {{ const RECORD: __rt::Record = __rt::Record({record:?}); }}");
    let mut output = parse_text(&text, Span::call_site());
    output.extend(checks(declaration, signature));
    output
}

/// Holds what is declared of each attribute of the author's own type against the type, where that is declared.
fn checks(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let mut output = TokenStream::new();
    for (field, role) in declaration.fields.iter().zip(&signature.roles) {
        let Role::Attr { index, custom: true, .. } = role else { continue };
        let attr = &signature.def.attrs[*index];
        let ty = declaration.ty(field);
        let at = signature.places.iter().find(|p| p.kind == Kind::Attr && p.name == attr.name);
        let at = at.and_then(|place| place.values.or(place.ty)).unwrap_or(field.span).resolved_at(Span::call_site());
        let values: Vec<&str> = attr.values.iter().map(AsRef::as_ref).collect();
        let lengths =
            attr.ty.lengths.map(|length| length.map_or("__rt::None".to_owned(), |x| format!("__rt::Some({x})")));
        let text = format!("{}, [{}], &{values:?}", type_code(attr.ty), lengths.join(", "));
        let arguments = respan(parse_text(&text, Span::call_site()), at);
        output.extend(quote_spanned!(at=> const _: () = __rt::check_attr::<#ty>(#arguments);));
    }
    output
}

/// A type but for the lengths of its lists as a number: the element type, then how deep these nest, then whether it is optional.
fn type_code(ty: AttrType) -> u8 {
    let scalar = ScalarType::ALL.iter().position(|scalar| *scalar == ty.scalar).unwrap_or(0);
    u8::try_from(scalar).unwrap_or(0) | ty.depth << 5 | u8::from(ty.optional) << 7
}

/// A boolean or number as Rust writes it, with the name of its variant.
pub(super) fn plain_text(value: &Value) -> Option<(&'static str, String)> {
    Some(match value {
        Value::Bool(x) => ("Bool", x.to_string()),
        Value::I32(x) => ("I32", x.to_string()),
        Value::I64(x) => ("I64", x.to_string()),
        Value::U32(x) => ("U32", x.to_string()),
        Value::U64(x) => ("U64", x.to_string()),
        Value::F32(x) => ("F32", float_text(f64::from(*x), &format!("{x:?}"), "f32")),
        Value::F64(x) => ("F64", f64_text(*x)),
        _ => return None,
    })
}

fn f64_text(x: f64) -> String {
    float_text(x, &format!("{x:?}"), "f64")
}

/// A number as Rust writes it; `text` is the shortest that is that very number in its own type.
fn float_text(value: f64, text: &str, ty: &str) -> String {
    if value.is_nan() {
        format!("{ty}::NAN")
    } else if value.is_infinite() {
        format!("{ty}::{}INFINITY", if value < 0.0 { "NEG_" } else { "" })
    } else {
        format!("{text}{ty}")
    }
}
