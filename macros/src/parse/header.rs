//! The arguments of `#[op("…", …)]`.

use oplock_core::{Flags, Kind, did_you_mean};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitBool, LitStr, Path, Token, parenthesized};

use super::attributes::{Item, comma, equals, options as options_of_item, parentheses, skip_to_comma, whole};
use super::element::{TypeSet, types};
use super::history::{History, Noted, noted};
use crate::ctxt::Ctxt;
use crate::tokens::without_invisible_groups;

/// What the header of an operator says.
#[derive(Default)]
pub(crate) struct Header {
    pub(crate) name: Option<LitStr>,
    pub(crate) operands: Vec<HeaderItem>,
    /// `inputs(…)`, if it is there.
    pub(crate) inputs: Option<Span>,
    /// `outputs(…)`, if it is there.
    pub(crate) outputs: Option<Span>,
    pub(crate) rename_all: Option<LitStr>,
    pub(crate) experimental: Option<Span>,
    pub(crate) unlocked: Option<Span>,
    pub(crate) cfg: Option<(TokenStream, Span)>,
    pub(crate) krate: Option<Path>,
    /// Whether a constructor is asked for or refused.
    pub(crate) constructor: Option<bool>,
    pub(crate) history: History,
    pub(crate) revised: Vec<Noted>,
    pub(crate) moved_from: Option<LitStr>,
    /// The type variables.
    pub(crate) types: Vec<TypeSet>,
    pub(crate) flags: Vec<(&'static str, Span)>,
}

/// An operand of `inputs(…)` or `outputs(…)`.
pub(crate) struct HeaderItem {
    pub(crate) name: String,
    /// Whether the name is an identifier, to which `rename_all` applies.
    pub(crate) is_ident: bool,
    pub(crate) span: Span,
    pub(crate) item: Item,
}

impl Header {
    /// Whether the operands are listed here and not among the fields.
    pub(crate) fn lists_operands(&self) -> bool {
        self.inputs.is_some() || self.outputs.is_some()
    }
}

const OPTIONS: [&str; 18] = [
    "inputs",
    "outputs",
    "rename_all",
    "experimental",
    "unlocked",
    "cfg",
    "crate",
    "new",
    "alias",
    "deprecated",
    "revised",
    "moved_from",
    "types",
    "stateful",
    "commutative",
    "aggregate",
    "communication",
    "uninitialized",
];

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
        } else if !no_name(cx, &mut header, input)? {
            return options(cx, &mut header, input);
        }
        comma(cx, input)?;
        options(cx, &mut header, input)
    };
    cx.ok(parser.parse2(arguments));
    header
}

/// Says that the name does not stand where it should. What was meant is taken all the same where it can be seen, so
/// that the operator is not deleted as well. `false` where the options begin at once.
fn no_name(cx: &Ctxt, header: &mut Header, input: ParseStream<'_>) -> syn::Result<bool> {
    const FIRST: &str = "the first argument is the saved name, a string literal: `#[op(\"name\", …)]`";
    let Ok(word) = input.fork().call(Ident::parse_any) else {
        cx.error(input.span(), FIRST);
        skip_to_comma(input)?;
        return Ok(true);
    };
    if word == "name" && input.peek2(Token![=]) {
        cx.error(word.span(), "the name comes first and alone: `#[op(\"name\")]`");
        input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        header.name = input.parse().ok();
        return Ok(true);
    }
    let text = word.unraw().to_string();
    if OPTIONS.contains(&text.as_str()) || input.peek2(Token![=]) {
        cx.error(word.span(), FIRST);
        return Ok(false);
    }
    input.call(Ident::parse_any)?;
    if input.is_empty() || input.peek(Token![,]) {
        let hint = format!("the saved name is a string literal: `#[op({text:?})]`; a macro cannot read a constant");
        cx.error(word.span(), hint);
        header.name = Some(LitStr::new(&text, word.span()));
    } else {
        cx.error(word.span(), FIRST);
        skip_to_comma(input)?;
    }
    Ok(true)
}

fn options(cx: &Ctxt, header: &mut Header, input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        if let Err(error) = option(cx, header, input) {
            cx.push(error);
            skip_to_comma(input)?;
        }
        comma(cx, input)?;
    }
    Ok(())
}

fn option(cx: &Ctxt, header: &mut Header, input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        if header.name.is_some() {
            return Err(syn::Error::new(name.span(), "an operator has one saved name, its first argument"));
        }
        header.name = Some(name); // it was missed already where it should stand
        return Ok(());
    }
    let name = Ident::parse_any(input)?;
    let again = |set: bool| {
        if set {
            cx.error(name.span(), format!("`{name}` is said twice"));
        }
    };
    if header.history.option(cx, &name, input)? {
        return Ok(());
    }
    match name.to_string().as_str() {
        "inputs" => {
            again(header.inputs.is_some());
            header.inputs = Some(name.span());
            operands(cx, header, Kind::Input, &name, input)?;
        }
        "outputs" => {
            again(header.outputs.is_some());
            header.outputs = Some(name.span());
            operands(cx, header, Kind::Output, &name, input)?;
        }
        "rename_all" => {
            equals(&name, "\"PascalCase\"", input)?;
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
            parentheses(&name, "feature = \"cuda\"", input)?;
            let content;
            parenthesized!(content in input);
            let mut tokens: Vec<TokenTree> = content.parse::<TokenStream>()?.into_iter().collect();
            // As in `#[cfg(…)]`, a comma may follow the one condition.
            if tokens.len() > 1 {
                tokens.pop_if(|last| matches!(last, TokenTree::Punct(comma) if comma.as_char() == ','));
            }
            header.cfg = Some((tokens.into_iter().collect(), name.span()));
        }
        "revised" => header.revised.push(noted(cx, &name, "ties go to even", input)?),
        "moved_from" => {
            equals(&name, "\"vision-ops\"", input)?;
            again(header.moved_from.is_some());
            header.moved_from = Some(input.parse()?);
        }
        "types" => {
            again(!header.types.is_empty());
            header.types.append(&mut types(cx, &name, input)?);
        }
        "crate" => {
            equals(&name, "::path", input)?;
            again(header.krate.is_some());
            // serde writes the path as a string.
            header.krate = Some(if input.peek(LitStr) {
                input.parse::<LitStr>()?.parse_with(Path::parse_mod_style)?
            } else {
                input.call(Path::parse_mod_style)?
            });
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
            if let Some(flag) = Flags::NAMES.into_iter().find(|flag| *flag == other) {
                again(header.flags.iter().any(|(name, _)| *name == flag));
                header.flags.push((flag, name.span()));
                return Ok(());
            }
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
fn operands(cx: &Ctxt, header: &mut Header, kind: Kind, option: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    parentheses(option, "x, y(dispensable)", input)?;
    let content;
    parenthesized!(content in input);
    whole(&content, |content| operand_list(cx, header, kind, content))
}

fn operand_list(cx: &Ctxt, header: &mut Header, kind: Kind, content: ParseStream<'_>) -> syn::Result<()> {
    while !content.is_empty() {
        let (name, is_ident, span) = if content.peek(LitStr) {
            let name: LitStr = content.parse()?;
            (name.value(), false, name.span())
        } else {
            let name = Ident::parse_any(content)
                .map_err(|error| syn::Error::new(error.span(), format!("expected the name of an {kind}")))?;
            (name.unraw().to_string(), true, name.span())
        };
        let mut item = Item::new(kind);
        if content.peek(syn::token::Paren) {
            let marks;
            parenthesized!(marks in content);
            options_of_item(cx, &mut item, &marks)?;
        }
        header.operands.push(HeaderItem { name, is_ident, span, item });
        comma(cx, content)?;
    }
    Ok(())
}
