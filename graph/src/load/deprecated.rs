//! What a graph must no longer use, asked of its nodes as they were saved: what upgrades make of them, their author did not
//! use.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use oplock_core::{Deprecated, Kind, OpDef, Str, Value};

use super::NodeProblem;
use crate::check::{Checked, Origin};
use crate::faults::Fault;
use crate::history::{Line, endings};
use crate::model::Block;
use crate::program::{Package, Program};
use crate::report::{Place, Problem, Refused};
use crate::upgrade::defaults_before;

/// What nodes of one operator must not have, since they were saved at a data version at which it was deprecated.
struct Forbidden<'p> {
    package: &'p Package,
    producer: u32,
    op: Option<&'p Deprecated>,
    args: Vec<(Kind, &'p str, &'p Deprecated)>,
    /// With the default of that time, which uses nothing, stated or not.
    attrs: Vec<(&'p str, &'p Deprecated, Option<Value>)>,
}

impl<'p> Forbidden<'p> {
    /// `None` where nothing is.
    fn of(package: &'p Package, op: &str, origin: &Origin) -> Option<Self> {
        let def = package.read_as(op)?;
        let producer = origin.uses;
        let is_over = |deprecated: &'p Option<Deprecated>| deprecated.as_ref().filter(|d| producer >= d.version);
        let mut forbidden =
            Forbidden { package, producer, op: is_over(&def.deprecated), args: Vec::new(), attrs: Vec::new() };
        let line = LazyCell::new(|| Line::of(&package.lock));
        let went = |name: &str, item: Option<(Kind, &str)>| went(package, &line, origin, [op, name], item);
        // What has the name today may be another operator, or another item, than what had it then.
        let is_known = |kind, name: &str| !has(def, kind, name) || !went(&def.name, Some((kind, name)));
        for kind in [Kind::Input, Kind::Output] {
            for arg in def.args(kind) {
                let Some(deprecated) = is_over(&arg.deprecated) else { continue };
                let names = names(def, kind, &arg.name, &arg.aliases).filter(|name| is_known(kind, name));
                forbidden.args.extend(names.map(|name| (kind, name, deprecated)));
            }
        }
        let defaults = LazyCell::new(|| defaults_before(package, &line, op, producer.saturating_add(1)));
        for attr in def.attrs.iter() {
            let Some(deprecated) = is_over(&attr.deprecated) else { continue };
            for name in names(def, Kind::Attr, &attr.name, &attr.aliases).filter(|name| is_known(Kind::Attr, name)) {
                // Where it had none then, that of today.
                let then = defaults.iter().find(|(attr, _)| attr == name).map(|(_, value)| value);
                forbidden.attrs.push((name, deprecated, then.or(attr.default.as_ref()).cloned()));
            }
        }
        let is_any = forbidden.op.is_some() || !forbidden.args.is_empty() || !forbidden.attrs.is_empty();
        let is_other = || package.ops.contains_key(op) && went(op, None);
        (is_any && !is_other()).then_some(forbidden)
    }

    fn problem(&self, deprecated: &Deprecated, item: Option<(Kind, &str)>) -> NodeProblem {
        NodeProblem::Deprecated {
            package: self.package.name.clone(),
            item: item.map(|(kind, name)| (kind, name.to_owned())),
            version: deprecated.version,
            producer: self.producer,
            note: deprecated.note.to_string(),
        }
    }
}

/// Whether an operator, or an item that it has by one of its names, was deleted after the last release that writer and reader share.
fn went(package: &Package, line: &Line<'_>, origin: &Origin, ops: [&str; 2], item: Option<(Kind, &str)>) -> bool {
    let shared = line.release(origin.release.as_ref());
    endings(&package.lock, ops, item).any(|(key, row)| {
        // An item that goes with its operator, which is renamed, is still what it was.
        let is_own = item.is_none() || row.rule != "op_deleted";
        is_own && line.release(key.release.as_ref()) > shared
    })
}

fn has(def: &OpDef, kind: Kind, name: &str) -> bool {
    def.item_names().any(|item| item == (kind, name))
}

/// The name of an item, and those under which it was saved before and nothing else is now.
fn names<'p>(def: &OpDef, kind: Kind, name: &'p str, aliases: &'p [Str]) -> impl Iterator<Item = &'p str> {
    let free = aliases.iter().map(AsRef::as_ref).filter(move |alias| !has(def, kind, alias));
    std::iter::once(name).chain(free)
}

/// Refuses what was deprecated when the graph was saved.
pub(super) fn refuse<'p>(program: &'p Program, checked: &Checked<'p>, blocks: &[Block], refused: &mut Refused) {
    if !program.faults.keeps(Fault::DeprecatedIsRefused) {
        return;
    }
    let mut ops = BTreeMap::new();
    for (op, route) in &checked.routes {
        let origin = &checked.origins[route.origin];
        ops.extend(Forbidden::of(route.package, op, origin).map(|forbidden| (op.as_str(), forbidden)));
    }
    if ops.is_empty() {
        return;
    }
    for (block, nodes) in blocks.iter().enumerate() {
        for (node, found) in nodes.nodes.iter().enumerate() {
            let Some(forbidden) = ops.get(found.op.as_str()) else { continue };
            let mut push = |deprecated: &Deprecated, item: Option<(Kind, &str)>| {
                let (at, problem) = (Place { block, node }, Box::new(forbidden.problem(deprecated, item)));
                refused.push(Problem::Node { at, op: found.op.clone(), problem });
            };
            if let Some(deprecated) = forbidden.op {
                push(deprecated, None);
            }
            for (kind, name, deprecated) in &forbidden.args {
                if found.args(*kind).get(*name).is_some_and(|variables| !variables.is_empty()) {
                    push(deprecated, Some((*kind, name)));
                }
            }
            for (name, deprecated, default) in &forbidden.attrs {
                if found.attrs.get(*name).is_some_and(|value| Some(value) != default.as_ref()) {
                    push(deprecated, Some((Kind::Attr, name)));
                }
            }
        }
    }
}
