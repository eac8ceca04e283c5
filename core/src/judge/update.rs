//! The lock that follows from a source whose changes may all be made.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, changes, common, remembered_ops, tombstone, undone, without_unreleased};
use crate::compare::{Finding, op_deleted};
use crate::lock::{Lock, OpEntry, Row, RowKey, Side, Since, Stamp};
use crate::model::{Kind, Map, OpDef};

/// The lock after an update.
///
/// Additions are marked `unreleased`. A change of something released becomes a row of the ledger: one row an
/// item, from what the last release had to what is there now, and none where the two are equal. Operators of
/// `keep` stay as they are where the source does not show them.
///
/// The caller has refused the update if [`super::judge_set`] refuses any change, and notes the package's version
/// afterwards ([`Context::note_version`]).
#[must_use]
pub fn updated(lock: &Lock, context: &Context, ops: &BTreeMap<String, OpDef>, keep: &dyn Fn(&str) -> bool) -> Lock {
    let built = |(name, def): (&String, &OpDef)| Some((name.clone(), context.as_built(def)?.into_owned()));
    let ops: &BTreeMap<_, _> = &common::completed(lock, ops).iter().filter_map(built).collect();
    let mut new = Lock {
        package: lock.package.clone(),
        formerly: lock.formerly.clone(),
        version: lock.version.clone(),
        next: lock.next.clone(),
        positional: lock.positional,
        releases: lock.releases.clone(),
        ops: Map::new(),
        ledger: lock
            .ledger
            .iter()
            .filter(|(key, _)| key.release.is_some())
            .map(|(k, r)| (k.clone(), r.clone()))
            .collect(),
        saved: lock.saved.clone(),
        upgrades: lock.upgrades.clone(),
        gone_upgrades: lock.gone_upgrades.clone(),
        moved: lock.moved.clone(),
    };
    let remembered = remembered_ops(lock);
    for name in ops.keys().map(String::as_str).chain(remembered).collect::<BTreeSet<_>>() {
        if !ops.contains_key(name) && keep(name) {
            new.ops.extend(lock.ops.get_key_value(name).map(|(k, v)| (k.clone(), v.clone())));
            new.ledger.extend(lock.pending_of(name).map(|(k, r)| (k.clone(), r.clone())));
            continue;
        }
        // What the last release had, together with what was added since.
        let released = undone(lock, name, |_, _| true);
        match ops.get(name) {
            Some(def) => {
                let entry = entry_of(released.as_ref(), def);
                if let Some(finding) = tombstone::reused_op(lock, released.as_ref(), def) {
                    let own = RowKey { op: name.to_owned(), release: None, item: None };
                    let from = released.filter(|released| !released.def.is_guarded());
                    let from = from.map_or(Side::Absent, |released| released.side(None));
                    let row = row(lock, context, &own, from, entry.row_side(None), &finding);
                    new.ledger.insert(own, row);
                } else if let (Some(released), Some(before)) =
                    (&released, released.clone().and_then(without_unreleased))
                {
                    let findings = changes(lock, &before, def, context.options);
                    match findings.as_slice() {
                        [finding] if released.def.is_guarded() && !entry.def.is_guarded() => {
                            add_deletion(&mut new.ledger, lock, context, released, entry.side(None), finding);
                        }
                        _ => add_rows(&mut new.ledger, lock, context, released, &entry, &findings),
                    }
                }
                new.ops.insert(name.to_owned(), entry);
            }
            None => {
                if let Some(released) = released {
                    let finding = op_deleted(&released.def);
                    add_deletion(&mut new.ledger, lock, context, &released, Side::Absent, &finding);
                }
            }
        }
    }
    new.settle_common();
    new.settle_moved();
    new
}

/// The entry of a signature: what was promised keeps its stamp, what is new is unreleased. So is what is no longer
/// deprecated: the releases that refuse it in new graphs must be known to be too old for those.
fn entry_of(released: Option<&OpEntry>, def: &OpDef) -> OpEntry {
    let mut entry = OpEntry::new(def.clone(), &Since::Unreleased);
    let Some(released) = released else { return entry };
    let keep = |stamp: &mut Stamp, was: Option<&Since>| {
        stamp.since = stamp.since.take().map(|unreleased| was.cloned().unwrap_or(unreleased));
    };
    if released.def.deprecated.is_none() || def.deprecated.is_some() {
        keep(&mut entry.stamp, released.stamp.since.as_ref());
    }
    let is_deprecated = |def: &OpDef, kind, name: &str| match kind {
        Kind::Attr => def.attr(name).is_some_and(|attr| attr.deprecated.is_some()),
        _ => def.arg(kind, name).is_some_and(|arg| arg.deprecated.is_some()),
    };
    for ((kind, name), stamp) in &mut entry.items {
        if !is_deprecated(&released.def, *kind, name) || is_deprecated(def, *kind, name) {
            keep(stamp, released.item_since(*kind, name));
        }
    }
    entry
}

fn add_rows(
    ledger: &mut Map<RowKey, Row>,
    lock: &Lock,
    context: &Context,
    released: &OpEntry,
    entry: &OpEntry,
    findings: &[Finding],
) {
    let mut by_item: BTreeMap<Option<&(Kind, String)>, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        by_item.entry(finding.item.as_ref()).or_default().push(finding);
    }
    for (item, findings) in by_item {
        let Some(worst) = findings.iter().max_by_key(|finding| finding.bump) else { continue };
        let stamp = match item {
            None => Some(&released.stamp),
            Some(key) => released.items.get(key),
        };
        let was_released = stamp.is_some_and(|stamp| matches!(stamp.since, Some(Since::Release(_))));
        let op_released = matches!(released.stamp.since, Some(Since::Release(_)));
        // An addition is no change of what was released, unless it breaks graphs that lack it.
        let is_unreleased = stamp.is_some_and(|stamp| stamp.since == Some(Since::Unreleased));
        if was_released || (op_released && !is_unreleased && worst.is_break()) {
            insert(ledger, lock, context, (released, item), entry.row_side(item), worst);
        }
    }
}

/// All that was promised of the operator is gone, whether it is absent itself or outside the guarantee.
fn add_deletion(
    ledger: &mut Map<RowKey, Row>,
    lock: &Lock,
    context: &Context,
    released: &OpEntry,
    to: Side,
    finding: &Finding,
) {
    if !matches!(released.stamp.since, Some(Since::Release(_))) {
        return;
    }
    insert(ledger, lock, context, (released, None), to.without_since(), finding);
    for (item, stamp) in &released.items {
        if matches!(stamp.since, Some(Since::Release(_))) {
            insert(ledger, lock, context, (released, Some(item)), Side::Absent, finding);
        }
    }
}

fn insert(
    ledger: &mut Map<RowKey, Row>,
    lock: &Lock,
    context: &Context,
    (released, item): (&OpEntry, Option<&(Kind, String)>),
    to: Side,
    finding: &Finding,
) {
    let key = RowKey { op: released.def.name.to_string(), release: None, item: item.cloned() };
    let row = row(lock, context, &key, released.side(item), to, finding);
    ledger.insert(key, row);
}

fn row(lock: &Lock, context: &Context, key: &RowKey, from: Side, to: Side, finding: &Finding) -> Row {
    let rule = finding.rule.name.to_owned();
    let accepted_for = if finding.is_break() { context.major_on_the_way(lock) } else { None };
    let mut row = Row { rule, from, to, accepted_for, approved: None, version: None, line: 0 };
    if finding.is_break() && row.accepted_for.is_none() {
        // What is of the whole operator is one finding, whatever items go with it.
        row.approved = match finding.item {
            None => context.approval(lock, finding),
            Some(_) => context.approval_of_row(lock, key, &row),
        };
    }
    row
}
