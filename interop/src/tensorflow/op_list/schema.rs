//! The messages as tables, for the readers that must know what prost does not tell: which field a name means, and which
//! numbers are unknown.
//!
//! They agree with [`proto`](super::super::proto), which a test holds them to.

use prost::encoding::WireType;

/// A message.
pub(super) struct MessageDef {
    pub(super) name: &'static str,
    pub(super) fields: &'static [Field],
}

/// A field of a message.
pub(super) struct Field {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) ty: FieldType,
    pub(super) many: bool,
    /// Of the message's fields of this kind only one stands.
    pub(super) one_of: bool,
}

/// The type of a field.
#[derive(Clone, Copy)]
pub(super) enum FieldType {
    Bool,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Float,
    Double,
    Text,
    Bytes,
    /// A number of an element type.
    Element,
    Message(&'static MessageDef),
    /// Known to exist, without a place in oplock's definitions: reported, and not read.
    Unread(WireType),
}

impl FieldType {
    pub(super) const fn wire_type(self) -> WireType {
        match self {
            FieldType::Bool
            | FieldType::Int32
            | FieldType::Int64
            | FieldType::Uint32
            | FieldType::Uint64
            | FieldType::Element => WireType::Varint,
            FieldType::Float => WireType::ThirtyTwoBit,
            FieldType::Double => WireType::SixtyFourBit,
            FieldType::Text | FieldType::Bytes | FieldType::Message(_) => WireType::LengthDelimited,
            FieldType::Unread(wire_type) => wire_type,
        }
    }

    /// Whether many of it may be written as one run of bytes.
    pub(super) const fn is_packable(self) -> bool {
        !matches!(self.wire_type(), WireType::LengthDelimited)
    }
}

impl MessageDef {
    pub(super) fn field(&self, number: u32) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.number == number)
    }

    pub(super) fn field_of_name(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

const fn one(number: u32, name: &'static str, ty: FieldType) -> Field {
    Field { number, name, ty, many: false, one_of: false }
}

const fn many(number: u32, name: &'static str, ty: FieldType) -> Field {
    Field { many: true, ..one(number, name, ty) }
}

const fn one_of(number: u32, name: &'static str, ty: FieldType) -> Field {
    Field { one_of: true, ..one(number, name, ty) }
}

use FieldType::{Bool, Bytes, Double, Element, Float, Int32, Int64, Message, Text, Uint32, Uint64, Unread};

pub(super) static OP_LIST: MessageDef = MessageDef { name: "OpList", fields: &[many(1, "op", Message(&OP_DEF))] };

pub(super) static OP_DEF: MessageDef = MessageDef {
    name: "OpDef",
    fields: &[
        one(1, "name", Text),
        many(2, "input_arg", Message(&ARG_DEF)),
        many(3, "output_arg", Message(&ARG_DEF)),
        many(4, "attr", Message(&ATTR_DEF)),
        one(5, "summary", Text),
        one(6, "description", Text),
        one(8, "deprecation", Message(&DEPRECATION)),
        one(16, "is_aggregate", Bool),
        one(17, "is_stateful", Bool),
        one(18, "is_commutative", Bool),
        one(19, "allows_uninitialized_input", Bool),
        many(20, "control_output", Unread(WireType::LengthDelimited)),
        one(21, "is_distributed_communication", Bool),
    ],
};

pub(super) static ARG_DEF: MessageDef = MessageDef {
    name: "ArgDef",
    fields: &[
        one(1, "name", Text),
        one(2, "description", Text),
        one(3, "type", Element),
        one(4, "type_attr", Text),
        one(5, "number_attr", Text),
        one(6, "type_list_attr", Text),
        many(7, "handle_data", Unread(WireType::LengthDelimited)),
        one(16, "is_ref", Bool),
        one(17, "experimental_full_type", Unread(WireType::LengthDelimited)),
    ],
};

pub(super) static ATTR_DEF: MessageDef = MessageDef {
    name: "AttrDef",
    fields: &[
        one(1, "name", Text),
        one(2, "type", Text),
        one(3, "default_value", Message(&ATTR_VALUE)),
        one(4, "description", Text),
        one(5, "has_minimum", Bool),
        one(6, "minimum", Int64),
        one(7, "allowed_values", Message(&ATTR_VALUE)),
    ],
};

static DEPRECATION: MessageDef =
    MessageDef { name: "OpDeprecation", fields: &[one(1, "version", Int32), one(2, "explanation", Text)] };

pub(super) static ATTR_VALUE: MessageDef = MessageDef {
    name: "AttrValue",
    fields: &[
        one_of(1, "list", Message(&LIST_VALUE)),
        one_of(2, "s", Bytes),
        one_of(3, "i", Int64),
        one_of(4, "f", Float),
        one_of(5, "b", Bool),
        one_of(6, "type", Element),
        one_of(7, "shape", Message(&SHAPE)),
        one_of(8, "tensor", Message(&TENSOR)),
        one_of(9, "placeholder", Text),
        one_of(10, "func", Message(&FUNC)),
    ],
};

static LIST_VALUE: MessageDef = MessageDef {
    name: "ListValue",
    fields: &[
        many(2, "s", Bytes),
        many(3, "i", Int64),
        many(4, "f", Float),
        many(5, "b", Bool),
        many(6, "type", Element),
        many(7, "shape", Message(&SHAPE)),
        many(8, "tensor", Message(&TENSOR)),
        many(9, "func", Message(&FUNC)),
    ],
};

static FUNC: MessageDef =
    MessageDef { name: "NameAttrList", fields: &[one(1, "name", Text), many(2, "attr", Message(&FUNC_ATTR))] };

static FUNC_ATTR: MessageDef =
    MessageDef { name: "AttrEntry", fields: &[one(1, "key", Text), one(2, "value", Message(&ATTR_VALUE))] };

static SHAPE: MessageDef =
    MessageDef { name: "TensorShapeProto", fields: &[many(2, "dim", Message(&DIM)), one(3, "unknown_rank", Bool)] };

static DIM: MessageDef =
    MessageDef { name: "Dim", fields: &[one(1, "size", Int64), one(2, "name", Unread(WireType::LengthDelimited))] };

static TENSOR: MessageDef = MessageDef {
    name: "TensorProto",
    fields: &[
        one(1, "dtype", Element),
        one(2, "tensor_shape", Message(&SHAPE)),
        one(3, "version_number", Int32),
        one(4, "tensor_content", Bytes),
        many(5, "float_val", Float),
        many(6, "double_val", Double),
        many(7, "int_val", Int32),
        many(8, "string_val", Bytes),
        many(9, "scomplex_val", Float),
        many(10, "int64_val", Int64),
        many(11, "bool_val", Bool),
        many(12, "dcomplex_val", Double),
        many(13, "half_val", Int32),
        many(14, "resource_handle_val", Unread(WireType::LengthDelimited)),
        many(15, "variant_val", Unread(WireType::LengthDelimited)),
        many(16, "uint32_val", Uint32),
        many(17, "uint64_val", Uint64),
        one(18, "float8_val", Bytes),
    ],
};
