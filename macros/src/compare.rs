//! Holds a declaration against the lock and puts each finding at the token at fault.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use oplock_core::collect::{CollectedOp, Expansion, Record};
use oplock_core::judge::{
    Judged, OpJudgement, complete, declared_twice, judge_op, judge_renamed, remembered_ops, unused_approvals,
};
use oplock_core::{ArgDef, AttrDef, Condition, Flags, Kind, Lock, OpDef, Set, report};
use proc_macro2::Span;

use crate::ctxt::Ctxt;
use crate::environment::{Loaded, Mode, Package, may_be_beside_library};
use crate::history::HistoryPlaces;
use crate::parse::Header;
use crate::tokens::file_and_line;
use crate::validate::{Place, Signature};

/// What follows for the expansion.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Whether the lock has the operator, so that the crate's table holds it.
    pub(crate) in_lock: bool,
    /// Why the lock is stale, if it is.
    pub(crate) stale: Option<String>,
    /// For each alias of the operator, what is said of the operator of that name which the lock remembers, and that is now called otherwise;
    /// `None` where it remembers none. Empty while nothing is compared.
    pub(crate) remembered_aliases: Vec<Option<String>>,
}

/// Refuses an operator that is to be locked and stands outside of the library, which holds the locked operators. It is then taken
/// as `unlocked`: nothing there can lock it.
pub(crate) fn refuse_elsewhere(cx: &Ctxt, header: &mut Header, at: Span) {
    // The library mostly has the package's name, and then no more needs to be known.
    let may_be = || env::var("CARGO_PKG_NAME").is_ok_and(|package| may_be_beside_library(&package));
    if header.unlocked.is_some() || !may_be() {
        return;
    }
    let Ok(Mode::Enforce(loaded)) = Mode::current() else { return };
    let Some(library) = loaded.library_of_other_target() else { return };
    let name = header.name.as_ref().map_or_else(|| "…".to_owned(), syn::LitStr::value);
    cx.error(
        at,
        format!(
            "operator `{name}` stands outside of the library `{library}`, which holds the locked operators of package `{}`\n  \
             help: operators of binaries, tests and examples are marked `unlocked`: `#[op({name:?}, unlocked)]`\n  \
             help: or move it into the library",
            loaded.package.name
        ),
    );
    header.unlocked = Some(at);
}

/// Compares, or collects.
pub(crate) fn compare(cx: &Ctxt, signature: &Signature, unlocked: bool) -> Outcome {
    let new = Outcome::default();
    // Why there is no mode, such as a mistake in the manifest, is said once, by `lock!`.
    let Ok(mode) = Mode::current() else { return new };
    match mode {
        Mode::Collect(folder) => {
            if let Err(message) = collect(&folder, signature, unlocked) {
                cx.error(signature.name_span, message);
            }
            new
        }
        Mode::Enforce(_) if unlocked => new,
        Mode::Enforce(loaded) => enforce(cx, &loaded, signature),
    }
}

/// Compares, with a lock.
pub(crate) fn enforce(cx: &Ctxt, loaded: &Loaded, signature: &Signature) -> Outcome {
    // Why there is no lock is said once, by `lock!`.
    let Ok(lock) = &loaded.lock else { return Outcome::default() };
    let in_lock = lock.ops.contains_key(signature.def.name.as_ref());
    let mut def = condition_of(lock, signature);
    if lock.positional {
        def = def.numbered();
    }
    if let Some(common) = lock.common() {
        for judged in declared_twice(lock, common, &def) {
            cx.error(span_of(signature, &judged), report::human(&judged));
        }
        complete(lock, common, &mut def);
    }
    let judgement = judge_op(lock, &loaded.context, &def);
    let renamed = renamed(lock, signature, &judgement);
    for approval in unused_approvals(lock, &loaded.context, &judgement) {
        if approval.op == signature.def.name {
            cx.error(signature.name_span, report::unused_approval(approval));
        }
    }
    let mut refused = false;
    for judged in judgement.refused() {
        refused = true;
        // A new name for something old is one mistake, and told where the old one is missed.
        if renamed.iter().any(|(_, new)| is_of(judged, new.kind, &new.name)) {
            continue;
        }
        let new = renamed.iter().find(|(old, _)| *old == judged).map(|(_, new)| *new);
        let mut text = report::headline(judged);
        if let Some(new) = new {
            let name = judged.finding.item.as_ref().map_or("", |(_, name)| name);
            let _ = write!(
                text,
                "\n  note: `{}` looks like `{name}` under another name; a field may be renamed as you like while its saved \
                 name stays: `name = {name:?}`\n  note: graphs that say `{name}` still load where that is said, in a major \
                 version: `alias({name:?})`",
                new.name
            );
        }
        for line in report::details(judged) {
            text.push('\n');
            text.push_str(&line);
        }
        let _ = write!(text, "\n  more: `cargo oplock explain {}`", judged.finding.rule.name);
        cx.error(new.map_or_else(|| span_of(signature, judged), |place| place.span), text);
    }
    let stale = (judgement.stale && !refused).then(|| report::stale(&judgement.findings));
    if let Some(text) = stale.as_ref().filter(|_| loaded.locked) {
        cx.error(
            signature.name_span,
            format!("{text}\n  note: a stale lock is an error here (OPLOCK_LOCKED=1, or a packaged crate)"),
        );
    }
    let aliases = &signature.history.aliases;
    let remembered = if aliases.is_empty() { Set::new() } else { remembered_ops(lock) };
    // What is outside the guarantee stands for nothing that is in it.
    let to = signature.def.is_guarded().then_some(signature.def.name.as_ref());
    let renamed =
        |alias: &str| judge_renamed(lock, &loaded.context, alias, to).as_ref().map(text_of).unwrap_or_default();
    let remembered_aliases =
        aliases.iter().map(|(alias, _)| remembered.contains(alias.as_str()).then(|| renamed(alias))).collect();
    Outcome { in_lock, stale: stale.filter(|_| !loaded.locked), remembered_aliases }
}

/// What is told of a finding, and where more of it is told.
pub(crate) fn text_of(judged: &Judged) -> String {
    format!("{}\n  more: `cargo oplock explain {}`", report::human(judged), judged.finding.rule.name)
}

/// Several structs may declare one operator, each under a condition of its own; the lock then holds all of them, and
/// this declaration is one.
fn condition_of(lock: &Lock, signature: &Signature) -> OpDef {
    let mut def = signature.def.clone();
    let locked =
        lock.ops.get(def.name.as_ref()).and_then(|entry| entry.condition().map(|c| (c, entry.def.cfg.clone())));
    let own = def.cfg.as_deref().and_then(|text| Condition::parse(text).ok());
    if let (Some((locked, text)), Some(own)) = (locked, own)
        && locked.covers(&own)
    {
        def.cfg = text;
    }
    def
}

/// The token at fault.
pub(crate) fn span_of(signature: &Signature, judged: &Judged) -> Span {
    let Some((kind, name)) = &judged.finding.item else {
        let at = match judged.finding.field {
            _ if judged.finding.feature.is_some() => signature.cfg_span,
            Some("cfg") => signature.cfg_span,
            Some("experimental") => signature.experimental_span,
            Some("types") => type_span(signature, judged),
            Some(field) if Flags::NAMES.contains(&field) => {
                signature.flags.iter().find(|(name, _)| *name == field).map(|(_, span)| *span)
            }
            Some(field) => history_span(&signature.history, field, judged),
            None => None,
        };
        return at.unwrap_or(signature.name_span);
    };
    let place = signature.places.iter().find(|place| place.kind == *kind && place.name == *name);
    // What is renamed stands where its old name does.
    let renamed = || {
        let to = judged.finding.to.as_deref()?;
        let new = signature.places.iter().find(|place| place.kind == *kind && place.name == to)?;
        new.history.aliases.iter().find(|(alias, _)| alias == name).map(|(_, span)| *span)
    };
    place.map(|place| field_span(place, judged)).or_else(renamed).unwrap_or(signature.name_span)
}

fn field_span(place: &Place, judged: &Judged) -> Span {
    let at = match judged.finding.field {
        Some("type") => place.ty,
        Some("default") => place.default,
        Some("min") => place.min,
        Some("values") => place.values,
        Some("of") => place.of[0],
        Some("count") => place.of[1],
        Some(field @ ("alias" | "deprecated")) => history_span(&place.history, field, judged),
        Some(field) => place.marks.iter().find(|(mark, _)| mark.name() == field).map(|(_, span)| *span),
        None => None,
    };
    at.unwrap_or(place.span)
}

/// Where the type variable is declared of which both sides of a finding speak: `T = ["f16"]`.
fn type_span(signature: &Signature, judged: &Judged) -> Option<Span> {
    let sides = [judged.finding.to.as_deref(), judged.finding.from.as_deref()];
    let of = |text: &str| {
        signature
            .types
            .iter()
            .find(|(name, _)| text.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(" = ")))
    };
    sides.into_iter().flatten().find_map(of).map(|(_, span)| *span)
}

/// Where a name or a data version is said; those that are no longer said stand nowhere.
fn history_span(places: &HistoryPlaces, field: &str, judged: &Judged) -> Option<Span> {
    let ends = [judged.finding.from.as_deref(), judged.finding.to.as_deref()];
    let is_told = |text: &str| ends.into_iter().flatten().any(|end| end == text);
    match field {
        "alias" => places.aliases.iter().find(|(alias, _)| is_told(alias)).map(|(_, span)| *span),
        "deprecated" => places.deprecated,
        "revised" => {
            let to = judged.finding.to.as_deref()?;
            let version = to.strip_prefix("version ").map_or(to, |to| to.split(':').next().unwrap_or(to));
            places.revised.iter().find(|(of, _)| of.to_string() == version).map(|(_, span)| *span)
        }
        "moved_from" => places.moved_from,
        _ => None,
    }
}

fn is_of(judged: &Judged, kind: Kind, name: &str) -> bool {
    judged.finding.item.as_ref().is_some_and(|(k, n)| *k == kind && n == name)
}

/// What is gone and has come back under another name: the one item of a kind that is gone, where one that is new is
/// like it in all but the name.
fn renamed<'a>(lock: &Lock, signature: &'a Signature, judgement: &'a OpJudgement) -> Vec<(&'a Judged, &'a Place)> {
    let def = &signature.def;
    let Some(entry) = lock.ops.get(def.name.as_ref()) else { return Vec::new() };
    let pair = |kind: Kind| {
        let of_kind = |part: &'static str| {
            let mut all = judgement.findings.iter().filter(move |judged| {
                let finding = &judged.finding;
                let is_of_part = finding.rule.name.contains(part) && (part != "_added" || finding.is_addition());
                finding.item.as_ref().is_some_and(|(k, _)| *k == kind) && is_of_part
            });
            all.next().filter(|_| all.next().is_none())
        };
        let (deleted, added) = (of_kind("_deleted")?, of_kind("_added")?);
        let ((_, old), (_, new)) = (deleted.finding.item.as_ref()?, added.finding.item.as_ref()?);
        let name = || new.clone().into();
        let alike = match kind {
            Kind::Input | Kind::Output => {
                entry.def.arg(kind, old).cloned().map(|old| ArgDef { name: name(), ..old }).as_ref()
                    == def.arg(kind, new)
            }
            Kind::Attr => {
                entry.def.attr(old).cloned().map(|old| AttrDef { name: name(), ..old }).as_ref() == def.attr(new)
            }
        };
        let place = signature.places.iter().find(|place| place.kind == kind && place.name == *new)?;
        alike.then_some((deleted, place))
    };
    [Kind::Input, Kind::Output, Kind::Attr].into_iter().filter_map(pair).collect()
}

/// The operator of the lock that a struct without a saved name stands for, as its own name tells.
pub(crate) fn meant(ident: &str) -> Option<String> {
    let Ok(Mode::Enforce(loaded)) = Mode::current() else { return None };
    let plain = |name: &str| name.replace(|c: char| !c.is_alphanumeric(), "").to_lowercase();
    let lock = loaded.lock.as_ref().ok()?;
    lock.ops.keys().find(|name| plain(name) == plain(ident)).cloned()
}

/// Writes what this expansion saw into the folder of records.
pub(crate) fn collect(folder: &Path, signature: &Signature, unlocked: bool) -> Result<(), String> {
    let package = Package::current()?;
    let (file, line) = file_and_line(signature.name_span);
    write_record(
        folder,
        &Record {
            manifest_dir: package.manifest_dir.to_string_lossy().into_owned(),
            crate_name: package.crate_name,
            file,
            line,
            of: Expansion::Op(Box::new(CollectedOp { def: signature.def.clone(), unlocked })),
        },
    )
}

/// Writes a record; writing it again changes nothing.
pub(crate) fn write_record(folder: &Path, record: &Record) -> Result<(), String> {
    let path = folder.join(record.file_name());
    fs::write(&path, record.to_text())
        .map_err(|error| format!("cannot write {} for `cargo oplock`: {error}", path.display()))
}
