//! The macros of oplock. Use them through the `oplock` crate, whose documentation describes them.
//!
//! `parse` reads a declaration, `validate` turns it into an `OpDef` that remembers where each part stands, `compare`
//! holds it against the lock, `expand` writes what takes its place; `lock_crate` does what only the whole crate can.

mod compare;
mod ctxt;
mod element;
mod environment;
mod expand;
mod history;
mod lock_crate;
mod parse;
mod saved;
mod tokens;
mod upgrade;
mod validate;

use proc_macro::TokenStream;

/// Declares an operator; see `oplock::op`.
#[proc_macro_attribute]
pub fn op(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::op(arguments.into(), item.into()).into()
}

/// Declares an upgrade function; see `oplock::upgrade`.
#[proc_macro_attribute]
pub fn upgrade(arguments: TokenStream, item: TokenStream) -> TokenStream {
    upgrade::expand(arguments.into(), item.into()).into()
}

/// The body of `oplock::lock!`.
#[doc(hidden)]
#[proc_macro]
pub fn lock_crate(input: TokenStream) -> TokenStream {
    lock_crate::expand(input.into()).into()
}
