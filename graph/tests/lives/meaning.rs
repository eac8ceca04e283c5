//! What a graph means, told by a model that knows nothing of locks, data versions and the engine.
//!
//! Every behaviour of an operator and every item of it has a number of its own for as long as it is the same thing, whatever it
//! is called, however its type grows and whatever its default is. A graph means the behaviours of its nodes, and the
//! variables and values of those items. What an author does to a package between two releases says how a meaning is
//! carried from the one to the other.

use std::collections::BTreeMap;
use std::fmt;

use oplock_core::{Kind, OpDef, Part, Scalar, Value};
use oplock_graph::Graph;
use oplock_registry::Node;

use crate::transform::Transforms;

/// The definitions of a release.
pub(crate) type Defs = BTreeMap<String, OpDef>;

/// What the names of a release stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) ops: BTreeMap<String, OpNames>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct OpNames {
    pub(crate) behaviour: u32,
    /// Without what is Extra.
    pub(crate) items: BTreeMap<(Kind, String), u32>,
}

/// A value, whichever type of number holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plain {
    Absent,
    Bool(bool),
    /// Beyond what a binary64 number holds exactly.
    Integer(i128),
    /// The bits of a binary64 number; every NaN is one.
    Number(u64),
    Text(String),
    Block(u32),
    List(Vec<Plain>),
}

impl Plain {
    pub(crate) fn of(value: &Value) -> Plain {
        match value {
            Value::Absent => Plain::Absent,
            Value::Bool(x) => Plain::Bool(*x),
            Value::I32(x) => Plain::integer((*x).into()),
            Value::I64(x) => Plain::integer((*x).into()),
            Value::U32(x) => Plain::integer((*x).into()),
            Value::U64(x) => Plain::integer((*x).into()),
            Value::F32(x) => Plain::Number(f64::from(*x).to_bits()),
            Value::F64(x) | Value::Scalar(Scalar::F64(x)) => Plain::Number(x.to_bits()),
            Value::String(x) | Value::DType(x) | Value::Var(x) => Plain::Text(x.to_string()),
            Value::Block(x) => Plain::Block(*x),
            Value::List(items) => Plain::List(items.iter().map(Plain::of).collect()),
            other => panic!("{other:?} is of no type of these lives"),
        }
    }

    pub(crate) fn integer(x: i128) -> Plain {
        #[allow(clippy::cast_precision_loss)] // exact up to there
        if x.abs() <= 1 << 53 { Plain::Number((x as f64).to_bits()) } else { Plain::Integer(x) }
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plain::Absent => f.write_str("absent"),
            Plain::Bool(x) => x.fmt(f),
            Plain::Integer(x) => x.fmt(f),
            Plain::Number(bits) => f64::from_bits(*bits).fmt(f),
            Plain::Text(text) => write!(f, "{text:?}"),
            Plain::Block(block) => write!(f, "block {block}"),
            Plain::List(items) => {
                let items: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
        }
    }
}

/// The behaviour of every operator of another package.
pub(crate) const OF_ANOTHER: u32 = u32::MAX;

/// What a node means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Use {
    pub(crate) behaviour: u32,
    pub(crate) operands: BTreeMap<u32, Vec<String>>,
    pub(crate) attrs: BTreeMap<u32, Plain>,
}

/// What a graph means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meaning {
    pub(crate) blocks: Vec<Vec<Use>>,
    pub(crate) results: Vec<Vec<String>>,
}

/// What becomes of meanings between two releases that follow each other.
#[derive(Clone, Debug)]
pub(crate) enum Carry {
    /// An attribute is there from now on, and graphs that lack it mean this.
    Add { behaviour: u32, item: u32, default: Plain },
    /// An attribute is gone, and what is left does what it did with this value.
    Settle { behaviour: u32, item: u32, default: Plain },
    /// The author says what older nodes mean.
    Call(Transforms),
}

impl Meaning {
    /// The meaning of a graph by the definitions of a release.
    pub(crate) fn of(graph: &Graph, defs: &Defs, names: &Names) -> Meaning {
        let node = |node: &Node| {
            // What is of another package is none of this one's operators.
            let (Some(def), Some(names)) = (defs.get(&node.op), names.ops.get(&node.op)) else {
                return Use { behaviour: OF_ANOTHER, operands: BTreeMap::new(), attrs: BTreeMap::new() };
            };
            let mut operands = BTreeMap::new();
            for kind in [Kind::Input, Kind::Output] {
                for (name, variables) in node.args(kind).iter().filter(|(_, variables)| !variables.is_empty()) {
                    if let Some(item) = names.items.get(&(kind, name.clone())) {
                        operands.insert(*item, variables.clone());
                    }
                }
            }
            let mut attrs = BTreeMap::new();
            for attr in def.attrs.iter().filter(|attr| attr.part != Part::Extra) {
                let value = node.attrs.get(attr.name.as_ref()).or(attr.default.as_ref());
                let item = names.items[&(Kind::Attr, attr.name.to_string())];
                attrs.extend(value.map(|value| (item, Plain::of(value))));
            }
            Use { behaviour: names.behaviour, operands, attrs }
        };
        Meaning {
            blocks: graph.blocks.iter().map(|block| block.nodes.iter().map(node).collect()).collect(),
            results: graph.blocks.iter().map(|block| block.outputs.clone()).collect(),
        }
    }

    /// What it means after these changes.
    pub(crate) fn carry(&mut self, steps: &[Carry]) {
        for step in steps {
            match step {
                Carry::Add { behaviour, item, default } => self.each(*behaviour, |node| {
                    node.attrs.entry(*item).or_insert_with(|| default.clone());
                }),
                Carry::Settle { behaviour, item, default } => self.each(*behaviour, |node| {
                    if node.attrs.get(item) == Some(default) {
                        node.attrs.remove(item);
                    }
                }),
                Carry::Call(transforms) => transforms.carry(self),
            }
        }
    }

    fn each(&mut self, behaviour: u32, mut change: impl FnMut(&mut Use)) {
        for node in self.blocks.iter_mut().flatten().filter(|node| node.behaviour == behaviour) {
            change(node);
        }
    }

    /// What of it was known when another line began: values that only this line knows are nothing while they are at what graphs
    /// without them mean, and can never be equal to anything there otherwise.
    pub(crate) fn project(&mut self, is_known: impl Fn(u32) -> bool, neutral: &BTreeMap<u32, Plain>) {
        for node in self.blocks.iter_mut().flatten() {
            node.attrs.retain(|item, value| is_known(*item) || neutral.get(item) != Some(value));
        }
    }

    /// The same with variables numbered in the order in which they occur, since new ones are named by who makes them.
    pub(crate) fn numbered(mut self) -> Meaning {
        let mut numbers: BTreeMap<String, String> = BTreeMap::new();
        let nodes = self.blocks.iter_mut().flatten().flat_map(|node| node.operands.values_mut());
        for variable in nodes.chain(self.results.iter_mut()).flatten() {
            let next = format!("v{}", numbers.len());
            variable.clone_from(numbers.entry(variable.clone()).or_insert(next));
        }
        self
    }
}
