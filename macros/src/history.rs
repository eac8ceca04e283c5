//! Judges what a declaration says of other names and of data versions, by itself: held against what was released it is
//! by `compare`.

use oplock_core::{Deprecated, Kind, Map, OpDef, Revision, Set, Str, check_item_name, check_op_name};
use proc_macro2::Span;
use syn::{Lit, LitStr};

use crate::ctxt::Ctxt;
use crate::parse::{Header, History, Noted};

/// Where an operator or item says its other names and its end.
#[derive(Default)]
pub(crate) struct HistoryPlaces {
    pub(crate) aliases: Vec<(String, Span)>,
    pub(crate) deprecated: Option<Span>,
    pub(crate) revised: Vec<(u32, Span)>,
    pub(crate) moved_from: Option<Span>,
}

/// The names that an operator (`None`) or item had before, and where they stand.
pub(crate) fn aliases(cx: &Ctxt, kind: Option<Kind>, name: &str, history: &History) -> (Vec<Str>, Vec<(String, Span)>) {
    let mut places: Vec<(String, Span)> = Vec::new();
    for lit in &history.aliases {
        let alias = lit.value();
        let checked = if kind.is_some() { check_item_name(&alias) } else { check_op_name(&alias) };
        let what = kind.map_or("operator", Kind::noun);
        if let Err(error) = checked {
            cx.error(lit.span(), error);
        } else if alias == name {
            cx.error(lit.span(), format!("`{alias}` is the {what}'s own name: an alias is one that it had before"));
        } else if places.iter().any(|(other, _)| *other == alias) {
            cx.error(lit.span(), format!("the alias `{alias}` is said twice"));
        } else {
            places.push((alias, lit.span()));
        }
    }
    (places.iter().map(|(alias, _)| alias.clone().into()).collect(), places)
}

/// A deprecation that can be understood, and where its data version stands.
pub(crate) fn deprecated(cx: &Ctxt, history: &History) -> (Option<Deprecated>, Option<Span>) {
    let Some(noted) = &history.deprecated else { return (None, None) };
    let said = said(cx, noted, "deprecated", "say what to use instead");
    (said.map(|(version, note)| Deprecated { version, note }), Some(span_of(noted)))
}

fn span_of(noted: &Noted) -> Span {
    noted.version.as_ref().map_or(noted.span, Lit::span)
}

/// The version and the note, or errors where they should stand.
fn said(cx: &Ctxt, noted: &Noted, option: &str, why: &str) -> Option<(u32, Str)> {
    let missing = |part: &str, why: &str| {
        if !noted.faulty {
            cx.error(noted.span, format!("`{option}` lacks its `{part}`: {why}"));
        }
    };
    if noted.version.is_none() {
        missing("version", "the data version of graphs from which it holds, `version = 8`");
    }
    let version = noted.version.as_ref().and_then(|lit| version(cx, lit));
    let note = match &noted.note {
        Some(lit) if lit.value().trim().is_empty() => {
            cx.error(lit.span(), format!("the note is empty: {why}"));
            None
        }
        Some(lit) => Some(lit.value()),
        None => {
            missing("note", &format!("{why}, `note = \"…\"`"));
            None
        }
    };
    Some((version?, note?.into()))
}

fn version(cx: &Ctxt, lit: &Lit) -> Option<u32> {
    let number = match lit {
        Lit::Int(int) if int.suffix().is_empty() => int.base10_parse::<u32>().ok(),
        _ => None,
    };
    let number = number.filter(|number| *number > 0);
    if number.is_none() {
        cx.error(lit.span(), format!("a data version is a whole number from 1 to {}", u32::MAX));
    }
    number
}

/// What the header says of the operator's past and end, put into its definition.
pub(crate) fn of_operator(cx: &Ctxt, header: &Header, def: &mut OpDef) -> HistoryPlaces {
    let (aliases, alias_places) = aliases(cx, None, &def.name, &header.history);
    let (deprecated, deprecated_at) = deprecated(cx, &header.history);
    let mut places = HistoryPlaces { aliases: alias_places, deprecated: deprecated_at, ..HistoryPlaces::default() };
    let mut revisions: Vec<Revision> = Vec::new();
    for noted in &header.revised {
        let Some((version, note)) = said(cx, noted, "revised", "say what changed") else { continue };
        if revisions.iter().any(|revision| revision.version == version) {
            cx.error(span_of(noted), format!("the revision of data version {version} is said twice"));
            continue;
        }
        places.revised.push((version, span_of(noted)));
        revisions.push(Revision { version, note });
    }
    (def.aliases, def.deprecated, def.revisions) = (aliases.into(), deprecated, revisions.into());
    if let Some(lit) = &header.moved_from {
        places.moved_from = Some(lit.span());
        def.moved_from = moved_from(cx, lit);
    }
    places
}

/// The package that owned the operator before.
fn moved_from(cx: &Ctxt, lit: &LitStr) -> Option<Str> {
    let package = lit.value();
    let is_name = package.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && package.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if !is_name {
        cx.error(lit.span(), format!("{package:?} is not the name of a package, as `name` in its Cargo.toml says it"));
        return None;
    }
    if std::env::var("CARGO_PKG_NAME").is_ok_and(|own| own == package) {
        cx.error(lit.span(), format!("`{package}` is this package: say the one that owned the operator before"));
        return None;
    }
    Some(package.into())
}

/// Each alias of an item that stands for something else of the operator as well.
pub(crate) fn ambiguous<'a>(
    cx: &Ctxt,
    names: &Set<(Kind, String)>,
    items: impl IntoIterator<Item = (Kind, &'a str, &'a [(String, Span)])>,
) {
    let mut owners: Map<(Kind, &str), &str> = Map::new();
    for (kind, item, aliases) in items {
        for (alias, span) in aliases {
            if names.contains(&(kind, alias.clone())) {
                cx.error(
                    *span,
                    format!("`{alias}` is an {kind} of this operator: an alias is a name that nothing has any more"),
                );
            } else if let Some(other) = owners.insert((kind, alias), item) {
                cx.error(
                    *span,
                    format!("`{alias}` is an alias of {kind} `{other}` already: a name stands for one thing"),
                );
            }
        }
    }
}
