//! What takes the place of a declaration: the struct, its declaration as one text and a few calls into the library.
//!
//! How much is emitted decides how fast every user's crate compiles: one text, one `read`, one `write`, one mark.

mod constructor;
mod docs;
mod record;

use std::fmt::Write as _;

use oplock_core::judge::alias_taken;
use oplock_core::{OpDef, mangle_op_name, report};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

use crate::compare::{Outcome, compare, meant, refuse_elsewhere};
use crate::ctxt::Ctxt;
use crate::lock_crate::MODULE;
use crate::parse::{self, Declaration, Field, Header, NoStruct};
use crate::tokens::{parse_text, respan, unwrap_groups};
use crate::validate::{Role, Signature, signature};

/// Expands `#[op(…)]`.
pub(crate) fn op(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let cx = Ctxt::new();
    let at = |header: &Header| header.name.as_ref().map_or_else(Span::call_site, syn::LitStr::span);
    let mut declaration = match parse::declaration(&cx, arguments, item) {
        Ok(declaration) => declaration,
        Err(NoStruct { mut header, mut tokens }) => {
            let name = at(&header);
            refuse_elsewhere(&cx, &mut header, name);
            tokens.extend(cx.finish());
            if let Some(name) = header.name.as_ref().filter(|_| header.unlocked.is_none()) {
                let mut body = imports(&header, name.span());
                body.extend(at_name(&failed_mark(&name.value()), name.span()));
                tokens.extend(in_block(body, false));
            }
            return tokens;
        }
    };
    let name = at(&declaration.header);
    refuse_elsewhere(&cx, &mut declaration.header, name);
    let signature = signature(&cx, &declaration);
    let outcome = if cx.has_errors() {
        Outcome::default()
    } else {
        compare(&cx, &signature, declaration.header.unlocked.is_some())
    };
    let condition = condition(&declaration, &signature.def);
    let mut output = condition.clone();
    // Below the author's own text.
    declaration.item.attrs.iter().for_each(|attribute| attribute.to_tokens(&mut output));
    output.extend(docs::table(&signature));
    let attributes = std::mem::take(&mut declaration.item.attrs);
    declaration.item.to_tokens(&mut output);
    declaration.item.attrs = attributes;
    let failed = cx.has_errors();
    output.extend(cx.finish());
    output.extend(condition);
    if failed {
        output.extend(failed_block(&declaration, &signature));
    } else {
        output.extend(block(&declaration, &signature, &outcome));
    }
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
fn block(declaration: &Declaration, signature: &Signature, outcome: &Outcome) -> TokenStream {
    let unlocked = declaration.header.unlocked.is_some();
    let stale = outcome.stale.as_deref().unwrap_or_default();
    let mut body = imports(&declaration.header, signature.name_span);
    body.extend(record::impl_op(declaration, signature, stale));
    body.extend(impl_bind(declaration, signature));
    body.extend(constructor::constructor(declaration, signature));
    if !unlocked {
        body.extend(mark(declaration, signature));
        body.extend(aliases(signature, outcome));
    }
    if !outcome.in_lock {
        body.extend(submission(declaration));
    }
    if !stale.is_empty() {
        body.extend(warning(signature.name_span, stale));
    }
    in_block(body, speaks_of_deprecated(declaration))
}

/// What stands for a declaration with errors, so that one mistake is one message: the type is still an operator, and
/// the operator is not deleted.
fn failed_block(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let header = &declaration.header;
    let ident = &declaration.item.ident;
    let mut text = String::new();
    if declaration.item.generics.params.is_empty() {
        let _ = write!(text, "impl __rt::Op for {ident} {{ const RECORD: __rt::Record = __rt::FAILED; }}");
    }
    if header.unlocked.is_none() {
        // Where the name is missing, the struct's may tell which operator is meant.
        let name = header.name.as_ref().map(syn::LitStr::value).or_else(|| meant(&ident.to_string()));
        text.extend(name.map(|name| failed_mark(&name)));
    }
    let mut body = imports(header, signature.name_span);
    body.extend(at_name(&text, signature.name_span));
    in_block(body, speaks_of_deprecated(declaration))
}

/// Whether the struct or a field is deprecated, or the author allowed them to be of what is.
fn speaks_of_deprecated(declaration: &Declaration) -> bool {
    let fields = match &declaration.item.data {
        syn::Data::Struct(data) => data.fields.iter().flat_map(|field| &field.attrs).collect(),
        _ => Vec::new(),
    };
    let attrs = declaration.item.attrs.iter().chain(fields).filter(|attr| !attr.path().is_ident("doc"));
    let mut texts = attrs.map(|attr| attr.meta.to_token_stream().to_string());
    texts.any(|text| text.contains("deprecated"))
}

/// The mark of an operator whose declaration has errors.
fn failed_mark(name: &str) -> String {
    let mark = mangle_op_name(name);
    format!("impl __Ops {{ pub(crate) const {mark}: __rt::Mark = __rt::FAILED_MARK; }}")
}

/// Wraps what is emitted, so that it names nothing in the author's module.
///
/// A crate may forbid to set a lint, so only what would be told is allowed: a mark is no definition of the body in which an operator
/// may stand, and what is deprecated is used where it is declared.
fn in_block(body: TokenStream, speaks_of_deprecated: bool) -> TokenStream {
    let deprecated = if speaks_of_deprecated { ", deprecated" } else { "" };
    let allow = &format!("#[allow(non_local_definitions{deprecated})] const _: () =");
    let mut output = parse_text(allow, Span::call_site());
    output.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    output.extend(parse_text(";", Span::call_site()));
    output
}

/// Text that stands at the operator's name.
fn at_name(text: &str, name: Span) -> TokenStream {
    respan(parse_text(text, Span::call_site()), name.resolved_at(Span::call_site()))
}

fn imports(header: &Header, name: Span) -> TokenStream {
    let unlocked = header.unlocked.is_some();
    if let Some(path) = header.krate.as_ref().filter(|_| unlocked) {
        return quote!(use #path::__private as __rt;);
    }
    if unlocked {
        return at_name("use ::oplock::__private as __rt;", name);
    }
    // Where there is no `lock!`, this is the error, and it stands at the operator's name.
    at_name(&format!("use crate::{MODULE}::{{rt as __rt, Ops as __Ops}};"), name)
}

/// Conversions to and from a node.
///
/// One literal takes all fields, and one body writes them. What may have no blank value to stand in for it, the author's own types, is
/// taken by one pattern before: a pattern costs the compiler twice as much as the literal alone, and an early return at each field
/// twice as much again.
fn impl_bind(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let span = Span::call_site();
    let def = &signature.def;
    let mut bounds = TokenStream::new();
    let (mut patterns, mut calls, mut attrs) = (String::new(), String::new(), String::new());
    let mut args = vec![String::new(); def.inputs.len() + def.outputs.len()];
    let mut fields = TokenStream::new();
    let mut plain = String::new();
    for (i, (field, role)) in declaration.fields.iter().zip(&signature.roles).enumerate() {
        let member = field.member.to_token_stream();
        let ty = declaration.ty(field);
        match role {
            Role::Arg { index, is_var, .. } => {
                let arg = index.checked_sub(def.inputs.len()).map_or_else(|| &def.inputs[*index], |i| &def.outputs[i]);
                let method = match (is_var, arg.duplicable, arg.dispensable) {
                    (false, ..) => "arg",
                    (true, true, _) => "list",
                    (true, false, true) => "opt",
                    (true, false, false) => "var",
                };
                if *is_var {
                    let _ = write!(plain, "{member}: __r.{method}({index}), ");
                } else {
                    let _ = write!(calls, "__r.arg({index}), ");
                }
                args[*index] = format!("__w.{method}(&self.{member}); ");
                if *is_var {
                    continue;
                }
                bounds.extend(quote_spanned!(field.span=> for<'oplock> #ty: __rt::ArgField<'oplock>,));
            }
            Role::Attr { index, custom, .. } => {
                let _ = write!(attrs, "&self.{member}, ");
                if let Some(meant) = if *custom { None } else { parse::meant_type(ty) } {
                    let _ = write!(plain, "{member}: __r.plain::<{meant}>({index}), ");
                    continue;
                }
                let _ = write!(calls, "__r.attr({index}), ");
                if *custom {
                    bounds.extend(custom_bound(ty));
                }
            }
            Role::Skip => {
                fields.extend(parse_text(&std::mem::take(&mut plain), span));
                fields.extend(skipped(field, ty));
                continue;
            }
        }
        let _ = write!(patterns, "__rt::Some(__v{i}), ");
        let _ = write!(plain, "{member}: __v{i}, ");
    }
    fields.extend(parse_text(&plain, span));
    let name = &declaration.item.ident;
    let mut take = String::new();
    if !calls.is_empty() {
        let _ = write!(take, "let ({patterns}) = ({calls}) else {{ return __rt::None }};");
    }
    let mut read = parse_text(&format!("{take} __rt::Some"), span);
    let value = [parse_text(&name.to_string(), span), Group::new(Delimiter::Brace, fields).into_token_stream()];
    read.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, value.into_iter().collect()))]);
    let mut body = parse_text("fn read(__r: &__rt::Reader<'_>) -> __rt::Option<Self>", span);
    body.extend([TokenTree::Group(Group::new(Delimiter::Brace, read))]);
    if !attrs.is_empty() {
        attrs = format!("__w.attrs(&[{attrs}]);");
    }
    body.extend(parse_text(
        &format!("fn write(&self, __w: &mut __rt::Writer<'_>) {{ {}{attrs} }}", args.concat()),
        span,
    ));
    let mut output = parse_text(&format!("impl __rt::Bind for {name}"), span);
    if !bounds.is_empty() {
        output.extend(quote!(where #bounds));
    }
    output.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    output
}

/// That a type of the author's own can be saved; where it cannot, the table says so, and nothing else does.
fn custom_bound(ty: &Type) -> TokenStream {
    quote_spanned!(unwrap_groups(ty).span().resolved_at(Span::call_site())=> for<'oplock> #ty: __rt::AttrField<'oplock>,)
}

/// A skipped field's value, which stands at its type, as the error does where that has no default.
fn skipped(field: &Field, ty: &Type) -> TokenStream {
    let member = &field.member;
    quote_spanned!(unwrap_groups(ty).span().resolved_at(Span::call_site())=> #member: __rt::absent(),)
}

/// The operator's mark in the hidden module: `lock!` looks for it, and a second one of the name is an error at both.
fn mark(declaration: &Declaration, signature: &Signature) -> TokenStream {
    let Some(name) = &declaration.header.name else { return TokenStream::new() };
    let text = format!(
        "impl __Ops {{ pub(crate) const {}: __rt::Mark = __Ops::mark::<{}>(); }}",
        mangle_op_name(&name.value()),
        declaration.item.ident
    );
    at_name(&text, signature.name_span)
}

/// Takes the names that the operator had before, so that no other operator of the crate has one, or stands for one too.
fn aliases(signature: &Signature, outcome: &Outcome) -> TokenStream {
    let mut output = TokenStream::new();
    for ((alias, span), remembered) in signature.history.aliases.iter().zip(&outcome.remembered_aliases) {
        let mark = mangle_op_name(alias);
        let text = if let Some(renamed) = remembered {
            // `lock!` asks for it, and the operator itself is known to be gone only where nothing else has its mark.
            let text = report::human(&alias_taken(&signature.def.name, alias, alias));
            format!(
                "impl __Ops {{ pub(crate) const as_{mark}: &str = {renamed:?}; }} #[allow(deprecated)] const _: () = {{ use crate::{MODULE}::Locked as _; \
                 __rt::replaced(__Ops::{mark}, {text:?}) }};"
            )
        } else {
            format!("impl __Ops {{ pub(crate) const {mark}: __rt::Mark = __rt::None; }}")
        };
        output.extend(at_name(&text, *span));
    }
    output
}

/// A record of the operator's own, for one that is not in the crate's table.
fn submission(declaration: &Declaration) -> TokenStream {
    let build = match declaration.header.unlocked {
        Some(_) => "__rt::None".to_owned(),
        None => format!("__rt::build_of(__Ops::mark::<{}>())", declaration.item.ident),
    };
    let variable = |name| std::env::var(name).unwrap_or_default();
    let (package, version) = (variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION"));
    let text = format!(
        "__rt::inventory::submit! {{ __rt::Submission::Op {{ package: {package:?}, version: {version:?}, \
         record: <{} as __rt::Op>::RECORD, build: {build} }} }}",
        declaration.item.ident
    );
    parse_text(&text, Span::call_site())
}

/// A warning on a stable compiler: the use of something deprecated, whose note is the text.
fn warning(span: Span, text: &str) -> TokenStream {
    let text = format!(
        "#[warn(warnings, deprecated)] const _: () = {{ #[deprecated(note = {text:?})] const ops_lock_is_stale: () = (); ops_lock_is_stale }};"
    );
    at_name(&text, span)
}
