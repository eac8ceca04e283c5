//! Defaults as `#[op]` reads them: each text gives back that very value.

use oplock_core::{AttrDef, Scalar, TensorData, Value};

use super::declaration::type_name;

/// The literal of a default; `None` where `#[op]` has none for the value.
pub(super) fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(x) | Value::Scalar(Scalar::Bool(x)) => x.to_string(),
        Value::I32(x) => integer(x, *x == i32::MIN, *x == i32::MAX, "i32"),
        Value::I64(x) => integer(x, *x == i64::MIN, *x == i64::MAX, "i64"),
        Value::U32(x) => integer(x, false, *x == u32::MAX, "u32"),
        Value::U64(x) => integer(x, false, *x == u64::MAX, "u64"),
        Value::Scalar(Scalar::I64(x)) => x.to_string(),
        // The shortest text that reads back as the same number of that type.
        Value::F32(x) => float(f64::from(*x), &format!("{x:?}"), "f32"),
        Value::F64(x) => float(*x, &format!("{x:?}"), "f64"),
        Value::Scalar(Scalar::F64(x)) if x.is_finite() => format!("{x:?}"),
        Value::String(text) | Value::DType(text) | Value::Var(text) | Value::TypeProto(text) => format!("{text:?}"),
        Value::Bytes(data) => bytes(data),
        Value::Complex128(x) | Value::Scalar(Scalar::Complex128(x)) => {
            let part = |x: f64| float(x, &format!("{x:?}"), "f64");
            format!("({}, {})", part(x.re), part(x.im))
        }
        Value::Shape(shape) => shape.to_string(),
        Value::Tensor(tensor) => {
            let dims: Vec<_> = tensor.dims.iter().map(u64::to_string).collect();
            let data = match &tensor.data {
                TensorData::Raw(data) => bytes(data),
                TensorData::Strings(items) => {
                    format!("[{}]", items.iter().map(|item| bytes(item)).collect::<Vec<_>>().join(", "))
                }
            };
            format!("tensor({}, [{}], {data})", type_name(&tensor.ty), dims.join(", "))
        }
        Value::Func(func) if func.attrs.is_empty() => format!("{:?}", func.name),
        Value::List(items) => {
            let items: Option<Vec<_>> = items.iter().map(literal).collect();
            format!("[{}]", items?.join(", "))
        }
        _ => return None,
    })
}

fn bytes(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

fn integer(x: &impl std::fmt::Display, is_min: bool, is_max: bool, ty: &str) -> String {
    match (is_min, is_max) {
        (true, _) => format!("{ty}::MIN"),
        (_, true) => format!("{ty}::MAX"),
        _ => x.to_string(),
    }
}

fn float(x: f64, text: &str, ty: &str) -> String {
    if x.is_nan() {
        format!("{ty}::NAN")
    } else if x.is_infinite() {
        format!("{ty}::{}INFINITY", if x < 0.0 { "NEG_" } else { "" })
    } else {
        text.to_owned()
    }
}

/// Whether the default can be said: that of an optional attribute is that it is absent, and goes without saying.
pub(super) fn is_sayable(attr: &AttrDef) -> bool {
    match &attr.default {
        Some(Value::Absent) => attr.ty.optional,
        Some(value) => !attr.ty.optional && literal(value).is_some(),
        None => !attr.ty.optional,
    }
}

#[cfg(test)]
mod tests {
    use oplock_core::{Complex128, Func, Shape, Tensor};

    use super::*;

    fn tensor(ty: &'static str, dims: Vec<u64>, data: TensorData) -> Value {
        Value::Tensor(Box::new(Tensor { ty: ty.into(), dims, data }))
    }

    #[test]
    fn values() {
        for (value, text) in [
            (Value::F32(0.1), "0.1"),
            (Value::F32(1e-5), "1e-5"),
            (Value::F32(-0.0), "-0.0"),
            (Value::F32(f32::MAX), "3.4028235e38"),
            (Value::F32(f32::NAN), "f32::NAN"),
            (Value::F64(f64::from(0.1_f32)), "0.10000000149011612"),
            (Value::F64(f64::NEG_INFINITY), "f64::NEG_INFINITY"),
            (Value::I32(-1), "-1"),
            (Value::I32(i32::MIN), "i32::MIN"),
            (Value::I64(i64::MAX), "i64::MAX"),
            (Value::I64(i64::from(i32::MAX)), "2147483647"),
            (Value::U64(u64::MAX), "u64::MAX"),
            (Value::String("a\"\\\n\u{7}\u{202e}ä".into()), "\"a\\\"\\\\\\n\\u{7}\\u{202e}ä\""),
            (Value::Bytes(vec![0, b'"', 255].into()), "b\"\\x00\\\"\\xff\""),
            (Value::list(vec![Value::Bool(true), Value::Bool(false)]), "[true, false]"),
            (Value::list(vec![Value::list(vec![]), Value::list(vec![Value::I64(1)])]), "[[], [1]]"),
            (Value::Scalar(Scalar::F64(1.0)), "1.0"),
            (Value::Complex128(Complex128 { re: 1.0, im: f64::NEG_INFINITY }), "(1.0, f64::NEG_INFINITY)"),
            (Value::Scalar(Scalar::Complex128(Complex128 { re: 0.0, im: -0.5 })), "(0.0, -0.5)"),
            (Value::Shape(Shape::of([Some(1), None])), "[1, _]"),
            (Value::list(vec![Value::Shape(Shape::default()), Value::Shape(Shape::of([]))]), "[_, []]"),
            (Value::TypeProto("seq(f32)".into()), "\"seq(f32)\""),
            (Value::Func(Box::new(Func::new("cond"))), "\"cond\""),
            (Value::Scalar(Scalar::I64(i64::MAX)), "9223372036854775807"),
            (tensor("u8", vec![2, 1], TensorData::Raw(vec![0, 255])), "tensor(u8, [2, 1], b\"\\x00\\xff\")"),
            (tensor("f32", vec![0], TensorData::Raw(vec![])), "tensor(f32, [0], b\"\")"),
            (tensor("of mine", vec![], TensorData::Raw(vec![1])), "tensor(\"of mine\", [], b\"\\x01\")"),
            (
                tensor("string", vec![2], TensorData::Strings(vec![vec![b'"'], vec![0xff]])),
                "tensor(string, [2], [b\"\\\"\", b\"\\xff\"])",
            ),
        ] {
            assert_eq!(literal(&value).as_deref(), Some(text));
        }
        assert_eq!(literal(&Value::Block(0)), None);
        let mut func = Func::new("f");
        func.attrs.insert("T".to_owned(), Value::Bool(true));
        assert_eq!(literal(&Value::Func(Box::new(func))), None);
        assert_eq!(literal(&Value::list(vec![Value::Scalar(Scalar::F64(f64::NAN))])), None);
    }
}
