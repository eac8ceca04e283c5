//! What takes the place of a declaration: the struct, a table and a few calls into the library.
//!
//! How much is emitted decides how fast every user's crate compiles: one table, one `read`, one `write`, one mark.

mod constructor;
mod docs;
mod table;

use std::fmt::Write as _;

use oplock_core::{OpDef, mangle_op_name};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use crate::compare::{Outcome, compare};
use crate::ctxt::Ctxt;
use crate::lock_crate::MODULE;
use crate::parse::{self, Declaration};
use crate::tokens::{parse_text, respan};
use crate::validate::{Role, Signature, signature};

/// Expands `#[op(…)]`.
pub(crate) fn op(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let cx = Ctxt::new();
    let mut declaration = match parse::declaration(&cx, arguments, item) {
        Ok(declaration) => declaration,
        Err(mut item) => {
            item.extend(cx.finish());
            return item;
        }
    };
    let signature = signature(&cx, &declaration);
    let outcome = if cx.has_errors() {
        Outcome { in_lock: false, stale: None }
    } else {
        compare(&cx, &signature, declaration.header.unlocked.is_some())
    };
    let condition = condition(&declaration, &signature.def);
    declaration.item.attrs.push(docs::table(&signature));
    let mut output = condition.clone();
    declaration.item.to_tokens(&mut output);
    let failed = cx.has_errors();
    output.extend(cx.finish());
    output.extend(condition);
    output.extend(block(&declaration, &signature, &outcome, failed));
    output
}

/// `#[cfg(…)]` on all that is emitted; an attribute macro never sees one above itself.
fn condition(declaration: &Declaration, def: &OpDef) -> TokenStream {
    match (&declaration.header.cfg, &def.cfg) {
        (Some((tokens, _)), Some(_)) => quote!(#[cfg(#tokens)]),
        _ => TokenStream::new(),
    }
}

/// The one block with everything but the struct.
fn block(declaration: &Declaration, signature: &Signature, outcome: &Outcome, failed: bool) -> TokenStream {
    let span = Span::call_site();
    let unlocked = declaration.header.unlocked.is_some();
    let mut body = imports(declaration, signature, unlocked);
    if failed {
        // So that one mistake is one message: the type is still an operator, and not deleted.
        if declaration.item.generics.params.is_empty() {
            let text = format!(
                "impl rt::Op for {} {{ const DEF: &'static rt::OpDef = &rt::FAILED; }}",
                declaration.item.ident
            );
            body.extend(parse_text(&text, span));
            if !unlocked && declaration.header.name.is_some() {
                body.extend(mark(declaration, signature, ""));
            }
        }
    } else {
        body.extend(table::impl_op(declaration, signature));
        body.extend(impl_bind(declaration, signature));
        body.extend(constructor::constructor(declaration, signature));
        let stale = outcome.stale.as_deref().unwrap_or_default();
        if !unlocked {
            body.extend(mark(declaration, signature, if outcome.in_lock { stale } else { "" }));
        }
        if !outcome.in_lock {
            body.extend(submission(declaration, signature, stale));
        }
        if !stale.is_empty() {
            body.extend(warning(signature.name_span, stale));
        }
    }
    let allow = "#[allow(non_upper_case_globals, non_local_definitions, unused_imports)] const _: () =";
    let mut output = parse_text(allow, span);
    output.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    output.extend(parse_text(";", span));
    output
}

fn imports(declaration: &Declaration, signature: &Signature, unlocked: bool) -> TokenStream {
    if let Some(path) = declaration.header.krate.as_ref().filter(|_| unlocked) {
        return quote!(use #path::__private as rt;);
    }
    let text = if unlocked {
        "use ::oplock::__private as rt;".to_owned()
    } else {
        format!("use crate::{MODULE}::{{rt, Ops}};")
    };
    // Where there is no `lock!`, this is the error, and it stands at the operator's name.
    respan(parse_text(&text, Span::call_site()), signature.name_span.resolved_at(Span::call_site()))
}

/// Conversions to and from a node.
fn impl_bind(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let mut bounds = TokenStream::new();
    let (mut read, mut args, mut attrs) = (String::new(), vec![String::new(); 0], Vec::new());
    args.resize(signature.def.inputs.len() + signature.def.outputs.len(), String::new());
    for (field, role) in declaration.fields.iter().zip(&signature.roles) {
        let member = field.member.to_token_stream();
        match role {
            Role::Arg { index, is_var, .. } => {
                let _ = write!(read, "{member}: r.arg({index})?, ");
                args[*index] = format!("&self.{member}, ");
                if !is_var {
                    let ty = declaration.ty(field);
                    bounds.extend(quote_spanned!(field.span=> for<'oplock> #ty: rt::ArgField<'oplock>,));
                }
            }
            Role::Attr { index, .. } => {
                let _ = write!(read, "{member}: r.attr({index})?, ");
                attrs.push(format!("&self.{member}, "));
            }
            Role::Skip => {
                let _ = write!(read, "{member}: rt::absent(), ");
            }
        }
    }
    let name = &declaration.item.ident;
    let (args, attrs) = (args.concat(), attrs.concat());
    let methods = format!(
        "fn read(r: &rt::Reader<'_>) -> rt::Result<Self, rt::BindError> {{ rt::Ok({name} {{ {read} }}) }}\n\
         fn write(&self, w: &mut rt::Writer<'_>) -> rt::Result<(), rt::BindError> {{ w.all(&[{args}], &[{attrs}]) }}"
    );
    let span = Span::call_site();
    let mut output = parse_text(&format!("impl rt::Bind for {name}"), span);
    if !bounds.is_empty() {
        output.extend(quote!(where #bounds));
    }
    output.extend([TokenTree::Group(Group::new(Delimiter::Brace, parse_text(&methods, span)))]);
    output
}

/// The operator's mark in the hidden module: `lock!` looks for it, and a second one of the name is an error at both.
fn mark(declaration: &Declaration, signature: &Signature, stale: &str) -> TokenStream {
    let Some(name) = &declaration.header.name else { return TokenStream::new() };
    let (file, line) = position(signature);
    let ty = &declaration.item.ident;
    let text = format!(
        "impl Ops {{ pub(crate) const {}: rt::Mark = rt::Some(&rt::Record::of::<{ty}>({file:?}, {line}, {stale:?})); }}",
        mangle_op_name(&name.value())
    );
    respan(parse_text(&text, Span::call_site()), signature.name_span.resolved_at(Span::call_site()))
}

/// A record of the operator's own, for one that is not in the crate's table.
fn submission(declaration: &Declaration, signature: &Signature, stale: &str) -> TokenStream {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let (package, version) = (variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION"));
    let (file, line) = position(signature);
    let ty = &declaration.item.ident;
    let text = format!(
        "rt::inventory::submit! {{ rt::Submission::Op {{ package: {package:?}, version: {version:?}, \
         record: rt::Record::of::<{ty}>({file:?}, {line}, {stale:?}) }} }}"
    );
    parse_text(&text, Span::call_site())
}

fn position(signature: &Signature) -> (String, usize) {
    let span = signature.name_span.unwrap();
    (span.file(), span.line())
}

/// A warning on a stable compiler: the use of something deprecated, whose note is the text.
fn warning(span: Span, text: &str) -> TokenStream {
    let text = format!(
        "#[warn(warnings, deprecated)] const _: () = {{ #[deprecated(note = {text:?})] const ops_lock_is_stale: () = (); ops_lock_is_stale }};"
    );
    respan(parse_text(&text, Span::call_site()), span.resolved_at(Span::call_site()))
}
