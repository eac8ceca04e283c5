//! What oplock can say of an operator and `TensorFlow` cannot is refused with the operator and the item, and not left out.

use oplock_core::{
    ArgDef, AttrDef, AttrType, Deprecated, ElementType, Kind, OpDef, Part, Revision, ScalarType, TypeVar, Value,
};
use oplock_interop::tensorflow::op_list::Document;

fn fixed(name: &'static str) -> ArgDef {
    ArgDef { ty: Some(ElementType::Fixed("f32".into())), ..ArgDef::new(name) }
}

fn int() -> AttrDef {
    AttrDef::new("n", AttrType::of(ScalarType::I64))
}

fn op() -> OpDef {
    OpDef { inputs: vec![fixed("x")].into(), attrs: vec![int()].into(), ..OpDef::new("A") }
}

fn refused(op: &OpDef) -> String {
    Document::of([op]).expect_err("TensorFlow has no such operator").to_string()
}

#[test]
fn operators() {
    let deprecated = Deprecated { version: u32::MAX, note: "".into() };
    for (op, reason) in [
        (OpDef { experimental: true, ..op() }, "`experimental`"),
        (OpDef { cfg: Some("unix".into()), ..op() }, "conditions"),
        (OpDef { aliases: vec!["B".into()].into(), ..op() }, "aliases"),
        (OpDef { revisions: vec![Revision { version: 2, note: "".into() }].into(), ..op() }, "revisions"),
        (OpDef { moved_from: Some("p".into()), ..op() }, "`moved_from`"),
        (OpDef { types: vec![TypeVar { name: "T".into(), allowed: vec![].into() }].into(), ..op() }, "type variables"),
        (OpDef { deprecated: Some(deprecated), ..op() }, "4294967295"),
    ] {
        let error = refused(&op);
        assert!(error.starts_with("operator `A`: ") && error.contains(reason), "{error}");
    }
    assert!(Document::of([&op()]).is_ok());
}

#[test]
fn operands() {
    let deprecated = Some(Deprecated { version: 1, note: "".into() });
    for (arg, reason) in [
        (ArgDef { ty: None, ..fixed("x") }, "needs an element type"),
        (ArgDef { ty: Some(ElementType::Fixed("seq(f32)".into())), ..fixed("x") }, "no element type `seq(f32)`"),
        (ArgDef { ty: Some(ElementType::Var("n".into())), ..fixed("x") }, "`n` is no attribute that says the type"),
        (ArgDef { duplicable: true, ..fixed("x") }, "an attribute that counts a duplicable operand"),
        (ArgDef { duplicable: true, count: Some("m".into()), ..fixed("x") }, "`m` is no attribute that counts it"),
        (ArgDef { dispensable: true, ..fixed("x") }, "no dispensable operands"),
        (ArgDef { intermediate: true, ..fixed("x") }, "intermediate"),
        (ArgDef { part: Part::Extra, dispensable: true, ..fixed("x") }, "extra or quant"),
        (ArgDef { aliases: vec!["y".into()].into(), ..fixed("x") }, "aliases"),
        (ArgDef { deprecated, ..fixed("x") }, "deprecated operands"),
        (ArgDef { duplicable: true, min: Some(2), ..fixed("x") }, "minimum"),
        (ArgDef { duplicable: true, heterogeneous: true, ..fixed("x") }, "several types"),
    ] {
        for kind in [Kind::Input, Kind::Output] {
            let mut op = op();
            let args = if kind == Kind::Input { &mut op.inputs } else { &mut op.outputs };
            *args = vec![arg.clone()].into();
            let error = refused(&op);
            assert!(error.starts_with(&format!("operator `A`, {kind} `x`: ")) && error.contains(reason), "{error}");
        }
    }
}

#[test]
fn attributes() {
    let of = |ty| AttrDef::new("n", ty);
    let deprecated = Some(Deprecated { version: 1, note: "".into() });
    let dtype = AttrType::of(ScalarType::DType);
    for (attr, reason) in [
        (of(AttrType::of(ScalarType::I32)), "no attributes of type `i32`"),
        (of(AttrType::of(ScalarType::Block)), "no attributes of type `block`"),
        (of(AttrType::of(ScalarType::I64).optional()), "no attributes of type `i64?`"),
        (AttrDef { generated: true, ..int() }, "generated"),
        (AttrDef { part: Part::Quant, default: Some(Value::I64(1)), ..int() }, "extra or quant"),
        (AttrDef { aliases: vec!["m".into()].into(), ..int() }, "aliases"),
        (AttrDef { deprecated, ..int() }, "deprecated attributes"),
        (AttrDef { default: Some(Value::DType("f80".into())), ..of(dtype) }, "no element type `f80`"),
        (AttrDef { values: vec!["f80".into()].into(), ..of(dtype) }, "no element type `f80`"),
    ] {
        let error = refused(&OpDef { attrs: vec![attr].into(), ..op() });
        assert!(error.starts_with("operator `A`, attribute `n`: ") && error.contains(reason), "{error}");
    }
}
