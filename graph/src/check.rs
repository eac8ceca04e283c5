//! The version check: may this program read what those packages wrote, and as whose data?
//!
//! A reader and a writer share the releases with which both of their lists begin. C, the last of them, is what both know:
//! data is judged, and upgraded, as if C had written it. So nothing that a parted release line added under a known
//! number is mistaken for something else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use oplock_core::{Kind, OpDef, Part, SavedKind, fingerprint};
use semver::Version;

use crate::faults::Fault;
use crate::model::{Graph, Release, Stamp};
use crate::program::{Package, Program};
use crate::report::{Note, Problem, Refused, Report};

/// How data is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Whether data of which nothing is promised is taken also where the definitions are others: it may fail to load, or mean
    /// something else.
    pub allow_unpromised: bool,
}

/// A package on both sides, for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The package.
    pub package: String,
    /// The last release of the writer, if it has one.
    pub writer: Option<Version>,
    /// The reader's version.
    pub reader: Version,
    /// The last release that both lists begin with.
    pub shared: Option<Version>,
    /// Whether the writer has releases that the reader does not have, and the reader such that the writer does not.
    pub is_parted: bool,
}

/// Why a program may not read a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionProblem {
    /// What the graph says of its writer contradicts itself.
    Malformed {
        /// The package.
        package: String,
        /// What is wrong, as a clause.
        what: String,
    },
    /// Written by a newer release: the cause of what else is wrong.
    Newer {
        /// The package.
        sides: Sides,
        /// The writer's data version.
        producer: i64,
        /// The reader's data version.
        consumer: u32,
    },
    /// Written before the oldest data version that the reader reads.
    TooOld {
        /// The package.
        sides: Sides,
        /// The data version as whose data it is taken.
        producer: i64,
        /// The oldest that is read.
        min_producer: u32,
    },
    /// Not readable at the reader's data version.
    TooNew {
        /// The package.
        sides: Sides,
        /// The least data version that a reader must have.
        min_consumer: i64,
        /// The reader's.
        consumer: u32,
        /// The greatest of both, where release lines have parted.
        known: i64,
    },
    /// The reader's data version is known to misread it.
    BadConsumer {
        /// The package.
        sides: Sides,
        /// The data version.
        consumer: u32,
    },
    /// It needs a release that the reader does not have.
    NeedsRelease {
        /// The package.
        sides: Sides,
        /// The release.
        needs: Version,
        /// What needs it.
        because: String,
    },
    /// Writer and reader have no release in common.
    NothingShared {
        /// The package.
        sides: Sides,
    },
    /// Nothing is promised of it, and definitions that it uses are others here.
    Unpromised {
        /// The package.
        sides: Sides,
        /// Why nothing is promised.
        reason: String,
        /// The operators whose definitions are others here.
        differ: Vec<String>,
    },
    /// The graph does not say which package an operator is of.
    NoOwner {
        /// The operator.
        op: String,
    },
    /// The graph says nothing of a package whose operators it uses.
    NoStamp {
        /// The operator.
        op: String,
        /// The package.
        package: String,
    },
    /// The package of an operator is not linked.
    NotLinked {
        /// The operator.
        op: String,
        /// The package.
        package: String,
    },
    /// Here the operator is of another package, which does not say that it took it over.
    OtherOwner {
        /// The operator.
        op: String,
        /// The package that wrote it.
        package: String,
        /// The package that has it here.
        owner: String,
        /// Whether the writer's package is linked.
        is_linked: bool,
    },
    /// The lock has the operator, but this build does not meet its condition.
    NotInThisBuild {
        /// The operator.
        op: String,
        /// The package.
        package: String,
        /// The condition.
        condition: String,
    },
    /// Several packages of the program have the operator.
    TwoOwners {
        /// The operator.
        op: String,
        /// The packages.
        packages: Vec<String>,
    },
}

impl fmt::Display for Sides {
    /// `written by vision-ops 1.6.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.writer {
            Some(writer) => write!(f, "written by {} {writer}", self.package),
            None => write!(f, "written by {}, by a build before its first release", self.package),
        }
    }
}

impl Sides {
    /// `this is 1.4.2`, and where the lines part, if they do.
    fn reader(&self) -> String {
        match (&self.shared, self.is_parted) {
            (Some(shared), true) => {
                format!("this is {}, whose releases part from the writer's after {shared}", self.reader)
            }
            (None, true) => format!("this is {}, which shares no release with the writer", self.reader),
            _ => format!("this is {}", self.reader),
        }
    }
}

impl fmt::Display for VersionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionProblem::Malformed { package, what } => {
                write!(f, "the record of {package} is malformed: {what}\n  help: save it again from its source")
            }
            VersionProblem::Newer { sides, producer, consumer } => write!(
                f,
                "{sides} at data version {producer}; {} at data version {consumer}\n  help: upgrade {}",
                sides.reader(),
                sides.package
            ),
            VersionProblem::TooOld { sides, producer, min_producer } => write!(
                f,
                "{sides}, and taken as of data version {producer}; {}, which reads data from version {min_producer} on\n  \
                 help: save it again with a release of {} of data version {min_producer} or later",
                sides.reader(),
                sides.package
            ),
            VersionProblem::TooNew { sides, min_consumer, consumer, known } if *known < i64::from(*consumer) => write!(
                f,
                "{sides}, needs data version {min_consumer}; {}, and up to there both have data version {known}\n  \
                 help: read it with a release of {} from the writer's own line",
                sides.reader(),
                sides.package
            ),
            VersionProblem::TooNew { sides, min_consumer, consumer, .. } => write!(
                f,
                "{sides}, needs data version {min_consumer}; {}, at data version {consumer}\n  \
                 help: upgrade {} to a release of data version {min_consumer} or later",
                sides.reader(),
                sides.package
            ),
            VersionProblem::BadConsumer { sides, consumer } => write!(
                f,
                "{sides}, which names data version {consumer} as one that misreads its data; {}, at that data version\n  \
                 help: use a release of {} of another data version",
                sides.reader(),
                sides.package
            ),
            VersionProblem::NeedsRelease { sides, needs, because } => {
                write!(f, "{sides}, needs {needs} for `{because}`; {}\n  help: ", sides.reader())?;
                if sides.is_parted {
                    write!(f, "read it with a release of {} whose line has {needs}", sides.package)
                } else {
                    write!(f, "upgrade {} to {needs} or later, or save the graph without `{because}`", sides.package)
                }
            }
            VersionProblem::NothingShared { sides } => write!(
                f,
                "{sides}; {}, and their lists of releases have no common beginning\n  \
                 help: read it with a release of {} from the writer's own line",
                sides.reader(),
                sides.package
            ),
            VersionProblem::Unpromised { sides, reason, differ } => {
                write!(f, "{sides}, but nothing is promised of it, since {reason}; {}", sides.reader())?;
                let ops: Vec<_> = differ.iter().map(|op| format!("`{op}`")).collect();
                match ops.as_slice() {
                    [] => {}
                    [op] => write!(f, ", and the definition of {op} is another")?,
                    _ => write!(f, ", and the definitions of {} are others", ops.join(", "))?,
                }
                f.write_str(
                    "\n  help: save it again with a sealed release, or allow unpromised data if you know what it is",
                )
            }
            VersionProblem::NoOwner { op } => write!(
                f,
                "the graph does not say which package its operator `{op}` is of\n  help: save the graph again from its source"
            ),
            VersionProblem::NoStamp { op, package } => write!(
                f,
                "the graph uses `{op}` of {package} and has no record of that package\n  \
                 help: save the graph again from its source"
            ),
            VersionProblem::NotLinked { op, package } => write!(
                f,
                "operator `{op}` is of package {package}, which is not linked into this program\n  \
                 help: depend on {package}; if another package took `{op}` over, that one says #[op(\"{op}\", moved_from = \"{package}\")]"
            ),
            VersionProblem::OtherOwner { op, package, owner, is_linked } => write!(
                f,
                "operator `{op}` was saved as one of {package}, and here it is of {owner}, which does not say that it took it over{}\n  \
                 help: if it is the same operator, {owner} says #[op(\"{op}\", moved_from = \"{package}\")]",
                if *is_linked { "" } else { " ({package} is not linked)" }
            ),
            VersionProblem::NotInThisBuild { op, package, condition } => write!(
                f,
                "operator `{op}` of {package} exists only where `{condition}` holds, and this build is none\n  \
                 help: build {package} with it"
            ),
            VersionProblem::TwoOwners { op, packages } => {
                write!(
                    f,
                    "operator `{op}` is of several packages: {}\n  help: link only one of them",
                    packages.join(", ")
                )
            }
        }
    }
}

/// As whose data a program takes the data of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The last release that writer and reader share.
    pub(crate) release: Option<Version>,
    /// The data version.
    pub(crate) version: u32,
    /// The data version that deprecations are held against.
    pub(crate) uses: u32,
}

/// Which package reads an operator of a graph, and from which data version on it upgrades it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route<'p> {
    /// The package that has it, or had it, in this program.
    pub(crate) package: &'p Package,
    /// The package that has it today, where it moved there from that one.
    pub(crate) moved_to: Option<&'p Package>,
    /// As whose data it is taken: an index of [`Checked::origins`].
    pub(crate) origin: usize,
}

/// What the version check found out.
#[derive(Debug, Default)]
pub(crate) struct Checked<'p> {
    /// Of each writer and reader.
    pub(crate) origins: Vec<Origin>,
    /// By operator.
    pub(crate) routes: BTreeMap<String, Route<'p>>,
    /// The packages whose writer is newer.
    pub(crate) newer: Vec<VersionProblem>,
}

impl Checked<'_> {
    /// Whether some of the data is of an older data version than what this program writes.
    pub(crate) fn is_older(&self) -> bool {
        let today = |package: &Package| package.lock.data_versions(SavedKind::Graph).producer();
        let mut routes = self.routes.values();
        routes.any(|route| route.moved_to.is_some() || self.origins[route.origin].version < today(route.package))
    }

    /// The data version against which deprecations of an operator are held: for a new name, as others of its package.
    pub(crate) fn level(&self, package: &Package, route: Option<&Route<'_>>) -> u32 {
        match route {
            Some(route) if route.moved_to.is_none() => self.origins[route.origin].uses,
            Some(_) => 0,
            None => {
                let own =
                    self.routes.values().filter(|route| route.moved_to.is_none() && route.package.name == package.name);
                own.map(|route| self.origins[route.origin].uses).min().unwrap_or(0)
            }
        }
    }
}

impl Program {
    /// Whether this program may read a graph: the versions, release lists, owners and marks of its data, without looking into
    /// its nodes further than at which operators they are.
    ///
    /// # Errors
    ///
    /// [`Refused`], with every condition that fails.
    pub fn check(&self, graph: &Graph, options: LoadOptions) -> Result<Report, Refused> {
        let ops = graph.blocks.iter().flat_map(|block| &block.nodes).map(|node| node.op.as_str()).collect();
        let mut report = Report::default();
        check(self, graph, &ops, options, &mut report).map(|_| report)
    }

    /// The package that has an operator.
    pub(crate) fn owner(&self, op: &str) -> Option<&Package> {
        self.packages.values().find(|package| package.ops.contains_key(op))
    }
}

pub(crate) fn check<'p>(
    program: &'p Program,
    graph: &Graph,
    ops: &BTreeSet<&str>,
    options: LoadOptions,
    report: &mut Report,
) -> Result<Checked<'p>, Refused> {
    let mut refused = Refused::default();
    let mut checked = Checked::default();
    // By the package that wrote, and the one that reads it.
    let mut readers: BTreeMap<(&str, &str), (&'p Package, BTreeSet<&str>)> = BTreeMap::new();
    let mut owners = Vec::new();
    for op in ops {
        match route(program, graph, op) {
            Ok((stamp, route)) => {
                let reader = readers.entry((stamp, &route.package.name)).or_insert((route.package, BTreeSet::new()));
                reader.1.insert(op);
                checked.routes.insert((*op).to_owned(), route);
            }
            Err(problem) => owners.push(*problem),
        }
    }
    let mut problems = Vec::new();
    for (name, stamp) in &graph.stamps {
        problems.extend(malformed(stamp).into_iter().map(|what| {
            let package = name.clone();
            VersionProblem::Malformed { package, what }
        }));
    }
    for ((name, _), (package, ops)) in readers {
        let Some(stamp) = graph.stamps.get(name) else { continue };
        let kind = SavedKind::Graph;
        let judge = Judge { program, kind, options, graph, stamp, package, name };
        let origin = judge.judge(&ops, &mut problems, report, &mut checked);
        for op in ops {
            if let Some(route) = checked.routes.get_mut(op) {
                route.origin = checked.origins.len();
            }
        }
        checked.origins.push(origin);
    }
    problems.extend(owners);
    if !problems.is_empty() {
        let newer = std::mem::take(&mut checked.newer);
        newer.into_iter().chain(problems).for_each(|problem| refused.push(Problem::Version(Box::new(problem))));
    }
    refused.or(checked)
}

/// As of which data version of graphs each package takes what lies beside a graph.
#[cfg(feature = "checkpoint")]
pub(crate) type GraphLevels = BTreeMap<String, u32>;

/// Judges the records of a checkpoint. Of each package, the operators that it names are those of the graph that goes with it.
#[cfg(feature = "checkpoint")]
pub(crate) fn judge_checkpoint(
    program: &Program,
    stamps: &BTreeMap<String, Stamp>,
    options: LoadOptions,
) -> Result<(Report, GraphLevels), Refused> {
    let mut levels = GraphLevels::new();
    let (mut report, mut checked, mut problems) = (Report::default(), Checked::default(), Vec::new());
    let graph = Graph::default();
    let kind = SavedKind::Checkpoint;
    for (name, stamp) in stamps {
        let Some(package) = program.packages.get(name) else { continue };
        let ops =
            stamp.unpromised.iter().flat_map(|unpromised| unpromised.digests.keys()).map(String::as_str).collect();
        problems.extend(malformed(stamp).into_iter().map(|what| {
            let package = name.clone();
            VersionProblem::Malformed { package, what }
        }));
        let judge = Judge { program, kind, options, graph: &graph, stamp, package, name };
        judge.judge(&ops, &mut problems, &mut report, &mut checked);
        levels.insert(name.clone(), judge.graph_level(&ops));
    }
    let mut refused = Refused::default();
    let causes = if problems.is_empty() { Vec::new() } else { checked.newer };
    for problem in causes.into_iter().chain(problems) {
        refused.push(Problem::Version(Box::new(problem)));
    }
    refused.or((report, levels))
}

/// Whose record of the graph holds for an operator, and which package of the program reads it.
fn route<'p, 'g>(
    program: &'p Program,
    graph: &'g Graph,
    op: &str,
) -> Result<(&'g str, Route<'p>), Box<VersionProblem>> {
    let op_name = || op.to_owned();
    let Some(owner) = graph.owners.get(op) else { return Err(Box::new(VersionProblem::NoOwner { op: op_name() })) };
    if !graph.stamps.contains_key(owner) {
        return Err(Box::new(VersionProblem::NoStamp { op: op_name(), package: owner.clone() }));
    }
    let linked = program.packages.get(owner);
    if let Some(package) = linked.filter(|package| package.ops.contains_key(op)) {
        return Ok((owner, Route { package, moved_to: None, origin: 0 }));
    }
    let mut elsewhere = program.packages.values().filter(|package| package.ops.contains_key(op));
    let took_over = |package: &&Package| package.ops[op].moved_from.as_deref() == Some(owner);
    let ignored = !program.faults.keeps(Fault::OwnersCount);
    if let Some(new) = elsewhere.clone().find(|package| took_over(package) || ignored) {
        return Ok((
            owner,
            match linked {
                Some(package) => Route { package, moved_to: Some(new), origin: 0 },
                None => Route { package: new, moved_to: None, origin: 0 },
            },
        ));
    }
    if let Some(package) = linked
        && let Some(entry) = package.lock.ops.get(op)
        && let Some(condition) = &entry.def.cfg
    {
        let (package, condition) = (owner.clone(), condition.to_string());
        return Err(Box::new(VersionProblem::NotInThisBuild { op: op_name(), package, condition }));
    }
    match (elsewhere.next(), linked) {
        (Some(other), _) => Err(Box::new(VersionProblem::OtherOwner {
            op: op_name(),
            package: owner.clone(),
            owner: other.name.clone(),
            is_linked: linked.is_some(),
        })),
        (None, Some(package)) => Ok((owner, Route { package, moved_to: None, origin: 0 })),
        (None, None) => Err(Box::new(VersionProblem::NotLinked { op: op_name(), package: owner.clone() })),
    }
}

/// One package's record before the package that reads it.
struct Judge<'a, 'p> {
    program: &'p Program,
    kind: SavedKind,
    options: LoadOptions,
    graph: &'a Graph,
    stamp: &'a Stamp,
    package: &'p Package,
    /// The package that wrote.
    name: &'a str,
}

impl<'p> Judge<'_, 'p> {
    fn judge(
        &self,
        ops: &BTreeSet<&str>,
        problems: &mut Vec<VersionProblem>,
        report: &mut Report,
        checked: &mut Checked<'p>,
    ) -> Origin {
        let Judge { stamp, package, .. } = *self;
        let keeps = |rule| self.program.faults.keeps(rule);
        let versions = package.lock.data_versions(self.kind);
        let consumer = versions.producer();
        let line = releases(package, self.kind);
        let shared = stamp.releases.iter().zip(&line).take_while(|(a, b)| is_same(a, b)).count();
        let known = &stamp.releases[..shared];
        let sides = Sides {
            package: self.name.to_owned(),
            writer: stamp.releases.last().map(|release| release.version.clone()),
            reader: package.version.clone(),
            shared: known.last().map(|release| release.version.clone()),
            is_parted: shared < stamp.releases.len() && shared < line.len(),
        };
        if stamp.producer > i64::from(consumer) {
            checked.newer.push(VersionProblem::Newer { sides: sides.clone(), producer: stamp.producer, consumer });
            let (package, producer) = (self.name.to_owned(), stamp.producer);
            report.note(Note::NewerProducer { package, producer, consumer }, None, 1);
        }
        // What was carried over from another line stands behind newer releases, so it is the greatest that counts.
        let greatest = known.iter().map(|release| release.data_version).max();
        let own = stamp.producer.min(i64::from(consumer));
        let mut version = greatest.map_or(own, |greatest| greatest.min(own));
        let mut is_promised = true;
        let mut uses = None;
        if let Some(unpromised) = &stamp.unpromised {
            is_promised = false;
            let differ = self.differing(ops, &unpromised.digests);
            let is_equal = differ.is_empty();
            if is_equal || self.options.allow_unpromised || !keeps(Fault::Unpromised) {
                // Where all definitions are equal there is nothing to upgrade.
                version = if is_equal { consumer.into() } else { own };
                uses = Some(0);
                let (package, reason) = (self.name.to_owned(), unpromised.reason.clone());
                report.note(Note::Unpromised { package, reason, is_equal }, None, 1);
            } else {
                let (sides, reason) = (sides.clone(), unpromised.reason.clone());
                problems.push(VersionProblem::Unpromised { sides, reason, differ });
            }
        } else if !keeps(Fault::ReleaseLines) {
            version = own;
        }
        let is_judged_by_line = is_promised && keeps(Fault::ReleaseLines);
        let producer = if is_judged_by_line { version.min(stamp.producer) } else { stamp.producer };
        if producer < i64::from(versions.min_producer) && keeps(Fault::MinProducer) {
            let (sides, min_producer) = (sides.clone(), versions.min_producer);
            problems.push(VersionProblem::TooOld { sides, producer, min_producer });
        }
        let most = if is_judged_by_line { version.min(consumer.into()) } else { consumer.into() };
        if stamp.min_consumer > most.min(consumer.into()) && keeps(Fault::MinConsumer) {
            let (sides, min_consumer) = (sides.clone(), stamp.min_consumer);
            let known = if min_consumer > i64::from(consumer) { consumer.into() } else { most };
            problems.push(VersionProblem::TooNew { sides, min_consumer, consumer, known });
        }
        if stamp.bad_consumers.contains(&i64::from(consumer)) && keeps(Fault::BadConsumers) {
            problems.push(VersionProblem::BadConsumer { sides: sides.clone(), consumer });
        }
        if is_promised {
            match &stamp.oldest_reader {
                _ if shared == 0 && keeps(Fault::ReleaseLines) => {
                    problems.push(VersionProblem::NothingShared { sides });
                }
                // That of a checkpoint follows from its least consumer, which was judged above.
                Some(_) if self.kind == SavedKind::Checkpoint => {}
                Some(oldest) if keeps(Fault::OldestReader) && !self.has(known, &line, &oldest.version) => {
                    let (needs, because) = (oldest.version.clone(), oldest.because.clone());
                    problems.push(VersionProblem::NeedsRelease { sides, needs, because });
                }
                _ => {}
            }
        }
        let version = u32::try_from(version).unwrap_or(0);
        // A deprecation is no part of a digest, so what is taken for equal may use what is deprecated.
        let uses = uses.unwrap_or(version);
        Origin { release: known.last().map(|release| release.version.clone()), version, uses }
    }

    /// The data version of graphs that the writer had when it wrote a checkpoint: that of the releases which writer and reader share.
    #[cfg(feature = "checkpoint")]
    fn graph_level(&self, ops: &BTreeSet<&str>) -> u32 {
        let unpromised = self.stamp.unpromised.as_ref();
        if unpromised.is_some_and(|unpromised| self.differing(ops, &unpromised.digests).is_empty()) {
            return u32::MAX; // where all definitions are equal there is nothing to upgrade
        }
        let line = releases(self.package, self.kind);
        let shared = self.stamp.releases.iter().zip(&line).take_while(|(a, b)| is_same(a, b));
        let graphs = shared.filter_map(|(release, _)| self.package.lock.releases.get(&release.version));
        graphs.map(|release| release.version_of(SavedKind::Graph)).max().unwrap_or(0)
    }

    /// Whether the reader has a release that the data needs.
    fn has(&self, known: &[Release], line: &[Release], needs: &Version) -> bool {
        let known = if self.program.faults.keeps(Fault::ReleaseLines) { known } else { line };
        known.iter().any(|release| release.version == *needs)
    }

    /// The operators whose definition is another here than the writer's.
    fn differing(&self, ops: &BTreeSet<&str>, digests: &BTreeMap<String, String>) -> Vec<String> {
        let is_equal = |op: &str| {
            let def = self.program.owner(op).and_then(|package| package.ops.get(op));
            // What is Extra is no part of a digest, and may be what is not promised of the data.
            let extra = self.graph.extra.get(op);
            let has_outputs = |def: &OpDef| {
                let mut outputs = extra.into_iter().flatten().filter(|(kind, _)| *kind == Kind::Output);
                outputs.all(|(kind, name)| def.arg(*kind, name).is_some_and(|arg| arg.part == Part::Extra))
            };
            def.is_some_and(|def| digests.get(op) == Some(&digest(def)) && has_outputs(def))
        };
        ops.iter().filter(|op| !is_equal(op)).map(|op| (*op).to_owned()).collect()
    }
}

/// The digest of a definition, as data of which nothing is promised carries it.
pub(crate) fn digest(def: &OpDef) -> String {
    fingerprint::digest(def).to_string()
}

/// The sealed releases of a package, as its data carries them.
pub(crate) fn releases(package: &Package, kind: SavedKind) -> Vec<Release> {
    let release = |(version, release): (&Version, &oplock_core::lock::Release)| Release {
        version: version.clone(),
        data_version: release.version_of(kind).into(),
        digest: release.digest.clone(),
    };
    package.lock.release_line().into_iter().map(release).collect()
}

/// Whether two lists speak of one release. Where only one of them has a digest, it tells nothing.
fn is_same(a: &Release, b: &Release) -> bool {
    let digests = a.digest.as_ref().zip(b.digest.as_ref());
    a.version == b.version && a.data_version == b.data_version && digests.is_none_or(|(a, b)| a == b)
}

/// What in a record contradicts itself.
pub(crate) fn malformed(stamp: &Stamp) -> Vec<String> {
    let mut faults = Vec::new();
    let numbers = [("producer", stamp.producer), ("min_consumer", stamp.min_consumer)];
    let bad = stamp.bad_consumers.iter().map(|version| ("a bad consumer", *version));
    let released = stamp.releases.iter().map(|release| ("the data version of a release", release.data_version));
    for (name, number) in numbers.into_iter().chain(bad).chain(released).filter(|(_, number)| *number < 0) {
        faults.push(format!("{name} is {number}, and no data version is negative"));
    }
    if stamp.min_consumer > stamp.producer {
        let Stamp { producer, min_consumer, .. } = stamp;
        faults.push(format!(
            "min_consumer is {min_consumer}, above the producer {producer}, so the writer could not read it"
        ));
    }
    let mut seen = BTreeSet::new();
    for version in stamp.bad_consumers.iter().filter(|version| !seen.insert(**version)) {
        faults.push(format!("bad consumer {version} is listed twice"));
    }
    let mut seen = BTreeSet::new();
    for release in stamp.releases.iter().filter(|release| !seen.insert(&release.version)) {
        faults.push(format!("release {} is listed twice", release.version));
    }
    match &stamp.oldest_reader {
        Some(oldest) if stamp.releases.iter().all(|release| release.version != oldest.version) => {
            faults.push(format!("its oldest reader {} is none of the writer's releases", oldest.version));
        }
        None if stamp.unpromised.is_none() => {
            faults.push("it has no oldest reader, and is not marked as unpromised".to_owned());
        }
        _ => {}
    }
    faults
}
