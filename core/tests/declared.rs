//! The text that a declaration leaves in the program reads back as what was declared, bit for bit.

mod common;

use common::{any_op, any_value};
use oplock_core::{AttrDef, AttrType, Declared, OpDef, ScalarType, Value};
use proptest::prelude::*;

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn declared(def: OpDef) -> Declared {
    Declared { def, file: "src/lib.rs".into(), line: 1, stale: "".into() }
}

/// The value after both ways, as the default of an attribute between two others.
fn there_and_back(ty: AttrType, value: &Value) -> Value {
    let attrs =
        ["before", "it", "after"].map(|name| AttrDef { default: Some(value.clone()), ..AttrDef::new(name, ty) });
    let record = declared(OpDef { attrs: attrs.to_vec().into(), ..OpDef::new("f") });
    let back = Declared::from_text(leak(record.to_text())).expect("a text of `to_text`");
    assert_eq!(back, record);
    back.def.attrs[1].default.clone().expect("a default")
}

proptest! {
    #[test]
    fn any_declaration_reads_back(def in any_op(), file: String, line: u32, stale: String) {
        let record = Declared { def, file: file.into(), line, stale: stale.into() };
        prop_assert_eq!(Declared::from_text(leak(record.to_text())), Some(record));
    }

    /// Also where a part of it is missing, or something stands for something else.
    #[test]
    fn no_text_is_too_damaged_to_be_refused(def in any_op(), at: prop::sample::Index, other in ".{0,2}") {
        let text = declared(def).to_text();
        let places: Vec<_> = text.char_indices().map(|(i, _)| i).collect();
        let at = places[at.index(places.len())];
        prop_assert!(Declared::from_text(leak(text[..at].to_owned())).is_none_or(|short| short.to_text() == text[..at]));
        let _ = Declared::from_text(leak(format!("{}{other}{}", &text[..at], &text[at..])));
    }
}

#[test]
fn every_kind_of_value_reads_back() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for scalar in ScalarType::ALL {
        for depth in 0..=AttrType::MAX_DEPTH {
            let ty = AttrType { depth, ..AttrType::of(scalar) };
            if ty == AttrType::of(ScalarType::Block) {
                there_and_back(ty, &Value::Block(u32::MAX));
                continue;
            }
            for _ in 0..32 {
                let value = any_value(ty).new_tree(&mut runner).expect("a value").current();
                there_and_back(ty.optional(), &value);
            }
        }
    }
    there_and_back(AttrType::of(ScalarType::Bool).optional(), &Value::Absent);
}

/// Two NaNs are equal as values; here not even their payloads are lost.
#[test]
fn floats_keep_their_bits() {
    for bits in [0x7fc0_0000, 0xffc0_1234, 0x7f80_0001, 0x8000_0000, 1, 0x7f80_0000_u32] {
        let back = there_and_back(AttrType::of(ScalarType::F32), &Value::F32(f32::from_bits(bits)));
        assert!(matches!(back, Value::F32(x) if x.to_bits() == bits), "{bits:x}: {back:?}");
    }
    for bits in [0x7ff8_0000_0000_0000, 0xfff8_0000_dead_beef, 0x8000_0000_0000_0000, 1_u64] {
        let back = there_and_back(AttrType::of(ScalarType::F64), &Value::F64(f64::from_bits(bits)));
        assert!(matches!(back, Value::F64(x) if x.to_bits() == bits), "{bits:x}: {back:?}");
    }
}

#[test]
fn other_texts_are_refused() {
    let text = declared(OpDef::new("f")).to_text();
    assert_eq!(text, "10'src/lib.rs1;0'1'f");
    for damaged in
        ["", "x", "10'src/lib.rs1;0'", "11'src/lib.rs1;0'1'f", "10'src/lib.rs1;0'1'fZ", "1'ä1;0'1'f", "-1'1;0'1'f"]
    {
        assert_eq!(Declared::from_text(damaged), None, "{damaged}");
    }
    for value in
        ["D_", "A1'a3;i32;", "A1'a4;i32;", "A1'ai32;D", "A1'ai32;D[i1;", "A1'ai32;Di2147483648;", "A1'ai32;Dct;"]
    {
        assert_eq!(Declared::from_text(leak(format!("{text}{value}"))), None, "{value}");
    }
}
