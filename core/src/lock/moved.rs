//! What a lock holds of other packages whose operators moved here: the releases that those sealed, and all that their locks said of
//! the operators.
//!
//! A graph that the earlier owner saved is judged by the earlier owner's releases, and upgraded by its ledger, up to the signature with
//! which the operator came here. So releases of two packages are never taken for each other, whatever their versions.

use std::fmt;

use super::read::{Fields, LockError, meaning, read_body, read_formerly};
use super::write::{Key, write_body, write_formerly};
use super::{Lock, RowKey, Side, Since};
use crate::model::Map;

/// `[moved.PACKAGE.release]`, `[moved.PACKAGE.op]` and so on.
pub(super) fn read_moved(root: &Fields<'_>) -> Result<Map<String, Lock>, LockError> {
    let mut all = Map::new();
    for (package, node) in root.table("moved")?.iter().flat_map(|table| table.table.iter()) {
        let what = format!("what moved from {package}");
        let fields = Fields::of(node, &what)?;
        fields.only(&["formerly", "release", "saved", "op", "ledger"])?;
        let mut lock = Lock::new(package);
        lock.formerly = read_formerly(&fields, package)?;
        read_body(&fields, &mut lock)?;
        if lock.says_what_no_release_has() {
            return meaning(node.line, format!("{what} was not released there: only what a release has is taken over"));
        }
        all.insert(package.to_owned(), lock);
    }
    Ok(all)
}

pub(super) fn write_moved(f: &mut dyn fmt::Write, lock: &Lock) -> fmt::Result {
    for (package, moved) in &lock.moved {
        let key = Key(package);
        if !moved.formerly.is_empty() {
            write!(f, "\n[moved.{key}]\n")?;
            write_formerly(f, moved)?;
        }
        write_body(f, moved, &format!("moved.{key}."))?;
    }
    Ok(())
}

impl Lock {
    fn says_what_no_release_has(&self) -> bool {
        let is_new = |since: &Option<Since>| *since == Some(Since::Unreleased);
        let of_op = |entry: &super::OpEntry| {
            is_new(&entry.stamp.since) || entry.items.values().any(|stamp| is_new(&stamp.since))
        };
        let of_data = |saved: &super::Saved| {
            let stamps = saved.since.values().chain(saved.bad_since.values());
            let bounds = [&saved.min_producer, &saved.min_consumer];
            stamps.into_iter().any(|stamp| is_new(&stamp.since)) || bounds.iter().any(|bound| bound.was.is_some())
        };
        self.ops.values().any(of_op) || self.pending().next().is_some() || self.saved.values().any(of_data)
    }

    /// Keeps of other packages only what an operator is, or was, said to come from.
    #[cfg(feature = "tools")]
    pub(crate) fn settle_moved(&mut self) {
        let mut all = std::mem::take(&mut self.moved);
        all.retain(|package, moved| {
            moved.ops.retain(|op, _| self.moved_since(op, package).is_some());
            !moved.ops.is_empty()
        });
        self.moved = all;
    }

    /// Takes in what another lock of this package took over from others: of each the later state, and what only one of them has.
    #[cfg(feature = "tools")]
    pub(super) fn join_moved(&mut self, other: &Lock) {
        for (package, theirs) in &other.moved {
            let Some(ours) = self.moved.get_mut(package) else {
                self.moved.insert(package.clone(), theirs.clone());
                continue;
            };
            let is_later = theirs.last_release() > ours.last_release();
            let (mut later, earlier) = if is_later { (theirs.clone(), &*ours) } else { (ours.clone(), theirs) };
            for (op, entry) in &earlier.ops {
                if !later.ops.contains_key(op) {
                    later.ops.insert(op.clone(), entry.clone());
                }
            }
            for (key, row) in &earlier.ledger {
                if !later.ledger.contains_key(key)
                    && key.release.as_ref().is_some_and(|release| later.releases.contains_key(release))
                {
                    later.ledger.insert(key.clone(), row.clone());
                }
            }
            later.formerly.extend(earlier.formerly.iter().cloned());
            *ours = later;
        }
    }

    /// What the lock holds of the package from which an operator moved, if it has all that it takes to read that package's graphs.
    pub fn moved_from(&self, package: &str, op: &str) -> Option<&Lock> {
        self.moved.get(package).filter(|moved| moved.ops.contains_key(op))
    }

    /// Since when the operator, or the last that had its name, is said to come from that package; `None` where it never was.
    pub fn moved_since(&self, op: &str, package: &str) -> Option<Since> {
        let line: Vec<_> = self.release_line().into_iter().map(|(version, _)| version).collect();
        let place = |key: &RowKey| {
            let place = |release| line.iter().position(|version| *version == release);
            key.release.as_ref().and_then(place).unwrap_or(usize::MAX)
        };
        let is_said = |side: &Side| matches!(side, Side::Op(marks, _) if marks.moved_from.as_deref() == Some(package));
        let mut rows: Vec<_> = self.rows_of(op).filter(|(key, _)| key.item.is_none()).collect();
        rows.sort_by_key(|(key, _)| std::cmp::Reverse(place(key)));
        let mut since = None;
        let today = self.ops.get(op).map_or(Side::Absent, |entry| entry.side(None));
        if is_said(&today) {
            since = Some(today.since().cloned().unwrap_or(Since::Unreleased));
        }
        for (key, row) in rows {
            if is_said(&row.from) {
                since = Some(row.from.since().cloned().unwrap_or(Since::Unreleased));
            } else if since.is_some() {
                // Said from that release on, whenever the operator itself came.
                let of_row = key.release.clone().map_or(Since::Unreleased, Since::Release);
                return Some(if row.from.is_guarded() { of_row } else { since? });
            }
        }
        since
    }
}
