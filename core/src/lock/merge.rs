//! Three-way merging of locks by what they say, where git's merging by lines gives up.
//!
//! Each operator, item, release and ledger row is merged by itself. Where both sides changed one thing differently,
//! what promises more wins and the choice is reported: a sealed line before one that no release carries, a line
//! before none. The next comparison with the source then says what is left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Lock, OpEntry, Row, RowKey, Side, Since, Stamp};
use crate::model::{Kind, OpDef};

/// A merged lock, and what had to be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The lock.
    pub lock: Lock,
    /// Everything that both sides changed differently.
    pub choices: Vec<Choice>,
}

/// One thing that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// `slice.attr.starts`, `next`, `release 1.5.0`, …
    pub path: String,
    /// What our side says.
    pub ours: String,
    /// What their side says.
    pub theirs: String,
    /// Whether ours was taken.
    pub took_ours: bool,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (taken, left) = if self.took_ours { (&self.ours, &self.theirs) } else { (&self.theirs, &self.ours) };
        let (taken_side, left_side) = if self.took_ours { ("ours", "theirs") } else { ("theirs", "ours") };
        write!(f, "{}: took {taken_side}, {taken}; left {left_side}, {left}", self.path)
    }
}

/// Merges what two sides made of one lock.
#[must_use]
pub fn merge(base: &Lock, ours: &Lock, theirs: &Lock) -> Merged {
    let mut merger = Merger { choices: Vec::new() };
    let mut lock = Lock::new(ours.package.clone());
    let show_next = |next: &Option<semver::Version>| next.as_ref().map_or("none".to_owned(), ToString::to_string);
    lock.version = merger.pick("version", [&base.version, &ours.version, &theirs.version], show_next, |a, b| a >= b);
    lock.next = merger.pick("next", [&base.next, &ours.next, &theirs.next], show_next, |a, b| a >= b);
    for version in keys([&base.releases, &ours.releases, &theirs.releases]) {
        let sides = [base, ours, theirs].map(|side| side.releases.get(version).cloned());
        let show = |r: &Option<super::Release>| r.as_ref().map_or("not there".to_owned(), |r| r.date.clone());
        let picked =
            merger.pick(&format!("release {version}"), sides.each_ref(), show, |a, b| a.is_some() >= b.is_some());
        lock.releases.extend(picked.map(|release| (version.clone(), release)));
    }
    for key in keys([&base.ledger, &ours.ledger, &theirs.ledger]) {
        let sides = [base, ours, theirs].map(|side| side.ledger.get(key).cloned());
        let picked = merger.pick(
            &row_path(key),
            sides.each_ref(),
            |row| show_row(row.as_ref()),
            |a, b| a.is_some() >= b.is_some(),
        );
        lock.ledger.extend(picked.map(|row| (key.clone(), row)));
    }
    for name in keys([&base.ops, &ours.ops, &theirs.ops]) {
        let sides = [base, ours, theirs].map(|side| side.ops.get(name));
        lock.ops.extend(merger.op(name, sides).map(|entry| (name.clone(), entry)));
    }
    settle(&mut lock);
    Merged { lock, choices: merger.choices }
}

fn keys<K: Ord, V>(sides: [&BTreeMap<K, V>; 3]) -> BTreeSet<&K> {
    sides.into_iter().flat_map(BTreeMap::keys).collect()
}

struct Merger {
    choices: Vec<Choice>,
}

impl Merger {
    /// One of three: what one side changed, or else what `prefers_first` says of ours and theirs.
    fn pick<T: Clone + PartialEq>(
        &mut self,
        path: &str,
        [base, ours, theirs]: [&T; 3],
        show: impl Fn(&T) -> String,
        prefers_first: impl Fn(&T, &T) -> bool,
    ) -> T {
        if ours == theirs || theirs == base {
            return ours.clone();
        }
        if ours == base {
            return theirs.clone();
        }
        let took_ours = prefers_first(ours, theirs);
        self.choices.push(Choice { path: path.to_owned(), ours: show(ours), theirs: show(theirs), took_ours });
        if took_ours { ours.clone() } else { theirs.clone() }
    }

    fn op(&mut self, name: &str, sides: [Option<&OpEntry>; 3]) -> Option<OpEntry> {
        let heads = sides.map(|side| side.map_or(Side::Absent, |entry| entry.side(None)));
        let head = self.pick(name, heads.each_ref(), Side::to_string, promises_more);
        let mut entry = OpEntry { def: OpDef::new(name.to_owned()), stamp: Stamp::default(), items: BTreeMap::new() };
        if head == Side::Absent {
            return None;
        }
        entry.set_side(None, &head);
        let items: BTreeSet<_> = sides.into_iter().flatten().flat_map(|entry| entry.items.keys()).collect();
        for item in items {
            let sides = sides.map(|side| side.map_or(Side::Absent, |entry| entry.side(Some(item))));
            let path = format!("{name}.{}.{}", item.0.key(), item.1);
            let side = self.pick(&path, sides.each_ref(), Side::to_string, promises_more);
            entry.set_side(Some(item), &side);
        }
        Some(entry)
    }
}

/// Whether the first of two sides promises at least as much: sealed before unreleased, unreleased before nothing.
fn promises_more(a: &Side, b: &Side) -> bool {
    rank(a) >= rank(b)
}

fn rank(side: &Side) -> u8 {
    match (side, side.since()) {
        (Side::Absent, _) => 0,
        (_, None) => 1,
        (_, Some(Since::Unreleased)) => 2,
        (_, Some(Since::Release(_))) => 3,
    }
}

/// Makes an unsealed row say what its entry says, and drops it where nothing is changed any more.
fn settle(lock: &mut Lock) {
    let ops = &lock.ops;
    for (key, row) in &mut lock.ledger {
        if key.release.is_none() {
            row.to = ops.get(&key.op).map_or(Side::Absent, |entry| entry.row_side(key.item.as_ref()));
        }
    }
    lock.ledger.retain(|key, row| key.release.is_some() || row.from.clone().without_since() != row.to);
    // An item of an operator that is promised since a release is itself promised since one, or unreleased.
    let releases: BTreeSet<_> = lock.releases.keys().cloned().collect();
    for entry in lock.ops.values_mut() {
        let stamps = std::iter::once(&mut entry.stamp).chain(entry.items.values_mut());
        for stamp in stamps {
            if matches!(&stamp.since, Some(Since::Release(version)) if !releases.contains(version)) {
                stamp.since = Some(Since::Unreleased);
            }
        }
    }
}

fn row_path(key: &RowKey) -> String {
    let release = key.release.as_ref().map_or("unreleased".to_owned(), ToString::to_string);
    match &key.item {
        None => format!("ledger {}.{release}", key.op),
        Some((kind, item)) => format!("ledger {}.{release}.{}.{item}", key.op, Kind::key(*kind)),
    }
}

fn show_row(row: Option<&Row>) -> String {
    row.map_or("not there".to_owned(), |row| format!("{} from {} to {}", row.rule, row.from, row.to))
}

/// Takes another release line over: its releases, what they promise, and its sealed ledger rows.
///
/// What both lines promise is promised since the earlier release. What only the other line promises is promised here too,
/// unless this lock's ledger says that it was deleted here; the next comparison with the source then asks for it.
#[must_use]
pub fn absorb(lock: &Lock, other: &Lock) -> Merged {
    let mut merged = Merged { lock: lock.clone(), choices: Vec::new() };
    let new = &mut merged.lock;
    for (version, release) in &other.releases {
        new.releases.entry(version.clone()).or_insert_with(|| release.clone());
    }
    for (key, row) in other.ledger.iter().filter(|(key, _)| key.release.is_some()) {
        new.ledger.entry(key.clone()).or_insert_with(|| row.clone());
    }
    for (name, theirs) in &other.ops {
        let deleted_here = |item: Option<&(Kind, String)>| {
            let is_of = |key: &RowKey| key.item.as_ref() == item || (item.is_some() && key.item.is_none());
            lock.rows_of(name).any(|(key, row)| is_of(key) && row.to == Side::Absent)
        };
        if !is_released(&theirs.side(None)) || (!lock.ops.contains_key(name) && deleted_here(None)) {
            continue;
        }
        let blank = OpEntry { def: OpDef::new(name.clone()), stamp: Stamp::default(), items: BTreeMap::new() };
        let ours = new.ops.entry(name.clone()).or_insert(blank);
        for item in std::iter::once(None).chain(theirs.items.keys().map(Some)) {
            let (our, their) = (ours.side(item), theirs.side(item));
            let is_blank = item.is_none() && our.since().is_none();
            if !is_released(&their) || (our == Side::Absent && deleted_here(item)) {
                continue;
            }
            if our == Side::Absent || is_blank || is_same_but_later(&our, &their) {
                ours.set_side(item, &their);
            } else if our.clone().without_since() != their.clone().without_since() {
                let path = item.map_or_else(|| name.clone(), |(kind, item)| format!("{name}.{}.{item}", kind.key()));
                let (ours, theirs) = (our.to_string(), their.to_string());
                merged.choices.push(Choice { path, ours, theirs, took_ours: true });
            }
        }
    }
    settle(new);
    merged
}

fn is_released(side: &Side) -> bool {
    matches!(side.since(), Some(Since::Release(_)))
}

/// Whether both say the same, and theirs since an earlier release.
fn is_same_but_later(our: &Side, their: &Side) -> bool {
    let is_later = match (our.since(), their.since()) {
        (Some(Since::Release(ours)), Some(Since::Release(theirs))) => ours > theirs,
        (_, Some(Since::Release(_))) => true,
        _ => false,
    };
    is_later && our.clone().without_since() == their.clone().without_since()
}
