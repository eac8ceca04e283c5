//! Whether a package may make a change now: the lock, the version of the package and what is planned decide.
//!
//! [`crate::compare`] says what a change means. Here it is held against what was released: a break needs a major
//! version on the way, an entry that no release carries yet is taken back by `withdraw`, and what was accepted
//! for a major version is judged again at every build until a release seals it.

mod update;
mod withdraw;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use crate::compare::{Finding, Options, compare_op, op_added, op_deleted};
use crate::condition::Condition;
use crate::lock::{Line, Lock, OpEntry, Row, RowKey, Side, Since, Stamp};
use crate::model::{Kind, OpDef};
use crate::version::{Bump, target};

pub use update::updated;
pub use withdraw::{WithdrawError, withdraw};

/// What a judgement depends on beside the lock and the source.
#[derive(Clone, Debug)]
pub struct Context {
    /// The version in the package's manifest.
    pub version: Version,
    /// How the rules are read.
    pub options: Options,
    /// The features that the manifest defines; `None` when they are not known.
    pub features: Option<BTreeSet<String>>,
}

/// A finding and what follows from it now.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What changed.
    pub finding: Finding,
    /// What follows.
    pub verdict: Verdict,
    /// Since when the changed thing is promised.
    pub since: Option<Since>,
    /// Where the lock speaks of it; 0 where it does not.
    pub line: Line,
    /// What the lock says of it.
    pub locked: Option<String>,
}

/// What follows from a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No break: the lock is stale, and `update` brings it up to date.
    Compatible,
    /// A break that the major version on the way allows; the lock is stale.
    Accepted(Version),
    /// A break that nothing allows.
    Refused(Remedy),
}

/// What makes a refused break legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// No release carries it yet: take it back on purpose.
    Withdraw {
        /// The argument of `cargo oplock withdraw`.
        path: String,
    },
    /// Only a major version may make it.
    Major {
        /// The lowest such version.
        version: Version,
    },
}

/// What is to be said of one operator.
#[derive(Clone, Debug, PartialEq)]
pub struct OpJudgement {
    /// Each change with its verdict.
    pub findings: Vec<Judged>,
    /// Whether the lock says anything else than the source.
    pub stale: bool,
}

impl OpJudgement {
    /// The changes that must not be.
    pub fn refused(&self) -> impl Iterator<Item = &Judged> {
        self.findings.iter().filter(|judged| matches!(judged.verdict, Verdict::Refused(_)))
    }
}

/// A break was accepted for a release that was never sealed, and the package's version has gone past it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// The release for which the break was accepted, or which was planned.
    pub release: Version,
    /// The version of the package.
    pub version: Version,
    /// Where the lock speaks of that release; 0 for the plan.
    pub line: Line,
}

impl Context {
    /// The major version that is on the way: the one that was planned, or the package's own.
    pub fn major_on_the_way(&self, lock: &Lock) -> Option<Version> {
        let last = lock.last_release()?;
        let is_major = |version: &&Version| Bump::between(last, version) == Some(Bump::Major);
        let own = target(&self.version);
        lock.next.as_ref().filter(is_major).or(Some(&own).filter(is_major)).cloned()
    }

    /// Whether the package's version has passed a release that was to be sealed first.
    ///
    /// # Errors
    ///
    /// [`Overrun`], when it has.
    pub fn check_overrun(&self, lock: &Lock) -> Result<(), Overrun> {
        let own = target(&self.version);
        // What is planned above the package's version says that the earlier plan was given up.
        let replanned = lock.next.as_ref().is_some_and(|next| *next >= own);
        let accepted = lock.pending().filter_map(|(_, row)| row.accepted_for.clone().map(|v| (v, row.line)));
        let planned = lock.next.iter().map(|next| (next.clone(), 0));
        let passed = |(release, _): &(Version, Line)| target(release) < own;
        match accepted.chain(planned).find(passed) {
            Some((release, line)) if !replanned => Err(Overrun { release, version: self.version.clone(), line }),
            _ => Ok(()),
        }
    }

    /// The first feature that a condition names and the manifest does not define.
    fn unknown_feature(&self, def: &OpDef) -> Option<String> {
        let features = self.features.as_ref()?;
        let condition = Condition::parse(def.cfg.as_ref()?).ok()?;
        condition.features().into_iter().find(|f| !features.contains(*f)).map(str::to_owned)
    }
}

/// Judges one operator of the source.
pub fn judge_op(lock: &Lock, context: &Context, new: &OpDef) -> OpJudgement {
    let entry = lock.ops.get(new.name.as_ref());
    let stale = entry.is_none_or(|entry| entry.def != new.clone().sorted());
    if !stale && lock.pending_of(&new.name).next().is_none() && context.unknown_feature(new).is_none() {
        return OpJudgement { findings: Vec::new(), stale };
    }
    let Some(base) = baseline(lock, context, &new.name, Some(new)) else {
        let finding = op_added(new);
        let judged = Judged { finding, verdict: Verdict::Compatible, since: None, line: 0, locked: None };
        return OpJudgement { findings: vec![judged], stale };
    };
    let mut findings = compare_op(&base.def, new, context.options);
    if let Some(feature) = context.unknown_feature(new).filter(|_| base.def.is_guarded()) {
        let condition = base.def.cfg.as_deref().unwrap_or("always").to_owned();
        findings.insert(0, Finding::op_without_feature(&new.name, &condition, &feature));
    }
    let findings = findings.into_iter().map(|finding| judge(lock, context, &base, Some(new), finding)).collect();
    OpJudgement { findings, stale }
}

/// Judges an operator that the lock has and the source has not; `None` when nothing promises it.
pub fn judge_deleted(lock: &Lock, context: &Context, name: &str) -> Option<Judged> {
    let base = baseline(lock, context, name, None)?;
    Some(judge(lock, context, &base, None, op_deleted(&base.def)))
}

/// The names of all operators that the lock promises or that it only says to be deleted by a change that is
/// not sealed.
pub fn remembered_ops(lock: &Lock) -> BTreeSet<&str> {
    let pending = lock.pending().map(|(key, _)| key.op.as_str());
    lock.ops.keys().map(String::as_str).chain(pending).collect()
}

/// Judges a whole package: every operator of the source, then every one that is gone, by name.
pub fn judge_set(lock: &Lock, context: &Context, ops: &BTreeMap<String, OpDef>) -> OpJudgement {
    let mut all = OpJudgement { findings: Vec::new(), stale: false };
    let remembered = remembered_ops(lock);
    for name in ops.keys().map(String::as_str).chain(remembered).collect::<BTreeSet<_>>() {
        if let Some(new) = ops.get(name) {
            let mut judgement = judge_op(lock, context, new);
            all.findings.append(&mut judgement.findings);
            all.stale |= judgement.stale;
        } else {
            all.findings.extend(judge_deleted(lock, context, name));
            all.stale |= lock.ops.contains_key(name);
        }
    }
    all
}

fn judge(lock: &Lock, context: &Context, base: &OpEntry, new: Option<&OpDef>, finding: Finding) -> Judged {
    let stamp = finding
        .item
        .as_ref()
        .and_then(|(kind, name)| base.item(*kind, name))
        .filter(|stamp| stamp.since.is_some())
        .unwrap_or(&base.stamp);
    let since = stamp.since.clone();
    let verdict = if !finding.is_break() {
        Verdict::Compatible
    } else if since == Some(Since::Unreleased) {
        // Of a new item of an unreleased operator there is nothing to withdraw but the operator.
        let has_item = finding.item.as_ref().is_some_and(|(kind, name)| base.item_since(*kind, name).is_some());
        let path = if has_item { withdraw_path(lock, &finding) } else { finding.op.clone() };
        Verdict::Refused(Remedy::Withdraw { path })
    } else if let Some(version) = context.major_on_the_way(lock) {
        Verdict::Accepted(version)
    } else if new.is_some_and(|new| is_of_unsealed_change(lock, context, base, new, &finding)) {
        Verdict::Refused(Remedy::Withdraw { path: withdraw_path(lock, &finding) })
    } else {
        let version = lock.last_release().map_or_else(|| Version::new(1, 0, 0), |last| Bump::Major.apply(last));
        Verdict::Refused(Remedy::Major { version })
    };
    let locked = match base.side(finding.item.as_ref()).without_since() {
        Side::Absent | Side::Op { experimental: false, cfg: None, .. } => None,
        side => Some(side.to_string()),
    };
    Judged { finding, verdict, since, line: stamp.line, locked }
}

/// Whether a break is one of a compatible change that no release carries yet, and of nothing that was released.
fn is_of_unsealed_change(lock: &Lock, context: &Context, base: &OpEntry, new: &OpDef, finding: &Finding) -> bool {
    let key = RowKey { op: finding.op.clone(), release: None, item: finding.item.clone() };
    let Some(row) = lock.ledger.get(&key).filter(|row| !is_break(&key, row, context.options)) else { return false };
    let mut released = base.clone();
    released.set_side(key.item.as_ref(), &row.from);
    let still = compare_op(&released.def, new, context.options);
    !still.iter().any(|other| other.item == finding.item && other.is_break())
}

/// `OP.ITEM`, or `OP.KIND.ITEM` where the lock has items of several kinds by that name.
fn withdraw_path(lock: &Lock, finding: &Finding) -> String {
    let Some((kind, name)) = &finding.item else { return finding.path() };
    let has = |kind: &&Kind| lock.ops.get(&finding.op).is_some_and(|entry| entry.item(**kind, name).is_some());
    if [Kind::Input, Kind::Output, Kind::Attr].iter().filter(has).count() > 1 {
        format!("{}.{}.{name}", finding.op, kind.key())
    } else {
        finding.path()
    }
}

/// The signature against which an operator is judged now.
///
/// It is what the lock holds; but a break that was accepted for a major version counts only while one is on the
/// way, and what the source has restored to what the last release had counts as never changed.
fn baseline<'a>(lock: &'a Lock, context: &Context, name: &str, source: Option<&OpDef>) -> Option<Cow<'a, OpEntry>> {
    let entry = lock.ops.get(name);
    if lock.pending_of(name).next().is_none() {
        return entry.map(Cow::Borrowed);
    }
    let major = context.major_on_the_way(lock).is_some();
    let source = source.map(|def| OpEntry::new(def.clone(), &Since::Unreleased));
    undone(lock, name, |key, row| {
        let now = source.as_ref().map_or(Side::Absent, |source| source.row_side(key.item.as_ref()));
        now == row.from.clone().without_since() || (!major && is_break(key, row, context.options))
    })
    .map(Cow::Owned)
}

/// Whether the change that a row records is a break, as the rules are read now.
fn is_break(key: &RowKey, row: &Row, options: Options) -> bool {
    if key.item.is_none() && row.to == Side::Absent {
        return true;
    }
    let [old, new] = [&row.from, &row.to].map(|side| {
        let mut entry = blank(&key.op, 0);
        entry.set_side(key.item.as_ref(), side);
        entry.def
    });
    compare_op(&old, &new, options).iter().any(Finding::is_break)
}

fn blank(name: &str, line: Line) -> OpEntry {
    OpEntry { def: OpDef::new(name.to_owned()), stamp: Stamp { since: None, line }, items: BTreeMap::new() }
}

/// The entry with those of its unsealed changes taken back that `take_back` names.
fn undone(lock: &Lock, name: &str, take_back: impl Fn(&RowKey, &Row) -> bool) -> Option<OpEntry> {
    let mut entry = lock.ops.get(name).cloned();
    for (key, row) in lock.pending_of(name) {
        if !take_back(key, row) {
            continue;
        }
        // What an operator has while nothing promises it says nothing of what it had when something did. The row of
        // the operator itself is the first.
        let entry = match &mut entry {
            Some(entry) if key.item.is_some() || entry.def.is_guarded() => entry,
            _ if key.item.is_some() => entry.get_or_insert_with(|| blank(name, row.line)),
            _ => entry.insert(blank(name, row.line)),
        };
        entry.set_side(key.item.as_ref(), &row.from);
        if let Some(stamp) = key.item.as_ref().and_then(|item| entry.items.get_mut(item)) {
            stamp.line = row.line;
        }
    }
    // An operator of which only items were brought back is still deleted.
    entry.filter(|entry| entry.stamp.since.is_some() || !entry.def.is_guarded())
}
