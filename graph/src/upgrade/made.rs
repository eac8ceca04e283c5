//! What functions made of nodes, so that a fault that comes of it is told as theirs and not as the file's.

use std::collections::HashMap;

use oplock_core::lock::RowKey;
use oplock_core::{COMMON, Kind};

use crate::check::Checked;
use crate::load::NodeProblem;
use crate::program::Package;
use crate::report::{Place, Problem};

/// What one function did to one node.
#[derive(Debug)]
pub(super) struct Touch {
    /// The package, the operator that the node was of, and the data version before which it was saved.
    pub(super) function: (usize, String, u32),
    /// What it set, renamed or removed; `None` where it made the node, or one of another operator.
    pub(super) items: Option<Vec<(Kind, String)>>,
}

/// What functions did to the nodes of an upgraded graph.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    nodes: HashMap<Place, Vec<Touch>>,
    packages: Vec<String>,
}

impl Touched {
    /// `packages` are those that a touch names by number.
    pub(super) fn new(packages: Vec<String>) -> Self {
        Touched { nodes: HashMap::new(), packages }
    }

    pub(super) fn add(&mut self, at: Place, touches: Vec<Touch>) {
        self.nodes.insert(at, touches);
    }

    /// Says of each problem that comes of what a function did which function that was.
    pub(crate) fn blame(&self, problems: &mut [Problem]) {
        for found in problems {
            let Problem::Node { at, problem, .. } = found else { continue };
            let Some(touches) = self.nodes.get(at) else { continue };
            let item = problem.item();
            let is_of = |touch: &&Touch| match (&touch.items, &item) {
                (None, _) => true,
                (Some(items), Some((kind, name))) => items.iter().any(|(k, n)| k == kind && n == name),
                (Some(_), None) => false,
            };
            let Some(Touch { function: (package, op, before), .. }) = touches.iter().rev().find(is_of) else {
                continue;
            };
            let package = self.packages.get(*package).cloned().unwrap_or_default();
            **problem = NodeProblem::Made { package, op: op.clone(), before: *before, problem: problem.clone() };
        }
    }
}

/// Says of each item which nothing here promises any more, and which a function was to make something else of, which function left it.
pub(crate) fn blame_left(checked: &Checked<'_>, problems: &mut [Problem]) {
    for found in problems {
        let Problem::Node { op, problem, .. } = found else { continue };
        let NodeProblem::UnknownItem { kind, name, .. } = &**problem else { continue };
        let Some(route) = checked.routes.get(op) else { continue };
        let (package, saved) = (route.package, checked.origins[route.origin].version);
        let is_of = |key: &RowKey| key.item.as_ref().is_some_and(|(of, item)| of == kind && item == name);
        let mut rows = package.lock.rows_of(op).filter(|(key, row)| is_of(key) && !row.to.is_guarded());
        let before = rows
            .find_map(|(key, row)| row.version.filter(|version| *version > saved && is_here(package, key, *version)));
        let Some(before) = before else { continue };
        let (package, op) = (package.name.clone(), op.clone());
        **problem = NodeProblem::Made { package, op, before, problem: problem.clone() };
    }
}

/// Whether the package has the function that a row counts on, and not only what stands in its place.
fn is_here(package: &Package, key: &RowKey, version: u32) -> bool {
    let of = |op: &str| package.upgrades.get(&(op.to_owned(), version));
    package.has_function(key, version)
        && of(&key.op).or_else(|| of(COMMON)).is_some_and(|function| !function.stands_in())
}
