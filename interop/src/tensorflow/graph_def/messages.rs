//! The messages of graphs: the fields that are read, with their numbers (`graph.proto`, `node_def.proto`, `function.proto`,
//! `versions.proto`, `saved_model.proto`, `meta_graph.proto`).

use std::collections::BTreeMap;

use oplock_graph::wire_table;
use prost::Message;

use super::super::proto::{AttrValue, OpDef, OpList};

/// A graph.
#[derive(Clone, PartialEq, Message)]
pub struct GraphDef {
    /// The nodes, in any order.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeDef>,
    /// The functions that nodes call.
    #[prost(message, optional, tag = "2")]
    pub library: Option<FunctionDefLibrary>,
    /// Who wrote it, and who may read it.
    #[prost(message, optional, tag = "4")]
    pub versions: Option<VersionDef>,
}

/// Who wrote data, and who may read it.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct VersionDef {
    /// The version of the writer.
    #[prost(int32, tag = "1")]
    pub producer: i32,
    /// The least version that a reader must have.
    #[prost(int32, tag = "2")]
    pub min_consumer: i32,
    /// Versions that misread it.
    #[prost(int32, repeated, tag = "3")]
    pub bad_consumers: Vec<i32>,
}

/// One use of an operator.
#[derive(Clone, PartialEq, Message)]
pub struct NodeDef {
    /// Its name; `name:1` is its second output.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The operator.
    #[prost(string, tag = "2")]
    pub op: String,
    /// What it reads, by position; behind them, with a `^`, nodes that only run before it.
    #[prost(string, repeated, tag = "3")]
    pub input: Vec<String>,
    /// What configures it.
    #[prost(btree_map = "string, message", tag = "5")]
    pub attr: BTreeMap<String, AttrValue>,
}

/// Functions.
#[derive(Clone, PartialEq, Message)]
pub struct FunctionDefLibrary {
    /// Each by its signature's name.
    #[prost(message, repeated, tag = "1")]
    pub function: Vec<FunctionDef>,
}

/// A function.
#[derive(Clone, PartialEq, Message)]
pub struct FunctionDef {
    /// What it is for who calls it: an operator.
    #[prost(message, optional, tag = "1")]
    pub signature: Option<OpDef>,
    /// Its nodes.
    #[prost(message, repeated, tag = "3")]
    pub node_def: Vec<NodeDef>,
    /// By the name of each output, the output of a node that it is.
    #[prost(btree_map = "string, string", tag = "4")]
    pub ret: BTreeMap<String, String>,
}

/// A saved model: graphs for several uses.
#[derive(Clone, PartialEq, Message)]
pub struct SavedModel {
    /// The version of the format.
    #[prost(int64, tag = "1")]
    pub saved_model_schema_version: i64,
    /// The graphs.
    #[prost(message, repeated, tag = "2")]
    pub meta_graphs: Vec<MetaGraphDef>,
}

/// A graph and what is known of it.
#[derive(Clone, PartialEq, Message)]
pub struct MetaGraphDef {
    /// What is known of it.
    #[prost(message, optional, tag = "1")]
    pub meta_info_def: Option<MetaInfoDef>,
    /// The graph.
    #[prost(message, optional, tag = "2")]
    pub graph_def: Option<GraphDef>,
}

/// What is known of a graph.
#[derive(Clone, PartialEq, Message)]
pub struct MetaInfoDef {
    /// The operators that it uses, as its writer had them.
    #[prost(message, optional, tag = "2")]
    pub stripped_op_list: Option<OpList>,
    /// What it is for: `serve`, `train`.
    #[prost(string, repeated, tag = "4")]
    pub tags: Vec<String>,
    /// The release of its writer.
    #[prost(string, tag = "5")]
    pub tensorflow_version: String,
}

wire_table! {
    pub SAVED_MODEL "SavedModel" false {
        1 "saved_model_schema_version": Once Int64;
        2 "meta_graphs": Repeated Message(&META_GRAPH);
    }
    pub META_GRAPH "MetaGraphDef" false {
        1 "meta_info_def": Once Message(&META_INFO);
        2 "graph_def": Once Message(&GRAPH);
    }
    pub META_INFO "MetaInfoDef" false {
        2 "stripped_op_list": Once Message(&OP_LIST);
        4 "tags": Repeated String;
        5 "tensorflow_version": Once String;
    }
    pub GRAPH "GraphDef" false {
        1 "node": Repeated Message(&NODE);
        2 "library": Once Message(&LIBRARY);
        4 "versions": Once Message(&VERSIONS);
    }
    pub VERSIONS "VersionDef" false {
        1 "producer": Once Int32;
        2 "min_consumer": Once Int32;
        3 "bad_consumers": Repeated Int32;
    }
    pub NODE "NodeDef" false {
        1 "name": Required String;
        2 "op": Required String;
        3 "input": Repeated String;
        5 "attr": Repeated Message(&NODE_ATTR);
    }
    pub NODE_ATTR "NodeDef.AttrEntry" false {
        1 "key": Required String;
        2 "value": Once Message(&ATTR_VALUE);
    }
    pub LIBRARY "FunctionDefLibrary" false { 1 "function": Repeated Message(&FUNCTION); }
    pub FUNCTION "FunctionDef" false {
        1 "signature": Present Message(&OP);
        3 "node_def": Repeated Message(&NODE);
        4 "ret": Repeated Message(&RET);
    }
    pub RET "FunctionDef.RetEntry" false {
        1 "key": Once String;
        2 "value": Once String;
    }
    pub OP_LIST "OpList" false { 1 "op": Repeated Message(&OP); }
    pub OP "OpDef" false {
        1 "name": Required String;
        2 "input_arg": Repeated Message(&ARG);
        3 "output_arg": Repeated Message(&ARG);
        4 "attr": Repeated Message(&ATTR);
        5 "summary": Once String;
        6 "description": Once String;
        8 "deprecation": Once Message(&DEPRECATION);
        16 "is_aggregate": Once Bool;
        17 "is_stateful": Once Bool;
        18 "is_commutative": Once Bool;
        19 "allows_uninitialized_input": Once Bool;
        20 "control_output": Repeated String;
        21 "is_distributed_communication": Once Bool;
    }
    pub ARG "ArgDef" false {
        1 "name": Once String;
        2 "description": Once String;
        3 "type": Once Int32;
        4 "type_attr": Once String;
        5 "number_attr": Once String;
        6 "type_list_attr": Once String;
        16 "is_ref": Once Bool;
    }
    pub ATTR "AttrDef" false {
        1 "name": Once String;
        2 "type": Once String;
        3 "default_value": Once Message(&ATTR_VALUE);
        4 "description": Once String;
        5 "has_minimum": Once Bool;
        6 "minimum": Once Int64;
        7 "allowed_values": Once Message(&ATTR_VALUE);
    }
    pub DEPRECATION "OpDeprecation" false {
        1 "version": Once Int32;
        2 "explanation": Once String;
    }
    pub ATTR_VALUE "AttrValue" false {
        1 "list": Once Message(&LIST);
        2 "s": Once Bytes;
        3 "i": Once Int64;
        4 "f": Once Float;
        5 "b": Once Bool;
        6 "type": Once Int32;
        7 "shape": Once Message(&SHAPE);
        8 "tensor": Once Message(&TENSOR);
        9 "placeholder": Once String;
        10 "func": Once Message(&FUNC);
    }
    pub LIST "ListValue" false {
        2 "s": Repeated Bytes;
        3 "i": Repeated Int64;
        4 "f": Repeated Float;
        5 "b": Repeated Bool;
        6 "type": Repeated Int32;
        7 "shape": Repeated Message(&SHAPE);
        8 "tensor": Repeated Message(&TENSOR);
        9 "func": Repeated Message(&FUNC);
    }
    pub FUNC "NameAttrList" false {
        1 "name": Once String;
        2 "attr": Repeated Message(&NODE_ATTR);
    }
    pub SHAPE "TensorShapeProto" false {
        2 "dim": Repeated Message(&DIM);
        3 "unknown_rank": Once Bool;
    }
    pub DIM "TensorShapeProto.Dim" false {
        1 "size": Once Int64;
        2 "name": Once String;
    }
    pub TENSOR "TensorProto" false {
        1 "dtype": Once Int32;
        2 "tensor_shape": Once Message(&SHAPE);
        3 "version_number": Once Int32;
        4 "tensor_content": Once Bytes;
        5 "float_val": Repeated Float;
        6 "double_val": Repeated Double;
        7 "int_val": Repeated Int32;
        8 "string_val": Repeated Bytes;
        9 "scomplex_val": Repeated Float;
        10 "int64_val": Repeated Int64;
        11 "bool_val": Repeated Bool;
        12 "dcomplex_val": Repeated Double;
        13 "half_val": Repeated Int32;
        16 "uint32_val": Repeated Uint32;
        17 "uint64_val": Repeated Uint64;
        18 "float8_val": Once Bytes;
    }
}
