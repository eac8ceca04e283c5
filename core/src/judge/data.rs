//! Data versions, the versions that breaks take, and upgrades: held against the lock.
//!
//! What a signature's change means is none of this file's business; it asks whether graphs of before and of other releases
//! are told apart from those of now.

#[cfg(feature = "tools")]
use std::collections::BTreeMap;

use super::{Context, Judged, OpJudgement, Remedy, Verdict, is_break};
use crate::compare::Finding;
use crate::lock::{Bound, Line, Lock, Row, RowKey, Saved, Side, Since, Stamp};
use crate::model::{DataVersions, SavedKind, Set};
use crate::upgrade::Need;
use crate::version::next_major;

/// The greatest data version that a release has written; `None` while there is no release.
pub fn released_version(lock: &Lock, kind: SavedKind) -> Option<u32> {
    lock.release_line().iter().map(|(_, release)| release.version_of(kind)).max()
}

/// Judges what the source declares of one kind of data.
pub fn judge_data(lock: &Lock, context: &Context, kind: SavedKind, declared: &DataVersions) -> OpJudgement {
    let none = Saved::default();
    let saved = lock.saved.get(&kind);
    let stale = saved_after(lock, kind, declared).as_ref() != saved;
    let judge = Judge { lock, context, kind, saved: saved.unwrap_or(&none), declared };
    let mut findings = Vec::new();
    judge.history(&mut findings);
    judge.bad_consumers(&mut findings);
    judge.min_consumer(&mut findings);
    judge.min_producer(&mut findings);
    OpJudgement { findings, stale }
}

/// What the lock remembers of one kind of data after an update; `None` where that is version 1 and nothing else.
pub fn saved_after(lock: &Lock, kind: SavedKind, declared: &DataVersions) -> Option<Saved> {
    let none = Saved::default();
    let old = lock.saved.get(&kind);
    if old.is_none() && *declared == DataVersions::default() {
        return None;
    }
    let old = old.unwrap_or(&none);
    let unreleased = || Stamp { since: Some(Since::Unreleased), line: 0 };
    let mut new = Saved { versions: declared.clone(), ..Saved::default() };
    for (version, text) in &declared.history {
        let stamp = match old.since.get(version) {
            Some(stamp) => stamp.clone(),
            // A plain `lock!()` declares it without a line, and a release may have written it.
            None if *version == 1 && text.is_empty() => continue,
            None if *version == 1 && old.since.is_empty() => first_release(lock, kind).unwrap_or_else(unreleased),
            None => unreleased(),
        };
        new.since.insert(*version, stamp);
    }
    for version in &declared.bad_consumers {
        new.bad_since.insert(*version, old.bad_since.get(version).cloned().unwrap_or_else(unreleased));
    }
    let bound = |bound: &Bound, was: u32, is: u32| {
        let released = bound.was.unwrap_or(was);
        Bound { was: Some(released).filter(|was| *was < is && lock.last_release().is_some()), line: bound.line }
    };
    new.min_producer = bound(&old.min_producer, old.versions.min_producer, declared.min_producer);
    new.min_consumer = bound(&old.min_consumer, old.versions.min_consumer, declared.min_consumer);
    (new != none).then_some(new)
}

/// The first release, which wrote version 1.
fn first_release(lock: &Lock, kind: SavedKind) -> Option<Stamp> {
    let (version, _) = lock.release_line().into_iter().find(|(_, release)| release.version_of(kind) == 1)?;
    Some(Stamp { since: Some(Since::Release(version.clone())), line: 0 })
}

/// What is judged, and by what.
struct Judge<'a> {
    lock: &'a Lock,
    context: &'a Context,
    kind: SavedKind,
    saved: &'a Saved,
    declared: &'a DataVersions,
}

impl Judge<'_> {
    fn history(&self, out: &mut Vec<Judged>) {
        let (kind, old, new) = (self.kind, &self.saved.versions.history, &self.declared.history);
        for (version, stamp) in &self.saved.since {
            match (old.get(version), new.get(version)) {
                (_, None) => {
                    let finding = Finding::data("data_version_removed", kind, version, "nothing");
                    out.push(self.never(finding, stamp, &version.to_string()));
                }
                (Some(was), Some(is)) if was != is && is_released(stamp) => {
                    let finding = Finding::data("data_version_changed", kind, format!("{was:?}"), version);
                    out.push(self.never(finding, stamp, &version.to_string()));
                }
                _ => {}
            }
        }
        let greatest = self.saved.since.iter().filter(|(_, stamp)| is_released(stamp)).map(|(version, _)| *version);
        let greatest = greatest.chain(released_version(self.lock, kind)).max();
        for (version, text) in new.iter().filter(|(version, _)| !self.saved.since.contains_key(version)) {
            let is_first = *version == 1 && (text.is_empty() || self.saved.since.is_empty());
            if is_first {
                continue; // a plain `lock!()` declares it, too
            }
            if let Some(greatest) = greatest.filter(|greatest| version <= greatest) {
                let finding = Finding::data("data_version_not_above", kind, greatest, version);
                let stamp = self.saved.since.get(&greatest).cloned().unwrap_or_default();
                out.push(self.refused(finding, &stamp, Remedy::Mend));
                continue;
            }
            let finding = Finding::data("data_version_added", kind, "nothing", version);
            let finding = if self.only_names_bad_consumers() { finding.with_case_of("bad_consumers") } else { finding };
            out.push(self.compatible(finding));
        }
    }

    /// Whether the newest version is there for new bad consumers alone.
    fn only_names_bad_consumers(&self) -> bool {
        only_names_bad_consumers(self.lock, self.kind, &self.saved_after())
    }

    fn saved_after(&self) -> Saved {
        saved_after(self.lock, self.kind, self.declared).unwrap_or_default()
    }

    fn bad_consumers(&self, out: &mut Vec<Judged>) {
        let (old, new) = (&self.saved.versions.bad_consumers, &self.declared.bad_consumers);
        for version in old.difference(new) {
            let stamp = self.saved.bad_since.get(version).cloned().unwrap_or_default();
            let finding = Finding::data("bad_consumer_removed", self.kind, version, "nothing");
            out.push(self.never(finding, &stamp, &format!("bad_consumer.{version}")));
        }
        for version in new.difference(old) {
            out.push(self.compatible(Finding::data("bad_consumer_added", self.kind, "nothing", version)));
        }
    }

    fn min_consumer(&self, out: &mut Vec<Judged>) {
        let (was, is) = (self.saved.versions.min_consumer, self.declared.min_consumer);
        if is > was {
            out.push(self.compatible(Finding::data("min_consumer_raised", self.kind, was, is)));
        } else if self.falls(&self.saved.min_consumer, was, is) {
            let finding = Finding::data("min_consumer_lowered", self.kind, was, is);
            out.push(self.never(finding, &bound_stamp(&self.saved.min_consumer), "min_consumer"));
        }
    }

    fn min_producer(&self, out: &mut Vec<Judged>) {
        let bound = &self.saved.min_producer;
        let (was, is) = (self.saved.versions.min_producer, self.declared.min_producer);
        if self.falls(bound, was, is) {
            let finding = Finding::data("min_producer_lowered", self.kind, was, is);
            out.push(self.never(finding, &bound_stamp(bound), "min_producer"));
            return;
        }
        let released = bound.was.unwrap_or(was);
        if is <= released {
            return;
        }
        let Some(last) = self.lock.last_release() else {
            // What no release has written is not refused by any.
            out.push(self.compatible(Finding::data("min_producer_raised", self.kind, was, is).with_bump_of_nothing()));
            return;
        };
        let stamp = Stamp { since: Some(Since::Release(last.clone())), line: bound.line };
        let finding = Finding::data("min_producer_raised", self.kind, released, is);
        match self.context.major_on_the_way(self.lock) {
            Some(version) if is > was => {
                out.push(Judged { verdict: Verdict::Accepted(version), ..self.compatible(finding) });
            }
            Some(_) => {}
            None => {
                let version = next_major(last, &self.context.version);
                out.push(self.refused(finding, &stamp, Remedy::Major { version }));
                return;
            }
        }
        if self.context.min_producer_window() > 0 && released_version(self.lock, self.kind).is_none_or(|v| v < is) {
            let finding = Finding::data("min_producer_too_early", self.kind, released, is);
            out.push(self.refused(finding, &stamp, Remedy::Mend));
        }
    }

    /// Whether a number falls that must not; what the last release had may always be restored.
    fn falls(&self, bound: &Bound, was: u32, is: u32) -> bool {
        is < was && bound.was != Some(is) && self.lock.last_release().is_some()
    }

    fn compatible(&self, finding: Finding) -> Judged {
        Judged { finding, verdict: Verdict::Compatible, since: None, line: self.saved.line, locked: None }
    }

    /// What no release may do; where none carries it, it is taken back on purpose.
    fn never(&self, finding: Finding, stamp: &Stamp, what: &str) -> Judged {
        let remedy = match stamp.since {
            Some(Since::Unreleased) => Remedy::Withdraw { path: format!("saved.{}.{what}", self.kind) },
            _ => Remedy::Mend,
        };
        self.refused(finding, stamp, remedy)
    }

    fn refused(&self, finding: Finding, stamp: &Stamp, remedy: Remedy) -> Judged {
        let line = if stamp.line > 0 { stamp.line } else { self.saved.line };
        Judged { finding, verdict: Verdict::Refused(remedy), since: stamp.since.clone(), line, locked: None }
    }
}

fn is_released(stamp: &Stamp) -> bool {
    !matches!(stamp.since, Some(Since::Unreleased))
}

fn bound_stamp(bound: &Bound) -> Stamp {
    Stamp { since: bound.was.map(|_| Since::Unreleased), line: bound.line }
}

/// Whether all that the unreleased versions of a kind do is to name bad consumers: there are some, `min_consumer` and
/// `min_producer` have not moved, and nothing takes one of those versions.
pub(super) fn only_names_bad_consumers(lock: &Lock, kind: SavedKind, saved: &Saved) -> bool {
    let is_new = |stamp: &Stamp| stamp.since == Some(Since::Unreleased);
    let new: Set<_> = saved.since.iter().filter(|(_, stamp)| is_new(stamp)).map(|(version, _)| *version).collect();
    let takes = |version: u32| kind == SavedKind::Graph && new.contains(&version);
    let of_op = |name: &String| {
        let entry = &lock.ops[name];
        let items = entry.def.inputs.iter().chain(entry.def.outputs.iter()).filter_map(|arg| arg.deprecated.as_ref());
        let attrs = entry.def.attrs.iter().filter_map(|attr| attr.deprecated.as_ref());
        let deprecated = items.chain(attrs).chain(entry.def.deprecated.as_ref()).any(|d| takes(d.version));
        deprecated || entry.def.revisions.iter().any(|revision| takes(revision.version))
    };
    saved.bad_since.values().any(is_new)
        && saved.min_producer.was.is_none()
        && saved.min_consumer.was.is_none()
        && !lock.pending().any(|(_, row)| row.version.is_some_and(takes))
        && !lock.ops.keys().any(of_op)
}

/// Gives each pending break its data version: the one that it has while that is declared and no release has written it, else
/// the greatest declared one; none where no release could tell it from what the last one wrote.
#[cfg(feature = "tools")]
pub(super) fn take_versions(lock: &mut Lock, old: &Lock, context: &Context, declared: &DataVersions) {
    let released = released_version(lock, SavedKind::Graph).unwrap_or(0);
    let is_new = |version: &u32| *version > released && declared.history.contains_key(version);
    let newest = Some(declared.producer()).filter(is_new);
    let versions: BTreeMap<RowKey, Option<u32>> = lock
        .pending()
        .filter(|(key, row)| is_break(lock, key, row, context.options))
        .map(|(key, row)| {
            let same = old.ledger.get(key).filter(|old| (&old.from, &old.to) == (&row.from, &row.to));
            (key.clone(), same.and_then(|old| old.version).filter(is_new).or(newest))
        })
        .collect();
    for (key, row) in lock.ledger.iter_mut().filter(|(key, _)| key.release.is_none()) {
        row.version = versions.get(key).copied().flatten();
    }
}

/// The pending breaks that take no data version, or one that a release has written already.
pub fn judge_versions(lock: &Lock, context: &Context) -> Vec<Judged> {
    let released = released_version(lock, SavedKind::Graph).unwrap_or(0);
    let lacks = |(key, row): &(&RowKey, &Row)| {
        let went_with_op = key.item.is_some() && row.rule == "op_deleted" && row.to == Side::Absent;
        !went_with_op
            && row.version.is_none_or(|version| version <= released)
            && is_break(lock, key, row, context.options)
    };
    let finding = |(key, row): (&RowKey, &Row)| {
        let next = lock.data_versions(SavedKind::Graph).producer().max(released) + 1;
        let what = (key.op.as_str(), key.item.as_ref());
        let finding = Finding::of_break("break_without_version", what, released, next);
        refused(finding, row.from.since().cloned(), row.line)
    };
    lock.pending().filter(lacks).map(finding).collect()
}

/// An open break that neither the ledger nor a function covers.
pub fn judge_need(need: &Need) -> Judged {
    let what = (need.op.as_str(), need.item.as_ref());
    let finding = Finding::of_break("break_not_covered", what, &need.what, need.version);
    let is_deletion = need.rule == "op_deleted" && need.item.is_none();
    let finding = if is_deletion { finding.with_case_of("op_deleted") } else { finding };
    refused(finding, need.since.clone(), need.line)
}

/// An upgrade function that the lock has and the source has not; `min_producer` is what the source declares.
pub fn judge_lost_upgrade(lock: &Lock, context: &Context, op: &str, version: u32, min_producer: u32) -> Judged {
    let stamp = lock.upgrades.get(&(op.to_owned(), version)).cloned().unwrap_or_default();
    let finding = Finding::of_break("upgrade_removed", (op, None), "present", version);
    if version <= min_producer {
        let finding = finding.with_case_of("min_producer");
        return Judged { finding, verdict: Verdict::Compatible, since: stamp.since, line: stamp.line, locked: None };
    }
    let verdict = match (&stamp.since, context.major_on_the_way(lock), lock.last_release()) {
        (Some(Since::Release(_)), Some(version), _) => Verdict::Accepted(version),
        (Some(Since::Release(_)), None, Some(last)) => {
            Verdict::Refused(Remedy::Major { version: next_major(last, &context.version) })
        }
        _ => Verdict::Refused(Remedy::Withdraw { path: format!("upgrade.{op}.{version}") }),
    };
    Judged { finding, verdict, since: stamp.since, line: stamp.line, locked: None }
}

/// An upgrade function that the source has and the lock has not.
pub fn judge_new_upgrade(op: &str, version: u32) -> Judged {
    let finding = Finding::of_break("upgrade_added", (op, None), "absent", version);
    Judged { finding, verdict: Verdict::Compatible, since: None, line: 0, locked: None }
}

fn refused(finding: Finding, since: Option<Since>, line: Line) -> Judged {
    Judged { finding, verdict: Verdict::Refused(Remedy::Mend), since, line, locked: None }
}

impl Context {
    /// How many days before `min_producer` may rise to it a data version must have been released: about six months from 1.0
    /// on, if the manifest says nothing else; none below.
    pub fn min_producer_window(&self) -> u32 {
        const HALF_A_YEAR: u32 = 180;
        if self.version.major == 0 { 0 } else { self.options.min_producer_window.unwrap_or(HALF_A_YEAR) }
    }
}
