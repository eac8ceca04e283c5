//! The lock: what the operators of a package promise, since when, and what was broken on purpose.
//!
//! `toml` reads text into a tree, `read` a tree into a [`Lock`], `write` a [`Lock`] into its one canonical
//! text, `file` keeps that text whole on disk. What a change means is decided in [`crate::compare`] and
//! [`crate::judge`], never here.

#[cfg(feature = "tools")]
mod absorb;
mod common;
#[cfg(feature = "tools")]
mod digest;
mod file;
mod marks;
#[cfg(feature = "tools")]
mod merge;
#[cfg(feature = "tools")]
mod merge_data;
mod moved;
mod read;
mod saved;
pub mod toml;
mod types;
mod value;
mod values;
mod write;

use std::fmt;

use semver::Version;

use crate::condition::Condition;
use crate::model::{ArgDef, AttrDef, DataVersions, Kind, List, Map, OpDef, Part, SavedKind, Set, is_unguarded_name};
use crate::order::sort_by_name;

#[cfg(feature = "tools")]
pub use absorb::absorb;
#[cfg(feature = "tools")]
pub(crate) use absorb::released_ops;
#[cfg(feature = "tools")]
pub use common::{expand_common, factor_common};
pub use file::{FileError, read_file, replace_file, write_file};
pub use marks::{OpMark, OpMarks};
#[cfg(feature = "tools")]
pub use merge::{Choice, Merged, merge};
pub use read::{LockError, LockErrorKind};
pub use toml::Line;

pub(crate) use read::{Fields, read_ops};
pub(crate) use saved::{read_saved, read_upgrades, write_saved, write_upgrades};
pub(crate) use write::write_op;
#[cfg(feature = "tools")]
pub(crate) use write::write_row_value;

/// The name of the lock, which lies beside the package's `Cargo.toml`.
pub const LOCK_FILE: &str = "ops.lock";

/// The newest lock format that this version reads and writes.
pub const FORMAT: u32 = 1;

/// How the lock says that the places of operands are promised.
pub(crate) const POSITIONAL: &str = "positional";

/// Everything that a lock remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// The package whose operators these are.
    pub package: String,
    /// The names that the package had before, under which data was saved.
    pub formerly: Set<String>,
    /// The version that the package had when the lock was last brought up to date, where that is not the last
    /// release.
    pub version: Option<Version>,
    /// The version that `cargo oplock plan` announced for the next release.
    pub next: Option<Version>,
    /// Whether the places of operands are promised: `lock! { operands = "positional"; }`.
    pub positional: bool,
    /// Every sealed release.
    pub releases: Map<Version, Release>,
    /// The operators by name, and the attributes common to all of them by the name `*` ([`Lock::operators`] leaves those out).
    pub ops: Map<String, OpEntry>,
    /// What was changed on purpose, for good.
    pub ledger: Map<RowKey, Row>,
    /// The data versions of each kind of data; a kind that is not there is at version 1.
    pub saved: Map<SavedKind, Saved>,
    /// The upgrade functions: of which operator, and for the break of which data version.
    pub upgrades: Map<(String, u32), Stamp>,
    /// Those of them that a release carries and the source no longer has, until a release seals that.
    pub gone_upgrades: Set<(String, u32)>,
    /// Of each package from which operators moved here: its releases, and what its lock said of those operators.
    pub moved: Map<String, Lock>,
}

/// The data versions that the lock remembers of one kind of data.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// What is declared.
    pub versions: DataVersions,
    /// Since when each version of the history is. Version 1 of a plain `lock!()` has no line and is not here.
    pub since: Map<u32, Stamp>,
    /// Since when each bad consumer is named.
    pub bad_since: Map<u32, Stamp>,
    /// What the last release had as `min_producer`, where that is less.
    pub min_producer: Bound,
    /// What the last release had as `min_consumer`, where that is less.
    pub min_consumer: Bound,
    /// Where the lock speaks of the kind; 0 when it does not come from a file.
    pub line: Line,
}

/// How far a number that only rises has risen since the last release.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// What the last release had, where that is less.
    pub was: Option<u32>,
    /// Where the lock speaks of it; 0 where it does not.
    pub line: Line,
}

/// Where something stands in the file is not part of what it says.
impl PartialEq for Saved {
    fn eq(&self, other: &Self) -> bool {
        let bounds = |saved: &Saved| (saved.min_producer.was, saved.min_consumer.was);
        (&self.versions, &self.since, &self.bad_since, bounds(self))
            == (&other.versions, &other.since, &other.bad_since, bounds(other))
    }
}

/// A sealed release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The day on which it was sealed, `YYYY-MM-DD`.
    pub date: String,
    /// The data version of each kind of data that it writes; a kind that is not there is at version 1.
    pub versions: Map<SavedKind, u32>,
    /// What tells it from another release of the same version that was made elsewhere: `Lock::digest` of the lock as it
    /// was sealed. `None` where an older version of oplock or a hand wrote the lock.
    pub digest: Option<String>,
    /// The release behind which it stands in the line, where it does not stand by its day: it is another line's, and was taken
    /// over after that one.
    pub behind: Option<Version>,
}

impl Release {
    /// A release of that day at data version 1 of every kind, without a digest.
    pub fn new(date: impl Into<String>) -> Self {
        Release { date: date.into(), versions: Map::new(), digest: None, behind: None }
    }

    /// Whether both are one release, wherever it stands in a line.
    #[cfg(feature = "tools")]
    pub(crate) fn is(&self, other: &Release) -> bool {
        (&self.date, &self.versions, &self.digest) == (&other.date, &other.versions, &other.digest)
    }

    /// The data version of what it writes.
    pub fn version_of(&self, kind: SavedKind) -> u32 {
        self.versions.get(&kind).copied().unwrap_or(1)
    }
}

/// `sealed on 2026-10-12 as 0123456789abcdef, graph = 2`
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sealed on {}", self.date)?;
        self.digest.iter().try_for_each(|digest| write!(f, " as {digest}"))?;
        f.write_str(&saved::write_release_versions(self))?;
        self.behind.iter().try_for_each(|release| write!(f, ", behind {release}"))
    }
}

/// An operator that the lock remembers.
#[derive(Clone, Debug)]
pub struct OpEntry {
    /// Its signature, items sorted by name.
    pub def: OpDef,
    /// Since when the operator is promised; its condition and its other own marks go with it.
    pub stamp: Stamp,
    /// Since when each of its items is.
    pub items: Map<(Kind, String), Stamp>,
}

/// Two entries are equal when they say the same, wherever they stand.
impl PartialEq for OpEntry {
    fn eq(&self, other: &Self) -> bool {
        self.def == other.def && self.stamp == other.stamp && self.items == other.items
    }
}

/// Since when something is promised, and where the lock says so.
#[derive(Clone, Debug, Default)]
pub struct Stamp {
    /// `None` for what carries no promise: Extra items, experimental operators and names with a leading `_`.
    pub since: Option<Since>,
    /// The line in the lock; 0 when it does not come from a file.
    pub line: Line,
}

/// Where something stands in the file is not part of what it says.
impl PartialEq for Stamp {
    fn eq(&self, other: &Self) -> bool {
        self.since == other.since
    }
}

impl Eq for Stamp {}

/// The first release that carries a promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// No release has carried it yet.
    Unreleased,
    /// That release was the first.
    Release(Version),
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Since::Unreleased => f.write_str("unreleased"),
            Since::Release(version) => write!(f, "since {version}"),
        }
    }
}

/// Which change a ledger row records: of which operator, in which release, of which item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    /// The operator's saved name.
    pub op: String,
    /// The release that made the change; `None` while it is not sealed.
    pub release: Option<Version>,
    /// The item; `None` for the operator itself.
    pub item: Option<(Kind, String)>,
}

/// A change of something that a release had promised: what it was, and what it is.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the rule by which the change was judged.
    pub rule: String,
    /// What the last release had.
    pub from: Side,
    /// What took its place.
    pub to: Side,
    /// The major version for which a break was accepted; `None` for a change that is no break.
    pub accepted_for: Option<Version>,
    /// Who allowed a break that no major version makes, and why.
    pub approved: Option<Approved>,
    /// The data version of graphs that the break takes; `None` for a change that is no break.
    pub version: Option<u32>,
    /// The line in the lock; 0 when it does not come from a file.
    pub line: Line,
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        (&self.rule, &self.from, &self.to, &self.accepted_for, &self.approved, self.version)
            == (&other.rule, &other.from, &other.to, &other.accepted_for, &other.approved, other.version)
    }
}

/// Who allowed a break, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// One side of a ledger row.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// There was, or is, nothing of that name.
    Absent,
    /// The operator itself.
    Op(OpMarks, Option<Since>),
    /// An input or output.
    Arg(ArgDef, Option<Since>),
    /// An attribute.
    Attr(AttrDef, Option<Since>),
}

impl Side {
    /// Since when it was promised.
    pub fn since(&self) -> Option<&Since> {
        match self {
            Side::Absent => None,
            Side::Op(_, since) | Side::Arg(_, since) | Side::Attr(_, since) => since.as_ref(),
        }
    }

    /// Whether anything is promised of it, but for what its name says.
    pub fn is_guarded(&self) -> bool {
        match self {
            Side::Absent => false,
            Side::Op(marks, _) => !marks.experimental,
            Side::Arg(arg, _) => arg.part != Part::Extra,
            Side::Attr(attr, _) => attr.part != Part::Extra,
        }
    }

    /// The same side without the release since when it was promised.
    #[must_use]
    pub fn without_since(self) -> Side {
        match self {
            Side::Absent => Side::Absent,
            Side::Op(marks, _) => Side::Op(marks, None),
            Side::Arg(def, _) => Side::Arg(def, None),
            Side::Attr(def, _) => Side::Attr(def, None),
        }
    }
}

impl Side {
    /// The same side without what only the whole operator explains of types and numbers.
    #[must_use]
    pub(crate) fn without_types(mut self) -> Side {
        match &mut self {
            Side::Arg(arg, _) => (arg.ty, arg.count) = (None, None),
            Side::Op(marks, _) => marks.types = List::default(),
            Side::Attr(..) | Side::Absent => {}
        }
        self
    }
}

impl Lock {
    /// A lock without operators.
    pub fn new(package: impl Into<String>) -> Self {
        Lock {
            package: package.into(),
            formerly: Set::new(),
            version: None,
            next: None,
            positional: false,
            releases: Map::new(),
            ops: Map::new(),
            ledger: Map::new(),
            saved: Map::new(),
            upgrades: Map::new(),
            gone_upgrades: Set::new(),
            moved: Map::new(),
        }
    }

    /// Whether the package has this name or had it before.
    pub fn is_of(&self, package: &str) -> bool {
        self.package == package || self.formerly.contains(package)
    }

    /// Gives the package another name. Data that a release saved under the old one stays its own.
    pub fn rename(&mut self, package: &str) {
        let old = std::mem::replace(&mut self.package, package.to_owned());
        if !self.releases.is_empty() {
            self.formerly.insert(old);
        }
        self.formerly.remove(package);
    }

    /// What is declared of one kind of data.
    pub fn data_versions(&self, kind: SavedKind) -> DataVersions {
        self.saved.get(&kind).map(|saved| saved.versions.clone()).unwrap_or_default()
    }

    /// The sealed releases in the order in which they were sealed, those of one day by version, and those of another line
    /// behind what was there when they were taken over: pre-releases, which promise nothing, are not of it.
    pub fn release_line(&self) -> Vec<(&Version, &Release)> {
        let full = self.releases.iter().filter(|(version, _)| version.pre.is_empty());
        let (late, mut line): (Vec<_>, Vec<_>) = full.partition(|(_, release)| release.behind.is_some());
        sort_by_name(&mut line, |(_, release)| &release.date); // it has them by version already
        for (version, release) in late.into_iter().rev() {
            let before = line.iter().position(|(known, _)| Some(*known) == release.behind.as_ref());
            line.insert(before.map_or(line.len(), |before| before + 1), (version, release));
        }
        line
    }

    /// Puts releases of another line, which `own` does not have, behind all that it has: who wrote or reads with that line alone knows
    /// its releases in this order.
    #[cfg(feature = "tools")]
    pub(crate) fn stand_behind(&mut self, own: &Lock, other: &Lock) {
        let by_day =
            own.releases.iter().filter(|(version, release)| version.pre.is_empty() && release.behind.is_none());
        let by_day: Vec<_> = by_day.map(|(version, release)| (&release.date, version)).collect();
        let Some((_, last)) = by_day.iter().max() else { return };
        for (version, release) in self.releases.iter_mut().filter(|(version, _)| !own.releases.contains_key(*version)) {
            let stands_before = |(date, known): &(&String, &Version)| {
                !other.releases.contains_key(*known) && (*date, *known) > (&release.date, version)
            };
            if version.pre.is_empty() && by_day.iter().any(stands_before) {
                release.behind = Some((*last).clone());
            }
        }
        // What stood behind one of these stands behind what they stand behind.
        let moved = self.releases.iter().filter(|(_, release)| release.behind.is_some());
        let moved: Vec<Version> = moved.map(|(version, _)| version.clone()).collect();
        let stands_behind_one = |release: &&mut Release| release.behind.as_ref().is_some_and(|of| moved.contains(of));
        for release in self.releases.values_mut().filter(stands_behind_one) {
            release.behind = Some((*last).clone());
        }
    }

    /// The greatest sealed version that is no pre-release: those leave all that they carry unreleased, so nothing
    /// is judged against them.
    pub fn last_release(&self) -> Option<&Version> {
        self.releases.keys().rfind(|version| version.pre.is_empty())
    }

    /// The rows of changes that no release has sealed yet.
    pub fn pending(&self) -> impl Iterator<Item = (&RowKey, &Row)> {
        self.ledger.iter().filter(|(key, _)| key.release.is_none())
    }

    /// All rows of one operator: those that no release has sealed, then by release.
    pub fn rows_of(&self, op: &str) -> impl Iterator<Item = (&RowKey, &Row)> {
        let first = RowKey { op: op.to_owned(), release: None, item: None };
        self.ledger.starting_at(&first).take_while(move |(key, _)| key.op == op)
    }

    /// The unsealed rows of one operator.
    pub fn pending_of(&self, op: &str) -> impl Iterator<Item = (&RowKey, &Row)> {
        let first = RowKey { op: op.to_owned(), release: None, item: None };
        self.ledger.starting_at(&first).take_while(move |(key, _)| key.op == op && key.release.is_none())
    }
}

impl OpEntry {
    /// The entry of a signature in which all that is promised is promised since `since`.
    pub fn new(def: OpDef, since: &Since) -> Self {
        let def = def.sorted();
        let guarded = def.is_guarded();
        let stamp = |promised: bool| Stamp { since: (guarded && promised).then(|| since.clone()), line: 0 };
        let of = |kind, name: &str, part| ((kind, name.to_owned()), stamp(is_guarded_item(name, part)));
        let inputs = def.inputs.iter().map(|arg| of(Kind::Input, &arg.name, arg.part));
        let outputs = def.outputs.iter().map(|arg| of(Kind::Output, &arg.name, arg.part));
        let attrs = def.attrs.iter().map(|attr| of(Kind::Attr, &attr.name, attr.part));
        let items = inputs.chain(outputs).chain(attrs).collect();
        OpEntry { stamp: stamp(true), items, def }
    }

    /// The stamp of an item.
    pub fn item(&self, kind: Kind, name: &str) -> Option<&Stamp> {
        self.items.get(&(kind, name.to_owned()))
    }

    /// Since when an item is promised.
    pub fn item_since(&self, kind: Kind, name: &str) -> Option<&Since> {
        self.item(kind, name).and_then(|stamp| stamp.since.as_ref())
    }

    /// What the entry says of an item, or of the operator itself, as a side of a ledger row.
    pub fn side(&self, item: Option<&(Kind, String)>) -> Side {
        let Some((kind, name)) = item else {
            return Side::Op(OpMarks::of(&self.def), self.stamp.since.clone());
        };
        let since = self.item_since(*kind, name).cloned();
        let arg = self.def.arg(*kind, name).cloned().map(|def| Side::Arg(def, since.clone()));
        let attr = || self.def.attr(name).cloned().map(|def| Side::Attr(def, since));
        match kind {
            Kind::Input | Kind::Output => arg,
            Kind::Attr => attr(),
        }
        .unwrap_or(Side::Absent)
    }

    /// The side that an unsealed row of the ledger must have as its `to`: what the entry promises instead of what
    /// the last release did. An operator outside the guarantee promises none of its items.
    pub fn row_side(&self, item: Option<&(Kind, String)>) -> Side {
        if item.is_some() && !self.def.is_guarded() { Side::Absent } else { self.side(item).without_since() }
    }

    /// Puts one side of a ledger row in the place of what the entry says.
    pub fn set_side(&mut self, item: Option<&(Kind, String)>, side: &Side) {
        let Some(key @ (kind, name)) = item else {
            if let Side::Op(marks, since) = side {
                marks.put(&mut self.def);
                self.stamp.since.clone_from(since);
                if marks.experimental {
                    self.items.values_mut().for_each(|stamp| stamp.since = None);
                }
            }
            return;
        };
        let args = match kind {
            Kind::Input => Some(&mut self.def.inputs),
            Kind::Output => Some(&mut self.def.outputs),
            Kind::Attr => None,
        };
        match args {
            Some(args) => args.to_mut().retain(|a| a.name != *name),
            None => self.def.attrs.to_mut().retain(|a| a.name != *name),
        }
        let line = self.items.remove(key).map_or(0, |stamp| stamp.line);
        let since = match side {
            Side::Arg(def, since) => {
                let args = if *kind == Kind::Input { &mut self.def.inputs } else { &mut self.def.outputs };
                args.to_mut().push(def.clone());
                since
            }
            Side::Attr(def, since) => {
                self.def.attrs.to_mut().push(def.clone());
                since
            }
            Side::Absent | Side::Op(..) => return,
        };
        // Of an operator outside the guarantee nothing is promised.
        let since = since.clone().filter(|_| self.def.is_guarded());
        self.items.insert(key.clone(), Stamp { since, line });
        self.def = std::mem::replace(&mut self.def, OpDef::new("")).sorted();
    }

    /// The condition of the operator.
    pub fn condition(&self) -> Option<Condition> {
        self.def.cfg.as_ref().and_then(|text| Condition::parse(text).ok())
    }
}

/// Whether an item of a promised operator is promised too: not Extra, and not named with a leading `_`.
pub fn is_promised(def: &OpDef, kind: Kind, name: &str) -> bool {
    let part = match kind {
        Kind::Input | Kind::Output => def.arg(kind, name).map(|a| a.part),
        Kind::Attr => def.attr(name).map(|a| a.part),
    };
    part.is_some_and(|part| is_guarded_item(name, part))
}

/// Whether the guarantee covers an item of that name and part.
fn is_guarded_item(name: &str, part: Part) -> bool {
    !is_unguarded_name(name) && part != Part::Extra
}
