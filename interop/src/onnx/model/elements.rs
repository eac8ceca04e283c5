//! The numbers of element types (`TensorProto.DataType`).

/// oplock's names in the order of the numbers, from 1.
const ELEMENTS: [&str; 26] = [
    "f32",
    "u8",
    "i8",
    "u16",
    "i16",
    "i32",
    "i64",
    "string",
    "bool",
    "f16",
    "f64",
    "u32",
    "u64",
    "complex64",
    "complex128",
    "bf16",
    "f8e4m3fn",
    "f8e4m3fnuz",
    "f8e5m2",
    "f8e5m2fnuz",
    "u4",
    "i4",
    "f4e2m1",
    "f8e8m0",
    "u2",
    "i2",
];

/// oplock's name for a number: `f32`.
pub(super) fn element_of_number(number: i32) -> Option<&'static str> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    ELEMENTS.get(index).copied()
}

#[cfg(test)]
mod tests {
    use oplock_core::ELEMENT_TYPES;

    use super::*;

    #[test]
    fn every_number_is_of_a_known_type() {
        assert_eq!((element_of_number(1), element_of_number(16)), (Some("f32"), Some("bf16")));
        assert_eq!((element_of_number(0), element_of_number(27), element_of_number(-1)), (None, None, None));
        for name in ELEMENTS {
            assert!(ELEMENT_TYPES.contains(&name), "{name}");
        }
    }
}
