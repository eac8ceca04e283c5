//! Element types of operands. A graph of ours says none, and a model of another system may say some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use oplock_core::{ArgDef, ElementType, Kind, OpDef, TypeVar, Value};
use oplock_registry::Node;

use super::problem::NodeProblem;
use crate::model::Block;
use crate::report::Place;

/// The types of variables, as far as a model says them.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct VariableTypes {
    blocks: BTreeMap<usize, Scope>,
    open: BTreeSet<Place>,
}

#[derive(Clone, Debug, Default)]
struct Scope {
    /// The block whose variables it sees as well.
    outer: Option<usize>,
    types: BTreeMap<String, String>,
}

impl VariableTypes {
    /// A block sees the variables of another one, which comes before it.
    pub fn within(&mut self, block: usize, outer: usize) {
        self.blocks.entry(block).or_default().outer = Some(outer).filter(|outer| *outer < block);
    }

    /// Says the type of a variable; what was said first holds.
    pub fn say(&mut self, block: usize, variable: &str, ty: &str) {
        let types = &mut self.blocks.entry(block).or_default().types;
        if !types.contains_key(variable) {
            types.insert(variable.to_owned(), ty.to_owned());
        }
    }

    /// The types of a node's operands are said by who calls its block, and not known.
    pub fn leave_open(&mut self, at: Place) {
        self.open.insert(at);
    }

    /// Whether nothing is said of any variable.
    pub fn is_empty(&self) -> bool {
        self.blocks.values().all(|scope| scope.types.is_empty())
    }

    /// What a block writes is its own; what it reads may be of a block around it.
    fn get(&self, block: usize, kind: Kind, variable: &str) -> Option<&str> {
        let mut scope = self.blocks.get(&block);
        if kind == Kind::Output {
            return scope?.types.get(variable).map(String::as_str);
        }
        while let Some(found) = scope {
            if let Some(ty) = found.types.get(variable) {
                return Some(ty);
            }
            // An outer block has a lower number, so this ends.
            scope = found.outer.and_then(|outer| self.blocks.get(&outer));
        }
        None
    }

    /// Says the types of outputs that follow from definitions and attributes alone, whatever the order of the nodes.
    pub(super) fn say_outputs<'d>(&mut self, blocks: &[Block], def: impl Fn(&str) -> Option<&'d OpDef>) {
        let none = Bound::new();
        for (block, nodes) in blocks.iter().enumerate() {
            for (index, node) in nodes.nodes.iter().enumerate() {
                let Some(def) = def(&node.op) else { continue };
                if self.open.contains(&Place { block, node: index }) {
                    continue;
                }
                for arg in &*def.outputs {
                    for (index, variable) in node.outputs.get(arg.name.as_ref()).into_iter().flatten().enumerate() {
                        let expected = Expected::of(def, node, (arg, index), &none);
                        if let Some(ty) = expected.as_ref().and_then(Expected::only) {
                            self.say(block, variable, ty);
                        }
                    }
                }
            }
        }
    }

    /// What is wrong with the types of a node's operands. The types of its outputs that follow are known from then on.
    pub(super) fn judge(&mut self, def: &OpDef, node: &Node, at: Place) -> Vec<NodeProblem> {
        let mut problems = Vec::new();
        if self.open.contains(&at) {
            return problems;
        }
        let mut bound = Bound::new();
        for kind in [Kind::Input, Kind::Output] {
            for arg in def.args(kind) {
                for (index, variable) in node.args(kind).get(arg.name.as_ref()).into_iter().flatten().enumerate() {
                    let Some(expected) = Expected::of(def, node, (arg, index), &bound) else { continue };
                    let found = self.get(at.block, kind, variable);
                    if let Some(found) = found.filter(|found| !expected.allows(found)) {
                        let (name, variable) = (arg.name.to_string(), variable.clone());
                        let (found, expected) = (found.to_owned(), expected.to_string());
                        problems.push(NodeProblem::OperandType { kind, name, variable, found, expected });
                    }
                    let Some(ty) = found.or(expected.only()).map(str::to_owned) else { continue };
                    if kind == Kind::Output {
                        self.say(at.block, variable, &ty);
                    }
                    if let Expected::OneOf(var) = expected
                        && !arg.heterogeneous
                    {
                        // Also a type that it does not allow, so that one mistake is told once.
                        bound.insert(&var.name, (ty, &arg.name));
                    }
                }
            }
        }
        problems
    }
}

/// The types for which the variables of a definition stand in a node, each with the operand that says so.
type Bound<'d> = BTreeMap<&'d str, (String, &'d str)>;

/// What a definition says of the type of one of an operand's variables.
enum Expected<'d, 'b> {
    /// It is this one.
    Fixed(&'d str),
    /// It is what the attribute says.
    Said { ty: &'d str, attr: &'d str },
    /// It is what another operand has.
    Alike { ty: &'b str, other: &'d str, var: &'d str },
    /// It is one of these.
    OneOf(&'d TypeVar),
}

impl<'d, 'b> Expected<'d, 'b> {
    fn of(def: &'d OpDef, node: &'d Node, (arg, index): (&'d ArgDef, usize), bound: &'b Bound<'d>) -> Option<Self> {
        let name = match arg.ty.as_ref()? {
            ElementType::Fixed(ty) => return Some(Expected::Fixed(ty)),
            ElementType::Var(name) => name,
        };
        if let Some(attr) = def.attr(name) {
            let value = node.attrs.get(name.as_ref()).or(attr.default.as_ref())?;
            let value = if let Value::List(items) = value { items.get(index)? } else { value };
            let Value::DType(ty) = value else { return None };
            return Some(Expected::Said { ty, attr: name });
        }
        let var = def.types.iter().find(|var| var.name == *name)?;
        let alike = bound.get(name.as_ref()).filter(|_| !arg.heterogeneous);
        Some(alike.map_or(Expected::OneOf(var), |(ty, other)| Expected::Alike { ty, other, var: name }))
    }

    fn allows(&self, found: &str) -> bool {
        match self {
            Expected::Fixed(ty) | Expected::Said { ty, .. } | Expected::Alike { ty, .. } => is_same(ty, found),
            Expected::OneOf(var) => var.allowed.is_empty() || var.allowed.iter().any(|ty| **ty == *found),
        }
    }

    /// The type, where there is only one.
    fn only(&self) -> Option<&str> {
        match self {
            Expected::Fixed(ty) | Expected::Said { ty, .. } | Expected::Alike { ty, .. } => Some(ty),
            Expected::OneOf(var) if var.allowed.len() == 1 => var.allowed.first().map(AsRef::as_ref),
            Expected::OneOf(_) => None,
        }
    }
}

impl fmt::Display for Expected<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Fixed(ty) => f.write_str(ty),
            Expected::Said { ty, attr } => write!(f, "{ty}, by the attribute `{attr}`"),
            Expected::Alike { ty, other, var } => write!(f, "{ty}, as `{other}` has it (`{var}`)"),
            Expected::OneOf(var) if var.allowed.len() == 1 => write!(f, "{} (`{}`)", var.allowed[0], var.name),
            Expected::OneOf(var) => write!(f, "one of {} (`{}`)", var.allowed.join(", "), var.name),
        }
    }
}

/// A reference is taken for what it refers to.
fn is_same(a: &str, b: &str) -> bool {
    let value = |ty| str::strip_prefix(ty, "ref(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(ty);
    value(a) == value(b)
}
