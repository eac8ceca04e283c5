//! What breaks a release, by the first table of the rules: from releases and sources alone, without a lock.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{Kind, Lock, OpDef, Part};
use semver::Version;

use super::common::part;
use super::world::OPS;

pub(crate) type Source = BTreeMap<String, OpDef>;
pub(crate) type Item = Option<(Kind, String)>;

/// A release, as the model remembers it.
pub(crate) struct Past {
    pub(crate) version: Version,
    /// What it promised.
    pub(crate) ops: Source,
    /// What it or any release before it promised last of each operator.
    pub(crate) ever: Source,
    /// And of each item.
    pub(crate) ever_items: BTreeMap<(String, (Kind, String)), OpDef>,
    /// Since which release each operator and item is promised.
    pub(crate) since: BTreeMap<(String, Item), Version>,
    pub(crate) lock: Lock,
    pub(crate) before: BTreeSet<usize>,
    /// Whether its lock has a release that was never made.
    pub(crate) has_forged: bool,
}

pub(crate) fn is_promised(def: &OpDef, (kind, name): &(Kind, String)) -> bool {
    !name.starts_with('_') && part(def, *kind, name).is_some_and(|part| part != Part::Extra)
}

pub(crate) fn keeps_item(old: &OpDef, new: &OpDef, (kind, name): &(Kind, String)) -> bool {
    if *kind != Kind::Attr {
        return old.arg(*kind, name) == new.arg(*kind, name);
    }
    let (Some(old), Some(new)) = (old.attr(name), new.attr(name)) else { return false };
    let has = |value| new.values.is_empty() || new.values.contains(value);
    let keeps_values = old.values.iter().all(has) && (!old.values.is_empty() || new.values.is_empty());
    keeps_values && (old.ty, &old.default, old.part) == (new.ty, &new.default, new.part)
}

pub(crate) fn exists(def: &OpDef, platform: &str) -> bool {
    def.cfg.as_ref().is_none_or(|cfg| cfg.contains(platform))
}

pub(crate) fn names(def: &OpDef) -> BTreeSet<(Kind, String)> {
    def.item_names().map(|(kind, name)| (kind, name.to_owned())).filter(|item| is_promised(def, item)).collect()
}

/// Of one operator, what breaks graphs that were saved when it was `old`.
pub(crate) fn broken_items(old: &OpDef, new: &OpDef) -> BTreeSet<Item> {
    let mut broken = BTreeSet::new();
    if ["unix", "windows", "neither"].iter().any(|p| exists(old, p) && !exists(new, p)) {
        broken.insert(None);
    }
    let (had, has) = (names(old), names(new));
    broken.extend(had.iter().filter(|i| !has.contains(i) || !keeps_item(old, new, i)).cloned().map(Some));
    let is_optional = |(kind, name): &(Kind, String)| match kind {
        Kind::Attr => new.attr(name).is_some_and(|attr| attr.default.is_some()),
        _ => new.arg(*kind, name).is_some_and(|arg| arg.dispensable),
    };
    broken.extend(has.difference(&had).filter(|item| !is_optional(item)).cloned().map(Some));
    broken
}

pub(crate) fn promised(source: &Source) -> Source {
    source.iter().filter(|(_, def)| !def.experimental).map(|(name, def)| (name.clone(), def.clone())).collect()
}

/// All that a source breaks of a release, deleted names that stand for something else among it.
pub(crate) fn broken(past: &Past, source: &Source) -> BTreeSet<(String, Item)> {
    let mut broken = BTreeSet::new();
    let now = promised(source);
    for name in OPS {
        match (past.ops.get(name).or_else(|| past.ever.get(name)), now.get(name)) {
            (Some(old), Some(new)) => {
                broken.extend(broken_items(old, new).into_iter().map(|item| (name.to_owned(), item)));
                for item in names(new).difference(&names(old)) {
                    let was = past.ever_items.get(&(name.to_owned(), item.clone()));
                    if was.is_some_and(|was| !keeps_item(was, new, item)) {
                        broken.insert((name.to_owned(), Some(item.clone())));
                    }
                }
            }
            (Some(_), None) if past.ops.contains_key(name) => drop(broken.insert((name.to_owned(), None))),
            _ => {}
        }
    }
    broken
}

/// Whether a source promises anything that a release did not.
pub(crate) fn adds(past: &Past, source: &Source) -> bool {
    promised(source).iter().any(|(name, new)| {
        let Some(old) = past.ops.get(name) else { return true };
        let is_wider = ["unix", "windows", "neither"].iter().any(|p| exists(new, p) && !exists(old, p));
        let has_more = names(new).iter().any(|(kind, item)| {
            let has = |def: &OpDef| def.attr(item).map(|attr| attr.values.len());
            *kind == Kind::Attr && names(old).contains(&(*kind, item.clone())) && has(old) < has(new)
        });
        is_wider || has_more || !names(new).is_subset(&names(old))
    })
}

/// Since when each operator and item of a release is promised: what the one before promised keeps its release.
pub(crate) fn stamps(past: Option<&Past>, ops: &Source, version: &Version) -> BTreeMap<(String, Item), Version> {
    let mut stamps = BTreeMap::new();
    for (name, def) in ops {
        for item in std::iter::once(None).chain(names(def).into_iter().map(Some)) {
            let key = (name.clone(), item);
            let had = past.and_then(|past| past.since.get(&key));
            stamps.insert(key, had.unwrap_or(version).clone());
        }
    }
    stamps
}

/// How far a version is above another: major 3, minor 2, patch 1, not at all 0.
pub(crate) fn step_of(old: &Version, new: &Version) -> u8 {
    let significant = |version: &Version| {
        if old.major > 0 {
            [version.major, version.minor, version.patch]
        } else {
            [version.major * 1000 + version.minor, version.patch, 0]
        }
    };
    let (old, new) = (significant(old), significant(new));
    if new <= old {
        0
    } else if new[0] > old[0] {
        3
    } else if new[1] > old[1] {
        2
    } else {
        1
    }
}

/// Whether a version may break by its own number. A second one of its line may not: the first may be out.
pub(crate) fn is_major(old: &Version, new: &Version) -> bool {
    let is_first = (new.minor, new.patch) == (0, 0) || (new.major, new.patch) == (0, 0);
    step_of(old, new) == 3 && is_first
}

/// What of an item is other, where both sides promise it: each is a break by itself.
pub(crate) fn changed_fields(old: &OpDef, new: &OpDef, item: &(Kind, String)) -> Vec<&'static str> {
    let (kind, name) = item;
    if !is_promised(old, item) || !is_promised(new, item) {
        return Vec::new();
    }
    let fields = match (old.attr(name), new.attr(name), old.arg(*kind, name), new.arg(*kind, name)) {
        (Some(old), Some(new), ..) if *kind == Kind::Attr => vec![
            ("type", old.ty != new.ty),
            ("default", old.ty == new.ty && old.default != new.default),
            ("values", old.ty == new.ty && old.values != new.values),
            ("quant", old.part != new.part),
        ],
        (.., Some(old), Some(new)) => vec![
            ("dispensable", old.dispensable != new.dispensable),
            ("duplicable", old.duplicable != new.duplicable),
            ("intermediate", old.intermediate != new.intermediate),
            ("quant", old.part != new.part),
        ],
        _ => Vec::new(),
    };
    fields.into_iter().filter(|(_, is_other)| *is_other).map(|(field, _)| field).collect()
}
