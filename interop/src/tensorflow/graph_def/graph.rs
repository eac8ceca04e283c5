//! A graph of `TensorFlow` as one of ours.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{ArgDef, AttrType, ElementType, Kind, OpDef, ScalarType, Value};
use oplock_graph::{Block, Place};
use oplock_registry::{Map, Node};

use super::super::op_list;
use super::super::proto::attr_value::Value as Message;
use super::TfGraph;
use super::connect::Sources;
use super::messages::{FunctionDef, NodeDef};
use super::value::value;
use crate::models::{Fault, Foreign, ModelError, stand_in};

/// The name under which the version of a graph's format stands.
pub(crate) const VERSIONS: &str = "GraphDef";

impl TfGraph {
    /// The graph by the definitions of its operators: they give names to operands, and say how many variables each is. What they do not
    /// know is named by position, `0`, `1`, ….
    ///
    /// Each function of the library is a block of its own. Nodes that only run before another are not kept, nor attributes whose names
    /// begin with `_`, which no definition has.
    ///
    /// # Errors
    ///
    /// [`ModelError::Content`], where the graph contradicts itself.
    pub fn to_graph(&self, ops: &BTreeMap<String, OpDef>) -> Result<Foreign, ModelError> {
        let versions = self.graph.versions.clone().unwrap_or_default();
        let mut reader = Reader { source: self, ops, found: Foreign::default(), path: Vec::new(), is_function: false };
        let functions = self.graph.library.iter().flat_map(|library| &library.function);
        for function in functions.clone() {
            reader.declare(function)?;
        }
        reader.block("graph".to_owned(), Vec::new(), &self.graph.node)?;
        for function in functions {
            reader.function(function)?;
        }
        let mut found = reader.found;
        found.versions = BTreeMap::from([(VERSIONS.to_owned(), versions.producer.into())]);
        let level = u32::try_from(versions.producer).unwrap_or(0);
        found.levels =
            found.graph.blocks.iter().flat_map(|block| &block.nodes).map(|node| (node.op.clone(), level)).collect();
        // A reader that does not know an attribute may leave it out where it has its writer's default, as TensorFlow itself does.
        for message in &self.written_by {
            let Ok(def) = op_list::definition(message) else { continue };
            let added = def.attrs.iter().filter_map(|attr| Some((attr.name.to_string(), attr.default.clone()?)));
            found.graph.added.insert(def.name.to_string(), added.collect());
        }
        Ok(found)
    }
}

struct Reader<'a> {
    source: &'a TfGraph,
    ops: &'a BTreeMap<String, OpDef>,
    found: Foreign,
    path: Vec<String>,
    /// Whether it reads a function, whose nodes name the output of which they read a variable.
    is_function: bool,
}

impl Reader<'_> {
    fn error(&self, what: impl Into<String>) -> ModelError {
        ModelError::Content { format: self.source.format, path: self.path.join("."), what: what.into() }
    }

    /// The definition that a function is for who calls it.
    fn declare(&mut self, function: &FunctionDef) -> Result<(), ModelError> {
        let Some(signature) = &function.signature else { return Ok(()) };
        // Inner functions have names that no operator of a library has.
        let def = op_list::definition(signature).unwrap_or_else(|_| by_name_only(signature));
        let name = signature.name.clone();
        if self.found.own_ops.insert(name.clone(), def).is_some() {
            self.path.push(format!("library.{name}"));
            return Err(self.error("the function is there twice"));
        }
        Ok(())
    }

    fn function(&mut self, function: &FunctionDef) -> Result<(), ModelError> {
        let Some(signature) = &function.signature else { return Ok(()) };
        let inputs = signature.input_arg.iter().map(|arg| arg.name.clone()).collect();
        self.is_function = true;
        let index = self.block(format!("library.{}", signature.name), inputs, &function.node_def)?;
        for arg in self.found.own_ops.get(&signature.name).iter().flat_map(|def| def.inputs.iter()) {
            if let (Some(ElementType::Fixed(ty)), None) = (&arg.ty, &arg.count) {
                self.found.types.say(index, &arg.name, ty);
            }
        }
        self.found.graph.blocks[index].outputs = function.ret.values().cloned().collect();
        Ok(())
    }

    fn block(&mut self, name: String, inputs: Vec<String>, nodes: &[NodeDef]) -> Result<usize, ModelError> {
        let index = self.found.graph.blocks.len();
        self.found.blocks.push(name.clone());
        self.path = vec![name];
        let mut read = Vec::with_capacity(nodes.len());
        let mut names = BTreeSet::new();
        for (node, def) in nodes.iter().enumerate() {
            self.path.push(def.name.clone());
            if !names.insert(def.name.as_str()) {
                return Err(self.error("two nodes have this name"));
            }
            read.push(self.node(Place { block: index, node }, def)?);
            self.path.pop();
        }
        let is_function = self.is_function;
        let sources = Sources { defs: &self.found.own_ops, ops: self.ops, nodes, read: &read, is_function };
        let faults = sources.faults(index);
        self.found.faults.extend(faults);
        self.found.graph.blocks.push(Block { inputs, outputs: Vec::new(), nodes: read });
        Ok(index)
    }

    fn node(&mut self, at: Place, node: &NodeDef) -> Result<Node, ModelError> {
        let def = self.found.own_ops.get(&node.op).or_else(|| self.ops.get(&node.op)).cloned();
        let mut read = Node::new(node.op.as_str());
        for (name, attr) in node.attr.iter().filter(|(name, _)| !name.starts_with('_')) {
            self.path.push(format!("attr.{name}"));
            let Some(message) = &attr.value else { return Err(self.error("it has no value")) };
            let value = match message {
                // Who calls the function says it; here it is one that fits, so that everything else is checked.
                Message::Placeholder(_) if self.is_function => {
                    self.found.types.leave_open(at);
                    let attr = def.as_ref().and_then(|def| def.attr(name));
                    let ty = attr.map_or(AttrType::of(ScalarType::String), |attr| attr.ty);
                    stand_in(attr, AttrType { optional: false, ..ty })
                }
                message => value(message, 0).map_err(|what| self.error(what))?,
            };
            self.functions(at, &node.op, name, &value);
            read.attrs.insert(name.clone(), value);
            self.path.pop();
        }
        let data = node.input.iter().filter(|input| !input.starts_with('^'));
        let data: Vec<_> = data.map(|input| self.variable(input).to_owned()).collect();
        read.inputs = args(def.as_ref(), Kind::Input, &read, data.into_iter());
        let outputs = (0..).map(|index| if index == 0 { node.name.clone() } else { format!("{}:{index}", node.name) });
        if let Some(def) = &def {
            let count: usize = def.outputs.iter().map(|arg| count(def, arg, &read)).sum();
            // A count may be any number, and no node has this many.
            read.outputs = args(Some(def), Kind::Output, &read, outputs.take(count.min(1 << 16)));
        }
        if self.is_function {
            for (arg, variables) in &mut read.outputs {
                let names = (0..variables.len()).map(|index| format!("{}:{arg}:{index}", node.name));
                *variables = names.collect();
            }
        }
        Ok(read)
    }

    /// In a graph, the first output of a node may be called by the node's name alone.
    fn variable<'v>(&self, name: &'v str) -> &'v str {
        name.strip_suffix(":0").filter(|_| !self.is_function).unwrap_or(name)
    }

    /// A function may be an operator, too.
    fn has_function(&self, name: &str) -> bool {
        self.found.own_ops.contains_key(name) || self.ops.contains_key(name)
    }

    /// The functions that an attribute names are of the library.
    fn functions(&mut self, at: Place, op: &str, attr: &str, value: &Value) {
        match value {
            Value::Func(func) if !func.name.is_empty() && !self.has_function(&func.name) => {
                let what =
                    format!("its attribute `{attr}` names the function `{}`, which the library lacks", func.name);
                self.found.faults.push(Fault { at, op: op.to_owned(), code: "no_function", what, sides: None });
            }
            Value::List(items) => items.iter().for_each(|item| self.functions(at, op, attr, item)),
            _ => {}
        }
    }
}

/// A function whose signature is none that an operator can have: any operand may be left out.
fn by_name_only(signature: &super::super::proto::OpDef) -> OpDef {
    let arg = |arg: &super::super::proto::ArgDef| ArgDef {
        dispensable: true,
        duplicable: true,
        ..ArgDef::new(arg.name.clone())
    };
    let mut def = OpDef::new(signature.name.clone());
    def.inputs = signature.input_arg.iter().map(arg).collect::<Vec<_>>().into();
    def.outputs = signature.output_arg.iter().map(arg).collect::<Vec<_>>().into();
    def
}

/// How many variables an operand stands for in a node.
fn count(def: &OpDef, arg: &ArgDef, node: &Node) -> usize {
    let attr = |name: &str| {
        let default = || def.attr(name).and_then(|attr| attr.default.as_ref());
        node.attrs.get(name).or_else(default)
    };
    if let Some(name) = &arg.count {
        return match attr(name) {
            Some(Value::I64(count)) => usize::try_from(*count).unwrap_or(0),
            _ => 0,
        };
    }
    match &arg.ty {
        Some(ElementType::Var(name)) if def.attr(name).is_some_and(|attr| attr.ty.depth == 1) => match attr(name) {
            Some(Value::List(items)) => items.len(),
            _ => 0,
        },
        _ => 1,
    }
}

/// Operands by their positions; what is beyond them is named by its position.
fn args(
    def: Option<&OpDef>,
    kind: Kind,
    node: &Node,
    mut variables: impl Iterator<Item = String>,
) -> Map<String, Vec<String>> {
    let mut args: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut position = 0_usize;
    for (def, arg) in def.iter().flat_map(|def| def.args(kind).iter().map(move |arg| (def, arg))) {
        let taken: Vec<_> = variables.by_ref().take(count(def, arg, node)).collect();
        position += taken.len();
        if !taken.is_empty() {
            args.insert(arg.name.to_string(), taken);
        }
    }
    args.extend(variables.enumerate().map(|(index, variable)| ((position + index).to_string(), vec![variable])));
    args.into_iter().collect()
}
