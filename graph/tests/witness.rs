//! For every break that the rules know, a graph that it harms; and the breaks for which loading can show none, with the reason.

use std::collections::BTreeSet;

use oplock_core::compare::{RULES, Rule};
use oplock_core::{
    ArgDef, AttrDef, AttrType, Deprecated, ElementType, Finding, Flags, Kind, OpDef, Options, Part, Revision,
    ScalarType, TypeVar, Value, compare_op,
};
use oplock_graph::Graph;
use oplock_graph::witness::{Outcome, Releases, Witness, Writer, witness};

/// Why loading shows no harm.
fn reason(finding: &Finding, old: &OpDef) -> Option<&'static str> {
    let arg = finding.item.as_ref().and_then(|(kind, name)| old.arg(*kind, name));
    match (finding.rule.name, finding.field?) {
        ("op_revised" | "revision_removed", _) => Some("behaviour changed, and no signature"),
        (_, "of" | "heterogeneous" | "by_ref" | "types") => Some("no graph has the element types of its variables"),
        ("op_flag_removed", _) => Some("it loads, and what it may be made into is not what it was"),
        (_, "experimental") => Some("it loads, and is promised no more"),
        (_, "generated") => Some("it loads, and who chose the value is another"),
        (_, "quant") if arg.is_none() => Some("an attribute that is Quant has a default"),
        (_, "quant") if arg.is_some_and(|arg| arg.dispensable || arg.intermediate) => Some("it may be absent anyway"),
        (_, "dispensable") if arg.is_some_and(|arg| arg.intermediate) => Some("it may be absent anyway"),
        (_, "intermediate") if arg.is_some_and(|arg| arg.dispensable) => Some("it may be absent anyway"),
        _ => None,
    }
}

/// The rule and the case of it, by its place in the table.
fn case_of(finding: &Finding) -> (&'static str, usize) {
    let place = finding.rule.cases.iter().position(|case| std::ptr::eq(case, finding.case));
    (finding.rule.name, place.expect("a case is one of its rule"))
}

/// Judges every break between two definitions, and says which cases had a witness.
fn between(old: &OpDef, new: &OpDef, seen: &mut BTreeSet<(&'static str, usize)>, without: &mut BTreeSet<&'static str>) {
    for finding in compare_op(old, new, Options::default()) {
        let found = witness(&Releases::default(), old, Some(new), &finding);
        if !finding.is_break() {
            assert_eq!(found, None, "{}", finding.message());
            continue;
        }
        match (found, reason(&finding, old)) {
            (Some(found), None) => {
                check(&found, &finding);
                seen.insert(case_of(&finding));
            }
            (None, Some(reason)) => {
                without.insert(reason);
                seen.insert(case_of(&finding));
            }
            (None, None) => panic!("no graph: {}\n{old:?}\n{new:?}", finding.message()),
            (Some(found), Some(reason)) => panic!("{reason}, but {found:?}\n{}", finding.message()),
        }
    }
}

/// A graph can be written down, and what is told of it is about the break.
fn check(found: &Witness, finding: &Finding) {
    let text = found.graph.to_json().expect("it is a graph");
    assert_eq!(Graph::from_json(&text).expect("it is a graph"), found.graph);
    assert_eq!(found.graph.blocks[0].nodes.len(), 1);
    // Of what is renamed, the new item may be narrower: `alias_narrows` refuses that where it was released.
    if finding.backward() && !finding.rule.name.ends_with("_deleted") {
        assert_eq!(found.writer, Writer::Newer, "{}", finding.message());
    }
    let item = finding.item.as_ref().map_or(finding.op.as_str(), |(_, item)| item.as_str());
    match &found.outcome {
        Outcome::Fails(refused) => {
            let names = [item, finding.from.as_deref().unwrap_or(item), finding.to.as_deref().unwrap_or(item)];
            let text = refused.to_string();
            // What has the deleted name as an alias is named where it is Extra.
            let is_of_alias = text.contains("here it is Extra, which promises nothing");
            assert!(
                is_of_alias
                    || names
                        .iter()
                        .any(|name| text.contains(&format!("`{name}`")) || text.contains(&format!(".{name}`"))),
                "{text}\n{}",
                finding.message()
            );
        }
        Outcome::ChangesMeaning { item: changed, was, is } => {
            assert_eq!(changed, item);
            assert_ne!(was, is);
            if finding.field != Some("default") {
                return; // its default had to change with it
            }
            let (old, new) = finding.defaults.clone().expect("a default changed");
            assert_eq!((Some(was), Some(is)), (old.as_ref(), new.as_ref()));
        }
    }
}

fn op(change: impl FnOnce(&mut OpDef)) -> OpDef {
    let mut def = OpDef::new("f");
    def.inputs = vec![ArgDef::new("a")].into();
    def.outputs = vec![ArgDef::new("b")].into();
    change(&mut def);
    def
}

/// Every operand, and none.
fn operands(kind: Kind) -> Vec<OpDef> {
    let mut defs = vec![op(|_| {})];
    for bits in 0..8 {
        for part in [Part::Def, Part::Quant, Part::Extra] {
            for aliases in [vec![], vec!["old".into()]] {
                let (dispensable, duplicable, intermediate) = (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0);
                let arg =
                    ArgDef { dispensable, duplicable, intermediate, part, aliases: aliases.into(), ..ArgDef::new("x") };
                defs.push(op(|def| match kind {
                    Kind::Input => def.inputs.to_mut().push(arg),
                    _ => def.outputs.to_mut().push(arg),
                }));
            }
        }
    }
    for advanced in [3, 5] {
        let deprecated = Some(Deprecated { version: advanced, note: "no".into() });
        let arg = ArgDef { deprecated, dispensable: true, ..ArgDef::new("x") };
        defs.push(op(|def| match kind {
            Kind::Input => def.inputs.to_mut().push(arg),
            _ => def.outputs.to_mut().push(arg),
        }));
    }
    defs.push(op(|def| match kind {
        Kind::Input => def.inputs.to_mut().push(ArgDef { dispensable: true, ..ArgDef::new("old") }),
        _ => def.outputs.to_mut().push(ArgDef { dispensable: true, ..ArgDef::new("old") }),
    }));
    defs
}

/// Operands of each type and number, beside attributes that count.
fn numbers(kind: Kind) -> Vec<OpDef> {
    let several = || ArgDef { duplicable: true, ..ArgDef::new("x") };
    let of = |ty| ArgDef { ty: Some(ty), ..several() };
    let args = [
        several(),
        ArgDef { min: Some(2), ..several() },
        ArgDef { min: Some(3), ..several() },
        ArgDef { count: Some("n".into()), ..several() },
        ArgDef { count: Some("m".into()), ..several() },
        of(ElementType::Fixed("f32".into())),
        of(ElementType::Fixed("f64".into())),
        of(ElementType::Var("T".into())),
        ArgDef { heterogeneous: true, ..of(ElementType::Var("T".into())) },
        ArgDef { by_ref: true, ..several() },
    ];
    let i64 = |name| AttrDef { default: Some(Value::I64(1)), ..AttrDef::new(name, AttrType::of(ScalarType::I64)) };
    let ops = args.into_iter().flat_map(|arg| {
        let types = [vec![], vec!["f32"], vec!["f32", "f64"]];
        types.map(|allowed| {
            op(|def| {
                def.attrs = vec![i64("n"), i64("m")].into();
                def.types =
                    vec![TypeVar { name: "T".into(), allowed: allowed.into_iter().map(Into::into).collect() }].into();
                match kind {
                    Kind::Input => def.inputs.to_mut().push(arg.clone()),
                    _ => def.outputs.to_mut().push(arg.clone()),
                }
            })
        })
    });
    ops.collect()
}

/// Attributes of every type, with what each can say, and none.
fn attributes() -> Vec<OpDef> {
    let mut attrs = Vec::new();
    let (i32s, texts) = (AttrType::list(ScalarType::I32), AttrType::of(ScalarType::String));
    for scalar in ScalarType::ALL {
        attrs.push(AttrDef::new("x", AttrType::of(scalar)));
    }
    for ty in [
        i32s,
        AttrType::list_of(i32s, None),
        AttrType::list_of(AttrType::of(ScalarType::I32), Some(2)),
        AttrType::of(ScalarType::F32).optional(),
    ] {
        attrs.push(AttrDef::new("x", ty));
    }
    let with = |ty, default| AttrDef { default: Some(default), ..AttrDef::new("x", ty) };
    let (i32, i64) = (AttrType::of(ScalarType::I32), AttrType::of(ScalarType::I64));
    for value in [0, 1] {
        attrs.push(with(i32, Value::I32(value)));
        attrs.push(with(i64, Value::I64(value.into())));
        attrs.push(with(AttrType::of(ScalarType::Size), Value::I64(value.into())));
        attrs.push(with(i32s, Value::list(vec![Value::I32(value)])));
    }
    attrs.push(with(AttrType::of(ScalarType::F32), Value::F32(0.0)));
    attrs.push(with(AttrType::of(ScalarType::F32), Value::F32(-0.0)));
    attrs.push(with(texts, Value::String("a".into())));
    for min in [1, 3] {
        attrs.push(AttrDef { min: Some(min), ..AttrDef::new("x", i32) });
        attrs.push(AttrDef { min: Some(min), ..AttrDef::new("x", i64) });
        attrs.push(AttrDef { min: Some(min), ..AttrDef::new("x", i32s) });
    }
    for values in [vec!["a", "b"], vec!["a", "c"], vec!["b"]] {
        let values = values.into_iter().map(Into::into).collect::<Vec<_>>();
        attrs.push(AttrDef { values: values.into(), ..AttrDef::new("x", texts) });
    }
    for part in [Part::Quant, Part::Extra] {
        attrs.push(AttrDef { part, ..with(i32, Value::I32(0)) });
    }
    attrs.push(AttrDef { part: Part::Extra, ..AttrDef::new("x", i32) });
    attrs.push(AttrDef { generated: true, ..with(i32, Value::I32(0)) });
    attrs.push(AttrDef { aliases: vec!["old".into()].into(), ..with(i32, Value::I32(0)) });
    attrs.push(AttrDef { name: "old".into(), ..with(i32, Value::I32(0)) });
    for version in [3, 5] {
        let deprecated = Some(Deprecated { version, note: "no".into() });
        attrs.push(AttrDef { deprecated, ..with(i32, Value::I32(0)) });
    }
    let of = |attr: AttrDef| op(|def| def.attrs = vec![attr].into());
    attrs.into_iter().map(of).chain([op(|_| {})]).collect()
}

/// What an operator itself can say.
fn operators() -> Vec<OpDef> {
    let deprecated = |version| op(|def| def.deprecated = Some(Deprecated { version, note: "no".into() }));
    vec![
        op(|_| {}),
        op(|def| def.experimental = true),
        op(|def| def.cfg = Some("feature = \"cuda\"".into())),
        op(|def| def.cfg = Some("all(feature = \"cuda\", unix)".into())),
        op(|def| def.aliases = vec!["old".into()].into()),
        op(|def| def.moved_from = Some("their-ops".into())),
        op(|def| def.revisions = vec![Revision { version: 2, note: "other".into() }].into()),
        deprecated(3),
        deprecated(5),
        op(|def| {
            def.flags =
                Flags { stateful: true, commutative: true, aggregate: true, communication: true, uninitialized: true }
        }),
    ]
}

#[test]
fn every_break_has_a_graph_that_it_harms_or_a_reason_for_none() {
    let (mut seen, mut without) = (BTreeSet::new(), BTreeSet::new());
    let (operands, numbers) = ([Kind::Input, Kind::Output].map(operands), [Kind::Input, Kind::Output].map(numbers));
    for defs in operands.into_iter().chain(numbers).chain([attributes(), operators()]) {
        for old in &defs {
            for new in &defs {
                between(old, new, &mut seen, &mut without);
            }
        }
    }
    let old = op(|_| {});
    let finding = oplock_core::compare::op_deleted(&old);
    check(&witness(&Releases::default(), &old, None, &finding).expect("a graph"), &finding);
    seen.insert(case_of(&finding));
    let missed: Vec<_> = breaks().filter(|case| !seen.contains(case) && !is_of_no_two_definitions(*case)).collect();
    assert_eq!(missed, []);
    let reasons = [
        "an attribute that is Quant has a default",
        "behaviour changed, and no signature",
        "it loads, and is promised no more",
        "it loads, and what it may be made into is not what it was",
        "it loads, and who chose the value is another",
        "it may be absent anyway",
        "no graph has the element types of its variables",
    ];
    assert_eq!(without, BTreeSet::from(reasons));
}

/// Every case of a signature that breaks old graphs.
fn breaks() -> impl Iterator<Item = (&'static str, usize)> {
    let cases = |rule: &'static Rule| rule.cases.iter().enumerate().map(move |(i, case)| (rule.name, i, case));
    let cases = RULES.iter().flat_map(cases).filter(|(_, _, case)| !case.backward);
    cases.map(|(rule, place, _)| (rule, place))
}

/// Cases that two definitions alone never give.
fn is_of_no_two_definitions((rule, place): (&str, usize)) -> bool {
    match rule {
        // They are about what is declared beside the definitions, or about what was deleted before.
        "name_reused"
        | "alias_narrows"
        | "alias_taken"
        | "moved_unknown"
        | "moved_narrows"
        | "attr_declared_twice"
        | "operand_moved"
        | "operand_place_dropped"
        | "version_released"
        | "version_undeclared"
        | "op_added_without_feature" => true,
        // The manifest lacks a feature.
        "op_deleted" | "op_condition_narrowed" => {
            RULES.iter().any(|it| it.name == rule && it.cases[place].field == "(feature)")
        }
        // Words for a field that no other case has.
        "input_changed" | "output_changed" | "attr_changed" | "attr_minimum_raised" => place == 0,
        _ => is_of_data(rule),
    }
}

fn is_of_data(rule: &str) -> bool {
    rule.contains("data_version")
        || rule.contains("consumer")
        || rule.contains("producer")
        || rule.starts_with("upgrade")
        || rule.starts_with("break_")
}

#[test]
fn a_witness_shows_one_change_and_not_another() {
    let attr = |name: &'static str, default| AttrDef {
        default: Some(Value::I32(default)),
        ..AttrDef::new(name, AttrType::of(ScalarType::I32))
    };
    let old = op(|def| def.attrs = vec![attr("x", 0), attr("y", 0)].into());
    let new = op(|def| def.attrs = vec![attr("x", 1)].into());
    let findings = compare_op(&old, &new, Options::default());
    assert_eq!(findings.len(), 2);
    for finding in &findings {
        let found = witness(&Releases::default(), &old, Some(&new), finding).expect("a graph");
        let attrs = &found.graph.blocks[0].nodes[0].attrs;
        if finding.field == Some("default") {
            let outcome = Outcome::ChangesMeaning { item: "x".into(), was: Value::I32(0), is: Value::I32(1) };
            assert_eq!(found.outcome, outcome);
            assert!(attrs.is_empty());
        } else {
            let Outcome::Fails(refused) = &found.outcome else { panic!("{found:?}") };
            assert!(refused.to_string().contains("`y`"), "{refused}");
            assert_eq!(attrs.keys().collect::<Vec<_>>(), ["y"]);
        }
    }
}
