//! Attributes as values.

use oplock_core::{AttrType, ScalarType, Shape, SparseTensor, Tensor, TensorData, Value};

use super::elements::element_of_number;
use super::messages::{AttributeProto, SparseTensorProto, TensorProto, TypeProto, type_proto};

/// The number of an attribute's type; where it is not said, as in models of the first format, that of the field which is there.
pub(super) fn type_number(attr: &AttributeProto) -> i32 {
    if let Some(ty) = attr.r#type.filter(|ty| *ty != 0) {
        return ty;
    }
    let fields = [
        (attr.f.is_some(), 1),
        (attr.i.is_some(), 2),
        (attr.s.is_some(), 3),
        (attr.t.is_some(), 4),
        (attr.g.is_some(), 5),
        (!attr.floats.is_empty(), 6),
        (!attr.ints.is_empty(), 7),
        (!attr.strings.is_empty(), 8),
        (!attr.tensors.is_empty(), 9),
        (!attr.graphs.is_empty(), 10),
        (attr.sparse_tensor.is_some(), 11),
        (!attr.sparse_tensors.is_empty(), 12),
        (attr.tp.is_some(), 13),
        (!attr.type_protos.is_empty(), 14),
    ];
    fields.into_iter().find(|(is_there, _)| *is_there).map_or(0, |(_, ty)| ty)
}

/// The type of a number, and its name in ONNX.
pub(super) fn type_of(number: i32) -> Option<(AttrType, &'static str)> {
    let (scalar, name, is_list) = match number {
        1 => (ScalarType::F32, "FLOAT", false),
        2 => (ScalarType::I64, "INT", false),
        3 => (ScalarType::String, "STRING", false),
        4 => (ScalarType::Tensor, "TENSOR", false),
        5 => (ScalarType::Block, "GRAPH", false),
        6 => (ScalarType::F32, "FLOATS", true),
        7 => (ScalarType::I64, "INTS", true),
        8 => (ScalarType::String, "STRINGS", true),
        9 => (ScalarType::Tensor, "TENSORS", true),
        10 => (ScalarType::Block, "GRAPHS", true),
        11 => (ScalarType::SparseTensor, "SPARSE_TENSOR", false),
        12 => (ScalarType::SparseTensor, "SPARSE_TENSORS", true),
        13 => (ScalarType::TypeProto, "TYPE_PROTO", false),
        14 => (ScalarType::TypeProto, "TYPE_PROTOS", true),
        _ => return None,
    };
    Some((if is_list { AttrType::list(scalar) } else { AttrType::of(scalar) }, name))
}

/// The value of an attribute that is no graph.
pub(super) fn value(attr: &AttributeProto) -> Result<Value, String> {
    let number = type_number(attr);
    let Some((_, name)) = type_of(number) else { return Err(format!("{number} is the number of no type")) };
    let missing = || format!("it is of type {name}, and has no value of that type");
    Ok(match number {
        1 => Value::F32(attr.f.ok_or_else(missing)?),
        2 => Value::I64(attr.i.ok_or_else(missing)?),
        3 => text(attr.s.as_ref().ok_or_else(missing)?),
        4 => Value::Tensor(Box::new(tensor(attr.t.as_ref().ok_or_else(missing)?)?)),
        6 => Value::list(attr.floats.iter().map(|x| Value::F32(*x)).collect()),
        7 => Value::list(attr.ints.iter().map(|x| Value::I64(*x)).collect()),
        8 => Value::list(attr.strings.iter().map(|x| text(x)).collect()),
        9 => {
            let tensors = attr.tensors.iter().map(|x| tensor(x).map(|x| Value::Tensor(Box::new(x))));
            Value::list(tensors.collect::<Result<_, _>>()?)
        }
        11 => Value::SparseTensor(Box::new(sparse(attr.sparse_tensor.as_ref().ok_or_else(missing)?)?)),
        12 => {
            let tensors = attr.sparse_tensors.iter().map(|x| sparse(x).map(|x| Value::SparseTensor(Box::new(x))));
            Value::list(tensors.collect::<Result<_, _>>()?)
        }
        13 => Value::TypeProto(type_text(attr.tp.as_ref().ok_or_else(missing)?)?.into()),
        14 => {
            let types = attr.type_protos.iter().map(|x| type_text(x).map(|x| Value::TypeProto(x.into())));
            Value::list(types.collect::<Result<_, _>>()?)
        }
        _ => return Err("a graph is no value by itself".to_owned()),
    })
}

fn text(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::String(text.to_owned().into()),
        Err(_) => Value::Bytes(bytes.to_vec().into()),
    }
}

fn dims(dims: &[i64]) -> Result<Vec<u64>, String> {
    dims.iter().map(|dim| u64::try_from(*dim).map_err(|_| format!("{dim} is no dimension of a tensor"))).collect()
}

fn tensor(message: &TensorProto) -> Result<Tensor, String> {
    let number = message.data_type.unwrap_or(0);
    let ty = element_of_number(number).ok_or_else(|| format!("{number} is the number of no element type"))?;
    let dims = dims(&message.dims)?;
    let tensor = Tensor { ty: ty.into(), dims, data: data(message, ty) };
    // What lies in another file is not looked into.
    if message.data_location != Some(1) {
        tensor.check()?;
    }
    Ok(tensor)
}

/// The elements, in one form whichever of the two the file has.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ONNX keeps small numbers in an int32")]
fn data(message: &TensorProto, ty: &str) -> TensorData {
    if ty == "string" {
        return TensorData::Strings(message.string_data.clone());
    }
    if let Some(raw) = message.raw_data.as_ref().filter(|raw| !raw.is_empty()) {
        return TensorData::Raw(raw.clone());
    }
    let width = match ty {
        "f16" | "bf16" | "i16" | "u16" => 2,
        "i32" => 4,
        _ => 1,
    };
    let mut bytes = Vec::new();
    message.float_data.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    message.int32_data.iter().for_each(|x| bytes.extend(&x.to_le_bytes()[..width]));
    message.int64_data.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    message.double_data.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    for x in &message.uint64_data {
        if ty == "u32" { bytes.extend((*x as u32).to_le_bytes()) } else { bytes.extend(x.to_le_bytes()) }
    }
    TensorData::Raw(bytes)
}

fn sparse(message: &SparseTensorProto) -> Result<SparseTensor, String> {
    let part = |part: &Option<TensorProto>| tensor(part.as_ref().ok_or("a sparse tensor without values or indices")?);
    let (values, indices) = (part(&message.values)?, part(&message.indices)?);
    let sparse = SparseTensor { dims: dims(&message.dims)?, indices, values };
    sparse.check().map(|()| sparse)
}

/// A type as a text: `f32[2, _]`, `seq(f32)`, `map(i64, f32)`, `optional(seq(f32))`, `sparse(f32)`.
pub(super) fn type_text(message: &TypeProto) -> Result<String, String> {
    text_of(message, &|shape| {
        Shape::of(shape.dim.iter().map(|dim| dim.dim_value.and_then(|size| u64::try_from(size).ok()))).to_string()
    })
}

/// The same without the sizes of tensors, of which operators say nothing.
pub(super) fn element_type(message: &TypeProto) -> Result<String, String> {
    text_of(message, &|_| String::new())
}

fn text_of(message: &TypeProto, show: &dyn Fn(&type_proto::Shape) -> String) -> Result<String, String> {
    let element = |number: Option<i32>| {
        let number = number.unwrap_or(0);
        element_of_number(number).ok_or_else(|| format!("{number} is the number of no element type"))
    };
    let tensor = |tensor: &type_proto::Tensor| {
        let element = element(tensor.elem_type)?;
        Ok::<_, String>(format!("{element}{}", tensor.shape.as_ref().map(show).unwrap_or_default()))
    };
    let inner =
        |message: &Option<Box<TypeProto>>| text_of(message.as_ref().ok_or("a type without the one within")?, show);
    Ok(match message.value.as_ref().ok_or("a type that is none")? {
        type_proto::Value::Tensor(of) => tensor(of)?,
        type_proto::Value::Sparse(of) => format!("sparse({})", tensor(of)?),
        type_proto::Value::Sequence(of) => format!("seq({})", inner(&of.elem_type)?),
        type_proto::Value::Optional(of) => format!("optional({})", inner(&of.elem_type)?),
        type_proto::Value::Map(of) => format!("map({}, {})", element(of.key_type)?, inner(&of.value_type)?),
    })
}
