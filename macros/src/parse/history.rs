//! What a declaration says of other names and of data versions: `alias("…")`, `deprecated(…)` and `revised(…)`.

use oplock_core::did_you_mean;
use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Lit, LitStr, Token, parenthesized};

use super::attributes::{comma, equals, parentheses, skip_to_comma, whole};
use crate::ctxt::Ctxt;

/// What is said of an operator's or item's other names and of its end.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) deprecated: Option<Box<Noted>>,
}

/// A data version, and what a person is told.
pub(crate) struct Noted {
    /// The option's own name.
    pub(crate) span: Span,
    pub(crate) version: Option<Lit>,
    pub(crate) note: Option<LitStr>,
    /// Whether something in it could not be read, so that what is missing may have been meant by it.
    pub(crate) faulty: bool,
}

impl History {
    /// Reads `alias` or `deprecated`; `false` where the option is another.
    pub(super) fn option(&mut self, cx: &Ctxt, name: &Ident, input: ParseStream<'_>) -> syn::Result<bool> {
        match name.unraw().to_string().as_str() {
            "alias" => {
                parentheses(name, "\"old name\"", input)?;
                let content;
                parenthesized!(content in input);
                let read = |content: ParseStream<'_>| content.parse_terminated(<LitStr as Parse>::parse, Token![,]);
                let names = whole(&content, |content| read(content))?;
                if names.is_empty() {
                    cx.error(name.span(), "`alias` says the name under which graphs were saved: `alias(\"old name\")`");
                }
                self.aliases.extend(names);
            }
            "deprecated" => {
                if self.deprecated.is_some() {
                    cx.error(name.span(), "`deprecated` is said twice");
                }
                self.deprecated = Some(Box::new(noted(cx, name, "use …", input)?));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// `(version = 8, note = "…")`.
pub(super) fn noted(cx: &Ctxt, option: &Ident, note: &str, input: ParseStream<'_>) -> syn::Result<Noted> {
    let example = format!("version = 8, note = \"{note}\"");
    parentheses(option, &example, input)?;
    let content;
    parenthesized!(content in input);
    let mut noted = Noted { span: option.span(), version: None, note: None, faulty: false };
    whole(&content, |content| {
        while !content.is_empty() {
            if let Err(error) = field(cx, &mut noted, option, &example, content) {
                noted.faulty = true;
                cx.push(error);
                skip_to_comma(content)?;
            }
            noted.faulty |= !comma(cx, content)?;
        }
        Ok(())
    })?;
    Ok(noted)
}

fn field(cx: &Ctxt, noted: &mut Noted, option: &Ident, example: &str, content: ParseStream<'_>) -> syn::Result<()> {
    if content.peek(Lit) {
        let lit: Lit = content.fork().parse()?;
        return Err(syn::Error::new(
            lit.span(),
            format!("each part of `{option}` is said by name: `{option}({example})`"),
        ));
    }
    let name = Ident::parse_any(content)?;
    let again = |set: bool| {
        if set {
            cx.error(name.span(), format!("`{name}` is said twice"));
        }
    };
    match name.to_string().as_str() {
        "version" => {
            equals(&name, "8", content)?;
            again(noted.version.is_some());
            noted.version = Some(content.parse()?);
        }
        "note" => {
            equals(&name, "\"…\"", content)?;
            again(noted.note.is_some());
            noted.note = Some(content.parse()?);
        }
        other => {
            let hint = did_you_mean(other, ["version", "note"]);
            let message = format!("`{option}` has no option `{other}`{hint} (the options: version, note)");
            return Err(syn::Error::new(name.span(), message));
        }
    }
    Ok(())
}
