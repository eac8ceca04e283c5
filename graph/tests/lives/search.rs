//! The search for lives that refute the guarantee, and their smallest form.

use oplock_core::Part;
use oplock_graph::Graph;

use crate::dice::Dice;
use crate::life::{Life, Shape, random};
use crate::meet::{Counterexample, Counts, Failure, meet, meet_graph};
use crate::rules::Without;
use crate::step::Step;

/// How much is searched.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) pairs: usize,
    /// How many graphs each writer writes.
    pub(crate) graphs: usize,
    pub(crate) seed: u64,
}

/// What was found: which steps of which random life, and a graph in it.
pub(crate) struct Found {
    pub(crate) life: u64,
    pub(crate) kept: Vec<usize>,
    /// Of the random graphs.
    pub(crate) graphs: u64,
    pub(crate) without: Without,
    pub(crate) counterexample: Counterexample,
}

/// How many graphs each writer writes while a counterexample is made smaller.
const GRAPHS: usize = 12;

/// From this number on, lives are wide ones.
pub(crate) const WIDE: u64 = 1 << 40;

/// From this number on, a relaxed requirement is no break in them, and the places of operands may be promised.
pub(crate) const RELAXED: u64 = 1 << 41;

/// From this number on, the trunk takes the maintenance line over.
pub(crate) const JOINED: u64 = 1 << 42;

/// The steps of a random life.
pub(crate) fn steps(life: u64) -> Vec<Step> {
    let mut dice = Dice::new(life);
    let steps = 4 + dice.below(40);
    let shape = Shape { steps, is_wide: life >= WIDE, is_relaxed: life >= RELAXED, is_joined: life >= JOINED };
    random(&mut dice, shape)
}

/// Searches random lives until so many pairs of a graph and a reader were tried, or one refutes the guarantee.
pub(crate) fn search(without: Without, extent: Extent, counts: &mut Counts) -> Option<Found> {
    let mut number = extent.seed;
    while counts.pairs < extent.pairs {
        number += 1;
        let life = Life::of(&steps(number), without);
        if let Some(counterexample) = meet(&life, number, extent.graphs, counts) {
            let found = Found { life: number, kept: life.done.clone(), graphs: number, without, counterexample };
            return Some(shrink(found, life));
        }
    }
    None
}

impl Found {
    fn life_of(&self, kept: &[usize]) -> Life {
        let all = steps(self.life);
        let steps: Vec<_> = kept.iter().map(|index| all[*index]).collect();
        Life::of(&steps, self.without)
    }

    /// The same failure with these steps only.
    fn with(&self, kept: &[usize]) -> Option<(Life, Found)> {
        let life = self.life_of(kept);
        let mut counts = Counts::default();
        // Other lives have other random graphs, so a few are tried.
        let (graphs, counterexample) = (0..4).find_map(|i| {
            let seed = self.life.wrapping_add(i * 7919);
            let found = meet(&life, seed, GRAPHS, &mut counts)?;
            is_alike(&found.failure, &self.counterexample.failure).then_some((seed, found))
        })?;
        // What has become of no effect goes too.
        let kept = life.done.iter().map(|index| kept[*index]).collect();
        Some((life, Found { kept, graphs, counterexample, ..*self }))
    }

    /// What these steps and graphs of a random life refute, if they still do.
    pub(crate) fn again(life: u64, kept: Vec<usize>, graphs: u64, without: Without) -> Option<Found> {
        let all = steps(life);
        let steps: Vec<_> = kept.iter().filter_map(|index| all.get(*index)).copied().collect();
        let lived = Life::of(&steps, without);
        let counterexample = meet(&lived, graphs, GRAPHS, &mut Counts::default())?;
        let counterexample = shrink_graph(&lived, counterexample);
        Some(Found { life, kept, graphs, without, counterexample })
    }
}

/// The same failure with as few steps, and as small a graph, as dropping them leads to.
fn shrink(mut found: Found, mut life: Life) -> Found {
    let mut size = found.kept.len().div_ceil(2).max(1);
    loop {
        let (mut start, before) = (0, found.kept.len());
        while start < found.kept.len() {
            let mut fewer = found.kept.clone();
            fewer.drain(start..(start + size).min(fewer.len()));
            match found.with(&fewer) {
                Some(smaller) => (life, found) = smaller,
                None => start += size,
            }
        }
        if size == 1 && found.kept.len() == before {
            break;
        }
        size = (size / 2).max(1);
    }
    let counterexample = shrink_graph(&life, found.counterexample);
    Found { counterexample, ..found }
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
        found = Counterexample { reader, graph, failure, ..found };
    }
}

fn is_well_formed(graph: &Graph, defs: &crate::meaning::Defs) -> bool {
    graph.blocks.iter().flat_map(|block| &block.nodes).all(|node| {
        let def = &defs[&node.op];
        let args = |args: &[oplock_core::ArgDef], there: &oplock_registry::Map<String, Vec<String>>| {
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

/// What happens in a counterexample.
pub(crate) struct Told {
    pub(crate) steps: Vec<String>,
    pub(crate) written: String,
    pub(crate) nodes: Vec<String>,
    pub(crate) read: String,
}

impl Found {
    /// For a person.
    pub(crate) fn told(&self) -> Told {
        let life = self.life_of(&self.kept);
        let all = steps(self.life);
        let Counterexample { writer, reader, how, graph, failure } = &self.counterexample;
        let whose = |release: &crate::package::Release| if release.is_branch { " of the maintenance line" } else { "" };
        let (writer, reader) = (&life.releases[*writer], &life.releases[*reader]);
        let how = how.map_or("saved".to_owned(), |how| format!("exported for a {how} model"));
        Told {
            steps: self.kept.iter().map(|index| all[*index].to_string()).collect(),
            written: format!("{how} by {}{}", writer.version, whose(writer)),
            nodes: nodes(graph),
            read: format!("read by {}{}, it {failure}", reader.version, whose(reader)),
        }
    }

    pub(crate) fn tell(&self) -> String {
        let Told { steps, written, nodes, read } = self.told();
        format!("life {}\n  {}\n{written}:\n  {}\n{read}", self.life, steps.join("\n  "), nodes.join("\n  "))
    }
}

/// The nodes of a graph, each on a line.
fn nodes(graph: &Graph) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, block) in graph.blocks.iter().enumerate() {
        for node in &block.nodes {
            let mut items: Vec<String> = Vec::new();
            items.extend(node.inputs.iter().map(|(name, variables)| format!("{name}: {}", variables.join(" "))));
            items.extend(node.attrs.iter().map(|(name, value)| format!("{name} = {value}")));
            items.extend(node.extra.iter().map(|(name, value)| format!("{name} = {value} (Extra)")));
            let outputs: Vec<String> =
                node.outputs.iter().map(|(name, variables)| format!("{name}: {}", variables.join(" "))).collect();
            let block = if index == 0 { String::new() } else { format!("in block {index}: ") };
            lines.push(format!("{block}{} ({}) -> ({})", node.op, items.join(", "), outputs.join(", ")));
        }
    }
    lines
}
