//! Values: `AttrValue` and oplock's.

use oplock_core::{AttrType, Func, ScalarType, Shape, Tensor, TensorData, Value};

use super::proto::attr_value::{ListValue, Value as Message};
use super::proto::{AttrValue, Dim, NameAttrList, TensorProto, TensorShapeProto};
use super::{tensor, types};

/// The kinds of attributes, by `TensorFlow`'s names.
const KINDS: [(&str, ScalarType); 8] = [
    ("string", ScalarType::String),
    ("int", ScalarType::I64),
    ("float", ScalarType::F32),
    ("bool", ScalarType::Bool),
    ("type", ScalarType::DType),
    ("shape", ScalarType::Shape),
    ("tensor", ScalarType::Tensor),
    ("func", ScalarType::Func),
];

/// The type of a name: `int`, `list(shape)`.
pub(super) fn type_of_name(name: &str) -> Option<AttrType> {
    let element = name.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')'));
    let (_, scalar) = KINDS.iter().find(|(known, _)| *known == element.unwrap_or(name))?;
    Some(if element.is_some() { AttrType::list(*scalar) } else { AttrType::of(*scalar) })
}

/// The name of a type, where `TensorFlow` has it.
pub(super) fn name_of_type(ty: AttrType) -> Option<String> {
    let (name, scalar) = KINDS.iter().find(|(_, scalar)| *scalar == ty.scalar)?;
    if ty == AttrType::of(*scalar) {
        return Some((*name).to_owned());
    }
    (ty == AttrType::list(*scalar)).then(|| format!("list({name})"))
}

/// A value that is of that type.
///
/// # Errors
///
/// When it is not, or is one that oplock cannot have.
pub(super) fn of_message(message: &AttrValue, ty: AttrType) -> Result<Value, String> {
    let value = message.value.as_ref().ok_or("the value is missing")?;
    let value = of_untyped(value, 0)?;
    if value.fits(ty) {
        return Ok(value);
    }
    value.check()?;
    Err(format!("the value is not of the type `{}`", name_of_type(ty).unwrap_or_else(|| ty.to_string())))
}

fn of_untyped(message: &Message, depth: u8) -> Result<Value, String> {
    Ok(match message {
        Message::S(bytes) => Value::String(text(bytes)?.into()),
        Message::I(x) => Value::I64(*x),
        Message::F(x) => Value::F32(*x),
        Message::B(x) => Value::Bool(*x),
        Message::Type(number) => Value::DType(element(*number)?.into()),
        Message::Shape(shape) => Value::Shape(of_shape(shape)?),
        Message::Tensor(tensor) => Value::Tensor(Box::new(of_tensor(tensor)?)),
        Message::Func(func) => Value::Func(Box::new(of_func(func, depth)?)),
        Message::List(list) => of_list(list, depth)?,
        Message::Placeholder(name) => {
            return Err(format!("the value is to come from the attribute `{name}` of a function, which this is not"));
        }
    })
}

fn of_list(list: &ListValue, depth: u8) -> Result<Value, String> {
    let ListValue { s, i, f, b, r#type, shape, tensor, func } = list;
    let lengths = [s.len(), i.len(), f.len(), b.len(), r#type.len(), shape.len(), tensor.len(), func.len()];
    if lengths.iter().filter(|length| **length > 0).count() > 1 {
        return Err("the values of a list are of one kind".to_owned());
    }
    let mut items = Vec::with_capacity(lengths.iter().sum());
    for bytes in s {
        items.push(Value::String(text(bytes)?.into()));
    }
    items.extend(i.iter().map(|x| Value::I64(*x)));
    items.extend(f.iter().map(|x| Value::F32(*x)));
    items.extend(b.iter().map(|x| Value::Bool(*x)));
    for number in r#type {
        items.push(Value::DType(element(*number)?.into()));
    }
    for shape in shape {
        items.push(Value::Shape(of_shape(shape)?));
    }
    for tensor in tensor {
        items.push(Value::Tensor(Box::new(of_tensor(tensor)?)));
    }
    for func in func {
        items.push(Value::Func(Box::new(of_func(func, depth)?)));
    }
    Ok(Value::list(items))
}

/// A string holds bytes there, and text here.
pub(super) fn text(bytes: &[u8]) -> Result<String, String> {
    match str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(format!("a string is not UTF-8: its bytes are {}", tensor::to_hex(bytes))),
    }
}

/// The name of an element type.
pub(super) fn element(number: i32) -> Result<String, String> {
    types::element_of_number(number).ok_or_else(|| format!("{number} is not the number of an element type"))
}

fn of_shape(shape: &TensorShapeProto) -> Result<Shape, String> {
    if shape.unknown_rank {
        return if shape.dim.is_empty() {
            Ok(Shape::default())
        } else {
            Err("a shape of unknown rank has no dimensions".to_owned())
        };
    }
    let size = |dim: &Dim| match dim.size {
        -1 => Ok(None),
        size => u64::try_from(size).map(Some).map_err(|_| format!("{size} is not the size of a dimension")),
    };
    Ok(Shape::of(shape.dim.iter().map(size).collect::<Result<Vec<_>, _>>()?))
}

fn of_tensor(message: &TensorProto) -> Result<Tensor, String> {
    let content = tensor::content(message)?;
    Ok(Tensor { ty: element(message.dtype)?.into(), dims: dims(message)?, data: TensorData::Raw(content) })
}

fn dims(message: &TensorProto) -> Result<Vec<u64>, String> {
    let dim = message.tensor_shape.iter().flat_map(|shape| &shape.dim);
    dim.map(|dim| u64::try_from(dim.size).map_err(|_| format!("{} is no dimension of a tensor", dim.size))).collect()
}

/// A tensor whose elements a file does not state: its type says so, with the element type and the length of its message.
pub(super) fn unstated_tensor(message: &TensorProto, length: u64) -> Result<Tensor, String> {
    let ty = format!("unstated({}, {length})", element(message.dtype)?);
    Ok(Tensor { ty: ty.into(), dims: dims(message)?, data: TensorData::Raw(Vec::new()) })
}

/// The element type and the length of the message of a tensor whose elements are not stated.
pub(super) fn as_unstated(tensor: &Tensor) -> Option<(i32, u64)> {
    let (element, length) = tensor.ty.strip_prefix("unstated(")?.strip_suffix(')')?.rsplit_once(", ")?;
    Some((types::number_of_element(element)?, length.parse().ok()?))
}

/// Whether it is a tensor whose elements a file does not state.
pub(crate) fn is_unstated(tensor: &Tensor) -> bool {
    as_unstated(tensor).is_some()
}

/// Whether two values are the same as far as both are stated.
pub(crate) fn is_same(a: &Value, b: &Value) -> bool {
    let (Value::Tensor(x), Value::Tensor(y)) = (a, b) else { return a == b };
    let of =
        |tensor: &Tensor| as_unstated(tensor).map(|(dtype, _)| dtype).or_else(|| types::number_of_element(&tensor.ty));
    match (is_unstated(x), is_unstated(y)) {
        (true, false) | (false, true) => x.dims == y.dims && of(x) == of(y),
        _ => a == b,
    }
}

fn of_func(message: &NameAttrList, depth: u8) -> Result<Func, String> {
    if depth > Func::MAX_DEPTH {
        return Err(format!("functions are more than {} deep within each other", Func::MAX_DEPTH));
    }
    let mut func = Func::new(message.name.clone());
    for (name, value) in &message.attr {
        let value = value.value.as_ref().ok_or_else(|| format!("`{name}` of `{}` has no value", message.name))?;
        func.attrs.insert(name.clone(), of_untyped(value, depth + 1)?);
    }
    func.check().map(|()| func)
}

/// The message of a value.
///
/// # Errors
///
/// When `TensorFlow` has no such value.
pub(super) fn to_message(value: &Value) -> Result<AttrValue, String> {
    let message = match value {
        Value::String(text) => Message::S(text.as_bytes().to_vec()),
        Value::I64(x) => Message::I(*x),
        Value::F32(x) => Message::F(*x),
        Value::Bool(x) => Message::B(*x),
        Value::DType(name) => Message::Type(number(name)?),
        Value::Shape(shape) => Message::Shape(shape_message(shape)?),
        Value::Tensor(tensor) => Message::Tensor(tensor_message(tensor)?),
        Value::Func(func) => Message::Func(func_message(func)?),
        Value::List(items) => Message::List(list_message(items)?),
        other => return Err(format!("TensorFlow has no value such as {other}")),
    };
    Ok(AttrValue { value: Some(message) })
}

fn list_message(items: &[Value]) -> Result<ListValue, String> {
    let mut list = ListValue::default();
    for item in items {
        match item {
            Value::String(text) => list.s.push(text.as_bytes().to_vec()),
            Value::I64(x) => list.i.push(*x),
            Value::F32(x) => list.f.push(*x),
            Value::Bool(x) => list.b.push(*x),
            Value::DType(name) => list.r#type.push(number(name)?),
            Value::Shape(shape) => list.shape.push(shape_message(shape)?),
            Value::Tensor(tensor) => list.tensor.push(tensor_message(tensor)?),
            Value::Func(func) => list.func.push(func_message(func)?),
            other => return Err(format!("TensorFlow has no value such as {other} in a list")),
        }
    }
    Ok(list)
}

/// The number of an element type.
pub(super) fn number(element: &str) -> Result<i32, String> {
    types::number_of_element(element).ok_or_else(|| format!("TensorFlow has no element type `{element}`"))
}

fn size(dim: u64) -> Result<Dim, String> {
    let size = i64::try_from(dim).map_err(|_| format!("a dimension of {dim} is more than TensorFlow takes"))?;
    Ok(Dim { size })
}

fn shape_message(shape: &Shape) -> Result<TensorShapeProto, String> {
    let Some(dims) = &shape.dims else { return Ok(TensorShapeProto { dim: Vec::new(), unknown_rank: true }) };
    let unknown = Dim { size: -1 };
    let dim = dims.iter().map(|dim| dim.map_or(Ok(unknown.clone()), size)).collect::<Result<_, _>>()?;
    Ok(TensorShapeProto { dim, unknown_rank: false })
}

fn tensor_message(value: &Tensor) -> Result<TensorProto, String> {
    let dim = value.dims.iter().map(|dim| size(*dim)).collect::<Result<_, _>>()?;
    let shape = TensorShapeProto { dim, unknown_rank: false };
    if let Some((dtype, _)) = as_unstated(value) {
        return Ok(TensorProto { dtype, tensor_shape: Some(shape), ..TensorProto::default() });
    }
    match &value.data {
        TensorData::Raw(bytes) => tensor::message(number(&value.ty)?, shape, bytes),
        TensorData::Strings(_) => Err("a tensor of texts is not written".to_owned()),
    }
}

fn func_message(func: &Func) -> Result<NameAttrList, String> {
    let attr = func.attrs.iter().map(|(name, value)| Ok((name.clone(), to_message(value)?)));
    Ok(NameAttrList { name: func.name.to_string(), attr: attr.collect::<Result<_, String>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_that_is_not_stated_is_any_of_its_type_and_shape() {
        let tensor = |ty: &'static str, dims: &[u64], bytes: &[u8]| {
            Value::Tensor(Box::new(Tensor {
                ty: ty.into(),
                dims: dims.to_vec(),
                data: TensorData::Raw(bytes.to_vec()),
            }))
        };
        let (open, longer) = (tensor("unstated(u8, 16)", &[2], &[]), tensor("unstated(u8, 17)", &[2], &[]));
        let (one, other) = (tensor("u8", &[2], &[1, 2]), tensor("u8", &[2], &[1, 3]));
        assert!(
            is_same(&open, &one)
                && is_same(&other, &open)
                && is_same(&one, &one.clone())
                && is_same(&open, &open.clone())
        );
        assert!(!is_same(&one, &other) && !is_same(&open, &longer));
        assert!(!is_same(&open, &tensor("i8", &[2], &[1, 2])) && !is_same(&tensor("u8", &[1, 2], &[1, 2]), &open));
        assert!(!is_same(&open, &Value::I64(0)) && is_same(&Value::I64(0), &Value::I64(0)));
        // Only that text says so.
        for ty in ["unstated(u8)", "unstated(u8, )", "unstated(x, 1)", "unstated(u8, 1", "u8"] {
            let Value::Tensor(tensor) = tensor(ty, &[], &[]) else { unreachable!() };
            assert!(!is_unstated(&tensor), "{ty}");
        }
    }

    #[test]
    fn types_have_one_name_each() {
        for (name, scalar) in KINDS {
            for (name, ty) in
                [(name.to_owned(), AttrType::of(scalar)), (format!("list({name})"), AttrType::list(scalar))]
            {
                assert_eq!((type_of_name(&name), name_of_type(ty)), (Some(ty), Some(name)));
            }
        }
        for name in ["", "list", "list()", "list(list(int))", "Int", "int ", "list(int"] {
            assert_eq!(type_of_name(name), None, "{name}");
        }
        let pairs = AttrType::list_of(AttrType::list(ScalarType::I64), None);
        for ty in [AttrType::of(ScalarType::I32), AttrType::of(ScalarType::I64).optional(), pairs] {
            assert_eq!(name_of_type(ty), None, "{ty}");
        }
    }

    #[test]
    fn what_tensorflow_does_not_have_is_refused() {
        for value in [
            Value::I32(1),
            Value::F64(1.0),
            Value::Absent,
            Value::DType("f80".into()),
            Value::list(vec![Value::U32(1)]),
        ] {
            assert!(to_message(&value).is_err(), "{value}");
        }
        let huge = Value::Shape(Shape::of([Some(u64::MAX)]));
        assert!(to_message(&huge).unwrap_err().contains("more than TensorFlow takes"));
    }
}
