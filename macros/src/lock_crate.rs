//! `lock!`: what only the whole crate can see.
//!
//! It opens the hidden module in which each operator leaves its mark, and asks for the mark of every operator that the
//! lock promises: the one that is missing was deleted.

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;

use oplock_core::collect::{Expansion, Record, VARIABLE};
use oplock_core::judge::{Judged, Verdict, declared_twice, judge_deleted, remembered_ops, undeclared_versions};
use oplock_core::{
    AttrDef, AttrType, COMMON, Declared, Lock, OpDef, SavedKind, ScalarType, Str, mangle_op_name, report,
};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::TypeTraitObject;

use crate::compare::{collect, enforce, span_of, text_of, write_record};
use crate::ctxt::Ctxt;
use crate::environment::{LOCKED, Loaded, Mode, Package, UI_TESTS, Unusable};
use crate::parse::{LockArguments, lock};
use crate::saved;
use crate::tokens::parse_text;
use crate::validate::{Signature, common};

/// The name by which operators find the hidden module. Where `lock!` is forgotten, the compiler's error names it, so
/// the name is the remedy.
pub(crate) const MODULE: &str = "add__oplock_lock__to_the_crate_root";

/// The name that the hidden module has in every other message.
const OWN_NAME: &str = "__ops_lock";

/// Expands `lock! { $crate … }`.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let root = tokens.next();
    let rest: TokenStream = tokens.collect();
    let cx = Ctxt::new();
    let mut plan = Plan { arguments: lock(&cx, rest), ..Plan::default() };
    if let Err(message) = plan.make(&cx) {
        plan.errors.push(syn::Error::new(Span::call_site(), message));
    }
    let mut output = cx.finish();
    output.extend(plan.emit(root));
    output
}

/// What the expansion is made of.
#[derive(Default)]
struct Plan {
    arguments: LockArguments,
    errors: Vec<syn::Error>,
    package: Option<Package>,
    /// The files on which the outcome depends, which the compiler then watches.
    watched: Vec<PathBuf>,
    /// Why the lock is stale as a whole.
    stale: Vec<String>,
    /// The constants of the trait that gives every promised name a default.
    names: String,
    /// The names in the crate's table.
    marks: String,
    /// The operators that a major version on the way deletes, if they are missing.
    gone: String,
    /// The lock, which goes into the crate: what is saved carries what it says, and what is loaded is judged by it.
    lock: Option<PathBuf>,
    /// The test that loads the golden graphs.
    golden: String,
    /// The checks that no promised operator is missing.
    checks: String,
    /// The operators that must not declare by themselves what all have, each with names and what is told of them.
    once: Vec<(String, String)>,
    /// What all operators have, as the crate's table holds it.
    common: String,
    /// What follows from data versions.
    data: saved::Outcome,
}

impl Plan {
    fn make(&mut self, cx: &Ctxt) -> Result<(), String> {
        let package = Package::current()?;
        self.package = Some(package.clone());
        match Mode::current()? {
            Mode::Collect(folder) => {
                let text = format!("{VARIABLE} is set, and nothing was compared: it is for `cargo oplock` alone");
                let _ = write!(self.gone, "({text:?}, rt::None), ");
                let record = Record {
                    manifest_dir: package.manifest_dir.to_string_lossy().into_owned(),
                    crate_name: package.crate_name,
                    file: String::new(),
                    line: 0,
                    of: Expansion::Lock(
                        self.arguments.saved.iter().map(|saved| (saved.kind, saved.versions.clone())).collect(),
                        self.arguments.positional.is_some(),
                    ),
                };
                write_record(&folder, &record)?;
                let common = self.common(cx);
                common.map_or(Ok(()), |signature| collect(&folder, &signature, false))
            }
            Mode::Enforce(loaded) => self.enforce(cx, &loaded),
        }
    }

    fn enforce(&mut self, cx: &Ctxt, loaded: &Loaded) -> Result<(), String> {
        let package = &loaded.package;
        other_target(loaded)?;
        let place = package.lock_path.display();
        // What the manifest says of oplock is part of the judgement, and cargo does not compile anew for it.
        let files =
            [package.lock_path.clone(), package.approvals_path.clone(), package.manifest_dir.join("Cargo.toml")];
        self.watched = files.into_iter().filter(|path| path.is_file()).collect();
        let lock = match &loaded.lock {
            Ok(lock) => lock,
            Err(Unusable::Missing) => {
                return Err(format!(
                    "there is no ops.lock, which remembers what the operators of package `{}` promise\n  expected: {place}\n  \
                     help: for a new package make one: `cargo oplock init`\n  \
                     help: if it was committed, restore it: `git checkout ops.lock`\n  \
                     help: in a packaged crate, `include` and `exclude` in Cargo.toml must let ops.lock through",
                    package.name
                ));
            }
            Err(Unusable::Damaged(error)) => {
                return Err(format!("{error}\n  file: {place}\n  help: {}", error.remedy()));
            }
            Err(Unusable::Overrun(message) | Unusable::Other(message)) => return Err(message.clone()),
        };
        // The compiler watches what it includes.
        self.watched.retain(|path| *path != package.lock_path);
        self.lock = Some(package.lock_path.clone());
        // Whether there are golden graphs is asked by the test: nothing builds the crate anew where their folder comes or goes.
        let folder = package.manifest_dir.display().to_string();
        self.golden = format!("{OWN_NAME}::rt::golden! {{ &{OWN_NAME}::CRATE, {folder:?} }}");
        if let Err(message) = self.release(loaded, lock) {
            self.errors.push(syn::Error::new(Span::call_site(), message));
        }
        self.places(loaded, lock);
        for name in remembered_ops(lock).into_iter().filter(|name| *name != COMMON) {
            self.op(loaded, lock, name);
        }
        self.enforce_common(cx, loaded, lock);
        self.data = saved::enforce(cx, loaded, lock, &self.arguments.saved);
        self.stale.append(&mut self.data.stale);
        Ok(())
    }

    /// What all operators have, if anything is said of it that can be understood.
    fn common(&mut self, cx: &Ctxt) -> Option<Signature> {
        let argument = self.arguments.common.as_ref()?;
        let signature = common(cx, Some(argument));
        if argument.faulty || cx.has_errors() {
            return None;
        }
        let span = argument.span.unwrap();
        let (file, line) = (span.file().into(), u32::try_from(span.line()).unwrap_or(0));
        let declared = Declared { def: signature.def.clone(), file, line, stale: "".into() };
        self.common = format!("rt::Some(rt::Record({:?}))", declared.to_text());
        Some(signature)
    }

    /// Holds what all operators have against the lock, which may remember what is no longer said.
    fn enforce_common(&mut self, cx: &Ctxt, loaded: &Loaded, lock: &Lock) {
        let is_said = self.arguments.common.is_some();
        if !is_said && lock.common().is_none() && lock.pending_of(COMMON).next().is_none() {
            return;
        }
        let Some(signature) = (if is_said { self.common(cx) } else { Some(common(cx, None)) }) else { return };
        self.stale.extend(enforce(cx, loaded, &signature).stale);
        self.declared_once(lock, &signature.def);
        let graph = saved::declared(&self.arguments.saved, SavedKind::Graph);
        for judged in undeclared_versions([&signature.def], &graph) {
            cx.error(span_of(&signature, &judged), report::human(&judged));
        }
    }

    /// Asks that no operator declares by itself what all have. Each operator asks so of the lock; of what the lock does not have yet it
    /// knows nothing.
    fn declared_once(&mut self, lock: &Lock, common: &OpDef) {
        let with = |op: &str, name: &Str| {
            let attr = AttrDef::new(name.clone(), AttrType::of(ScalarType::Bool));
            OpDef { attrs: vec![attr].into(), ..OpDef::new(op.to_owned()) }
        };
        let mut names: Vec<&Str> =
            common.attrs.iter().flat_map(|attr| attr.aliases.iter().chain([&attr.name])).collect();
        if let Some(known) = lock.common() {
            names.retain(|name| declared_twice(lock, known, &with("", name)).is_empty());
        }
        for op in lock.operators().map(|(name, _)| name).filter(|_| !names.is_empty()) {
            let judged = names.iter().flat_map(|name| declared_twice(lock, common, &with(op, name)));
            let text = |judged: &Judged| Some((judged.finding.item.as_ref()?.1.clone(), report::human(judged)));
            let texts = judged.filter_map(|judged| text(&judged)).map(|(name, text)| format!("({name:?}, {text:?}), "));
            self.once.push((mangle_op_name(op), texts.collect()));
        }
    }

    /// What the package's version says of the lock as a whole, and approvals of operators that are nowhere.
    fn release(&mut self, loaded: &Loaded, lock: &Lock) -> Result<(), String> {
        let version = &loaded.context.version;
        if loaded.publishing && version.pre.is_empty() && !lock.releases.contains_key(version) {
            return Err(format!(
                "the package is being published as {version}, and ops.lock is not sealed for it\n  \
                 help: seal the release: `cargo oplock seal`, and commit the lock"
            ));
        }
        // A UI test's version is that of the crate which runs it, or said for the sake of the changes.
        if loaded.context.has_stale_version(lock) && env::var_os(UI_TESTS).is_none() {
            let text = report::stale_version(version);
            if loaded.locked {
                return Err(text);
            }
            self.stale.push(text);
        }
        let known = |op: &str| op == COMMON || lock.ops.contains_key(op) || lock.rows_of(op).next().is_some();
        match loaded.context.approvals.list.iter().find(|approval| !known(&approval.op)) {
            Some(approval) => Err(report::unused_approval(approval)),
            None => Ok(()),
        }
    }

    /// Whether the places of operands are promised; what that says of each operator is compared there.
    fn places(&mut self, loaded: &Loaded, lock: &Lock) {
        match (lock.positional, self.arguments.positional) {
            (false, Some(at)) => {
                let text =
                    "the lock does not say yet that the places of operands are promised\n  help: `cargo oplock update`";
                if loaded.locked {
                    self.errors.push(syn::Error::new(at, text));
                } else {
                    self.stale.push(text.to_owned());
                }
            }
            (true, None) if loaded.context.major_on_the_way(lock).is_none() => {
                let text = "the places of operands are no longer promised\n  breaks: a model that gives operands in their order, without \
                            names\n  help: say it again: `lock! { operands = \"positional\"; }`\n  help: or announce a major version: \
                            `cargo oplock plan major`\n  more: `cargo oplock explain operand_place_dropped`";
                self.errors.push(syn::Error::new(Span::call_site(), text));
            }
            (true, None) => {
                self.stale
                    .push("the places of operands are no longer promised\n  help: `cargo oplock update`".to_owned());
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// One operator that the lock remembers.
    fn op(&mut self, loaded: &Loaded, lock: &Lock, name: &str) {
        let mark = mangle_op_name(name);
        let entry = lock.ops.get(name);
        let judged = judge_deleted(lock, &loaded.context, name);
        let mut attribute = String::new();
        if let Some(judged) = judged.filter(|judged| judged.finding.is_break()) {
            // Where a feature is gone from the manifest, no build would ever ask for what was behind it.
            let built = entry.and_then(|entry| loaded.context.as_built(&entry.def));
            let cfg = built.and_then(|def| def.cfg.as_ref().map(|cfg| format!("#[cfg({cfg})] "))).unwrap_or_default();
            let accepted = matches!(judged.verdict, Verdict::Accepted(_) | Verdict::Approved(_));
            if accepted && entry.is_none() {
                return; // the ledger has it already
            }
            if accepted && !loaded.locked {
                let note = report::stale([&judged]);
                let _ = write!(self.gone, "{cfg}({note:?}, Ops::{mark}), ");
                let _ = write!(attribute, "#[deprecated(note = {note:?})] ");
            } else {
                // An operator that has the name as an alias says what became of it.
                let _ = write!(self.names, "const as_{mark}: &str = {:?}; ", text_of(&judged));
                let _ = write!(self.checks, "{cfg}(Ops::{mark}, Ops::as_{mark}), ");
            }
        }
        let _ = writeln!(self.names, "{attribute}const {mark}: rt::Mark = rt::None;");
        if entry.is_some() {
            let _ = write!(self.marks, "Ops::{mark}, ");
        }
    }

    fn emit(self, root: Option<TokenTree>) -> TokenStream {
        let errors: TokenStream = self.errors.into_iter().map(syn::Error::into_compile_error).collect();
        let mut watched = String::new();
        for path in self.watched.iter().map(|path| path.display().to_string()) {
            let _ = write!(watched, "const _: &[u8] = ::core::include_bytes!({path:?}); ");
        }
        let (name, version) = self.package.map_or_else(Default::default, |p| (p.name, p.version));
        let object = self.arguments.object.as_ref().map(object_mark);
        let mark = if object.is_some() { "" } else { PLAIN_MARK };
        let (mut names, marks, mut gone, checks) = (self.names, self.marks, self.gone, self.checks);
        names.push_str(&self.data.names);
        gone.push_str(&self.data.gone);
        let (upgrades, golden) = (self.data.checks, self.golden);
        let mut once = String::new();
        for (mark, texts) in &self.once {
            let _ = writeln!(
                once,
                "const _: () = {{ use {OWN_NAME}::{{Locked as _, Ops}}; {OWN_NAME}::rt::has_none_of(Ops::{mark}, &[{texts}]) }};"
            );
        }
        let [graph, checkpoint] =
            SavedKind::ALL.map(|kind| saved::table(&saved::declared(&self.arguments.saved, kind)));
        let mut warning = String::new();
        for text in &self.stale {
            let _ = write!(gone, "({text:?}, rt::None), ");
            let _ = write!(
                warning,
                "#[warn(warnings, deprecated)] const _: () = {{ #[deprecated(note = {text:?})] \
                 const ops_lock_is_stale: () = (); ops_lock_is_stale }};"
            );
        }
        let common = if self.common.is_empty() { "rt::None" } else { &self.common };
        let lock = match &self.lock {
            Some(path) => format!("::core::include_str!({:?})", path.display().to_string()),
            None => r#""""#.to_owned(),
        };
        // A crate may forbid to set a lint, so that is done only where there is something to warn of.
        let warned = if names.contains("#[deprecated") { "#[warn(warnings, deprecated)]" } else { "" };
        let inner = format!(
            "pub(crate) struct Ops;\n\
             pub(crate) trait Locked {{ {names} }}\n\
             impl Locked for Ops {{}}\n\
             {mark}\n\
             {watched}{warning}\n\
             const _: [rt::Option<&str>; 3] = [\
                 ::core::option_env!({VARIABLE:?}), ::core::option_env!({LOCKED:?}), ::core::option_env!({UI_TESTS:?})];\n\
             {warned} pub(crate) static CRATE: rt::CrateOps = rt::CrateOps {{\n\
                 package: {name:?}, version: {version:?}, lock: {lock}, marks: &[{marks}], gone: &[{gone}],\n\
                 common: {common}, graph: GRAPH, checkpoint: {checkpoint} }};\n\
             pub(crate) const GRAPH: rt::SavedVersions = {graph};\n\
             rt::inventory::submit! {{ rt::Submission::Crate(&CRATE) }}"
        );
        // Of a flag that cargo does not know the operator itself warns. A crate may forbid to allow it, so not where it is idle.
        let has_flags = [&checks, &gone].iter().any(|text| text.contains("#[cfg("));
        let flags = if has_flags { "#[allow(unexpected_cfgs)]" } else { "" };
        let outer = format!(
            "#[doc(hidden)] use {OWN_NAME} as {MODULE};\n\
             {flags} const _: () = {{ use {OWN_NAME}::{{Locked as _, Ops}}; {OWN_NAME}::rt::promised(&[{checks}]) }};\n\
             const _: () = {{ use {OWN_NAME}::{{Locked as _, Ops}}; {OWN_NAME}::rt::promised(&[{upgrades}]) }};\n\
             {once}\
             #[cfg(test)] #[test] fn ops_lock_is_up_to_date() {{ {OWN_NAME}::rt::assert_up_to_date(&{OWN_NAME}::CRATE); }}\n\
             {golden}\n\
             /// The operators of this crate that its lock remembers.\n\
             pub fn"
        );
        let span = Span::call_site();
        // A token of its own: where the crate has another function of that name, the compiler shows the one that was said.
        let ops = self.arguments.ops.unwrap_or_else(|| Ident::new("ops", span));
        let table = format!("() -> &'static {OWN_NAME}::rt::CrateOps {{ &{OWN_NAME}::CRATE }}");
        let mut body: TokenStream = parse_text("pub(crate) use", span);
        body.extend(root);
        body.extend(parse_text("::__private as rt;", span));
        body.extend(parse_text(&inner, span));
        let mut output = errors;
        let attributes = "#[doc(hidden)]";
        output.extend(parse_text(&format!("{attributes} {flags} mod {OWN_NAME}"), span));
        let group = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, body);
        output.extend([TokenTree::Group(group)]);
        output.extend(parse_text(&outer, span));
        output.extend([TokenTree::Ident(ops)]);
        output.extend(parse_text(&table, span));
        output.extend(object);
        output
    }
}

/// What makes the mark of an operator's type, where nodes are built into nothing.
const PLAIN_MARK: &str = "impl Ops { pub(crate) const fn mark<T: rt::Op>() -> rt::Mark { \
                          rt::Some(rt::Marked { record: T::RECORD, build: rt::None }) } }";

/// What makes the mark of an operator's type, where nodes are built into a trait object: the mark carries how, and an operator that does not
/// implement the trait is an error at its name.
///
/// It stands in the crate root, where the author's paths mean what they say.
fn object_mark(object: &TypeTraitObject) -> TokenStream {
    let module = Ident::new(OWN_NAME, Span::call_site());
    let bounds = &object.bounds;
    quote! {
        const _: () = {
            use #module::{Ops, rt};
            impl Ops {
                #[doc(hidden)]
                pub(crate) const fn mark<T: rt::Op + rt::Bind + #bounds>() -> rt::Mark {
                    rt::Some(rt::Marked {
                        record: T::RECORD,
                        build: rt::Some(rt::Build { object: rt::type_name::<#object>, make: build::<T> }),
                    })
                }
            }
            fn build<T: rt::Bind + #bounds>(node: &rt::Node) -> rt::Result<rt::Erased, rt::BindError> {
                match node.bind::<T>() {
                    rt::Ok(op) => {
                        let object: rt::Box<#object> = rt::Box::new(op);
                        rt::Ok(rt::Box::new(object))
                    }
                    rt::Err(error) => rt::Err(error),
                }
            }
        };
    }
}

/// Another target than the library that called `lock!` would see all its operators as deleted.
fn other_target(loaded: &Loaded) -> Result<(), String> {
    let Some(library) = loaded.library_of_other_target() else { return Ok(()) };
    Err(format!(
        "`lock!` belongs in the root of the library `{library}`, which holds the locked operators of package `{}`\n  \
         help: remove it here; operators of binaries, tests and examples are marked `unlocked`: `#[op(\"…\", unlocked)]`",
        loaded.package.name
    ))
}
