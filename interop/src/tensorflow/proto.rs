//! The protobuf messages of `TensorFlow` that hold definitions and values: the fields that are read, with their numbers.
//!
//! The numbers are those of `op_def.proto`, `attr_value.proto`, `tensor.proto` and `tensor_shape.proto`.

use std::collections::BTreeMap;

use prost::{Message, Oneof};

/// Definitions of operators; an operator's history names it several times, oldest first.
#[derive(Clone, PartialEq, Message)]
pub struct OpList {
    /// The definitions.
    #[prost(message, repeated, tag = "1")]
    pub op: Vec<OpDef>,
}

/// The definition of an operator.
#[derive(Clone, PartialEq, Message)]
pub struct OpDef {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// What it reads, in order.
    #[prost(message, repeated, tag = "2")]
    pub input_arg: Vec<ArgDef>,
    /// What it writes, in order.
    #[prost(message, repeated, tag = "3")]
    pub output_arg: Vec<ArgDef>,
    /// What configures it.
    #[prost(message, repeated, tag = "4")]
    pub attr: Vec<AttrDef>,
    /// What it does, in a line.
    #[prost(string, tag = "5")]
    pub summary: String,
    /// What it does, at length.
    #[prost(string, tag = "6")]
    pub description: String,
    /// Since when graphs must not use it.
    #[prost(message, optional, tag = "8")]
    pub deprecation: Option<OpDeprecation>,
    /// Takes any number of inputs of one type and sums them up, in any order.
    #[prost(bool, tag = "16")]
    pub is_aggregate: bool,
    /// Has a state, or depends on one.
    #[prost(bool, tag = "17")]
    pub is_stateful: bool,
    /// Its inputs may be swapped.
    #[prost(bool, tag = "18")]
    pub is_commutative: bool,
    /// Takes tensors that hold nothing yet.
    #[prost(bool, tag = "19")]
    pub allows_uninitialized_input: bool,
    /// Talks to other machines.
    #[prost(bool, tag = "21")]
    pub is_distributed_communication: bool,
}

/// The definition of an input or output.
#[derive(Clone, PartialEq, Message)]
pub struct ArgDef {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// What it is for.
    #[prost(string, tag = "2")]
    pub description: String,
    /// Its element type, where that is always the same.
    #[prost(int32, tag = "3")]
    pub r#type: i32,
    /// The attribute that says its element type.
    #[prost(string, tag = "4")]
    pub type_attr: String,
    /// The attribute that says how many tensors it stands for.
    #[prost(string, tag = "5")]
    pub number_attr: String,
    /// The attribute that lists the element types of the tensors for which it stands.
    #[prost(string, tag = "6")]
    pub type_list_attr: String,
    /// Is a variable's buffer and not its value.
    #[prost(bool, tag = "16")]
    pub is_ref: bool,
}

/// The definition of an attribute.
#[derive(Clone, PartialEq, Message)]
pub struct AttrDef {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its type: `int`, `list(shape)`, …
    #[prost(string, tag = "2")]
    pub r#type: String,
    /// What it is where a node does not say it.
    #[prost(message, optional, tag = "3")]
    pub default_value: Option<AttrValue>,
    /// What it is for.
    #[prost(string, tag = "4")]
    pub description: String,
    /// Whether there is a minimum.
    #[prost(bool, tag = "5")]
    pub has_minimum: bool,
    /// The least value of an integer, the least length of a list.
    #[prost(int64, tag = "6")]
    pub minimum: i64,
    /// The only values that it, or an element of it, may have: a list.
    #[prost(message, optional, tag = "7")]
    pub allowed_values: Option<AttrValue>,
}

/// Since when graphs must not use an operator.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct OpDeprecation {
    /// The first version of `GraphDef` that must not.
    #[prost(int32, tag = "1")]
    pub version: i32,
    /// Why, and what to use.
    #[prost(string, tag = "2")]
    pub explanation: String,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Message)]
pub struct AttrValue {
    /// The value; none is a message without any.
    #[prost(oneof = "attr_value::Value", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10")]
    pub value: Option<attr_value::Value>,
}

/// The kinds of values.
pub mod attr_value {
    use super::{Message, NameAttrList, Oneof, TensorProto, TensorShapeProto};

    /// A value.
    #[derive(Clone, PartialEq, Oneof)]
    pub enum Value {
        /// Of a type `list(…)`.
        #[prost(message, tag = "1")]
        List(ListValue),
        /// Text, or any bytes.
        #[prost(bytes = "vec", tag = "2")]
        S(Vec<u8>),
        /// An integer.
        #[prost(int64, tag = "3")]
        I(i64),
        /// A number.
        #[prost(float, tag = "4")]
        F(f32),
        /// A boolean.
        #[prost(bool, tag = "5")]
        B(bool),
        /// An element type.
        #[prost(int32, tag = "6")]
        Type(i32),
        /// A shape.
        #[prost(message, tag = "7")]
        Shape(TensorShapeProto),
        /// A tensor.
        #[prost(message, tag = "8")]
        Tensor(TensorProto),
        /// In a function's node: the attribute of the function that says the value.
        #[prost(string, tag = "9")]
        Placeholder(String),
        /// A function.
        #[prost(message, tag = "10")]
        Func(NameAttrList),
    }

    /// A list of values of one kind.
    #[derive(Clone, PartialEq, Message)]
    pub struct ListValue {
        /// Texts.
        #[prost(bytes = "vec", repeated, tag = "2")]
        pub s: Vec<Vec<u8>>,
        /// Integers.
        #[prost(int64, repeated, tag = "3")]
        pub i: Vec<i64>,
        /// Numbers.
        #[prost(float, repeated, tag = "4")]
        pub f: Vec<f32>,
        /// Booleans.
        #[prost(bool, repeated, tag = "5")]
        pub b: Vec<bool>,
        /// Element types.
        #[prost(int32, repeated, tag = "6")]
        pub r#type: Vec<i32>,
        /// Shapes.
        #[prost(message, repeated, tag = "7")]
        pub shape: Vec<TensorShapeProto>,
        /// Tensors.
        #[prost(message, repeated, tag = "8")]
        pub tensor: Vec<TensorProto>,
        /// Functions.
        #[prost(message, repeated, tag = "9")]
        pub func: Vec<NameAttrList>,
    }
}

/// A function by name, with values for its attributes.
#[derive(Clone, PartialEq, Message)]
pub struct NameAttrList {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The values.
    #[prost(btree_map = "string, message", tag = "2")]
    pub attr: BTreeMap<String, AttrValue>,
}

/// A shape.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct TensorShapeProto {
    /// The dimensions.
    #[prost(message, repeated, tag = "2")]
    pub dim: Vec<Dim>,
    /// How many there are is not known.
    #[prost(bool, tag = "3")]
    pub unknown_rank: bool,
}

/// A dimension. It may have a name too, which means nothing.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct Dim {
    /// Its size; -1 where that is not known.
    #[prost(int64, tag = "1")]
    pub size: i64,
}

/// A tensor: its elements as bytes, or each as a number in the field of its type.
#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    /// The element type.
    #[prost(int32, tag = "1")]
    pub dtype: i32,
    /// The shape.
    #[prost(message, optional, tag = "2")]
    pub tensor_shape: Option<TensorShapeProto>,
    /// The version of this form: 0.
    #[prost(int32, tag = "3")]
    pub version_number: i32,
    /// The elements, little end first.
    #[prost(bytes = "vec", tag = "4")]
    pub tensor_content: Vec<u8>,
    /// Elements that are `f32`.
    #[prost(float, repeated, tag = "5")]
    pub float_val: Vec<f32>,
    /// Elements that are `f64`.
    #[prost(double, repeated, tag = "6")]
    pub double_val: Vec<f64>,
    /// Elements that are integers of at most 32 bits.
    #[prost(int32, repeated, tag = "7")]
    pub int_val: Vec<i32>,
    /// Elements that are text.
    #[prost(bytes = "vec", repeated, tag = "8")]
    pub string_val: Vec<Vec<u8>>,
    /// Elements that are `complex64`: real and imaginary part in turn.
    #[prost(float, repeated, tag = "9")]
    pub scomplex_val: Vec<f32>,
    /// Elements that are `i64`.
    #[prost(int64, repeated, tag = "10")]
    pub int64_val: Vec<i64>,
    /// Elements that are booleans.
    #[prost(bool, repeated, tag = "11")]
    pub bool_val: Vec<bool>,
    /// Elements that are `complex128`: real and imaginary part in turn.
    #[prost(double, repeated, tag = "12")]
    pub dcomplex_val: Vec<f64>,
    /// Elements that are `f16` or `bf16`, by their bits.
    #[prost(int32, repeated, tag = "13")]
    pub half_val: Vec<i32>,
    /// Elements that are `u32`.
    #[prost(uint32, repeated, tag = "16")]
    pub uint32_val: Vec<u32>,
    /// Elements that are `u64`.
    #[prost(uint64, repeated, tag = "17")]
    pub uint64_val: Vec<u64>,
    /// Elements of 8-bit floating point types, one byte each.
    #[prost(bytes = "vec", tag = "18")]
    pub float8_val: Vec<u8>,
}
