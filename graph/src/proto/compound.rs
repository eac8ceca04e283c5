//! Values of several parts as messages and back: complex numbers, shapes, tensors, functions.

use std::borrow::Cow;

use oplock_registry::{Complex128, Func, Shape, SparseTensor, Tensor, TensorData};

use super::convert::{Place, from_value, one_nan64, to_value, unique};
use super::messages::{self, DataKind};
use crate::{ReadError, WriteError};

pub(super) fn from_complex(x: Complex128) -> messages::Complex {
    messages::Complex { re: Some(one_nan64(x.re)), im: Some(one_nan64(x.im)) }
}

pub(super) fn to_complex(x: messages::Complex, place: Place<'_>) -> Result<Complex128, ReadError> {
    let part = |part: Option<f64>| part.ok_or_else(|| place.unreadable("a complex number has two parts"));
    Ok(Complex128 { re: part(x.re)?, im: part(x.im)? })
}

pub(super) fn from_shape(shape: &Shape) -> messages::Shape {
    let dims = shape.dims.as_ref();
    messages::Shape {
        dims: dims
            .map(|dims| messages::Dims { items: dims.iter().map(|size| messages::Dim { size: *size }).collect() }),
    }
}

pub(super) fn to_shape(shape: messages::Shape) -> Shape {
    Shape { dims: shape.dims.map(|dims| dims.items.into_iter().map(|dim| dim.size).collect()) }
}

pub(super) fn from_tensor(tensor: &Tensor, place: Place<'_>) -> Result<messages::Tensor, WriteError> {
    tensor.check().map_err(|what| place.unwritable(what))?;
    let data = match &tensor.data {
        TensorData::Raw(bytes) => DataKind::Raw(bytes.clone()),
        TensorData::Strings(items) => DataKind::Strings(messages::ByteStrings { items: items.clone() }),
    };
    Ok(messages::Tensor {
        dtype: tensor.ty.to_string(),
        dims: tensor.dims.clone(),
        data: Some(messages::TensorData { kind: Some(data) }),
    })
}

pub(super) fn to_tensor(tensor: messages::Tensor, place: Place<'_>) -> Result<Tensor, ReadError> {
    let data = tensor.data.and_then(|data| data.kind).ok_or_else(|| place.unreadable("a tensor has data"))?;
    let data = match data {
        DataKind::Raw(bytes) => TensorData::Raw(bytes),
        DataKind::Strings(strings) => TensorData::Strings(strings.items),
    };
    let tensor = Tensor { ty: Cow::Owned(tensor.dtype), dims: tensor.dims, data };
    tensor.check().map_err(|what| place.unreadable(what))?;
    Ok(tensor)
}

pub(super) fn from_sparse_tensor(
    tensor: &SparseTensor,
    place: Place<'_>,
) -> Result<messages::SparseTensor, WriteError> {
    tensor.check().map_err(|what| place.unwritable(what))?;
    Ok(messages::SparseTensor {
        dims: tensor.dims.clone(),
        indices: Some(from_tensor(&tensor.indices, place)?),
        values: Some(from_tensor(&tensor.values, place)?),
    })
}

pub(super) fn to_sparse_tensor(tensor: messages::SparseTensor, place: Place<'_>) -> Result<SparseTensor, ReadError> {
    let part = |part: Option<messages::Tensor>| {
        to_tensor(part.ok_or_else(|| place.unreadable("a sparse tensor has indices and values"))?, place)
    };
    let tensor = SparseTensor { indices: part(tensor.indices)?, values: part(tensor.values)?, dims: tensor.dims };
    tensor.check().map_err(|what| place.unreadable(what))?;
    Ok(tensor)
}

pub(super) fn from_func(func: &Func, place: Place<'_>) -> Result<messages::Func, WriteError> {
    func.check().map_err(|what| place.unwritable(what))?;
    let attrs = func.attrs.iter().map(|(name, value)| {
        let place = Place::Name(&place, name);
        Ok(messages::Attr { name: name.clone(), value: Some(from_value(value, place, 0)?) })
    });
    Ok(messages::Func { name: func.name.to_string(), attrs: attrs.collect::<Result<_, _>>()? })
}

/// How deep it may be is bounded by the scan of bytes and by the depth of JSON, until it is checked here.
pub(super) fn to_func(func: messages::Func, place: Place<'_>) -> Result<Func, ReadError> {
    let attrs = func.attrs.into_iter().map(|attr| (attr.name, attr.value));
    let attrs = unique(attrs, place, |value, place| to_value(value, place, 0))?;
    let func = Func { name: Cow::Owned(func.name), attrs: attrs.into_iter().collect() };
    func.check().map_err(|what| place.unreadable(what))?;
    Ok(func)
}
