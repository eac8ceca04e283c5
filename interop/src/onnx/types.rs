//! The types of ONNX's operands under oplock's names, one to one: `seq(tensor(float))` is `seq(f32)`.

/// ONNX's name of an element type, and oplock's.
const ELEMENTS: [(&str, &str); 25] = [
    ("bool", "bool"),
    ("int2", "i2"),
    ("int4", "i4"),
    ("int8", "i8"),
    ("int16", "i16"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("uint2", "u2"),
    ("uint4", "u4"),
    ("uint8", "u8"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
    ("float4e2m1", "f4e2m1"),
    ("float8e4m3fn", "f8e4m3fn"),
    ("float8e4m3fnuz", "f8e4m3fnuz"),
    ("float8e5m2", "f8e5m2"),
    ("float8e5m2fnuz", "f8e5m2fnuz"),
    ("float8e8m0", "f8e8m0"),
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("float", "f32"),
    ("double", "f64"),
    ("complex64", "complex64"),
    ("complex128", "complex128"),
];

/// Text has one name in both.
const STRING: &str = "string";

fn element(name: &str) -> Option<&'static str> {
    if name == STRING {
        return Some(STRING);
    }
    ELEMENTS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}

fn their_element(name: &str) -> Option<&'static str> {
    if name == STRING {
        return Some(STRING);
    }
    ELEMENTS.iter().find(|(_, ours)| *ours == name).map(|(theirs, _)| *theirs)
}

/// What stands in the parentheses of `outer(…)`.
fn inside<'a>(text: &'a str, outer: &str) -> Option<&'a str> {
    text.strip_prefix(outer)?.strip_prefix('(')?.strip_suffix(')')
}

/// oplock's name of a type of ONNX. A type that is not known here keeps its name; `None` where that name is another
/// type's.
pub fn to_oplock(text: &str) -> Option<String> {
    let known = known(text).filter(|ours| their_known(ours).as_deref() == Some(text));
    known.or_else(|| their_known(text).is_none().then(|| text.to_owned()))
}

/// ONNX's name of a type of oplock's.
pub fn to_onnx(text: &str) -> String {
    their_known(text).unwrap_or_else(|| text.to_owned())
}

fn known(text: &str) -> Option<String> {
    if let Some(name) = inside(text, "tensor") {
        return element(name).map(str::to_owned);
    }
    if let Some(name) = inside(text, "sparse_tensor") {
        return element(name).map(|name| format!("sparse({name})"));
    }
    if let Some((key, value)) = inside(text, "map").and_then(|both| both.split_once(", ")) {
        return Some(format!("map({}, {})", element(key)?, element(value)?));
    }
    let outer = ["seq", "optional"].into_iter().find(|outer| inside(text, outer).is_some())?;
    Some(format!("{outer}({})", known(inside(text, outer)?)?))
}

fn their_known(text: &str) -> Option<String> {
    if let Some(name) = their_element(text) {
        return Some(format!("tensor({name})"));
    }
    if let Some(name) = inside(text, "sparse") {
        return their_element(name).map(|name| format!("sparse_tensor({name})"));
    }
    if let Some((key, value)) = inside(text, "map").and_then(|both| both.split_once(", ")) {
        return Some(format!("map({}, {})", their_element(key)?, their_element(value)?));
    }
    let outer = ["seq", "optional"].into_iter().find(|outer| inside(text, outer).is_some())?;
    Some(format!("{outer}({})", their_known(inside(text, outer)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_name() {
        for (theirs, ours) in [
            ("tensor(float)", "f32"),
            ("tensor(bfloat16)", "bf16"),
            ("tensor(string)", "string"),
            ("tensor(float8e4m3fnuz)", "f8e4m3fnuz"),
            ("sparse_tensor(double)", "sparse(f64)"),
            ("seq(tensor(int4))", "seq(i4)"),
            ("optional(seq(tensor(complex64)))", "optional(seq(complex64))"),
            ("seq(map(int64, float))", "seq(map(i64, f32))"),
            ("map(string, int64)", "map(string, i64)"),
            // What is not known keeps its name.
            ("tensor(float3)", "tensor(float3)"),
            ("seq(tensor(float3))", "seq(tensor(float3))"),
            ("map(int64, tensor(float))", "map(int64, tensor(float))"),
            ("opaque(a, b)", "opaque(a, b)"),
        ] {
            assert_eq!(to_oplock(theirs).as_deref(), Some(ours));
            assert_eq!(to_onnx(ours), theirs);
        }
        for other in ["f32", "string", "seq(f32)", "map(i64, f32)", "sparse(bool)"] {
            assert_eq!(to_oplock(other), None, "{other} would be written as another type");
        }
    }
}
