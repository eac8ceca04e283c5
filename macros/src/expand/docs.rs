//! The table of inputs, outputs and attributes in the operator's documentation.

use std::fmt::Write as _;

use oplock_core::{Deprecated, Kind, Part, Revision, Str, TypeVar};
use proc_macro2::TokenStream;
use quote::quote;

use crate::validate::Signature;

/// A `#[doc]` attribute with the table, below the author's own text.
pub(super) fn table(signature: &Signature) -> TokenStream {
    let def = &signature.def;
    let mut text = format!("\n\nSaved as `{}`.", def.name);
    if let Some(cfg) = &def.cfg {
        let _ = write!(text, " Exists where `cfg({cfg})` holds.");
    }
    if def.experimental {
        text.push_str(" Experimental: outside the compatibility guarantee.");
    }
    text.push_str(&past(&def.aliases, def.deprecated.as_ref()));
    for Revision { version, note } in def.revisions.iter() {
        let _ = write!(text, " Revised in data version {version}: {}.", cell(note));
    }
    if let Some(package) = &def.moved_from {
        let _ = write!(text, " Came from the package `{package}`.");
    }
    for (name, _) in def.flags.each().into_iter().filter(|(_, set)| *set) {
        let _ = write!(text, " Is `{name}`.");
    }
    for TypeVar { name, allowed } in def.types.iter() {
        let _ = write!(
            text,
            " `{}` stands for {}.",
            cell(name),
            if allowed.is_empty() { "any type".to_owned() } else { list(allowed) }
        );
    }
    text.push('\n');
    for (kind, title) in [(Kind::Input, "Input"), (Kind::Output, "Output")] {
        let args = def.args(kind);
        if args.is_empty() {
            continue;
        }
        let _ = write!(text, "\n| {title} | marks | |\n|---|---|---|\n");
        for arg in args {
            let marks = [
                (arg.dispensable, "dispensable"),
                (arg.duplicable, "duplicable"),
                (arg.intermediate, "intermediate"),
                (arg.part == Part::Extra, "extra"),
                (arg.part == Part::Quant, "quant"),
                (arg.heterogeneous, "heterogeneous"),
                (arg.by_ref, "by_ref"),
            ];
            let mut docs = docs(signature, kind, &arg.name);
            if let Some(ty) = &arg.ty {
                let _ = write!(docs, " Of type `{}`.", cell(ty.name()));
            }
            if let Some(count) = &arg.count {
                let _ = write!(docs, " As many as `{}` says.", cell(count));
            }
            if let Some(min) = arg.min {
                let _ = write!(docs, " At least {min}.");
            }
            docs.push_str(&past(&arg.aliases, arg.deprecated.as_ref()));
            let _ = writeln!(text, "| `{}` | {} | {docs} |", cell(&arg.name), words(&marks));
        }
    }
    if !def.attrs.is_empty() {
        text.push_str("\n| Attribute | type | default | marks | |\n|---|---|---|---|---|\n");
        for attr in def.attrs.iter() {
            let marks = [
                (attr.generated, "generated"),
                (attr.part == Part::Extra, "extra"),
                (attr.part == Part::Quant, "quant"),
            ];
            let default =
                attr.default.as_ref().map(|value| format!("`{}`", cell(&value.to_string()))).unwrap_or_default();
            let mut docs = docs(signature, Kind::Attr, &attr.name);
            if let Some(min) = attr.min {
                let _ = write!(docs, " {} {min}.", if attr.ty.depth > 0 { "Length at least" } else { "At least" });
            }
            if !attr.values.is_empty() {
                let _ = write!(docs, " One of {}.", list(&attr.values));
            }
            docs.push_str(&past(&attr.aliases, attr.deprecated.as_ref()));
            let _ =
                writeln!(text, "| `{}` | `{}` | {default} | {} | {docs} |", cell(&attr.name), attr.ty, words(&marks));
        }
    }
    quote!(#[doc = #text])
}

/// Other names, and since when it is not to be used.
fn past(aliases: &[Str], deprecated: Option<&Deprecated>) -> String {
    let mut text = String::new();
    if !aliases.is_empty() {
        let names: Vec<_> = aliases.iter().map(|alias| format!("`{}`", cell(alias))).collect();
        let _ = write!(text, " Read under the name {} too.", names.join(" or "));
    }
    if let Some(Deprecated { version, note }) = deprecated {
        let _ = write!(text, " **Deprecated** from data version {version}: {}.", cell(note));
    }
    text
}

fn docs(signature: &Signature, kind: Kind, name: &str) -> String {
    let place = signature.places.iter().find(|place| place.kind == kind && place.name == name);
    place.map(|place| cell(&place.docs)).unwrap_or_default()
}

fn words(marks: &[(bool, &str)]) -> String {
    let words: Vec<_> = marks.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
    words.join(", ")
}

/// `` `a`, `b` ``
fn list(texts: &[Str]) -> String {
    let texts: Vec<_> = texts.iter().map(|text| format!("`{}`", cell(text))).collect();
    texts.join(", ")
}

/// Text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '`'], " ")
}
