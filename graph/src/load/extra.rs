//! Operands that were Extra for the writer: dropped before upgrades where they are not Extra here, or were not at some release between,
//! so that no upgrade takes them for what is promised under their names.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{Kind, Lock, OpDef, Part};

use super::node::DroppedOutput;
use crate::check::{Checked, Route};
use crate::faults::Fault;
use crate::history::endings;
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
        let stays = checked.routes.get(op).and_then(|route| Stays::of(checked, route, op));
        let (kept, other) = std::mem::take(items)
            .into_iter()
            .partition(|(kind, name)| stays.as_ref().is_some_and(|s| s.holds(*kind, name)));
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

/// Which operands of one operator are Extra throughout, from the writer to this program.
struct Stays<'p> {
    op: &'p str,
    def: &'p OpDef,
    /// The lock of its package, and that of the one to which it moved, each with the data version as of which the graph is taken there.
    pasts: Vec<(&'p Lock, u32)>,
}

impl<'p> Stays<'p> {
    /// `None` where none of them is: the operator is not here.
    fn of(checked: &Checked<'_>, route: &Route<'p>, op: &'p str) -> Option<Self> {
        let def = route.moved_to.unwrap_or(route.package).read_as(op)?;
        let own = (&route.package.lock, checked.origins[route.origin].version);
        let pasts = std::iter::once(own).chain(route.moved_to.map(|heir| (&heir.lock, 0))).collect();
        Some(Stays { op, def, pasts })
    }

    /// Whether what has that name today, or had it before, is Extra, and no release since promised anything of it for which an upgrade
    /// function could take it.
    fn holds(&self, kind: Kind, name: &str) -> bool {
        let names = [Some(name), self.def.item_of_alias(kind, name)];
        let found = names.iter().flatten().find_map(|name| self.def.arg(kind, name));
        found.is_some_and(|arg| arg.part == Part::Extra)
            && !names.into_iter().flatten().any(|name| self.was_promised(kind, name))
    }

    fn was_promised(&self, kind: Kind, name: &str) -> bool {
        self.pasts.iter().any(|(lock, version)| {
            let mut rows = endings(lock, [self.op, &self.def.name], Some((kind, name)));
            rows.any(|(_, row)| row.version.is_none_or(|of| of > *version))
        })
    }
}
