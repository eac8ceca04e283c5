//! Operands that were Extra for the writer: dropped before upgrades where they are not Extra here, so that no upgrade takes
//! them for what is promised under their names today.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{Kind, OpDef, Part};

use super::node::DroppedOutput;
use crate::check::Checked;
use crate::faults::Fault;
use crate::model::Block;
use crate::program::Program;
use crate::report::{Note, Place, Report};

/// Drops them, and leaves in the table only what is Extra here too; returns the outputs that were dropped.
pub(super) fn drop_operands(
    program: &Program,
    checked: &Checked<'_>,
    table: &mut BTreeMap<String, BTreeSet<(Kind, String)>>,
    blocks: &mut [Block],
    report: &mut Report,
) -> Vec<DroppedOutput> {
    let mut dropped = Vec::new();
    if !program.faults.keeps(Fault::ExtraStaysApart) {
        return dropped;
    }
    let mut gone: BTreeMap<String, BTreeSet<(Kind, String)>> = BTreeMap::new();
    for (op, items) in table.iter_mut() {
        let home = checked.routes.get(op).map(|route| route.moved_to.unwrap_or(route.package));
        let def = home.and_then(|package| package.read_as(op));
        let is_extra = |(kind, name): &(Kind, String)| def.is_some_and(|def| is_extra(def, *kind, name));
        let (kept, other) = std::mem::take(items).into_iter().partition(is_extra);
        *items = kept;
        gone.insert(op.clone(), other);
    }
    gone.retain(|_, items| !items.is_empty());
    if gone.is_empty() {
        return dropped;
    }
    for (block, nodes) in blocks.iter_mut().enumerate() {
        for (node, found) in nodes.nodes.iter_mut().enumerate() {
            let Some(gone) = gone.get(&found.op) else { continue };
            let at = Place { block, node };
            for (kind, args) in [(Kind::Input, &mut found.inputs), (Kind::Output, &mut found.outputs)] {
                args.retain(|name, variables| {
                    let is_gone = gone.contains(&(kind, name.clone()));
                    if is_gone && !variables.is_empty() {
                        report.note(Note::DroppedExtra { path: format!("{}.{name}", found.op) }, Some(at), 1);
                        if kind == Kind::Output {
                            let (op, output, variables) = (found.op.clone(), name.clone(), std::mem::take(variables));
                            dropped.push(DroppedOutput { at, op, output, variables });
                        }
                    }
                    !is_gone
                });
            }
        }
    }
    dropped
}

/// Whether what has that name today, or had it before, is Extra.
fn is_extra(def: &OpDef, kind: Kind, name: &str) -> bool {
    let renamed = || def.item_of_alias(kind, name).and_then(|name| def.arg(kind, name));
    def.arg(kind, name).or_else(renamed).is_some_and(|arg| arg.part == Part::Extra)
}
