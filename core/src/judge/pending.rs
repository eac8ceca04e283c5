//! Breaks that the lock has and no release yet, and what deleted names stood for: what was there before each.

use super::{Context, Judged, Verdict, is_break, last_released, row_findings, tombstone};
use crate::compare::Finding;
use crate::lock::{Lock, OpEntry, Side, Since};
use crate::model::OpDef;

/// A break that was accepted for a major version or approved, that an update has written down and no release sealed.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingBreak {
    /// What it is, and what allows it.
    pub judged: Judged,
    /// What the last release had.
    pub old: OpDef,
}

/// Every break that an unsealed row of the ledger holds, in the order of the lock.
///
/// Whether it is still allowed is no question here: [`super::judge_set`] says what is not.
pub fn pending_breaks(lock: &Lock, context: &Context) -> Vec<PendingBreak> {
    let mut all = Vec::new();
    for (key, row) in lock.pending().filter(|(key, row)| is_break(lock, key, row, context.options)) {
        // What went with its operator is that one's break.
        if key.item.is_some() && row.rule == "op_deleted" && row.to == Side::Absent {
            continue;
        }
        let verdict = match (&row.accepted_for, &row.approved) {
            (Some(version), _) => Verdict::Accepted(version.clone()),
            (None, Some(approved)) => Verdict::Approved(approved.clone()),
            (None, None) => continue,
        };
        for finding in row_findings(lock, key, row, context.options).into_iter().filter(Finding::is_break) {
            let Some(old) = signature_before(lock, &finding) else { continue };
            let since = row.from.since().cloned();
            let judged = Judged { finding, verdict: verdict.clone(), since, line: row.line, locked: None };
            all.push(PendingBreak { judged, old });
        }
    }
    all
}

/// The signature that a finding says to be broken: what the last release had of the operator; of a name that came back as
/// something else, what was deleted under it.
pub fn signature_before(lock: &Lock, finding: &Finding) -> Option<OpDef> {
    let released = last_released(lock, &finding.op).filter(|entry| entry.def.is_guarded());
    if finding.rule.name != "name_reused" {
        return released.map(|entry| entry.def);
    }
    let Some(item) = &finding.item else { return tombstone::signature(lock, &finding.op) };
    let (_, row) = tombstone::of_item(lock, &finding.op, item, None)?;
    let mut entry = released.unwrap_or_else(|| OpEntry::new(OpDef::new(finding.op.clone()), &Since::Unreleased));
    entry.set_side(Some(item), &row.from);
    Some(entry.def)
}
