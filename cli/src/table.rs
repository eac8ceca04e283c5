//! The table that sums up a run over several packages.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use oplock_core::Lock;
use oplock_core::lock::Since;

/// One package of the table.
pub(crate) struct Row {
    /// The package.
    pub(crate) package: String,
    /// Its version.
    pub(crate) version: String,
    /// How many operators it declares.
    pub(crate) ops: usize,
    /// What came since the last release.
    pub(crate) changes: Changes,
    /// How many operators the guarantee does not cover.
    pub(crate) outside: usize,
    /// What became of it.
    pub(crate) result: &'static str,
}

/// How many operators were added, changed and broken since the last release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) added: usize,
    pub(crate) changed: usize,
    pub(crate) broken: usize,
}

impl Changes {
    /// Those that a lock holds.
    pub(crate) fn of(lock: &Lock) -> Self {
        let broken: BTreeSet<_> = lock
            .pending()
            .filter(|(_, row)| row.accepted_for.is_some() || row.approved.is_some())
            .map(|(key, _)| key.op.as_str())
            .collect();
        let is_new = |since: Option<&Since>| since == Some(&Since::Unreleased);
        let (mut added, mut changed) = (BTreeSet::new(), BTreeSet::new());
        for (name, entry) in &lock.ops {
            if is_new(entry.stamp.since.as_ref()) && !entry.def.is_common() {
                added.insert(name.as_str());
            } else if entry.items.values().any(|stamp| is_new(stamp.since.as_ref())) {
                changed.insert(name.as_str());
            }
        }
        changed.extend(lock.pending().map(|(key, _)| key.op.as_str()).filter(|op| !added.contains(op)));
        changed.retain(|op| !broken.contains(op));
        added.retain(|op| !broken.contains(op));
        Changes { added: added.len(), changed: changed.len(), broken: broken.len() }
    }
}

/// The table; empty for one package, which has said all of itself.
pub(crate) fn to_text(rows: &[Row]) -> String {
    if rows.len() < 2 {
        return String::new();
    }
    let head = ["package", "version", "ops", "added", "changed", "broken", "outside the guarantee", ""];
    let mut lines = vec![head.map(str::to_owned)];
    for row in rows {
        let Changes { added, changed, broken } = row.changes;
        let share = (row.outside * 100).checked_div(row.ops).unwrap_or(0);
        let outside = if row.outside == 0 { "0".to_owned() } else { format!("{} ({share} %)", row.outside) };
        let [ops, added, changed, broken] = [row.ops, added, changed, broken].map(|n| n.to_string());
        let result = row.result.to_owned();
        lines.push([row.package.clone(), row.version.clone(), ops, added, changed, broken, outside, result]);
    }
    let mut widths = [0; 8];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::from("\n");
    for line in lines {
        let mut row = String::new();
        for (i, (cell, width)) in line.iter().zip(widths).enumerate() {
            let _ = match i {
                0 | 1 | 7 => write!(row, "{cell:width$}  "),
                _ => write!(row, "{cell:>width$}  "),
            };
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}
