//! Small tools for token streams.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::Type;

/// The tokens without the invisible groups in which `macro_rules!` wraps what it passes on.
pub(crate) fn without_invisible_groups(tokens: TokenStream) -> TokenStream {
    let has_group = tokens.clone().into_iter().any(|tree| matches!(tree, TokenTree::Group(_)));
    if !has_group {
        return tokens;
    }
    let mut flat = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let inner = without_invisible_groups(group.stream());
                if group.delimiter() == Delimiter::None {
                    flat.extend(inner);
                } else {
                    let mut new = Group::new(group.delimiter(), inner);
                    new.set_span(group.span());
                    flat.extend([TokenTree::Group(new)]);
                }
            }
            other => flat.extend([other]),
        }
    }
    flat
}

/// The type without the groups around it.
pub(crate) fn unwrap_groups(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            _ => return ty,
        };
    }
}

/// Rust text as tokens that all stand at that place.
///
/// Most of an expansion is written as text: the compiler's own lexer reads it in one go, which costs less than
/// sending it token by token.
pub(crate) fn parse_text(text: &str, span: Span) -> TokenStream {
    // Not by way of `proc_macro2`, which reads the text a second time to be sure of it.
    match text.parse::<proc_macro::TokenStream>() {
        Ok(tokens) => tokens.into(),
        Err(error) => syn::Error::new(span, format!("oplock wrote tokens that Rust cannot read: {error}\n{text}"))
            .into_compile_error(),
    }
}

/// The same tokens at another place.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut tree| {
            if let TokenTree::Group(group) = &tree {
                let mut new = Group::new(group.delimiter(), respan(group.stream(), span));
                new.set_span(span);
                return TokenTree::Group(new);
            }
            tree.set_span(span);
            tree
        })
        .collect()
}
