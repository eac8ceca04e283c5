//! The version check: may this program read what those packages wrote, and as whose data?
//!
//! A reader and a writer share the releases with which both of their lists begin. C, the last of them, is what both know:
//! data is judged, and upgraded, as if C had written it. So nothing that a parted release line added under a known
//! number is mistaken for something else.

mod judge;
mod problem;
mod record;
mod route;

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::SavedKind;
use semver::Version;

use judge::Judge;
pub(crate) use judge::names_after;
pub use problem::{Sides, VersionProblem};
pub(crate) use record::{digest, is_same, malformed, releases};
use route::route;

use crate::model::Graph;
#[cfg(feature = "checkpoint")]
use crate::model::Stamp;
use crate::program::{Package, Program};
use crate::report::{Problem, Refused, Report};

/// How data is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Whether data of which nothing is promised is taken also where the definitions are others: it may fail to load, or mean
    /// something else.
    pub allow_unpromised: bool,
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
    /// Whether its writer promised anything of it.
    pub(crate) is_promised: bool,
}

/// Which package reads an operator of a graph, and from which data version on it upgrades it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route<'p> {
    /// The package that has it, or had it, in this program.
    pub(crate) package: &'p Package,
    /// The package that has it today, where it moved there: the other is then what that one holds of the earlier owner.
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
    /// A package of whose data some is of an older data version than what this program writes, that version, and today's.
    pub(crate) fn older(&self) -> Option<(&str, u32, u32)> {
        let today = |package: &Package| package.lock.data_versions(SavedKind::Graph).producer();
        let sides = self.routes.values().map(|route| {
            let home = route.moved_to.unwrap_or(route.package);
            (route, home, self.origins[route.origin].version, today(home))
        });
        let mut older = sides.filter(|(route, _, version, today)| route.moved_to.is_some() || version < today);
        older.next().map(|(_, home, version, today)| (home.name.as_str(), version, today))
    }

    /// Whether some of the data is of an older data version than what this program writes.
    pub(crate) fn is_older(&self) -> bool {
        self.older().is_some()
    }

    /// As of which data version of graphs each package takes what it reads.
    pub(crate) fn levels(&self) -> BTreeMap<String, u32> {
        let mut levels = BTreeMap::new();
        for route in self.routes.values() {
            let version = self.origins[route.origin].version;
            let level = levels.entry(route.package.name.clone()).or_insert(version);
            *level = version.max(*level);
        }
        levels
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

    /// Who reads what a package wrote: that itself, or where it is not linked what those hold of it to which operators of it moved.
    #[cfg(feature = "checkpoint")]
    pub(crate) fn readers(&self, package: &str) -> Vec<(&Package, Option<&Package>)> {
        if let Some(own) = self.package(package) {
            return vec![(own, None)];
        }
        self.packages.values().filter_map(|heir| Some((heir.held_of(package, None).next()?, Some(heir)))).collect()
    }

    /// The package that has an operator.
    pub(crate) fn owner(&self, op: &str) -> Option<&Package> {
        self.packages.values().find(|package| package.ops.contains_key(op))
    }
}

/// By the package that wrote, and the one to which its operators moved: who reads it, and of which operators.
type Readers<'g, 'p> = BTreeMap<(&'g str, Option<&'p str>), (Route<'p>, BTreeSet<&'g str>)>;

pub(crate) fn check<'p>(
    program: &'p Program,
    graph: &Graph,
    ops: &BTreeSet<&str>,
    options: LoadOptions,
    report: &mut Report,
) -> Result<Checked<'p>, Refused> {
    let mut refused = Refused::default();
    let mut checked = Checked::default();
    let mut readers = Readers::new();
    let mut owners = Vec::new();
    for op in ops {
        match route(program, graph, op) {
            Ok((stamp, route)) => {
                let heir = route.moved_to.map(|heir| heir.name.as_str());
                let reader = readers.entry((stamp, heir)).or_insert((route, BTreeSet::new()));
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
    for ((name, _), (Route { package, moved_to: heir, .. }, ops)) in readers {
        let Some(stamp) = graph.stamps.get(name) else { continue };
        let kind = SavedKind::Graph;
        let judge = Judge { program, kind, options, graph, stamp, package, heir, name };
        let origin = judge.judge(&ops, &mut problems, report, &mut checked);
        judge.needs_functions(&ops, &origin, &mut problems);
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

/// As of which data versions a package takes a checkpoint.
#[cfg(feature = "checkpoint")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// Of graphs: that of the graph beside which it was saved.
    pub(crate) graph: u32,
    /// Of checkpoints.
    pub(crate) checkpoint: u32,
}

/// As of which data versions each package takes a checkpoint.
#[cfg(feature = "checkpoint")]
pub(crate) type CheckpointLevels = BTreeMap<String, Level>;

/// Judges the records of a checkpoint. Of each package, the operators that it names are those of the graph that goes with it.
#[cfg(feature = "checkpoint")]
pub(crate) fn judge_checkpoint(
    program: &Program,
    stamps: &BTreeMap<String, Stamp>,
    options: LoadOptions,
) -> Result<(Report, CheckpointLevels), Refused> {
    let mut levels = CheckpointLevels::new();
    let (mut report, mut checked, mut problems) = (Report::default(), Checked::default(), Vec::new());
    let graph = Graph::default();
    let kind = SavedKind::Checkpoint;
    for (name, stamp) in stamps {
        let ops =
            stamp.unpromised.iter().flat_map(|unpromised| unpromised.digests.keys()).map(String::as_str).collect();
        problems.extend(malformed(stamp).into_iter().map(|what| {
            let package = name.clone();
            VersionProblem::Malformed { package, what }
        }));
        for (package, heir) in program.readers(name) {
            let judge = Judge { program, kind, options, graph: &graph, stamp, package, heir, name };
            let checkpoint = judge.judge(&ops, &mut problems, &mut report, &mut checked).version;
            // Whoever writes as two packages is as old as the older of them: a step too many is an error, one too few is not
            // noticed.
            let graph = judge.graph_level(&ops);
            let least = levels.entry(package.name.clone()).or_insert(Level { graph, checkpoint });
            *least = Level { graph: graph.min(least.graph), checkpoint: checkpoint.min(least.checkpoint) };
        }
    }
    let mut refused = Refused::default();
    let causes = if problems.is_empty() { Vec::new() } else { checked.newer };
    for problem in causes.into_iter().chain(problems) {
        refused.push(Problem::Version(Box::new(problem)));
    }
    refused.or((report, levels))
}
