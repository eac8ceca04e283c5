//! The attributes that all operators of a package have: an entry named `*`, which has attributes and nothing else.
//!
//! They are judged, sealed and merged as those of any operator. What sets their entry apart is kept here: it is in a lock
//! while it has attributes, it counts as there for as long as there are operators, and what loads graphs sees its
//! attributes in each operator.

use std::borrow::Cow;
#[cfg(feature = "tools")]
use std::collections::BTreeMap;

use semver::Version;

use super::{Lock, OpEntry, Row, RowKey, Side, Since, Stamp};
#[cfg(feature = "tools")]
use crate::model::AttrDef;
use crate::model::{COMMON, Kind, Map, OpDef, Part, Set};

impl Lock {
    /// The entries of operators, without that of what they have in common.
    pub fn operators(&self) -> impl Iterator<Item = (&String, &OpEntry)> {
        self.ops.iter().filter(|(name, _)| *name != COMMON)
    }

    /// The attributes that all operators have, if there are any.
    pub fn common(&self) -> Option<&OpDef> {
        self.ops.get(COMMON).map(|entry| &entry.def)
    }

    /// What the lock holds by a name. What all operators have is there as soon as there is one, though it be nothing: to add a
    /// required attribute breaks the graphs that lack it.
    pub(crate) fn held(&self, name: &str) -> Option<Cow<'_, OpEntry>> {
        let entry = self.ops.get(name).map(Cow::Borrowed);
        entry.or_else(|| (name == COMMON && self.operators().next().is_some()).then(|| Cow::Owned(self.no_common())))
    }

    /// The entry of common attributes where there are none.
    pub(crate) fn no_common(&self) -> OpEntry {
        let stamp = Stamp { since: Some(self.common_since()), line: 0 };
        OpEntry { def: OpDef::new(COMMON), stamp, items: Map::new() }
    }

    /// Since when operators have, or lack, common attributes: the first release.
    pub(super) fn common_since(&self) -> Since {
        common_since(self.releases.keys())
    }

    /// Keeps the entry of common attributes as a lock has it: only while there are any, and since the first release.
    pub(crate) fn settle_common(&mut self) {
        let since = self.common_since();
        match self.ops.get_mut(COMMON) {
            Some(entry) if entry.items.is_empty() => drop(self.ops.remove(COMMON)),
            Some(entry) => entry.stamp.since = Some(since),
            None => {}
        }
    }

    /// The same lock as a loader of graphs reads it: each operator has the common attributes as its own, and their rows of the ledger
    /// too. An attribute that the operator has by that name, and a row of it, stay what they are.
    #[must_use]
    pub fn expanded(mut self) -> Lock {
        let common = self.ops.remove(COMMON);
        let rows: Vec<_> = self.rows_of(COMMON).map(|(key, row)| (key.clone(), row.clone())).collect();
        if common.is_none() && rows.is_empty() {
            return self;
        }
        let names: Set<String> = self.ops.keys().chain(self.ledger.keys().map(|key| &key.op)).cloned().collect();
        for name in names.iter().filter(|name| *name != COMMON) {
            // Of its own rows alone: one of all operators may be from before it.
            let firsts: Vec<_> = rows.iter().map(|(key, _)| self.there_since(name, key.release.as_ref())).collect();
            for ((key, row), first) in rows.iter().zip(firsts) {
                // An operator that came later has no graphs from before.
                let Some(first) = first else { continue };
                let own = RowKey { op: name.clone(), ..key.clone() };
                if !self.ledger.contains_key(&own) && !came_anew(&rows, key, row, &first) {
                    self.ledger.insert(own, row.clone());
                }
            }
            // What all operators had went with one that was deleted.
            let deletions = self.rows_of(name).filter(|(key, row)| key.item.is_none() && row.to == Side::Absent);
            let gone: Vec<_> = deletions.map(|(key, row)| (key.clone(), row.clone())).collect();
            for (key, row) in gone {
                for (item, from) in self.common_before(key.release.as_ref(), common.as_ref(), &rows) {
                    let own = RowKey { item: Some(item), ..key.clone() };
                    if !self.ledger.contains_key(&own) {
                        self.ledger.insert(own, Row { from, ..row.clone() });
                    }
                }
            }
            let (Some(common), Some(entry)) = (&common, self.ops.get_mut(name)) else { continue };
            for (item, stamp) in &common.items {
                if entry.side(Some(item)) == Side::Absent {
                    entry.set_side(Some(item), &common.side(Some(item)));
                    if let Some(own) = entry.items.get_mut(item) {
                        own.line = stamp.line;
                    }
                }
            }
        }
        self
    }

    /// What all operators had before a release, `None` being the next: of each item what the first change since then was from, or
    /// what it is today.
    fn common_before(
        &self,
        release: Option<&Version>,
        common: Option<&OpEntry>,
        rows: &[(RowKey, Row)],
    ) -> Vec<((Kind, String), Side)> {
        let line: Vec<_> = self.release_line().into_iter().map(|(version, _)| version.clone()).collect();
        let place = |release: Option<&Version>| {
            release.and_then(|release| line.iter().position(|version| version == release)).unwrap_or(usize::MAX)
        };
        let when = place(release);
        let is_before = |side: &Side| match side.since() {
            Some(Since::Release(since)) => place(Some(since)) < when,
            _ => false,
        };
        let changed = rows.iter().filter_map(|(key, _)| key.item.clone());
        let items: Set<_> = common.iter().flat_map(|entry| entry.items.keys().cloned()).chain(changed).collect();
        let of = |item: &(Kind, String)| {
            let later = rows.iter().filter(|(key, _)| key.item.as_ref() == Some(item));
            let later = later.filter(|(key, _)| place(key.release.as_ref()) >= when);
            let first = later.min_by_key(|(key, _)| place(key.release.as_ref())).map(|(_, row)| row.from.clone());
            first.or_else(|| common.map(|entry| entry.side(Some(item)))).filter(is_before)
        };
        items.iter().filter_map(|item| Some((item.clone(), of(item)?))).collect()
    }

    /// The first release of those with an operator that came before a release, `None` being the next, without one that lacked it
    /// between them; `None` where it was not there.
    pub(crate) fn there_since(&self, op: &str, before: Option<&Version>) -> Option<Version> {
        let is_earlier = |release: &&Version| before.is_none_or(|before| *release < before);
        let deletions = self.rows_of(op).filter(|(key, row)| key.item.is_none() && row.to == Side::Absent);
        let gone = deletions.filter_map(|(key, _)| key.release.as_ref()).filter(is_earlier).max();
        let entry = self.ops.get(op).into_iter();
        let stamps = entry.flat_map(|entry| std::iter::once(&entry.stamp).chain(entry.items.values()));
        let sinces = stamps.filter_map(|stamp| stamp.since.as_ref());
        let sinces = sinces.chain(self.rows_of(op).filter_map(|(_, row)| row.from.since()));
        let releases =
            sinces.filter_map(|since| if let Since::Release(version) = since { Some(version) } else { None });
        releases.filter(is_earlier).filter(|release| gone.is_none_or(|gone| *release > gone)).min().cloned()
    }
}

/// Whether an attribute that all operators had, and that came back as something else, is a mere addition to one of which the first release
/// is given: it came after the attribute had gone.
fn came_anew(rows: &[(RowKey, Row)], key: &RowKey, row: &Row, first: &Version) -> bool {
    let may_be_absent = matches!(&row.to, Side::Attr(attr, _) if attr.default.is_some() || attr.part == Part::Extra);
    let is_earlier = |gone: &&Version| key.release.as_ref().is_none_or(|release| *gone < release);
    let of_item = rows.iter().filter(|(other, _)| other.item == key.item);
    let changes = of_item.filter(|(_, row)| row.from.is_guarded());
    let mut earlier = changes.filter_map(|(other, _)| other.release.as_ref()).filter(is_earlier);
    // Releases of another line may stand between, so the operator must have come after every change, the last of which is its deletion.
    may_be_absent && row.rule == "name_reused" && !row.from.is_guarded() && earlier.all(|gone| gone <= first)
}

/// The first of these releases that is no pre-release.
pub(super) fn common_since<'a>(releases: impl IntoIterator<Item = &'a Version>) -> Since {
    let first = releases.into_iter().find(|version| version.pre.is_empty());
    first.map_or(Since::Unreleased, |version| Since::Release(version.clone()))
}

/// Gives each of these operators what all of them have, which then stands nowhere else.
#[cfg(feature = "tools")]
pub fn expand_common(ops: &mut BTreeMap<String, OpDef>) {
    if let Some(common) = ops.remove(COMMON) {
        for def in ops.values_mut() {
            def.add_common(&common);
        }
    }
}

/// Takes out of these operators the attributes that every one of them has, and puts them where they stand once: under
/// [`COMMON`]. Nothing where there are fewer than two operators, or they have no attribute in common.
#[cfg(feature = "tools")]
pub fn factor_common(ops: &mut BTreeMap<String, OpDef>) {
    let mut defs = ops.values();
    let Some(first) = defs.next().filter(|_| ops.len() > 1 && !ops.contains_key(COMMON)) else { return };
    let is_of_all = |attr: &&AttrDef| ops.values().all(|def| def.attr(&attr.name) == Some(*attr));
    let attrs: Vec<_> = first.attrs.iter().filter(is_of_all).cloned().collect();
    if attrs.is_empty() {
        return;
    }
    for def in ops.values_mut() {
        def.attrs.to_mut().retain(|attr| !attrs.iter().any(|common| common.name == attr.name));
    }
    ops.insert(COMMON.to_owned(), OpDef { attrs: attrs.into(), ..OpDef::new(COMMON) });
}
