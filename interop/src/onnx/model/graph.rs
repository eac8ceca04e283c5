//! A model as a graph.

use std::collections::{BTreeMap, HashMap};

use oplock_core::{ArgDef, AttrDef, AttrType, Kind, OpDef, Value};
use oplock_graph::{Block, Place};
use oplock_registry::{Map, Node};

use super::elements::element_of_number;
use super::messages::{AttributeProto, FunctionProto, GraphProto, Initializer, NodeProto, ValueInfoProto};
use super::value::{element_type, type_number, type_of, value};
use super::{Model, Schemas, domain, opsets};
use crate::models::{EmptyList, Fault, Foreign, Format, ModelError, stand_in};

impl Model {
    /// The model as a graph, by the definitions of its operators: they give names to operands, which ONNX has by position. What they do
    /// not know is named by position, `0`, `1`, ….
    ///
    /// Each sub-graph and each function that the model defines is a block of its own.
    ///
    /// # Errors
    ///
    /// [`ModelError::Content`], where the model contradicts itself.
    pub fn to_graph(&self, ops: &BTreeMap<String, OpDef>, schemas: &Schemas) -> Result<Foreign, ModelError> {
        let functions = self.proto.functions.iter().map(|function| (key_of(function), function)).collect();
        let mut reader = Reader {
            ops,
            schemas,
            functions,
            own: BTreeMap::new(),
            opsets: self.opsets(),
            path: Vec::new(),
            found: Foreign::default(),
        };
        let Some(main) = &self.proto.graph else { return Err(reader.error("the model has no graph")) };
        for function in &self.proto.functions {
            reader.declare(function)?;
        }
        reader.found.versions = reader.opsets.iter().map(|(domain, version)| (set(domain), *version)).collect();
        reader.graph("graph".to_owned(), main, None)?;
        for function in &self.proto.functions {
            let imports = opsets(&function.opset_import);
            reader.opsets = if function.opset_import.is_empty() { self.opsets() } else { imports };
            reader.function(function)?;
        }
        let Reader { own, mut found, .. } = reader;
        found.own_ops = own;
        Ok(found)
    }
}

/// The name of a set of operators.
pub(super) fn set(domain: &str) -> String {
    if domain.is_empty() { "ai.onnx".to_owned() } else { domain.to_owned() }
}

/// `domain.Name`
fn dotted(domain: &str, name: &str) -> String {
    if domain.is_empty() { name.to_owned() } else { format!("{domain}.{name}") }
}

pub(super) fn key_of(function: &FunctionProto) -> String {
    let name = dotted(domain(function.domain.as_deref()), function.name.as_deref().unwrap_or_default());
    overloaded(name, function.overload.as_deref())
}

fn overloaded(name: String, overload: Option<&str>) -> String {
    match overload {
        None | Some("") => name,
        Some(overload) => format!("{name}:{overload}"),
    }
}

struct Reader<'a> {
    ops: &'a BTreeMap<String, OpDef>,
    schemas: &'a Schemas,
    functions: HashMap<String, &'a FunctionProto>,
    /// The operators that the model defines itself.
    own: BTreeMap<String, OpDef>,
    opsets: BTreeMap<String, i64>,
    path: Vec<String>,
    found: Foreign,
}

impl Reader<'_> {
    fn error(&self, what: impl Into<String>) -> ModelError {
        ModelError::Content { format: Format::Onnx, path: self.path.join("."), what: what.into() }
    }

    /// The index of a block that is to be filled.
    fn block(&mut self, name: String) -> usize {
        self.found.graph.blocks.push(Block::default());
        self.found.blocks.push(name);
        self.found.graph.blocks.len() - 1
    }

    fn graph(&mut self, name: String, graph: &GraphProto, outer: Option<usize>) -> Result<usize, ModelError> {
        let index = self.block(name.clone());
        if let Some(outer) = outer {
            self.found.types.within(index, outer);
        }
        self.types(index, graph.input.iter().chain(&graph.output).chain(&graph.value_info));
        let sparse = graph.sparse_initializer.iter().filter_map(|constant| constant.values.as_ref());
        for constant in &graph.initializer {
            self.constant(index, constant, str::to_owned);
        }
        for constant in sparse.clone() {
            self.constant(index, constant, |ty| format!("sparse({ty})"));
        }
        self.path.push(name);
        let nodes = self.nodes(index, &graph.node)?;
        let inputs =
            graph.input.iter().map(|input| &input.name).chain(graph.initializer.iter().chain(sparse).map(|x| &x.name));
        let mut inputs: Vec<_> = inputs.flatten().cloned().collect();
        let mut known = std::collections::BTreeSet::new();
        inputs.retain(|input| known.insert(input.clone()));
        let outputs = graph.output.iter().filter_map(|output| output.name.clone()).collect();
        self.found.graph.blocks[index] = Block { inputs, outputs, nodes };
        self.path.pop();
        Ok(index)
    }

    /// What a model says of the types of values. A type that is not known here is none that could be judged.
    fn types<'v>(&mut self, block: usize, values: impl Iterator<Item = &'v ValueInfoProto>) {
        for value in values {
            let ty = value.r#type.as_ref().and_then(|ty| element_type(ty).ok());
            if let (Some(name), Some(ty)) = (&value.name, ty) {
                self.found.types.say(block, name, &ty);
            }
        }
    }

    fn constant(&mut self, block: usize, constant: &Initializer, ty: impl Fn(&str) -> String) {
        let element = constant.data_type.and_then(element_of_number);
        if let (Some(name), Some(element)) = (&constant.name, element) {
            self.found.types.say(block, name, &ty(element));
        }
    }

    fn function(&mut self, function: &FunctionProto) -> Result<(), ModelError> {
        let name = format!("functions.{}", key_of(function));
        let index = self.block(name.clone());
        self.path.push(name);
        self.types(index, function.value_info.iter());
        let nodes = self.nodes(index, &function.node)?;
        self.found.graph.blocks[index] =
            Block { inputs: function.input.clone(), outputs: function.output.clone(), nodes };
        self.path.pop();
        Ok(())
    }

    /// The definition that a function is: any operand may be left out, and an attribute is of the type that its uses have.
    fn declare(&mut self, function: &FunctionProto) -> Result<(), ModelError> {
        let key = key_of(function);
        let mut def = OpDef::new(key.clone());
        let arg = |name: &String| ArgDef { dispensable: true, ..ArgDef::new(name.clone()) };
        def.inputs = function.input.iter().map(arg).collect::<Vec<_>>().into();
        def.outputs = function.output.iter().map(arg).collect::<Vec<_>>().into();
        let mut attrs = Vec::new();
        for name in &function.attribute {
            if let Some(ty) = type_of_use(name, &function.node) {
                attrs.push(AttrDef::new(name.clone(), ty));
            }
        }
        for attr in &function.attribute_proto {
            let name = attr.name.clone().unwrap_or_default();
            let Some((ty, _)) = type_of(type_number(attr)) else {
                self.path.push(format!("functions.{key}.{name}"));
                return Err(self.error("its type is not said"));
            };
            // A graph as a default is none that a block of the caller could be.
            let default = value(attr).ok();
            attrs.push(AttrDef { default, ..AttrDef::new(name, ty) });
        }
        def.attrs = attrs.into();
        if self.own.insert(key.clone(), def).is_some() {
            self.path.push(format!("functions.{key}"));
            return Err(self.error("the function is there twice"));
        }
        Ok(())
    }

    fn nodes(&mut self, block: usize, nodes: &[NodeProto]) -> Result<Vec<Node>, ModelError> {
        let mut read = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            self.path.push(format!("node[{index}]"));
            let at = Place { block, node: index };
            read.push(self.node(at, node)?);
            self.path.pop();
        }
        Ok(read)
    }

    fn node(&mut self, at: Place, node: &NodeProto) -> Result<Node, ModelError> {
        let name = node.op_type.as_deref().unwrap_or_default();
        let domain = domain(node.domain.as_deref());
        let called = overloaded(dotted(domain, name), node.overload.as_deref());
        let op = if self.functions.contains_key(&called) {
            if !self.opsets.contains_key(domain) {
                self.no_opset(at, domain, &called);
            }
            called
        } else {
            self.resolve(at, domain, name)
        };
        let def = self.own.get(&op).or_else(|| self.ops.get(&op)).cloned();
        let mut read = Node::new(op);
        read.inputs = args(def.as_ref(), Kind::Input, &node.input);
        read.outputs = args(def.as_ref(), Kind::Output, &node.output);
        let mut attrs = Vec::with_capacity(node.attribute.len());
        for attr in &node.attribute {
            let name = attr.name.clone().unwrap_or_default();
            self.path.push(format!("attribute.{name}"));
            let value = self.attr(at, attr, def.as_ref().and_then(|def| def.attr(&name)))?;
            attrs.push((name, value));
            self.path.pop();
        }
        read.attrs = Map::from_unique(attrs).map_err(|name| {
            self.path.push(format!("attribute.{name}"));
            self.error("the attribute is there twice")
        })?;
        Ok(read)
    }

    fn no_opset(&mut self, at: Place, domain: &str, op: &str) {
        let what = format!("the model does not say which version of {} it means", set(domain));
        self.found.faults.push(Fault { at, op: op.to_owned(), code: "no_opset", what, sides: None });
    }

    /// The schema that a node means.
    fn resolve(&mut self, at: Place, domain: &str, name: &str) -> String {
        let op = dotted(domain, name);
        let Some(version) = self.opsets.get(domain).copied() else {
            self.no_opset(at, domain, &op);
            return op;
        };
        let used = self.found.used_versions.entry(set(domain)).or_insert(version);
        *used = version.max(*used);
        if let Some(resolved) = self.schemas.resolve(domain, name, version) {
            let level = u32::try_from(version).unwrap_or(0);
            let known = self.found.levels.entry(resolved.to_owned()).or_insert(level);
            *known = level.max(*known);
            return resolved.to_owned();
        }
        if let Some(first) = self.schemas.first(domain, name) {
            let set = set(domain);
            let what = format!("it is since version {first} of {set}, and the model means version {version}");
            self.found.faults.push(Fault { at, op: op.clone(), code: "needs_opset", what, sides: None });
        }
        op
    }

    fn attr(&mut self, at: Place, attr: &AttributeProto, def: Option<&AttrDef>) -> Result<Value, ModelError> {
        let number = type_number(attr);
        let Some((ty, _)) = type_of(number) else {
            return Err(self.error(format!("{number} is the number of no type")));
        };
        if attr.ref_attr_name.as_deref().is_some_and(|name| !name.is_empty()) {
            // The caller says the value; here it is one of the type, so that everything else is checked.
            return Ok(stand_in(def, ty));
        }
        let name = attr.name.clone().unwrap_or_default();
        let value = match number {
            5 => {
                let Some(graph) = &attr.g else { return Err(self.error("it is of type GRAPH, and has no graph")) };
                self.sub_graph(at, &name, None, graph)?
            }
            10 => {
                let graphs = attr.graphs.iter().enumerate();
                let blocks = graphs.map(|(index, graph)| self.sub_graph(at, &name, Some(index), graph));
                Value::list(blocks.collect::<Result<_, _>>()?)
            }
            _ => value(attr).map_err(|what| self.error(what))?,
        };
        if let Value::List(items) = &value
            && items.is_empty()
        {
            self.found.empty.push(EmptyList { at, name, ty });
        }
        Ok(value)
    }

    fn sub_graph(
        &mut self,
        at: Place,
        attr: &str,
        index: Option<usize>,
        graph: &GraphProto,
    ) -> Result<Value, ModelError> {
        let index = index.map_or_else(String::new, |index| format!("[{index}]"));
        let name = format!("{}.node[{}].{attr}{index}", self.found.blocks[at.block], at.node);
        let path = std::mem::take(&mut self.path);
        let block = self.graph(name, graph, Some(at.block));
        self.path = path;
        Ok(Value::Block(u32::try_from(block?).unwrap_or(u32::MAX)))
    }
}

/// The type with which the nodes of a function use an attribute of it.
fn type_of_use(name: &str, nodes: &[NodeProto]) -> Option<AttrType> {
    let attrs = nodes.iter().flat_map(|node| &node.attribute);
    let uses = attrs.filter(|attr| attr.ref_attr_name.as_deref() == Some(name));
    uses.filter_map(|attr| type_of(type_number(attr))).map(|(ty, _)| ty).next()
}

/// Operands by the names of their positions: the last that takes several takes all the rest.
fn args(def: Option<&OpDef>, kind: Kind, variables: &[String]) -> Map<String, Vec<String>> {
    let defs = def.map_or(&[][..], |def| def.args(kind));
    let mut args: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (position, variable) in variables.iter().enumerate() {
        let rest = || defs.last().filter(|last| last.duplicable);
        let name = defs.get(position).or_else(rest).map_or_else(|| position.to_string(), |arg| arg.name.to_string());
        if !variable.is_empty() {
            args.entry(name).or_default().push(variable.clone());
        }
    }
    args.into_iter().collect()
}
