//! Values of one type that are exactly values of another.

use oplock_core::{AttrType, ScalarType, Value};

/// What a value is for an attribute of a type.
#[derive(Debug, PartialEq)]
pub(crate) enum Fit {
    /// One of its values.
    Own,
    /// Exactly one of its values, when written so.
    Exactly(Value),
    /// A number between its values.
    NotExact,
    /// Of a type that has nothing to do with it.
    Other,
}

/// Whole numbers fit where floating-point numbers are wanted, when they are the same number. Nothing else is converted: what
/// became wider on the way was converted by the ledger.
pub(crate) fn fit(value: &Value, ty: AttrType) -> Fit {
    if value.fits(ty) {
        return Fit::Own;
    }
    match (value, ty.element()) {
        (Value::List(items), Some(element)) => {
            let mut converted = Vec::with_capacity(items.len());
            for item in items.iter() {
                converted.push(match fit(item, element) {
                    Fit::Own => item.clone(),
                    Fit::Exactly(item) => item,
                    other => return other,
                });
            }
            let converted = Value::list(converted);
            // A list of another length is none of the type, whatever is in it.
            if converted.fits(ty) { Fit::Exactly(converted) } else { Fit::Other }
        }
        (_, None) => whole(value).map_or(Fit::Other, |number| to_float(number, ty.scalar)),
        _ => Fit::Other,
    }
}

fn whole(value: &Value) -> Option<i128> {
    Some(match value {
        Value::I32(x) => (*x).into(),
        Value::I64(x) => (*x).into(),
        Value::U32(x) => (*x).into(),
        Value::U64(x) => (*x).into(),
        _ => return None,
    })
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // held against the number itself
fn to_float(number: i128, ty: ScalarType) -> Fit {
    match ty {
        ScalarType::F32 if (number as f32) as i128 == number => Fit::Exactly(Value::F32(number as f32)),
        ScalarType::F64 if (number as f64) as i128 == number => Fit::Exactly(Value::F64(number as f64)),
        ScalarType::F32 | ScalarType::F64 => Fit::NotExact,
        _ => Fit::Other,
    }
}

/// The type of a value as a declaration writes it: `i32`, `[i64]`; `[]` for an empty list. Where a list of the expected type is of one
/// length, the value's own is told.
pub(crate) fn type_name(value: &Value, expected: AttrType) -> String {
    let (mut open, mut close) = (String::new(), String::new());
    let (mut value, mut expected) = (value, Some(expected));
    while let Value::List(items) = value {
        open.push('[');
        let length = expected.and_then(AttrType::length).map(|_| format!("; {}", items.len()));
        close.insert_str(0, &format!("{}]", length.unwrap_or_default()));
        expected = expected.and_then(AttrType::element);
        // Of several lists, one that is of another length than the others must be.
        let is_short = |item: &&Value| match (item, expected.and_then(AttrType::length)) {
            (Value::List(items), Some(length)) => u32::try_from(items.len()) != Ok(length),
            _ => false,
        };
        let Some(item) = items.iter().find(is_short).or(items.first()) else {
            return format!("{open}{}", close.trim_start_matches("; 0"));
        };
        value = item;
    }
    let name = match value {
        Value::Absent => "absent".to_owned(),
        other => other.describe().trim_start_matches("a value of type `").trim_end_matches('`').to_owned(),
    };
    format!("{open}{name}{close}")
}

/// Calls `visit` with each block that a value names.
pub(crate) fn for_each_block(value: &Value, visit: &mut impl FnMut(u32)) {
    match value {
        Value::Block(block) => visit(*block),
        Value::List(items) => items.iter().for_each(|item| for_each_block(item, visit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_floats_where_they_are_the_same_number() {
        let f32 = AttrType::of(ScalarType::F32);
        assert_eq!(fit(&Value::I32(1), f32), Fit::Exactly(Value::F32(1.0)));
        assert_eq!(fit(&Value::I32(16_777_216), f32), Fit::Exactly(Value::F32(16_777_216.0)));
        assert_eq!(fit(&Value::I32(16_777_217), f32), Fit::NotExact);
        assert_eq!(fit(&Value::U32(7), f32), Fit::Exactly(Value::F32(7.0)));
        assert_eq!(fit(&Value::U64(u64::MAX), AttrType::of(ScalarType::F64)), Fit::NotExact);
        assert_eq!(
            fit(&Value::I64(i64::MIN), AttrType::of(ScalarType::F64)),
            Fit::Exactly(Value::F64(-(2.0_f64).powi(63)))
        );
        assert_eq!(fit(&Value::I64(1), AttrType::of(ScalarType::I32)), Fit::Other);
        assert_eq!(fit(&Value::I32(1), AttrType::of(ScalarType::I64)), Fit::Other);
        assert_eq!(fit(&Value::F32(1.0), AttrType::of(ScalarType::F64)), Fit::Other);
        let list = Value::list(vec![Value::I32(1), Value::I32(2)]);
        let floats = Value::list(vec![Value::F32(1.0), Value::F32(2.0)]);
        assert_eq!(fit(&list, AttrType::list(ScalarType::F32)), Fit::Exactly(floats));
        assert_eq!(fit(&Value::I32(1), AttrType::list(ScalarType::F32)), Fit::Other);
        assert_eq!(fit(&list, f32), Fit::Other);
    }

    #[test]
    fn types_are_named_as_declarations_name_them() {
        let nested = Value::list(vec![Value::list(vec![Value::I64(1)])]);
        let any = AttrType::of(ScalarType::I32);
        assert_eq!(type_name(&nested, any), "[[i64]]");
        assert_eq!(type_name(&Value::list(vec![]), any), "[]");
        assert_eq!(type_name(&Value::F32(1.0), any), "f32");
        assert_eq!(type_name(&Value::Absent, any), "absent");
        // The length is told where it is wrong.
        let one = Value::list(vec![Value::I64(1)]);
        assert_eq!(type_name(&one, "[usize; 2]".parse().unwrap()), "[i64; 1]");
        assert_eq!(type_name(&Value::list(vec![]), "[usize; 2]".parse().unwrap()), "[]");
        let two = Value::list(vec![Value::I64(1), Value::I64(1)]);
        let lists = Value::list(vec![two.clone(), one, two]);
        assert_eq!(type_name(&lists, "[[i64; 2]]".parse().unwrap()), "[[i64; 1]]");
        assert_eq!(type_name(&lists, "[[i64]; 2]".parse().unwrap()), "[[i64]; 3]");
    }
}
