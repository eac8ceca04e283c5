//! A graph as a program.

use std::collections::BTreeMap;

use oplock_core::{OpDef, Scalar, Value};
use oplock_graph::Graph;
use oplock_registry::{Map, Node};
use thiserror::Error;

use super::Program;
use super::messages::{
    BlockDesc, Complex, OpAttr, OpDesc, OpVar, OpVersion, OpVersionMap, OpVersionPair, ProgramDesc, ScalarDesc, Version,
};
use crate::models::Kept;
use crate::paddle::type_number;

/// A value that no program can hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {what}")]
pub struct UnwritableProgram {
    /// Where, e.g. `blocks[0].ops[12].attrs.axes`.
    pub path: String,
    /// Why it cannot.
    pub what: String,
}

impl Program {
    /// A program of a graph, as a release of that number writes it. Variables are not declared: a graph does not know their types.
    ///
    /// `ops` tell the types of lists that have no elements; where they do not, such a list is written as one of `i32`.
    ///
    /// # Errors
    ///
    /// [`UnwritableProgram`], when a value is of a type that `PaddlePaddle` does not have.
    pub fn of_graph(
        graph: &Graph,
        ops: &BTreeMap<String, OpDef>,
        release: i64,
        versions: &BTreeMap<String, i32>,
    ) -> Result<Program, UnwritableProgram> {
        let mut desc = ProgramDesc::default();
        for (index, block) in graph.blocks.iter().enumerate() {
            let idx = number(index);
            let parent_idx = if index == 0 { -1 } else { 0 };
            let mut written = BlockDesc { idx, parent_idx, ..BlockDesc::default() };
            for (at, node) in block.nodes.iter().enumerate() {
                let path = |attr: &str| format!("blocks[{index}].ops[{at}].attrs.{attr}");
                let op = op(node, ops.get(&node.op))
                    .map_err(|(attr, what)| UnwritableProgram { path: path(&attr), what })?;
                written.ops.push(op.into());
            }
            desc.blocks.push(written.into());
        }
        // Where a block is inside another, the attribute that names it says so.
        for (from, block) in graph.blocks.iter().enumerate() {
            for value in block.nodes.iter().flat_map(|node| node.attrs.values().chain(node.extra.values())) {
                for_each_block(value, &mut |to| {
                    if let Some(inner) = desc.blocks.get_mut(to as usize).filter(|_| to as usize != from && to > 0) {
                        inner.parent_idx = number(from);
                    }
                });
            }
        }
        desc.version = Some(Version { version: Some(release) }.into());
        if !versions.is_empty() {
            let pair = |(name, version): (&String, &i32)| {
                let op_version = OpVersion { version: *version }.into();
                OpVersionPair { op_name: name.clone(), op_version }.into()
            };
            desc.op_version_map = Some(OpVersionMap { pair: versions.iter().map(pair).collect() }.into());
        }
        Ok(Program { desc: desc.into() })
    }
}

fn number(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

fn for_each_block(value: &Value, visit: &mut impl FnMut(u32)) {
    match value {
        Value::Block(block) => visit(*block),
        Value::List(items) => items.iter().for_each(|item| for_each_block(item, visit)),
        _ => {}
    }
}

fn op(node: &Node, def: Option<&OpDef>) -> Result<OpDesc, (String, String)> {
    let args = |args: &Map<String, Vec<String>>| {
        let arg = |(name, vars): (&String, &Vec<String>)| -> Kept<OpVar> {
            OpVar { parameter: name.clone(), arguments: vars.clone() }.into()
        };
        args.iter().map(arg).collect()
    };
    let mut op = OpDesc {
        inputs: args(&node.inputs),
        outputs: args(&node.outputs),
        r#type: node.op.clone(),
        attrs: Vec::new(),
        is_target: Some(false),
    };
    for (name, value) in node.attrs.iter().chain(&node.extra) {
        let declared = def.and_then(|def| def.attr(name)).and_then(|attr| type_number(attr.ty));
        let attr = attr(name, value, declared).map_err(|what| (name.clone(), what))?;
        op.attrs.push(attr.into());
    }
    op.attrs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(op)
}

fn attr(name: &str, value: &Value, declared: Option<u8>) -> Result<OpAttr, String> {
    let mut attr = OpAttr { name: name.to_owned(), ..OpAttr::default() };
    attr.r#type = match value {
        Value::I32(x) => {
            attr.i = Some(*x);
            0
        }
        Value::F32(x) => {
            attr.f = Some(*x);
            1
        }
        Value::String(_) | Value::Bytes(_) => {
            attr.s = bytes(value);
            2
        }
        Value::Bool(x) => {
            attr.b = Some(*x);
            6
        }
        Value::Block(index) => {
            attr.block_idx = Some(index_of(*index)?);
            8
        }
        Value::I64(x) => {
            attr.l = Some(*x);
            9
        }
        Value::Var(name) => {
            attr.var_name = Some(name.to_string());
            13
        }
        Value::F64(x) => {
            attr.float64 = Some(*x);
            15
        }
        Value::Scalar(x) => {
            attr.scalar = Some(Box::new(scalar(x)?.into()));
            16
        }
        Value::List(items) => match items.first() {
            None => i32::from(declared.unwrap_or(3)),
            Some(first) => list(&mut attr, first, items)?,
        },
        other => return Err(format!("PaddlePaddle has no type for {}", other.describe())),
    };
    Ok(attr)
}

fn list(attr: &mut OpAttr, first: &Value, items: &[Value]) -> Result<i32, String> {
    let mixed = || "the elements of the list are of several types".to_owned();
    macro_rules! gather {
        ($variant:ident) => {
            items
                .iter()
                .map(|item| match item {
                    Value::$variant(x) => Ok(x.clone()),
                    _ => Err(mixed()),
                })
                .collect::<Result<Vec<_>, _>>()?
        };
    }
    Ok(match first {
        Value::I32(_) => {
            attr.ints = gather!(I32);
            3
        }
        Value::F32(_) => {
            attr.floats = gather!(F32);
            4
        }
        Value::String(_) | Value::Bytes(_) => {
            attr.strings = items.iter().map(|item| bytes(item).ok_or_else(mixed)).collect::<Result<_, _>>()?;
            5
        }
        Value::Bool(_) => {
            attr.bools = gather!(Bool);
            7
        }
        Value::Block(_) => {
            attr.blocks_idx = gather!(Block).into_iter().map(index_of).collect::<Result<_, _>>()?;
            10
        }
        Value::I64(_) => {
            attr.longs = gather!(I64);
            11
        }
        Value::F64(_) => {
            attr.float64s = gather!(F64);
            12
        }
        Value::Var(_) => {
            attr.vars_name = gather!(Var).into_iter().map(|name| name.to_string()).collect();
            14
        }
        Value::Scalar(_) => {
            let scalars = gather!(Scalar);
            attr.scalars = scalars.iter().map(|x| scalar(x).map(Kept::from)).collect::<Result<_, _>>()?;
            17
        }
        other => return Err(format!("PaddlePaddle has no type for a list of {}", other.describe())),
    })
}

fn index_of(block: u32) -> Result<i32, String> {
    i32::try_from(block).map_err(|_| format!("{block} is no index of a block"))
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Bytes(bytes) => Some(bytes.to_vec()),
        _ => None,
    }
}

fn scalar(value: &Scalar) -> Result<ScalarDesc, String> {
    Ok(match value {
        Scalar::Bool(x) => ScalarDesc { r#type: 1, b: Some(*x), ..ScalarDesc::default() },
        Scalar::I64(x) => ScalarDesc { r#type: 2, i: Some(*x), ..ScalarDesc::default() },
        Scalar::F64(x) => ScalarDesc { r#type: 3, r: Some(*x), ..ScalarDesc::default() },
        Scalar::Complex128(x) => {
            ScalarDesc { r#type: 4, c: Some(Complex { r: x.re, i: x.im }), ..ScalarDesc::default() }
        }
        other => return Err(format!("PaddlePaddle has no scalar like {other:?}")),
    })
}
