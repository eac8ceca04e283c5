//! The order of upgrades: version by version, over all nodes of all blocks, first what the ledger derives, then functions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use oplock_registry::Node;

use super::aliases::FreeAliases;
use super::edit::{Edits, Upgrade};
use super::forward::Forwards;
use super::made::{Touch, Touched};
use super::node::{Tables, apply, fill, move_tables, rename_item};
use super::steps::{OpSteps, Steps};
use super::variables::{VariableStep, Variables};
use crate::check::{Checked, Origin};
use crate::faults::Fault;
use crate::load::NodeProblem;
use crate::load::plan::Tally;
use crate::model::Block;
use crate::program::{Package, Program};
use crate::report::{Note, Place, Problem, Refused, Report};

/// What came of the upgrades.
#[derive(Default)]
pub(crate) struct Upgraded {
    /// Nodes that functions made.
    pub(crate) made: HashSet<Place>,
    /// Nodes whose function refused them: what it left of them is neither old nor new.
    pub(crate) failed: HashSet<Place>,
    /// What became of variables that outlive a run, in order.
    pub(crate) variables: Vec<VariableStep>,
    /// What functions did to which node.
    pub(crate) touched: Touched,
}

const NONE: u32 = u32::MAX;

struct Slot {
    node: Option<Node>,
    block: u32,
    next: u32,
    previous: u32,
    /// Where it was, or where the node was for which it was made.
    at: Place,
    /// Up to which data version it is upgraded.
    level: u32,
    /// The package that upgrades it, and as whose data.
    package: u32,
    origin: u32,
    is_made: bool,
    is_failed: bool,
}

/// Upgrades the nodes of all blocks, where there is something to upgrade.
pub(crate) fn upgrade(
    program: &Program,
    checked: &Checked<'_>,
    blocks: &mut [Block],
    tables: &mut Tables,
    report: &mut Report,
    refused: &mut Refused,
) -> Upgraded {
    let mut packages: Vec<&Package> = program.packages.values().collect();
    let mut heirs: Vec<Option<usize>> = vec![None; packages.len()];
    for (heir, package) in program.packages.values().enumerate() {
        packages.extend(package.former.values());
        heirs.resize(packages.len(), Some(heir));
    }
    let lowest = |package: &Package| {
        // What is upgraded by what another package holds of it may need nodes of what it has still.
        let routes = checked.routes.values().filter(|route| route.package.is_one_with(package));
        let level = routes.map(|route| checked.origins[route.origin].version).min();
        let is_target = |route: &crate::check::Route<'_>| route.moved_to.is_some_and(|to| std::ptr::eq(to, package));
        if checked.routes.values().any(is_target) { 0 } else { level.unwrap_or(NONE) }
    };
    let steps: Vec<_> = packages.iter().map(|package| Steps::of(package, lowest(package), program.faults)).collect();
    let is_concerned = |(op, route): (&String, &crate::check::Route<'_>)| {
        let level = checked.origins[route.origin].version;
        steps[place(&packages, route.package)].concern(op, level)
            || route.moved_to.is_some_and(|to| steps[place(&packages, to)].concern(op, 0))
            || FreeAliases::of(route.moved_to.unwrap_or(route.package), op).is_some()
    };
    if !checked.routes.iter().any(is_concerned) {
        return Upgraded::default();
    }
    let mut engine = Engine {
        program,
        origins: &checked.origins,
        packages,
        heirs,
        steps,
        slots: Vec::new(),
        heads: Vec::new(),
        outputs: blocks.iter_mut().map(|block| std::mem::take(&mut block.outputs)).collect(),
        inputs: blocks.iter_mut().map(|block| std::mem::take(&mut block.inputs)).collect(),
        variables: Variables::default(),
        variable_steps: Vec::new(),
        tables,
        done: BTreeMap::new(),
        touches: HashMap::new(),
        refused,
    };
    engine.take(blocks, checked);
    engine.run();
    engine.follow_free_aliases();
    engine.give_back(blocks, report)
}

struct Engine<'a, 'p> {
    program: &'p Program,
    origins: &'a [Origin],
    /// Those of the program, and then what they hold of those from which operators moved to them.
    packages: Vec<&'p Package>,
    /// To which of them the operators of each moved.
    heirs: Vec<Option<usize>>,
    steps: Vec<Steps<'p>>,
    slots: Vec<Slot>,
    /// The first slot of each block.
    heads: Vec<u32>,
    outputs: Vec<Vec<String>>,
    inputs: Vec<Vec<String>>,
    variables: Variables,
    variable_steps: Vec<VariableStep>,
    tables: &'a mut Tables,
    /// What was done, by package, operator and version.
    done: BTreeMap<(usize, String, u32), Tally>,
    /// What functions did to the nodes of slots.
    touches: HashMap<u32, Vec<Touch>>,
    refused: &'a mut Refused,
}

/// The place of a package in the list of all.
fn place(packages: &[&Package], package: &Package) -> usize {
    packages.iter().position(|other| std::ptr::eq(*other, package)).unwrap_or_default()
}

/// The slots of each operator that has steps.
type Worklist = BTreeMap<String, Vec<u32>>;

impl Engine<'_, '_> {
    fn take(&mut self, blocks: &mut [Block], checked: &Checked<'_>) {
        let mut of_op: HashMap<String, (usize, usize)> = HashMap::new();
        for (block, nodes) in blocks.iter_mut().enumerate() {
            let block = u32::try_from(block).unwrap_or(NONE);
            self.slots.reserve(nodes.nodes.len());
            self.heads.push(NONE);
            let mut previous = NONE;
            for (i, node) in std::mem::take(&mut nodes.nodes).into_iter().enumerate() {
                let (origin, package) = if let Some(found) = of_op.get(&node.op) {
                    *found
                } else {
                    let route = &checked.routes[&node.op];
                    let found = (route.origin, place(&self.packages, route.package));
                    of_op.insert(node.op.clone(), found);
                    found
                };
                let at = Place { block: block as usize, node: i };
                let slot = Slot {
                    block,
                    next: NONE,
                    previous,
                    at,
                    level: self.origins[origin].version,
                    package: u32::try_from(package).unwrap_or(NONE),
                    origin: u32::try_from(origin).unwrap_or(NONE),
                    is_made: false,
                    is_failed: false,
                    node: Some(node),
                };
                let id = u32::try_from(self.slots.len()).unwrap_or(NONE);
                match self.slots.get_mut(previous as usize) {
                    Some(before) => before.next = id,
                    None => self.heads[block as usize] = id,
                }
                self.slots.push(slot);
                previous = id;
            }
        }
        let has_functions = self.steps.iter().flat_map(|steps| steps.versions.values().flat_map(BTreeMap::values));
        if has_functions.clone().any(|steps| steps.function.is_some()) {
            self.slots.iter().filter_map(|slot| slot.node.as_ref()).for_each(|node| self.variables.take(node));
            self.variables.extend(self.inputs.iter().chain(&self.outputs).flatten());
        }
    }

    fn run(&mut self) {
        for package in self.open() {
            self.run_package(package);
            if let Some(heir) = self.heirs[package] {
                self.move_to(heir, package);
            }
        }
        // What moved is upgraded further by the package to which it did.
        for package in self.open() {
            self.run_package(package);
        }
    }

    /// The packages that have nodes to upgrade.
    fn open(&self) -> BTreeSet<usize> {
        let open = self.slots.iter().filter(|slot| slot.level != NONE);
        open.map(|slot| slot.package as usize).collect()
    }

    /// Gives the nodes of a package to the one that took its operators over, as of the release that did so first.
    fn move_to(&mut self, heir: usize, from: usize) {
        let Engine { packages, slots, .. } = self;
        for slot in slots.iter_mut().filter(|slot| slot.package as usize == from) {
            let Some(node) = &slot.node else { continue };
            let (owner, former) = (packages[heir], packages[from]);
            slot.level = owner.entered(&node.op, &former.name);
            slot.package = u32::try_from(heir).unwrap_or(NONE);
        }
    }

    fn run_package(&mut self, package: usize) {
        let mut worklist = Worklist::new();
        for (id, slot) in self.slots.iter().enumerate() {
            if slot.package as usize == package
                && let Some(node) = &slot.node
                && self.steps[package].concern(&node.op, slot.level)
                && (slot.block == 0 || self.program.faults.keeps(Fault::SubBlocksAreUpgraded))
            {
                let id = u32::try_from(id).unwrap_or(NONE);
                match worklist.get_mut(&node.op) {
                    Some(ids) => ids.push(id),
                    None => drop(worklist.insert(node.op.clone(), vec![id])),
                }
            }
        }
        if !worklist.is_empty() {
            let all = std::mem::take(&mut self.steps[package].versions);
            let faults = self.program.faults;
            let mut versions: Vec<_> = all.iter().collect();
            if !faults.keeps(Fault::Ascending) {
                versions.reverse();
            }
            for (version, ops) in versions {
                self.fill(&mut worklist, *version, ops);
                if faults.keeps(Fault::DerivedFirst) {
                    self.derive(package, &mut worklist, *version, ops);
                    self.call(package, &mut worklist, *version, ops);
                } else {
                    self.call(package, &mut worklist, *version, ops);
                    self.derive(package, &mut worklist, *version, ops);
                }
            }
            self.steps[package].versions = all;
        }
        for slot in self.slots.iter_mut().filter(|slot| slot.package as usize == package) {
            slot.level = NONE;
        }
    }

    /// The nodes of an operator that a version concerns; they leave the worklist.
    fn concerned(&self, worklist: &mut Worklist, op: &str, version: u32) -> (Vec<u32>, Vec<u32>) {
        let ids = worklist.remove(op).unwrap_or_default();
        let is_of = |id: &u32| self.slots[*id as usize].node.as_ref().is_some_and(|node| node.op == op);
        ids.into_iter().filter(is_of).partition(|id| self.slots[*id as usize].level < version)
    }

    /// Fills in the defaults of their time, where a function is to see them.
    fn fill(&mut self, worklist: &mut Worklist, version: u32, ops: &BTreeMap<String, OpSteps<'_>>) {
        for (op, steps) in ops {
            let Some(function) = steps.function.as_ref().filter(|function| !function.fill.is_empty()) else { continue };
            let (ids, rest) = self.concerned(worklist, op, version);
            for id in &ids {
                let Some(node) = &mut self.slots[*id as usize].node else { continue };
                fill(node, &function.fill);
            }
            worklist.entry(op.clone()).or_default().extend(rest.into_iter().chain(ids));
        }
    }

    fn derive(&mut self, package: usize, worklist: &mut Worklist, version: u32, ops: &BTreeMap<String, OpSteps<'_>>) {
        for (op, steps) in ops.iter().filter(|(_, steps)| !steps.derived.is_empty()) {
            let (ids, mut kept) = self.concerned(worklist, op, version);
            let mut tally = Tally::default();
            for id in ids {
                let slot = &mut self.slots[id as usize];
                let Some(node) = &mut slot.node else { continue };
                let mut is_changed = false;
                for step in &steps.derived {
                    match apply(node, step, self.tables) {
                        Ok(changed) => is_changed |= changed,
                        Err(problem) => {
                            let (at, op) = (slot.at, op.clone());
                            self.refused.push(Problem::Node { at, op, problem: Box::new(problem) });
                        }
                    }
                }
                if is_changed {
                    tally.hit(slot.at);
                }
                if node.op == *op {
                    kept.push(id);
                } else {
                    // What it is now has no part in what this version asks of that operator.
                    slot.level = version;
                    let to = node.op.clone();
                    worklist.entry(to).or_default().push(id);
                }
            }
            self.add(package, op, version, tally);
            worklist.entry(op.clone()).or_default().extend(kept);
        }
    }

    fn add(&mut self, package: usize, op: &str, version: u32, tally: Tally) {
        if tally.count > 0 {
            let done = self.done.entry((package, op.to_owned(), version)).or_default();
            done.count = done.count.max(tally.count);
            done.first = done.first.min(tally.first).or(tally.first);
        }
    }

    fn call(&mut self, package: usize, worklist: &mut Worklist, version: u32, ops: &BTreeMap<String, OpSteps<'_>>) {
        let mut forwards = Forwards::default();
        for (op, steps) in ops {
            let Some(function) = &steps.function else { continue };
            let (mut ids, mut kept) = self.concerned(worklist, op, version);
            let mut tally = Tally::default();
            let mut next = 0;
            while let Some(id) = ids.get(next).copied() {
                next += 1;
                let slot = &mut self.slots[id as usize];
                let (at, block, origin) = (slot.at, slot.block, &self.origins[slot.origin as usize]);
                let Some(mut node) = slot.node.take() else { continue };
                let mut upgrade = Upgrade {
                    node: &mut node,
                    edits: Edits::default(),
                    release: origin.release.as_ref(),
                    data_version: origin.version,
                    variables: &mut self.variables,
                };
                let mut outcome = Ok(());
                for run in &function.run {
                    // What the one for all operators made another node of is none of the operator's.
                    if outcome.is_ok() && upgrade.node.op == *op && !upgrade.edits.is_removed {
                        outcome = run.run(&mut upgrade);
                    }
                }
                let edits = upgrade.edits;
                tally.hit(at);
                if let Err(error) = outcome {
                    let (package, reason) = (self.packages[package].name.clone(), error.to_string());
                    let problem = Box::new(NodeProblem::Upgrade { package, version, reason });
                    self.refused.push(Problem::Node { at, op: op.clone(), problem });
                    self.slots[id as usize].is_failed = true;
                }
                let is_same = node.op == *op;
                let function = || (package, op.clone(), version);
                if !is_same || !edits.touched.is_empty() {
                    let items = is_same.then_some(edits.touched);
                    self.touches.entry(id).or_default().push(Touch { function: function(), items });
                }
                let slot = &mut self.slots[id as usize];
                if !is_same {
                    (slot.level, slot.is_made) = (version, true);
                    worklist.entry(node.op.clone()).or_default().push(id);
                } else if !edits.is_removed {
                    kept.push(id);
                }
                slot.node = Some(node);
                for (from, to) in edits.forwards {
                    forwards.add(block, from, to);
                }
                let mut made = Vec::new();
                for node in edits.before {
                    made.push(self.insert(id, node, true, version));
                }
                for node in edits.after.into_iter().rev() {
                    made.push(self.insert(id, node, false, version));
                }
                for id in made {
                    self.touches.entry(id).or_default().push(Touch { function: function(), items: None });
                    let Some(node) = &self.slots[id as usize].node else { continue };
                    // It may make nodes without end.
                    if !self.program.faults.keeps(Fault::NewNodesWait) && node.op == *op && ids.len() < 1000 {
                        ids.push(id);
                    }
                    let op = node.op.clone();
                    worklist.entry(op).or_default().push(id);
                }
                if edits.is_removed {
                    self.unlink(id);
                }
            }
            self.add(package, op, version, tally);
            worklist.entry(op.clone()).or_default().extend(kept);
        }
        let nodes = self.slots.iter_mut().filter_map(|slot| slot.node.as_mut().map(|node| (slot.block, node)));
        forwards.apply(nodes, &self.inputs, &mut self.outputs);
        let nodes = self.slots.iter_mut().filter_map(|slot| slot.node.as_mut());
        for change in self.variables.apply(nodes, &mut self.inputs, &mut self.outputs) {
            let package = self.packages[package].name.clone();
            self.variable_steps.push(VariableStep { package, version, change });
        }
    }

    /// Puts a node beside another.
    fn insert(&mut self, beside: u32, node: Node, before: bool, version: u32) -> u32 {
        let id = u32::try_from(self.slots.len()).unwrap_or(NONE);
        let neighbour = &self.slots[beside as usize];
        let (previous, next) = if before { (neighbour.previous, beside) } else { (beside, neighbour.next) };
        let own = self.packages[neighbour.package as usize];
        // What is of another package is as that package has it today. What the own one deletes later is its own still.
        let is_own =
            own.ops.contains_key(&node.op) || self.steps[neighbour.package as usize].concern(&node.op, version);
        let (package, level) = match self.program.owner(&node.op).filter(|_| !is_own) {
            Some(other) => {
                // A function of the earlier owner knows that one's other operators as they were then.
                let level = if other.is_one_with(own) { version } else { NONE };
                (u32::try_from(place(&self.packages, other)).unwrap_or(NONE), level)
            }
            _ => (neighbour.package, version),
        };
        let (block, at, origin) = (neighbour.block, neighbour.at, neighbour.origin);
        self.slots.push(Slot {
            node: Some(node),
            block,
            next,
            previous,
            at,
            level,
            package,
            origin,
            is_made: true,
            is_failed: false,
        });
        match self.slots.get_mut(previous as usize) {
            Some(slot) => slot.next = id,
            None => self.heads[block as usize] = id,
        }
        if let Some(slot) = self.slots.get_mut(next as usize) {
            slot.previous = id;
        }
        id
    }

    fn unlink(&mut self, id: u32) {
        let slot = &mut self.slots[id as usize];
        slot.node = None;
        let (previous, next, block) = (slot.previous, slot.next, slot.block);
        match self.slots.get_mut(previous as usize) {
            Some(slot) => slot.next = next,
            None => self.heads[block as usize] = next,
        }
        if let Some(slot) = self.slots.get_mut(next as usize) {
            slot.previous = previous;
        }
    }

    /// Names that no release of this lock ever had, under which data of elsewhere was saved.
    fn follow_free_aliases(&mut self) {
        if !self.program.faults.keeps(Fault::Aliases) {
            return;
        }
        let mut aliases: Vec<HashMap<String, Option<FreeAliases>>> = Vec::new();
        aliases.resize_with(self.packages.len(), HashMap::new);
        for slot in &mut self.slots {
            let Some(node) = &mut slot.node else { continue };
            let package = slot.package as usize;
            let known = &mut aliases[package];
            if !known.contains_key(&node.op) {
                known.insert(node.op.clone(), FreeAliases::of(self.packages[package], &node.op));
            }
            let Some(found) = known.get(&node.op).and_then(Option::as_ref) else { continue };
            let op = node.op.clone();
            if let Some(to) = &found.op {
                move_tables(self.tables, &node.op, to);
                node.op.clone_from(to);
            }
            for rename in &found.items {
                if let Err(problem) = rename_item(node, rename, self.tables) {
                    self.refused.push(Problem::Node { at: slot.at, op: op.clone(), problem: Box::new(problem) });
                }
            }
        }
    }

    fn give_back(mut self, blocks: &mut [Block], report: &mut Report) -> Upgraded {
        for step in &self.variable_steps {
            report.note(Note::Variable { step: step.to_string() }, None, 1);
        }
        let names = self.packages.iter().map(|package| package.name.clone()).collect();
        let mut upgraded =
            Upgraded { variables: self.variable_steps, touched: Touched::new(names), ..Upgraded::default() };
        for (index, block) in blocks.iter_mut().enumerate() {
            block.inputs = std::mem::take(&mut self.inputs[index]);
            block.outputs = std::mem::take(&mut self.outputs[index]);
            let mut id = self.heads[index];
            while let Some(slot) = self.slots.get_mut(id as usize) {
                let done = self.touches.remove(&id);
                id = slot.next;
                let Some(node) = slot.node.take() else { continue };
                let at = Place { block: index, node: block.nodes.len() };
                if slot.is_made {
                    upgraded.made.insert(at);
                }
                if slot.is_failed {
                    upgraded.failed.insert(at);
                }
                if let Some(done) = done {
                    upgraded.touched.add(at, done);
                }
                block.nodes.push(node);
            }
        }
        for ((package, op, version), tally) in self.done {
            let note = Note::Upgraded { package: self.packages[package].name.clone(), op, version };
            report.note(note, tally.first, tally.count);
        }
        upgraded
    }
}
