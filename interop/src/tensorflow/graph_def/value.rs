//! Attributes of nodes as values. A node may hold what no definition has as a default: bytes that are no text, tensors of any size, and
//! the attribute of a function that says the value.

use oplock_core::{Func, Shape, Tensor, TensorData, Value};

use super::super::proto::attr_value::{ListValue, Value as Message};
use super::super::proto::{NameAttrList, TensorProto, TensorShapeProto};
use super::super::{tensor, types};

/// A value; a placeholder is none.
pub(super) fn value(message: &Message, depth: u8) -> Result<Value, String> {
    Ok(match message {
        Message::S(bytes) => text(bytes),
        Message::I(x) => Value::I64(*x),
        Message::F(x) => Value::F32(*x),
        Message::B(x) => Value::Bool(*x),
        Message::Type(number) => dtype(*number)?,
        Message::Shape(shape) => Value::Shape(self::shape(shape)?),
        Message::Tensor(tensor) => Value::Tensor(Box::new(self::tensor(tensor)?)),
        Message::Func(func) => Value::Func(Box::new(self::func(func, depth)?)),
        Message::List(list) => self::list(list, depth)?,
        Message::Placeholder(name) => return Err(format!("the attribute `{name}` of no function says the value")),
    })
}

fn list(list: &ListValue, depth: u8) -> Result<Value, String> {
    let ListValue { s, i, f, b, r#type, shape, tensor, func } = list;
    let mut items = Vec::new();
    items.extend(s.iter().map(|x| text(x)));
    items.extend(i.iter().map(|x| Value::I64(*x)));
    items.extend(f.iter().map(|x| Value::F32(*x)));
    items.extend(b.iter().map(|x| Value::Bool(*x)));
    for x in r#type {
        items.push(dtype(*x)?);
    }
    for x in shape {
        items.push(Value::Shape(self::shape(x)?));
    }
    for x in tensor {
        items.push(Value::Tensor(Box::new(self::tensor(x)?)));
    }
    for x in func {
        items.push(Value::Func(Box::new(self::func(x, depth)?)));
    }
    Ok(Value::list(items))
}

fn text(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::String(text.to_owned().into()),
        Err(_) => Value::Bytes(bytes.to_vec().into()),
    }
}

fn dtype(number: i32) -> Result<Value, String> {
    // What no type is known of is named by its number, so that it is not taken for another.
    match types::element_of_number(number) {
        Some(name) => Ok(Value::DType(name.into())),
        None if number == types::INVALID => Ok(Value::DType("invalid".into())),
        None => Err(format!("{number} is the number of no element type")),
    }
}

fn shape(message: &TensorShapeProto) -> Result<Shape, String> {
    if message.unknown_rank {
        return Ok(Shape::default());
    }
    let size = |size: i64| match size {
        -1 => Ok(None),
        size => u64::try_from(size).map(Some).map_err(|_| format!("{size} is no size of a dimension")),
    };
    message.dim.iter().map(|dim| size(dim.size)).collect::<Result<Vec<_>, _>>().map(Shape::of)
}

fn tensor(message: &TensorProto) -> Result<Tensor, String> {
    let ty = types::element_of_number(message.dtype)
        .ok_or_else(|| format!("{} is the number of no element type", message.dtype))?;
    let shape = message.tensor_shape.as_ref().map(shape).transpose()?.unwrap_or_else(|| Shape::of([]));
    let dims = shape.dims.into_iter().flatten().map(|dim| dim.ok_or("a tensor whose sizes are not known".to_owned()));
    let dims = dims.collect::<Result<_, _>>()?;
    let data = if ty == "string" {
        TensorData::Strings(message.string_val.clone())
    } else if message.tensor_content.is_empty() {
        // A large tensor of one value is one value in the file, and stays without data here.
        TensorData::Raw(tensor::content(message).unwrap_or_default())
    } else {
        TensorData::Raw(message.tensor_content.clone())
    };
    Ok(Tensor { ty: ty.into(), dims, data })
}

fn func(message: &NameAttrList, depth: u8) -> Result<Func, String> {
    if depth >= Func::MAX_DEPTH {
        return Err(format!("functions are more than {} deep within each other", Func::MAX_DEPTH));
    }
    let mut func = Func::new(message.name.clone());
    for (name, attr) in &message.attr {
        // A placeholder among them is the caller's, as it is in a node.
        if let Some(attr) = attr.value.as_ref().filter(|attr| !matches!(attr, Message::Placeholder(_))) {
            func.attrs.insert(name.clone(), value(attr, depth + 1)?);
        }
    }
    Ok(func)
}
