//! What a build has that its lock does not: nothing is promised of what it writes, and what it would misread it does not read.

use std::collections::BTreeMap;

use oplock_core::compare::{Options, op_deleted};
use oplock_core::lock::{Since, Stamp};
use oplock_core::report::why_stale;
use oplock_core::{COMMON, Lock, OpDef, SavedKind, compare_op};

use crate::program::Package;

/// An operator of a build as the lock would have it. A build knows the places of operands by their order.
fn as_locked(def: &OpDef, lock: &Lock) -> OpDef {
    let def = def.clone();
    if lock.positional { def.numbered() } else { def.unnumbered() }.sorted()
}

/// The operators of which a build has a break that its lock does not record, each with what changed.
///
/// Such a build compiles, with a warning, while a major version is on the way. What its ledger does not say, it cannot upgrade.
pub(crate) fn unrecorded(package: &Package) -> BTreeMap<String, String> {
    let Package { lock, ops, .. } = package;
    let promised = lock.ops.iter().filter(|(_, entry)| entry.stamp.since.is_some());
    let changes = promised.filter_map(|(name, entry)| {
        let changed = match ops.get(name) {
            Some(def) => {
                let def = as_locked(def, lock);
                let changes =
                    if def == entry.def { Vec::new() } else { compare_op(&entry.def, &def, Options::default()) };
                changes.into_iter().find(|change| change.is_break() && !change.case.relaxation)
            }
            None => Some(op_deleted(&entry.def)).filter(|change| change.is_break() && entry.def.cfg.is_none()),
        };
        Some((name.clone(), changed?.message()))
    });
    changes.collect()
}

/// Why nothing is promised of what a build writes: its lock is stale, or holds what no release has.
pub(crate) fn unsealed(package: &Package, kind: SavedKind) -> Option<String> {
    let Package { version, lock, ops, .. } = package;
    if !version.pre.is_empty() {
        return Some(format!("{version} is a pre-release"));
    }
    if let Some(stale) = &package.stale {
        return Some(format!("its lock was stale: {}", why_stale(stale)));
    }
    for (name, entry) in &lock.ops {
        match ops.get(name) {
            Some(def) if as_locked(def, lock) != entry.def => {
                return Some(format!("its lock was stale: `{name}` was not what the lock had"));
            }
            None if entry.def.cfg.is_none() => {
                return Some(format!("its lock was stale: it did not have `{name}` any more"));
            }
            _ => {}
        }
        let unreleased = |since: Option<&Since>| since == Some(&Since::Unreleased);
        if unreleased(entry.stamp.since.as_ref()) {
            return Some(format!("no release of it had `{name}` yet"));
        }
        if let Some(((_, item), _)) = entry.items.iter().find(|(_, stamp)| unreleased(stamp.since.as_ref())) {
            return Some(format!("no release of it had `{name}.{item}` yet"));
        }
    }
    let unknown =
        |(op, before): &(String, u32)| format!("the upgrade function of `{op}` for what was saved before {before}");
    if let Some(key) = package.upgrades.keys().find(|key| !lock.upgrades.contains_key(*key)) {
        return Some(format!("its lock was stale: it did not have {}", unknown(key)));
    }
    if let Some((key, _)) = lock.upgrades.iter().find(|(_, stamp)| stamp.since == Some(Since::Unreleased)) {
        return Some(format!("no release of it had {} yet", unknown(key)));
    }
    if let Some((key, _)) = lock.pending().next() {
        let what = if key.op == COMMON { "all operators".to_owned() } else { format!("`{}`", key.op) };
        return Some(format!("a change of {what} was not released yet"));
    }
    let saved = lock.saved.get(&kind);
    let version = saved.and_then(|saved| {
        let is_new = |since: &Stamp| since.since == Some(Since::Unreleased);
        saved.since.iter().find(|(_, stamp)| is_new(stamp)).map(|(version, _)| *version)
    });
    version.map(|version| format!("its data version {version} was not released yet"))
}
