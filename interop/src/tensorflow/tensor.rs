//! Tensors as values: the elements' bytes, little end first, and the message that holds them.

use super::proto::{TensorProto, TensorShapeProto};
use super::types;

/// A default is small; more is no default, or an attempt to fill the memory.
const MAX_BYTES: usize = 1 << 20;

/// The fields of a message that hold elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Store {
    Float,
    Double,
    /// Integers of so many bytes.
    Int(usize),
    Int64,
    Bool,
    Half,
    Complex64,
    Complex128,
    Uint32,
    Uint64,
    Float8,
}

impl Store {
    fn of(dtype: i32) -> Option<Self> {
        Some(match types::element_of_number(dtype)?.as_str() {
            "f32" => Store::Float,
            "f64" => Store::Double,
            "i8" | "u8" | "qint8" | "quint8" | "i4" | "u4" | "i2" | "u2" => Store::Int(1),
            "i16" | "u16" | "qint16" | "quint16" => Store::Int(2),
            "i32" | "qint32" => Store::Int(4),
            "i64" => Store::Int64,
            "bool" => Store::Bool,
            "f16" | "bf16" => Store::Half,
            "complex64" => Store::Complex64,
            "complex128" => Store::Complex128,
            "u32" => Store::Uint32,
            "u64" => Store::Uint64,
            name if name.starts_with("f8") => Store::Float8,
            _ => return None,
        })
    }

    /// The bytes of an element.
    const fn size(self) -> usize {
        match self {
            Store::Bool | Store::Float8 => 1,
            Store::Half => 2,
            Store::Int(size) => size,
            Store::Float | Store::Uint32 => 4,
            Store::Double | Store::Int64 | Store::Uint64 | Store::Complex64 => 8,
            Store::Complex128 => 16,
        }
    }
}

/// How the elements of a type are stored, and how many bytes all of them take.
fn layout(dtype: i32, shape: &TensorShapeProto) -> Result<(Store, usize), String> {
    let name = types::name_of_number(dtype).unwrap_or_else(|| dtype.to_string());
    let store = Store::of(dtype).ok_or_else(|| format!("the elements of a tensor of `{name}` are not read"))?;
    if shape.unknown_rank {
        return Err("the shape of a tensor must be known".to_owned());
    }
    let mut bytes = store.size();
    for dim in &shape.dim {
        let size = usize::try_from(dim.size).map_err(|_| format!("{} is no dimension of a tensor", dim.size))?;
        bytes = bytes
            .checked_mul(size)
            .filter(|bytes| *bytes <= MAX_BYTES)
            .ok_or_else(|| format!("a tensor of more than {MAX_BYTES} bytes is no default"))?;
    }
    Ok((store, bytes))
}

/// The message of a tensor with these bytes as its elements.
///
/// # Errors
///
/// When they are not as many as the shape says, or the type is not one of numbers.
pub(super) fn message(dtype: i32, shape: TensorShapeProto, content: &[u8]) -> Result<TensorProto, String> {
    let (store, length) = layout(dtype, &shape)?;
    if content.len() != length {
        return Err(format!("a tensor of this shape has {length} bytes, not {}", content.len()));
    }
    let mut tensor = TensorProto { dtype, tensor_shape: Some(shape), ..TensorProto::default() };
    let is_signed =
        types::element_of_number(dtype).is_some_and(|name| name.starts_with(['i', 'q']) && !name.starts_with("qu"));
    match store {
        Store::Float => tensor.float_val = each(content, f32::from_le_bytes),
        Store::Double => tensor.double_val = each(content, f64::from_le_bytes),
        Store::Int64 => tensor.int64_val = each(content, i64::from_le_bytes),
        Store::Uint32 => tensor.uint32_val = each(content, u32::from_le_bytes),
        Store::Uint64 => tensor.uint64_val = each(content, u64::from_le_bytes),
        Store::Complex64 => tensor.scomplex_val = each(content, f32::from_le_bytes),
        Store::Complex128 => tensor.dcomplex_val = each(content, f64::from_le_bytes),
        Store::Bool => tensor.bool_val = content.iter().map(|byte| *byte != 0).collect(),
        Store::Half => tensor.half_val = each(content, |le| u16::from_le_bytes(le).into()),
        Store::Float8 => tensor.float8_val = content.to_vec(),
        Store::Int(4) => tensor.int_val = each(content, i32::from_le_bytes),
        Store::Int(2) if is_signed => tensor.int_val = each(content, |le| i16::from_le_bytes(le).into()),
        Store::Int(2) => tensor.int_val = each(content, |le| u16::from_le_bytes(le).into()),
        Store::Int(_) if is_signed => tensor.int_val = each(content, |le| i8::from_le_bytes(le).into()),
        Store::Int(_) => tensor.int_val = content.iter().map(|byte| i32::from(*byte)).collect(),
    }
    Ok(tensor)
}

fn each<const N: usize, T>(content: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
    content.as_chunks().0.iter().map(|le| of(*le)).collect()
}

/// The bytes of a message's elements. The last of them stands for all that are missing; without any, all are zero.
///
/// # Errors
///
/// When there are more than the shape says, or the type is not one of numbers.
pub(super) fn content(tensor: &TensorProto) -> Result<Vec<u8>, String> {
    let shape = tensor.tensor_shape.clone().unwrap_or_default();
    let (store, length) = layout(tensor.dtype, &shape)?;
    let mut bytes = tensor.tensor_content.clone();
    if bytes.is_empty() {
        bytes = match store {
            Store::Float => flat(&tensor.float_val, f32::to_le_bytes),
            Store::Double => flat(&tensor.double_val, f64::to_le_bytes),
            Store::Int64 => flat(&tensor.int64_val, i64::to_le_bytes),
            Store::Uint32 => flat(&tensor.uint32_val, u32::to_le_bytes),
            Store::Uint64 => flat(&tensor.uint64_val, u64::to_le_bytes),
            Store::Complex64 => flat(&tensor.scomplex_val, f32::to_le_bytes),
            Store::Complex128 => flat(&tensor.dcomplex_val, f64::to_le_bytes),
            Store::Bool => tensor.bool_val.iter().map(|x| u8::from(*x)).collect(),
            Store::Float8 => tensor.float8_val.clone(),
            Store::Half => low_bytes(&tensor.half_val, 2),
            Store::Int(size) => low_bytes(&tensor.int_val, size),
        };
    } else if bytes.len() != length {
        return Err(format!("a tensor of this shape has {length} bytes, not {}", bytes.len()));
    }
    if bytes.len() > length || !bytes.len().is_multiple_of(store.size()) {
        return Err(format!("a tensor of this shape has {length} bytes of elements, and there are {}", bytes.len()));
    }
    let last = match bytes.len().checked_sub(store.size()) {
        Some(start) => bytes[start..].to_vec(),
        None => vec![0; store.size()],
    };
    while bytes.len() < length {
        bytes.extend_from_slice(&last);
    }
    Ok(bytes)
}

fn flat<T: Copy, const N: usize>(values: &[T], of: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| of(*value)).collect()
}

fn low_bytes(values: &[i32], size: usize) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(size)).collect()
}

/// The bytes of hexadecimal digits.
pub(super) fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// The hexadecimal digits of bytes.
pub(super) fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensorflow::proto::Dim;

    fn shape(dims: &[i64]) -> TensorShapeProto {
        let dim = dims.iter().map(|size| Dim { size: *size }).collect();
        TensorShapeProto { dim, unknown_rank: false }
    }

    #[test]
    fn the_elements_of_every_type_of_numbers_come_back() {
        let bytes: Vec<u8> = (0..=255).chain([0x80, 0x3f, 0xff, 0x7f]).cycle().take(32).collect();
        for dtype in 1..=32 {
            let Some(store) = Store::of(dtype) else { continue };
            let content_of = if store == Store::Bool { [0, 1, 1, 0].repeat(8) } else { bytes.clone() };
            let count = i64::try_from(32 / store.size()).unwrap();
            let tensor = message(dtype, shape(&[count]), &content_of).unwrap();
            assert_eq!(content(&tensor), Ok(content_of.clone()), "{dtype}");
            let packed =
                TensorProto { tensor_content: content_of.clone(), ..message(dtype, shape(&[0]), &[]).unwrap() };
            assert_eq!(
                content(&TensorProto { tensor_shape: Some(shape(&[count])), ..packed }),
                Ok(content_of),
                "{dtype}"
            );
        }
    }

    #[test]
    fn signs_are_kept() {
        let of = |dtype| message(dtype, shape(&[1]), &[0xff]).unwrap().int_val;
        assert_eq!((of(4), of(6), of(11), of(12)), (vec![255], vec![-1], vec![-1], vec![255]));
    }

    #[test]
    fn the_last_element_stands_for_those_that_are_missing() {
        let tensor =
            |int_val| TensorProto { dtype: 3, tensor_shape: Some(shape(&[3])), int_val, ..TensorProto::default() };
        assert_eq!(content(&tensor(vec![1, 2])), Ok(vec![1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]));
        assert_eq!(content(&tensor(vec![])), Ok(vec![0; 12]));
        assert!(content(&tensor(vec![1; 4])).unwrap_err().contains("there are 16"));
    }

    #[test]
    fn what_is_no_small_tensor_of_numbers_is_refused() {
        let tensor = |dtype, shape| TensorProto { dtype, tensor_shape: Some(shape), ..TensorProto::default() };
        let unknown = TensorShapeProto { unknown_rank: true, ..shape(&[]) };
        for (tensor, reason) in [
            (tensor(7, shape(&[1])), "`DT_STRING` are not read"),
            (tensor(0, shape(&[1])), "`DT_INVALID` are not read"),
            (tensor(77, shape(&[1])), "`77` are not read"),
            (tensor(1, unknown), "must be known"),
            (tensor(1, shape(&[-1])), "-1 is no dimension"),
            (tensor(1, shape(&[1 << 40, 1 << 40])), "no default"),
            (tensor(1, shape(&[1 << 19])), "no default"),
        ] {
            let error = content(&tensor).expect_err(reason);
            assert!(error.contains(reason), "{error}");
        }
        assert!(message(1, shape(&[2]), &[0; 4]).unwrap_err().contains("has 8 bytes, not 4"));
    }

    #[test]
    fn digits_and_bytes() {
        assert_eq!(from_hex("00fFa1"), Some(vec![0, 255, 0xa1]));
        assert_eq!(to_hex(&[0, 255, 0xa1]), "00ffa1");
        assert_eq!((from_hex("0"), from_hex("0g"), from_hex("+1")), (None, None, None));
    }
}
