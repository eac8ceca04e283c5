//! What a deletion leaves behind: its name cannot come back with another signature.
//!
//! A tombstone is the last sealed row of the ledger that deleted a thing, made an item Extra or marked an operator
//! experimental. The last two bind only what is promised again.

use semver::Version;

use crate::compare::{Finding, Options, compare_op};
use crate::lock::{Lock, OpEntry, Row, RowKey, Side, Since};
use crate::model::{COMMON, Kind, OpDef};
use crate::upgrade::released_min_producer;
use crate::version::Bump;

/// The sealed row that deleted an item, or made it Extra, if nothing else has come back since. Only releases before
/// `before` count, where one is named.
pub(super) fn of_item<'a>(
    lock: &'a Lock,
    op: &str,
    item: &(Kind, String),
    before: Option<&Version>,
) -> Option<(&'a RowKey, &'a Row)> {
    let is_it = |(key, _): &(&'a RowKey, &'a Row)| key.item.as_ref() == Some(item) && is_before(key, before);
    let own = sealed(lock, op).filter(is_it).last();
    // What all operators had is a name of those that were there.
    let was_there = |(key, _): &(&'a RowKey, &'a Row)| lock.there_since(op, key.release.as_ref()).is_some();
    let common = sealed(lock, COMMON).filter(is_it).filter(was_there).last();
    let last = own.into_iter().chain(common).max_by_key(|(key, _)| &key.release);
    let last = last.filter(|last| !last.1.to.is_guarded() && !has_fallen(lock, last.1));
    if last.is_none() && op == COMMON {
        // Nor may all operators have what one of them had.
        let mut names: Vec<_> = lock.ledger.keys().map(|key| key.op.as_str()).filter(|name| *name != COMMON).collect();
        names.dedup();
        return names.into_iter().find_map(|op| of_item(lock, op, item, before));
    }
    last
}

/// The sealed row that deleted an operator, or marked it experimental.
pub(super) fn of_op<'a>(lock: &'a Lock, op: &str) -> Option<(&'a RowKey, &'a Row)> {
    let last = sealed(lock, op).filter(|(key, _)| key.item.is_none()).last()?;
    (!last.1.to.is_guarded() && !has_fallen(lock, last.1)).then_some(last)
}

/// Whether `min_producer` of a release has passed the break: no graph that is still read knew the name.
fn has_fallen(lock: &Lock, row: &Row) -> bool {
    row.version.is_some_and(|version| version <= released_min_producer(lock))
}

fn sealed<'a>(lock: &'a Lock, op: &str) -> impl Iterator<Item = (&'a RowKey, &'a Row)> {
    lock.rows_of(op).filter(|(key, _)| key.release.is_some())
}

fn is_before(key: &RowKey, before: Option<&Version>) -> bool {
    before.is_none_or(|before| key.release.as_ref().is_some_and(|release| release < before))
}

/// The finding of an item that comes back as something else.
pub(super) fn reused_item(
    lock: &Lock,
    op: &str,
    item: &(Kind, String),
    new: &Side,
    before: Option<&Version>,
) -> Option<Finding> {
    let (_, row) = of_item(lock, op, item, before)?;
    let old = row.from.clone().without_since();
    (new.is_guarded() && old != *new).then(|| Finding::name_reused(op, Some(item), &old, new))
}

/// The finding of an operator that comes back as something else. `base` is what the lock has of it before that.
///
/// One that came back and that no release carries yet may have grown compatibly since; but what is taken back of it
/// must not leave less than the tombstone has.
pub(super) fn reused_op(lock: &Lock, base: Option<&OpEntry>, new: &OpDef) -> Option<Finding> {
    if !new.is_guarded() {
        return None;
    }
    let least = match base {
        Some(base) if base.def.is_guarded() => match base.stamp.since {
            Some(Since::Unreleased) if !is_accepted(lock, &new.name) => Bump::Major,
            _ => return None,
        },
        _ => Bump::Minor,
    };
    let old = signature(lock, &new.name)?;
    let changed = compare_op(&old, new, Options::default()).iter().any(|finding| finding.bump >= least);
    changed.then(|| Finding::name_reused(&new.name, None, items(&old), items(new)))
}

/// Whether an unsealed row says that the operator came back as something else.
fn is_accepted(lock: &Lock, op: &str) -> bool {
    lock.pending_of(op).any(|(key, row)| key.item.is_none() && !row.from.is_guarded())
}

/// What a deleted operator was.
pub(super) fn signature(lock: &Lock, op: &str) -> Option<OpDef> {
    let (tombstone, row) = of_op(lock, op)?;
    Some(entry_of(lock, op, tombstone, row).def)
}

/// An operator as it was when a release deleted it, and that release.
#[cfg(feature = "tools")]
pub(super) fn deleted(lock: &Lock, op: &str) -> Option<(Version, OpEntry)> {
    let (tombstone, row) = sealed(lock, op).filter(|(key, _)| key.item.is_none()).last()?;
    let release = tombstone.release.clone().filter(|_| !row.to.is_guarded())?;
    Some((release, entry_of(lock, op, tombstone, row)))
}

/// All that a row deleted, with its items.
fn entry_of(lock: &Lock, op: &str, tombstone: &RowKey, row: &Row) -> OpEntry {
    let mut old = OpEntry::new(OpDef::new(op.to_owned()), &Since::Unreleased);
    old.set_side(None, &row.from);
    for (key, row) in sealed(lock, op) {
        if key.release == tombstone.release && key.item.is_some() && row.to == Side::Absent {
            old.set_side(key.item.as_ref(), &row.from);
        }
    }
    old
}

/// The items of an operator in one line, with what the lock says of each.
fn items(def: &OpDef) -> String {
    let entry = OpEntry::new(def.clone(), &Since::Unreleased);
    let item = |key: &(Kind, String)| format!("{} {} {}", key.0.key(), key.1, entry.row_side(Some(key)));
    let items: Vec<_> = entry.items.keys().map(item).collect();
    if items.is_empty() { "no items".to_owned() } else { format!("({})", items.join("; ")) }
}
