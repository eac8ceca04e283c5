//! Variables that upgrade functions replaced by others.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use oplock_registry::Node;

use super::variables::change_variables;
use crate::load::convert::for_each_block;

/// What readers of a variable read instead, by block.
#[derive(Debug, Default)]
pub(super) struct Forwards {
    blocks: BTreeMap<u32, HashMap<String, String>>,
}

impl Forwards {
    pub(super) fn add(&mut self, block: u32, from: String, to: String) {
        self.blocks.entry(block).or_default().insert(from, to);
    }

    /// Lets all readers in the blocks, and in those below them that do not define the variable themselves, read what stands in
    /// its place.
    pub(super) fn apply<'n>(
        mut self,
        nodes: impl Iterator<Item = (u32, &'n mut Node)>,
        inputs: &[Vec<String>],
        outputs: &mut [Vec<String>],
    ) {
        if self.blocks.is_empty() {
            return;
        }
        let mut by_block: BTreeMap<u32, Vec<&mut Node>> = BTreeMap::new();
        for (block, node) in nodes {
            by_block.entry(block).or_default().push(node);
        }
        self.inherit(&by_block, inputs);
        for (block, forwards) in &self.blocks {
            for node in by_block.get_mut(block).into_iter().flatten() {
                for variable in node.inputs.values_mut().flatten() {
                    follow(forwards, variable);
                }
                let follow = |variable: &mut String| follow(forwards, variable);
                node.attrs.values_mut().for_each(|value| change_variables(value, &follow));
            }
            for variable in outputs.get_mut(*block as usize).into_iter().flatten() {
                follow(forwards, variable);
            }
        }
    }

    /// Gives each block what holds in the blocks above it, where nothing of its own holds.
    fn inherit(&mut self, nodes: &BTreeMap<u32, Vec<&mut Node>>, inputs: &[Vec<String>]) {
        let mut open: Vec<u32> = self.blocks.keys().copied().collect();
        // A block gets each only once, so this ends, also where damaged blocks contain each other.
        while let Some(block) = open.pop() {
            let mut below = Vec::new();
            for value in nodes.get(&block).into_iter().flatten().flat_map(|node| node.attrs.values()) {
                for_each_block(value, &mut |block| below.push(block));
            }
            let own = self.blocks.get(&block).cloned().unwrap_or_default();
            for below in below {
                let here = nodes.get(&below).into_iter().flatten();
                let outputs = here.flat_map(|node| node.outputs.values().flatten());
                let defined: HashSet<&String> =
                    inputs.get(below as usize).into_iter().flatten().chain(outputs).collect();
                let mut is_new = false;
                for (from, to) in own.iter().filter(|(from, _)| !defined.contains(from)) {
                    let forwards = self.blocks.entry(below).or_default();
                    if let Entry::Vacant(free) = forwards.entry(from.clone()) {
                        free.insert(to.clone());
                        is_new = true;
                    }
                }
                if is_new {
                    open.push(below);
                }
            }
        }
    }
}

/// The last variable of the chain; a ring of forwards ends within it.
fn follow(forwards: &HashMap<String, String>, variable: &mut String) {
    for _ in 0..forwards.len() {
        let Some(to) = forwards.get(variable) else { return };
        variable.clone_from(to);
    }
}
