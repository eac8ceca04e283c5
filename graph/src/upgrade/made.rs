//! What functions made of nodes, so that a fault that comes of it is told as theirs and not as the file's.

use std::collections::HashMap;

use oplock_core::Kind;

use crate::load::NodeProblem;
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
            let item = item_of(problem);
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

/// The item with which something is wrong.
fn item_of(problem: &NodeProblem) -> Option<(Kind, &str)> {
    match problem {
        NodeProblem::UnknownItem { kind, name, .. }
        | NodeProblem::NotConnected { kind, name }
        | NodeProblem::TooMany { kind, name, .. }
        | NodeProblem::Number { kind, name, .. }
        | NodeProblem::OperandType { kind, name, .. }
        | NodeProblem::QuantIsLost { kind, name, .. } => Some((*kind, name)),
        NodeProblem::BothNames { kind, new, .. } => Some((*kind, new)),
        NodeProblem::NotExtra { name }
        | NodeProblem::MissingAttr { name }
        | NodeProblem::Type { name, .. }
        | NodeProblem::NotExact { name, .. }
        | NodeProblem::NotAllowed { name, .. }
        | NodeProblem::TooSmall { name, .. }
        | NodeProblem::NoSuchBlock { name, .. } => Some((Kind::Attr, name)),
        NodeProblem::OutputIsRead { output, .. } => Some((Kind::Output, output)),
        NodeProblem::Deprecated { item, .. } => item.as_ref().map(|(kind, name)| (*kind, name.as_str())),
        NodeProblem::UnknownOp { .. } | NodeProblem::Upgrade { .. } | NodeProblem::Made { .. } => None,
    }
}
