//! What one release line takes over of another: its releases, what they promise, and what they broke.

use std::collections::BTreeSet;

use semver::Version;

use super::merge::{Choice, Merged, apart, carried, drop_ambiguous, is_released, is_same_release, path_of};
use super::merge_data::{absorb_data, keep_released_data};
use super::{Lock, OpEntry, RowKey, Side, Since, Stamp};
use crate::judge::last_released;
use crate::model::{Map, OpDef};
use crate::version::target;

/// Takes another release line over: its releases, what they promise, and its sealed ledger rows.
///
/// What both lines promise is promised since the release that stands earlier in the line. What only the other line promises is promised here too,
/// unless this lock's ledger says that it was deleted here; the next comparison with the source then asks for it.
///
/// Where the other line is the newer one, it is this lock's releases that are carried over to it, and what no release
/// carries comes back by the next update.
#[must_use]
pub fn absorb(lock: &Lock, other: &Lock) -> Merged {
    if other.last_release() <= lock.last_release() {
        return absorb_older(lock, other);
    }
    let mut newer = other.clone();
    newer.ledger.retain(|key, _| key.release.is_some());
    newer.ops = released_ops(other);
    keep_released_data(&mut newer);
    let Merged { lock: mut merged, mut choices } = absorb_older(&newer, lock);
    merged.package.clone_from(&lock.package);
    merged.formerly.clone_from(&lock.formerly);
    (merged.version, merged.next) = (None, lock.next.clone());
    let last = merged.last_release().cloned();
    merged.next = merged.next.filter(|next| last.is_none_or(|last| target(next) > last));
    for choice in &mut choices {
        std::mem::swap(&mut choice.ours, &mut choice.theirs);
        choice.took_ours = !choice.took_ours;
    }
    Merged { lock: merged, choices }
}

/// What the last release of a lock had.
pub(crate) fn released_ops(lock: &Lock) -> Map<String, OpEntry> {
    let pending = lock.pending().map(|(key, _)| &key.op);
    let names: BTreeSet<_> = lock.ops.keys().chain(pending).collect();
    let mut ops = Map::new();
    for name in names {
        ops.extend(last_released(lock, name).map(|entry| (name.clone(), entry)));
    }
    ops
}

fn absorb_older(lock: &Lock, other: &Lock) -> Merged {
    let mut merged = Merged { lock: lock.clone(), choices: Vec::new() };
    absorb_data(lock, other, &mut merged.lock, &mut merged.choices);
    let new = &mut merged.lock;
    for (version, release) in &other.releases {
        if let Some(ours) = lock.releases.get(version)
            && (!ours.is(release) || !is_same_release(lock, other, version))
        {
            // Each line sealed it: only one of them can have been published.
            let of = |lock: &Lock, date: &str| {
                let changes = carried(lock, version).len();
                format!("sealed on {date} with {changes} change{}", if changes == 1 { "" } else { "s" })
            };
            let (path, ours) = (format!("release {version}"), of(lock, &ours.date));
            merged.choices.push(Choice { path, ours, theirs: of(other, &release.date), took_ours: true });
        }
        if !new.releases.contains_key(version) {
            new.releases.insert(version.clone(), release.clone());
        }
    }
    new.stand_behind(lock, other);
    let line: Vec<_> = new.release_line().into_iter().map(|(version, _)| version.clone()).collect();
    for (key, row) in other.ledger.iter().filter(|(key, _)| key.release.is_some()) {
        if new.ledger.contains_key(key) {
            continue;
        }
        new.ledger.insert(key.clone(), row.clone());
        merged.choices.extend(apart(lock, other, key, row));
        let ours = lock.ops.get(&key.op).map_or(Side::Absent, |entry| entry.side(key.item.as_ref()));
        if !row.to.is_guarded() && is_released(&ours) {
            // Deleted there, promised here.
            let (ours, theirs) = (ours.to_string(), row.to.to_string());
            merged.choices.push(Choice { path: path_of(&key.op, key.item.as_ref()), ours, theirs, took_ours: true });
        }
    }
    // What no release of the other line has sealed is none of what it promised.
    for (name, theirs) in &released_ops(other) {
        // A deletion that the other line has too came before what it promises now.
        let deletions = || {
            let is_theirs = |key: &RowKey| key.release.is_some() && other.ledger.contains_key(key);
            let rows = lock.rows_of(name).filter(move |(key, row)| !row.to.is_guarded() && !is_theirs(key));
            rows.map(|(key, _)| key.item.as_ref())
        };
        let is_gone = lock.ops.get(name).is_none_or(|entry| !entry.def.is_guarded());
        if !is_released(&theirs.side(None)) {
            continue;
        }
        if deletions().any(|item| item.is_none()) {
            // What the other line added to it is in no row of its deletion.
            for item in theirs.items.keys() {
                let their = theirs.side(Some(item));
                if matches!(their.since(), Some(Since::Release(since)) if !lock.releases.contains_key(since)) {
                    let path = path_of(name, Some(item));
                    let ours = "deleted with its operator".to_owned();
                    merged.choices.push(Choice { path, ours, theirs: their.to_string(), took_ours: true });
                }
            }
            continue;
        }
        let blank = OpEntry { def: OpDef::new(name.clone()), stamp: Stamp::default(), items: Map::new() };
        let is_unreleased = lock.ops.get(name).is_some_and(|entry| entry.stamp.since == Some(Since::Unreleased));
        if is_gone || is_unreleased {
            new.ops.insert(name.clone(), blank);
            new.ledger.retain(|key, _| key.op != *name || key.release.is_some());
        }
        let Some(ours) = new.ops.get_mut(name) else { continue };
        if ours.stamp.since != theirs.stamp.since && is_released(&ours.side(None)) {
            // Each line added the operator by itself; what is promised only here was none of it there.
            for item in ours.items.keys().filter(|item| is_released(&ours.side(Some(*item)))) {
                if !is_released(&theirs.side(Some(item))) {
                    let path = path_of(name, Some(item));
                    let (our, their) = (ours.side(Some(item)).to_string(), theirs.side(Some(item)).to_string());
                    merged.choices.push(Choice { path, ours: our, theirs: their, took_ours: true });
                }
            }
        }
        for item in std::iter::once(None).chain(theirs.items.keys().map(Some)) {
            let (our, their) = (ours.side(item), theirs.side(item));
            let is_blank = item.is_none() && our.since().is_none();
            if !is_released(&their) {
                continue;
            }
            if deletions().any(|deleted| deleted == item) {
                if matches!(their.since(), Some(Since::Release(since)) if !lock.releases.contains_key(since)) {
                    let path = path_of(name, item);
                    let theirs = their.to_string();
                    merged.choices.push(Choice { path, ours: "deleted".to_owned(), theirs, took_ours: true });
                }
                continue;
            }
            if !our.is_guarded() || is_blank || is_same_but_later(&our, &their, &line) {
                ours.set_side(item, &their);
                let key = RowKey { op: name.clone(), release: None, item: item.cloned() };
                if new.ledger.get(&key).is_some_and(|row| !row.from.is_guarded()) {
                    new.ledger.remove(&key);
                }
            } else if our.clone().without_since() != their.clone().without_since() {
                let path = path_of(name, item);
                let (ours, theirs) = (our.to_string(), their.to_string());
                merged.choices.push(Choice { path, ours, theirs, took_ours: true });
            }
        }
    }
    for op in other.ops.keys() {
        let mut dropped = drop_ambiguous(&mut merged.lock, op);
        merged.choices.append(&mut dropped);
    }
    merged.lock.settle_common();
    merged.lock.join_moved(other);
    merged
}

/// Whether both say the same, and theirs since a release that stands earlier in the line.
fn is_same_but_later(our: &Side, their: &Side, line: &[Version]) -> bool {
    let place = |release: &Version| line.iter().position(|other| other == release);
    let is_later = match (our.since(), their.since()) {
        (Some(Since::Release(ours)), Some(Since::Release(theirs))) => place(ours) > place(theirs),
        (_, Some(Since::Release(_))) => true,
        _ => false,
    };
    is_later && our.clone().without_since() == their.clone().without_since()
}
