//! The messages of `framework.proto` that a program is made of: the fields that are read, with their numbers. The others are kept.

use oplock_graph::wire_table;
use prost::Message;

use crate::models::{Described, Kept};

/// A program.
#[derive(Clone, PartialEq, Message)]
pub struct ProgramDesc {
    /// The blocks; the first is the main one.
    #[prost(message, repeated, tag = "1")]
    pub blocks: Vec<Kept<BlockDesc>>,
    /// The release that wrote it.
    #[prost(message, optional, tag = "4")]
    pub version: Option<Kept<Version>>,
    /// The version of each operator that has one.
    #[prost(message, optional, tag = "5")]
    pub op_version_map: Option<Kept<OpVersionMap>>,
}

/// A release as a number: 2.6.2 is 2006002, and 0 a build without one.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct Version {
    /// The number.
    #[prost(int64, optional, tag = "1")]
    pub version: Option<i64>,
}

/// The versions of operators.
#[derive(Clone, PartialEq, Message)]
pub struct OpVersionMap {
    /// Each with its version.
    #[prost(message, repeated, tag = "1")]
    pub pair: Vec<Kept<OpVersionPair>>,
}

/// An operator and its version.
#[derive(Clone, PartialEq, Message)]
pub struct OpVersionPair {
    /// The operator.
    #[prost(string, required, tag = "1")]
    pub op_name: String,
    /// Its version.
    #[prost(message, required, tag = "2")]
    pub op_version: Kept<OpVersion>,
}

/// How many checkpoints an operator's registry of versions had.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct OpVersion {
    /// The number.
    #[prost(int32, required, tag = "1")]
    pub version: i32,
}

/// A list of operators in the order in which they run.
#[derive(Clone, PartialEq, Message)]
pub struct BlockDesc {
    /// Its index.
    #[prost(int32, required, tag = "1")]
    pub idx: i32,
    /// The index of the block in which it is; -1 for the main one.
    #[prost(int32, required, tag = "2")]
    pub parent_idx: i32,
    /// The variables that are declared here.
    #[prost(message, repeated, tag = "3")]
    pub vars: Vec<Kept<VarDesc>>,
    /// The operators.
    #[prost(message, repeated, tag = "4")]
    pub ops: Vec<Kept<OpDesc>>,
    /// Of a block of gradients: the block of which it is.
    #[prost(int32, optional, tag = "5")]
    pub forward_block_idx: Option<i32>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct VarDesc {
    /// Its name.
    #[prost(string, required, tag = "1")]
    pub name: String,
    /// Its type, which is not looked into.
    #[prost(bytes = "vec", required, tag = "2")]
    pub r#type: Vec<u8>,
    /// Whether it outlives a run, as weights do.
    #[prost(bool, optional, tag = "3")]
    pub persistable: Option<bool>,
}

/// One use of an operator.
#[derive(Clone, PartialEq, Message)]
pub struct OpDesc {
    /// What it reads.
    #[prost(message, repeated, tag = "1")]
    pub inputs: Vec<Kept<OpVar>>,
    /// What it writes.
    #[prost(message, repeated, tag = "2")]
    pub outputs: Vec<Kept<OpVar>>,
    /// The operator's name.
    #[prost(string, required, tag = "3")]
    pub r#type: String,
    /// What configures it.
    #[prost(message, repeated, tag = "4")]
    pub attrs: Vec<Kept<OpAttr>>,
    /// Whether pruning must keep it.
    #[prost(bool, optional, tag = "5")]
    pub is_target: Option<bool>,
}

/// The variables of an input or output.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct OpVar {
    /// The input or output.
    #[prost(string, required, tag = "1")]
    pub parameter: String,
    /// The variables.
    #[prost(string, repeated, tag = "2")]
    pub arguments: Vec<String>,
}

/// An attribute: its value is in the field of its type. Texts are bytes, since some operators keep whole programs in them.
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs, reason = "one field a type, under PaddlePaddle's own names")]
pub struct OpAttr {
    /// Its name.
    #[prost(string, required, tag = "1")]
    pub name: String,
    /// The number of its type.
    #[prost(int32, required, tag = "2")]
    pub r#type: i32,
    #[prost(int32, optional, tag = "3")]
    pub i: Option<i32>,
    #[prost(float, optional, tag = "4")]
    pub f: Option<f32>,
    #[prost(bytes = "vec", optional, tag = "5")]
    pub s: Option<Vec<u8>>,
    #[prost(int32, repeated, packed = "false", tag = "6")]
    pub ints: Vec<i32>,
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub floats: Vec<f32>,
    #[prost(bytes = "vec", repeated, tag = "8")]
    pub strings: Vec<Vec<u8>>,
    #[prost(bool, optional, tag = "10")]
    pub b: Option<bool>,
    #[prost(bool, repeated, packed = "false", tag = "11")]
    pub bools: Vec<bool>,
    #[prost(int32, optional, tag = "12")]
    pub block_idx: Option<i32>,
    #[prost(int64, optional, tag = "13")]
    pub l: Option<i64>,
    #[prost(int32, repeated, packed = "false", tag = "14")]
    pub blocks_idx: Vec<i32>,
    #[prost(int64, repeated, packed = "false", tag = "15")]
    pub longs: Vec<i64>,
    #[prost(double, repeated, packed = "false", tag = "16")]
    pub float64s: Vec<f64>,
    #[prost(string, optional, tag = "17")]
    pub var_name: Option<String>,
    #[prost(string, repeated, tag = "18")]
    pub vars_name: Vec<String>,
    #[prost(double, optional, tag = "19")]
    pub float64: Option<f64>,
    #[prost(message, optional, boxed, tag = "20")]
    pub scalar: Option<Box<Kept<ScalarDesc>>>,
    #[prost(message, repeated, tag = "21")]
    pub scalars: Vec<Kept<ScalarDesc>>,
}

/// A number with its own type.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct ScalarDesc {
    /// The number of its type: boolean 1, integer 2, number 3, complex number 4.
    #[prost(int32, required, tag = "1")]
    pub r#type: i32,
    /// A boolean.
    #[prost(bool, optional, tag = "2")]
    pub b: Option<bool>,
    /// An integer.
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    /// A number.
    #[prost(double, optional, tag = "4")]
    pub r: Option<f64>,
    /// A complex number.
    #[prost(message, optional, tag = "5")]
    pub c: Option<Complex>,
}

/// A complex number.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Complex {
    /// Its real part.
    #[prost(double, required, tag = "1")]
    pub r: f64,
    /// Its imaginary part.
    #[prost(double, required, tag = "2")]
    pub i: f64,
}

wire_table! {
    pub PROGRAM "ProgramDesc" false {
        1 "blocks": Repeated Message(&BLOCK);
        4 "version": Once Message(&VERSION);
        5 "op_version_map": Once Message(&OP_VERSION_MAP);
    }
    pub VERSION "Version" false { 1 "version": Once Int64; }
    pub OP_VERSION_MAP "OpVersionMap" false { 1 "pair": Repeated Message(&OP_VERSION_PAIR); }
    pub OP_VERSION_PAIR "OpVersionPair" false {
        1 "op_name": Required String;
        2 "op_version": Present Message(&OP_VERSION);
    }
    pub OP_VERSION "OpVersion" false { 1 "version": Present Int32; }
    pub BLOCK "BlockDesc" false {
        1 "idx": Present Int32;
        2 "parent_idx": Present Int32;
        3 "vars": Repeated Message(&VAR);
        4 "ops": Repeated Message(&OP);
        5 "forward_block_idx": Once Int32;
    }
    pub VAR "VarDesc" false {
        1 "name": Required String;
        2 "type": Present Bytes;
        3 "persistable": Once Bool;
    }
    pub OP "OpDesc" false {
        1 "inputs": Repeated Message(&OP_VAR);
        2 "outputs": Repeated Message(&OP_VAR);
        3 "type": Required String;
        4 "attrs": Repeated Message(&ATTR);
        5 "is_target": Once Bool;
    }
    pub OP_VAR "OpDesc.Var" false {
        1 "parameter": Required String;
        2 "arguments": Repeated String;
    }
    pub ATTR "OpDesc.Attr" false {
        1 "name": Required String;
        2 "type": Present Int32;
        3 "i": Once Int32;
        4 "f": Once Float;
        5 "s": Once Bytes;
        6 "ints": Repeated Int32;
        7 "floats": Repeated Float;
        8 "strings": Repeated Bytes;
        10 "b": Once Bool;
        11 "bools": Repeated Bool;
        12 "block_idx": Once Int32;
        13 "l": Once Int64;
        14 "blocks_idx": Repeated Int32;
        15 "longs": Repeated Int64;
        16 "float64s": Repeated Double;
        17 "var_name": Once String;
        18 "vars_name": Repeated String;
        19 "float64": Once Double;
        20 "scalar": Once Message(&SCALAR);
        21 "scalars": Repeated Message(&SCALAR);
    }
    pub SCALAR "Scalar" false {
        1 "type": Present Int32;
        2 "b": Once Bool;
        3 "i": Once Int64;
        4 "r": Once Double;
        5 "c": Once Message(&COMPLEX);
    }
    pub COMPLEX "Complex" false {
        1 "r": Present Double;
        2 "i": Present Double;
    }
}

macro_rules! described {
    ($($message:ident: $table:ident;)*) => {$(
        impl Described for $message {
            const TABLE: &'static oplock_graph::wire::Message = &$table;
        }
    )*};
}

described! {
    ProgramDesc: PROGRAM;
    Version: VERSION;
    OpVersionMap: OP_VERSION_MAP;
    OpVersionPair: OP_VERSION_PAIR;
    OpVersion: OP_VERSION;
    BlockDesc: BLOCK;
    VarDesc: VAR;
    OpDesc: OP;
    OpVar: OP_VAR;
    OpAttr: ATTR;
    ScalarDesc: SCALAR;
}
