//! What a declaration may say by itself, and in which words it is told where it may not.

mod common;

use std::fmt::Display;

use common::op;
use oplock_core::declare::{
    check_attr_absent, check_count_attr, check_operand_absent, check_type_attr, check_type_variable, is_count,
    is_of_type_variable, is_type,
};
use oplock_core::{ArgDef, AttrDef, AttrType, Deprecated, ElementType, Kind, OpDef, Part, TypeVar, Value};

fn told<E: Display>(result: Result<(), E>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

fn ty(text: &str) -> AttrType {
    text.parse().unwrap()
}

fn deprecation(is_deprecated: bool) -> Option<Deprecated> {
    is_deprecated.then(|| Deprecated { version: 2, note: "use Y".into() })
}

/// Of an item: its name, its part, whether it is deprecated, and why graphs must do without it.
const ITEMS: [(&str, Part, bool, Option<&str>); 7] = [
    ("X", Part::Def, false, None),
    ("X", Part::Extra, false, Some("an export removes what is `extra`")),
    ("X", Part::Quant, false, Some("an export removes what is `quant`")),
    ("X", Part::Def, true, Some("graphs must do without what is deprecated")),
    ("_x", Part::Def, false, Some("a name that begins with `_` is outside the guarantee, and an export removes it")),
    ("_x", Part::Def, true, Some("graphs must do without what is deprecated")),
    ("_x", Part::Quant, true, Some("an export removes what is `quant`")),
];

#[test]
fn graphs_can_do_without_an_operand_where_they_must() {
    let def = OpDef::new("f");
    for (name, part, is_deprecated, why) in ITEMS {
        let plain = ArgDef { part, deprecated: deprecation(is_deprecated), ..ArgDef::new(name) };
        let dispensable = ArgDef { dispensable: true, ..plain.clone() };
        let intermediate = ArgDef { intermediate: true, ..plain.clone() };
        let input = why.map(|why| format!("{why}, so such an input must be `dispensable`"));
        let output = why.map(|why| format!("{why}, so such an output must be `dispensable` or `intermediate`"));
        for (kind, arg, expected) in [
            (Kind::Input, &plain, &input),
            (Kind::Input, &intermediate, &input),
            (Kind::Input, &dispensable, &None),
            (Kind::Output, &plain, &output),
            (Kind::Output, &intermediate, &None),
            (Kind::Output, &dispensable, &None),
        ] {
            assert_eq!(told(check_operand_absent(&def, kind, arg)), *expected, "{kind} {arg:?}");
        }
    }
}

#[test]
fn graphs_can_do_without_an_attribute_where_they_must() {
    let def = OpDef::new("f");
    for (name, part, is_deprecated, why) in ITEMS {
        let stated = AttrDef { part, deprecated: deprecation(is_deprecated), ..AttrDef::new(name, ty("i32")) };
        let expected = why.map(|why| format!("{why}, so such an attribute must have a `default`"));
        assert_eq!(told(check_attr_absent(&def, &stated)), expected, "{stated:?}");
        let has_default = AttrDef { default: Some(Value::I32(1)), ..stated };
        assert_eq!(told(check_attr_absent(&def, &has_default)), None, "{has_default:?}");
    }
}

/// Of an operator that is outside the guarantee nothing is promised, whatever its items are called.
#[test]
fn an_operator_outside_the_guarantee_may_require_what_is_outside_it_too() {
    for def in [OpDef::new("_f"), OpDef { experimental: true, ..OpDef::new("f") }] {
        assert_eq!(told(check_operand_absent(&def, Kind::Input, &ArgDef::new("_x"))), None, "{def:?}");
        assert_eq!(told(check_attr_absent(&def, &AttrDef::new("_x", ty("i32")))), None, "{def:?}");
        let extra = ArgDef { part: Part::Extra, ..ArgDef::new("X") };
        assert!(told(check_operand_absent(&def, Kind::Input, &extra)).is_some(), "{def:?}");
    }
}

#[test]
fn a_type_variable_has_a_name_that_is_nothing_else() {
    let def = op("attr.dtype = { type = \"dtype\" }");
    let is_no_name = |name: &str| Some(format!("{name:?} is no name of a type variable"));
    let is_attr = "`dtype` is an attribute of this operator: of which type an operand is would be said twice";
    let is_type = |name: &str| Some(format!("`{name}` is a type, and cannot stand for others"));
    for (name, expected) in [
        ("T", None),
        ("_T", None),
        ("", is_no_name("")),
        ("_", is_no_name("_")),
        ("a\u{7}", is_no_name("a\u{7}")),
        ("dtype", Some(is_attr.to_owned())),
        ("f32", is_type("f32")),
        ("bool", is_type("bool")),
    ] {
        assert_eq!(told(check_type_variable(&def, name)), expected, "{name:?}");
    }
}

#[test]
fn an_operand_is_of_a_type_variable_where_the_operator_has_one_of_that_name() {
    let mut def = op("attr.dtype = { type = \"dtype\" }");
    def.types = vec![TypeVar { name: "T".into(), allowed: vec!["f32".into()].into() }].into();
    let of = |ty: Option<ElementType>| is_of_type_variable(&def, &ArgDef { ty, ..ArgDef::new("X") });
    assert!(of(Some(ElementType::Var("T".into()))));
    assert!(!of(Some(ElementType::Var("dtype".into()))));
    assert!(!of(Some(ElementType::Fixed("T".into()))));
    assert!(!of(None));
}

#[test]
fn what_says_a_type_is_a_dtype_or_a_list_of_them() {
    let types = ["dtype", "[dtype]", "[dtype; 2]", "[[dtype]]", "dtype?", "string", "i64"].map(ty);
    assert_eq!(types.map(is_type), [true, true, true, false, false, false, false]);
    let one = ArgDef::new("X");
    let many = ArgDef { duplicable: true, ..one.clone() };
    let is_one =
        "attribute `d` has a type for each of several variables, and an operand that is not `duplicable` is one";
    for (arg, of, expected) in [
        (&one, "dtype", None),
        (&many, "dtype", None),
        (&many, "[dtype]", None),
        (&one, "[dtype]", Some(is_one.to_owned())),
        (&one, "i32", Some("attribute `d` is of type `i32`: what says a type is of type `dtype` or `[dtype]`".into())),
        (
            &many,
            "[dtype]?",
            Some("attribute `d` is of type `[dtype]?`: what says a type is of type `dtype` or `[dtype]`".into()),
        ),
    ] {
        assert_eq!(told(check_type_attr(Kind::Input, arg, &AttrDef::new("d", ty(of)))), expected, "{arg:?} {of}");
    }
}

#[test]
fn what_says_how_many_variables_there_are_is_one_integer() {
    let integers = ["i32", "i64", "u32", "u64", "usize"].map(ty);
    assert_eq!(integers.map(is_count), [true; 5]);
    let others = ["[i32]", "i32?", "f32", "bool", "dtype"].map(ty);
    assert_eq!(others.map(is_count), [false; 5]);
    let arg = ArgDef { duplicable: true, ..ArgDef::new("X") };
    let told = |of: &str| told(check_count_attr(Kind::Input, &arg, &AttrDef::new("n", ty(of))));
    assert_eq!(told("i64"), None);
    let expected = "attribute `n` is of type `[i64]`: what says how many variables there are is one integer";
    assert_eq!(told("[i64]").as_deref(), Some(expected));
}

#[test]
fn what_an_export_removes_says_nothing_of_what_it_leaves() {
    let parts = [Part::Def, Part::Quant, Part::Extra];
    for (kind, noun) in [(Kind::Input, "input"), (Kind::Output, "output")] {
        for (i, of_arg) in parts.into_iter().enumerate() {
            for (j, of_attr) in parts.into_iter().enumerate() {
                let arg = ArgDef { part: of_arg, duplicable: true, ..ArgDef::new("X") };
                let mark = if of_attr == Part::Extra { "extra" } else { "quant" };
                let is_left = |name: &str| {
                    format!("attribute `{name}` is `{mark}`, and an export that removes it leaves this {noun}")
                };
                let expected = |name: &str| (j > i).then(|| is_left(name));
                let attr = |name: &'static str, of: &str| AttrDef { part: of_attr, ..AttrDef::new(name, ty(of)) };
                let place = format!("{of_attr:?} of {of_arg:?}");
                assert_eq!(told(check_type_attr(kind, &arg, &attr("d", "dtype"))), expected("d"), "{place}");
                assert_eq!(told(check_count_attr(kind, &arg, &attr("n", "i32"))), expected("n"), "{place}");
            }
        }
    }
}
