//! Holds the data versions that `lock!` declares against the lock, and asks for the upgrades that open breaks need.

use std::fmt::Write as _;

use oplock_core::judge::{judge_data, judge_lost_upgrade, judge_need, judge_versions, undeclared_versions};
use oplock_core::upgrade::needs;
use oplock_core::{COMMON, DataVersions, Judged, Lock, Map, SavedKind, Set, Verdict, mangle_op_name, report};
use proc_macro2::Span;

use crate::compare::text_of;
use crate::ctxt::Ctxt;
use crate::environment::Loaded;
use crate::parse::SavedArgument;

/// What follows for the expansion.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Why the lock is stale, if it is.
    pub(crate) stale: Vec<String>,
    /// The constants of the trait that gives every upgrade a default.
    pub(crate) names: String,
    /// The checks that no upgrade is missing.
    pub(crate) checks: String,
    /// The upgrades that may be missing, if they are.
    pub(crate) gone: String,
}

/// What the source declares of one kind of data.
pub(crate) fn declared(saved: &[SavedArgument], kind: SavedKind) -> DataVersions {
    saved.iter().find(|saved| saved.kind == kind).map(|saved| saved.versions.clone()).unwrap_or_default()
}

/// The name of the constant that an upgrade leaves in the hidden module.
pub(crate) fn mark(op: &str, before: u32) -> String {
    format!("before_{before}_{}", mangle_op_name(op))
}

/// Judges all of it.
pub(crate) fn enforce(cx: &Ctxt, loaded: &Loaded, lock: &Lock, saved: &[SavedArgument]) -> Outcome {
    let mut outcome = Outcome::default();
    for kind in SavedKind::ALL {
        let argument = saved.iter().find(|saved| saved.kind == kind);
        if argument.is_none_or(|argument| !argument.faulty) {
            data(cx, loaded, lock, (kind, argument), &mut outcome);
        }
    }
    let graph = saved.iter().find(|saved| saved.kind == SavedKind::Graph);
    let at = graph.map_or_else(Span::call_site, |graph| graph.places.kind);
    for judged in judge_versions(lock, &loaded.context) {
        cx.error(at, text_of(&judged));
    }
    if graph.is_none_or(|graph| !graph.faulty) {
        undeclared(cx, lock, declared(saved, SavedKind::Graph), at);
        upgrades(loaded, lock, declared(saved, SavedKind::Graph).min_producer, &mut outcome);
    }
    outcome
}

/// What the lock has agreed to though neither it nor the source declares it, as a lock that was made before this was asked.
fn undeclared(cx: &Ctxt, lock: &Lock, mut known: DataVersions, at: Span) {
    // What the source no longer declares is told by itself.
    known.history.extend(lock.data_versions(SavedKind::Graph).history);
    let ops = lock.ops.iter().filter(|(name, _)| *name != COMMON).map(|(_, entry)| &entry.def);
    for judged in undeclared_versions(ops, &known) {
        cx.error(
            at,
            format!("{}\n  help: where the source no longer says so: `cargo oplock update`", text_of(&judged)),
        );
    }
}

fn data(
    cx: &Ctxt,
    loaded: &Loaded,
    lock: &Lock,
    (kind, argument): (SavedKind, Option<&SavedArgument>),
    outcome: &mut Outcome,
) {
    let versions = argument.map(|argument| argument.versions.clone()).unwrap_or_default();
    let judgement = judge_data(lock, &loaded.context, kind, &versions);
    for judged in judgement.refused() {
        cx.error(argument.map_or_else(Span::call_site, |argument| span_of(argument, judged)), text_of(judged));
    }
    if judgement.stale && judgement.refused().next().is_none() {
        let text = match judgement.findings.as_slice() {
            [] => report::stale_words(kind),
            findings => report::stale(findings),
        };
        if loaded.locked {
            let at = argument.map_or_else(Span::call_site, |argument| argument.places.kind);
            cx.error(
                at,
                format!("{text}\n  note: a stale lock is an error here (OPLOCK_LOCKED=1, or a packaged crate)"),
            );
        } else {
            outcome.stale.push(text);
        }
    }
}

/// The token at fault.
fn span_of(argument: &SavedArgument, judged: &Judged) -> Span {
    let places = &argument.places;
    let finding = &judged.finding;
    let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<u32>().ok());
    let line = number(&finding.to).and_then(|version| places.versions.get(&version));
    let at = match finding.rule.name {
        "data_version_changed" => line.map(|(_, text)| *text),
        "data_version_not_above" | "data_version_added" => line.map(|(number, _)| *number),
        "bad_consumer_removed" => places.bad_consumers,
        "min_consumer_lowered" => places.min_consumer,
        "min_producer_raised" | "min_producer_too_early" | "min_producer_lowered" => places.min_producer,
        _ => None,
    };
    at.unwrap_or(places.kind)
}

/// Asks for the upgrade of each open break, and for each that the lock has.
fn upgrades(loaded: &Loaded, lock: &Lock, min_producer: u32, outcome: &mut Outcome) {
    let mut asked: Map<(String, u32), Vec<String>> = Map::new();
    let mut deleted = Set::new();
    for need in needs(lock, min_producer) {
        let mut text = report::human(&judge_need(&need));
        if lock.pending_of(&need.op).any(|(key, _)| key.item == need.item) {
            text.push_str("\n  help: or bring back what was there, and run `cargo oplock update`");
            if need.item.is_none() && !lock.ops.contains_key(&need.op) {
                deleted.insert(need.op.clone());
            }
        }
        text.push_str("\n  more: `cargo oplock explain break_not_covered`");
        asked.get_or_default((need.op, need.version)).push(text);
    }
    for key @ (op, version) in lock.upgrades.keys() {
        let judged = judge_lost_upgrade(lock, &loaded.context, op, *version, min_producer);
        let mark = mark(op, *version);
        if asked.contains_key(key) || matches!(judged.verdict, Verdict::Refused(_)) {
            let known = asked.get_or_default(key.clone());
            // That it is gone says enough.
            *known = vec![text_of(&judged)];
            continue;
        }
        let _ = write!(outcome.names, "const {mark}: rt::Mark = rt::None; ");
        if !lock.gone_upgrades.contains(key) {
            let text = report::stale([&judged]);
            let _ = write!(outcome.gone, "({text:?}, Ops::{mark}), ");
        }
    }
    for ((op, version), texts) in asked {
        let mark = mark(&op, version);
        let _ = write!(outcome.names, "const {mark}: rt::Mark = rt::None; ");
        let texts = texts.join("\n");
        // An operator that is there again is not deleted, whatever the lock still says.
        let found = if deleted.contains(&op) {
            format!("if Ops::{mark}.is_some() {{ Ops::{mark} }} else {{ Ops::{} }}", mangle_op_name(&op))
        } else {
            format!("Ops::{mark}")
        };
        let _ = write!(outcome.checks, "({found}, {texts:?}), ");
    }
}

/// The versions as the crate's table holds them.
pub(crate) fn table(versions: &DataVersions) -> String {
    let mut text = format!(
        "rt::SavedVersions {{ producer: {}, min_producer: {}, min_consumer: {}, bad_consumers: &[",
        versions.producer(),
        versions.min_producer,
        versions.min_consumer
    );
    for version in &versions.bad_consumers {
        let _ = write!(text, "{version}, ");
    }
    text.push_str("], history: &[");
    for (version, brought) in &versions.history {
        let _ = write!(text, "({version}, {brought:?}), ");
    }
    text.push_str("] }");
    text
}
