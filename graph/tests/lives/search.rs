//! The search for lives that refute the guarantee, and their smallest form.

use std::fmt::Write as _;

use oplock_core::Part;
use oplock_graph::{Faults, Graph};

use crate::dice::Dice;
use crate::life::{Life, Shape, random};
use crate::meet::{Counterexample, Counts, Failure, meet, meet_graph};
use crate::step::Step;

/// How much is searched.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) pairs: usize,
    /// How many graphs each writer writes.
    pub(crate) graphs: usize,
    pub(crate) seed: u64,
}

/// What was found: a life and a graph in it.
pub(crate) struct Found {
    pub(crate) steps: Vec<Step>,
    pub(crate) counterexample: Counterexample,
}

/// Searches random lives until so many pairs of a graph and a reader were tried, or one refutes the guarantee.
pub(crate) fn search(faults: Faults, extent: Extent, counts: &mut Counts) -> Option<Found> {
    let mut seed = extent.seed;
    while counts.pairs < extent.pairs {
        seed += 1;
        let mut dice = Dice::new(seed);
        let steps = 4 + dice.below(40);
        let steps = random(&mut dice, Shape { steps });
        let life = Life::of(&steps, faults);
        if let Some(found) = meet(&life, seed, extent.graphs, counts) {
            let steps = life.done.clone();
            return Some(shrink(steps, (life, found), seed, faults));
        }
    }
    None
}

fn fails(steps: &[Step], seed: u64, faults: Faults, like: &Failure) -> Option<(Life, Counterexample)> {
    let life = Life::of(steps, faults);
    let mut counts = Counts::default();
    // Other lives have other random graphs, so a few are tried.
    let mut found = (0..4).filter_map(|i| meet(&life, seed.wrapping_add(i * 7919), 12, &mut counts));
    let found = found.find(|found| is_alike(&found.failure, like))?;
    Some((life, found))
}

/// The same failure with as few steps, and as small a graph, as dropping them leads to.
fn shrink(mut steps: Vec<Step>, mut best: (Life, Counterexample), seed: u64, faults: Faults) -> Found {
    let mut size = steps.len().div_ceil(2).max(1);
    loop {
        let (mut start, before) = (0, steps.len());
        while start < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + size).min(fewer.len()));
            match fails(&fewer, seed, faults, &best.1.failure) {
                Some(found) => {
                    // What has become of no effect goes too.
                    steps.clone_from(&found.0.done);
                    best = found;
                }
                None => start += size,
            }
        }
        if size == 1 && steps.len() == before {
            break;
        }
        size = (size / 2).max(1);
    }
    let (life, counterexample) = best;
    let counterexample = shrink_graph(&life, counterexample);
    Found { steps, counterexample }
}

/// Whether two failures are of one kind.
fn is_alike(a: &Failure, b: &Failure) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

fn shrink_graph(life: &Life, mut found: Counterexample) -> Counterexample {
    loop {
        let smaller = smaller(&found.graph).into_iter().find_map(|graph| {
            let state = life.state(&life.releases[found.writer]);
            if !is_well_formed(&graph, &state.defs) {
                return None;
            }
            let mut counts = Counts::default();
            let (reader, failure) = meet_graph(life, found.writer, found.how, &graph, &mut counts)?;
            is_alike(&failure, &found.failure).then_some((graph, reader, failure))
        });
        let Some((graph, reader, failure)) = smaller else { return found };
        found = Counterexample { graph, reader, failure, ..found };
    }
}

fn is_well_formed(graph: &Graph, defs: &crate::meaning::Defs) -> bool {
    graph.blocks.iter().flat_map(|block| &block.nodes).all(|node| {
        let def = &defs[&node.op];
        let args = |args: &[oplock_core::ArgDef], there: &std::collections::BTreeMap<String, Vec<String>>| {
            args.iter().all(|arg| !crate::transform::is_required(arg) || there.contains_key(arg.name.as_ref()))
        };
        args(&def.inputs, &node.inputs)
            && args(&def.outputs, &node.outputs)
            && def.attrs.iter().all(|attr| {
                attr.part == Part::Extra || attr.default.is_some() || node.attrs.contains_key(attr.name.as_ref())
            })
    })
}

/// The graph with one thing less, in each way.
fn smaller(graph: &Graph) -> Vec<Graph> {
    let mut all = Vec::new();
    if graph.blocks.len() > 1 {
        let mut less = graph.clone();
        less.blocks.truncate(1);
        less.blocks[0].nodes.retain(|node| node.op != "w");
        all.push(less);
    }
    for (b, block) in graph.blocks.iter().enumerate() {
        for (n, node) in block.nodes.iter().enumerate() {
            let mut less = graph.clone();
            if node.op != "w" {
                less.blocks[b].nodes.remove(n);
                all.push(less.clone());
                less.clone_from(graph);
            }
            let mut without = |change: &dyn Fn(&mut oplock_registry::Node)| {
                let mut less = graph.clone();
                change(&mut less.blocks[b].nodes[n]);
                all.push(less);
            };
            node.inputs.keys().for_each(|name| without(&|node| drop(node.inputs.remove(name))));
            node.outputs.keys().for_each(|name| without(&|node| drop(node.outputs.remove(name))));
            node.attrs.keys().for_each(|name| without(&|node| drop(node.attrs.remove(name))));
            node.extra.keys().for_each(|name| without(&|node| drop(node.extra.remove(name))));
            for name in node.inputs.iter().filter(|(_, variables)| variables.len() > 1).map(|(name, _)| name) {
                without(&|node| node.inputs.get_mut(name).into_iter().for_each(|variables| variables.truncate(1)));
            }
        }
        if !block.outputs.is_empty() {
            let mut less = graph.clone();
            less.blocks[b].outputs.clear();
            all.push(less);
        }
    }
    all
}

impl Found {
    /// The life and what happens in it, for a person.
    pub(crate) fn tell(&self, faults: Faults) -> String {
        let life = Life::of(&self.steps, faults);
        let Counterexample { writer, reader, how, graph, failure } = &self.counterexample;
        let mut text = String::new();
        for step in &self.steps {
            let _ = writeln!(text, "  {step}");
        }
        let line = |release: &crate::package::Release| if release.is_branch { " of the maintenance line" } else { "" };
        let (writer, reader) = (&life.releases[*writer], &life.releases[*reader]);
        let how = how.map_or("saved".to_owned(), |how| format!("exported for a {how} model"));
        let _ = writeln!(text, "{} by {}{}:", how, writer.version, line(writer));
        text.push_str(&nodes(graph));
        let _ = writeln!(text, "read by {}{}: it {failure}", reader.version, line(reader));
        text
    }
}

/// The nodes of a graph, each on a line.
pub(crate) fn nodes(graph: &Graph) -> String {
    let mut text = String::new();
    for (index, block) in graph.blocks.iter().enumerate() {
        for node in &block.nodes {
            let mut items: Vec<String> = Vec::new();
            items.extend(node.inputs.iter().map(|(name, variables)| format!("{name}: {}", variables.join(" "))));
            items.extend(node.attrs.iter().map(|(name, value)| format!("{name} = {value}")));
            items.extend(node.extra.iter().map(|(name, value)| format!("{name} = {value} (Extra)")));
            let outputs: Vec<String> =
                node.outputs.iter().map(|(name, variables)| format!("{name}: {}", variables.join(" "))).collect();
            let block = if index == 0 { String::new() } else { format!("in block {index}: ") };
            let _ = writeln!(text, "  {block}{} ({}) -> ({})", node.op, items.join(", "), outputs.join(", "));
        }
    }
    text
}
