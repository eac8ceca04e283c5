//! The macros of oplock outside of a compiler.
//!
//! A crate of macros gives nothing but its macros, and those run in a compiler only. Here the same files are modules of
//! a library, on `proc_macro2`'s own tokens: `benchmarks` counts the instructions of their steps, and `fuzz` gives them tokens
//! that no author would write. What they are compiled with (the lock, the version) they take from the same environment variables.

// Only some of it is called from here.
#![allow(dead_code, clippy::pedantic)]

#[path = "../../macros/src/compare.rs"]
mod compare;
#[path = "../../macros/src/ctxt.rs"]
mod ctxt;
#[path = "../../macros/src/element.rs"]
mod element;
#[path = "../../macros/src/environment.rs"]
mod environment;
#[path = "../../macros/src/expand/mod.rs"]
mod expand;
#[path = "../../macros/src/history.rs"]
mod history;
#[path = "../../macros/src/lock_crate.rs"]
mod lock_crate;
#[path = "../../macros/src/parse/mod.rs"]
mod parse;
#[path = "../../macros/src/saved.rs"]
mod saved;
#[path = "../../macros/src/tokens.rs"]
mod tokens;
#[path = "../../macros/src/upgrade.rs"]
mod upgrade;
#[path = "../../macros/src/validate.rs"]
mod validate;

extern crate proc_macro;

use proc_macro2::TokenStream;

/// What `#[op(arguments)] item` becomes.
pub fn op(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::op(arguments, item)
}

/// What `#[oplock::upgrade(arguments)] item` becomes.
pub fn upgrade(arguments: TokenStream, item: TokenStream) -> TokenStream {
    upgrade::expand(arguments, item)
}

/// What the `lock_crate!` inside `lock!` becomes.
pub fn lock_crate(input: TokenStream) -> TokenStream {
    lock_crate::expand(input)
}

/// The first step of `#[op]` alone: reads a declaration and makes a signature of it. Whether it has no mistake.
pub fn read(arguments: TokenStream, item: TokenStream) -> bool {
    steps(arguments, item, |_, signature| {
        std::hint::black_box(signature);
    })
}

/// The first two steps of `#[op]`: [`read`], and the signature held against the lock. Whether neither found anything.
pub fn read_and_compare(arguments: TokenStream, item: TokenStream) -> bool {
    steps(arguments, item, |cx, signature| {
        std::hint::black_box(compare::compare(cx, signature, false));
    })
}

fn steps(arguments: TokenStream, item: TokenStream, then: impl FnOnce(&ctxt::Ctxt, &validate::Signature)) -> bool {
    let cx = ctxt::Ctxt::new();
    if let Ok(declaration) = parse::declaration(&cx, arguments, item) {
        let signature = validate::signature(&cx, &declaration);
        then(&cx, &signature);
        cx.finish().is_empty()
    } else {
        drop(cx.finish());
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_read() {
        let read = |arguments: &str, item: &str| read(arguments.parse().unwrap(), item.parse().unwrap());
        assert!(read("\"relu\"", "pub struct Relu { #[input(name = \"X\")] x: Var, #[output] out: Var }"));
        assert!(!read("\"relu\"", "pub struct Relu { #[input(nmae = \"X\")] x: Var, #[output] out: Var }"));
        assert!(!read("relu", "pub enum Relu {}"));
    }

    #[test]
    fn what_is_wrong_becomes_an_error() {
        let text = op("\"relu\"".parse().unwrap(), "fn relu() {}".parse().unwrap()).to_string();
        assert!(text.contains("compile_error"), "{text}");
    }
}
