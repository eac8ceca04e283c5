//! Element types: `TensorFlow`'s numbers and names (`types.proto`), and oplock's names for the same.

/// Number, name without `DT_`, oplock's name.
const TYPES: [(i32, &str, &str); 32] = [
    (1, "FLOAT", "f32"),
    (2, "DOUBLE", "f64"),
    (3, "INT32", "i32"),
    (4, "UINT8", "u8"),
    (5, "INT16", "i16"),
    (6, "INT8", "i8"),
    (7, "STRING", "string"),
    (8, "COMPLEX64", "complex64"),
    (9, "INT64", "i64"),
    (10, "BOOL", "bool"),
    (11, "QINT8", "qint8"),
    (12, "QUINT8", "quint8"),
    (13, "QINT32", "qint32"),
    (14, "BFLOAT16", "bf16"),
    (15, "QINT16", "qint16"),
    (16, "QUINT16", "quint16"),
    (17, "UINT16", "u16"),
    (18, "COMPLEX128", "complex128"),
    (19, "HALF", "f16"),
    (20, "RESOURCE", "resource"),
    (21, "VARIANT", "variant"),
    (22, "UINT32", "u32"),
    (23, "UINT64", "u64"),
    (24, "FLOAT8_E5M2", "f8e5m2"),
    (25, "FLOAT8_E4M3FN", "f8e4m3fn"),
    (26, "FLOAT8_E4M3FNUZ", "f8e4m3fnuz"),
    (27, "FLOAT8_E4M3B11FNUZ", "f8e4m3b11"),
    (28, "FLOAT8_E5M2FNUZ", "f8e5m2fnuz"),
    (29, "INT4", "i4"),
    (30, "UINT4", "u4"),
    (31, "INT2", "i2"),
    (32, "UINT2", "u2"),
];

/// A reference to a type has the type's number and this.
const REF: i32 = 100;

/// The number that stands for no type.
pub const INVALID: i32 = 0;

/// The number of a name such as `DT_FLOAT` or `DT_FLOAT_REF`.
pub fn number_of_name(name: &str) -> Option<i32> {
    let name = name.strip_prefix("DT_")?;
    if name == "INVALID" {
        return Some(INVALID);
    }
    let (name, offset) = name.strip_suffix("_REF").map_or((name, 0), |name| (name, REF));
    TYPES.iter().find(|(_, known, _)| *known == name).map(|(number, ..)| number + offset)
}

/// The name of a number: `DT_FLOAT`.
pub fn name_of_number(number: i32) -> Option<String> {
    if number == INVALID {
        return Some("DT_INVALID".to_owned());
    }
    let (number, suffix) = if number > REF { (number - REF, "_REF") } else { (number, "") };
    TYPES.iter().find(|(known, ..)| *known == number).map(|(_, name, _)| format!("DT_{name}{suffix}"))
}

/// oplock's name for a number: `f32`, and `ref(f32)` for a reference.
pub fn element_of_number(number: i32) -> Option<String> {
    let (number, is_ref) = if number > REF { (number - REF, true) } else { (number, false) };
    let (.., name) = TYPES.iter().find(|(known, ..)| *known == number)?;
    Some(if is_ref { format!("ref({name})") } else { (*name).to_owned() })
}

/// The number of one of oplock's names.
pub fn number_of_element(element: &str) -> Option<i32> {
    let inner = element.strip_prefix("ref(").and_then(|rest| rest.strip_suffix(')'));
    let (name, offset) = inner.map_or((element, 0), |inner| (inner, REF));
    TYPES.iter().find(|(.., known)| *known == name).map(|(number, ..)| number + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_one_number_and_two_names() {
        for number in (1..=32).chain(101..=132) {
            let name = name_of_number(number).unwrap();
            assert_eq!(number_of_name(&name), Some(number));
            let element = element_of_number(number).unwrap();
            assert_eq!(number_of_element(&element), Some(number));
        }
        assert_eq!(element_of_number(119).as_deref(), Some("ref(f16)"));
        assert_eq!(name_of_number(119).as_deref(), Some("DT_HALF_REF"));
    }

    #[test]
    fn other_numbers_and_names_are_none() {
        for number in [-1, 33, 100, 133, i32::MAX, i32::MIN] {
            assert_eq!(name_of_number(number), None, "{number}");
            assert_eq!(element_of_number(number), None, "{number}");
        }
        // No type is a name, and no element type.
        assert_eq!((number_of_name("DT_INVALID"), element_of_number(0)), (Some(0), None));
        for name in ["FLOAT", "DT_", "DT_FLOAT_REF_REF", "DT_INVALID_REF", "DT_float"] {
            assert_eq!(number_of_name(name), None, "{name}");
        }
        for element in ["", "float", "ref()", "ref(ref(f32))", "seq(f32)"] {
            assert_eq!(number_of_element(element), None, "{element}");
        }
    }
}
