//! The messages of `graph.proto`, which `prost` writes and reads as protobuf, and `serde` as JSON under the same names.
//!
//! They are plain data: what they mean, and what of it is refused, is said in `convert`. A test holds them equal to `graph.proto`.

use prost::{Enumeration, Message, Oneof};
use serde::{Deserialize, Serialize};

use crate::json::{by_name, exact, exacts, hex, hexes, maybe_exact, one_kind};

/// The first field of every file.
pub(crate) const MAGIC: &str = "oplock graph";

/// The newest format that this version reads and writes.
pub(crate) const FORMAT: u32 = 1;

/// The first two fields, which every format has.
#[derive(Clone, PartialEq, Message, Deserialize)]
pub(crate) struct Header {
    #[prost(string, tag = "1")]
    #[serde(default)]
    pub(crate) magic: String,
    #[prost(uint32, tag = "2")]
    #[serde(default)]
    pub(crate) format: u32,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Graph {
    #[prost(string, tag = "1")]
    pub(crate) magic: String,
    #[prost(uint32, tag = "2")]
    pub(crate) format: u32,
    #[prost(message, repeated, tag = "3")]
    #[serde(default)]
    pub(crate) blocks: Vec<Block>,
    #[prost(message, repeated, tag = "4")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) packages: Vec<Package>,
    #[prost(message, repeated, tag = "5")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) owners: Vec<Owner>,
    #[prost(message, repeated, tag = "6")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) added: Vec<Added>,
    #[prost(message, repeated, tag = "7")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) extra: Vec<Extra>,
    #[prost(enumeration = "Export", tag = "8")]
    #[serde(default, skip_serializing_if = "Export::is_none", with = "crate::json::export")]
    pub(crate) export: i32,
    /// Only bytes can be cut off without becoming ill-formed.
    #[prost(bool, tag = "15")]
    #[serde(skip)]
    pub(crate) end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
pub(crate) enum Export {
    None = 0,
    Float = 1,
    Quantised = 2,
}

impl Export {
    #[allow(clippy::trivially_copy_pass_by_ref)] // as `serde` calls it
    fn is_none(export: &i32) -> bool {
        *export == Export::None as i32
    }
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Block {
    #[prost(string, repeated, tag = "1")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) outputs: Vec<String>,
    #[prost(message, repeated, tag = "3")]
    #[serde(default)]
    pub(crate) nodes: Vec<Node>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Node {
    #[prost(string, tag = "1")]
    pub(crate) op: String,
    #[prost(message, repeated, tag = "2")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) inputs: Vec<Operand>,
    #[prost(message, repeated, tag = "3")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) outputs: Vec<Operand>,
    #[prost(message, repeated, tag = "4")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) attrs: Vec<Attr>,
    #[prost(message, repeated, tag = "5")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) extra: Vec<Attr>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Operand {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, repeated, tag = "2")]
    pub(crate) vars: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Attr {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) value: Option<Value>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Value {
    #[prost(
        oneof = "Kind",
        tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29"
    )]
    #[serde(deserialize_with = "one_kind")]
    pub(crate) kind: Option<Kind>,
}

#[derive(Clone, PartialEq, Oneof, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    #[prost(bool, tag = "1")]
    Bool(bool),
    #[prost(sint32, tag = "2")]
    I32(i32),
    #[prost(sint64, tag = "3")]
    I64(#[serde(with = "exact")] i64),
    #[prost(uint32, tag = "4")]
    U32(u32),
    #[prost(uint64, tag = "5")]
    U64(#[serde(with = "exact")] u64),
    #[prost(float, tag = "6")]
    F32(#[serde(with = "exact")] f32),
    #[prost(double, tag = "7")]
    F64(#[serde(with = "exact")] f64),
    #[prost(string, tag = "8")]
    String(String),
    #[prost(bytes, tag = "9")]
    Bytes(#[serde(with = "hex")] Vec<u8>),
    #[prost(string, tag = "10")]
    Dtype(String),
    #[prost(uint32, tag = "11")]
    Block(u32),
    #[prost(string, tag = "12")]
    Var(String),
    #[prost(message, tag = "13")]
    Scalar(Scalar),
    #[prost(message, tag = "14")]
    Absent(Absent),
    #[prost(message, tag = "15")]
    Bools(Bools),
    #[prost(message, tag = "16")]
    I32s(I32s),
    #[prost(message, tag = "17")]
    I64s(I64s),
    #[prost(message, tag = "18")]
    U32s(U32s),
    #[prost(message, tag = "19")]
    U64s(U64s),
    #[prost(message, tag = "20")]
    F32s(F32s),
    #[prost(message, tag = "21")]
    F64s(F64s),
    #[prost(message, tag = "22")]
    Strings(Strings),
    #[prost(message, tag = "23")]
    List(List),
    #[prost(message, tag = "24")]
    Complex128(Complex),
    #[prost(message, tag = "25")]
    Shape(Shape),
    #[prost(message, tag = "26")]
    Tensor(Tensor),
    #[prost(message, tag = "27")]
    #[serde(rename = "sparse_tensor")]
    SparseTensor(SparseTensor),
    #[prost(message, tag = "28")]
    Func(Func),
    #[prost(string, tag = "29")]
    #[serde(rename = "type_proto")]
    TypeProto(String),
}

#[derive(Clone, Copy, PartialEq, Message, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Scalar {
    #[prost(oneof = "ScalarKind", tags = "1, 2, 3, 4")]
    #[serde(deserialize_with = "one_kind")]
    pub(crate) kind: Option<ScalarKind>,
}

#[derive(Clone, Copy, PartialEq, Oneof, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScalarKind {
    #[prost(bool, tag = "1")]
    Bool(bool),
    #[prost(sint64, tag = "2")]
    I64(#[serde(with = "exact")] i64),
    #[prost(double, tag = "3")]
    F64(#[serde(with = "exact")] f64),
    #[prost(message, tag = "4")]
    Complex128(Complex),
}

/// Both parts are set; as fields without presence a `-0.0` would be left out.
#[derive(Clone, Copy, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Complex {
    #[prost(double, optional, tag = "1")]
    #[serde(with = "maybe_exact")]
    pub(crate) re: Option<f64>,
    #[prost(double, optional, tag = "2")]
    #[serde(with = "maybe_exact")]
    pub(crate) im: Option<f64>,
}

/// In JSON the list of sizes alone, or `null`.
#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Shape {
    #[prost(message, optional, tag = "1")]
    pub(crate) dims: Option<Dims>,
}

/// In JSON the number alone, or `null`.
#[derive(Clone, Copy, PartialEq, Eq, Message, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Dim {
    #[prost(uint64, optional, tag = "1")]
    #[serde(with = "maybe_exact")]
    pub(crate) size: Option<u64>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tensor {
    #[prost(string, tag = "1")]
    pub(crate) dtype: String,
    #[prost(uint64, repeated, tag = "2")]
    #[serde(with = "exacts")]
    pub(crate) dims: Vec<u64>,
    #[prost(message, optional, tag = "3")]
    pub(crate) data: Option<TensorData>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TensorData {
    #[prost(oneof = "DataKind", tags = "1, 2")]
    pub(crate) kind: Option<DataKind>,
}

#[derive(Clone, PartialEq, Oneof, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DataKind {
    #[prost(bytes, tag = "1")]
    Raw(#[serde(with = "hex")] Vec<u8>),
    #[prost(message, tag = "2")]
    Strings(ByteStrings),
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SparseTensor {
    #[prost(uint64, repeated, tag = "1")]
    #[serde(with = "exacts")]
    pub(crate) dims: Vec<u64>,
    #[prost(message, optional, tag = "2")]
    pub(crate) indices: Option<Tensor>,
    #[prost(message, optional, tag = "3")]
    pub(crate) values: Option<Tensor>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Func {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "2")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) attrs: Vec<Attr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Absent {}

/// A list of one type; in JSON it is the list alone.
macro_rules! list {
    ($($name:ident: $proto:tt $item:ty $(, $with:literal)?;)*) => {$(
        #[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
        #[serde(transparent)]
        pub(crate) struct $name {
            #[prost($proto, repeated, tag = "1")]
            $(#[serde(with = $with)])?
            pub(crate) items: Vec<$item>,
        }
    )*};
}

list! {
    Bools: bool bool;
    I32s: sint32 i32;
    I64s: sint64 i64, "exacts";
    U32s: uint32 u32;
    U64s: uint64 u64, "exacts";
    F32s: float f32, "exacts";
    F64s: double f64, "exacts";
    Strings: string String;
    ByteStrings: bytes Vec<u8>, "hexes";
    Dims: message Dim;
    List: message Value;
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Package {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) stamp: Option<Stamp>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stamp {
    #[prost(sint64, tag = "1")]
    #[serde(with = "exact")]
    pub(crate) producer: i64,
    #[prost(sint64, tag = "2")]
    #[serde(with = "exact")]
    pub(crate) min_consumer: i64,
    #[prost(sint64, repeated, tag = "3")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "exacts")]
    pub(crate) bad_consumers: Vec<i64>,
    #[prost(message, repeated, tag = "4")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) releases: Vec<Release>,
    #[prost(message, optional, tag = "5")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) oldest_reader: Option<OldestReader>,
    #[prost(message, optional, tag = "6")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unpromised: Option<Unpromised>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Release {
    #[prost(string, tag = "1")]
    pub(crate) version: String,
    #[prost(sint64, tag = "2")]
    #[serde(with = "exact")]
    pub(crate) data_version: i64,
    #[prost(string, optional, tag = "3")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OldestReader {
    #[prost(string, tag = "1")]
    pub(crate) version: String,
    #[prost(string, tag = "2")]
    pub(crate) because: String,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unpromised {
    #[prost(string, tag = "1")]
    pub(crate) reason: String,
    #[prost(message, repeated, tag = "2")]
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
    pub(crate) digests: Vec<OpDigest>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct OpDigest {
    #[prost(string, tag = "1")]
    pub(crate) op: String,
    #[prost(string, tag = "2")]
    pub(crate) digest: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Owner {
    #[prost(string, tag = "1")]
    pub(crate) op: String,
    #[prost(string, tag = "2")]
    pub(crate) package: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Added {
    #[prost(string, tag = "1")]
    pub(crate) op: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) attrs: Vec<Attr>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Extra {
    #[prost(string, tag = "1")]
    pub(crate) op: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) operands: Option<Operands>,
}

#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Operands {
    #[prost(string, repeated, tag = "1")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) outputs: Vec<String>,
}
