//! Element types as they are written: `types(T = [f16, f32])` of an operator, `of = T` and `of = N * T` of an operand.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token, bracketed, parenthesized};

use super::attributes::{comma, equals, parentheses, whole};
use crate::ctxt::Ctxt;

/// The name of a type, or of what stands for one.
pub(crate) struct TypeName {
    pub(crate) text: String,
    /// Whether it is an identifier; a text may name a type that nobody knows.
    pub(crate) is_ident: bool,
    pub(crate) span: Span,
}

/// `of = N * T`: how many variables, and of which type.
pub(crate) struct Of {
    pub(crate) count: Option<TypeName>,
    /// `None` where it is `_`, of which nothing is said.
    pub(crate) ty: Option<TypeName>,
}

/// `T = [f16, f32]`
pub(crate) struct TypeSet {
    pub(crate) name: TypeName,
    /// The types for which it may stand; `None` where it may for any.
    pub(crate) allowed: Option<(Vec<TypeName>, Span)>,
}

pub(super) fn type_name(input: ParseStream<'_>) -> syn::Result<TypeName> {
    const WHAT: &str =
        "a type is a name such as f32, a type variable or attribute of the operator, or a text: \"seq(f32)\"";
    if input.peek(LitStr) {
        let lit: LitStr = input.parse()?;
        return Ok(TypeName { text: lit.value(), is_ident: false, span: lit.span() });
    }
    let ident = Ident::parse_any(input).map_err(|error| syn::Error::new(error.span(), WHAT))?;
    Ok(TypeName { text: ident.unraw().to_string(), is_ident: true, span: ident.span() })
}

/// What stands behind `of`.
pub(super) fn of(option: &Ident, input: ParseStream<'_>) -> syn::Result<Of> {
    equals(option, "f32", input)?;
    let first = type_name(input)?;
    let told = |name: TypeName| Some(name).filter(|name| !name.is_ident || name.text != "_");
    if !input.peek(Token![*]) {
        return Ok(Of { count: None, ty: told(first) });
    }
    input.parse::<Token![*]>()?;
    Ok(Of { count: Some(first), ty: told(type_name(input)?) })
}

/// What stands in the parentheses of `types`.
pub(super) fn types(cx: &Ctxt, option: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<TypeSet>> {
    parentheses(option, "T = [f16, f32]", input)?;
    let content;
    parenthesized!(content in input);
    whole(&content, |content| {
        let mut sets = Vec::new();
        if content.is_empty() {
            cx.error(option.span(), "`types` says for what names stand: `types(T = [f16, f32])`");
        }
        while !content.is_empty() {
            let name = type_name(content)?;
            let mut allowed = None;
            if content.peek(Token![=]) {
                content.parse::<Token![=]>()?;
                let list;
                let bracket = bracketed!(list in content);
                let types = whole(&list, |list| list.parse_terminated(type_name, Token![,]))?;
                allowed = Some((types.into_iter().collect(), bracket.span.join()));
            }
            sets.push(TypeSet { name, allowed });
            comma(cx, content)?;
        }
        Ok(sets)
    })
}
