//! What the inputs of nodes name: outputs that their nodes have, and references where references are taken.
//!
//! Nothing is said where it is not known how many variables an operand is: of operators without a definition, and where only the caller of a
//! function says the count.

use std::collections::{BTreeMap, HashMap};

use oplock_core::{ArgDef, ElementType, OpDef, Value};
use oplock_graph::Place;
use oplock_registry::Node;

use super::super::proto::attr_value::Value as Message;
use super::messages::NodeDef;
use crate::models::Fault;

/// The nodes of a block, as they are in the file and as they were read.
pub(super) struct Sources<'a> {
    /// The operators that the graph defines itself.
    pub(super) defs: &'a BTreeMap<String, OpDef>,
    pub(super) ops: &'a BTreeMap<String, OpDef>,
    pub(super) nodes: &'a [NodeDef],
    pub(super) read: &'a [Node],
    /// In a function, inputs are named `node:output:index`, and in a graph `node:index`.
    pub(super) is_function: bool,
}

/// What an input names, where its node is known.
enum Source<'a> {
    Output(&'a ArgDef),
    /// Nothing; what there is instead.
    None(String),
    /// What it is is not known.
    Unknown,
}

impl Sources<'_> {
    /// What is wrong with the inputs of all nodes.
    pub(super) fn faults(&self, block: usize) -> Vec<Fault> {
        let by_name: HashMap<_, _> =
            self.nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
        let mut faults = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let at = Place { block, node: index };
            let mut fault =
                |code, what, sides| faults.push(Fault { at, op: node.op.clone(), code, what, sides: Some(sides) });
            let taken = self.taken(index);
            let inputs = node.input.iter().filter(|input| !input.starts_with('^'));
            for (position, input) in inputs.enumerate() {
                let (name, rest) = self.split(input);
                let Some(from) = by_name.get(name) else { continue };
                match self.source(*from, rest) {
                    Source::None(has) => {
                        let (reader, of) = (&node.name, &self.nodes[*from].op);
                        let what = format!("node `{reader}` reads `{input}`, and `{of}` of node `{name}` has {has}");
                        fault("no_such_output", what, (input.clone(), has));
                    }
                    Source::Output(output) if !output.by_ref => {
                        let Some(arg) = taken.get(position).filter(|arg| arg.by_ref) else { continue };
                        let (reader, of) = (&node.name, &self.nodes[*from].op);
                        let what = format!(
                            "input `{}` of node `{reader}` takes a reference, as a variable is one, and `{input}`, the output `{}` of a \
                             `{of}`, is a value",
                            arg.name, output.name
                        );
                        fault("not_a_reference", what, (format!("{input}, a value"), "a reference".to_owned()));
                    }
                    Source::Output(_) | Source::Unknown => {}
                }
            }
        }
        faults
    }

    fn def(&self, node: usize) -> Option<&OpDef> {
        let op = &self.nodes[node].op;
        self.defs.get(op).or_else(|| self.ops.get(op))
    }

    /// The name of a node, and what stands behind it.
    fn split<'n>(&self, input: &'n str) -> (&'n str, Option<&'n str>) {
        let is_index = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        if self.is_function {
            return input.split_once(':').map_or((input, None), |(name, rest)| (name, Some(rest)));
        }
        match input.rsplit_once(':') {
            Some((name, rest)) if is_index(rest) => (name, Some(rest)),
            _ => (input, None),
        }
    }

    /// The output of a node that is named so.
    fn source(&self, node: usize, rest: Option<&str>) -> Source<'_> {
        let Some(def) = self.def(node) else { return Source::Unknown };
        if !self.is_function {
            return self.by_index(def, node, rest.unwrap_or("0"));
        }
        // A name alone is an input of the function, whatever its nodes are called.
        let Some(rest) = rest else { return Source::Unknown };
        let (name, index) = rest.split_once(':').map_or((rest, None), |(name, index)| (name, Some(index)));
        let Some(output) = def.outputs.iter().find(|output| *output.name == *name) else {
            let names: Vec<_> = def.outputs.iter().map(|output| format!("`{}`", output.name)).collect();
            let has = if names.is_empty() { "no output".to_owned() } else { format!("only {}", names.join(", ")) };
            return Source::None(has);
        };
        match (index.map(str::parse::<usize>), self.count(def, output, node)) {
            (Some(Ok(index)), Some(count)) if index >= count => {
                let variables = if count == 1 { "variable" } else { "variables" };
                Source::None(format!("{count} {variables} as `{name}`"))
            }
            _ => Source::Output(output),
        }
    }

    fn by_index<'d>(&self, def: &'d OpDef, node: usize, index: &str) -> Source<'d> {
        let mut end = 0_usize;
        // What no number here can be is beyond all outputs.
        let index = index.parse().unwrap_or(usize::MAX);
        for output in def.outputs.iter() {
            let Some(count) = self.count(def, output, node) else { return Source::Unknown };
            end = end.saturating_add(count);
            if index < end {
                return Source::Output(output);
            }
        }
        Source::None(match end {
            0 => "no output".to_owned(),
            1 => "1 output".to_owned(),
            n => format!("{n} outputs"),
        })
    }

    /// The definition of each input of a node by its position, up to where it is not known any more.
    fn taken(&self, node: usize) -> Vec<&ArgDef> {
        let mut taken = Vec::new();
        let Some(def) = self.def(node).filter(|def| def.inputs.iter().any(|arg| arg.by_ref)) else { return taken };
        let most = self.nodes[node].input.len();
        for arg in def.inputs.iter() {
            let Some(count) = self.count(def, arg, node) else { break };
            taken.extend(std::iter::repeat_n(arg, count.min(most)));
        }
        taken
    }

    /// How many variables an operand is, where the definition or an attribute that is there says it.
    fn count(&self, def: &OpDef, arg: &ArgDef, node: usize) -> Option<usize> {
        let attr = |name: &str| {
            let message = self.nodes[node].attr.get(name)?.value.as_ref()?;
            // The caller's number is not this one.
            if matches!(message, Message::Placeholder(_)) { None } else { self.read[node].attrs.get(name) }
        };
        if let Some(name) = &arg.count {
            return match attr(name)? {
                Value::I64(count) => usize::try_from(*count).ok(),
                _ => None,
            };
        }
        match &arg.ty {
            Some(ElementType::Var(name)) if def.attr(name).is_some_and(|attr| attr.ty.depth == 1) => {
                match attr(name)? {
                    Value::List(items) => Some(items.len()),
                    _ => None,
                }
            }
            _ if arg.duplicable || arg.dispensable => None,
            _ => Some(1),
        }
    }
}
