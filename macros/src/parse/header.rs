//! The arguments of `#[op("…", …)]`.

use oplock_core::{Kind, did_you_mean};
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitBool, LitStr, Path, Token, parenthesized};

use super::attributes::{Item, skip_to_comma};
use crate::ctxt::Ctxt;
use crate::tokens::without_invisible_groups;

/// What the header of an operator says.
#[derive(Default)]
pub(crate) struct Header {
    pub(crate) name: Option<LitStr>,
    pub(crate) operands: Vec<HeaderItem>,
    /// Whether `inputs(…)` or `outputs(…)` is there at all.
    pub(crate) lists_operands: Option<Span>,
    pub(crate) rename_all: Option<LitStr>,
    pub(crate) experimental: Option<Span>,
    pub(crate) unlocked: Option<Span>,
    pub(crate) cfg: Option<(TokenStream, Span)>,
    pub(crate) krate: Option<Path>,
    /// Whether a constructor is asked for or refused.
    pub(crate) constructor: Option<bool>,
}

/// An operand of `inputs(…)` or `outputs(…)`.
pub(crate) struct HeaderItem {
    pub(crate) name: String,
    /// Whether the name is an identifier, to which `rename_all` applies.
    pub(crate) is_ident: bool,
    pub(crate) span: Span,
    pub(crate) item: Item,
}

const OPTIONS: [&str; 8] = ["inputs", "outputs", "rename_all", "experimental", "unlocked", "cfg", "crate", "new"];

/// Reads the header.
pub(super) fn parse(cx: &Ctxt, arguments: TokenStream) -> Header {
    let mut header = Header::default();
    let arguments = without_invisible_groups(arguments);
    if arguments.is_empty() {
        cx.error(Span::call_site(), "an operator is saved under a name that never changes: `#[op(\"name\")]`");
        return header;
    }
    let parser = |input: ParseStream<'_>| {
        if input.peek(LitStr) {
            header.name = Some(input.parse()?);
        } else if input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek(Token![crate]) {
            let name = input.fork().call(Ident::parse_any)?;
            if name == "name" {
                cx.error(name.span(), "the name comes first and alone: `#[op(\"name\")]`");
                input.call(Ident::parse_any)?;
                input.parse::<Token![=]>()?;
                header.name = input.parse().ok();
            } else {
                cx.error(name.span(), "the first argument is the saved name, a string literal: `#[op(\"name\", …)]`");
                return options(cx, &mut header, input);
            }
        } else {
            cx.error(input.span(), "the first argument is the saved name, a string literal: `#[op(\"name\", …)]`");
            skip_to_comma(input)?;
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        options(cx, &mut header, input)
    };
    cx.ok(parser.parse2(arguments));
    header
}

fn options(cx: &Ctxt, header: &mut Header, input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        if let Err(error) = option(cx, header, input) {
            cx.push(error);
            skip_to_comma(input)?;
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

fn option(cx: &Ctxt, header: &mut Header, input: ParseStream<'_>) -> syn::Result<()> {
    let name = Ident::parse_any(input)?;
    let again = |set: bool| {
        if set {
            cx.error(name.span(), format!("`{name}` is said twice"));
        }
    };
    match name.to_string().as_str() {
        "inputs" => operands(cx, header, Kind::Input, name.span(), input)?,
        "outputs" => operands(cx, header, Kind::Output, name.span(), input)?,
        "rename_all" => {
            input.parse::<Token![=]>()?;
            again(header.rename_all.is_some());
            header.rename_all = Some(input.parse()?);
        }
        "experimental" => {
            again(header.experimental.is_some());
            header.experimental = Some(name.span());
        }
        "unlocked" => {
            again(header.unlocked.is_some());
            header.unlocked = Some(name.span());
        }
        "cfg" => {
            again(header.cfg.is_some());
            let content;
            parenthesized!(content in input);
            header.cfg = Some((content.parse()?, name.span()));
        }
        "crate" => {
            input.parse::<Token![=]>()?;
            again(header.krate.is_some());
            header.krate = Some(input.call(Path::parse_mod_style)?);
        }
        "new" => {
            again(header.constructor.is_some());
            header.constructor = Some(if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                input.parse::<LitBool>()?.value
            } else {
                true
            });
        }
        other => {
            let hint = did_you_mean(other, OPTIONS);
            let list = OPTIONS.join(", ");
            return Err(syn::Error::new(
                name.span(),
                format!("an operator has no option `{other}`{hint} (the options: {list})"),
            ));
        }
    }
    Ok(())
}

/// `inputs(input, indices, mask(dispensable), "F1-Score")`.
fn operands(cx: &Ctxt, header: &mut Header, kind: Kind, span: Span, input: ParseStream<'_>) -> syn::Result<()> {
    let content;
    parenthesized!(content in input);
    header.lists_operands = Some(span);
    while !content.is_empty() {
        let (name, is_ident, span) = if content.peek(LitStr) {
            let name: LitStr = content.parse()?;
            (name.value(), false, name.span())
        } else {
            let name = Ident::parse_any(&content)?;
            (name.unraw().to_string(), true, name.span())
        };
        let mut item = Item::new(kind);
        if content.peek(syn::token::Paren) {
            let marks;
            parenthesized!(marks in content);
            while !marks.is_empty() {
                let result = Ident::parse_any(&marks).and_then(|name| item.option(cx, &name, &marks));
                if let Err(error) = result {
                    cx.push(error);
                    skip_to_comma(&marks)?;
                }
                if !marks.is_empty() {
                    marks.parse::<Token![,]>()?;
                }
            }
        }
        header.operands.push(HeaderItem { name, is_ident, span, item });
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(())
}
