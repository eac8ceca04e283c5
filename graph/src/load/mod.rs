//! Loading: the version check, then upgrades, then every node of every block against today's definitions.

mod added;
pub(crate) mod blocks;
pub(crate) mod convert;
mod deprecated;
mod extra;
pub(crate) mod node;
pub(crate) mod plan;
mod problem;
mod types;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use oplock_core::{Lock, Value};

pub use problem::NodeProblem;
pub use types::VariableTypes;

use crate::check::{LoadOptions, check};
use crate::model::{Block, Graph};
use crate::program::Program;
use crate::report::{Place, Problem, Refused, Report};
use crate::upgrade::{Tables, Upgraded, VariableStep, blame_left, upgrade};
use convert::for_each_block;
use node::{DroppedOutput, Pass, Purpose};
use plan::{Plan, Plans, unknown_op};

/// A graph that was loaded: it means today what it meant when it was saved.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The graph by today's definitions, with all defaults filled in, and without the records of who wrote it.
    pub graph: Graph,
    /// What was noticed and done.
    pub report: Report,
    /// What upgrades did to variables that outlive a run, in order; `Program::upgrade_checkpoint` does the same to their values.
    pub variables: Vec<VariableStep>,
    /// As of which data version of graphs each package took it.
    #[cfg_attr(not(feature = "checkpoint"), expect(dead_code, reason = "what lies beside it is held against this"))]
    pub(crate) levels: BTreeMap<String, u32>,
    /// What was read, where it is of an older data version.
    pub(crate) origin: Option<Box<Graph>>,
}

impl Program {
    /// Loads a graph: whether it may be read, what was meant by it, and whether every node is well formed.
    ///
    /// # Errors
    ///
    /// [`Refused`], with all that is wrong, the first cause first.
    pub fn load(&self, mut graph: Graph, options: LoadOptions) -> Result<Loaded, Refused> {
        let mut report = Report::default();
        let ops: BTreeSet<&str> = distinct_ops(&graph.blocks);
        let checked = match check(self, &graph, &ops, options, &mut report) {
            Ok(checked) => checked,
            Err(mut refused) => {
                self.unknown_ops(&graph, &mut refused);
                return Err(refused);
            }
        };
        drop(ops);
        let (is_older, levels) = (checked.is_older(), checked.levels());
        let origin = is_older.then(|| Box::new(graph.clone()));
        let mut tables = Tables { added: std::mem::take(&mut graph.added), extra: std::mem::take(&mut graph.extra) };
        let export = graph.export;
        let mut refused = Refused::default();
        deprecated::refuse(self, &checked, &graph.blocks, &mut refused);
        added::drop_attrs(self, &checked, &tables.added, &mut graph.blocks, &mut report);
        let extra = &mut tables.extra;
        let dropped = extra::drop_operands(self, &checked, extra, &mut graph.blocks, &mut report);
        let upgraded = upgrade(self, &checked, &mut graph.blocks, &mut tables, &mut report, &mut refused);
        let Tables { added, extra: mut was_extra } = tables;
        let mut pass = Pass {
            purpose: Purpose::Load,
            faults: self.faults,
            blocks: graph.blocks.len(),
            added: &added,
            refused,
            report,
            edges: Vec::new(),
            dropped,
            types: None,
        };
        let told = pass.refused.problems.len();
        self.nodes(&mut graph.blocks, &mut pass, &upgraded, |program, op, is_told| {
            let route = checked.routes.get(op);
            let home = route.map(|route| route.moved_to.unwrap_or(route.package));
            let Some(package) = home.or_else(|| program.owner(op)) else {
                return Err(unknown(op));
            };
            let Some(def) = package.ops.get(op) else { return Err(unknown_op(package, op, is_told)) };
            Ok(Plan::new(package, def, None, export, was_extra.remove(op).unwrap_or_default()))
        });
        let Pass { mut refused, report, .. } = pass;
        upgraded.touched.blame(&mut refused.problems[told..]);
        blame_left(&checked, &mut refused.problems[told..]);
        if !refused.problems.is_empty() {
            refused.put_first(checked.newer.into_iter().map(|problem| Problem::Version(Box::new(problem))));
        }
        graph.stamps.clear();
        refused.or(Loaded { graph, report, variables: upgraded.variables, levels, origin })
    }

    /// Checks every node of every block that did not fail before; `plan` is asked once for each operator, and whether hints are told.
    fn nodes<'p>(
        &'p self,
        blocks: &mut [Block],
        pass: &mut Pass<'_>,
        upgraded: &Upgraded,
        mut plan: impl FnMut(&'p Program, &str, bool) -> Result<Plan<'p>, NodeProblem>,
    ) {
        let mut plans = Plans::new(self);
        for (index, block) in blocks.iter_mut().enumerate() {
            for (node, found) in block.nodes.iter_mut().enumerate() {
                let at = Place { block: index, node };
                if upgraded.failed.contains(&at) {
                    continue;
                }
                let is_told = !pass.refused.is_full();
                match plans.get(&found.op, |program, op| plan(program, op, is_told)) {
                    Ok(plan) => pass.node(plan, found, at, upgraded.made.contains(&at)),
                    Err(problem) => {
                        let problem = problem.clone();
                        pass.problem(at, &found.op, problem);
                    }
                }
            }
        }
        for plan in plans.list.iter().flatten() {
            plan.report(&mut pass.report);
        }
        finish(pass, blocks);
    }

    /// Holds a graph that another system saved against today's definitions: the checks of every node that [`Program::load`] makes, and
    /// none of its version check, since the graph carries no records of ours. Whoever reads the other system's data judges its versions.
    ///
    /// `levels` says as of which data version each operator is taken, for deprecations; one that is not there is older than all. What no
    /// package has is told as unknown to the package `home`. `types` has what the model says of the types of variables, of which a graph of
    /// ours says nothing.
    ///
    /// # Errors
    ///
    /// [`Refused`], with all that is wrong.
    #[doc(hidden)]
    pub fn load_foreign(
        &self,
        mut graph: Graph,
        home: &str,
        levels: &HashMap<String, u32>,
        types: VariableTypes,
    ) -> Result<Loaded, Refused> {
        let (added, mut extra) = (std::mem::take(&mut graph.added), std::mem::take(&mut graph.extra));
        let export = graph.export;
        let level = |op: &str| levels.get(op).copied().unwrap_or(0);
        let mut types = types;
        types.say_outputs(&graph.blocks, |op| self.owner(op).map(|package| &package.ops[op]));
        let mut pass = Pass {
            purpose: Purpose::Load,
            faults: self.faults,
            blocks: graph.blocks.len(),
            added: &added,
            refused: Refused::default(),
            report: Report::default(),
            edges: Vec::new(),
            dropped: Vec::new(),
            types: Some(types),
        };
        self.nodes(&mut graph.blocks, &mut pass, &Upgraded::default(), |program, op, is_told| {
            let Some(package) = program.owner(op) else {
                let home = program.packages.get(home);
                return Err(home.map_or_else(|| unknown(op), |package| unknown_op(package, op, is_told)));
            };
            let def = &package.ops[op];
            let was_extra = extra.remove(op).unwrap_or_default();
            Ok(Plan::new(package, def, Some(level(op)), export, was_extra))
        });
        let Pass { refused, report, .. } = pass;
        refused.or(Loaded { graph, report, variables: Vec::new(), levels: BTreeMap::new(), origin: None })
    }

    /// The operators of a refused graph that the program does not have, after the first cause. What the lock of their package knows is told
    /// otherwise, or comes of an upgrade.
    fn unknown_ops(&self, graph: &Graph, refused: &mut Refused) {
        let mut seen = BTreeSet::new();
        for (block, nodes) in graph.blocks.iter().enumerate() {
            for (node, found) in nodes.nodes.iter().enumerate() {
                if self.owner(&found.op).is_some() || !seen.insert(&found.op) {
                    continue;
                }
                let owner = self.said_owner(&graph.owners, &found.op);
                let is_known =
                    |lock: &Lock| lock.ops.contains_key(&found.op) || lock.rows_of(&found.op).next().is_some();
                if let Some(package) = owner.filter(|package| !is_known(&package.lock)) {
                    let problem = Box::new(unknown_op(package, &found.op, !refused.is_full()));
                    refused.push(Problem::Node { at: Place { block, node }, op: found.op.clone(), problem });
                }
            }
        }
    }
}

fn unknown(op: &str) -> NodeProblem {
    NodeProblem::UnknownOp { package: format!("the package of `{op}`"), deleted: None, hint: String::new() }
}

/// The operators of a graph, each once.
pub(crate) fn distinct_ops(blocks: &[Block]) -> BTreeSet<&str> {
    let mut last = "";
    let mut ops = BTreeSet::new();
    for node in blocks.iter().flat_map(|block| &block.nodes) {
        if node.op != last || ops.is_empty() {
            last = &node.op;
            ops.insert(last);
        }
    }
    ops
}

/// What only shows when every node is known: whether blocks contain each other, and whether something reads what was
/// dropped.
pub(crate) fn finish(pass: &mut Pass<'_>, blocks: &[Block]) {
    if blocks.is_empty() {
        pass.refused.push(Problem::NoBlock);
    }
    pass.edges = blocks::sorted(std::mem::take(&mut pass.edges));
    if let Some(found) = blocks::ring(&pass.edges) {
        pass.refused.push(ring(found, blocks));
    }
    let dropped = std::mem::take(&mut pass.dropped);
    refuse_read(dropped, blocks, "is Extra and fits nothing that is Extra here", &mut pass.refused);
}

/// Blocks that contain each other, with the nodes by which they do.
fn ring(ring: Vec<u32>, blocks: &[Block]) -> Problem {
    let names = |value: &Value, block: u32| {
        let mut is_named = false;
        for_each_block(value, &mut |named| is_named |= named == block);
        is_named
    };
    let next = ring.iter().cycle().skip(1);
    let by = ring.iter().zip(next).filter_map(|(from, to)| {
        let block = *from as usize;
        let nodes = &blocks.get(block)?.nodes;
        let node = nodes
            .iter()
            .position(|node| node.attrs.values().chain(node.extra.values()).any(|value| names(value, *to)))?;
        Some((Place { block, node }, nodes[node].op.clone()))
    });
    let by = by.collect();
    Problem::Ring { blocks: ring, by }
}

/// Refuses outputs that are dropped though something reads them.
pub(crate) fn refuse_read(dropped: Vec<DroppedOutput>, blocks: &[Block], because: &'static str, refused: &mut Refused) {
    if dropped.is_empty() {
        return;
    }
    let mut reads: HashMap<&str, Option<Place>> = HashMap::new();
    for_each_read(blocks, |variable, place| {
        reads.entry(variable).or_insert(place);
    });
    for DroppedOutput { at, op, output, variables } in dropped {
        for variable in variables {
            let Some(reader) = reads.get(variable.as_str()) else { continue };
            let reader = reader.map(|place| (place, blocks[place.block].nodes[place.node].op.clone()));
            let output = output.clone();
            let problem = Box::new(NodeProblem::OutputIsRead { output, variable, reader, because });
            refused.push(Problem::Node { at, op: op.clone(), problem });
        }
    }
}

/// Calls `visit` with each variable that something reads, in order, and the node; `None` for a result of a block.
pub(crate) fn for_each_read<'g>(blocks: &'g [Block], mut visit: impl FnMut(&'g str, Option<Place>)) {
    for (block, nodes) in blocks.iter().enumerate() {
        for (node, found) in nodes.nodes.iter().enumerate() {
            let place = Some(Place { block, node });
            found.inputs.values().flatten().for_each(|variable| visit(variable, place));
            for value in found.attrs.values() {
                for_each_var(value, &mut |variable| visit(variable, place));
            }
        }
    }
    blocks.iter().flat_map(|block| &block.outputs).for_each(|variable| visit(variable, None));
}

/// Calls `visit` with each variable that a value names.
pub(crate) fn for_each_var<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str)) {
    match value {
        Value::Var(name) => visit(name),
        Value::List(items) => items.iter().for_each(|item| for_each_var(item, visit)),
        _ => {}
    }
}
