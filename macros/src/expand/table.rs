//! `impl Op`: the signature as a table of literals.

use oplock_core::{ArgDef, AttrDef, AttrType, Kind, Part, Scalar, ScalarType, Value};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::parse::Declaration;
use crate::tokens::{parse_text, respan};
use crate::validate::{Role, Signature};

/// `impl Op for … { const TABLE: … }`.
pub(super) fn impl_op(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let def = &signature.def;
    let attrs = def.attrs.iter().fold(String::new(), |text, attr| text + &attr_call(attr));
    let args = |args: &[ArgDef]| args.iter().fold(String::new(), |text, arg| text + &arg_call(arg));
    let mut output = parse_text(
        &format!(
            "impl __rt::Op for {} {{ const TABLE: &'static __rt::OpTable = &__rt::OpTable {{ name: {:?}, inputs: &[{}], \
             outputs: &[{}], attrs: &[{attrs}], experimental: {}, cfg: {:?} }}; }}",
            declaration.item.ident,
            def.name,
            args(&def.inputs),
            args(&def.outputs),
            def.experimental,
            def.cfg.as_deref().unwrap_or_default(),
        ),
        Span::call_site(),
    );
    output.extend(checks(declaration, signature));
    output
}

fn arg_call(arg: &ArgDef) -> String {
    let marks = u8::from(arg.dispensable)
        | u8::from(arg.duplicable) << 1
        | u8::from(arg.intermediate) << 2
        | part_bits(arg.part);
    format!("({:?}, {marks}), ", arg.name)
}

fn part_bits(part: Part) -> u8 {
    match part {
        Part::Def => 0,
        Part::Quant => 16,
        Part::Extra => 32,
    }
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
        let arguments = respan(parse_text(&format!("{}, &{values:?}", type_code(attr.ty)), Span::call_site()), at);
        output.extend(quote_spanned!(at=> const _: () = __rt::check_attr::<#ty>(#arguments);));
    }
    output
}

fn attr_call(attr: &AttrDef) -> String {
    let default = attr.default.as_ref().map_or("__rt::Lit::No".to_owned(), lit_text);
    let values: Vec<&str> = attr.values.iter().map(AsRef::as_ref).collect();
    let marks = u8::from(attr.generated) << 3 | part_bits(attr.part);
    format!("({:?}, {}, {default}, &{values:?}, {marks}), ", attr.name, type_code(attr.ty))
}

/// A type as a number: the element type, then how deep its lists nest, then whether it is optional.
fn type_code(ty: AttrType) -> u8 {
    let scalar = ScalarType::ALL.iter().position(|scalar| *scalar == ty.scalar).unwrap_or(0);
    u8::try_from(scalar).unwrap_or(0) | ty.depth << 4 | u8::from(ty.optional) << 6
}

fn lit_text(value: &Value) -> String {
    match value {
        Value::Absent => "__rt::Lit::Absent".to_owned(),
        Value::String(x) => format!("__rt::Lit::Str({x:?})"),
        Value::DType(x) => format!("__rt::Lit::DType({x:?})"),
        Value::Var(x) => format!("__rt::Lit::Var({x:?})"),
        Value::Bytes(x) => format!("__rt::Lit::Bytes(&{x:?})"),
        Value::Scalar(Scalar::Bool(x)) => format!("__rt::Lit::Scalar(__rt::Scalar::Bool({x}))"),
        Value::Scalar(Scalar::I64(x)) => format!("__rt::Lit::Scalar(__rt::Scalar::I64({x}))"),
        Value::Scalar(Scalar::F64(x)) => format!("__rt::Lit::Scalar(__rt::Scalar::F64({}))", f64_text(*x)),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(lit_text).collect();
            format!("__rt::Lit::List(&[{}])", items.join(", "))
        }
        number => {
            let (variant, text) = plain_text(number).unwrap_or(("No", String::new()));
            if text.is_empty() { format!("__rt::Lit::{variant}") } else { format!("__rt::Lit::{variant}({text})") }
        }
    }
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
