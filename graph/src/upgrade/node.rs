//! What a step makes of one node, and of what the graph says of its items.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{Kind, Value};
use oplock_registry::{Map, Node};

use super::steps::{Derived, Rename, widened};
use crate::load::NodeProblem;

/// What a graph says of its items beside the nodes.
pub(crate) struct Tables {
    /// The defaults with which attributes were added.
    pub(crate) added: BTreeMap<String, Map<String, Value>>,
    /// The inputs and outputs that were Extra for the writer.
    pub(crate) extra: BTreeMap<String, BTreeSet<(Kind, String)>>,
}

pub(super) fn fill(node: &mut Node, defaults: &[(String, Value)]) -> bool {
    let mut is_changed = false;
    for (attr, value) in defaults {
        if !node.attrs.contains_key(attr) {
            node.attrs.insert(attr.clone(), value.clone());
            is_changed = true;
        }
    }
    is_changed
}

pub(super) fn apply(node: &mut Node, step: &Derived, tables: &mut Tables) -> Result<bool, NodeProblem> {
    match step {
        Derived::Fill { attr, value } => Ok(fill(node, &[(attr.clone(), value.clone())])),
        Derived::Widen { attr, to } => {
            let Some(value) = node.attrs.get_mut(attr) else { return Ok(false) };
            let wide = widened(value, Some(*to));
            let is_changed = wide != *value;
            *value = wide;
            Ok(is_changed)
        }
        Derived::Drop { attr, value } => {
            let is_it = node.attrs.get(attr) == Some(value);
            if is_it {
                node.attrs.remove(attr);
            }
            Ok(is_it)
        }
        Derived::Rename(rename) => rename_item(node, rename, tables),
        Derived::RenameOp { to, fill: defaults, items } => {
            let is_stated: Vec<_> = items.iter().map(|rename| node.attrs.contains_key(&rename.from)).collect();
            fill(node, defaults);
            move_tables(tables, &node.op, to);
            to.clone_into(&mut node.op);
            for (rename, is_stated) in items.iter().zip(is_stated) {
                rename_item(node, rename, tables).map_err(|mut problem| {
                    if let NodeProblem::BothNames { kind: Kind::Attr, is_absent, .. } = &mut problem {
                        *is_absent = !is_stated;
                    }
                    problem
                })?;
            }
            Ok(true)
        }
    }
}

/// What a graph says of an operator holds for its new name too.
pub(super) fn move_tables(tables: &mut Tables, from: &str, to: &str) {
    if let Some(added) = tables.added.get(from).filter(|_| !tables.added.contains_key(to)) {
        let added = added.clone();
        tables.added.insert(to.to_owned(), added);
    }
    if let Some(extra) = tables.extra.get(from).filter(|_| !tables.extra.contains_key(to)) {
        let extra = extra.clone();
        tables.extra.insert(to.to_owned(), extra);
    }
}

pub(super) fn rename_item(node: &mut Node, rename: &Rename, tables: &mut Tables) -> Result<bool, NodeProblem> {
    let Rename { kind, from, to, default, ty } = rename;
    let both = || NodeProblem::BothNames { kind: *kind, old: from.clone(), new: to.clone(), is_absent: false };
    if *kind == Kind::Attr {
        let stated = node.attrs.remove(from);
        if node.attrs.contains_key(to) {
            return if stated.is_some() { Err(both()) } else { Ok(false) };
        }
        let Some(value) = stated.or_else(|| default.clone()) else { return Ok(false) };
        node.attrs.insert(to.clone(), widened(&value, *ty));
        return Ok(true);
    }
    let args = if *kind == Kind::Input { &mut node.inputs } else { &mut node.outputs };
    let Some(variables) = args.remove(from).filter(|variables| !variables.is_empty()) else { return Ok(false) };
    if args.get(to).is_some_and(|variables| !variables.is_empty()) {
        return Err(both());
    }
    args.insert(to.clone(), variables);
    if tables.extra.get(&node.op).is_some_and(|items| items.contains(&(*kind, from.clone()))) {
        tables.extra.entry(node.op.clone()).or_default().insert((*kind, to.clone()));
    }
    Ok(true)
}
