//! One node against today's definition of its operator.

use oplock_core::{AttrDef, Kind, Part, Value};
use oplock_registry::{Map, Node};

use super::added::{Added, is_added};
use super::blocks::Edge;
use super::convert::{Fit, fit, for_each_block, type_name};
use super::plan::{ArgPlan, AttrPlan, Plan, Tally};
use super::problem::NodeProblem;
use super::types::VariableTypes;
use crate::faults::{Fault, Faults};
use crate::report::{Note, Place, Problem, Refused, Report};

/// Why a node is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It was saved, and what is not known here may be dropped where nothing is lost.
    Load,
    /// It is to be saved: whatever is not known is a mistake.
    Save,
}

/// An output that is dropped though it is connected.
pub(crate) struct DroppedOutput {
    pub(crate) at: Place,
    pub(crate) op: String,
    pub(crate) output: String,
    pub(crate) variables: Vec<String>,
}

/// What all nodes share.
pub(crate) struct Pass<'g> {
    pub(crate) purpose: Purpose,
    pub(crate) faults: Faults,
    pub(crate) blocks: usize,
    /// The defaults with which attributes were added.
    pub(crate) added: &'g Added,
    pub(crate) refused: Refused,
    pub(crate) report: Report,
    pub(crate) edges: Vec<Edge>,
    pub(crate) dropped: Vec<DroppedOutput>,
    /// What a model of another system says of the types of variables.
    pub(crate) types: Option<VariableTypes>,
}

impl Pass<'_> {
    pub(crate) fn problem(&mut self, at: Place, op: &str, problem: NodeProblem) {
        self.refused.push(Problem::Node { at, op: op.to_owned(), problem: Box::new(problem) });
    }

    /// An item that the operator does not have. Names that are near are sought only where they are told.
    fn unknown_item(&mut self, plan: &Plan<'_>, kind: Kind, name: &str, at: Place) {
        self.problem(at, &plan.def.name, plan.unknown_item(kind, name, !self.refused.is_full()));
    }

    fn note(&mut self, note: Note, at: Place) {
        self.report.note(note, Some(at), 1);
    }

    /// Checks a node and makes it one of today: defaults filled in, what may be dropped dropped, whole numbers written as
    /// their type has them.
    pub(crate) fn node(&mut self, plan: &mut Plan<'_>, node: &mut Node, at: Place, is_made: bool) {
        if let Some(deprecated) = &plan.def.deprecated {
            match plan.deprecated(deprecated, None) {
                Some(problem) => self.problem(at, &plan.def.name, problem),
                None => plan.deprecated.hit(at),
            }
        }
        if self.purpose == Purpose::Save {
            // A producer need not know what is Extra.
            for attr in plan.attrs.iter().filter(|attr| attr.def.part == Part::Extra) {
                if let Some(value) = node.attrs.remove(attr.def.name.as_ref()) {
                    insert_new(&mut node.extra, attr.def.name.to_string(), value);
                }
            }
        } else if !self.faults.keeps(Fault::ExtraStaysApart) {
            for (name, value) in std::mem::take(&mut node.extra) {
                insert_new(&mut node.attrs, name, value);
            }
        }
        self.args(plan, Kind::Input, &mut node.inputs, at, is_made);
        self.args(plan, Kind::Output, &mut node.outputs, at, is_made);
        self.attrs(plan, node, at);
        if plan.has_numbers {
            self.numbers(plan, node, at);
        }
        if let Some(types) = &mut self.types {
            for problem in types.judge(plan.def, node, at) {
                self.refused.push(Problem::Node { at, op: plan.def.name.to_string(), problem: Box::new(problem) });
            }
        }
        if !node.extra.is_empty() {
            self.extra(plan, node, at);
        }
    }

    fn args(&mut self, plan: &mut Plan<'_>, kind: Kind, args: &mut Map<String, Vec<String>>, at: Place, is_made: bool) {
        let mut remove = Vec::new();
        let mut plans = std::mem::take(if kind == Kind::Input { &mut plan.inputs } else { &mut plan.outputs });
        let mut next = 0;
        for (name, variables) in &*args {
            while let Some(missed) = plans.get_mut(next).filter(|arg| arg.def.name.as_ref() < name.as_str()) {
                self.absent_arg(plan, kind, missed, at);
                next += 1;
            }
            let Some(arg) = plans.get_mut(next).filter(|arg| arg.def.name == *name) else {
                if !variables.is_empty() {
                    let was_extra = plan.was_extra.contains(&(kind, name.clone()));
                    if self.purpose == Purpose::Load && was_extra {
                        let path = format!("{}.{name}", plan.def.name);
                        self.note(Note::DroppedExtra { path }, at);
                        self.drop_operand(plan, kind, name, variables, at);
                    } else {
                        self.unknown_item(plan, kind, name, at);
                    }
                }
                remove.push(name.clone());
                continue;
            };
            next += 1;
            if variables.is_empty() {
                remove.push(name.clone());
                self.absent_arg(plan, kind, arg, at);
                continue;
            }
            let is_extra = arg.def.part == Part::Extra;
            let fits = arg.def.duplicable || variables.len() == 1;
            if arg.was_extra && (!is_extra || !fits) {
                remove.push(name.clone());
                arg.dropped.hit(at);
                self.drop_operand(plan, kind, name, variables, at);
                self.absent_arg(plan, kind, arg, at);
            } else if self.purpose == Purpose::Load && is_extra && !arg.was_extra && !is_made {
                self.unknown_item(plan, kind, name, at);
            } else if !fits {
                let problem = NodeProblem::TooMany { kind, name: name.clone(), found: variables.len() };
                self.problem(at, &plan.def.name, problem);
            } else if let Some(deprecated) = &arg.def.deprecated {
                match plan.deprecated(deprecated, Some((kind, name))) {
                    Some(problem) => self.problem(at, &plan.def.name, problem),
                    None => arg.deprecated.hit(at),
                }
            }
        }
        for missed in &mut plans[next..] {
            self.absent_arg(plan, kind, missed, at);
        }
        remove_all(args, remove);
        *(if kind == Kind::Input { &mut plan.inputs } else { &mut plan.outputs }) = plans;
    }

    fn absent_arg(&mut self, plan: &Plan<'_>, kind: Kind, arg: &ArgPlan<'_>, at: Place) {
        if arg.is_required {
            self.problem(at, &plan.def.name, NodeProblem::NotConnected { kind, name: arg.def.name.to_string() });
        }
    }

    /// Whether each operand has as many variables as it says itself or as an attribute says; all attributes are there.
    fn numbers(&mut self, plan: &Plan<'_>, node: &Node, at: Place) {
        let value = |name: &str| node.attrs.get(name).or_else(|| node.extra.get(name));
        for kind in [Kind::Input, Kind::Output] {
            let args = if kind == Kind::Input { &plan.inputs } else { &plan.outputs };
            for arg in args {
                let found = node.args(kind).get(arg.def.name.as_ref()).map_or(0, Vec::len);
                // That nothing is connected where something must be is told already.
                if found == 0 && arg.is_required {
                    continue;
                }
                if let Some(wrong) = plan.def.wrong_number(arg.def, found, value) {
                    let (name, expected) = (arg.def.name.to_string(), wrong.to_string());
                    self.problem(at, &plan.def.name, NodeProblem::Number { kind, name, found, expected });
                }
            }
        }
    }

    fn drop_operand(&mut self, plan: &Plan<'_>, kind: Kind, name: &str, variables: &[String], at: Place) {
        if kind == Kind::Output {
            let (op, output) = (plan.def.name.to_string(), name.to_owned());
            self.dropped.push(DroppedOutput { at, op, output, variables: variables.to_vec() });
        }
    }

    fn attrs(&mut self, plan: &mut Plan<'_>, node: &mut Node, at: Place) {
        let mut remove = Vec::new();
        let mut fill = Vec::new();
        let mut plans = std::mem::take(&mut plan.attrs);
        let mut next = 0;
        let mut absent = |pass: &mut Self, index: usize, attr: &AttrPlan<'_>| {
            if attr.def.part == Part::Extra {
                return;
            }
            if attr.def.default.is_some() {
                fill.push(index);
            } else {
                let problem = NodeProblem::MissingAttr { name: attr.def.name.to_string() };
                pass.problem(at, &plan.def.name, problem);
            }
        };
        for (name, value) in &mut node.attrs {
            while let Some(missed) = plans.get(next).filter(|attr| attr.def.name.as_ref() < name.as_str()) {
                absent(self, next, missed);
                next += 1;
            }
            let known = plans.get_mut(next).filter(|attr| attr.def.name == *name);
            next += usize::from(known.is_some());
            let Some(attr) = known.filter(|attr| attr.def.part != Part::Extra) else {
                let is_default = is_added(self.added, &plan.def.name, name, value)
                    || !self.faults.keeps(Fault::UnknownAttrsAreRefused);
                if self.purpose == Purpose::Load && is_default {
                    let path = format!("{}.{name}", plan.def.name);
                    self.note(Note::DroppedDefault { path }, at);
                } else {
                    self.unknown_item(plan, Kind::Attr, name, at);
                }
                remove.push(name.clone());
                continue;
            };
            let name = || attr.def.name.to_string();
            match fit(value, attr.def.ty) {
                Fit::Own => {}
                Fit::Exactly(converted) => *value = converted,
                other => {
                    let (expected, found) = (attr.def.ty.to_string(), type_name(value, attr.def.ty));
                    let problem = match other {
                        Fit::NotExact => {
                            NodeProblem::NotExact { name: name(), expected, found, value: value.to_string() }
                        }
                        _ => NodeProblem::Type { name: name(), expected, found },
                    };
                    self.problem(at, &plan.def.name, problem);
                    continue;
                }
            }
            if let Some(problem) = not_allowed(attr.def, value) {
                self.problem(at, &plan.def.name, problem);
            }
            if attr.has_blocks {
                self.blocks(plan, &attr.def.name, value, at);
            }
            if let Some(deprecated) = &attr.def.deprecated
                && attr.def.default.as_ref() != Some(value)
            {
                match plan.deprecated(deprecated, Some((Kind::Attr, &attr.def.name))) {
                    Some(problem) => self.problem(at, &plan.def.name, problem),
                    None => attr.deprecated.hit(at),
                }
            }
        }
        for (index, missed) in plans.iter().enumerate().skip(next) {
            absent(self, index, missed);
        }
        remove_all(&mut node.attrs, remove);
        node.attrs.reserve(fill.len());
        for index in fill {
            let attr = &mut plans[index];
            if let Some(default) = &attr.def.default {
                attr.filled.hit(at);
                node.attrs.insert(attr.def.name.to_string(), default.clone());
            }
        }
        plan.attrs = plans;
    }

    fn blocks(&mut self, plan: &Plan<'_>, name: &str, value: &Value, at: Place) {
        let (blocks, from) = (self.blocks, u32::try_from(at.block).unwrap_or(u32::MAX));
        let mut missing = None;
        let edges = &mut self.edges;
        for_each_block(value, &mut |block| {
            if (block as usize) < blocks {
                edges.push(Edge { from, to: block });
            } else {
                missing.get_or_insert(block);
            }
        });
        if let Some(block) = missing {
            let problem = NodeProblem::NoSuchBlock { name: name.to_owned(), block, blocks };
            self.problem(at, &plan.def.name, problem);
        }
    }

    /// What was Extra for the writer is kept only where it is Extra here too, and fits.
    fn extra(&mut self, plan: &mut Plan<'_>, node: &mut Node, at: Place) {
        let mut remove = Vec::new();
        for (name, value) in &mut node.extra {
            let found = plan.attrs.binary_search_by(|attr| attr.def.name.as_ref().cmp(name));
            let Ok(index) = found else {
                if self.purpose == Purpose::Load {
                    let path = format!("{}.{name}", plan.def.name);
                    self.note(Note::DroppedExtra { path }, at);
                } else {
                    self.unknown_item(plan, Kind::Attr, name, at);
                }
                remove.push(name.clone());
                continue;
            };
            let attr = &mut plan.attrs[index];
            let is_own = match fit(value, attr.def.ty) {
                Fit::Own => true,
                Fit::Exactly(converted) => {
                    *value = converted;
                    true
                }
                _ => false,
            };
            let is_extra = attr.def.part == Part::Extra;
            let outside = not_allowed(attr.def, value);
            if is_extra && is_own && outside.is_none() {
                if attr.has_blocks {
                    let name = attr.def.name.as_ref();
                    self.blocks(plan, name, value, at);
                }
                continue;
            }
            remove.push(name.clone());
            if self.purpose == Purpose::Load {
                attr.dropped.hit(at);
                continue;
            }
            let problem = if !is_extra {
                NodeProblem::NotExtra { name: name.clone() }
            } else if let Some(outside) = outside.filter(|_| is_own) {
                outside
            } else {
                let (expected, found) = (attr.def.ty.to_string(), type_name(value, attr.def.ty));
                NodeProblem::Type { name: name.clone(), expected, found }
            };
            self.problem(at, &plan.def.name, problem);
        }
        remove_all(&mut node.extra, remove);
    }
}

/// What is wrong with a value of the attribute's type: it is none of those allowed, or below the minimum.
fn not_allowed(attr: &AttrDef, value: &Value) -> Option<NodeProblem> {
    let name = attr.name.to_string();
    if let Some(other) = attr.outside(value) {
        let (value, allowed) = (format!("{other:?}"), format!("{:?}", attr.values));
        return Some(NodeProblem::NotAllowed { name, value, allowed });
    }
    let min = attr.min.filter(|_| !attr.is_enough(value))?;
    let length = if let Value::List(items) = value { Some(items.len()) } else { None };
    Some(NodeProblem::TooSmall { name, value: value.to_string(), length, min })
}

/// Puts an item in unless there is one of that name.
fn insert_new<T>(items: &mut Map<String, T>, name: String, item: T) {
    if !items.contains_key(&name) {
        items.insert(name, item);
    }
}

/// Removes the items of these names, which are in order, in one walk: a damaged node may have many.
fn remove_all<T>(items: &mut Map<String, T>, names: Vec<String>) {
    let mut names = names.into_iter().peekable();
    if names.peek().is_some() {
        items.retain(|name, _| names.next_if(|gone| gone == name).is_none());
    }
}

impl Plan<'_> {
    /// What was done to the nodes of the operator, in words.
    pub(crate) fn report(&self, report: &mut Report) {
        let op = &self.def.name;
        let path = |name: &str| format!("{op}.{name}");
        let mut warn = |deprecated: Option<&oplock_core::Deprecated>, tally: Tally, path: String| {
            if let (Some(deprecated), Some(_)) = (deprecated, tally.first) {
                let (package, note) = (self.package.name.clone(), deprecated.note.to_string());
                let warning = crate::report::Warning::Deprecated { package, path, version: deprecated.version, note };
                report.warn(warning, tally.first, tally.count);
            }
        };
        warn(self.def.deprecated.as_ref(), self.deprecated, op.to_string());
        for arg in self.inputs.iter().chain(&self.outputs) {
            warn(arg.def.deprecated.as_ref(), arg.deprecated, path(&arg.def.name));
        }
        for attr in &self.attrs {
            warn(attr.def.deprecated.as_ref(), attr.deprecated, path(&attr.def.name));
        }
        let dropped = self.inputs.iter().chain(&self.outputs).map(|arg| (&arg.def.name, arg.dropped));
        for (name, tally) in dropped.chain(self.attrs.iter().map(|attr| (&attr.def.name, attr.dropped))) {
            if tally.count > 0 {
                report.note(Note::DroppedExtra { path: path(name) }, tally.first, tally.count);
            }
        }
        // That what may be absent is absent is nothing to tell.
        let is_told = |attr: &&AttrPlan<'_>| attr.filled.count > 0 && attr.def.default != Some(Value::Absent);
        for attr in self.attrs.iter().filter(is_told) {
            let value = attr.def.default.as_ref().map(ToString::to_string).unwrap_or_default();
            let note = Note::Filled { path: path(&attr.def.name), value };
            report.note(note, attr.filled.first, attr.filled.count);
        }
    }
}
