//! What is special about the attributes that all operators have: an operator may have had them by itself before.

#[cfg(feature = "tools")]
use std::collections::BTreeMap;

use super::{Judged, Remedy, Verdict};
use crate::compare::Finding;
use crate::lock::Lock;
use crate::model::{COMMON, Kind, OpDef};

/// Gives an operator back what the lock has as its own and all operators have now: to move an attribute there changes no
/// operator. `common` is what all have.
pub fn complete(lock: &Lock, common: &OpDef, def: &mut OpDef) {
    let Some(entry) = lock.ops.get(def.name.as_ref()).filter(|_| !def.is_common()) else { return };
    for attr in common.attrs.iter() {
        if def.attr(&attr.name).is_none() && entry.def.attr(&attr.name).is_some() {
            def.attrs.to_mut().push(attr.clone());
        }
    }
}

/// The attributes that an operator and all operators have by one name; `lock` tells where it speaks of them.
pub fn declared_twice(lock: &Lock, common: &OpDef, def: &OpDef) -> Vec<Judged> {
    if def.is_common() {
        return Vec::new();
    }
    let is_taken = |name: &str| common.attr(name).is_some() || common.item_of_alias(Kind::Attr, name).is_some();
    let twice =
        def.attrs.iter().filter(|attr| is_taken(&attr.name) || attr.aliases.iter().any(|alias| is_taken(alias)));
    let judged = twice.map(|attr| {
        let item = (Kind::Attr, attr.name.to_string());
        let stamp = [COMMON, &def.name].iter().find_map(|name| lock.ops.get(*name)?.items.get(&item));
        let finding = Finding::declared("attr_declared_twice", &def.name, Some(&item), "name", COMMON, &attr.name);
        let (since, line) = stamp.map(|stamp| (stamp.since.clone(), stamp.line)).unwrap_or_default();
        Judged { finding, verdict: Verdict::Refused(Remedy::Mend), since, line, locked: None }
    });
    judged.collect()
}

/// A whole source, as it is held against the lock: each operator complete, and what all have in common there where the lock
/// remembers it, though there be none of it any more.
#[cfg(feature = "tools")]
pub(super) fn completed(lock: &Lock, ops: &BTreeMap<String, OpDef>) -> BTreeMap<String, OpDef> {
    let mut ops = ops.clone();
    if !ops.contains_key(COMMON) && (lock.ops.contains_key(COMMON) || lock.pending_of(COMMON).next().is_some()) {
        ops.insert(COMMON.to_owned(), OpDef::new(COMMON));
    }
    if let Some(common) = ops.get(COMMON).cloned() {
        for def in ops.values_mut() {
            complete(lock, &common, def);
        }
    }
    ops
}

/// What operators of a source declare beside what all operators have.
#[cfg(feature = "tools")]
pub(super) fn declared_twice_in(lock: &Lock, ops: &BTreeMap<String, OpDef>) -> Vec<Judged> {
    let Some(common) = ops.get(COMMON) else { return Vec::new() };
    ops.values().flat_map(|def| declared_twice(lock, common, def)).collect()
}
