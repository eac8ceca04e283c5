//! Operators that the source declares and no build has, since their condition needs a feature that the manifest lacks.
//!
//! They count as not declared. What an author is told is another thing: a feature was removed, or is spelled otherwise.

use super::{Context, Judged, OpJudgement, Remedy, Verdict, baseline, judge};
use crate::compare::{op_added_without_feature, op_deleted};
use crate::condition::Condition;
use crate::lock::{Lock, Side};
use crate::model::OpDef;

/// Judges such an operator.
pub(super) fn judge_unbuilt(lock: &Lock, context: &Context, new: &OpDef) -> OpJudgement {
    let feature = context.unknown_feature(new).unwrap_or_default();
    let own = new.cfg.as_deref().and_then(|text| Condition::parse(text).ok());
    let covers = |cfg: Option<&str>| match (cfg.map(Condition::parse), &own) {
        (Some(Ok(condition)), Some(own)) => condition.covers(own),
        _ => true, // in every build
    };
    // What the ledger has as gone is gone, though a dead declaration of it is left.
    let is_recorded = lock.rows_of(&new.name).any(|(_, row)| match &row.from {
        Side::Op(marks, _) => row.from.is_guarded() && covers(marks.cfg.as_deref()),
        _ => false,
    });
    let base = baseline(lock, context, &new.name, None).filter(|base| base.def.is_guarded());
    let judged = match base {
        // One of several declarations of it; the others are what is left.
        Some(base) if is_recorded && !covers(base.def.cfg.as_deref()) => None,
        Some(base) => {
            let finding = op_deleted(&base.def).without_feature(&feature);
            Some(judge(lock, context, &base, None, finding))
        }
        None if is_recorded => None,
        None => {
            let finding = op_added_without_feature(new, &feature);
            Some(Judged { finding, verdict: Verdict::Refused(Remedy::Mend), since: None, line: 0, locked: None })
        }
    };
    let stale = judged.is_some() && lock.ops.contains_key(new.name.as_ref());
    OpJudgement { findings: judged.into_iter().collect(), stale }
}
