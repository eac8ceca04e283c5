//! What reads this? For a graph: which releases can read it, and what decides that. For a lock: which releases can read what is
//! written by default.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use oplock_core::{COMMON, Kind, Lock, Part, SavedKind, Value};
use oplock_registry::Node;
use semver::Version;

use crate::check::{LoadOptions, VersionProblem, malformed, names_after};
use crate::faults::Faults;
use crate::history::Line;
use crate::load::distinct_ops;
use crate::load::plan::is_required;
use crate::model::{Block, Graph, Stamp};
use crate::needs::{Cause, OpNeeds, PackageNeeds, breaks};
use crate::program::{Package, Program};
use crate::report::{Place, Problem, Refused};

/// Who reads the nodes that a package writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageReach {
    /// The package.
    pub package: String,
    /// The release that a reader must have, and what needs it; `None` when none has all that is used.
    pub release: Option<(Version, Cause)>,
    /// The data version that a reader must have, and the break that needs it; without one it is what the package declares.
    pub version: (u32, Option<Cause>),
    /// Why nothing is promised, where that is so.
    pub unpromised: Option<String>,
    /// The releases of the package that can read it, oldest first; of what is unpromised none is known to.
    pub readers: Vec<Version>,
    /// The data version of the writer: a later release reads it while its `min_producer` is not above that.
    pub producer: i64,
    /// What the lock that was named says of its own last release.
    pub last: Option<LastRelease>,
}

/// The last release of a lock before a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRelease {
    /// The release.
    pub version: Version,
    /// Why it may not read the graph, where that is so.
    pub refused: Option<String>,
    /// The upgrade functions that it asks, each of which may still refuse: of which operator, and before which data version.
    pub functions: Vec<(String, u32)>,
}

impl PackageReach {
    /// The oldest release that can read it.
    pub fn oldest(&self) -> Option<&Version> {
        self.readers.first()
    }
}

impl fmt::Display for PackageReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.package)?;
        if let Some(reason) = &self.unpromised {
            return write!(f, "nothing is promised, since {reason}");
        }
        match self.oldest() {
            Some(oldest) => {
                write!(f, "{oldest} and later can read it while `min_producer` is at most {}", self.producer)?;
            }
            None => f.write_str("no release can read it")?,
        }
        if let Some((release, cause)) = &self.release {
            write!(f, "\n  `{}` ({}) needs {release}", cause.because, cause.at)?;
        }
        match &self.version {
            (version, Some(cause)) => {
                write!(f, "\n  `{}` ({}) means something else below data version {version}", cause.because, cause.at)?;
            }
            (1, None) => {}
            (version, None) => write!(f, "\n  its readers need data version {version}")?,
        }
        match &self.last {
            Some(LastRelease { version, refused: Some(why), .. }) => {
                write!(f, "\n  {version}, the last release of its lock, cannot: {why}")
            }
            Some(LastRelease { version, refused: None, functions }) => {
                write!(f, "\n  {version}, the last release of its lock, can")?;
                for (i, (op, before)) in functions.iter().enumerate() {
                    let and = if i == 0 { ", unless an upgrade function refuses a node:" } else { "," };
                    write!(f, "{and} of `{op}` before {before}")?;
                }
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Program {
    /// Which releases can read a graph that this program writes, by package.
    ///
    /// # Errors
    ///
    /// As [`Program::save`].
    pub fn reach(&self, graph: &Graph) -> Result<Vec<PackageReach>, Refused> {
        let (_, needs) = self.written(graph.clone(), |_, _, _| {})?;
        Ok(needs.into_values().map(|(package, needs)| reach(package, needs)).collect())
    }
}

fn reach(package: &Package, needs: PackageNeeds) -> PackageReach {
    let versions = package.lock.data_versions(SavedKind::Graph);
    let version = match needs.version {
        Some((version, because)) if version >= versions.min_consumer => (version, Some(because)),
        _ => (versions.min_consumer, None),
    };
    let line = package.lock.release_line();
    let from = needs.release.as_ref().map_or(0, |(place, _)| *place);
    let release = needs.release.and_then(|(place, because)| Some(((*line.get(place)?.0).clone(), because)));
    let releases: Vec<_> =
        line.iter().map(|(of, release)| (*of, i64::from(release.version_of(SavedKind::Graph)))).collect();
    let is_bad = |version: i64| versions.bad_consumers.iter().any(|bad| i64::from(*bad) == version);
    let readers = match needs.unpromised {
        Some(_) => Vec::new(),
        None => readers(&releases, from, version.0.into(), is_bad),
    };
    PackageReach {
        package: package.name.clone(),
        release,
        version,
        unpromised: needs.unpromised,
        readers,
        producer: versions.producer().into(),
        last: None,
    }
}

/// The releases of a line that can read what needs the one at a place in it, and that data version.
fn readers(line: &[(&Version, i64)], from: usize, needs: i64, is_bad: impl Fn(i64) -> bool) -> Vec<Version> {
    let can_read = |place: usize| {
        let own = line[place].1;
        let (shares, known) = match parts_at(line, place) {
            Some(shared) => (from < shared, shared.checked_sub(1).map_or(0, |last| line[last].1.min(own))),
            None => (from <= place, own),
        };
        shares && known >= needs && !is_bad(own)
    };
    (0..line.len()).filter(|place| can_read(*place)).map(|place| line[place].0.clone()).collect()
}

/// How many releases of a line one of another line has, which was taken over: it stands behind greater ones, and knows none from the first
/// of these on.
fn parts_at<T>(line: &[(&Version, T)], place: usize) -> Option<usize> {
    line[..place].iter().position(|(before, _)| *before > line[place].0)
}

/// Which releases can read a graph that was saved, by what it says of its writers itself; of its writers' releases, and those that follow
/// them. The lock of a writer tells which break needs a data version, and which node has it.
///
/// # Errors
///
/// When it does not say of each operator who wrote it, or what it says contradicts itself.
pub fn reach_of_graph(graph: &Graph, locks: &[Lock]) -> Result<Vec<PackageReach>, Refused> {
    let mut refused = Refused::default();
    let mut push = |problem| refused.push(Problem::Version(Box::new(problem)));
    for op in distinct_ops(&graph.blocks).into_iter().map(str::to_owned) {
        match graph.owners.get(&op) {
            None => push(VersionProblem::NoOwner { op }),
            Some(package) if !graph.stamps.contains_key(package) => {
                push(VersionProblem::NoStamp { op, package: package.clone() });
            }
            Some(_) => {}
        }
    }
    for (package, stamp) in &graph.stamps {
        for what in malformed(stamp) {
            push(VersionProblem::Malformed { package: package.clone(), what });
        }
    }
    refused.or(())?;
    let of = |(name, stamp): (&String, &Stamp)| {
        let release = stamp.oldest_reader.as_ref().map(|oldest| {
            let at = first_use(graph, &oldest.because);
            (oldest.version.clone(), Cause { because: oldest.because.clone(), at })
        });
        let needs = u32::try_from(stamp.min_consumer).unwrap_or(u32::MAX);
        let lock = locks.iter().find(|lock| lock.is_of(name)).map(|lock| lock.clone().expanded());
        let version = (needs, lock.as_ref().and_then(|lock| cause_of(graph, lock, needs)));
        let unpromised = stamp.unpromised.as_ref().map(|unpromised| unpromised.reason.clone());
        let releases: Vec<_> = stamp.releases.iter().map(|of| (&of.version, of.data_version)).collect();
        let oldest = release.as_ref().map(|(version, _)| version);
        let from = stamp.releases.iter().position(|release| Some(&release.version) == oldest);
        let is_bad = |version| stamp.bad_consumers.contains(&version);
        let readers = match (&unpromised, from) {
            (None, Some(from)) => readers(&releases, from, stamp.min_consumer, is_bad),
            _ => Vec::new(),
        };
        let last = lock.filter(|_| unpromised.is_none()).and_then(|lock| last_release(graph, lock, name, stamp));
        let (package, producer) = (name.clone(), stamp.producer);
        PackageReach { package, release, version, unpromised, readers, producer, last }
    };
    Ok(graph.stamps.iter().map(of).collect())
}

/// What the version check of a lock's last release says of what its package wrote, under this name.
fn last_release(graph: &Graph, lock: Lock, name: &str, stamp: &Stamp) -> Option<LastRelease> {
    let version = lock.last_release()?.clone();
    let names: BTreeSet<_> = distinct_ops(&graph.blocks).into_iter().flat_map(|op| names_after(&lock, op)).collect();
    let is_asked =
        |(op, before): &(String, u32)| i64::from(*before) > stamp.producer && (op == COMMON || names.contains(op));
    let asked: Vec<_> = lock.upgrades.keys().filter(|function| is_asked(function)).cloned().collect();
    let package = Package::of_lock(lock, version.clone());
    let is_own = |op: &str| graph.owners.get(op).is_some_and(|owner| owner == name);
    // What other packages wrote is judged by theirs.
    let nodes = graph.nodes().map(|(_, node)| node).filter(|node| is_own(&node.op)).cloned().collect();
    let own = Graph {
        blocks: vec![Block { nodes, ..Block::default() }],
        owners: graph.owners.clone(),
        stamps: BTreeMap::from([(name.to_owned(), stamp.clone())]),
        ..Graph::default()
    };
    let mut program = Program::default();
    program.packages_mut().insert(package.name.clone(), package);
    let checked = program.check(&own, LoadOptions::default());
    let first = |refused: Refused| refused.problems.first().map(ToString::to_string);
    let refused = checked.err().and_then(first).and_then(|text| text.lines().next().map(str::to_owned));
    let functions = if refused.is_none() { asked } else { Vec::new() };
    Some(LastRelease { version, refused, functions })
}

/// The break that took a data version, and the first node that it is of.
fn cause_of(graph: &Graph, lock: &Lock, version: u32) -> Option<Cause> {
    let line = Line::of(lock);
    graph.nodes().find_map(|(at, node)| {
        let rows = line.rows(lock, &node.op);
        let mut breaks = breaks(&rows, Faults::default());
        let is_owner = graph.owners.get(&node.op).is_some_and(|owner| lock.is_of(owner));
        let (_, because) = breaks.find(|(of, _)| is_owner && *of == version)?;
        Some(Cause { because, at })
    })
}

/// The first node that has an operator, or an item as `op.item`.
fn first_use(graph: &Graph, path: &str) -> Place {
    let item_of = |node: &Node| path.strip_prefix(node.op.as_str()).and_then(|rest| rest.strip_prefix('.'));
    let has = |node: &Node, item: &str| {
        let is_connected = |kind| node.args(kind).get(item).is_some_and(|variables| !variables.is_empty());
        is_connected(Kind::Input) || is_connected(Kind::Output) || node.attrs.contains_key(item)
    };
    let states = graph.nodes().find(|(_, node)| node.op == path || item_of(node).is_some_and(|item| has(node, item)));
    // What was required and is absent is stated by no node.
    let found = states.or_else(|| graph.nodes().find(|(_, node)| item_of(node).is_some()));
    found.map_or(Place { block: 0, node: 0 }, |(at, _)| at)
}

/// What a release reads of what a lock's package writes by default: each operator alone, with its required operands connected and all
/// else at its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseReach {
    /// The release.
    pub version: Version,
    /// Its data version.
    pub data_version: u32,
    /// The operators that it cannot read, and why: what it does not have, or would misread.
    pub unreadable: BTreeMap<String, String>,
}

/// Which releases can read what a lock's package writes by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockReach {
    /// The releases, oldest first.
    pub releases: Vec<ReleaseReach>,
    /// Operators of which nothing is promised yet, and why.
    pub unpromised: BTreeMap<String, String>,
}

impl fmt::Display for LockReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, release) in self.releases.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "\n" })?;
            write!(f, "{} (data version {}) ", release.version, release.data_version)?;
            if release.unreadable.is_empty() {
                f.write_str("reads every operator")?;
                continue;
            }
            f.write_str("cannot read")?;
            for (i, (op, why)) in release.unreadable.iter().enumerate() {
                write!(f, "{} `{op}` ({why})", if i == 0 { "" } else { "," })?;
            }
        }
        for (op, why) in &self.unpromised {
            write!(f, "\nnothing is promised of `{op}`: {why}")?;
        }
        Ok(())
    }
}

/// Which releases can read what the package of a lock writes by default.
pub fn reach_of_lock(lock: &Lock) -> LockReach {
    let package = Package::of_lock(lock.clone(), Version::new(0, 0, 0));
    let line = Line::of(&package.lock);
    let all: Vec<_> = package.lock.release_line();
    let mut releases: Vec<_> = all
        .iter()
        .map(|(version, release)| ReleaseReach {
            version: (*version).clone(),
            data_version: release.version_of(SavedKind::Graph),
            unreadable: BTreeMap::new(),
        })
        .collect();
    let mut unpromised = BTreeMap::new();
    for (name, def) in &package.ops {
        let needs = OpNeeds::new(&package, def, &line, Faults::default());
        let mut of = PackageNeeds::default();
        needs.add(&default_node(def), Place { block: 0, node: 0 }, Faults::default(), &mut of);
        if let Some(reason) = of.unpromised {
            unpromised.insert(name.clone(), reason);
            continue;
        }
        let because = of.release.as_ref().map(|(place, cause)| (all[*place].0.clone(), cause.because.clone()));
        let broken = of.version.as_ref().map(|(version, cause)| (*version, cause.because.clone()));
        let reach = reach(&package, of);
        for release in releases.iter_mut().filter(|release| !reach.readers.contains(&release.version)) {
            let place = all.iter().position(|(of, _)| **of == release.version);
            let shared = place.and_then(|place| parts_at(&all, place)).unwrap_or(all.len());
            let knows = |since: &Version| all[..shared].iter().any(|(of, _)| *of == since);
            let why = match (&because, &broken) {
                (Some((since, path)), _) if !knows(since) => {
                    format!("it is of another line, which parted before `{path}` came with {since}")
                }
                (Some((since, path)), _) if comes_after(&all, since, &release.version) => {
                    format!("`{path}` is new in {since}")
                }
                (_, Some((version, path))) if *version > release.data_version => {
                    format!("`{path}` changed at data version {version}")
                }
                _ if reach.version.0 > release.data_version => {
                    format!("its readers need data version {}", reach.version.0)
                }
                _ => format!("data version {} misreads it", release.data_version),
            };
            release.unreadable.insert(name.clone(), why);
        }
    }
    LockReach { releases, unpromised }
}

fn comes_after(line: &[(&Version, &oplock_core::lock::Release)], one: &Version, other: &Version) -> bool {
    let place = |version: &Version| line.iter().position(|(of, _)| *of == version);
    place(one) > place(other)
}

/// A node of an operator with nothing that may be absent, and all defaults filled in.
fn default_node(def: &oplock_core::OpDef) -> Node {
    let mut node = Node::new(def.name.as_ref());
    for kind in [Kind::Input, Kind::Output] {
        for arg in def.args(kind).iter().filter(|arg| is_required(arg, None)) {
            let args = if kind == Kind::Input { &mut node.inputs } else { &mut node.outputs };
            args.insert(arg.name.to_string(), vec![arg.name.to_string()]);
        }
    }
    for attr in def.attrs.iter().filter(|attr| attr.part != Part::Extra) {
        // What has no default has some value, which is none of what older releases take an absent one for.
        let value = attr.default.clone().unwrap_or(Value::Absent);
        node.attrs.insert(attr.name.to_string(), value);
    }
    node
}
