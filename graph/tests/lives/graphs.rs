//! Random graphs that are well formed by the definitions of a release.

use oplock_core::{AttrDef, AttrType, Deprecated, Kind, OpDef, Part, ScalarType, Value};
use oplock_graph::{Block, Graph};
use oplock_registry::Node;

use crate::dice::Dice;
use crate::meaning::Defs;
use crate::transform::is_required;

/// A graph of few nodes, sometimes with a sub-graph; of one that `uses_deprecated` no writer knows that it must not.
pub(crate) fn random(dice: &mut Dice, defs: &Defs, uses_deprecated: bool) -> Graph {
    let ops: Vec<&OpDef> = defs.values().filter(|def| uses_deprecated || is_usable(def)).collect();
    let interesting: Vec<&OpDef> = ops.iter().copied().filter(|def| !["c", "t", "w"].contains(&&*def.name)).collect();
    let mut maker = Maker { dice, uses_deprecated, variables: vec!["x".to_owned()], next: 0 };
    let mut main = Block { inputs: vec!["x".to_owned()], ..Block::default() };
    for _ in 0..=maker.dice.below(2) {
        let op = if maker.dice.once_in(8) { maker.dice.pick(&ops) } else { maker.dice.pick(&interesting) };
        if let Some(op) = op.filter(|op| op.name != "w") {
            main.nodes.push(maker.node(op, None));
        }
    }
    let mut blocks = Vec::new();
    if maker.dice.once_in(4) {
        let mut below = Block { inputs: vec!["x".to_owned()], ..Block::default() };
        below.nodes.extend(interesting.first().map(|_| {
            let op = interesting[maker.dice.below(interesting.len())];
            maker.node(op, None)
        }));
        blocks.push(below);
        main.nodes.push(maker.node(&defs["w"], Some(1)));
    }
    if let Some(last) = maker.variables.last() {
        main.outputs.push(last.clone());
    }
    blocks.insert(0, main);
    Graph { blocks, ..Graph::default() }
}

/// Whether new graphs may have an operator: neither it nor anything that it asks for is deprecated.
fn is_usable(def: &OpDef) -> bool {
    let mut args = def.inputs.iter().chain(def.outputs.iter());
    def.is_guarded()
        && def.deprecated.is_none()
        && !args.any(|arg| is_required(arg) && arg.deprecated.is_some())
        && !def.attrs.iter().any(|attr| attr.default.is_none() && attr.deprecated.is_some())
}

struct Maker<'d> {
    dice: &'d mut Dice,
    uses_deprecated: bool,
    variables: Vec<String>,
    next: usize,
}

impl Maker<'_> {
    fn may_use(&self, deprecated: Option<&Deprecated>) -> bool {
        deprecated.is_none() || self.uses_deprecated
    }

    fn node(&mut self, def: &OpDef, block: Option<u32>) -> Node {
        let mut node = Node::new(def.name.to_string());
        for arg in def.inputs.iter() {
            let is_there = is_required(arg) || (self.may_use(arg.deprecated.as_ref()) && self.dice.once_in(2));
            if !is_there {
                continue;
            }
            let count = if arg.duplicable { 1 + self.dice.below(2) } else { 1 };
            let variables = (0..count).map(|_| self.dice.pick(&self.variables).cloned().unwrap_or_default()).collect();
            node.inputs.insert(arg.name.to_string(), variables);
        }
        for attr in def.attrs.iter() {
            let is_there = attr.default.is_none() && attr.part != Part::Extra
                || (self.may_use(attr.deprecated.as_ref()) && !self.dice.once_in(3));
            if is_there {
                let value = match block.filter(|_| attr.ty.scalar == ScalarType::Block) {
                    Some(block) => Value::Block(block),
                    None => value(self.dice, attr),
                };
                node.attrs_of_mut(attr.part).insert(attr.name.to_string(), value);
            }
        }
        let mut made = Vec::new();
        for arg in def.outputs.iter() {
            if is_required(arg) || (self.may_use(arg.deprecated.as_ref()) && self.dice.once_in(2)) {
                let count = if arg.duplicable { 1 + self.dice.below(2) } else { 1 };
                let variables: Vec<_> = (0..count).map(|i| format!("y{}", self.next + i)).collect();
                self.next += count;
                // Whoever reads what is Extra is promised nothing.
                if arg.part != Part::Extra || self.dice.once_in(8) {
                    made.extend(variables.iter().cloned());
                }
                node.outputs.insert(arg.name.to_string(), variables);
            }
        }
        self.variables.extend(made);
        node
    }
}

fn value(dice: &mut Dice, attr: &AttrDef) -> Value {
    if let Some(default) = attr.default.as_ref().filter(|_| dice.once_in(4)) {
        return default.clone();
    }
    if attr.ty.optional && dice.once_in(4) {
        return Value::Absent;
    }
    let single = |dice: &mut Dice| match attr.ty.scalar {
        ScalarType::I32 => Value::I32([0, 1, -5, i32::MAX][dice.below(4)]),
        ScalarType::I64 => Value::I64([0, 1, 2, 1 << 40][dice.below(4)]),
        ScalarType::F32 => Value::F32([0.1, 1.0, 0.0, -0.0][dice.below(4)]),
        ScalarType::F64 => Value::F64([0.1, 1.0, f64::from(0.1_f32), -0.0][dice.below(4)]),
        ScalarType::String => match dice.pick(&attr.values) {
            Some(value) => Value::String(value.clone()),
            None => Value::String(["u", "v", "other"][dice.below(3)].into()),
        },
        other => panic!("{other:?} is no type of these lives"),
    };
    match attr.ty {
        AttrType { depth: 0, .. } => single(dice),
        _ => Value::list((0..dice.below(3)).map(|_| single(dice)).collect()),
    }
}

/// Whether a graph has a variable at an operand that is Extra.
pub(crate) fn uses_extra_output(graph: &Graph, defs: &Defs) -> bool {
    let nodes = graph.blocks.iter().flat_map(|block| &block.nodes);
    nodes.clone().any(|node| {
        let outputs = &defs[&node.op].outputs;
        outputs.iter().filter(|arg| arg.part == Part::Extra).any(|arg| {
            let made = node.args(Kind::Output).get(arg.name.as_ref()).into_iter().flatten();
            let read: Vec<&String> = nodes
                .clone()
                .flat_map(|node| node.inputs.values().flatten())
                .chain(graph.blocks.iter().flat_map(|block| &block.outputs))
                .collect();
            made.clone().any(|variable| read.contains(&variable))
        })
    })
}
