//! `#[upgrade]`: a function that carries nodes over a break.

use std::fmt::Write as _;

use oplock_core::collect::{Expansion, Record};
use oplock_core::judge::judge_new_upgrade;
use oplock_core::{COMMON, did_you_mean, report};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitStr, Token};

use crate::compare::write_record;
use crate::ctxt::Ctxt;
use crate::environment::{Mode, Package};
use crate::lock_crate::MODULE;
use crate::parse::number;
use crate::saved::mark;
use crate::tokens::{file_and_line, parse_text, respan, without_invisible_groups};

const SHAPE: &str = "`#[oplock::upgrade(op = \"pad\", before = 9)]`";
const ARGUMENTS: [&str; 2] = ["op", "before"];

/// Expands `#[upgrade(op = "…", before = N)]`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let cx = Ctxt::new();
    let arguments = read(&cx, arguments);
    let function = function(&item);
    if function.is_none() {
        cx.error(Span::call_site(), format!("{SHAPE} stands above a function"));
    }
    let mut output = item;
    let Arguments { op: Some(op), before: Some(before) } = arguments else {
        output.extend(cx.finish());
        return output;
    };
    let stale = compare(&cx, &op, before);
    let failed = cx.has_errors();
    output.extend(cx.finish());
    output.extend(block(&op, before, function.filter(|_| !failed), stale));
    output
}

struct Arguments {
    op: Option<LitStr>,
    before: Option<(u32, Span)>,
}

fn read(cx: &Ctxt, tokens: TokenStream) -> Arguments {
    let mut arguments = Arguments { op: None, before: None };
    let had_errors = |arguments: &Arguments| arguments.op.is_some() && arguments.before.is_some();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = argument(cx, &mut arguments, input) {
                cx.push(error);
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<TokenTree>()?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    cx.ok(parser.parse2(without_invisible_groups(tokens)));
    if !had_errors(&arguments) && !cx.has_errors() {
        cx.error(
            Span::call_site(),
            format!("an upgrade says of which operator, and for graphs saved before which data version: {SHAPE}"),
        );
    }
    arguments
}

fn argument(cx: &Ctxt, arguments: &mut Arguments, input: ParseStream<'_>) -> syn::Result<()> {
    let Ok(name) = Ident::parse_any(input) else {
        return Err(input.error(format!("an upgrade takes `op` and `before`: {SHAPE}")));
    };
    let text = name.to_string();
    if !ARGUMENTS.contains(&text.as_str()) {
        let hint = did_you_mean(&text, ARGUMENTS);
        return Err(syn::Error::new(name.span(), format!("an upgrade has no argument `{text}`{hint} ({SHAPE})")));
    }
    let equals: Token![=] =
        input.parse().map_err(|error| syn::Error::new(error.span(), format!("`{text}` takes a value: {SHAPE}")))?;
    let _ = equals;
    let is_twice = if text == "op" {
        let op = input
            .parse()
            .map_err(|error| syn::Error::new(error.span(), format!("`op` takes the saved name, a string: {SHAPE}")))?;
        arguments.op.replace(op).is_some()
    } else {
        let (before, at) = number(input, "before", input.span())?;
        if before == 1 {
            return Err(syn::Error::new(at, "no graph was saved before data version 1"));
        }
        arguments.before.replace((before, at)).is_some()
    };
    if is_twice {
        cx.error(name.span(), format!("`{text}` is said twice"));
    }
    Ok(())
}

/// The name of the function.
fn function(item: &TokenStream) -> Option<Ident> {
    let mut tokens = item.clone().into_iter();
    tokens.find(|tree| matches!(tree, TokenTree::Ident(ident) if ident == "fn"))?;
    match tokens.next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

/// Compares with the lock, or collects; why the lock is stale, if it is.
fn compare(cx: &Ctxt, op: &LitStr, (before, _): (u32, Span)) -> Option<String> {
    let name = op.value();
    // Why there is no mode or no lock is said once, by `lock!`.
    match Mode::current().ok()? {
        Mode::Collect(folder) => {
            let package = Package::current().ok()?;
            let (file, line) = file_and_line(op.span());
            let record = Record {
                manifest_dir: package.manifest_dir.to_string_lossy().into_owned(),
                crate_name: package.crate_name,
                file,
                line,
                of: Expansion::Upgrade(name, before),
            };
            if let Err(message) = write_record(&folder, &record) {
                cx.error(op.span(), message);
            }
            None
        }
        Mode::Enforce(loaded) => {
            let lock = loaded.lock.as_ref().ok()?;
            if !lock.ops.contains_key(&name) && lock.rows_of(&name).next().is_none() {
                if name == COMMON {
                    let message = "no release had attributes of all operators, so no graph has one to upgrade";
                    cx.error(op.span(), message);
                    return None;
                }
                let known = lock.ops.keys().chain(lock.ledger.keys().map(|key| &key.op));
                let hint = did_you_mean(&name, known.map(String::as_str));
                cx.error(
                    op.span(),
                    format!("no release had an operator `{name}`, so no graph has one to upgrade{hint}"),
                );
                return None;
            }
            if lock.upgrades.contains_key(&(name.clone(), before)) {
                return None;
            }
            let text = report::stale([&judge_new_upgrade(&name, before)]);
            if loaded.locked {
                cx.error(
                    op.span(),
                    format!("{text}\n  note: a stale lock is an error here (OPLOCK_LOCKED=1, or a packaged crate)"),
                );
                return None;
            }
            Some(text)
        }
    }
}

/// Its mark in the hidden module, a check of the version, and its record.
fn block(op: &LitStr, (before, at): (u32, Span), function: Option<Ident>, stale: Option<String>) -> TokenStream {
    let span = Span::call_site();
    let mark = mark(&op.value(), before);
    let mut body = respan(
        parse_text(&format!("use crate::{MODULE}::{{rt as __rt, Ops as __Ops, GRAPH as __GRAPH}};"), span),
        op.span().resolved_at(span),
    );
    // A second one for the same operator and version is an error at both.
    body.extend(respan(
        parse_text(&format!("impl __Ops {{ pub(crate) const {mark}: __rt::Mark = __rt::FAILED_MARK; }}"), span),
        op.span().resolved_at(span),
    ));
    let above = format!(
        "`before = {before}` is above the newest data version of graphs: declare it in `oplock::lock!`, under `saved graph`: `version {before} = \"what breaks\";`"
    );
    body.extend(respan(
        parse_text(&format!("const _: () = if {before} > __GRAPH.producer {{ panic!({above:?}) }};"), span),
        at.resolved_at(span),
    ));
    if let Some(function) = function {
        let cargo = |name| std::env::var(name).unwrap_or_default();
        let (package, version, name) = (cargo("CARGO_PKG_NAME"), cargo("CARGO_PKG_VERSION"), op.value());
        let mut text = format!("__rt::upgrade! {{ package: {package:?}, version: {version:?}, op: {name:?}, ");
        let _ = write!(text, "before: {before}, function: {function} }}");
        // Where the function is of another type, that is said at its name.
        body.extend(respan(parse_text(&text, span), function.span().resolved_at(span)));
        if let Some(stale) = stale {
            body.extend(parse_text(
                &format!(
                    "__rt::inventory::submit! {{ __rt::Submission::Stale {{ package: {package:?}, text: {stale:?} }} }}"
                ),
                span,
            ));
            body.extend(respan(
                parse_text(
                    &format!("#[warn(warnings, deprecated)] const _: () = {{ #[deprecated(note = {stale:?})] const ops_lock_is_stale: () = (); ops_lock_is_stale }};"),
                    span,
                ),
                op.span().resolved_at(span),
            ));
        }
    }
    let allow = "#[allow(non_local_definitions)] const _: () =";
    let mut output = parse_text(allow, span);
    output.extend([TokenTree::Group(proc_macro2::Group::new(proc_macro2::Delimiter::Brace, body))]);
    output.extend(parse_text(";", span));
    output
}
