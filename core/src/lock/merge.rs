//! Three-way merging of locks by what they say, where git's merging by lines gives up.
//!
//! Each item is merged by itself, with its rows of the ledger; so is each release. An operator that one side deleted and
//! the other changed is one thing. Where both sides changed one thing differently, the choice is reported: what a newer
//! release changed wins, then what promises more, a sealed line before one that no release carries, a line before none.
//! The next comparison with the source then says what is left to do.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::mem::{Discriminant, discriminant};

use semver::Version;

use super::{Lock, OpEntry, OpMarks, Release, Row, RowKey, Side, Since, Stamp};
use crate::compare::Options;
use crate::judge::is_break;
use crate::model::{AttrDef, COMMON, Kind, Map, OpDef, TypeVar};
use crate::version::target;

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
    if let Some(lock) = one_sided(base, ours, theirs) {
        return Merged { lock: lock.clone(), choices: Vec::new() };
    }
    let mut merger = Merger { base, ours, theirs, lock: Lock::new(""), choices: Vec::new() };
    let text = |text: &String| text.clone();
    merger.lock.package =
        merger.pick("package", [&base.package, &ours.package, &theirs.package], text, |_, _| Ordering::Equal);
    let package = &merger.lock.package;
    let formerly = ours.formerly.iter().chain(theirs.formerly.iter()).filter(|name| *name != package);
    merger.lock.formerly = formerly.cloned().collect();
    let show_next = |next: &Option<Version>| next.as_ref().map_or("none".to_owned(), ToString::to_string);
    merger.lock.version = merger.pick("version", [&base.version, &ours.version, &theirs.version], show_next, Ord::cmp);
    merger.lock.next = merger.pick("next", [&base.next, &ours.next, &theirs.next], show_next, Ord::cmp);
    // Of two values one is the base's, so where a side has another one, that is what was made of it.
    merger.lock.positional = if ours.positional == base.positional { theirs.positional } else { ours.positional };
    for version in keys([&base.releases, &ours.releases, &theirs.releases]) {
        merger.release(version);
    }
    let (newer, older) = if is_newer(ours, theirs) { (ours, theirs) } else { (theirs, ours) };
    merger.lock.stand_behind(newer, older);
    for key in keys([&base.ledger, &ours.ledger, &theirs.ledger]).into_iter().filter(|key| key.release.is_some()) {
        let sides = [base, ours, theirs].map(|side| side.ledger.get(key).cloned());
        let show = |row: &Option<Row>| show_row(row.as_ref());
        let picked = merger.pick_for_good(&row_path(key), sides.each_ref(), show);
        if let (None, Some(row)) = (&sides[1], &picked) {
            merger.choices.extend(apart(ours, theirs, key, row));
        }
        merger.lock.ledger.extend(picked.map(|row| (key.clone(), row)));
    }
    let pending = [base, ours, theirs].into_iter().flat_map(|side| side.pending().map(|(key, _)| &key.op));
    for name in keys([&base.ops, &ours.ops, &theirs.ops]).into_iter().chain(pending).collect::<BTreeSet<_>>() {
        merger.op(name);
    }
    merger.data();
    for package in keys([&base.moved, &ours.moved, &theirs.moved]) {
        let sides = [base, ours, theirs].map(|side| side.moved.get(package).cloned());
        let show = |moved: &Option<Lock>| match moved.as_ref().map(Lock::last_release) {
            Some(Some(release)) => format!("up to {release}"),
            Some(None) => "without a release".to_owned(),
            None => "not there".to_owned(),
        };
        let weigh = |a: &Option<Lock>, b: &Option<Lock>| {
            let last =
                |moved: &Option<Lock>| moved.as_ref().map(|moved| (moved.last_release().cloned(), moved.ops.len()));
            last(a).cmp(&last(b))
        };
        let picked = merger.pick(&format!("moved from {package}"), sides.each_ref(), show, weigh);
        merger.lock.moved.extend(picked.map(|moved| (package.clone(), moved)));
    }
    let Merger { mut lock, choices, .. } = merger;
    lock.settle_common();
    // What was planned or noted for a release that the other side has sealed is over.
    let last = lock.last_release().cloned();
    for planned in [&mut lock.version, &mut lock.next] {
        *planned = planned.take().filter(|planned| last.as_ref().is_none_or(|last| target(planned) > *last));
    }
    Merged { lock, choices }
}

/// What only one side changed, or both did alike.
fn one_sided<'a, T: PartialEq>(base: &T, ours: &'a T, theirs: &'a T) -> Option<&'a T> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}

fn keys<K: Ord, V>(sides: [&Map<K, V>; 3]) -> BTreeSet<&K> {
    sides.into_iter().flat_map(Map::keys).collect()
}

pub(super) struct Merger<'a> {
    pub(super) base: &'a Lock,
    pub(super) ours: &'a Lock,
    pub(super) theirs: &'a Lock,
    pub(super) lock: Lock,
    choices: Vec<Choice>,
}

/// All that a lock says of one thing: what it is, how it came to be that, and in which releases it changed.
#[derive(Clone, PartialEq)]
struct Unit {
    side: Side,
    pending: Option<Row>,
    sealed: Vec<(Version, Row)>,
}

/// All that a lock says of an operator.
#[derive(Clone, PartialEq)]
struct Whole {
    entry: Option<OpEntry>,
    units: Map<Option<(Kind, String)>, Unit>,
}

impl Unit {
    fn of(lock: &Lock, op: &str, item: Option<&(Kind, String)>) -> Self {
        let rows = || lock.rows_of(op).filter(|(key, _)| key.item.as_ref() == item);
        Unit {
            // Of what all operators have in common only the attributes say anything.
            side: match lock.ops.get(op) {
                Some(entry) if item.is_some() || op != COMMON => entry.side(item),
                _ => Side::Absent,
            },
            pending: rows().find(|(key, _)| key.release.is_none()).map(|(_, row)| row.clone()),
            sealed: rows().filter_map(|(key, row)| Some((key.release.clone()?, row.clone()))).collect(),
        }
    }

    /// The newest release, of those that the base does not know, that changed it; then what it promises: sealed
    /// before unreleased, unreleased before nothing.
    fn weight(&self, base: &Lock) -> (Option<&Version>, u8) {
        // What an unsealed change took back was promised by a release, too.
        let was = self.pending.as_ref().and_then(|row| row.from.since());
        let since = [self.side.since(), was].into_iter().flatten().filter_map(|since| match since {
            Since::Release(version) => Some(version),
            Since::Unreleased => None,
        });
        let releases = self.sealed.iter().map(|(release, _)| release).chain(since);
        let promise = match (&self.side, self.side.since()) {
            (Side::Absent, _) => 0,
            (_, None) => 1,
            (_, Some(Since::Unreleased)) => 2,
            (_, Some(Since::Release(_))) => 3,
        };
        (releases.filter(|release| !base.releases.contains_key(release)).max(), promise)
    }

    fn show(&self) -> String {
        let row = |row: &Option<Row>| row.as_ref().map(|row| format!(" (was {})", row.from)).unwrap_or_default();
        format!("{}{}", self.side, row(&self.pending))
    }
}

impl Whole {
    fn of(lock: &Lock, op: &str) -> Self {
        let none = || (op == COMMON).then(|| lock.no_common());
        let entry = lock.ops.get(op).cloned().or_else(none);
        let items = entry.iter().flat_map(|entry| entry.items.keys());
        let rows = lock.rows_of(op).filter_map(|(key, _)| key.item.as_ref());
        let all: BTreeSet<_> = std::iter::once(None).chain(items.chain(rows).map(Some)).collect();
        let units = all.into_iter().map(|item| (item.cloned(), Unit::of(lock, op, item))).collect();
        Whole { entry, units }
    }

    /// Whether it is there, whether it is promised, and whether a release carries it.
    fn state(&self) -> (bool, Option<Discriminant<Since>>) {
        let since = self.entry.as_ref().and_then(|entry| entry.stamp.since.as_ref());
        (self.entry.is_some(), since.map(discriminant))
    }

    fn weight(&self, base: &Lock) -> (Option<&Version>, u8) {
        let newest = self.units.values().filter_map(|unit| unit.weight(base).0).max();
        (newest, self.units.get(&None).map_or(0, |unit| unit.weight(base).1))
    }
}

impl Merger<'_> {
    /// One of three: what one side changed, or else what weighs more, and ours where both weigh the same.
    pub(super) fn pick<T: Clone + PartialEq>(
        &mut self,
        path: &str,
        [base, ours, theirs]: [&T; 3],
        show: impl Fn(&T) -> String,
        weigh: impl Fn(&T, &T) -> Ordering,
    ) -> T {
        if let Some(picked) = one_sided(base, ours, theirs) {
            return picked.clone();
        }
        let took_ours = weigh(ours, theirs).is_ge();
        self.choices.push(Choice { path: path.to_owned(), ours: show(ours), theirs: show(theirs), took_ours });
        if took_ours { ours.clone() } else { theirs.clone() }
    }

    /// One of three of what is never taken back and never changes: what the base has stays.
    fn pick_for_good<T: Clone + PartialEq>(
        &mut self,
        path: &str,
        [base, ours, theirs]: [&Option<T>; 3],
        show: impl Fn(&Option<T>) -> String,
    ) -> Option<T> {
        if base.is_some() && ours != theirs {
            let took_ours = ours == base || (theirs != base && ours.is_some());
            self.choices.push(Choice { path: path.to_owned(), ours: show(ours), theirs: show(theirs), took_ours });
            return if took_ours { ours } else { theirs }.clone();
        }
        self.pick(path, [base, ours, theirs], show, |_, _| Ordering::Equal)
    }

    fn release(&mut self, version: &Version) {
        let mut sides = [self.base, self.ours, self.theirs].map(|side| side.releases.get(version).cloned());
        // Where it stands the line with the last release says, and of what that does not have, who has it.
        let line = [self.ours, self.theirs].map(|side| side.releases.get(version));
        let order = if is_newer(self.ours, self.theirs) { line } else { [line[1], line[0]] };
        let known = line.iter().flatten().find_map(|release| release.behind.clone());
        let behind = order.into_iter().flatten().next().and_then(|release| release.behind.clone());
        sides.iter_mut().flatten().for_each(|release| release.behind.clone_from(&behind));
        let show = |r: &Option<Release>| r.as_ref().map_or("not there".to_owned(), ToString::to_string);
        let path = format!("release {version}");
        let before = self.choices.len();
        let picked = self.pick_for_good(&path, sides.each_ref(), show);
        // Both sealed it: only one of them can have been published.
        let is_twice = sides[0].is_none() && sides[1].is_some() && sides[2].is_some();
        if is_twice && self.choices.len() == before && !is_same_release(self.ours, self.theirs, version) {
            let of = |lock: &Lock| format!("sealed with {} changes of its own", carried(lock, version).len());
            let (ours, theirs) = (of(self.ours), of(self.theirs));
            self.choices.push(Choice { path, ours, theirs, took_ours: true });
        } else if self.choices.len() == before
            && let [Some(ours), Some(theirs)] =
                [self.ours, self.theirs].map(|side| place(side, version, known.as_ref()))
            && ours != theirs
        {
            // The line of one has it before a release behind which it stands in that of the other.
            self.choices.push(Choice { path, ours, theirs, took_ours: true });
        }
        self.lock.releases.extend(picked.map(|release| (version.clone(), release)));
    }

    fn op(&mut self, name: &str) {
        let [base, ours, theirs] = [self.base, self.ours, self.theirs].map(|lock| Whole::of(lock, name));
        let forced = self.newer_line(name, |_| true).filter(|_| ours != theirs);
        if let Some(whole) = one_sided(&base, &ours, &theirs).filter(|_| forced.is_none()) {
            return self.take(name, whole);
        }
        if ours.state() != theirs.state() || ours.entry.is_none() {
            // It is deleted, outside the guarantee or unreleased on one side only: its items go with it, since what may
            // be added to an operator depends on that.
            let took_ours = forced.unwrap_or(ours.weight(self.base) >= theirs.weight(self.base));
            let show = |whole: &Whole| whole.units.get(&None).map_or("nothing".to_owned(), Unit::show);
            let (our, their) = (show(&ours), show(&theirs));
            self.choices.push(Choice { path: name.to_owned(), ours: our, theirs: their, took_ours });
            return self.take(name, if took_ours { &ours } else { &theirs });
        }
        let (lock, sides) = (self.base, [self.ours, self.theirs]);
        let line: Vec<_> = self.lock.release_line().into_iter().map(|(version, _)| version.clone()).collect();
        let place = |release: &Version| line.iter().position(|other| other == release);
        let mut entry = OpEntry { def: OpDef::new(name.to_owned()), stamp: Stamp::default(), items: Map::new() };
        for item in keys([&base.units, &ours.units, &theirs.units]) {
            let units = [self.base, self.ours, self.theirs].map(|lock| Unit::of(lock, name, item.as_ref()));
            let path = path_of(name, item.as_ref());
            let weigh = |a: &Unit, b: &Unit| match (a.side.since(), b.side.since()) {
                // What two lines promise alike is promised since the release that stands earlier.
                (Some(Since::Release(ours)), Some(Since::Release(theirs)))
                    if a.side.clone().without_since() == b.side.clone().without_since()
                        && is_of_two_lines(place(ours).cmp(&place(theirs)), sides, [ours, theirs]) =>
                {
                    place(theirs).cmp(&place(ours))
                }
                _ => a.weight(lock).cmp(&b.weight(lock)),
            };
            let forced = self.newer_line(name, |key| key.item == *item).filter(|_| units[1] != units[2]);
            let unit = if let Some(took_ours) = forced {
                let [_, ours, theirs] = units;
                self.choices.push(Choice { path, ours: ours.show(), theirs: theirs.show(), took_ours });
                if took_ours { ours } else { theirs }
            } else if let Some(joined) = joined_values(&units).or_else(|| joined_types(&units)) {
                joined
            } else {
                self.pick(&path, units.each_ref(), Unit::show, weigh)
            };
            entry.set_side(item.as_ref(), &unit.side);
            self.pending(name, item.as_ref(), &unit);
        }
        self.lock.ops.insert(name.to_owned(), entry);
        self.choices.append(&mut drop_ambiguous(&mut self.lock, name));
    }

    /// Where each side has sealed releases of its own and the older line broke something in one, the newer line wins, which
    /// promised it still: whether that is ours.
    fn newer_line(&self, op: &str, is_meant: impl Fn(&RowKey) -> bool) -> Option<bool> {
        let (older, newer, is_ours) = match self.ours.last_release().cmp(&self.theirs.last_release()) {
            Ordering::Less => (self.ours, self.theirs, false),
            Ordering::Equal => return None,
            Ordering::Greater => (self.theirs, self.ours, true),
        };
        let mut rows = older.rows_of(op).filter(|(key, _)| {
            let is_own = key.release.as_ref().is_some_and(|release| !newer.releases.contains_key(release));
            is_own && is_meant(key)
        });
        rows.any(|(key, row)| is_break(older, key, row, Options::default())).then_some(is_ours)
    }

    fn take(&mut self, name: &str, whole: &Whole) {
        self.lock.ops.extend(whole.entry.clone().map(|entry| (name.to_owned(), entry)));
        for (item, unit) in &whole.units {
            self.pending(name, item.as_ref(), unit);
        }
    }

    fn pending(&mut self, op: &str, item: Option<&(Kind, String)>, unit: &Unit) {
        let key = RowKey { op: op.to_owned(), release: None, item: item.cloned() };
        self.lock.ledger.extend(unit.pending.clone().map(|row| (key, row)));
    }
}

/// An attribute to which both sides only added allowed values: with those of both.
fn joined_values([base, ours, theirs]: &[Unit; 3]) -> Option<Unit> {
    let (Side::Attr(base, _), Side::Attr(our, since), Side::Attr(their, _)) = (&base.side, &ours.side, &theirs.side)
    else {
        return None;
    };
    let only_added = |def: &AttrDef| {
        let is_kept = !base.values.is_empty() && base.values.iter().all(|value| def.values.contains(value));
        is_kept && *base == AttrDef { values: base.values.clone(), ..def.clone() }
    };
    if our == their || !only_added(our) || !only_added(their) {
        return None;
    }
    let all: BTreeSet<_> = our.values.iter().chain(their.values.iter()).cloned().collect();
    joined(ours, theirs, Side::Attr(AttrDef { values: all.into_iter().collect(), ..our.clone() }, since.clone()))
}

/// An operator to whose type variables both sides only added types: with those of both.
fn joined_types([base, ours, theirs]: &[Unit; 3]) -> Option<Unit> {
    let (Side::Op(base, _), Side::Op(our, since), Side::Op(their, _)) = (&base.side, &ours.side, &theirs.side) else {
        return None;
    };
    let only_added = |marks: &OpMarks| {
        let is_kept = |was: &TypeVar| {
            let now = marks.types.iter().find(|var| var.name == was.name);
            now.is_some_and(|now| {
                was.allowed.is_empty() == now.allowed.is_empty()
                    && was.allowed.iter().all(|ty| now.allowed.contains(ty))
            })
        };
        let is_same =
            marks.types.len() == base.types.len() && *base == OpMarks { types: base.types.clone(), ..marks.clone() };
        is_same && base.types.iter().all(is_kept)
    };
    if our == their || !only_added(our) || !only_added(their) {
        return None;
    }
    let mut marks = our.clone();
    for (var, their) in marks.types.to_mut().iter_mut().zip(their.types.iter()) {
        let all: BTreeSet<_> = var.allowed.iter().chain(their.allowed.iter()).cloned().collect();
        var.allowed = all.into_iter().collect();
    }
    joined(ours, theirs, Side::Op(marks, since.clone()))
}

/// What two sides make together, where nothing else of them differs.
fn joined(ours: &Unit, theirs: &Unit, side: Side) -> Option<Unit> {
    let is_like = match (&ours.pending, &theirs.pending) {
        (None, None) => true,
        (Some(ours), Some(theirs)) => *ours == Row { to: ours.to.clone(), ..theirs.clone() },
        _ => false,
    };
    if !is_like || ours.sealed != theirs.sealed || ours.side.since() != theirs.side.since() {
        return None;
    }
    // Of what is outside the guarantee a row says that it is gone, whatever it is now.
    let is_gone = |row: &Row| row.to == Side::Absent;
    let pending = ours.pending.clone();
    let pending = pending.map(|row| if is_gone(&row) { row } else { Row { to: side.clone().without_since(), ..row } });
    Some(Unit { side, pending, sealed: ours.sealed.clone() })
}

/// Takes from an operator the aliases that stand for another of its items as well: what has a name of its own keeps it.
pub(super) fn drop_ambiguous(lock: &mut Lock, op: &str) -> Vec<Choice> {
    let mut choices = Vec::new();
    let Some(entry) = lock.ops.get_mut(op) else { return choices };
    while let Some((kind, owner, alias, other)) = entry.def.ambiguous_alias() {
        let (item, alias) = ((kind, owner.to_owned()), alias.to_owned());
        choices.push(Choice {
            path: format!("{op}.{}.{owner} alias {alias}", kind.key()),
            ours: format!("of `{owner}`"),
            theirs: format!("of `{other}`"),
            took_ours: false,
        });
        let mut side = entry.side(Some(&item));
        match &mut side {
            Side::Arg(arg, _) => arg.aliases.to_mut().retain(|name| *name != alias),
            Side::Attr(attr, _) => attr.aliases.to_mut().retain(|name| *name != alias),
            Side::Absent | Side::Op(..) => {}
        }
        entry.set_side(Some(&item), &side);
        let to = entry.row_side(Some(&item));
        let key = RowKey { op: op.to_owned(), release: None, item: Some(item) };
        if let Some(row) = lock.ledger.get_mut(&key) {
            row.to = to;
            if row.from.clone().without_since() == row.to {
                lock.ledger.remove(&key);
            }
        }
    }
    choices
}

/// Whether two locks can speak of one release: each knows all that the other says it changed or promised first.
pub(super) fn is_same_release(a: &Lock, b: &Lock, version: &Version) -> bool {
    let digest = |lock: &Lock| lock.releases.get(version).and_then(|release| release.digest.clone());
    if let (Some(a), Some(b)) = (digest(a), digest(b)) {
        return a == b;
    }
    let rows = |lock: &Lock| -> Vec<_> {
        let rows = lock.ledger.iter().filter(|(key, _)| key.release.as_ref() == Some(version));
        rows.map(|(key, row)| (key.clone(), row.clone())).collect()
    };
    let knows = |lock: &Lock, (op, item): &(String, Option<(Kind, String)>)| {
        let is_of = |(key, row): (&RowKey, &Row)| key.item == *item || (key.item.is_none() && !row.to.is_guarded());
        let is_there = |entry: &OpEntry| is_released(&entry.side(item.as_ref()));
        lock.ops.get(op).is_some_and(is_there) || lock.rows_of(op).any(is_of)
    };
    rows(a) == rows(b)
        && carried(a, version).iter().all(|thing| knows(b, thing))
        && carried(b, version).iter().all(|thing| knows(a, thing))
}

/// All that a release promised first or changed.
pub(super) fn carried(lock: &Lock, version: &Version) -> BTreeSet<(String, Option<(Kind, String)>)> {
    let is_of = |stamp: &Stamp| matches!(&stamp.since, Some(Since::Release(since)) if since == version);
    let mut carried = BTreeSet::new();
    for (name, entry) in &lock.ops {
        let own = is_of(&entry.stamp).then_some(None);
        let items = entry.items.iter().filter(|(_, stamp)| is_of(stamp)).map(|(item, _)| Some(item.clone()));
        carried.extend(own.into_iter().chain(items).map(|item| (name.clone(), item)));
    }
    let rows = lock.ledger.keys().filter(|key| key.release.as_ref() == Some(version));
    carried.extend(rows.map(|key| (key.op.clone(), key.item.clone())));
    carried
}

/// Whether two locks promise a thing since releases of two lines, which stand in that order. A lock that has the other's earlier
/// release and still says a later one knows more: there the thing was deleted in between, and came back.
fn is_of_two_lines(order: Ordering, [ours, theirs]: [&Lock; 2], [since, other]: [&Version; 2]) -> bool {
    match order {
        Ordering::Less => !theirs.releases.contains_key(since),
        Ordering::Equal => false,
        Ordering::Greater => !ours.releases.contains_key(other),
    }
}

/// Whether one side has the last release.
fn is_newer(ours: &Lock, theirs: &Lock) -> bool {
    ours.last_release() >= theirs.last_release()
}

/// Whether a release stands behind another one in a line that has both.
fn place(lock: &Lock, version: &Version, other: Option<&Version>) -> Option<String> {
    let line = lock.release_line();
    let at = |wanted: &Version| line.iter().position(|(known, _)| *known == wanted);
    let (own, other, known) = (at(version)?, at(other?)?, other?);
    Some(format!("sealed {} {known}", if own > other { "behind" } else { "before" }))
}

/// A break that each line made by itself, under different data versions: what one of them saved would be taken across both, one after the other,
/// with the old default once more between them.
pub(super) fn apart(ours: &Lock, theirs: &Lock, key: &RowKey, row: &Row) -> Option<Choice> {
    let version = row.version?;
    let is_own = |of: &RowKey| of.release.as_ref().is_some_and(|release| !theirs.releases.contains_key(release));
    let rows = ours.rows_of(&key.op).filter(|(of, _)| of.item == key.item && is_own(of));
    let own = rows.filter_map(|(_, row)| row.version).find(|own| *own != version)?;
    let show = |version: u32| format!("changed at data version {version}");
    Some(Choice { path: path_of(&key.op, key.item.as_ref()), ours: show(own), theirs: show(version), took_ours: true })
}

/// An operator or an item of it, as a choice names it.
pub(super) fn path_of(op: &str, item: Option<&(Kind, String)>) -> String {
    item.map_or_else(|| op.to_owned(), |(kind, item)| format!("{op}.{}.{item}", kind.key()))
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

pub(super) fn is_released(side: &Side) -> bool {
    matches!(side.since(), Some(Since::Release(_)))
}
