//! A model of another system as a graph, and what a graph does not say of it.

use std::collections::{BTreeMap, HashMap};

use oplock_core::{
    AttrDef, AttrType, Complex128, Func, OpDef, Scalar, ScalarType, Shape, SparseTensor, Tensor, TensorData, Value,
};
use oplock_graph::{Graph, Place, VariableTypes};

/// A model of another system.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// Its operators.
    pub graph: Graph,
    /// What each block of the graph is in the file, e.g. `graph.node[3].then_branch`.
    pub blocks: Vec<String>,
    /// The types of lists without elements.
    pub empty: Vec<EmptyList>,
    /// Which version of each set of definitions it means, or was written by.
    pub versions: BTreeMap<String, i64>,
    /// Of each set of definitions that its nodes are of, the newest version that one of them means: a function may mean another than
    /// the model.
    pub used_versions: BTreeMap<String, i64>,
    /// As of which version each operator is taken, for deprecations.
    pub levels: HashMap<String, u32>,
    /// Operators that the model defines itself.
    pub own_ops: BTreeMap<String, OpDef>,
    /// What it says of the types of its variables.
    pub types: VariableTypes,
    /// What is wrong with it that a graph does not show.
    pub faults: Vec<Fault>,
}

/// What is wrong with a node of a model that a graph does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The node.
    pub at: Place,
    /// Its operator.
    pub op: String,
    /// The word of machine-readable reports.
    pub code: &'static str,
    /// What is wrong, as a clause.
    pub what: String,
    /// What the model has, and what the definitions say, where that is in few words.
    pub sides: Option<(String, String)>,
}

/// The type that a file states of a list without elements, which a graph does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyList {
    /// The node.
    pub at: Place,
    /// The attribute.
    pub name: String,
    /// The type.
    pub ty: AttrType,
}

/// A value in the place of one that only the caller of a function says: of its type, and one that its definition allows.
pub(crate) fn stand_in(def: Option<&AttrDef>, ty: AttrType) -> Value {
    let Some(def) = def.filter(|def| AttrType { optional: false, ..def.ty } == ty) else { return plain(ty, 0) };
    match &def.default {
        Some(default) if *default != Value::Absent => default.clone(),
        _ => plain(ty, def.min.unwrap_or(0)),
    }
}

fn plain(ty: AttrType, min: i64) -> Value {
    if let Some(element) = ty.element() {
        let length = usize::try_from(min.clamp(0, 64)).unwrap_or(0);
        return Value::list(vec![plain(element, 0); length]);
    }
    match ty.scalar {
        ScalarType::Bool => Value::Bool(false),
        ScalarType::I32 => Value::I32(i32::try_from(min).unwrap_or(0)),
        ScalarType::I64 | ScalarType::Size => Value::I64(min),
        ScalarType::U32 => Value::U32(0),
        ScalarType::U64 => Value::U64(0),
        ScalarType::F32 => Value::F32(0.0),
        ScalarType::F64 => Value::F64(0.0),
        ScalarType::String => Value::String("".into()),
        ScalarType::Bytes => Value::Bytes(Vec::new().into()),
        ScalarType::DType => Value::DType("f32".into()),
        ScalarType::Block => Value::Block(0),
        ScalarType::Var => Value::Var("".into()),
        ScalarType::Scalar => Value::Scalar(Scalar::Bool(false)),
        ScalarType::Complex128 => Value::Complex128(Complex128::default()),
        ScalarType::Shape => Value::Shape(Shape::default()),
        ScalarType::Tensor => Value::Tensor(Box::new(no_tensor())),
        ScalarType::SparseTensor => {
            let (indices, values) = (Tensor { ty: "i64".into(), ..no_tensor() }, no_tensor());
            Value::SparseTensor(Box::new(SparseTensor { dims: vec![0], indices, values }))
        }
        ScalarType::Func => Value::Func(Box::new(Func::new(""))),
        ScalarType::TypeProto => Value::TypeProto("f32".into()),
        _ => Value::Absent,
    }
}

fn no_tensor() -> Tensor {
    Tensor { ty: "f32".into(), dims: vec![0], data: TensorData::Raw(Vec::new()) }
}
