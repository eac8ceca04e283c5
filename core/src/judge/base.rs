//! A lock held against an earlier one, so that nobody launders a break by regenerating or editing the file.
//!
//! Both locks are taken back to the last release that the base knows. What that release promised must be there in both,
//! and since the same release; and what the base holds for good (releases, sealed ledger rows) must be in the new lock
//! unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{blank, is_break, undone};
use crate::compare::{Finding, Options, compare_op, op_deleted};
use crate::lock::{Line, Lock, OpEntry, RowKey, Side, Since};
use crate::version::Bump;

/// Something that the new lock may not say, given the base.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseFinding {
    /// A signature that a release promised is another now, and no ledger row of a release or a major version says so.
    Laundered {
        /// What changed.
        finding: Finding,
        /// Since when it is promised.
        since: Since,
        /// Where the base speaks of it.
        line: Line,
    },
    /// Something that the base holds for good is gone.
    Lost {
        /// What.
        what: String,
        /// Where the base has it.
        line: Line,
    },
    /// Something that the base holds for good says something else.
    Changed {
        /// What.
        what: String,
        /// What the base says.
        from: String,
        /// What the new lock says.
        to: String,
    },
    /// A release that the base does not know breaks, and is neither a major version nor approved.
    UnannouncedBreak {
        /// The release.
        release: String,
        /// The change.
        message: String,
        /// Where the new lock has it.
        line: Line,
    },
    /// Something that no release carried was changed or taken back. No error.
    Noted(Finding),
}

impl BaseFinding {
    /// Whether it is an error, and not only noted.
    pub fn is_error(&self) -> bool {
        !matches!(self, BaseFinding::Noted(_))
    }
}

impl fmt::Display for BaseFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaseFinding::Laundered { finding, since, line } => write!(
                f,
                "{} [{}]\n  base:   line {line}, {since}\n  help: the ledger does not know this change; restore the lock of the base and run `cargo oplock update`",
                finding.message(),
                finding.rule.name
            ),
            BaseFinding::Lost { what, line } => {
                write!(
                    f,
                    "the lock lost {what}\n  base:   line {line}\n  help: restore the lock of the base and run `cargo oplock update`"
                )
            }
            BaseFinding::Changed { what, from, to } => {
                write!(
                    f,
                    "the lock changed {what} from {from} to {to}\n  help: restore the lock of the base and run `cargo oplock update`"
                )
            }
            BaseFinding::UnannouncedBreak { release, message, line } => write!(
                f,
                "{message}\n  lock:   line {line}\n  help: release {release} is no major version, and nobody approved the break"
            ),
            BaseFinding::Noted(finding) => {
                write!(f, "{} [{}]; no release carried it", finding.message(), finding.rule.name)
            }
        }
    }
}

/// Holds a lock against the base.
pub fn check_base(base: &Lock, new: &Lock, options: Options) -> Vec<BaseFinding> {
    let mut out = Vec::new();
    if base.package != new.package {
        let (from, to) = (base.package.clone(), new.package.clone());
        out.push(BaseFinding::Changed { what: "the package".to_owned(), from, to });
    }
    for (version, release) in &base.releases {
        match new.releases.get(version) {
            None => out.push(BaseFinding::Lost { what: format!("release {version}"), line: 0 }),
            Some(other) if other != release => {
                let what = format!("the date of release {version}");
                out.push(BaseFinding::Changed { what, from: release.date.clone(), to: other.date.clone() });
            }
            Some(_) => {}
        }
    }
    for (key, row) in base.ledger.iter().filter(|(key, _)| key.release.is_some()) {
        match new.ledger.get(key) {
            None => out.push(BaseFinding::Lost { what: format!("the ledger row of {}", show(key)), line: row.line }),
            Some(other) if other != row => {
                let (from, to) = (format!("{} to {}", row.from, row.to), format!("{} to {}", other.from, other.to));
                out.push(BaseFinding::Changed { what: format!("the ledger row of {}", show(key)), from, to });
            }
            Some(_) => {}
        }
    }
    unannounced(base, new, options, &mut out);
    let names: BTreeSet<_> = base.ops.keys().chain(base.pending().map(|(key, _)| &key.op)).collect();
    for name in names {
        signatures(base, new, name, options, &mut out);
    }
    out
}

fn show(key: &RowKey) -> String {
    let release = key.release.as_ref().map_or("unreleased".to_owned(), ToString::to_string);
    match &key.item {
        None => format!("`{}` in {release}", key.op),
        Some((kind, item)) => format!("`{}.{}.{item}` in {release}", key.op, kind.key()),
    }
}

/// Breaks of releases that the base does not know.
fn unannounced(base: &Lock, new: &Lock, options: Options, out: &mut Vec<BaseFinding>) {
    let full: Vec<_> = new.releases.keys().filter(|version| version.pre.is_empty()).collect();
    for (key, row) in &new.ledger {
        let Some(release) = key.release.as_ref().filter(|release| !base.releases.contains_key(release)) else {
            continue;
        };
        let before = full.iter().rfind(|version| **version < release);
        let announced = before.is_none_or(|before| Bump::between(before, release) == Some(Bump::Major));
        if !announced && row.approved.is_none() && is_break(new, key, row, options) {
            let message = format!("{} breaks by {}", show(key), row.rule);
            out.push(BaseFinding::UnannouncedBreak { release: release.to_string(), message, line: row.line });
        }
    }
}

fn signatures(base: &Lock, new: &Lock, name: &str, options: Options, out: &mut Vec<BaseFinding>) {
    let Some(before) = undone(base, name, |_, _| true) else { return };
    let after = as_of_base(base, new, name);
    let released = |since: Option<&Since>| since.filter(|since| matches!(since, Since::Release(_))).cloned();
    let findings = match &after {
        Some(after) => compare_op(&before.def, &after.def, options),
        None if before.def.is_guarded() => vec![op_deleted(&before.def)],
        None => Vec::new(),
    };
    for finding in findings {
        let stamp = finding.item.as_ref().and_then(|item| before.items.get(item)).unwrap_or(&before.stamp);
        match released(stamp.since.as_ref()) {
            Some(since) if finding.is_break() || finding.case.relaxation => {
                out.push(BaseFinding::Laundered { finding, since, line: stamp.line });
            }
            Some(since) if !finding.is_addition() && finding.bump > Bump::Patch => {
                out.push(BaseFinding::Laundered { finding, since, line: stamp.line });
            }
            None if finding.is_break() => out.push(BaseFinding::Noted(finding)),
            _ => {}
        }
    }
    let Some(after) = after else { return };
    let stamps = before.items.iter().map(|(item, stamp)| (Some(item), stamp)).chain([(None, &before.stamp)]);
    for (item, stamp) in stamps {
        let now = match item {
            None => Some(&after.stamp),
            Some(item) => after.items.get(item),
        };
        if let (Some(from), Some(now)) = (released(stamp.since.as_ref()), now)
            && now.since.as_ref() != Some(&from)
        {
            let to = now.since.as_ref().map_or("no promise".to_owned(), ToString::to_string);
            let path = item.map_or_else(|| name.to_owned(), |(kind, item)| format!("{name}.{}.{item}", kind.key()));
            out.push(BaseFinding::Changed {
                what: format!("since when `{path}` is promised"),
                from: from.to_string(),
                to,
            });
        }
    }
}

/// The new lock's entry with every change taken back that the base does not know as released.
fn as_of_base(base: &Lock, new: &Lock, name: &str) -> Option<OpEntry> {
    let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (key, row) in new.rows_of(name) {
        let is_new = key.release.as_ref().is_none_or(|release| !base.releases.contains_key(release));
        if is_new {
            // What no release has sealed is the newest.
            rows.entry((key.release.is_none(), key.release.as_ref())).or_default().push((key, row));
        }
    }
    let mut entry = new.ops.get(name).cloned();
    for (key, row) in rows.into_values().rev().flatten() {
        if key.item.is_none() && row.from == Side::Absent {
            entry = None;
            continue;
        }
        entry.get_or_insert_with(|| blank(name, 0)).set_side(key.item.as_ref(), &row.from);
    }
    entry.filter(|entry| entry.stamp.since.is_some() || !entry.def.is_guarded())
}
