//! What a lock tells of one operator's past: since when each part of it is, and with which default.

use std::collections::BTreeMap;

use oplock_core::lock::{OpEntry, Row, RowKey, Since};
use oplock_core::{Kind, Lock, SavedKind, Value};
use semver::Version;

/// The place of each release in a lock's line.
pub(crate) struct Line<'p> {
    places: BTreeMap<&'p Version, usize>,
    /// The data version of graphs that the line had reached with each.
    reached: Vec<u32>,
}

/// What a reader must have in order to know something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Needs {
    /// Nothing: it carries no promise.
    Nothing,
    /// The release at that place of the line.
    Release(usize),
    /// No release has it yet.
    Unreleased,
}

impl<'p> Line<'p> {
    pub(crate) fn of(lock: &'p Lock) -> Self {
        let line = lock.release_line();
        let greatest = line.iter().scan(0, |greatest: &mut u32, (_, release)| {
            *greatest = release.version_of(SavedKind::Graph).max(*greatest);
            Some(*greatest)
        });
        let reached = greatest.collect();
        let places = line.into_iter().enumerate().map(|(place, (version, _))| (version, place)).collect();
        Line { places, reached }
    }

    /// The data version of graphs that the line had reached with a release: what was taken over from another line is new to the data
    /// of this one, whatever version the other one had.
    pub(crate) fn reached(&self, release: &Version) -> Option<u32> {
        self.reached.get(*self.places.get(release)?).copied()
    }

    pub(crate) fn needs(&self, since: Option<&Since>) -> Needs {
        match since {
            None => Needs::Nothing,
            Some(Since::Unreleased) => Needs::Unreleased,
            Some(Since::Release(version)) => self.release(Some(version)),
        }
    }

    /// What a row of the ledger needs.
    pub(crate) fn release(&self, release: Option<&Version>) -> Needs {
        release.and_then(|version| self.places.get(version)).map_or(Needs::Unreleased, |place| Needs::Release(*place))
    }

    /// Whether a release, as what it needs says, promised an attribute of an operator: by the operator's rows and what it is today.
    pub(crate) fn had_attr(
        &self,
        rows: &[(&RowKey, &Row)],
        entry: Option<&OpEntry>,
        name: &str,
        release: Needs,
    ) -> bool {
        let mut own = rows.iter().filter(|(key, _)| is_attr(key, name));
        let since = match own.find(|(key, _)| self.release(key.release.as_ref()) > release) {
            Some((_, row)) => row.from.since(),
            None => entry.and_then(|entry| entry.item_since(Kind::Attr, name)),
        };
        since.is_some_and(|since| self.needs(Some(since)) <= release)
    }

    /// The rows of an operator in the order in which they were made.
    pub(crate) fn rows(&self, lock: &'p Lock, op: &str) -> Vec<(&'p RowKey, &'p Row)> {
        let mut rows: Vec<_> = lock.rows_of(op).collect();
        rows.sort_by_key(|(key, _)| (self.release(key.release.as_ref()), key.item.clone()));
        rows
    }
}

/// The rows by which an operator, or an item that it has by one of its names, stopped being promised.
pub(crate) fn endings<'l>(
    lock: &'l Lock,
    ops: [&'l str; 2],
    item: Option<(Kind, &'l str)>,
) -> impl Iterator<Item = (&'l RowKey, &'l Row)> {
    let rows = ops.into_iter().flat_map(|op| lock.rows_of(op));
    rows.filter(move |(key, row)| {
        let is_it = key.item.as_ref().map(|(kind, name)| (*kind, name.as_str())) == item;
        is_it && row.from.is_guarded() && !row.to.is_guarded()
    })
}

/// Whether a row is of an attribute.
pub(crate) fn is_attr(key: &RowKey, name: &str) -> bool {
    matches!(&key.item, Some((Kind::Attr, item)) if item == name)
}

/// The attribute that a side of a row has.
pub(crate) fn attr_of(side: &oplock_core::lock::Side) -> Option<&oplock_core::AttrDef> {
    match side {
        oplock_core::lock::Side::Attr(def, _) => Some(def),
        _ => None,
    }
}

/// The default with which an attribute was last added; `None` when it had none.
pub(crate) fn added_default<'p>(rows: &[(&'p RowKey, &'p Row)], entry: &'p OpEntry, name: &str) -> Option<&'p Value> {
    let since = entry.item_since(Kind::Attr, name)?;
    let first = rows.iter().find(|(key, row)| is_attr(key, name) && row.from.since() == Some(since));
    let def = first.and_then(|(_, row)| attr_of(&row.from)).or_else(|| entry.def.attr(name))?;
    def.default.as_ref()
}

/// Whether the default of an attribute ever changed, also while it was another type, or gone.
pub(crate) fn default_changed(rows: &[(&RowKey, &Row)], name: &str, today: Option<&Value>) -> bool {
    let sides = rows.iter().filter(|(key, _)| is_attr(key, name)).flat_map(|(_, row)| [&row.from, &row.to]);
    sides.filter_map(attr_of).any(|def| def.default.as_ref() != today)
}
