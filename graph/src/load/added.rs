//! Attributes that a graph states at the default with which its writer added them, and that no release which the reader shares with
//! the writer had: dropped before upgrades, so that no function counts them, and none is taken for what has its name here.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{Map, Value};

use crate::check::Checked;
use crate::faults::Fault;
use crate::history::Line;
use crate::model::Block;
use crate::program::Program;
use crate::report::{Note, Place, Report};

/// The defaults with which the attributes of each operator were added.
pub(crate) type Added = BTreeMap<String, Map<String, Value>>;

/// Drops them from the nodes.
pub(super) fn drop_attrs(
    program: &Program,
    checked: &Checked<'_>,
    added: &Added,
    blocks: &mut [Block],
    report: &mut Report,
) {
    if !program.faults.keeps(Fault::OnlySharedAttrsAreSeen) {
        return;
    }
    let unknown: BTreeMap<&str, BTreeSet<&str>> =
        added.iter().filter_map(|(op, attrs)| Some((op.as_str(), unknown(checked, op, attrs)?))).collect();
    if unknown.is_empty() {
        return;
    }
    for (block, nodes) in blocks.iter_mut().enumerate() {
        for (node, found) in nodes.nodes.iter_mut().enumerate() {
            let Some(names) = unknown.get(found.op.as_str()) else { continue };
            let op = &found.op;
            found.attrs.retain(|name, value| {
                let is_dropped = names.contains(name.as_str()) && is_added(added, op, name, value);
                if is_dropped {
                    let at = Some(Place { block, node });
                    report.note(Note::DroppedDefault { path: format!("{op}.{name}") }, at, 1);
                }
                !is_dropped
            });
        }
    }
}

/// The attributes of an operator that no shared release promised; `None` where there is none.
fn unknown<'g>(checked: &Checked<'_>, op: &str, attrs: &'g Map<String, Value>) -> Option<BTreeSet<&'g str>> {
    let route = checked.routes.get(op)?;
    let origin = &checked.origins[route.origin];
    // Data of which nothing is promised is taken as it is.
    if !origin.is_promised {
        return None;
    }
    let lock = &route.package.lock;
    let line = Line::of(lock);
    let (rows, entry, shared) = (line.rows(lock, op), lock.ops.get(op), line.release(origin.release.as_ref()));
    let names = attrs.keys().map(String::as_str);
    let unknown: BTreeSet<_> = names.filter(|name| !line.had_attr(&rows, entry, name, shared)).collect();
    (!unknown.is_empty()).then_some(unknown)
}

/// Whether an attribute stands at the default with which it was added: a reader that does not know it loses nothing.
pub(super) fn is_added(added: &Added, op: &str, name: &str, value: &Value) -> bool {
    added.get(op).and_then(|attrs| attrs.get(name)) == Some(value)
}
