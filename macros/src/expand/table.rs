//! `impl Op`: the signature as a table of literals.
//!
//! The lists are written as operands of struct and variant constructors, which alone keep what they borrow for as long
//! as the constant lives; what is nested inside a call gets a `const` block of its own.

use oplock_core::{ArgDef, AttrDef, AttrType, Kind, Part, Scalar, ScalarType, Value};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::parse::Declaration;
use crate::tokens::{parse_text, respan};
use crate::validate::{Role, Signature};

/// `impl Op for … { const DEF: … }`.
pub(super) fn impl_op(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let def = &signature.def;
    let attrs = def.attrs.iter().fold(String::new(), |text, attr| text + &attr_call(attr));
    let args = |args: &[ArgDef]| args.iter().fold(String::new(), |text, arg| text + &arg_call(arg));
    let cfg = def.cfg.as_ref().map_or("rt::None".to_owned(), |cfg| format!("rt::Some(rt::s({cfg:?}))"));
    let head = format!(
        "name: rt::s({:?}), inputs: rt::Borrowed(&[{}]), outputs: rt::Borrowed(&[{}]), experimental: {}, cfg: {cfg}, \
         attrs: rt::Borrowed",
        def.name,
        args(&def.inputs),
        args(&def.outputs),
        def.experimental,
    );
    let mut output = parse_text(
        &format!(
            "impl rt::Op for {} {{ const DEF: &'static rt::OpDef = &rt::OpDef {{ {head}(&[{attrs}]) }}; }}",
            declaration.item.ident
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
    format!("rt::arg({:?}, {marks}), ", arg.name)
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
        output.extend(quote_spanned!(at=> const _: () = rt::check_attr::<#ty>(#arguments);));
    }
    output
}

fn attr_call(attr: &AttrDef) -> String {
    let default = match &attr.default {
        None => "rt::None".to_owned(),
        Some(Value::List(items)) if !items.is_empty() => {
            format!("const {{ rt::Some({}) }}", attr.default.as_ref().map(value_text).unwrap_or_default())
        }
        Some(value) => format!("rt::Some({})", value_text(value)),
    };
    let values = attr.values.iter().fold(String::new(), |text, value| text + &format!("rt::s({value:?}), "));
    let values = if values.is_empty() { "&[]".to_owned() } else { format!("const {{ &[{values}] }}") };
    let marks = u8::from(attr.generated) << 3 | part_bits(attr.part);
    format!("rt::attr({:?}, {}, {default}, {values}, {marks}), ", attr.name, type_code(attr.ty))
}

/// A type as a number: the element type, then how deep its lists nest, then whether it is optional.
fn type_code(ty: AttrType) -> u8 {
    let scalar = ScalarType::ALL.iter().position(|scalar| *scalar == ty.scalar).unwrap_or(0);
    u8::try_from(scalar).unwrap_or(0) | ty.depth << 4 | u8::from(ty.optional) << 6
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(x) => format!("rt::Value::Bool({x})"),
        Value::I32(x) => format!("rt::Value::I32({x})"),
        Value::I64(x) => format!("rt::Value::I64({x})"),
        Value::U32(x) => format!("rt::Value::U32({x})"),
        Value::U64(x) => format!("rt::Value::U64({x})"),
        Value::F32(x) => format!("rt::Value::F32({})", float_text(f64::from(*x), &format!("{x:?}"), "f32")),
        Value::F64(x) => format!("rt::Value::F64({})", float_text(*x, &format!("{x:?}"), "f64")),
        Value::String(x) => format!("rt::string({x:?})"),
        Value::DType(x) => format!("rt::Value::DType(rt::s({x:?}))"),
        Value::Var(x) => format!("rt::Value::Var(rt::s({x:?}))"),
        Value::Block(x) => format!("rt::Value::Block({x})"),
        Value::Bytes(x) => format!("rt::bytes(&{x:?})"),
        Value::Scalar(Scalar::Bool(x)) => format!("rt::Value::Scalar(rt::Scalar::Bool({x}))"),
        Value::Scalar(Scalar::I64(x)) => format!("rt::Value::Scalar(rt::Scalar::I64({x}))"),
        Value::Scalar(Scalar::F64(x)) => {
            format!("rt::Value::Scalar(rt::Scalar::F64({}))", float_text(*x, &format!("{x:?}"), "f64"))
        }
        Value::List(items) if items.is_empty() => "rt::EMPTY".to_owned(),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(value_text).collect();
            format!("rt::Value::List(rt::Borrowed(&[{}]))", items.join(", "))
        }
        // Absent, or a value of a kind that no literal makes.
        _ => "rt::Value::Absent".to_owned(),
    }
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
