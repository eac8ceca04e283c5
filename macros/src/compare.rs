//! Holds a declaration against the lock and puts each finding at the token at fault.

use std::fs;
use std::path::Path;

use oplock_core::collect::{CollectedOp, Record};
use oplock_core::judge::{Judged, OpJudgement, judge_op};
use oplock_core::{Kind, report};
use proc_macro2::Span;

use crate::ctxt::Ctxt;
use crate::environment::{Loaded, Mode, Package};
use crate::validate::{Place, Signature};

/// What follows for the expansion.
pub(crate) struct Outcome {
    /// Whether the lock has the operator, so that the crate's table holds it.
    pub(crate) in_lock: bool,
    /// Why the lock is stale, if it is.
    pub(crate) stale: Option<String>,
}

/// Compares, or collects.
pub(crate) fn compare(cx: &Ctxt, signature: &Signature, unlocked: bool) -> Outcome {
    let new = Outcome { in_lock: false, stale: None };
    let mode = match Mode::current() {
        Ok(mode) => mode,
        Err(message) => {
            cx.error(signature.name_span, message);
            return new;
        }
    };
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

fn enforce(cx: &Ctxt, loaded: &Loaded, signature: &Signature) -> Outcome {
    // Why there is no lock is said once, by `lock!`.
    let Ok(lock) = &loaded.lock else { return Outcome { in_lock: false, stale: None } };
    let in_lock = lock.ops.contains_key(signature.def.name.as_ref());
    let judgement = judge_op(lock, &loaded.context, &condition_of(lock, signature));
    let mut refused = false;
    for judged in judgement.refused() {
        refused = true;
        let (span, hint) = place_of(signature, &judgement, judged);
        let mut text = report::headline(judged);
        if let Some(hint) = hint {
            text.push_str("\n  note: ");
            text.push_str(&hint);
        }
        for line in report::details(judged) {
            text.push('\n');
            text.push_str(&line);
        }
        text.push_str(&format!("\n  more: `cargo oplock explain {}`", judged.finding.rule.name));
        cx.error(span, text);
    }
    let stale = (judgement.stale && !refused).then(|| stale_text(&judgement));
    if let Some(text) = stale.as_ref().filter(|_| loaded.locked) {
        cx.error(
            signature.name_span,
            format!("{text}\n  note: a stale lock is an error here (OPLOCK_LOCKED=1, or a packaged crate)"),
        );
    }
    Outcome { in_lock, stale: stale.filter(|_| !loaded.locked) }
}

/// Several structs may declare one operator, each under a condition of its own; the lock then holds all of them, and
/// this declaration is one.
fn condition_of(lock: &oplock_core::Lock, signature: &Signature) -> oplock_core::OpDef {
    let mut def = signature.def.clone();
    let locked =
        lock.ops.get(def.name.as_ref()).and_then(|entry| entry.condition().map(|c| (c, entry.def.cfg.clone())));
    let own = def.cfg.as_deref().and_then(|text| oplock_core::Condition::parse(text).ok());
    if let (Some((locked, text)), Some(own)) = (locked, own) {
        if locked.covers(&own) {
            def.cfg = text;
        }
    }
    def
}

fn stale_text(judgement: &OpJudgement) -> String {
    let changes: Vec<_> = judgement.findings.iter().map(report::headline).collect();
    let changes = if changes.is_empty() {
        "what an earlier change put into it is taken back".to_owned()
    } else {
        changes.join("; ")
    };
    format!("ops.lock is stale: {changes}. Run `cargo oplock update`")
}

/// The token at fault, and a note where something looks renamed.
fn place_of(signature: &Signature, judgement: &OpJudgement, judged: &Judged) -> (Span, Option<String>) {
    let Some((kind, name)) = &judged.finding.item else { return (signature.name_span, None) };
    let place = signature.places.iter().find(|place| place.kind == *kind && place.name == *name);
    let Some(place) = place else {
        return match renamed(signature, judgement, *kind) {
            Some(place) => {
                let hint = format!(
                    "`{}` looks like `{name}` under another name; a field may be renamed as you like while its saved name stays: \
                     `name = \"{name}\"`",
                    place.name
                );
                (place.span, Some(hint))
            }
            None => (signature.name_span, None),
        };
    };
    (field_span(place, judged), None)
}

fn field_span(place: &Place, judged: &Judged) -> Span {
    let at = match judged.finding.field {
        Some("type") => place.ty,
        Some("default") => place.default,
        Some("values") => place.values,
        Some(field) => place.marks.iter().find(|(mark, _)| mark.name() == field).map(|(_, span)| *span),
        None => None,
    };
    at.unwrap_or(place.span)
}

/// The one item of that kind that is new, where one is gone.
fn renamed<'a>(signature: &'a Signature, judgement: &OpJudgement, kind: Kind) -> Option<&'a Place> {
    let of_kind = |suffix: &str| -> Vec<&Judged> {
        let matches = |judged: &&Judged| {
            judged.finding.item.as_ref().is_some_and(|(k, _)| *k == kind) && judged.finding.rule.name.contains(suffix)
        };
        judgement.findings.iter().filter(matches).collect()
    };
    let (deleted, added) = (of_kind("_deleted"), of_kind("_added"));
    let ([_], [added]) = (deleted.as_slice(), added.as_slice()) else { return None };
    let (_, name) = added.finding.item.as_ref()?;
    signature.places.iter().find(|place| place.kind == kind && place.name == *name)
}

/// Writes what this expansion saw into the folder of records.
fn collect(folder: &Path, signature: &Signature, unlocked: bool) -> Result<(), String> {
    let package = Package::current()?;
    let span = signature.name_span.unwrap();
    write_record(
        folder,
        &Record {
            manifest_dir: package.manifest_dir.to_string_lossy().into_owned(),
            crate_name: package.crate_name,
            file: span.file(),
            line: u32::try_from(span.line()).unwrap_or(0),
            op: Some(CollectedOp { def: signature.def.clone(), unlocked }),
        },
    )
}

/// Writes a record; writing it again changes nothing.
pub(crate) fn write_record(folder: &Path, record: &Record) -> Result<(), String> {
    let path = folder.join(record.file_name());
    fs::write(&path, record.to_text())
        .map_err(|error| format!("cannot write {} for `cargo oplock`: {error}", path.display()))
}
