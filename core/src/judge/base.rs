//! A lock held against an earlier one, so that nobody launders a break by regenerating or editing the file.
//!
//! Both locks are taken back to the last release that the base knows. What that release promised must be there in both,
//! and since the same release; and what the base holds for good (releases, sealed ledger rows) must be in the new lock
//! unchanged.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use semver::Version;

use super::{base_data, blank, is_break, row_findings, tombstone, undone};
use crate::approvals::{Approval, Approvals};
use crate::compare::{Finding, Options, compare_entry, compare_op, op_deleted};
use crate::lock::{Approved, Line, Lock, OpEntry, Row, RowKey, Side, Since, Stamp, write_row_value};
use crate::model::{COMMON, Kind};
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
                // Of what is long the difference is found one above the other.
                let (before, between) =
                    if from.len() + to.len() <= 100 { (" from ", " to ") } else { ("\n  base:   ", "\n  lock:   ") };
                write!(
                    f,
                    "the lock changed {what}{before}{from}{between}{to}\n  help: restore the lock of the base and run `cargo oplock update`"
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
    for name in base.formerly.iter().filter(|name| !new.is_of(name)) {
        out.push(BaseFinding::Lost { what: format!("the name `{name}` that the package had before"), line: 0 });
    }
    if !new.is_of(&base.package) {
        let (from, to) = (base.package.clone(), new.package.clone());
        out.push(BaseFinding::Changed { what: "the package".to_owned(), from, to });
    }
    for (version, release) in &base.releases {
        match new.releases.get(version) {
            None => out.push(BaseFinding::Lost { what: format!("release {version}"), line: 0 }),
            // Another line, to which it is taken over, has it behind a release of its own.
            Some(other)
                if other.is(release)
                    && release.behind.is_none()
                    && other.behind.as_ref().is_some_and(|behind| !base.releases.contains_key(behind)) => {}
            Some(other) if other != release => {
                let what = format!("release {version}");
                out.push(BaseFinding::Changed { what, from: release.to_string(), to: other.to_string() });
            }
            Some(_) => {}
        }
    }
    for (key, row) in base.ledger.iter().filter(|(key, _)| key.release.is_some()) {
        match new.ledger.get(key) {
            None => out.push(BaseFinding::Lost { what: format!("the ledger row of {}", show(key)), line: row.line }),
            Some(other) if other != row => {
                let (from, to) = (row_text(row), row_text(other));
                out.push(BaseFinding::Changed { what: format!("the ledger row of {}", show(key)), from, to });
            }
            Some(_) => {}
        }
    }
    for (key, row) in &new.ledger {
        let is_known = key.release.as_ref().is_some_and(|release| base.releases.contains_key(release));
        if is_known && !base.ledger.contains_key(key) {
            let (from, to) = ("nothing".to_owned(), row_text(row));
            out.push(BaseFinding::Changed { what: format!("the ledger row of {}", show(key)), from, to });
        }
    }
    base_data::check(base, new, &mut out);
    unannounced(base, new, options, &mut out);
    let pending = base.pending().chain(new.pending()).map(|(key, _)| &key.op);
    let names: BTreeSet<_> = base.ops.keys().chain(new.ops.keys()).chain(pending).collect();
    for name in names {
        signatures(base, new, name, options, &mut out);
    }
    out
}

/// What a lock that was made of two lines of releases does not keep of one of them: a reader that has both lines takes the data of
/// each for its own, so both must find there what they promised. Empty where one of them was sealed by no release of its own.
pub fn parted(line: &Lock, other: &Lock, joined: &Lock, options: Options) -> Vec<BaseFinding> {
    let has_own = |line: &Lock, other: &Lock| line.releases.keys().any(|version| !other.releases.contains_key(version));
    if !has_own(line, other) || !has_own(other, line) {
        return Vec::new();
    }
    let mut found: Vec<_> = check_base(line, joined, options);
    found.extend(check_base(other, joined, options));
    found.retain(BaseFinding::is_error);
    base_data::one_number(line, other, &mut found);
    found
}

/// All that a row says, as the lock writes it.
fn row_text(row: &Row) -> String {
    let mut text = String::new();
    let _ = write_row_value(&mut text, row); // it never fails
    text
}

pub(super) fn show(key: &RowKey) -> String {
    let release = key.release.as_ref().map_or("unreleased".to_owned(), ToString::to_string);
    match &key.item {
        None => format!("`{}` in {release}", key.op),
        Some((kind, item)) => format!("`{}.{}.{item}` in {release}", key.op, kind.key()),
    }
}

/// Breaks of releases that the base does not know, and that no major version makes.
fn minor_breaks<'a>(
    base: &'a Lock,
    new: &'a Lock,
    options: Options,
) -> impl Iterator<Item = (&'a Version, &'a RowKey, &'a Row)> {
    let full: Vec<_> = new.releases.keys().filter(|version| version.pre.is_empty()).collect();
    new.ledger.iter().filter_map(move |(key, row)| {
        let release = key.release.as_ref().filter(|release| !base.releases.contains_key(release))?;
        // A first release has nothing to break.
        let before = full.iter().rfind(|version| **version < release);
        let announced = before.is_some_and(|before| Bump::between(before, release) == Some(Bump::Major));
        (!announced && is_break(new, key, row, options)).then_some((release, key, row))
    })
}

/// Breaks of releases that the base does not know, that no major version makes and that nobody is said to have approved.
fn unannounced(base: &Lock, new: &Lock, options: Options, out: &mut Vec<BaseFinding>) {
    for (release, key, row) in minor_breaks(base, new, options).filter(|(.., row)| row.approved.is_none()) {
        let message = format!("{} breaks by {}", show(key), row.rule);
        out.push(BaseFinding::UnannouncedBreak { release: release.to_string(), message, line: row.line });
    }
}

/// A sealed break that somebody is said to have approved since the base.
///
/// The row itself proves nothing, since sealing takes the approval out of `ops.approvals.toml`. That file at the base, or
/// in a revision since, does.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovedRow {
    /// What it is of: `` `slice.attr.starts` in 1.5.0 ``.
    pub what: String,
    /// Who, and why.
    pub approved: Approved,
    /// Where the new lock has it.
    pub line: Line,
    breaks: Vec<Finding>,
}

impl ApprovedRow {
    /// Whether those approvals allow all that the row breaks, and one of them has its approver and reason.
    pub fn is_covered_by(&self, approvals: &Approvals) -> bool {
        let says_so = |approval: &&Approval| {
            (&approval.by, &approval.reason) == (&self.approved.by, &self.approved.reason)
                && self.breaks.iter().any(|finding| Self::allows(approval, finding))
        };
        let is_allowed = |finding: &Finding| approvals.list.iter().any(|approval| Self::allows(approval, finding));
        approvals.list.iter().any(|approval| says_so(&approval)) && self.breaks.iter().all(is_allowed)
    }

    fn allows(approval: &Approval, finding: &Finding) -> bool {
        // A sealed row of an operator that came back as something else does not name the items that are others.
        let is_reused_op = finding.rule.name == "name_reused" && finding.item.is_none();
        approval.is_of(finding)
            || (is_reused_op
                && (approval.rule.as_str(), &approval.op, &approval.item) == ("name_reused", &finding.op, &None))
    }
}

/// The breaks that were sealed since the base by releases that may break only what somebody approved.
///
/// Those of another, older line of releases that was taken over break nothing that the base's line promised.
pub fn approved_since(base: &Lock, new: &Lock, options: Options) -> Vec<ApprovedRow> {
    let is_of_this_line = |release: &Version| base.last_release().is_none_or(|last| release > last);
    minor_breaks(base, new, options)
        .filter(|(release, ..)| is_of_this_line(release))
        .filter_map(|(_, key, row)| {
            let breaks = row_findings(new, key, row, options).into_iter().filter(Finding::is_break).collect();
            Some(ApprovedRow { what: show(key), approved: row.approved.clone()?, line: row.line, breaks })
        })
        .collect()
}

fn released(stamp: &Stamp) -> Option<&Version> {
    match &stamp.since {
        Some(Since::Release(version)) => Some(version),
        _ => None,
    }
}

fn signatures(base: &Lock, new: &Lock, name: &str, options: Options, out: &mut Vec<BaseFinding>) {
    let before = undone(base, name, |_, _| true);
    let after = as_of_base(base, before.as_ref(), new, name, options);
    if let Some(before) = &before {
        let findings = match &after {
            Some(after) => compare_entry(before, &after.def, options),
            None => vec![op_deleted(&before.def)],
        };
        for finding in findings {
            let own = finding.item.as_ref().and_then(|item| before.items.get(item));
            let stamp = own.filter(|stamp| stamp.since.is_some()).unwrap_or(&before.stamp);
            let is_change = finding.is_break() || (!finding.is_addition() && finding.bump > Bump::Patch);
            match (&stamp.since, released(stamp)) {
                (Some(since), Some(_)) if is_change => {
                    out.push(BaseFinding::Laundered { finding, since: since.clone(), line: stamp.line });
                }
                (_, None) if finding.is_break() => out.push(BaseFinding::Noted(finding)),
                _ => {}
            }
        }
    }
    if let Some(after) = after {
        reused(base, before.as_ref(), &after, out);
        stamps(base, new, before.as_ref(), &after, out);
    }
    if let Some(now) = new.ops.get(name) {
        claims(base, before.as_ref(), now, out);
        forgets(base, new, now, out);
    }
}

/// Names that the base knows as deleted and that came back, without a row that says so, as something that breaks what they
/// were.
fn reused(base: &Lock, before: Option<&OpEntry>, after: &OpEntry, out: &mut Vec<BaseFinding>) {
    let op = after.def.name.as_ref();
    let was_guarded = before.is_some_and(|before| before.def.is_guarded());
    if !after.def.is_guarded() {
        return;
    }
    let mut launder = |finding, row: &Row| {
        let since = row.from.since().cloned().unwrap_or(Since::Unreleased);
        out.push(BaseFinding::Laundered { finding, since, line: row.line });
    };
    if !was_guarded {
        if let (Some(old), Some((_, row))) = (tombstone::signature(base, op), tombstone::of_op(base, op))
            && compare_op(&old, &after.def, Options::default()).iter().any(Finding::is_break)
        {
            launder(Finding::name_reused(op, None, &row.from, after.row_side(None)), row);
        }
        return;
    }
    for (item, stamp) in &after.items {
        let is_known = before.is_some_and(|before| before.items.get(item).is_some_and(|stamp| stamp.since.is_some()));
        let Some((_, row)) = tombstone::of_item(base, op, item, None).filter(|_| stamp.since.is_some() && !is_known)
        else {
            continue;
        };
        let (mut old, mut new) = (blank(op, 0), blank(op, 0));
        old.set_side(Some(item), &row.from);
        new.set_side(Some(item), &after.side(Some(item)));
        if compare_op(&old.def, &new.def, Options::default()).iter().any(Finding::is_break) {
            let (from, to) = (row.from.clone().without_since(), after.row_side(Some(item)));
            launder(Finding::name_reused(op, Some(item), from, to), row);
        }
    }
}

/// An operator, or one of its items.
type Thing<'a> = Option<&'a (Kind, String)>;

/// All that is promised by itself; common attributes as a whole are promised since the first release, whatever a lock says.
fn things(entry: &OpEntry) -> impl Iterator<Item = Thing<'_>> {
    let own = (entry.def.name != COMMON).then_some(None);
    own.into_iter().chain(entry.items.keys().map(Some))
}

fn since_of<'a>(entry: &'a OpEntry, thing: Thing<'_>) -> Option<&'a Since> {
    thing.map_or(Some(&entry.stamp), |item| entry.items.get(item)).and_then(|stamp| stamp.since.as_ref())
}

/// Since when things are promised that a release promised, and what a release that the base knows is said to have promised.
fn stamps(base: &Lock, new: &Lock, before: Option<&OpEntry>, after: &OpEntry, out: &mut Vec<BaseFinding>) {
    let place = |release: &Version| new.release_line().iter().position(|(version, _)| *version == release);
    for thing in things(after) {
        let from = before.and_then(|before| since_of(before, thing));
        let to = since_of(after, thing);
        let is_changed = match (from, to) {
            (Some(Since::Release(from)), Some(Since::Release(to))) if from != to => {
                // Another line of releases that was taken over may have had it earlier.
                base.releases.contains_key(to) || place(to) > place(from)
            }
            (Some(Since::Release(_)), Some(Since::Release(_))) => false,
            (Some(Since::Release(_)), _) => true,
            (_, Some(Since::Release(to))) => base.releases.contains_key(to),
            _ => false,
        };
        if is_changed {
            tell_other_since(after, thing, (from, to), out);
        }
    }
}

/// The same of what there is now, which a row may say to have come since the base: no release that the base knows had it.
fn claims(base: &Lock, before: Option<&OpEntry>, now: &OpEntry, out: &mut Vec<BaseFinding>) {
    for thing in things(now) {
        let from = before.and_then(|before| since_of(before, thing));
        let to = since_of(now, thing);
        if from != to && matches!(to, Some(Since::Release(to)) if base.releases.contains_key(to)) {
            tell_other_since(now, thing, (from, to), out);
        }
    }
}

/// What no longer says since when it is promised, though its own unsealed row says that a release of the base promised it: sealed, it
/// would be promised since a later one.
fn forgets(base: &Lock, new: &Lock, now: &OpEntry, out: &mut Vec<BaseFinding>) {
    let changed = new.pending_of(&now.def.name).filter(|(_, row)| row.from.is_guarded() && row.to.is_guarded());
    for (key, row) in changed {
        let (from, to) = (row.from.since(), since_of(now, key.item.as_ref()));
        if from != to && matches!(from, Some(Since::Release(from)) if base.releases.contains_key(from)) {
            tell_other_since(now, key.item.as_ref(), (from, to), out);
        }
    }
}

/// Tells once since when a thing was promised and is.
fn tell_other_since(
    entry: &OpEntry,
    thing: Thing<'_>,
    (from, to): (Option<&Since>, Option<&Since>),
    out: &mut Vec<BaseFinding>,
) {
    let say = |since: Option<&Since>| since.map_or("no promise".to_owned(), ToString::to_string);
    let name = &entry.def.name;
    let path = thing.map_or_else(|| name.to_string(), |(kind, item)| format!("{name}.{}.{item}", kind.key()));
    let finding =
        BaseFinding::Changed { what: format!("since when `{path}` is promised"), from: say(from), to: say(to) };
    if !out.contains(&finding) {
        out.push(finding);
    }
}

/// The new lock's entry with every change taken back that the base does not know as released, the newest first.
fn as_of_base(base: &Lock, before: Option<&OpEntry>, new: &Lock, name: &str, options: Options) -> Option<OpEntry> {
    let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let last = base.last_release();
    for (key, row) in new.rows_of(name) {
        let is_later = match (&key.release, last) {
            (Some(release), _) if base.releases.contains_key(release) => false,
            // Another line of releases, taken over: its breaks are none of this one.
            (Some(release), Some(last)) if release < last => !is_break(new, key, row, options),
            _ => true,
        };
        if is_later {
            // What no release has sealed is the newest.
            rows.entry((key.release.is_none(), key.release.as_ref())).or_default().push((key, row));
        }
    }
    let mut entry = new.held(name).map(Cow::into_owned);
    if name == COMMON && entry.is_none() {
        entry = Some(new.no_common());
    }
    for (key, row) in rows.into_values().rev().flatten() {
        // What is again, or already, what the base has needs no way back.
        let had = before.map_or(Side::Absent, |before| before.row_side(key.item.as_ref()));
        // Two lines may have deleted one thing, each by itself.
        let is_known = matches!(row.from.since(), Some(Since::Release(since)) if base.releases.contains_key(since));
        let is_as_before = if row.to.is_guarded() { had == row.to } else { !had.is_guarded() && is_known };
        if is_as_before || !is_latest(entry.as_ref(), key, row) {
            continue;
        }
        match &key.item {
            None if row.from == Side::Absent => entry = None,
            // The operator was deleted, and what there is of it now came later.
            None if !row.to.is_guarded() => entry.insert(blank(name, row.line)).set_side(None, &row.from),
            item => entry.get_or_insert_with(|| blank(name, row.line)).set_side(item.as_ref(), &row.from),
        }
    }
    entry.filter(|entry| entry.stamp.since.is_some() || !entry.def.is_guarded())
}

/// Whether what there is now is what the row says, or came back after it: else the row is of another line of releases.
fn is_latest(entry: Option<&OpEntry>, key: &RowKey, row: &Row) -> bool {
    let item = key.item.as_ref();
    let now = entry.map_or(Side::Absent, |entry| entry.row_side(item));
    if now == row.to {
        return true;
    }
    let since = entry.map_or(Side::Absent, |entry| entry.side(item)).since().cloned();
    let came_later = match since {
        Some(Since::Release(since)) => key.release.as_ref().is_some_and(|release| since > *release),
        _ => true,
    };
    !row.to.is_guarded() && came_later
}
