//! A whole source held against the lock: signatures, data versions, and the upgrades that breaks need.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{
    judge_data, judge_lost_upgrade, judge_need, judge_new_upgrade, judge_versions, saved_after, take_versions,
};
use super::{Context, Judged, OpJudgement, Verdict, judge_set, undeclared_versions, updated};
use crate::lock::{Lock, Since, Stamp};
use crate::model::{COMMON, DataVersions, Map, OpDef, SavedKind, Set};
use crate::upgrade::uncovered;

/// All that a package's source declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The operators, by name, and what all have in common by the name `*`.
    pub ops: BTreeMap<String, OpDef>,
    /// The data versions of each kind of data; a kind that is not there is at version 1.
    pub saved: Map<SavedKind, DataVersions>,
    /// Whether the places of operands are promised. Those that operators say count only then.
    pub positional: bool,
    /// The upgrade functions: of which operator, and for what was saved before which data version of graphs.
    pub upgrades: Set<(String, u32)>,
}

impl From<BTreeMap<String, OpDef>> for Source {
    /// Operators, and a plain `lock!()`.
    fn from(ops: BTreeMap<String, OpDef>) -> Self {
        Source { ops, ..Source::default() }
    }
}

impl Source {
    /// How many operators there are.
    pub fn operators(&self) -> usize {
        self.ops.keys().filter(|name| *name != COMMON).count()
    }

    /// What is declared of one kind of data.
    pub fn data_versions(&self, kind: SavedKind) -> DataVersions {
        self.saved.get(&kind).cloned().unwrap_or_default()
    }
}

/// Judges a source, and says which lock follows were all of it allowed. Operators of `keep` stay as they are where the source
/// does not show them, and so do the upgrade functions of those.
pub fn judge_source(
    lock: &Lock,
    context: &Context,
    source: &Source,
    keep: &dyn Fn(&str) -> bool,
) -> (OpJudgement, Lock) {
    let mut all = judge_set(lock, context, &source.ops);
    all.findings.retain(|judged| !keep(&judged.finding.op));
    let mut new = updated(lock, context, &source.ops, keep);
    all.stale |= source.positional != lock.positional;
    new.positional = source.positional;
    let undeclared = undeclared_versions(source.ops.values(), &source.data_versions(SavedKind::Graph));
    all.findings.extend(undeclared.into_iter().filter(|judged| !keep(&judged.finding.op)));
    for kind in SavedKind::ALL {
        let declared = source.data_versions(kind);
        let mut judgement = judge_data(lock, context, kind, &declared);
        all.findings.append(&mut judgement.findings);
        all.stale |= judgement.stale;
        new.saved.remove(&kind);
        new.saved.extend(saved_after(lock, kind, &declared).map(|saved| (kind, saved)));
    }
    let graph = source.data_versions(SavedKind::Graph);
    take_versions(&mut new, lock, context, &graph);
    upgrades(lock, context, source, keep, graph.min_producer, &mut all, &mut new);
    // Of what may not be broken at all, it is enough to say that.
    let refused: BTreeSet<_> = all.refused().map(|judged| judged.finding.op.clone()).collect();
    let functions = new.upgrades.keys().filter(|key| !new.gone_upgrades.contains(*key)).cloned().collect();
    let lacking = judge_versions(&new, context);
    let open = uncovered(&new, graph.min_producer, &functions).iter().map(judge_need).collect::<Vec<_>>();
    all.findings.extend(lacking.into_iter().chain(open).filter(|judged| !refused.contains(&judged.finding.op)));
    (all, new)
}

fn upgrades(
    lock: &Lock,
    context: &Context,
    source: &Source,
    keep: &dyn Fn(&str) -> bool,
    min_producer: u32,
    all: &mut OpJudgement,
    new: &mut Lock,
) {
    let mut judge = |judged: Judged| {
        all.findings.push(judged);
        all.stale = true;
    };
    for key @ (op, version) in &source.upgrades {
        if !lock.upgrades.contains_key(key) {
            judge(judge_new_upgrade(op, *version));
            new.upgrades.insert(key.clone(), Stamp { since: Some(Since::Unreleased), line: 0 });
        }
    }
    for (key @ (op, version), stamp) in &lock.upgrades {
        if source.upgrades.contains(key) {
            new.gone_upgrades.remove(key);
            continue;
        }
        if keep(op) {
            continue;
        }
        let judged = judge_lost_upgrade(lock, context, op, *version, min_producer);
        let is_known = lock.gone_upgrades.contains(key) && !matches!(judged.verdict, Verdict::Refused(_));
        if !is_known {
            judge(judged);
        }
        if matches!(stamp.since, Some(Since::Release(_))) {
            // Until a release seals it, it is judged again.
            new.gone_upgrades.insert(key.clone());
        } else {
            new.upgrades.remove(key);
        }
    }
    all.stale |= new.gone_upgrades != lock.gone_upgrades;
}
