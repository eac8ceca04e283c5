//! Attributes that all operators of a package have: a graph has them like those of each operator.

mod common;

use common::*;
use oplock_core::{Kind, Value};
use oplock_graph::{Export, ExportOptions, NodeProblem, Package, Program, UpgradeFn, reach_of_graph, reach_of_lock};

/// `role` was 0 by default before 2.0.0, `device` is younger than `f`, `stack` is Extra, `gone` was deleted.
const COMMON: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-01-15" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
"*".attr.device = { type = "string", default = "", since = "1.1.0" }
"*".attr.role = { type = "i32", default = 1, since = "1.0.0" }
"*".attr.stack = { type = "[string]", default = [], extra = true }
f.since = "1.0.0"
f.input.X = {}
g.since = "2.0.0"
[upgrade]
"*".2 = { since = "2.0.0" }
[ledger]
"*"."2.0.0".attr.gone = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 0, since = "1.0.0" } }
"*"."2.0.0".attr.role = { rule = "attr_changed", version = 2, from = { type = "i32", default = 0, since = "1.0.0" }, to = { type = "i32", default = 1 } }
"#;

/// The same, as each operator would say it.
const EACH: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-01-15" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
f.since = "1.0.0"
f.input.X = {}
f.attr.device = { type = "string", default = "", since = "1.1.0" }
f.attr.role = { type = "i32", default = 1 }
f.attr.stack = { type = "[string]", default = [], extra = true }
g.since = "2.0.0"
g.attr.device = { type = "string", default = "", since = "1.1.0" }
g.attr.role = { type = "i32", default = 1, since = "1.0.0" }
g.attr.stack = { type = "[string]", default = [], extra = true }
[upgrade]
f.2 = { since = "2.0.0" }
[ledger]
f."2.0.0".attr.gone = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 0, since = "1.0.0" } }
f."2.0.0".attr.role = { rule = "attr_changed", version = 2, from = { type = "i32", default = 0, since = "1.0.0" }, to = { type = "i32", default = 1 } }
"#;

/// What was `gone` is added to `role`.
fn function() -> UpgradeFn {
    UpgradeFn::new(|node| {
        let (gone, role) = (node.remove_attr("gone"), node.attr("role").cloned());
        if let (Some(Value::I32(gone)), Some(Value::I32(role))) = (gone, role) {
            node.set_attr("role", Value::I32(gone + role));
        }
        Ok(())
    })
}

fn of(text: &str, op: &str) -> Program {
    let mut package = package("vision-ops", "2.0.0", text);
    package.upgrades.insert((op.to_owned(), 2), function());
    program([package])
}

fn programs() -> [Program; 2] {
    [of(COMMON, "*"), of(EACH, "f")]
}

fn f() -> oplock_registry::Node {
    node("f").input("X", &["x"])
}

fn attr(graph: &oplock_graph::Graph, name: &str) -> Option<Value> {
    graph.blocks[0].nodes[0].attrs.get(name).cloned()
}

#[test]
fn a_package_is_as_if_each_operator_said_it() {
    let [common, each] = programs().map(|mut program| program.packages_mut().remove("vision-ops").unwrap());
    assert_eq!(common.ops, each.ops);
    assert_eq!(common.lock.ops, each.lock.ops);
    for op in ["f", "g"] {
        let rows = |package: &Package| -> Vec<_> {
            package.lock.rows_of(op).map(|(key, row)| (key.clone(), row.clone())).collect()
        };
        assert_eq!(rows(&common), rows(&each), "{op}");
    }
    assert_eq!(programs()[0].fingerprint(), programs()[1].fingerprint());
    let reach = |text| reach_of_lock(&lock("vision-ops", text)).to_string();
    assert_eq!(reach(COMMON), reach(EACH));
}

#[test]
fn they_are_filled_in_stripped_and_clipped() {
    for program in programs() {
        let stack = Value::list(vec![string("main")]);
        let node = f().attr("device", string("")).attr("role", i32(1)).extra("stack", stack);
        let saved = save(&program, &graph([node]));
        assert_eq!(attr(&saved, "role"), Some(i32(1)), "its default changed, so it is always written");
        assert_eq!(attr(&saved, "device"), None);
        assert_eq!(saved.blocks[0].nodes[0].extra.len(), 1);
        let loaded = loaded(&program, &saved).graph;
        assert_eq!((attr(&loaded, "device"), attr(&loaded, "role")), (Some(string("")), Some(i32(1))));
        let exported = program.export(&saved, Export::Float, ExportOptions::default()).unwrap().graph;
        assert!(exported.blocks[0].nodes[0].extra.is_empty());
    }
}

#[test]
fn a_graph_of_before_gets_the_default_of_its_time() {
    for program in programs() {
        let old = |node| loaded(&program, &written(graph([node]), stamp(1, 1, &[]))).graph;
        assert_eq!(attr(&old(f()), "role"), Some(i32(0)));
        assert_eq!(attr(&old(f().attr("role", i32(3)).attr("gone", i32(4))), "role"), Some(i32(7)), "by the function");
    }
}

#[test]
fn the_break_that_a_reader_needs_is_told_of_each_operator() {
    let saved = save(&programs()[0], &graph([f()]));
    let told = |text| reach_of_graph(&saved, &[lock("vision-ops", text)]).unwrap()[0].version.clone();
    assert_eq!(told(COMMON), told(EACH));
    assert!(told(COMMON).1.is_some());
}

#[test]
fn a_value_needs_the_release_that_has_the_attribute() {
    for program in programs() {
        let oldest = |device: &str| {
            let saved = save(&program, &graph([f().attr("device", string(device))]));
            saved.stamps["vision-ops"].oldest_reader.clone().unwrap()
        };
        assert_eq!(oldest("").version, v("1.0.0"));
        assert_eq!((oldest("gpu").version, oldest("gpu").because), (v("1.1.0"), "f.device".to_owned()));
    }
}

#[test]
fn what_does_not_fit_or_is_unknown_is_refused() {
    for program in programs() {
        let problems = refused(&program, &written(graph([f().attr("role", string("x"))]), stamp(1, 1, &[])));
        assert!(matches!(nodes(&problems)[..], [NodeProblem::Type { .. }]), "{problems}");
        let problems = refused(&program, &written(graph([f().attr("rolle", i32(1))]), stamp(1, 1, &[])));
        let [NodeProblem::UnknownItem { kind: Kind::Attr, hint, .. }] = &nodes(&problems)[..] else {
            panic!("{problems}")
        };
        assert_eq!(hint, "; did you mean `role`?");
    }
}

#[test]
fn an_operator_has_its_own_function_behind_that_of_all() {
    let mut program = of(COMMON, "*");
    let package = program.packages_mut().get_mut("vision-ops").unwrap();
    let own = UpgradeFn::new(|node| {
        let Some(Value::I32(role)) = node.attr("role").cloned() else { return Ok(()) };
        node.set_attr("role", Value::I32(role * 10));
        Ok(())
    });
    package.upgrades.insert(("f".to_owned(), 2), own);
    let old = written(graph([f().attr("role", i32(3)).attr("gone", i32(4))]), stamp(1, 1, &[]));
    assert_eq!(attr(&loaded(&program, &old).graph, "role"), Some(i32(70)));
}

#[test]
fn an_unreleased_one_is_told() {
    let text = COMMON.replace("default = \"\", since = \"1.1.0\"", "default = \"\", unreleased = true");
    let saved = program([package("vision-ops", "2.0.0", &text)]).save(&graph([f()])).unwrap().graph;
    let unpromised = saved.stamps["vision-ops"].unpromised.clone().unwrap();
    assert_eq!(unpromised.reason, "no release of it had `f.device` yet");
}

#[test]
fn what_all_operators_had_went_with_one_that_was_deleted() {
    let text =
        format!("{COMMON}h.\"2.0.0\".op = {{ rule = \"op_deleted\", version = 2, from = {{ since = \"1.0.0\" }} }}\n");
    let mut package = package("vision-ops", "2.0.0", &text);
    package.upgrades.insert(("*".to_owned(), 2), UpgradeFn::new(|_| Ok(())));
    let becomes_f = UpgradeFn::new(|node| {
        // With the defaults of its time, in which `device` and `role` were there, and `gone` still.
        let seen: Vec<_> = node.node().attrs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        assert_eq!(seen, ["device = \"\"", "gone = 0", "role = 0"]);
        let gone = node.remove_attr("gone").is_some();
        assert!(gone);
        node.set_input("X", vec!["x".to_owned()]);
        node.set_op("f");
        Ok(())
    });
    package.upgrades.insert(("h".to_owned(), 2), becomes_f);
    let mut old = stamp(1, 1, &[]);
    old.releases = vec![release("1.0.0", 1)];
    let loaded = loaded(&program([package]), &written(graph([node("h")]), old));
    assert_eq!(loaded.graph.blocks[0].nodes[0].attrs["role"], i32(0), "what it meant then");
}
