//! Saving: the same checks as loading, and what a reader must know of the writer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use oplock_core::{Kind, Part, SavedKind};
use oplock_registry::Node;

use crate::check::{LoadOptions, VersionProblem, check, digest, releases};
use crate::faults::Fault;
use crate::history::Line;
use crate::load::node::{Pass, Purpose};
use crate::load::plan::{Plan, Plans, unknown_op};
use crate::load::{Loaded, NodeProblem, distinct_ops, finish};
use crate::model::{Graph, OldestReader, Stamp, Unpromised};
use crate::needs::{OpNeeds, PackageNeeds};
use crate::program::{Package, Program};
use crate::report::{Place, Problem, Refused, Report};

/// What readers of the nodes of each package must have.
pub(crate) type AllNeeds<'p> = BTreeMap<&'p str, (&'p Package, PackageNeeds)>;

/// A graph as it is written, and what was noticed.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The graph with the records of its writers.
    pub graph: Graph,
    /// What was noticed and done.
    pub report: Report,
}

impl Program {
    /// A graph as this program writes it: checked by today's definitions, with what a reader must know.
    ///
    /// What is at a default that never changed is left out; records that the graph has are replaced.
    /// Saving what was saved changes nothing. A graph that was exported keeps to its kind. One that is older data by its records is
    /// loaded first: as it is, it would be taken for today's.
    ///
    /// # Errors
    ///
    /// [`Refused`], with all that is wrong.
    pub fn save(&self, graph: &Graph) -> Result<Saved, Refused> {
        if let Some(kind) = graph.export {
            return self.export(graph, kind, crate::ExportOptions::default());
        }
        let (saved, _) = self.written(graph.clone(), |_, _, _| {})?;
        Ok(saved)
    }

    /// Saves a loaded graph again: as it was, with the data version that it had, where nothing in it was changed.
    ///
    /// # Errors
    ///
    /// As [`Program::save`].
    pub fn save_loaded(&self, loaded: &Loaded) -> Result<Saved, Refused> {
        if let Some(origin) = &loaded.origin {
            let options = crate::LoadOptions { allow_unpromised: true };
            if self.load((**origin).clone(), options).is_ok_and(|again| again.graph == loaded.graph) {
                return Ok(Saved { graph: (**origin).clone(), report: Report::default() });
            }
        }
        self.save(&loaded.graph)
    }

    /// Checks, fills in, lets `clip` remove what an export removes, stamps and strips.
    pub(crate) fn written(
        &self,
        mut graph: Graph,
        clip: impl FnOnce(&mut Graph, &Plans<'_>, &mut Pass<'_>),
    ) -> Result<(Saved, AllNeeds<'_>), Refused> {
        // Today's definitions say nothing of what is older.
        self.older(&graph).or(())?;
        let mut refused = Refused::default();
        let mut owners = BTreeMap::new();
        for op in distinct_ops(&graph.blocks) {
            if refused.is_full() {
                break;
            }
            match self.writer(&graph, op) {
                Ok(package) => drop(owners.insert(op.to_owned(), package)),
                Err(problem) => refused.push(problem),
            }
        }
        refused.or(())?;
        let added = BTreeMap::new();
        let mut pass = Pass {
            purpose: Purpose::Save,
            faults: self.faults,
            blocks: graph.blocks.len(),
            added: &added,
            refused: Refused::default(),
            report: Report::default(),
            edges: Vec::new(),
            dropped: Vec::new(),
            types: None,
        };
        let mut plans = Plans::new(self);
        let export = graph.export;
        for (index, block) in graph.blocks.iter_mut().enumerate() {
            for (node, found) in block.nodes.iter_mut().enumerate() {
                let at = Place { block: index, node };
                let plan = plans.get(&found.op, |_, op| {
                    let package = owners[op];
                    let producer = package.lock.data_versions(SavedKind::Graph).producer();
                    let level = self.faults.keeps(Fault::DeprecatedIsRefused).then_some(producer);
                    let Some(def) = package.ops.get(op) else { return Err(unknown_op(package, op, true)) };
                    Ok(Plan::new(package, def, level, export, BTreeSet::new()))
                });
                match plan {
                    Ok(plan) => pass.node(plan, found, at, false),
                    Err(problem) => {
                        let problem = problem.clone();
                        pass.problem(at, &found.op, problem);
                    }
                }
            }
        }
        finish(&mut pass, &graph.blocks);
        if pass.refused.problems.is_empty() {
            clip(&mut graph, &plans, &mut pass);
        }
        pass.refused.or(())?;
        let needs = self.stamp(&mut graph);
        Ok((Saved { graph, report: pass.report }, needs))
    }

    /// Why a graph may not be taken for today's data: what its records say, where it has any. A graph that was loaded has none.
    fn older(&self, graph: &Graph) -> Refused {
        let mut refused = Refused::default();
        if graph.stamps.is_empty() {
            return refused;
        }
        // What was added to a graph that was read has no owner yet.
        let ops = distinct_ops(&graph.blocks).into_iter().filter(|op| graph.owners.contains_key(*op)).collect();
        match check(self, graph, &ops, LoadOptions::default(), &mut Report::default()) {
            Ok(checked) => {
                if let Some((package, version, today)) = checked.older() {
                    refused.push(Problem::NotLoaded { package: package.to_owned(), version, today });
                }
            }
            Err(problems) => refused = problems,
        }
        refused
    }

    /// The package that writes an operator: the only one that has it, or that of which the graph says so.
    fn writer(&self, graph: &Graph, op: &str) -> Result<&Package, Problem> {
        let owners: Vec<_> = self.packages.values().filter(|package| package.ops.contains_key(op)).collect();
        match owners.as_slice() {
            [package] => Ok(package),
            [] => {
                let place = || {
                    let mut blocks = graph.blocks.iter().enumerate();
                    let node = |(block, nodes): (usize, &crate::Block)| {
                        let node = nodes.nodes.iter().position(|node| node.op == op)?;
                        Some(Place { block, node })
                    };
                    blocks.find_map(node)
                };
                let at = place().unwrap_or(Place { block: 0, node: 0 });
                let owner = self.said_owner(&graph.owners, op);
                let problem = match owner.or_else(|| self.only_package()) {
                    Some(package) => unknown_op(package, op, true),
                    None => NodeProblem::UnknownOp {
                        package: "the program".to_owned(),
                        deleted: None,
                        hint: oplock_core::did_you_mean(
                            op,
                            self.packages.values().flat_map(|package| package.ops.keys()).map(String::as_str),
                        ),
                    },
                };
                Err(Problem::Node { at, op: op.to_owned(), problem: Box::new(problem) })
            }
            several => {
                let owner = graph.owners.get(op);
                several.iter().find(|package| owner.is_some_and(|owner| package.lock.is_of(owner))).copied().ok_or_else(
                    || {
                        let packages = several.iter().map(|package| package.name.clone()).collect();
                        Problem::Version(Box::new(VersionProblem::TwoOwners { op: op.to_owned(), packages }))
                    },
                )
            }
        }
    }

    fn only_package(&self) -> Option<&Package> {
        self.packages.values().next().filter(|_| self.packages.len() == 1)
    }

    /// Puts down who wrote the graph and what reads it, and leaves out what is at a default that never changed.
    fn stamp(&self, graph: &mut Graph) -> AllNeeds<'_> {
        let lines: HashMap<&str, Line<'_>> =
            self.packages.values().map(|package| (package.name.as_str(), Line::of(&package.lock))).collect();
        let mut ops: HashMap<String, OpNeeds<'_>> = HashMap::new();
        let mut needs: BTreeMap<&str, (&Package, PackageNeeds, BTreeMap<String, String>)> = BTreeMap::new();
        let owners = std::mem::take(&mut graph.owners);
        graph.stamps.clear();
        graph.added.clear();
        graph.extra.clear();
        let mut reads_extra = ExtraReads::default();
        for (index, block) in graph.blocks.iter_mut().enumerate() {
            for (node, found) in block.nodes.iter_mut().enumerate() {
                let at = Place { block: index, node };
                if !ops.contains_key(&found.op) {
                    let Some(package) = self.owner_in(&owners, &found.op) else { continue };
                    let (def, line) = (&package.ops[&found.op], &lines[package.name.as_str()]);
                    ops.insert(found.op.clone(), OpNeeds::new(package, def, line, self.faults));
                    graph.owners.insert(found.op.clone(), package.name.clone());
                    let of = needs
                        .entry(&package.name)
                        .or_insert_with(|| (package, PackageNeeds::default(), BTreeMap::new()));
                    of.2.insert(found.op.clone(), digest(def));
                }
                let Some(op) = ops.get(&found.op) else { continue };
                let Some((_, of, _)) = needs.get_mut(op.package.name.as_str()) else { continue };
                if index == 0 || self.faults.keeps(Fault::SubBlocksCount) {
                    op.add(found, at, self.faults, of);
                }
                let keeps_changed = self.faults.keeps(Fault::ChangedDefaultsAreWritten);
                strip(op, found, keeps_changed);
                for name in found.attrs.keys().filter(|_| self.faults.keeps(Fault::AddedDefaultsAreCarried)) {
                    if let Some(added) = op.added(name)
                        && graph.added.get(&found.op).is_none_or(|attrs| !attrs.contains_key(name))
                    {
                        graph.added.entry(found.op.clone()).or_default().insert(name.clone(), added.clone());
                    }
                }
                for kind in [Kind::Input, Kind::Output] {
                    let extra = op.def.args(kind).iter().filter(|arg| arg.part == Part::Extra);
                    for arg in extra.filter(|arg| found.args(kind).contains_key(arg.name.as_ref())) {
                        let item = (kind, arg.name.to_string());
                        if graph.extra.get(&found.op).is_none_or(|items| !items.contains(&item)) {
                            graph.extra.entry(found.op.clone()).or_default().insert(item);
                        }
                        if kind == Kind::Output {
                            reads_extra.add(&found.outputs[arg.name.as_ref()], op.package, &found.op, &arg.name);
                        }
                    }
                }
            }
        }
        let reads_extra = reads_extra.read(graph);
        let mut all = AllNeeds::new();
        for (name, (package, mut needs, digests)) in needs {
            let unpromised = self
                .unsealed(name, SavedKind::Graph)
                .cloned()
                .or(needs.unpromised.take())
                .or_else(|| reads_extra.get(name).cloned());
            needs.unpromised.clone_from(&unpromised);
            let unpromised = unpromised.map(|reason| Unpromised { reason, digests });
            graph.stamps.insert(name.to_owned(), stamp_of(package, &needs, unpromised));
            all.insert(name, (package, needs));
        }
        all
    }
}

/// What a package says of the data that it writes.
fn stamp_of(package: &Package, needs: &PackageNeeds, unpromised: Option<Unpromised>) -> Stamp {
    let versions = package.lock.data_versions(SavedKind::Graph);
    let broken = needs.version.as_ref().map_or(0, |(version, _)| *version);
    let releases = releases(package, SavedKind::Graph);
    let oldest_reader = needs.release.as_ref().and_then(|(place, cause)| {
        let release = releases.get(*place)?;
        Some(OldestReader { version: release.version.clone(), because: cause.because.clone() })
    });
    Stamp {
        producer: versions.producer().into(),
        min_consumer: versions.min_consumer.max(broken).into(),
        bad_consumers: versions.bad_consumers.iter().map(|version| i64::from(*version)).collect(),
        releases,
        oldest_reader,
        unpromised,
    }
}

/// Leaves out the attributes that are at a default that never changed.
fn strip(op: &OpNeeds<'_>, node: &mut Node, keeps_changed: bool) {
    let mut attrs = op.attrs.iter().peekable();
    node.attrs.retain(|name, value| {
        while attrs.peek().is_some_and(|attr| attr.def.name.as_ref() < name.as_str()) {
            attrs.next();
        }
        let known = attrs.peek().filter(|attr| attr.def.name == *name);
        known.is_none_or(|attr| attr.def.default.as_ref() != Some(value) || (attr.is_explicit && keeps_changed))
    });
}

/// Outputs that are Extra: of a graph in which something reads one nothing is promised, since a reader may not have it.
#[derive(Default)]
struct ExtraReads<'p> {
    variables: HashMap<String, (&'p str, String)>,
}

impl<'p> ExtraReads<'p> {
    fn add(&mut self, variables: &[String], package: &'p Package, op: &str, output: &str) {
        for variable in variables {
            let path = || (package.name.as_str(), format!("{op}.{output}"));
            self.variables.entry(variable.clone()).or_insert_with(path);
        }
    }

    /// The reason by package.
    fn read(&self, graph: &Graph) -> BTreeMap<&'p str, String> {
        let mut reasons = BTreeMap::new();
        if self.variables.is_empty() {
            return reasons;
        }
        crate::load::for_each_read(&graph.blocks, |variable, _| {
            if let Some((package, path)) = self.variables.get(variable) {
                reasons.entry(*package).or_insert_with(|| format!("something reads `{path}`, which is Extra"));
            }
        });
        reasons
    }
}
