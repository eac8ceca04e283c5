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
    let tokens = if proc_macro::is_available() {
        text.parse::<proc_macro::TokenStream>().map(TokenStream::from).map_err(|error| error.to_string())
    } else {
        text.parse().map_err(|error: proc_macro2::LexError| error.to_string())
    };
    tokens.unwrap_or_else(|error| {
        syn::Error::new(span, format!("oplock wrote tokens that Rust cannot read: {error}\n{text}"))
            .into_compile_error()
    })
}

/// The source file of a token and its line; nothing of either outside of a compiler.
pub(crate) fn file_and_line(span: Span) -> (String, u32) {
    if !proc_macro::is_available() {
        return (String::new(), 0);
    }
    let span = span.unwrap();
    (span.file(), u32::try_from(span.line()).unwrap_or(0))
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
