//! Exporting: saving without what a float or a quantised model does not need.

use std::collections::BTreeMap;

use oplock_core::{Kind, Part, Value, is_unguarded_name};
use oplock_registry::Node;

use crate::load::blocks::reached;
use crate::load::node::{DroppedOutput, Pass};
use crate::load::plan::{Plan, Plans};
use crate::load::{NodeProblem, refuse_read};
use crate::model::{Block, Export, Graph};
use crate::program::Program;
use crate::report::{Note, Place, Problem, Refused};
use crate::save::Saved;

/// How a graph is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Whether Quant items that are not at their defaults are dropped from a quantised model. Someone has applied them.
    pub drop_quant: bool,
}

impl Program {
    /// A graph for a float or a quantised model: without Extra items, for a quantised one without Quant items, and without
    /// blocks that nothing refers to. Otherwise as [`Program::save`].
    ///
    /// Extra values that were not at their defaults are reported.
    ///
    /// # Errors
    ///
    /// As [`Program::save`]; and when something reads an output that would be removed, or a Quant value would be lost that is
    /// not at its default.
    pub fn export(&self, graph: &Graph, kind: Export, options: ExportOptions) -> Result<Saved, Refused> {
        if let Some(is) = graph.export.filter(|is| *is > kind) {
            let mut refused = Refused::default();
            refused.push(Problem::ExportedOtherwise { is, wanted: kind });
            return Err(refused);
        }
        // What a quantised model has of them by default, or from an upgrade, was none of it.
        let options = ExportOptions { drop_quant: options.drop_quant || graph.export == Some(Export::Quantised) };
        let (saved, _) = self.written(graph.clone(), |graph, plans, pass| clip(graph, plans, pass, kind, options))?;
        Ok(saved)
    }
}

/// Whether an export removes an item.
#[doc(hidden)]
pub fn is_clipped(part: Part, name: &str, kind: Export) -> bool {
    is_unguarded_name(name)
        || match part {
            Part::Def => false,
            Part::Quant => kind == Export::Quantised,
            Part::Extra => true,
        }
}

fn clip(graph: &mut Graph, plans: &Plans<'_>, pass: &mut Pass<'_>, kind: Export, options: ExportOptions) {
    let mut dropped = Vec::new();
    for (index, block) in graph.blocks.iter_mut().enumerate() {
        for (node, found) in block.nodes.iter_mut().enumerate() {
            let at = Place { block: index, node };
            if let Some(Ok(plan)) = plans.known(&found.op) {
                clip_node(plan, found, at, kind, options, pass, &mut dropped);
            }
        }
    }
    let because = "would be removed by the export";
    refuse_read(dropped, &graph.blocks, because, &mut pass.refused);
    if pass.refused.problems.is_empty() {
        drop_blocks(&mut graph.blocks, pass);
    }
    graph.export = Some(kind);
}

fn clip_node(
    plan: &Plan<'_>,
    node: &mut Node,
    at: Place,
    export: Export,
    options: ExportOptions,
    pass: &mut Pass<'_>,
    dropped: &mut Vec<DroppedOutput>,
) {
    let path = |name: &str| format!("{}.{name}", plan.def.name);
    for (kind, args) in [(Kind::Input, &mut node.inputs), (Kind::Output, &mut node.outputs)] {
        for arg in plan.def.args(kind).iter().filter(|arg| is_clipped(arg.part, &arg.name, export)) {
            let Some(variables) = args.remove(arg.name.as_ref()) else { continue };
            let is_quant = arg.part == Part::Quant && !is_unguarded_name(&arg.name);
            if is_quant && kind == Kind::Input && !options.drop_quant {
                let value = format!("connected to {variables:?}");
                pass.problem(at, &plan.def.name, NodeProblem::QuantIsLost { kind, name: arg.name.to_string(), value });
            }
            let what = if is_quant {
                Note::ClippedQuant { path: path(&arg.name) }
            } else {
                Note::Clipped { path: path(&arg.name) }
            };
            pass.report.note(what, Some(at), 1);
            if kind == Kind::Output {
                let (op, output) = (plan.def.name.to_string(), arg.name.to_string());
                dropped.push(DroppedOutput { at, op, output, variables });
            }
        }
    }
    for attr in plan.def.attrs.iter().filter(|attr| is_clipped(attr.part, &attr.name, export)) {
        let Some(value) = node.attrs_of_mut(attr.part).remove(attr.name.as_ref()) else { continue };
        if attr.default.as_ref() == Some(&value) {
            continue;
        }
        let is_quant = attr.part == Part::Quant && !is_unguarded_name(&attr.name);
        if is_quant && !options.drop_quant {
            let (name, value) = (attr.name.to_string(), value.to_string());
            pass.problem(at, &plan.def.name, NodeProblem::QuantIsLost { kind: Kind::Attr, name, value });
        }
        let what = if is_quant {
            Note::ClippedQuant { path: path(&attr.name) }
        } else {
            Note::Clipped { path: path(&attr.name) }
        };
        pass.report.note(what, Some(at), 1);
    }
}

/// Drops the blocks that the main one does not reach, and numbers the others anew.
fn drop_blocks(blocks: &mut Vec<Block>, pass: &mut Pass<'_>) {
    // What a clipped attribute named counts no more.
    let mut edges = Vec::new();
    for (from, block) in blocks.iter().enumerate() {
        let values = block.nodes.iter().flat_map(|node| node.attrs.values().chain(node.extra.values()));
        for value in values {
            crate::load::convert::for_each_block(value, &mut |to| {
                edges.push(crate::load::blocks::Edge { from: u32::try_from(from).unwrap_or(u32::MAX), to });
            });
        }
    }
    let reached = reached(&crate::load::blocks::sorted(edges), blocks);
    if reached.iter().all(|reached| *reached) {
        return;
    }
    pass.report.note(Note::DroppedBlocks, None, reached.iter().filter(|reached| !**reached).count());
    let mut numbers = BTreeMap::new();
    for (old, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
        let new = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        numbers.insert(u32::try_from(old).unwrap_or(u32::MAX), new);
    }
    let mut kept = reached.into_iter();
    blocks.retain(|_| kept.next() == Some(true));
    for node in blocks.iter_mut().flat_map(|block| &mut block.nodes) {
        for value in node.attrs.values_mut().chain(node.extra.values_mut()) {
            renumber(value, &numbers);
        }
    }
}

fn renumber(value: &mut Value, numbers: &BTreeMap<u32, u32>) {
    match value {
        Value::Block(block) => *block = numbers.get(block).copied().unwrap_or(*block),
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Block(_) | Value::List(_))) => {
            items.to_mut().iter_mut().for_each(|item| renumber(item, numbers));
        }
        _ => {}
    }
}
