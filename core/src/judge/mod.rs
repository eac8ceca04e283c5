//! Whether a package may make a change now: the lock, the version of the package and what is planned decide.
//!
//! [`crate::compare`] says what a change means. Here it is held against what was released: a break needs a major
//! version on the way, an entry that no release carries yet is taken back by `withdraw`, and what was accepted
//! for a major version is judged again at every build until a release seals it.

#[cfg(feature = "tools")]
mod base;
#[cfg(feature = "tools")]
mod base_data;
mod common;
mod data;
mod declared;
#[cfg(feature = "tools")]
mod moved;
#[cfg(feature = "tools")]
mod pending;
#[cfg(feature = "tools")]
mod seal;
#[cfg(feature = "tools")]
mod seal_data;
#[cfg(feature = "tools")]
mod source;
mod tombstone;
mod unbuilt;
#[cfg(feature = "tools")]
mod update;
#[cfg(feature = "tools")]
mod withdraw;

use std::borrow::Cow;
#[cfg(feature = "tools")]
use std::collections::BTreeMap;

use semver::Version;

use crate::approvals::{Approval, Approvals};
use crate::compare::{
    self, Finding, Options, compare_entry, compare_op, once_each_swap, op_added, op_deleted, op_renamed,
};
use crate::condition::{Condition, Reduced};
use crate::lock::{Approved, Line, Lock, OpEntry, OpMarks, Row, RowKey, Side, Since, Stamp, is_promised};
use crate::model::{Kind, Map, OpDef, Set};
use crate::version::{Bump, is_first_of_its_line, next_major, target};

#[cfg(feature = "tools")]
pub use base::{ApprovedRow, BaseFinding, approved_since, check_base, parted};
pub use common::{complete, declared_twice};
pub use data::{
    judge_data, judge_lost_upgrade, judge_need, judge_new_upgrade, judge_versions, released_version, saved_after,
};
pub use declared::{alias_taken, undeclared_versions};
#[cfg(feature = "tools")]
pub use moved::{TakeOverError, take_over};
#[cfg(feature = "tools")]
pub use pending::{PendingBreak, pending_breaks, signature_before};
#[cfg(feature = "tools")]
pub use seal::{LeastBump, NotAbove, SealError, TooLow, least_bump, seal};
#[cfg(feature = "tools")]
pub use seal_data::{TooEarly, seal_data};
#[cfg(feature = "tools")]
pub use source::{Source, judge_source};
#[cfg(feature = "tools")]
pub use update::updated;
#[cfg(feature = "tools")]
pub use withdraw::{WithdrawError, withdraw};

/// What a judgement depends on beside the lock and the source.
#[derive(Clone, Debug)]
pub struct Context {
    /// The version in the package's manifest.
    pub version: Version,
    /// How the rules are read.
    pub options: Options,
    /// The features that the manifest defines; `None` when they are not known.
    pub features: Option<Set<String>>,
    /// The breaks that a named person allowed.
    pub approvals: Approvals,
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
    /// A break that a named person allowed; the lock is stale.
    Approved(Approved),
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
    /// No version may make it: nothing helps but what the finding itself says.
    Mend,
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
        // A version that follows a major one may not break what that one released, whether or not it was sealed.
        let own_is_major = is_major(&&own) && is_first_of_its_line(&own);
        lock.next.as_ref().filter(is_major).or(Some(&own).filter(|_| own_is_major)).cloned()
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
        let planned = lock.version.iter().chain(&lock.next).map(|next| (next.clone(), 0));
        // What is planned or noted at or below the last release is over.
        let is_over = |release: &Version| lock.last_release().is_some_and(|last| target(release) <= *last);
        let passed = |(release, _): &(Version, Line)| target(release) < own && !is_over(release);
        match accepted.chain(planned).find(passed) {
            Some((release, line)) if !replanned => Err(Overrun { release, version: self.version.clone(), line }),
            _ => Ok(()),
        }
    }

    /// Whether the package's version is one for which the lock was neither sealed nor brought up to date nor planned.
    pub fn has_stale_version(&self, lock: &Lock) -> bool {
        let own = target(&self.version);
        let known = [lock.last_release(), lock.version.as_ref(), lock.next.as_ref()];
        lock.last_release().is_some() && !known.into_iter().flatten().any(|version| target(version) == own)
    }

    /// Notes in the lock for which version it was brought up to date, unless that is the last release.
    pub fn note_version(&self, lock: &mut Lock) {
        let own = target(&self.version);
        lock.version = lock.last_release().filter(|last| **last != own).map(|_| own);
    }

    /// What follows from a break of something released.
    fn verdict_of_break(&self, lock: &Lock, finding: &Finding) -> Verdict {
        if let Some(version) = self.major_on_the_way(lock) {
            Verdict::Accepted(version)
        } else if let Some(approved) = self.approval(lock, finding) {
            Verdict::Approved(approved)
        } else {
            let version =
                lock.last_release().map_or_else(|| Version::new(1, 0, 0), |last| next_major(last, &self.version));
            Verdict::Refused(Remedy::Major { version })
        }
    }

    /// The approval that covers a finding now: never for a patch release.
    pub(crate) fn approval(&self, lock: &Lock, finding: &Finding) -> Option<Approved> {
        let is_patch = lock.last_release().and_then(|last| Bump::between(last, &self.version)) == Some(Bump::Patch);
        let approval = self.approvals.of(finding).filter(|_| !is_patch)?;
        Some(Approved { by: approval.by.clone(), reason: approval.reason.clone() })
    }

    /// The approval that covers the break of an unsealed row: every finding in it must have one.
    pub(crate) fn approval_of_row(&self, lock: &Lock, key: &RowKey, row: &Row) -> Option<Approved> {
        let mut approvals = row_findings(lock, key, row, self.options)
            .into_iter()
            .filter(Finding::is_break)
            .map(|finding| self.approval(lock, &finding));
        let first = approvals.next()??;
        approvals.all(|approval| approval.is_some()).then_some(first)
    }

    /// The first feature that a condition names and the manifest does not define.
    pub fn unknown_feature(&self, def: &OpDef) -> Option<String> {
        let features = self.features.as_ref()?;
        let condition = Condition::parse(def.cfg.as_ref()?).ok()?;
        condition.features().into_iter().find(|f| !features.contains(*f)).map(str::to_owned)
    }

    /// An operator as builds have it, in which a feature that the manifest does not define is never on; `None` where no
    /// build ever has it.
    pub fn as_built<'a>(&self, def: &'a OpDef) -> Option<Cow<'a, OpDef>> {
        let (Some(features), Some(text)) = (&self.features, &def.cfg) else { return Some(Cow::Borrowed(def)) };
        let Ok(condition) = Condition::parse(text) else { return Some(Cow::Borrowed(def)) };
        if !def.is_guarded() || condition.features().into_iter().all(|feature| features.contains(feature)) {
            return Some(Cow::Borrowed(def));
        }
        let is_gone = |flag: &Condition| match flag {
            Condition::Flag(key, Some(feature)) => key == "feature" && !features.contains(feature),
            _ => false,
        };
        let cfg = match condition.without(&is_gone) {
            Reduced::Never => return None,
            Reduced::Always => None,
            Reduced::If(condition) => Some(condition.to_string().into()),
        };
        Some(Cow::Owned(OpDef { cfg, ..def.clone() }))
    }
}

/// Judges one operator of the source.
pub fn judge_op(lock: &Lock, context: &Context, new: &OpDef) -> OpJudgement {
    let mut judgement = match context.as_built(new) {
        Some(built) => judge_built(lock, context, &built, context.unknown_feature(new).as_deref()),
        None => unbuilt::judge_unbuilt(lock, context, new),
    };
    judgement.findings.append(&mut declared::misdeclared(lock, new));
    judgement
}

/// Judges an operator that builds have; `gone` is a feature of its condition that the manifest lacks.
fn judge_built(lock: &Lock, context: &Context, new: &OpDef, gone: Option<&str>) -> OpJudgement {
    let entry = lock.held(&new.name);
    let stale = entry.as_ref().is_none_or(|entry| entry.def != new.clone().sorted());
    let is_settled = !stale && lock.pending_of(&new.name).next().is_none();
    if is_settled && tombstone::reused_op(lock, entry.as_deref(), new).is_none() {
        return OpJudgement { findings: Vec::new(), stale };
    }
    let Some(base) = baseline(lock, context, &new.name, Some(new)) else {
        let judged = if let Some(finding) = tombstone::reused_op(lock, None, new) {
            judge_reused(lock, context, finding)
        } else {
            let finding = op_added(new);
            Judged { finding, verdict: Verdict::Compatible, since: None, line: 0, locked: None }
        };
        return OpJudgement { findings: vec![judged], stale };
    };
    let mut findings = changes(lock, &base, new, context.options);
    once_each_swap(&mut findings);
    if let Some(feature) = gone {
        let is_narrowed = |finding: &&mut Finding| finding.rule.name == "op_condition_narrowed";
        if let Some(finding) = findings.iter_mut().find(is_narrowed) {
            *finding = finding.clone().without_feature(feature);
        }
    }
    let judge = |finding: Finding| match finding.rule.name {
        "name_reused" => judge_reused(lock, context, finding),
        _ => judge(lock, context, &base, Some(new), finding),
    };
    let findings: Vec<_> = findings.into_iter().map(judge).collect();
    // That a name was reused is a row, though the entry already says what the source does.
    let lacks_row = findings.iter().any(|judged| judged.finding.rule.name == "name_reused");
    OpJudgement { findings, stale: stale || lacks_row }
}

/// What changed between an entry and a signature, and which deleted names came back as something else.
fn changes(lock: &Lock, base: &OpEntry, new: &OpDef, options: Options) -> Vec<Finding> {
    let mut findings = compare_entry(base, new, options);
    let added: Vec<_> = findings.iter().filter(|f| f.is_addition()).filter_map(|f| f.item.clone()).collect();
    if !added.is_empty() {
        let now = OpEntry::new(new.clone(), &Since::Unreleased);
        let reused = |item| tombstone::reused_item(lock, &new.name, item, &now.row_side(Some(item)), None);
        findings.extend(added.iter().filter_map(reused));
    }
    findings.extend(tombstone::reused_op(lock, Some(base), new));
    findings
}

/// Judges a deleted name that came back as something else: what is broken is the release that had it.
fn judge_reused(lock: &Lock, context: &Context, finding: Finding) -> Judged {
    let found = match &finding.item {
        Some(item) => tombstone::of_item(lock, &finding.op, item, None),
        None => tombstone::of_op(lock, &finding.op),
    };
    let verdict = context.verdict_of_break(lock, &finding);
    let since = found.and_then(|(_, row)| row.from.since().cloned());
    let locked = found.map(|(key, row)| {
        let release = key.release.as_ref().map(ToString::to_string).unwrap_or_default();
        let why = row.approved.as_ref().map(|approved| format!(", because {:?}", approved.reason)).unwrap_or_default();
        format!("deleted in {release} ({}{why}): {}", row.rule, row.from.clone().without_since())
    });
    Judged { finding, verdict, since, line: found.map_or(0, |(_, row)| row.line), locked }
}

/// Every approval that names neither a change nor a row of the ledger: what it was for is over, or it was never
/// right.
pub fn unused_approvals<'a>(lock: &Lock, context: &'a Context, judgement: &OpJudgement) -> Vec<&'a Approval> {
    let is_of_row = |approval: &Approval| {
        lock.rows_of(&approval.op).any(|(key, row)| {
            let findings = row_findings(lock, key, row, context.options);
            // What a sealed row says no longer names the items of an operator that came back as something else.
            let is_reused_op = key.release.is_some() && row.rule == "name_reused" && key.item.is_none();
            findings.iter().any(|finding| approval.is_of(finding))
                || (is_reused_op && approval.rule == row.rule && approval.item.is_none())
        })
    };
    let is_of_change = |approval: &Approval| judgement.findings.iter().any(|judged| approval.is_of(&judged.finding));
    context.approvals.list.iter().filter(|approval| !is_of_change(approval) && !is_of_row(approval)).collect()
}

/// Judges an operator that the lock has and the source has not; `None` when nothing promises it.
pub fn judge_deleted(lock: &Lock, context: &Context, name: &str) -> Option<Judged> {
    let base = baseline(lock, context, name, None)?;
    Some(judge(lock, context, &base, None, op_deleted(&base.def)))
}

/// The same of an operator that is read under another name, where one is said.
pub fn judge_renamed(lock: &Lock, context: &Context, name: &str, to: Option<&str>) -> Option<Judged> {
    judge_deleted(lock, context, name).map(|judged| renamed(judged, to))
}

/// The promised operator that was saved under that name before.
pub(crate) fn op_of_alias<'a>(ops: impl IntoIterator<Item = &'a OpDef>, alias: &str) -> Option<&'a str> {
    let mut ops = ops.into_iter();
    ops.find(|def| def.is_guarded() && def.aliases.iter().any(|name| name == alias)).map(|def| def.name.as_ref())
}

/// What is said of a deleted operator that is read under another name.
fn renamed(judged: Judged, to: Option<&str>) -> Judged {
    match to {
        Some(to) if judged.finding.is_break() => Judged { finding: op_renamed(&judged.finding.op, to), ..judged },
        _ => judged,
    }
}

/// The names of all operators that the lock promises or that it only says to be deleted by a change that is
/// not sealed.
pub fn remembered_ops(lock: &Lock) -> Set<&str> {
    let pending = lock.pending().map(|(key, _)| key.op.as_str());
    lock.ops.keys().map(String::as_str).chain(pending).collect()
}

/// Judges a whole package: every operator of the source, then every one that is gone, by name.
#[cfg(feature = "tools")]
pub fn judge_set(lock: &Lock, context: &Context, ops: &BTreeMap<String, OpDef>) -> OpJudgement {
    let mut all = OpJudgement { findings: declared::taken_aliases(ops), stale: false };
    all.findings.extend(common::declared_twice_in(lock, ops));
    let ops = &common::completed(lock, ops);
    let remembered = remembered_ops(lock);
    for name in ops.keys().map(String::as_str).chain(remembered).collect::<std::collections::BTreeSet<_>>() {
        if let Some(new) = ops.get(name) {
            let mut judgement = judge_op(lock, context, new);
            all.findings.append(&mut judgement.findings);
            all.stale |= judgement.stale;
        } else {
            all.findings.extend(judge_renamed(lock, context, name, op_of_alias(ops.values(), name)));
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
        let path = if has_item { withdraw_path(lock, &finding) } else { op_path(lock, &finding.op) };
        Verdict::Refused(Remedy::Withdraw { path })
    } else if context.major_on_the_way(lock).is_some() || context.approval(lock, &finding).is_some() {
        context.verdict_of_break(lock, &finding)
    } else if new.is_some_and(|new| is_of_unsealed_change(lock, context, base, new, &finding)) {
        Verdict::Refused(Remedy::Withdraw { path: withdraw_path(lock, &finding) })
    } else {
        context.verdict_of_break(lock, &finding)
    };
    let locked = match base.side(finding.item.as_ref()).without_since() {
        Side::Absent => None,
        Side::Op(marks, _) if marks == OpMarks::default() => None,
        side => Some(side.to_string()),
    };
    Judged { finding, verdict, since, line: stamp.line, locked }
}

/// Whether a break is one of a compatible change that no release carries yet, and of nothing that was released.
fn is_of_unsealed_change(lock: &Lock, context: &Context, base: &OpEntry, new: &OpDef, finding: &Finding) -> bool {
    let key = RowKey { op: finding.op.clone(), release: None, item: finding.item.clone() };
    let Some(row) = lock.ledger.get(&key).filter(|row| !is_break(lock, &key, row, context.options)) else {
        return false;
    };
    let mut released = base.clone();
    released.set_side(key.item.as_ref(), &row.from);
    let still = compare_entry(&released, new, context.options);
    !still.iter().any(|other| other.item == finding.item && other.is_break())
}

/// What names an operator to `withdraw` where an item of another one has the same name.
const OPERATOR: &str = "operator.";

/// `OP`, or `operator.OP` where an item of another operator has that name.
fn op_path(lock: &Lock, name: &str) -> String {
    let is_item = |at: usize| {
        let (op, item) = (&name[..at], &name[at + 1..]);
        let kinds = [Kind::Input, Kind::Output, Kind::Attr];
        lock.ops.get(op).is_some_and(|entry| kinds.iter().any(|kind| entry.item(*kind, item).is_some()))
    };
    let is_ambiguous = name.match_indices('.').any(|(at, _)| is_item(at));
    if is_ambiguous { format!("{OPERATOR}{name}") } else { name.to_owned() }
}

/// `OP.ITEM`, or `OP.KIND.ITEM` where the lock has items of several kinds, or an operator, by that name.
fn withdraw_path(lock: &Lock, finding: &Finding) -> String {
    let Some((kind, name)) = &finding.item else { return op_path(lock, &finding.op) };
    let has = |kind: &&Kind| lock.ops.get(&finding.op).is_some_and(|entry| entry.item(**kind, name).is_some());
    let is_op = lock.ops.contains_key(&finding.path());
    if is_op || [Kind::Input, Kind::Output, Kind::Attr].iter().filter(has).count() > 1 {
        format!("{}.{}.{name}", finding.op, kind.key())
    } else {
        finding.path()
    }
}

/// The signature against which an operator is judged now.
///
/// It is what the lock holds; but a break that was accepted for a major version counts only while one is on the
/// way, one that was approved only while the source has what was approved, and what the source has restored to what the
/// last release had counts as never changed.
fn baseline<'a>(lock: &'a Lock, context: &Context, name: &str, source: Option<&OpDef>) -> Option<Cow<'a, OpEntry>> {
    if lock.pending_of(name).next().is_none() {
        return lock.held(name);
    }
    let major = context.major_on_the_way(lock).is_some();
    let source = source.map(|def| OpEntry::new(def.clone(), &Since::Unreleased));
    let now = |key: &RowKey| source.as_ref().map_or(Side::Absent, |source| source.row_side(key.item.as_ref()));
    let is_approved = |key: &RowKey, row: &Row| {
        // Of an item that went with its operator, what was approved is that the operator goes.
        let own = Some(RowKey { item: None, ..key.clone() }).filter(|_| key.item.is_some() && row.rule == "op_deleted");
        let (key, row) = own.as_ref().and_then(|own| lock.ledger.get_key_value(own)).unwrap_or((key, row));
        now(key) == row.to && context.approval_of_row(lock, key, row).is_some()
    };
    undone(lock, name, |key, row| {
        now(key) == row.from.clone().without_since()
            || (!major && is_break(lock, key, row, context.options) && !is_approved(key, row))
    })
    .map(Cow::Owned)
}

/// Whether the change that a row records is a break, as the rules are read now.
pub(crate) fn is_break(lock: &Lock, key: &RowKey, row: &Row, options: Options) -> bool {
    row_findings(lock, key, row, options).iter().any(Finding::is_break)
}

/// What the rules say of the change that a row records.
pub(crate) fn row_findings(lock: &Lock, key: &RowKey, row: &Row, options: Options) -> Vec<Finding> {
    if row.to == Side::Absent && key.item.is_none() {
        let other = op_of_alias(lock.ops.values().map(|entry| &entry.def), &key.op).filter(|_| key.release.is_none());
        return vec![match other {
            Some(other) => op_renamed(&key.op, other),
            None => op_deleted(&OpDef::new(key.op.clone())),
        }];
    }
    if row.to == Side::Absent && row.rule == "op_deleted" {
        // An item that went with its operator: the break is the operator's.
        let own = RowKey { item: None, ..key.clone() };
        return match lock.ledger.get(&own).filter(|row| !row.to.is_guarded()) {
            Some(row) => row_findings(lock, &own, row, options),
            None => vec![op_deleted(&OpDef::new(key.op.clone()))],
        };
    }
    let [old, new] = [&row.from, &row.to].map(|side| {
        let mut entry = blank(&key.op, 0);
        entry.set_side(key.item.as_ref(), side);
        entry.def
    });
    let mut findings = if says_types(&row.from) || says_types(&row.to) {
        findings_in_context(lock, key, row, options)
    } else {
        compare_op(&old, &new, options)
    };
    if let (Some((kind, item)), None, Side::Absent) = (&key.item, &key.release, &row.to)
        && let Some(def) = lock.ops.get(&key.op).map(|entry| &entry.def)
        && let Some(other) = def.item_of_alias(*kind, item).filter(|other| is_promised(def, *kind, other))
    {
        findings = findings.into_iter().map(|finding| finding.renamed(&row.from, other)).collect();
    }
    if key.item.is_none() && !row.from.is_guarded() && row.to.is_guarded() {
        // Only an operator that came back as something else has such a row.
        findings.extend(match &key.release {
            None => lock.ops.get(&key.op).and_then(|entry| tombstone::reused_op(lock, None, &entry.def)),
            Some(_) => Some(Finding::name_reused(&key.op, None, &row.from, &row.to)),
        });
    }
    if let Some(item) = key.item.as_ref().filter(|_| findings.iter().any(Finding::is_addition)) {
        findings.extend(tombstone::reused_item(lock, &key.op, item, &row.to, key.release.as_ref()));
    }
    findings
}

/// Whether a side speaks of types or attributes that only the whole operator explains.
fn says_types(side: &Side) -> bool {
    match side {
        Side::Arg(arg, _) => arg.ty.is_some() || arg.count.is_some(),
        Side::Op(marks, _) => !marks.types.is_empty(),
        Side::Attr(..) | Side::Absent => false,
    }
}

/// What the rules say of the change of a row that the row alone does not explain.
fn findings_in_context(lock: &Lock, key: &RowKey, row: &Row, options: Options) -> Vec<Finding> {
    let is_of_row = |finding: &Finding| finding.item == key.item;
    if key.release.is_none()
        && let (Some(old), Some(new)) = (last_released(lock, &key.op), lock.ops.get(&key.op))
    {
        return compare_entry(&old, &new.def, options).into_iter().filter(is_of_row).collect();
    }
    // What the operator was when a release sealed the row is not kept; what was found then is, by the worst rule.
    let [old, new] = [&row.from, &row.to].map(|side| {
        let mut entry = blank(&key.op, 0);
        entry.set_side(key.item.as_ref(), &side.clone().without_types());
        entry.def
    });
    let mut findings = compare_op(&old, &new, options);
    let is_of_types = compare::rule(&row.rule).filter(|rule| rule.is_of_types());
    findings.extend(is_of_types.map(|rule| Finding::of_row(rule, &key.op, key.item.as_ref(), &row.from, &row.to)));
    findings
}

fn blank(name: &str, line: Line) -> OpEntry {
    OpEntry { def: OpDef::new(name.to_owned()), stamp: Stamp { since: None, line }, items: Map::new() }
}

/// What the last release had of an operator: without what no release carries, and before every change that none has sealed.
pub(crate) fn last_released(lock: &Lock, name: &str) -> Option<OpEntry> {
    without_unreleased(undone(lock, name, |_, _| true)?)
}

/// The entry without what no release carries.
fn without_unreleased(mut entry: OpEntry) -> Option<OpEntry> {
    if entry.stamp.since == Some(Since::Unreleased) {
        return None;
    }
    let items = entry.items.iter().filter(|(_, stamp)| stamp.since == Some(Since::Unreleased));
    for item in items.map(|(item, _)| item.clone()).collect::<Vec<_>>() {
        entry.set_side(Some(&item), &Side::Absent);
    }
    Some(entry)
}

/// The entry with those of its unsealed changes taken back that `take_back` names.
pub(crate) fn undone(lock: &Lock, name: &str, take_back: impl Fn(&RowKey, &Row) -> bool) -> Option<OpEntry> {
    let mut entry = lock.held(name).map(Cow::into_owned);
    for (key, row) in lock.pending_of(name) {
        if !take_back(key, row) {
            continue;
        }
        // What an operator has while nothing promises it says nothing of what it had when something did. The row of
        // the operator itself is the first.
        if key.item.is_none() && row.from == Side::Absent {
            // A deleted name that came back: without that, there is no such operator.
            return None;
        }
        let entry = match &mut entry {
            Some(entry) if key.item.is_some() || entry.def.is_guarded() => entry,
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
