//! The messages of `onnx.proto` that a model is made of: the fields that are read, with their numbers.

use oplock_graph::wire_table;
use prost::Message;

/// A model.
#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    /// The version of the format.
    #[prost(int64, optional, tag = "1")]
    pub ir_version: Option<i64>,
    /// The tool that wrote it.
    #[prost(string, optional, tag = "2")]
    pub producer_name: Option<String>,
    /// That tool's version.
    #[prost(string, optional, tag = "3")]
    pub producer_version: Option<String>,
    /// The graph.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    /// Which version of each set of operators it means.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Operators that it defines itself.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<FunctionProto>,
}

/// A version of a set of operators.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct OperatorSetIdProto {
    /// The domain; empty for ONNX's own.
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    /// The version.
    #[prost(int64, optional, tag = "2")]
    pub version: Option<i64>,
}

/// A graph.
#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    /// The nodes, in order.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    /// Its name.
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    /// The constants.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<Initializer>,
    /// What is given from outside.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    /// The results.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
    /// The types of values within, as far as the model says them.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfoProto>,
    /// The sparse constants.
    #[prost(message, repeated, tag = "15")]
    pub sparse_initializer: Vec<SparseInitializer>,
}

/// A constant of a graph: only its name and its type are read, so that its data is not held.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct Initializer {
    /// The number of the element type.
    #[prost(int32, optional, tag = "2")]
    pub data_type: Option<i32>,
    /// Its name.
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
}

/// A sparse constant of a graph, whose values have its name.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct SparseInitializer {
    /// The values.
    #[prost(message, optional, tag = "1")]
    pub values: Option<Initializer>,
}

/// A value.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    /// The name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// The type, where it is said.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
}

/// One use of an operator.
#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    /// What it reads, by position; an empty name is an input that is left out.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// What it writes, by position.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// A name for people.
    #[prost(string, optional, tag = "3")]
    pub name: Option<String>,
    /// The operator.
    #[prost(string, optional, tag = "4")]
    pub op_type: Option<String>,
    /// What configures it.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
    /// The set of operators; empty for ONNX's own.
    #[prost(string, optional, tag = "7")]
    pub domain: Option<String>,
    /// Which of several functions of one name.
    #[prost(string, optional, tag = "8")]
    pub overload: Option<String>,
}

/// An attribute: its value is in the field of its type.
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs, reason = "one field a type, under ONNX's own names")]
pub struct AttributeProto {
    /// Its name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    #[prost(float, optional, tag = "2")]
    pub f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "4")]
    pub s: Option<Vec<u8>>,
    #[prost(message, optional, boxed, tag = "5")]
    pub t: Option<Box<TensorProto>>,
    #[prost(message, optional, boxed, tag = "6")]
    pub g: Option<Box<GraphProto>>,
    #[prost(float, repeated, tag = "7")]
    pub floats: Vec<f32>,
    #[prost(int64, repeated, tag = "8")]
    pub ints: Vec<i64>,
    #[prost(bytes = "vec", repeated, tag = "9")]
    pub strings: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = "10")]
    pub tensors: Vec<TensorProto>,
    #[prost(message, repeated, tag = "11")]
    pub graphs: Vec<GraphProto>,
    #[prost(message, optional, boxed, tag = "14")]
    pub tp: Option<Box<TypeProto>>,
    #[prost(message, repeated, tag = "15")]
    pub type_protos: Vec<TypeProto>,
    /// The number of its type; absent in models of the first format.
    #[prost(int32, optional, tag = "20")]
    pub r#type: Option<i32>,
    /// In a function: the attribute of the function that says the value.
    #[prost(string, optional, tag = "21")]
    pub ref_attr_name: Option<String>,
    #[prost(message, optional, boxed, tag = "22")]
    pub sparse_tensor: Option<Box<SparseTensorProto>>,
    #[prost(message, repeated, tag = "23")]
    pub sparse_tensors: Vec<SparseTensorProto>,
}

/// A tensor: its elements as bytes, or each as a number in the field of its type.
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs, reason = "one field a type, under ONNX's own names")]
pub struct TensorProto {
    /// The size of each dimension.
    #[prost(int64, repeated, tag = "1")]
    pub dims: Vec<i64>,
    /// The number of the element type.
    #[prost(int32, optional, tag = "2")]
    pub data_type: Option<i32>,
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    #[prost(bytes = "vec", repeated, tag = "6")]
    pub string_data: Vec<Vec<u8>>,
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// The elements, little end first.
    #[prost(bytes = "vec", optional, tag = "9")]
    pub raw_data: Option<Vec<u8>>,
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// 1 where the elements are in another file.
    #[prost(int32, optional, tag = "14")]
    pub data_location: Option<i32>,
}

/// A sparse tensor.
#[derive(Clone, PartialEq, Message)]
pub struct SparseTensorProto {
    /// The values that are there.
    #[prost(message, optional, tag = "1")]
    pub values: Option<TensorProto>,
    /// Where each is.
    #[prost(message, optional, tag = "2")]
    pub indices: Option<TensorProto>,
    /// The sizes of the whole.
    #[prost(int64, repeated, tag = "3")]
    pub dims: Vec<i64>,
}

/// An operator that a model defines itself.
#[derive(Clone, PartialEq, Message)]
pub struct FunctionProto {
    /// Its name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// What it reads, in order.
    #[prost(string, repeated, tag = "4")]
    pub input: Vec<String>,
    /// What it writes, in order.
    #[prost(string, repeated, tag = "5")]
    pub output: Vec<String>,
    /// The attributes without a default.
    #[prost(string, repeated, tag = "6")]
    pub attribute: Vec<String>,
    /// The nodes, in order.
    #[prost(message, repeated, tag = "7")]
    pub node: Vec<NodeProto>,
    /// Which version of each set of operators it means.
    #[prost(message, repeated, tag = "9")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Its domain.
    #[prost(string, optional, tag = "10")]
    pub domain: Option<String>,
    /// The attributes with a default.
    #[prost(message, repeated, tag = "11")]
    pub attribute_proto: Vec<AttributeProto>,
    /// The types of values within, as far as the model says them.
    #[prost(message, repeated, tag = "12")]
    pub value_info: Vec<ValueInfoProto>,
    /// Which of several functions of one name.
    #[prost(string, optional, tag = "13")]
    pub overload: Option<String>,
}

/// A type.
#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    /// The type; none is a message without any.
    #[prost(oneof = "type_proto::Value", tags = "1, 4, 5, 8, 9")]
    pub value: Option<type_proto::Value>,
}

/// The kinds of types.
pub mod type_proto {
    use prost::{Message, Oneof};

    /// A type.
    #[derive(Clone, PartialEq, Oneof)]
    pub enum Value {
        /// A tensor.
        #[prost(message, tag = "1")]
        Tensor(Tensor),
        /// A sequence.
        #[prost(message, tag = "4")]
        Sequence(Box<Of>),
        /// A map.
        #[prost(message, tag = "5")]
        Map(Box<Map>),
        /// A sparse tensor.
        #[prost(message, tag = "8")]
        Sparse(Tensor),
        /// A value that may be absent.
        #[prost(message, tag = "9")]
        Optional(Box<Of>),
    }

    /// The type of a tensor.
    #[derive(Clone, PartialEq, Message)]
    pub struct Tensor {
        /// The number of the element type.
        #[prost(int32, optional, tag = "1")]
        pub elem_type: Option<i32>,
        /// The shape, where it is known.
        #[prost(message, optional, tag = "2")]
        pub shape: Option<Shape>,
    }

    /// A shape.
    #[derive(Clone, PartialEq, Message)]
    pub struct Shape {
        /// The dimensions.
        #[prost(message, repeated, tag = "1")]
        pub dim: Vec<Dim>,
    }

    /// A dimension: a size, a name, or neither.
    #[derive(Clone, PartialEq, Eq, Hash, Message)]
    pub struct Dim {
        /// The size.
        #[prost(int64, optional, tag = "1")]
        pub dim_value: Option<i64>,
        /// The name of a size that is not known.
        #[prost(string, optional, tag = "2")]
        pub dim_param: Option<String>,
    }

    /// The type of elements.
    #[derive(Clone, PartialEq, Message)]
    pub struct Of {
        /// The type.
        #[prost(message, optional, boxed, tag = "1")]
        pub elem_type: Option<Box<super::TypeProto>>,
    }

    /// The type of a map.
    #[derive(Clone, PartialEq, Message)]
    pub struct Map {
        /// The number of the type of the keys.
        #[prost(int32, optional, tag = "1")]
        pub key_type: Option<i32>,
        /// The type of the values.
        #[prost(message, optional, boxed, tag = "2")]
        pub value_type: Option<Box<super::TypeProto>>,
    }
}

wire_table! {
    pub MODEL "ModelProto" false {
        1 "ir_version": Once Int64;
        2 "producer_name": Once String;
        3 "producer_version": Once String;
        7 "graph": Present Message(&GRAPH);
        8 "opset_import": Repeated Message(&OPERATOR_SET_ID);
        25 "functions": Repeated Message(&FUNCTION);
    }
    pub OPERATOR_SET_ID "OperatorSetIdProto" false {
        1 "domain": Once String;
        2 "version": Once Int64;
    }
    pub GRAPH "GraphProto" false {
        1 "node": Repeated Message(&NODE);
        2 "name": Once String;
        5 "initializer": Repeated Message(&INITIALIZER);
        11 "input": Repeated Message(&VALUE_INFO);
        12 "output": Repeated Message(&VALUE_INFO);
        13 "value_info": Repeated Message(&VALUE_INFO);
        15 "sparse_initializer": Repeated Message(&SPARSE_INITIALIZER);
    }
    pub INITIALIZER "TensorProto" false {
        2 "data_type": Once Int32;
        8 "name": Once String;
    }
    pub SPARSE_INITIALIZER "SparseTensorProto" false { 1 "values": Once Message(&INITIALIZER); }
    pub VALUE_INFO "ValueInfoProto" false {
        1 "name": Once String;
        2 "type": Once Message(&TYPE);
    }
    pub NODE "NodeProto" false {
        1 "input": Repeated String;
        2 "output": Repeated String;
        3 "name": Once String;
        4 "op_type": Required String;
        5 "attribute": Repeated Message(&ATTRIBUTE);
        7 "domain": Once String;
        8 "overload": Once String;
    }
    pub ATTRIBUTE "AttributeProto" false {
        1 "name": Required String;
        2 "f": Once Float;
        3 "i": Once Int64;
        4 "s": Once Bytes;
        5 "t": Once Message(&TENSOR);
        6 "g": Once Message(&GRAPH);
        7 "floats": Repeated Float;
        8 "ints": Repeated Int64;
        9 "strings": Repeated Bytes;
        10 "tensors": Repeated Message(&TENSOR);
        11 "graphs": Repeated Message(&GRAPH);
        14 "tp": Once Message(&TYPE);
        15 "type_protos": Repeated Message(&TYPE);
        20 "type": Once Int32;
        21 "ref_attr_name": Once String;
        22 "sparse_tensor": Once Message(&SPARSE_TENSOR);
        23 "sparse_tensors": Repeated Message(&SPARSE_TENSOR);
    }
    pub TENSOR "TensorProto" false {
        1 "dims": Repeated Int64;
        2 "data_type": Once Int32;
        4 "float_data": Repeated Float;
        5 "int32_data": Repeated Int32;
        6 "string_data": Repeated Bytes;
        7 "int64_data": Repeated Int64;
        9 "raw_data": Once Bytes;
        10 "double_data": Repeated Double;
        11 "uint64_data": Repeated Uint64;
        14 "data_location": Once Int32;
    }
    pub SPARSE_TENSOR "SparseTensorProto" false {
        1 "values": Once Message(&TENSOR);
        2 "indices": Once Message(&TENSOR);
        3 "dims": Repeated Int64;
    }
    pub FUNCTION "FunctionProto" false {
        1 "name": Required String;
        4 "input": Repeated String;
        5 "output": Repeated String;
        6 "attribute": Repeated String;
        7 "node": Repeated Message(&NODE);
        9 "opset_import": Repeated Message(&OPERATOR_SET_ID);
        10 "domain": Once String;
        11 "attribute_proto": Repeated Message(&ATTRIBUTE);
        12 "value_info": Repeated Message(&VALUE_INFO);
        13 "overload": Once String;
    }
    pub TYPE "TypeProto" false {
        1 "tensor_type": Once Message(&TENSOR_TYPE);
        4 "sequence_type": Once Message(&ELEMENT_TYPE);
        5 "map_type": Once Message(&MAP_TYPE);
        8 "sparse_tensor_type": Once Message(&TENSOR_TYPE);
        9 "optional_type": Once Message(&ELEMENT_TYPE);
    }
    pub TENSOR_TYPE "TypeProto.Tensor" false {
        1 "elem_type": Once Int32;
        2 "shape": Once Message(&SHAPE);
    }
    pub SHAPE "TensorShapeProto" false { 1 "dim": Repeated Message(&DIMENSION); }
    pub DIMENSION "TensorShapeProto.Dimension" false {
        1 "dim_value": Once Int64;
        2 "dim_param": Once String;
    }
    pub ELEMENT_TYPE "TypeProto.Sequence" false { 1 "elem_type": Once Message(&TYPE); }
    pub MAP_TYPE "TypeProto.Map" false {
        1 "key_type": Once Int32;
        2 "value_type": Once Message(&TYPE);
    }
}
