//! `new` with what is required, and a setter for each of the rest: an added field breaks struct literals, not these.

use oplock_core::Value;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt as _;

use super::record::plain_text;
use crate::parse::{Declaration, Field};
use crate::tokens::parse_text;
use crate::validate::{Role, Signature};

/// `impl … { pub fn new(…) -> Self; pub fn with_…(self, …) -> Self }`, where it is wanted.
///
/// A struct that lists its operands in the header is a framework's own and mostly has a `new` already, so there it
/// must be asked for.
pub(super) fn constructor(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let header = &declaration.header;
    if !header.constructor.unwrap_or(!header.lists_operands()) {
        return TokenStream::new();
    }
    let visibility = &declaration.item.vis;
    let ident = &declaration.item.ident;
    let mut bounds = TokenStream::new();
    let (mut parameters, mut values, mut setters) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let mut count = 0;
    for (field, role) in declaration.fields.iter().zip(&signature.roles) {
        let (member, ty) = (&field.member, declaration.ty(field));
        let name = parameter(field, signature, role);
        let (required, value) = match role {
            Role::Arg { required, .. } => (*required, quote!(__rt::absent())),
            Role::Attr { required, index, custom } => {
                if *custom && !required {
                    bounds.extend(super::custom_bound(ty));
                }
                (*required, preset(signature.def.attrs[*index].default.as_ref(), *custom, *index))
            }
            Role::Skip => {
                values.extend(super::skipped(field, ty));
                continue;
            }
        };
        if required {
            count += 1;
            parameters.extend(quote!(#name: #ty,));
            values.extend(quote!(#member: #name,));
            continue;
        }
        values.extend(quote!(#member: #value,));
        let setter = format_ident!("with_{}", name.unraw(), span = Span::call_site());
        let docs = format!("The same with `{}`.", name.unraw());
        setters.extend(quote! {
            #[doc = #docs]
            #[must_use]
            #visibility fn #setter(mut self, value: #ty) -> Self {
                self.#member = value;
                self
            }
        });
    }
    if !bounds.is_empty() {
        bounds = quote!(where #bounds);
    }
    let docs = format!("A `{}` with what is required; all else is absent or has its default.", signature.def.name);
    // A crate may forbid to set a lint, so only the one that would be told is.
    let allow = match count {
        0 => quote!(#[allow(clippy::new_without_default)]),
        1..=7 => TokenStream::new(),
        _ => quote!(#[allow(clippy::too_many_arguments)]),
    };
    quote! {
        #allow
        impl #ident #bounds {
            #[doc = #docs]
            #[must_use]
            #visibility fn new(#parameters) -> Self {
                Self { #values }
            }
            #setters
        }
    }
}

/// The default of an attribute: a literal where its type is known by name, else made by the type itself.
fn preset(default: Option<&Value>, custom: bool, index: usize) -> TokenStream {
    match default {
        Some(Value::Absent) if !custom => return quote!(__rt::None),
        Some(value) if !custom => {
            if let Some((_, text)) = plain_text(value) {
                return parse_text(&text, Span::call_site());
            }
        }
        _ => {}
    }
    let index = proc_macro2::Literal::usize_unsuffixed(index);
    quote!(__rt::preset::<Self, _>(#index))
}

/// The name of a field's parameter: its own, or in a tuple struct one that is made of the saved name.
fn parameter(field: &Field, signature: &Signature, role: &Role) -> Ident {
    if let Some(ident) = field.ident() {
        return ident.clone();
    }
    let saved = match role {
        Role::Arg { index, .. } => {
            let inputs = signature.def.inputs.len();
            index
                .checked_sub(inputs)
                .map_or_else(|| &signature.def.inputs[*index].name, |i| &signature.def.outputs[i].name)
        }
        Role::Attr { index, .. } => &signature.def.attrs[*index].name,
        Role::Skip => return format_ident!("skipped"),
    };
    let mut text = String::new();
    for c in saved.chars() {
        if c.is_ascii_uppercase() && text.chars().last().is_some_and(|last| last.is_ascii_lowercase()) {
            text.push('_');
        }
        text.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) || syn::parse_str::<Ident>(&text).is_err() {
        text = format!("value_{text}");
    }
    Ident::new(&text, field.span.resolved_at(Span::call_site()))
}
