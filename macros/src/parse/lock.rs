//! The arguments of `lock!`.

use oplock_core::did_you_mean;
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitStr, Token, TypeTraitObject, braced};

use super::common::{CommonArgument, common};
use super::saved::{SavedArgument, saved};
use crate::ctxt::Ctxt;
use crate::tokens::without_invisible_groups;

/// What `lock!` is told.
#[derive(Default)]
pub(crate) struct LockArguments {
    /// The name of the function that gives the crate's table, where it is not `ops`.
    pub(crate) ops: Option<Ident>,
    /// The trait object that operators are made into when a program builds them from nodes.
    pub(crate) object: Option<TypeTraitObject>,
    /// Where it says that the places of operands are promised.
    pub(crate) positional: Option<Span>,
    /// The data versions of each kind of data of which anything is said.
    pub(crate) saved: Vec<SavedArgument>,
    /// The attributes that all operators have.
    pub(crate) common: Option<CommonArgument>,
    /// Whether what was read last ends with a brace, after which no `;` is needed.
    is_block_before: bool,
}

/// What can be said, as a message shows it.
const ARGUMENTS: &str = "`ops = name;`, the name of the function that is `ops` where nothing is said, \
                         `object = dyn crate::MyTrait;`, what nodes are built into, `operands = \"positional\";`, \
                         which promises the places of operands, `common { … }`, the attributes that all operators have, and `saved graph { … }` and `saved checkpoint { … }`, the data versions";

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
            let is_block_before = arguments.is_block_before;
            arguments.is_block_before = false;
            if !input.is_empty() && (!is_block_before || input.peek(Token![;])) {
                input.parse::<Token![;]>()?;
            }
        }
        Ok(())
    };
    cx.ok(parser.parse2(without_invisible_groups(tokens)));
    arguments
}

fn argument(cx: &Ctxt, arguments: &mut LockArguments, input: ParseStream<'_>) -> syn::Result<()> {
    let Ok(name) = Ident::parse_any(input) else {
        return Err(input.error(format!("`lock!` stands alone, `oplock::lock!();`, or takes {ARGUMENTS}")));
    };
    if name == "object" {
        return object(cx, arguments, &name, input);
    }
    if name == "operands" {
        return operands(cx, arguments, &name, input);
    }
    if name == "saved" {
        let saved = saved(cx, input)?;
        arguments.is_block_before = true;
        if let Some(saved) = saved {
            if arguments.saved.iter().any(|other| other.kind == saved.kind) {
                cx.error(saved.places.kind, format!("`saved {}` stands here a second time", saved.kind));
            } else {
                arguments.saved.push(saved);
            }
        }
        return Ok(());
    }
    if name == "common" {
        return common_attributes(cx, arguments, &name, input);
    }
    if name != "ops" {
        let hint = did_you_mean(&name.to_string(), ["ops", "object", "operands", "common", "saved"]);
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

/// `{ #[attr(default = 0)] op_role: i32, … }`
fn common_attributes(
    cx: &Ctxt,
    arguments: &mut LockArguments,
    name: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<()> {
    if !input.peek(syn::token::Brace) {
        let shape = "`common { #[attr(default = 0)] op_role: i32, }`";
        return Err(syn::Error::new(name.span(), format!("what all operators have stands in braces: {shape}")));
    }
    let body;
    braced!(body in input);
    let common = common(cx, name, body.parse()?);
    arguments.is_block_before = true;
    if arguments.common.is_some() {
        cx.error(name.span(), "`common` stands here a second time");
    } else {
        arguments.common = Some(common);
    }
    Ok(())
}

/// `= "positional"`
fn operands(cx: &Ctxt, arguments: &mut LockArguments, name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    const ONLY: &str = "`operands` takes one word, `operands = \"positional\";`: the places of operands are promised; without it \
                        they are known by their names alone";
    let wrong = |error: syn::Error| syn::Error::new(error.span(), ONLY);
    input.parse::<Token![=]>().map_err(wrong)?;
    let word: LitStr = input.parse().map_err(wrong)?;
    if word.value() != "positional" {
        return Err(syn::Error::new(word.span(), ONLY));
    }
    if arguments.positional.replace(name.span()).is_some() {
        cx.error(name.span(), "`operands` is said twice");
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
