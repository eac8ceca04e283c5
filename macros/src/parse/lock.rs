//! The arguments of `lock!`.

use oplock_core::did_you_mean;
use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, Token, TypeTraitObject};

use crate::ctxt::Ctxt;

/// What `lock!` is told.
#[derive(Default)]
pub(crate) struct LockArguments {
    /// The name of the function that gives the crate's table, where it is not `ops`.
    pub(crate) ops: Option<Ident>,
    /// The trait object that operators are made into when a program builds them from nodes.
    pub(crate) object: Option<TypeTraitObject>,
}

/// What can be said, as a message shows it.
const ARGUMENTS: &str = "`ops = name;`, the name of the function that is `ops` where nothing is said, and \
                         `object = dyn crate::MyTrait;`, what nodes are built into";

/// Reads the arguments.
pub(crate) fn lock(cx: &Ctxt, tokens: TokenStream) -> LockArguments {
    let mut arguments = LockArguments::default();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = argument(cx, &mut arguments, input) {
                cx.push(error);
                while !input.is_empty() && !input.peek(Token![;]) {
                    input.parse::<proc_macro2::TokenTree>()?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![;]>()?;
            }
        }
        Ok(())
    };
    cx.ok(parser.parse2(tokens));
    arguments
}

fn argument(cx: &Ctxt, arguments: &mut LockArguments, input: ParseStream<'_>) -> syn::Result<()> {
    let Ok(name) = Ident::parse_any(input) else {
        return Err(input.error(format!("`lock!` stands alone, `oplock::lock!();`, or takes {ARGUMENTS}")));
    };
    if name == "object" {
        return object(cx, arguments, &name, input);
    }
    if name != "ops" {
        let hint = did_you_mean(&name.to_string(), ["ops", "object"]);
        return Err(syn::Error::new(name.span(), format!("`lock!` has no argument `{name}`, only {ARGUMENTS}{hint}")));
    }
    let wrong = |error: syn::Error| syn::Error::new(error.span(), "`ops` takes a name: `ops = my_ops;`");
    input.parse::<Token![=]>().map_err(wrong)?;
    let function = input.parse().map_err(wrong)?;
    if arguments.ops.replace(function).is_some() {
        cx.error(name.span(), "`ops` is said twice");
    }
    Ok(())
}

/// `= dyn crate::TypedOp`
fn object(cx: &Ctxt, arguments: &mut LockArguments, name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    let wrong = |error: syn::Error| {
        syn::Error::new(error.span(), "`object` takes a trait object: `object = dyn crate::MyTrait;`")
    };
    input.parse::<Token![=]>().map_err(wrong)?;
    if !input.peek(Token![dyn]) {
        return Err(wrong(input.error("")));
    }
    let object = input.parse().map_err(wrong)?;
    if arguments.object.replace(object).is_some() {
        cx.error(name.span(), "`object` is said twice");
    }
    Ok(())
}
