//! What is checked out: a source, its lock, and what one does with them.

use std::collections::BTreeSet;

use oplock_core::judge::{BaseFinding, OpJudgement, check_base, judge_set, seal, updated};
use oplock_core::lock::{Approved, OpEntry, Release, Row, RowKey, Side, Since};
use oplock_core::{Context, Kind, Lock, OpDef, Options};
use semver::Version;

use super::common::v;
use super::faults::Fault;
use super::model::{Item, Past, Source, changed_fields};
use super::world::{OPS, pick};

#[derive(Clone)]
pub(crate) struct Branch {
    pub(crate) source: Source,
    pub(crate) context: Context,
    pub(crate) lock: Lock,
    /// The last releases of which it holds what they were.
    pub(crate) tips: BTreeSet<usize>,
    /// Whether only commands have written the lock.
    pub(crate) is_clean: bool,
    /// Locks that it had before.
    pub(crate) trail: Vec<Lock>,
    /// What does not work.
    pub(crate) fault: Fault,
}

impl Branch {
    /// Whether somebody approved all that is broken of an operator or item: each of its breaks by itself.
    pub(crate) fn approves(&self, past: &Past, (op, item): &(String, Item), sealed: &Lock) -> bool {
        let of_whole = |rule: &str| rule == "op_deleted" || rule == "name_reused";
        let of_op = || self.context.approvals.list.iter().filter(|approval| approval.op == *op);
        let of_item = || of_op().filter(|approval| approval.item == *item);
        let fields = match (past.ops.get(op), self.source.get(op), item) {
            (Some(old), Some(new), Some(item)) => changed_fields(old, new, item),
            _ => Vec::new(),
        };
        let is_of = |field: &&str| of_item().any(|approval| approval.field.as_deref() == Some(*field));
        let in_file = of_op().any(|approval| approval.item.is_none() && of_whole(&approval.rule))
            || (of_item().next().is_some() && fields.iter().all(is_of));
        // A row that no release had says who and why, though by a hand that forged the release, or by a release of another
        // branch.
        let is_alone = self.is_clean && self.tips.len() == 1;
        let in_ledger = !is_alone
            && sealed.rows_of(op).any(|(key, row)| {
                let is_of = key.item == *item || (key.item.is_none() && of_whole(&row.rule));
                row.approved.is_some() && is_of && !past.lock.ledger.contains_key(key)
            });
        in_file || in_ledger
    }

    /// What the sealing of that lock would let through, if it is let through at all, and if no base says anything.
    pub(crate) fn release(&self, past: &[Past], lock: &Lock) -> Option<Lock> {
        let sealed = self.sealed(lock)?;
        let is_silent = |lock: &Lock, base: &usize| self.held_against(&past[*base].lock, lock).is_empty();
        self.tips.iter().all(|tip| is_silent(lock, tip) && is_silent(&sealed, tip)).then_some(sealed)
    }

    /// What a base has to say against a lock.
    pub(crate) fn held_against(&self, base: &Lock, lock: &Lock) -> Vec<BaseFinding> {
        let findings = check_base(base, lock, Options::default());
        findings.into_iter().filter(|finding| finding.is_error() && !self.fault.hides(finding)).collect()
    }

    /// Whether anything of it is refused.
    pub(crate) fn is_refused(&self, judgement: &OpJudgement) -> bool {
        judgement.refused().any(|judged| !self.fault.allows(&judged.finding))
    }

    /// The same, held against no base.
    pub(crate) fn sealed(&self, lock: &Lock) -> Option<Lock> {
        if lock.last_release().is_some_and(|last| self.context.version <= *last) {
            return None;
        }
        let judgement = judge_set(lock, &self.context, &self.source);
        let is_legal = !self.is_refused(&judgement) && !judgement.stale;
        if is_legal { seal(lock, &self.context, "2026-01-01").ok() } else { None }
    }

    /// The lock after an update, if nothing forbids one.
    pub(crate) fn updated(&self) -> Option<Lock> {
        let judgement = judge_set(&self.lock, &self.context, &self.source);
        if self.is_refused(&judgement) || self.context.check_overrun(&self.lock).is_err() {
            return None;
        }
        let mut lock = updated(&self.lock, &self.context, &self.source, &|_| false);
        self.context.note_version(&mut lock);
        Some(lock)
    }

    pub(crate) fn change(&mut self, op: &str, change: impl FnOnce(&mut OpDef)) {
        change(self.source.entry(op.to_owned()).or_insert_with(|| OpDef::new(op.to_owned())));
    }

    pub(crate) fn set_item(&mut self, op: &str, new: &OpDef) {
        let names: Vec<_> = new.item_names().map(|(kind, name)| (kind, name.to_owned())).collect();
        for item in &names {
            self.remove_item(op, item);
        }
        let new = new.clone();
        self.change(op, |def| {
            def.inputs.to_mut().extend(new.inputs.into_owned());
            def.outputs.to_mut().extend(new.outputs.into_owned());
            def.attrs.to_mut().extend(new.attrs.into_owned());
        });
    }

    pub(crate) fn remove_item(&mut self, op: &str, (kind, name): &(Kind, String)) {
        self.change(op, |def| match kind {
            Kind::Input => def.inputs.to_mut().retain(|i| i.name != *name),
            Kind::Output => def.outputs.to_mut().retain(|i| i.name != *name),
            Kind::Attr => def.attrs.to_mut().retain(|i| i.name != *name),
        });
    }

    /// Some valid edit of the lock, likely one that would hide something.
    pub(crate) fn edit(&mut self, a: u32, b: u32) {
        let mut lock = self.lock.clone();
        let op = OPS[b as usize % OPS.len()];
        let keys: Vec<_> = lock.ledger.keys().cloned().collect();
        let releases: Vec<_> = lock.releases.keys().cloned().collect();
        let source = self.source.get(op).map(|def| OpEntry::new(def.clone(), &Since::Unreleased));
        match a % 15 {
            // The entry as the source has it, with the stamps that it had.
            0 | 1 => {
                if let (Some(entry), Some(mut new)) = (lock.ops.get(op), source) {
                    let keep = |stamp: &mut Option<Since>, was: Option<&Since>| {
                        if let (Some(stamp), Some(was)) = (stamp.as_mut(), was) {
                            *stamp = was.clone();
                        }
                    };
                    keep(&mut new.stamp.since, entry.stamp.since.as_ref());
                    for ((kind, name), stamp) in &mut new.items {
                        keep(&mut stamp.since, entry.item_since(*kind, name).or(entry.stamp.since.as_ref()));
                    }
                    lock.ops.insert(op.to_owned(), new);
                }
            }
            2 => drop(source.map(|entry| lock.ops.insert(op.to_owned(), entry))),
            3 => drop(lock.ops.remove(op)),
            4 => drop(pick(&keys, b).map(|key| lock.ledger.remove(key))),
            5 => lock.ledger.retain(|key, _| key.op != op || key.release.is_some()),
            6 => drop(pick(&releases, b).map(|release| lock.releases.remove(release))),
            7 => drop(lock.releases.insert(bumped(&self.last(), b), Release::new("2026-01-02"))),
            8 => {
                if let (Some(entry), Some(release)) = (lock.ops.get_mut(op), pick(&releases, b / 3)) {
                    for stamp in std::iter::once(&mut entry.stamp).chain(entry.items.values_mut()) {
                        stamp.since = stamp.since.take().map(|_| Since::Release(release.clone()));
                    }
                }
            }
            9 => {
                if let Some(entry) = lock.ops.get_mut(op) {
                    for stamp in std::iter::once(&mut entry.stamp).chain(entry.items.values_mut()) {
                        stamp.since = stamp.since.take().map(|_| Since::Unreleased);
                    }
                }
            }
            10 => {
                // A row that says that what is there now came from what the source has, or the other way round.
                let items: Vec<_> = lock.ops.get(op).map(|e| e.items.keys().cloned().collect()).unwrap_or_default();
                let item = pick(&items, b / 7).cloned();
                let now = lock.ops.get(op).map_or(Side::Absent, |entry| entry.row_side(item.as_ref()));
                let release = pick(&releases, b / 5).cloned().filter(|_| b & 8 == 8);
                let from = source.map_or(Side::Absent, |entry| entry.row_side(item.as_ref()));
                let (from, to) = if release.is_some() && b & 16 == 16 { (now, from) } else { (from, now) };
                let key = RowKey { op: op.to_owned(), release, item };
                let row = Row {
                    rule: "attr_value_added".to_owned(),
                    from,
                    to,
                    accepted_for: None,
                    approved: None,
                    version: None,
                    line: 0,
                };
                lock.ledger.insert(key, row);
            }
            11 => {
                if let Some(row) = pick(&keys, b).and_then(|key| lock.ledger.get_mut(key)) {
                    ["op_deleted", "attr_value_added", "name_reused"][b as usize / 4 % 3].clone_into(&mut row.rule);
                    row.approved = (b & 2 == 2).then(|| Approved { by: "x".to_owned(), reason: "y".to_owned() });
                }
            }
            12 => {
                if let Some(key) = pick(&keys, b).filter(|key| key.release.is_some())
                    && let Some(row) = lock.ledger.remove(key)
                {
                    let release = pick(&releases, b / 3).cloned();
                    lock.ledger.insert(RowKey { release, ..key.clone() }, row);
                }
            }
            // A major release that calls itself a minor one.
            13 => {
                let Version { major, minor, patch, .. } = self.last();
                let (next, other) = if major > 0 {
                    (Version::new(major + 1, 0, 0), Version::new(major, minor + 1, 0))
                } else {
                    (Version::new(0, minor + 1, 0), Version::new(0, minor, patch + 1))
                };
                let breaking = Context { version: next, ..self.context.clone() };
                let updated = updated(&Lock { next: None, ..lock.clone() }, &breaking, &self.source, &|_| false);
                let sealed = seal(&updated, &breaking, "2026-01-01").map(|sealed| sealed.to_string());
                let (from, to) = (breaking.version.to_string(), other.to_string());
                let minor = sealed.map(|text| text.replace(&format!("\"{from}\""), &format!("\"{to}\"")));
                lock = minor.ok().and_then(|text| Lock::parse(&text, Some("p")).ok()).unwrap_or(lock);
            }
            _ => {
                lock.version = (b & 1 == 1).then(|| bumped(&self.last(), b / 2));
                lock.next = (b & 4 == 4).then(|| bumped(&self.last(), b / 8));
            }
        }
        if Lock::parse(&lock.to_string(), Some("p")).is_ok_and(|again| again == lock) && lock != self.lock {
            self.lock = lock;
            self.is_clean = false;
        }
    }

    pub(crate) fn last(&self) -> Version {
        self.lock.last_release().cloned().unwrap_or_else(|| v("1.0.0"))
    }
}

pub(crate) fn bumped(last: &Version, how: u32) -> Version {
    let Version { major, minor, patch, .. } = *last;
    let version = |text: String| v(&text);
    match how % 11 {
        0..=2 => Version::new(major, minor + 1, 0),
        3 | 4 => Version::new(major, minor, patch + 1),
        5 | 6 => Version::new(major + 1, 0, 0),
        7 => version(format!("{major}.{}.0-rc.1", minor + 1)),
        8 => version(format!("{}.0.0-rc.1", major + 1)),
        9 => Version::new(major + 1, 1, 0),
        _ => last.clone(),
    }
}
