//! Values as a lock has them.

use std::borrow::Cow;

use super::toml::Data;
use crate::did_you_mean;
use crate::model::{
    AttrType, Complex128, Func, ParseShapeError, Scalar, ScalarType, SparseTensor, Tensor, TensorData, Value, visible,
};

/// The value of that type.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn read_value(data: &Data, ty: AttrType) -> Result<Value, String> {
    let wrong = || format!("{} is not a value of type `{ty}`", data.describe());
    let value = value(data, ty).map_err(|reason| reason.unwrap_or_else(wrong))?;
    value.check()?;
    if value.fits(ty) { Ok(value) } else { Err(wrong()) }
}

/// Why something is no value; `None` where there is no more to say than that.
type Reason = Option<String>;
type Read<T> = Result<T, Reason>;

/// A value of that type, each number read in its own type and never through another.
fn value(data: &Data, ty: AttrType) -> Read<Value> {
    if let Some(element) = ty.element() {
        let Data::Array(items) = data else { return Err(None) };
        let items: Result<Vec<_>, _> = items.iter().map(|item| value(&item.data, element)).collect();
        return items.map(Value::list);
    }
    match (ty.scalar, data) {
        (ScalarType::Complex128, data) => Ok(Value::Complex128(complex(data)?)),
        (ScalarType::Scalar, Data::Table(_)) => Ok(Value::Scalar(Scalar::Complex128(complex(data)?))),
        (ScalarType::Shape, Data::String(text)) => {
            text.parse().map(Value::Shape).map_err(|error: ParseShapeError| Some(error.to_string()))
        }
        (ScalarType::Tensor, data) => Ok(Value::Tensor(Box::new(tensor(data)?))),
        (ScalarType::SparseTensor, data) => Ok(Value::SparseTensor(Box::new(sparse_tensor(data)?))),
        (ScalarType::Func, data) => Ok(Value::Func(Box::new(func(data)?))),
        _ => plain(data, ty.scalar).ok_or(None),
    }
}

/// A value of a type of one part.
fn plain(data: &Data, ty: ScalarType) -> Option<Value> {
    Some(match (ty, data) {
        (ScalarType::Bool, Data::Bool(x)) => Value::Bool(*x),
        (ScalarType::I32, Data::Integer(x)) => Value::I32(x.parse().ok()?),
        (ScalarType::I64 | ScalarType::Size, Data::Integer(x)) => Value::I64(x.parse().ok()?),
        (ScalarType::U32, Data::Integer(x)) => Value::U32(x.parse().ok()?),
        (ScalarType::U64, Data::Integer(x)) => Value::U64(x.parse().ok()?),
        (ScalarType::F32, Data::Float(x)) => {
            Value::F32(x.parse().ok().filter(|v: &f32| is_in_range(v.is_finite(), x))?)
        }
        (ScalarType::F64, Data::Float(x)) => Value::F64(float(x)?),
        (ScalarType::String, Data::String(x)) => Value::String(Cow::Owned(x.clone())),
        (ScalarType::DType, Data::String(x)) => Value::DType(Cow::Owned(x.clone())),
        (ScalarType::Var, Data::String(x)) => Value::Var(Cow::Owned(x.clone())),
        (ScalarType::TypeProto, Data::String(x)) => Value::TypeProto(Cow::Owned(x.clone())),
        (ScalarType::Bytes, Data::String(x)) => Value::Bytes(Cow::Owned(bytes(x)?)),
        (ScalarType::Scalar, Data::Bool(x)) => Value::Scalar(Scalar::Bool(*x)),
        (ScalarType::Scalar, Data::Integer(x)) => Value::Scalar(Scalar::I64(x.parse().ok()?)),
        (ScalarType::Scalar, Data::Float(x)) => Value::Scalar(Scalar::F64(float(x)?)),
        _ => return None,
    })
}

fn float(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| is_in_range(value.is_finite(), text))
}

/// Only what is written `inf` or `nan` may be so: `1e39` is no `f32`.
fn is_in_range(is_finite: bool, text: &str) -> bool {
    is_finite || text.ends_with("inf") || text.ends_with("nan")
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16);
    hex.as_bytes()
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
            _ => None,
        })
        .collect()
}

/// The fields of a table that has these and no others.
fn fields<'a, const N: usize>(data: &'a Data, what: &str, names: [&str; N]) -> Read<[Option<&'a Data>; N]> {
    let Data::Table(table) = data else { return Err(None) };
    if let Some((key, _)) = table.iter().find(|(key, _)| !names.contains(key)) {
        let key = visible(key);
        return Err(Some(format!("{what} has the unknown key `{key}`{}", did_you_mean(&key, names))));
    }
    Ok(names.map(|name| table.get(name).map(|node| &node.data)))
}

/// What a field holds, as `read` understands it.
fn field<T>(what: &str, name: &str, data: Option<&Data>, read: impl Fn(&Data) -> Option<T>) -> Read<T> {
    let data = data.ok_or_else(|| format!("{what} does not say its `{name}`"))?;
    read(data).ok_or_else(|| Some(format!("{what}: `{name}` cannot be {}", data.describe())))
}

fn complex(data: &Data) -> Read<Complex128> {
    const WHAT: &str = "a complex number";
    let [re, im] = fields(data, WHAT, ["re", "im"])?;
    let part = |data: &Data| match data {
        Data::Float(text) => float(text),
        _ => None,
    };
    Ok(Complex128 { re: field(WHAT, "re", re, part)?, im: field(WHAT, "im", im, part)? })
}

/// A list of which each item is read in the same way.
fn list<T>(data: &Data, item: impl Fn(&Data) -> Option<T>) -> Option<Vec<T>> {
    match data {
        Data::Array(items) => items.iter().map(|node| item(&node.data)).collect(),
        _ => None,
    }
}

fn dims(data: &Data) -> Option<Vec<u64>> {
    list(data, |dim| match dim {
        Data::Integer(digits) => digits.parse().ok(),
        _ => None,
    })
}

fn text(data: &Data) -> Option<Cow<'static, str>> {
    match data {
        Data::String(text) => Some(Cow::Owned(text.clone())),
        _ => None,
    }
}

fn hex(data: &Data) -> Option<Vec<u8>> {
    match data {
        Data::String(digits) => bytes(digits),
        _ => None,
    }
}

fn tensor(data: &Data) -> Read<Tensor> {
    const WHAT: &str = "a tensor";
    let [ty, sizes, bytes] = fields(data, WHAT, ["dtype", "dims", "bytes"])?;
    let data = field(WHAT, "bytes", bytes, |data| match data {
        Data::Array(_) => list(data, hex).map(TensorData::Strings),
        _ => hex(data).map(TensorData::Raw),
    })?;
    Ok(Tensor { ty: field(WHAT, "dtype", ty, text)?, dims: field(WHAT, "dims", sizes, dims)?, data })
}

fn sparse_tensor(data: &Data) -> Read<SparseTensor> {
    const WHAT: &str = "a sparse tensor";
    let [sizes, indices, values] = fields(data, WHAT, ["dims", "indices", "values"])?;
    let part = |name: &str, data: Option<&Data>| {
        tensor(data.ok_or_else(|| format!("{WHAT} does not say its `{name}`"))?)
            .map_err(|reason| reason.or_else(|| Some(format!("{WHAT}: `{name}` is no tensor"))))
    };
    let (indices, values) = (part("indices", indices)?, part("values", values)?);
    Ok(SparseTensor { dims: field(WHAT, "dims", sizes, dims)?, indices, values })
}

/// How deep it may be is bounded by how deep the text may be.
fn func(data: &Data) -> Read<Func> {
    const WHAT: &str = "a function";
    let [name, attrs] = fields(data, WHAT, ["name", "attrs"])?;
    let mut func = Func::new(field(WHAT, "name", name, text)?);
    match attrs {
        None => {}
        Some(Data::Table(attrs)) => {
            for (name, node) in attrs.iter() {
                func.attrs.insert(name.to_owned(), typed(&node.data)?);
            }
        }
        Some(other) => return Err(Some(format!("{WHAT}: `attrs` cannot be {}", other.describe()))),
    }
    Ok(func)
}

/// A value beside the name of its type, `{ f32 = 0.5 }`, or a list of such.
fn typed(data: &Data) -> Read<Value> {
    match data {
        Data::Array(items) => items.iter().map(|item| typed(&item.data)).collect::<Result<_, _>>().map(Value::list),
        Data::Table(table) => {
            let mut entries = table.iter();
            let (Some((name, node)), None) = (entries.next(), entries.next()) else {
                return Err(Some("a value of a function has one type, as in `{ f32 = 0.5 }`".to_owned()));
            };
            let ty = ScalarType::ALL.into_iter().find(|ty| ty.name() == name);
            let ty = AttrType::of(ty.ok_or_else(|| format!("`{}` is not the type of a value", visible(name)))?);
            read_value(&node.data, ty).map_err(Some)
        }
        other => Err(Some(format!("{} does not say its type, as in `{{ f32 = 0.5 }}`", other.describe()))),
    }
}
