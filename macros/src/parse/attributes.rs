//! The attributes of a field: `#[input]`, `#[output]`, `#[attr]` and `#[skip]`.

use oplock_core::{Kind, did_you_mean};
use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Ident, LitStr, Meta, Token, bracketed};

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
    pub(crate) values: Option<(Vec<LitStr>, Span)>,
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
}

impl Mark {
    pub(crate) const ALL: [Mark; 6] =
        [Mark::Dispensable, Mark::Duplicable, Mark::Intermediate, Mark::Generated, Mark::Extra, Mark::Quant];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Mark::Dispensable => "dispensable",
            Mark::Duplicable => "duplicable",
            Mark::Intermediate => "intermediate",
            Mark::Generated => "generated",
            Mark::Extra => "extra",
            Mark::Quant => "quant",
        }
    }

    const fn is_for(self, kind: Kind) -> bool {
        match self {
            Mark::Dispensable | Mark::Duplicable | Mark::Intermediate => !matches!(kind, Kind::Attr),
            Mark::Generated => matches!(kind, Kind::Attr),
            Mark::Extra | Mark::Quant => true,
        }
    }
}

impl Item {
    pub(crate) fn new(kind: Kind) -> Self {
        Item { kind, name: None, marks: Vec::new(), default: None, ty: None, values: None }
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
        let own: &[&str] = if kind == Kind::Attr { &["name", "default", "as", "values"] } else { &["name"] };
        own.iter().copied().chain(marks).collect()
    }

    /// Reads one option whose name was read already.
    pub(super) fn option(&mut self, cx: &Ctxt, name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let text = name.unraw().to_string();
        let kind = self.kind;
        let again = |set: bool| {
            if set {
                cx.error(name.span(), format!("`{text}` is said twice"));
            }
        };
        match text.as_str() {
            "name" => {
                input.parse::<Token![=]>()?;
                again(self.name.is_some());
                self.name = Some(input.parse()?);
            }
            "default" if kind == Kind::Attr => {
                input.parse::<Token![=]>()?;
                again(self.default.is_some());
                self.default = Some(literal::parse(input)?);
            }
            "as" if kind == Kind::Attr => {
                input.parse::<Token![=]>()?;
                again(self.ty.is_some());
                self.ty = Some(input.parse()?);
            }
            "values" if kind == Kind::Attr => {
                input.parse::<Token![=]>()?;
                again(self.values.is_some());
                let content;
                let bracket = bracketed!(content in input);
                let values = content.parse_terminated(<LitStr as syn::parse::Parse>::parse, Token![,])?;
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

fn unknown(name: &Ident, text: &str, kind: Kind) -> syn::Error {
    let options = Item::options(kind);
    let elsewhere = Mark::ALL.into_iter().any(|mark| mark.name() == text);
    let article = if kind == Kind::Output || kind == Kind::Input || kind == Kind::Attr { "an" } else { "a" };
    let message = if elsewhere {
        let other = if kind == Kind::Attr { "inputs and outputs" } else { "attributes" };
        let hint = if text == "dispensable" { "; an attribute that may be left out has a `default`" } else { "" };
        format!("`{text}` is a mark of {other}{hint}")
    } else {
        let hint = did_you_mean(text, options.iter().copied());
        format!("{article} {kind} has no option `{text}`{hint} (the options: {})", options.join(", "))
    };
    syn::Error::new(name.span(), message)
}

/// Reads the attribute of a field; `None` where it says nothing that can be used.
pub(super) fn parse(cx: &Ctxt, name: &str, attribute: &Attribute) -> Option<Mode> {
    let kind = match name {
        "input" => Kind::Input,
        "output" => Kind::Output,
        "attr" => Kind::Attr,
        _ => {
            if !matches!(attribute.meta, Meta::Path(_)) {
                cx.error(attribute.path().segments[0].ident.span(), "`#[skip]` takes no options");
            }
            return Some(Mode::Skip);
        }
    };
    let mut item = Item::new(kind);
    match &attribute.meta {
        Meta::Path(_) => {}
        Meta::List(list) => {
            let tokens = without_invisible_groups(list.tokens.clone());
            let parser = |input: ParseStream<'_>| options(cx, &mut item, input);
            cx.ok(parser.parse2(tokens));
        }
        Meta::NameValue(meta) => {
            let hint = format!("`{name}` takes options in parentheses: `#[{name}(name = \"…\")]`");
            cx.error(meta.eq_token.spans[0], hint);
        }
    }
    Some(Mode::Item(item))
}

/// Reads options up to the end; after one that cannot be read it goes on behind the next comma.
fn options(cx: &Ctxt, item: &mut Item, input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        let result = Ident::parse_any(input).and_then(|name| item.option(cx, &name, input));
        if let Err(error) = result {
            cx.push(error);
            skip_to_comma(input)?;
        }
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            cx.push(input.error("expected `,`"));
            skip_to_comma(input)?;
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

pub(super) fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
