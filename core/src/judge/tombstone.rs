//! What a deletion leaves behind: its name cannot come back with another signature.
//!
//! A tombstone is the last sealed row of the ledger that deleted a thing, or made it Extra. One that made an item Extra
//! binds only what is promised again.

use crate::compare::{Finding, Options, compare_op};
use crate::lock::{Lock, OpEntry, Row, RowKey, Side, Since};
use crate::model::{Kind, OpDef, Part};
use crate::version::Bump;

/// The sealed row that deleted an item, or made it Extra, if nothing has come back since.
pub(super) fn of_item<'a>(lock: &'a Lock, op: &str, item: &(Kind, String)) -> Option<(&'a RowKey, &'a Row)> {
    let last = sealed(lock, op).filter(|(key, _)| key.item.as_ref() == Some(item)).last()?;
    is_deletion(last.1).then_some(last)
}

/// The sealed row that deleted an operator.
pub(super) fn of_op<'a>(lock: &'a Lock, op: &str) -> Option<(&'a RowKey, &'a Row)> {
    let last = sealed(lock, op).filter(|(key, _)| key.item.is_none()).last()?;
    is_deletion(last.1).then_some(last)
}

fn sealed<'a>(lock: &'a Lock, op: &str) -> impl Iterator<Item = (&'a RowKey, &'a Row)> {
    lock.rows_of(op).filter(|(key, _)| key.release.is_some())
}

fn is_deletion(row: &Row) -> bool {
    match &row.to {
        Side::Absent => true,
        Side::Op { .. } => false,
        Side::Arg(arg, _) => arg.part == Part::Extra,
        Side::Attr(attr, _) => attr.part == Part::Extra,
    }
}

/// The finding of an item that comes back as something else.
pub(super) fn reused_item(lock: &Lock, op: &str, item: &(Kind, String), new: &Side) -> Option<Finding> {
    let (_, row) = of_item(lock, op, item)?;
    let old = row.from.clone().without_since();
    let binds = match new {
        Side::Absent | Side::Op { .. } => false,
        Side::Arg(arg, _) => arg.part != Part::Extra,
        Side::Attr(attr, _) => attr.part != Part::Extra,
    };
    (binds && old != *new).then(|| Finding::name_reused(op, Some(item), &old, new))
}

/// The finding of an operator that comes back as something else.
pub(super) fn reused_op(lock: &Lock, new: &OpDef) -> Option<Finding> {
    let (tombstone, row) = of_op(lock, &new.name)?;
    let mut old = OpEntry::new(OpDef::new(new.name.clone()), &Since::Unreleased);
    old.set_side(None, &row.from);
    for (key, row) in sealed(lock, &new.name) {
        if key.release == tombstone.release && key.item.is_some() && row.to == Side::Absent {
            old.set_side(key.item.as_ref(), &row.from);
        }
    }
    let changed = compare_op(&old.def, new, Options::default()).iter().any(|finding| finding.bump > Bump::Patch);
    changed.then(|| Finding::name_reused(&new.name, None, items(&old.def), items(new)))
}

/// The items of an operator in one line, with what the lock says of each.
fn items(def: &OpDef) -> String {
    let entry = OpEntry::new(def.clone(), &Since::Unreleased);
    let item = |key: &(Kind, String)| format!("{} {} {}", key.0.key(), key.1, entry.row_side(Some(key)));
    let items: Vec<_> = entry.items.keys().map(item).collect();
    if items.is_empty() { "no items".to_owned() } else { format!("({})", items.join("; ")) }
}
