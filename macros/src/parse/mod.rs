//! From tokens to a declaration as its author wrote it: every name, mark and literal with its place, nothing judged yet.

mod attributes;
mod common;
mod element;
mod header;
mod history;
mod literal;
mod lock;
mod saved;
mod types;

use oplock_core::Kind;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Member, Type};

use crate::ctxt::Ctxt;

pub(crate) use attributes::{Item, Mark, Mode};
pub(crate) use common::CommonArgument;
pub(crate) use element::{Of, TypeName};
pub(crate) use header::Header;
pub(crate) use history::{History, Noted};
pub(crate) use literal::Literal;
pub(crate) use lock::{LockArguments, lock};
pub(crate) use saved::{SavedArgument, number};
pub(crate) use types::{FieldShape, attr_type, generic, is_common_name, meant_type, shape, source};

/// A declared operator.
pub(crate) struct Declaration {
    pub(crate) header: Header,
    pub(crate) fields: Vec<Field>,
    /// The struct without the attributes that are oplock's.
    pub(crate) item: DeriveInput,
}

/// A field of the struct.
pub(crate) struct Field {
    pub(crate) member: Member,
    /// Its position in the struct.
    pub(crate) index: usize,
    pub(crate) docs: String,
    pub(crate) mode: Option<Mode>,
    pub(crate) span: Span,
}

impl Field {
    /// The field's own name, `None` in a tuple struct.
    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.member {
            Member::Named(ident) => Some(ident),
            Member::Unnamed(_) => None,
        }
    }
}

impl Declaration {
    /// The type of a field.
    pub(crate) fn ty(&self, field: &Field) -> &Type {
        let fields = match &self.item.data {
            Data::Struct(data) => &data.fields,
            _ => unreachable!("only a struct's fields are read"),
        };
        fields.iter().nth(field.index).map_or_else(|| unreachable!("the field was read from here"), |field| &field.ty)
    }
}

/// What is left of a declaration that is no struct.
pub(crate) struct NoStruct {
    pub(crate) header: Box<Header>,
    /// The item as it was written.
    pub(crate) tokens: TokenStream,
}

/// Reads a declaration. Whatever is wrong goes to `cx`.
pub(crate) fn declaration(cx: &Ctxt, arguments: TokenStream, tokens: TokenStream) -> Result<Declaration, NoStruct> {
    let header = header::parse(cx, arguments);
    let Ok(mut item) = syn::parse2::<DeriveInput>(tokens.clone()) else {
        cx.error(tokens.span(), "`#[op]` declares a struct: an operator is its inputs, outputs and attributes");
        return Err(NoStruct { header: Box::new(header), tokens });
    };
    refuse_second(cx, &mut item);
    if !item.generics.params.is_empty() {
        cx.error(
            item.generics.span(),
            "an operator cannot be generic: a saved name stands for one signature. Declare one struct for each type, \
             or make the type an attribute",
        );
    }
    let fields = match &mut item.data {
        Data::Struct(data) => read_fields(cx, &mut data.fields),
        Data::Enum(data) => {
            let message = "`#[op]` declares a struct, not an enum: declare a struct for each operator";
            cx.error(data.enum_token.span(), message);
            data.variants.iter_mut().flat_map(|variant| &mut variant.fields).for_each(|field| strip(&mut field.attrs));
            return Err(NoStruct { header: Box::new(header), tokens: item.to_token_stream() });
        }
        Data::Union(data) => {
            cx.error(data.union_token.span(), "`#[op]` declares a struct, not a union");
            data.fields.named.iter_mut().for_each(|field| strip(&mut field.attrs));
            return Err(NoStruct { header: Box::new(header), tokens: item.to_token_stream() });
        }
    };
    Ok(Declaration { header, fields, item })
}

/// Refuses a second `#[op]`.
fn refuse_second(cx: &Ctxt, item: &mut DeriveInput) {
    item.attrs.retain(|attribute| {
        let path: Vec<_> = attribute.path().segments.iter().map(|segment| &segment.ident).collect();
        let second = match path.as_slice() {
            [name] if *name == "op" => name,
            [krate, name] if *krate == "oplock" && *name == "op" => name,
            _ => return true,
        };
        cx.error(second.span(), "a struct declares one operator: it has one saved name");
        false
    });
}

/// Takes away the attributes that are oplock's, which nobody else knows.
fn strip(attributes: &mut Vec<Attribute>) {
    attributes.retain(|a| !attributes::HELPERS.iter().any(|helper| a.path().is_ident(helper)));
}

fn read_fields(cx: &Ctxt, fields: &mut Fields) -> Vec<Field> {
    let mut read = Vec::new();
    for (index, field) in fields.iter_mut().enumerate() {
        let span = field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span);
        let member = field.ident.clone().map_or_else(|| Member::from(index), Member::Named);
        let mut mode = None;
        let mut own = 0;
        let mut faulty = false;
        // Once, since the compiler is asked for each.
        let name = |attribute: &Attribute| attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        let names: Vec<String> = field.attrs.iter().map(name).collect();
        for (attribute, name) in field.attrs.iter_mut().zip(&names) {
            let path = attribute.path();
            if is_condition(name) {
                faulty = true;
                cx.error(
                    path.span(),
                    "a field of an operator cannot be conditional: a saved name has one signature. Put the condition on \
                     the operator, `#[op(\"…\", cfg(…))]`",
                );
            }
            if !attributes::HELPERS.contains(&name.as_str()) {
                continue;
            }
            own += 1;
            if own == 2 {
                let message = "a field is one of `#[input]`, `#[output]`, `#[attr]` and `#[skip]`, and only once";
                cx.error(path.span(), message);
            } else if own == 1 {
                mode = Some(attributes::parse(cx, name, attribute));
            }
        }
        if own == 0 && !faulty {
            cx.error(
                span,
                "is this field an `#[input]`, an `#[output]`, an `#[attr]`, or `#[skip]` (never saved)? Mark it as one of these",
            );
        }
        let docs = docs(field.attrs.iter().zip(&names).filter(|(_, name)| *name == "doc").map(|(doc, _)| doc));
        let mut names = names.iter();
        // A condition was refused.
        let is_oplocks = |name: &String| attributes::HELPERS.contains(&name.as_str()) || is_condition(name);
        field.attrs.retain(|_| !names.next().is_some_and(is_oplocks));
        read.push(Field { member, index, docs, mode, span });
    }
    read
}

fn is_condition(name: &str) -> bool {
    matches!(name, "cfg" | "cfg_attr")
}

/// The first paragraph of an item's documentation, in one line.
fn docs<'a>(attributes: impl Iterator<Item = &'a Attribute>) -> String {
    let mut text = String::new();
    for attribute in attributes {
        let syn::Meta::NameValue(meta) = &attribute.meta else { continue };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &meta.value else { continue };
        let line = line.value();
        let line = line.trim();
        if line.is_empty() && !text.is_empty() {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
    text
}

/// The helper attribute of a kind of item.
pub(crate) fn helper(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "#[input]",
        Kind::Output => "#[output]",
        Kind::Attr => "#[attr]",
    }
}
