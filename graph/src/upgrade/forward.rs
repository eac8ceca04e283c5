//! Variables that upgrade functions replaced by others.

use std::collections::{BTreeMap, HashMap, HashSet};

use oplock_core::Value;
use oplock_registry::Node;

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

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Lets all readers in the blocks, and in those below them that do not define the variable themselves, read what stands in
    /// its place.
    pub(super) fn apply<'n>(
        mut self,
        nodes: impl Iterator<Item = (u32, &'n mut Node)>,
        inputs: &[Vec<String>],
        outputs: &mut [Vec<String>],
    ) {
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
                node.attrs.values_mut().for_each(|value| follow_value(forwards, value));
            }
            for variable in outputs.get_mut(*block as usize).into_iter().flatten() {
                follow(forwards, variable);
            }
        }
    }

    /// Gives each block what holds in the blocks above it.
    fn inherit(&mut self, nodes: &BTreeMap<u32, Vec<&mut Node>>, inputs: &[Vec<String>]) {
        let mut open: Vec<u32> = self.blocks.keys().copied().collect();
        let mut rounds = nodes.len().saturating_mul(nodes.len()).saturating_add(open.len());
        while let Some(block) = open.pop().filter(|_| rounds > 0) {
            rounds -= 1;
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
                    is_new |= forwards.insert(from.clone(), to.clone()).as_ref() != Some(to);
                }
                if is_new {
                    open.push(below);
                }
            }
        }
    }
}

/// The last variable of the chain; a ring of forwards ends where it began.
fn follow(forwards: &HashMap<String, String>, variable: &mut String) {
    let mut steps = 0;
    while let Some(to) = forwards.get(variable).filter(|_| steps <= forwards.len()) {
        variable.clone_from(to);
        steps += 1;
    }
}

fn follow_value(forwards: &HashMap<String, String>, value: &mut Value) {
    match value {
        Value::Var(name) if forwards.contains_key(name.as_ref()) => {
            let mut owned = name.to_string();
            follow(forwards, &mut owned);
            *name = owned.into();
        }
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Var(_) | Value::List(_))) => {
            items.to_mut().iter_mut().for_each(|item| follow_value(forwards, item));
        }
        _ => {}
    }
}
