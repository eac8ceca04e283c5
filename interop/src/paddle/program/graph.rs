//! A program as a graph.

use std::collections::BTreeSet;

use oplock_core::{AttrType, Complex128, Scalar, Value};
use oplock_graph::{Block, Graph, Place};
use oplock_registry::{Map, Node};

use super::Program;
use super::messages::{BlockDesc, Complex, OpAttr, OpDesc, OpVar, ScalarDesc};
use crate::models::{EmptyList, Format, Kept, ModelError};

impl Program {
    /// The program as a graph: every operator with its inputs, outputs and attributes by name, Extra ones among the others, since a
    /// program does not say what is Extra.
    ///
    /// The inputs of a block are the variables that it reads before it writes them; results of a program are what its `fetch` operators
    /// read. With it come the types of lists that have no elements, which a graph does not say.
    ///
    /// # Errors
    ///
    /// [`ModelError::Content`], where the program contradicts itself: a name twice, a value that is not of its type, a block that is not
    /// where its index says.
    pub fn to_graph(&self) -> Result<(Graph, Vec<EmptyList>), ModelError> {
        let mut graph = Graph::default();
        let mut reader = Reader { path: Vec::new(), empty: Vec::new() };
        for (index, block) in self.desc.blocks.iter().enumerate() {
            reader.path = vec![format!("blocks[{index}]")];
            graph.blocks.push(reader.block(index, block)?);
        }
        Ok((graph, reader.empty))
    }
}

struct Reader {
    path: Vec<String>,
    empty: Vec<EmptyList>,
}

impl Reader {
    fn error(&self, what: impl Into<String>) -> ModelError {
        ModelError::Content { format: Format::Paddle, path: self.path.join("."), what: what.into() }
    }

    fn block(&mut self, index: usize, block: &BlockDesc) -> Result<Block, ModelError> {
        if usize::try_from(block.idx) != Ok(index) {
            return Err(self.error(format!("its `idx` is {}, and it stands at {index}", block.idx)));
        }
        let mut nodes = Vec::with_capacity(block.ops.len());
        for (node, op) in block.ops.iter().enumerate() {
            self.path.push(format!("ops[{node}]"));
            nodes.push(self.node(Place { block: index, node }, op)?);
            self.path.pop();
        }
        Ok(Block { inputs: reads_before_writes(&nodes), outputs: Vec::new(), nodes })
    }

    fn node(&mut self, at: Place, op: &OpDesc) -> Result<Node, ModelError> {
        let mut node = Node::new(op.r#type.as_str());
        node.inputs = self.args("inputs", &op.inputs)?;
        node.outputs = self.args("outputs", &op.outputs)?;
        let mut attrs = Vec::with_capacity(op.attrs.len());
        for attr in &op.attrs {
            self.path.push(format!("attrs.{}", attr.name));
            let value = self.value(attr)?;
            if let Value::List(items) = &value
                && items.is_empty()
                && let Some(ty) = type_of(attr.r#type)
            {
                self.empty.push(EmptyList { at, name: attr.name.clone(), ty });
            }
            attrs.push((attr.name.clone(), value));
            self.path.pop();
        }
        node.attrs = Map::from_unique(attrs).map_err(|name| {
            self.path.push(format!("attrs.{name}"));
            self.error("the attribute is there twice")
        })?;
        Ok(node)
    }

    fn args(&mut self, field: &str, vars: &[Kept<OpVar>]) -> Result<Map<String, Vec<String>>, ModelError> {
        let args = vars.iter().map(|var| (var.parameter.clone(), var.arguments.clone()));
        Map::from_unique(args.collect()).map_err(|name| {
            self.path.push(format!("{field}.{name}"));
            self.error("it is there twice")
        })
    }

    fn value(&self, attr: &OpAttr) -> Result<Value, ModelError> {
        let missing = |field: &str| self.error(format!("it is of type {}, and has no `{field}`", attr.r#type));
        let block = |index: i32| -> Result<Value, ModelError> {
            let index = u32::try_from(index).map_err(|_| self.error(format!("{index} is no index of a block")))?;
            Ok(Value::Block(index))
        };
        Ok(match attr.r#type {
            0 => Value::I32(attr.i.ok_or_else(|| missing("i"))?),
            1 => Value::F32(attr.f.ok_or_else(|| missing("f"))?),
            2 => text(attr.s.as_ref().ok_or_else(|| missing("s"))?),
            3 => list(&attr.ints, |x| Value::I32(*x)),
            4 => list(&attr.floats, |x| Value::F32(*x)),
            5 => texts(&attr.strings),
            6 => Value::Bool(attr.b.ok_or_else(|| missing("b"))?),
            7 => list(&attr.bools, |x| Value::Bool(*x)),
            8 => block(attr.block_idx.ok_or_else(|| missing("block_idx"))?)?,
            9 => Value::I64(attr.l.ok_or_else(|| missing("l"))?),
            10 => Value::list(attr.blocks_idx.iter().map(|index| block(*index)).collect::<Result<_, _>>()?),
            11 => list(&attr.longs, |x| Value::I64(*x)),
            12 => list(&attr.float64s, |x| Value::F64(*x)),
            13 => Value::Var(attr.var_name.clone().ok_or_else(|| missing("var_name"))?.into()),
            14 => list(&attr.vars_name, |name| Value::Var(name.clone().into())),
            15 => Value::F64(attr.float64.ok_or_else(|| missing("float64"))?),
            16 => self.scalar(attr.scalar.as_deref().ok_or_else(|| missing("scalar"))?)?,
            17 => Value::list(attr.scalars.iter().map(|scalar| self.scalar(scalar)).collect::<Result<Vec<_>, _>>()?),
            other => return Err(self.error(format!("{other} is the number of no type"))),
        })
    }

    fn scalar(&self, scalar: &ScalarDesc) -> Result<Value, ModelError> {
        let value = match (scalar.r#type, scalar.b, scalar.i, scalar.r, scalar.c) {
            (1, Some(x), ..) => Scalar::Bool(x),
            (2, _, Some(x), ..) => Scalar::I64(x),
            (3, _, _, Some(x), _) => Scalar::F64(x),
            (4, .., Some(Complex { r, i })) => Scalar::Complex128(Complex128 { re: r, im: i }),
            (other, ..) => return Err(self.error(format!("a scalar of type {other} without a value of that type"))),
        };
        Ok(Value::Scalar(value))
    }
}

/// The type of an attribute's number.
pub(super) fn type_of(number: i32) -> Option<AttrType> {
    u64::try_from(number).ok().and_then(crate::paddle::type_of_number)
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    Value::list(items.iter().map(value).collect())
}

/// Some operators keep programs and engines in what is declared as a text.
fn text(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::String(text.to_owned().into()),
        Err(_) => Value::Bytes(bytes.to_vec().into()),
    }
}

/// A list is of one type.
fn texts(items: &[Vec<u8>]) -> Value {
    if items.iter().all(|item| std::str::from_utf8(item).is_ok()) {
        list(items, |item| text(item))
    } else {
        list(items, |item| Value::Bytes(item.clone().into()))
    }
}

/// The variables that nodes read before one of them writes them, in order.
pub(crate) fn reads_before_writes(nodes: &[Node]) -> Vec<String> {
    let (mut known, mut reads) = (BTreeSet::new(), Vec::new());
    for node in nodes {
        for variable in node.inputs.values().flatten() {
            if known.insert(variable.as_str()) {
                reads.push(variable.clone());
            }
        }
        known.extend(node.outputs.values().flatten().map(String::as_str));
    }
    reads
}
