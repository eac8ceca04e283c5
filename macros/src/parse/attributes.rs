//! The attributes of a field: `#[input]`, `#[output]`, `#[attr]` and `#[skip]`.

use oplock_core::{Kind, did_you_mean};
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseBuffer, ParseStream};
use syn::{Attribute, Ident, LitStr, Meta, Token, bracketed};

use super::element::{self, Of};
use super::history::History;
use super::literal::{self, Literal};
use crate::ctxt::Ctxt;
use crate::tokens::without_invisible_groups;

/// The names of oplock's own field attributes.
pub(crate) const HELPERS: [&str; 4] = ["input", "output", "attr", "skip"];

/// What a field is.
pub(crate) enum Mode {
    Item(Item),
    Skip,
}

/// What an attribute says of an input, output or attribute.
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) name: Option<LitStr>,
    pub(crate) marks: Vec<(Mark, Span)>,
    pub(crate) default: Option<Literal>,
    pub(crate) ty: Option<LitStr>,
    pub(crate) min: Option<Box<Literal>>,
    pub(crate) values: Option<(Vec<LitStr>, Span)>,
    /// The element type and the number of an operand.
    pub(crate) of: Option<Box<Of>>,
    pub(crate) history: History,
    /// Whether some option could not be read, so that what is missing may have been meant by it.
    pub(crate) faulty: bool,
}

/// A marker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Dispensable,
    Duplicable,
    Intermediate,
    Generated,
    Extra,
    Quant,
    Heterogeneous,
    ByRef,
}

impl Mark {
    pub(crate) const ALL: [Mark; 8] = [
        Mark::Dispensable,
        Mark::Duplicable,
        Mark::Intermediate,
        Mark::Generated,
        Mark::Extra,
        Mark::Quant,
        Mark::Heterogeneous,
        Mark::ByRef,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Mark::Dispensable => "dispensable",
            Mark::Duplicable => "duplicable",
            Mark::Intermediate => "intermediate",
            Mark::Generated => "generated",
            Mark::Extra => "extra",
            Mark::Quant => "quant",
            Mark::Heterogeneous => "heterogeneous",
            Mark::ByRef => "by_ref",
        }
    }

    const fn is_for(self, kind: Kind) -> bool {
        match self {
            Mark::Dispensable | Mark::Duplicable | Mark::Intermediate | Mark::Heterogeneous | Mark::ByRef => {
                !matches!(kind, Kind::Attr)
            }
            Mark::Generated => matches!(kind, Kind::Attr),
            Mark::Extra | Mark::Quant => true,
        }
    }
}

impl Item {
    pub(crate) fn new(kind: Kind) -> Self {
        Item {
            kind,
            name: None,
            marks: Vec::new(),
            default: None,
            ty: None,
            min: None,
            values: None,
            of: None,
            history: History::default(),
            faulty: false,
        }
    }

    /// Where a marker stands.
    pub(crate) fn mark(&self, mark: Mark) -> Option<Span> {
        self.marks.iter().find(|(m, _)| *m == mark).map(|(_, span)| *span)
    }

    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.mark(mark).is_some()
    }

    /// The options of a kind of item, for a message.
    fn options(kind: Kind) -> Vec<&'static str> {
        let marks = Mark::ALL.into_iter().filter(|mark| mark.is_for(kind)).map(Mark::name);
        let own: &[&str] =
            if kind == Kind::Attr { &["name", "default", "as", "min", "values"] } else { &["name", "of", "min"] };
        own.iter().copied().chain(marks).chain(["alias", "deprecated"]).collect()
    }

    /// Reads one option whose name was read already.
    pub(super) fn option(&mut self, cx: &Ctxt, name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        if self.history.option(cx, name, input)? {
            return Ok(());
        }
        let text = name.unraw().to_string();
        let kind = self.kind;
        let again = |set: bool| {
            if set {
                cx.error(name.span(), format!("`{text}` is said twice"));
            }
        };
        match text.as_str() {
            "name" => {
                equals(name, "\"…\"", input)?;
                again(self.name.is_some());
                self.name = Some(input.parse()?);
            }
            "default" if kind == Kind::Attr => {
                equals(name, "…", input)?;
                again(self.default.is_some());
                self.default = Some(literal::parse(input)?);
            }
            "as" if kind == Kind::Attr => {
                equals(name, "\"[i64]\"", input)?;
                again(self.ty.is_some());
                self.ty = Some(input.parse()?);
            }
            "of" if kind != Kind::Attr => {
                again(self.of.is_some());
                self.of = Some(Box::new(element::of(name, input)?));
            }
            "min" => {
                equals(name, "1", input)?;
                again(self.min.is_some());
                self.min = Some(Box::new(literal::parse(input)?));
            }
            "values" if kind == Kind::Attr => {
                equals(name, "[\"…\", \"…\"]", input)?;
                again(self.values.is_some());
                let content;
                let bracket = bracketed!(content in input);
                let values = whole(&content, |content| content.parse_terminated(<LitStr as Parse>::parse, Token![,]))?;
                self.values = Some((values.into_iter().collect(), bracket.span.join()));
            }
            other => match Mark::ALL.into_iter().find(|mark| mark.name() == other && mark.is_for(kind)) {
                Some(mark) => {
                    again(self.has(mark));
                    self.marks.push((mark, name.span()));
                }
                None => return Err(unknown(name, &text, kind)),
            },
        }
        Ok(())
    }
}

/// The `=` between an option and its value.
pub(super) fn equals(name: &Ident, example: &str, input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(Token![=]) {
        return input.parse::<Token![=]>().map(drop);
    }
    let name_text = name.unraw();
    Err(syn::Error::new(name.span(), format!("`{name_text}` takes a value: `{name_text} = {example}`")))
}

/// The parentheses behind an option.
pub(super) fn parentheses(option: &Ident, example: &str, input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(syn::token::Paren) {
        return Ok(());
    }
    Err(syn::Error::new(option.span(), format!("`{option}` takes its value in parentheses: `{option}({example})`")))
}

/// Reads what is inside brackets; after an error nothing is left there, of which `syn` would complain as well.
pub(super) fn whole<'a, T>(
    content: &ParseBuffer<'a>,
    read: impl FnOnce(&ParseBuffer<'a>) -> syn::Result<T>,
) -> syn::Result<T> {
    let result = read(content);
    if result.is_err() {
        content.parse::<TokenStream>()?;
    }
    result
}

fn unknown(name: &Ident, text: &str, kind: Kind) -> syn::Error {
    let options = Item::options(kind);
    let elsewhere = Mark::ALL.into_iter().any(|mark| mark.name() == text);
    let message = if elsewhere {
        let other = if kind == Kind::Attr { "inputs and outputs" } else { "attributes" };
        let hint = if text == "dispensable" { "; an attribute that may be left out has a `default`" } else { "" };
        format!("`{text}` is a mark of {other}{hint}")
    } else {
        let hint = did_you_mean(text, options.iter().copied());
        format!("an {kind} has no option `{text}`{hint} (the options: {})", options.join(", "))
    };
    syn::Error::new(name.span(), message)
}

/// Reads the attribute of a field.
pub(super) fn parse(cx: &Ctxt, name: &str, attribute: &mut Attribute) -> Mode {
    let kind = match name {
        "input" => Kind::Input,
        "output" => Kind::Output,
        "attr" => Kind::Attr,
        _ => {
            if !matches!(attribute.meta, Meta::Path(_)) {
                cx.error(attribute.path().segments[0].ident.span(), "`#[skip]` takes no options");
            }
            return Mode::Skip;
        }
    };
    let mut item = Item::new(kind);
    match &mut attribute.meta {
        Meta::Path(_) => {}
        Meta::List(list) => {
            // Parsed as a list, so that what is missing at its end is missed there.
            list.tokens = without_invisible_groups(std::mem::take(&mut list.tokens));
            let read = cx.ok(list.parse_args_with(|input: ParseStream<'_>| options(cx, &mut item, input)));
            item.faulty |= read.is_none();
        }
        Meta::NameValue(meta) => {
            let hint = format!("`{name}` takes options in parentheses: `#[{name}(name = \"…\")]`");
            cx.error(meta.eq_token.spans[0], hint);
            item.faulty = true;
        }
    }
    Mode::Item(item)
}

/// Reads options up to the end; after one that cannot be read it goes on behind the next comma.
pub(super) fn options(cx: &Ctxt, item: &mut Item, input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        let result = option_name(input).and_then(|name| item.option(cx, &name, input));
        if let Err(error) = result {
            item.faulty = true;
            cx.push(error);
            skip_to_comma(input)?;
        }
        item.faulty |= !comma(cx, input)?;
    }
    Ok(())
}

fn option_name(input: ParseStream<'_>) -> syn::Result<Ident> {
    if input.peek(LitStr) {
        let name: LitStr = input.fork().parse()?;
        return Err(syn::Error::new(name.span(), format!("a saved name is said with `name = {:?}`", name.value())));
    }
    Ident::parse_any(input)
}

/// Reads the comma behind an option, if one follows. Where it was forgotten it says so, and returns `false`.
pub(super) fn comma(cx: &Ctxt, input: ParseStream<'_>) -> syn::Result<bool> {
    let there = input.is_empty() || input.peek(Token![,]);
    if !there {
        cx.push(input.error("expected `,`"));
    }
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
    }
    Ok(there)
}

pub(super) fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
