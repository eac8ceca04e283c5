//! In which order graphs are upgraded, and what functions may do.

mod common;

use std::sync::{Arc, Mutex};

use common::of_major as of;
use common::*;
use oplock_core::Value;
use oplock_graph::{Graph, NodeProblem, Package, Program, Upgrade, UpgradeError, UpgradeFn};

/// Releases 1.0.0 to 4.0.0 at data versions 1 to 4.
const RELEASES: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"3.0.0" = { date = "2026-03-01", graph = 3 }
"4.0.0" = { date = "2026-04-01", graph = 4 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "3.0.0" }
graph.version.4 = { text = "", since = "4.0.0" }
"#;

fn reader(text: &str) -> Package {
    package("vision-ops", "4.0.0", &format!("{RELEASES}{text}"))
}

fn with(
    mut package: Package,
    op: &str,
    before: u32,
    function: impl Fn(&mut Upgrade<'_>) -> Result<(), UpgradeError> + Send + Sync + 'static,
) -> Package {
    package.upgrades.insert((op.into(), before), UpgradeFn::new(function));
    package
}

fn upgraded(program: &Program, graph: &Graph) -> Vec<oplock_registry::Node> {
    loaded(program, graph).graph.blocks[0].nodes.clone()
}

const RENAMED_ATTR: &str = r#"
[op]
f.since = "1.0.0"
f.attr.axis = { type = "i64", default = 0, alias = ["dim"], since = "2.0.0" }
[ledger]
f."2.0.0".attr.dim = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 1, since = "1.0.0" } }
"#;

#[test]
fn a_renamed_attr_keeps_its_value_and_its_default() {
    let program = program([reader(RENAMED_ATTR)]);
    let axis = |node| upgraded(&program, &of(1, graph([node])))[0].attrs["axis"].clone();
    assert_eq!(axis(node("f").attr("dim", i32(3))), Value::I64(3));
    assert_eq!(axis(node("f")), Value::I64(1), "what an absent one meant then");
    assert_eq!(upgraded(&program, &of(2, graph([node("f")])))[0].attrs["axis"], Value::I64(0));
    let refused = refused(&program, &of(1, graph([node("f").attr("dim", i32(3)).attr("axis", Value::I64(3))])));
    assert!(matches!(nodes(&refused)[0], NodeProblem::BothNames { is_absent: false, .. }), "{refused}");
    // A name that no release of this lock had.
    let free = "[op]\nf.since = \"1.0.0\"\nf.input.X = { alias = [\"x\"] }\nf.alias.F = {}\n";
    let nodes = upgraded(&common::program([reader(free)]), &of(1, graph([node("F").input("x", &["a"])])));
    assert_eq!(nodes, [node("f").input("X", &["a"])]);
}

/// `a` became `b` in 2.0.0, whose default changed in 3.0.0, and which became `c` in 4.0.0.
const RENAMED_TWICE: &str = r#"
[op]
c.since = "4.0.0"
c.alias.a = {}
c.alias.b = {}
c.attr.n = { type = "i32", default = 30 }
[ledger]
a."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
a."2.0.0".attr.n = { rule = "op_deleted", version = 2, from = { type = "i32", default = 10, since = "1.0.0" } }
b."3.0.0".attr.n = { rule = "attr_changed", version = 3, from = { type = "i32", default = 20, since = "2.0.0" }, to = { type = "i32", default = 25 } }
b."4.0.0".op = { rule = "op_deleted", version = 4, from = { since = "2.0.0", alias = ["a"] } }
b."4.0.0".attr.n = { rule = "op_deleted", version = 4, from = { type = "i32", default = 25, since = "2.0.0" } }
"#;

#[test]
fn an_op_that_was_renamed_twice_has_the_defaults_of_each_time() {
    let program = program([reader(RENAMED_TWICE)]);
    let n = |producer, op| {
        let nodes = upgraded(&program, &of(producer, graph([node(op)])));
        assert_eq!(nodes[0].op, "c");
        nodes[0].attrs["n"].clone()
    };
    assert_eq!(n(1, "a"), i32(10));
    assert_eq!(n(2, "b"), i32(20));
    assert_eq!(n(3, "b"), i32(25));
    assert_eq!(n(4, "c"), i32(30));
}

#[test]
fn versions_ascend_and_derived_steps_come_first() {
    let text = r#"
[op]
f.since = "1.0.0"
f.attr.n = { type = "i64", default = 3, since = "1.0.0" }
[ledger]
f."2.0.0".attr.n = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i64", default = 2 } }
f."3.0.0".attr.n = { rule = "attr_changed", version = 3, from = { type = "i64", default = 2, since = "1.0.0" }, to = { type = "i64", default = 3 } }
[upgrade]
f.2 = { since = "2.0.0" }
f.4 = { since = "4.0.0" }
"#;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = |version: u32| {
        let seen = Arc::clone(&seen);
        move |upgrade: &mut Upgrade<'_>| {
            let release = upgrade.release().map(ToString::to_string).unwrap_or_default();
            seen.lock().unwrap().push((version, release, upgrade.data_version(), upgrade.attr("n").cloned()));
            Ok(())
        }
    };
    let package = with(with(reader(text), "f", 4, record(4)), "f", 2, record(2));
    let program = program([package]);
    upgraded(&program, &of(1, graph([node("f")])));
    let expected = [(2, "1.0.0".to_owned(), 1, Some(Value::I64(1))), (4, "1.0.0".to_owned(), 1, Some(Value::I64(1)))];
    assert_eq!(*seen.lock().unwrap(), expected);
    seen.lock().unwrap().clear();
    upgraded(&program, &of(2, graph([node("f")])));
    assert_eq!(*seen.lock().unwrap(), [(4, "2.0.0".to_owned(), 2, Some(Value::I64(2)))]);
    seen.lock().unwrap().clear();
    upgraded(&program, &of(4, graph([node("f")])));
    assert_eq!(*seen.lock().unwrap(), []);
}

const REPLACED: &str = r#"
[op]
add.since = "1.0.0"
add.input.X = {}
add.input.Y = {}
add.output.Out = {}
constant.since = "1.0.0"
constant.output.Out = {}
constant.attr.value = { type = "f32", default = 0.0 }
mul.since = "1.0.0"
mul.attr.body = { type = "block?" }
mul.input.X = {}
mul.output.Out = {}
[ledger]
gone."3.0.0".op = { rule = "op_deleted", version = 3, from = { since = "1.0.0" } }
gone."3.0.0".input.X = { rule = "op_deleted", version = 3, from = { since = "1.0.0" } }
gone."3.0.0".output.Out = { rule = "op_deleted", version = 3, from = { since = "1.0.0" } }
"#;

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every upgrade function")]
fn add_one(upgrade: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    let one = upgrade.add_constant(node("constant").attr("value", Value::F32(1.0)), "Out");
    upgrade.set_op("add");
    upgrade.set_input("Y", vec![one]);
    Ok(())
}

#[test]
fn a_node_is_replaced_by_several() {
    let program = program([with(reader(REPLACED), "gone", 3, add_one)]);
    let old = graph([
        node("gone").input("X", &["x"]).output("Out", &["Out.0"]),
        node("gone").input("X", &["Out.0"]).output("Out", &["y"]),
    ]);
    let expected = [
        node("constant").attr("value", Value::F32(1.0)).output("Out", &["Out.1"]),
        node("add").input("X", &["x"]).input("Y", &["Out.1"]).output("Out", &["Out.0"]),
        node("constant").attr("value", Value::F32(1.0)).output("Out", &["Out.2"]),
        node("add").input("X", &["Out.0"]).input("Y", &["Out.2"]).output("Out", &["y"]),
    ];
    assert_eq!(upgraded(&program, &of(1, old)), expected, "a new variable has a name of its own");
    // Also of what only the inputs and results of blocks name.
    let mut bare = graph([node("gone").input("X", &["x"]).output("Out", &["y"])]);
    (bare.blocks[0].inputs, bare.blocks[0].outputs) = (vec!["Out.0".into()], vec!["Out.1".into()]);
    assert_eq!(upgraded(&program, &of(1, bare))[0].outputs["Out"], ["Out.2"]);
}

#[test]
fn a_node_is_removed_and_its_readers_read_what_it_read() {
    let remove = |upgrade: &mut Upgrade<'_>| {
        let (from, to) = (upgrade.only_output("Out")?.to_owned(), upgrade.only_input("X")?.to_owned());
        upgrade.forward(&from, &to);
        upgrade.remove();
        Ok(())
    };
    let program = program([with(reader(REPLACED), "gone", 3, remove)]);
    let gone = |from: &str, to: &str| node("gone").input("X", &[from]).output("Out", &[to]);
    let mul = |from: &str| node("mul").input("X", &[from]).output("Out", &["z"]);
    let mut old = blocks([
        vec![gone("a", "b"), gone("b", "c"), mul("c").attr("body", Value::Block(1))],
        vec![mul("c"), mul("b").attr("body", Value::Block(2))],
        vec![mul("c")],
    ]);
    old.blocks[0].outputs = vec!["c".into()];
    old.blocks[2].inputs = vec!["c".into()];
    let new = loaded(&program, &of(1, old)).graph;
    assert_eq!(new.blocks[0].nodes.len(), 1);
    assert_eq!(new.blocks[0].outputs, ["a"]);
    assert_eq!(new.blocks[0].nodes[0].inputs["X"], ["a"]);
    let inputs: Vec<_> = new.blocks[1].nodes.iter().map(|node| node.inputs["X"][0].as_str()).collect();
    assert_eq!(inputs, ["a", "a"]);
    assert_eq!(new.blocks[2].nodes[0].inputs["X"], ["c"], "a block's own variable is another");
}

#[test]
fn what_a_function_makes_waits_for_the_next_version() {
    let text = r#"
[op]
f.since = "1.0.0"
f.attr.n = { type = "i32", default = 0 }
[upgrade]
f.2 = { since = "2.0.0" }
f.3 = { since = "3.0.0" }
"#;
    let count = |upgrade: &mut Upgrade<'_>| {
        let Some(Value::I32(n)) = upgrade.attr("n").cloned() else { return Err(UpgradeError::new("it has no n")) };
        upgrade.set_attr("n", i32(n + 1));
        Ok(())
    };
    let split = move |upgrade: &mut Upgrade<'_>| {
        upgrade.insert_before(node("f").attr("n", i32(100)));
        upgrade.insert_after(node("f").attr("n", i32(200)));
        upgrade.insert_after(node("f").attr("n", i32(300)));
        count(upgrade)
    };
    let program = program([with(with(reader(text), "f", 2, split), "f", 3, count)]);
    let nodes = upgraded(&program, &of(1, graph([node("f").attr("n", i32(7))])));
    let n: Vec<_> = nodes.iter().map(|node| node.attrs["n"].clone()).collect();
    assert_eq!(n, [i32(101), i32(9), i32(201), i32(301)]);
}

#[test]
fn every_block_is_upgraded_and_a_refusal_names_the_node() {
    let refuse = |upgrade: &mut Upgrade<'_>| match upgrade.input("X").first() {
        Some(variable) if variable == "bad" => Err(UpgradeError::new("`bad` has no counterpart")),
        _ => {
            upgrade.set_op("mul");
            Ok(())
        }
    };
    let program = program([with(reader(REPLACED), "gone", 3, refuse)]);
    let gone = |from: &str| node("gone").input("X", &[from]).output("Out", &["y"]);
    let sub = |from: &str| {
        let mul = node("mul").input("X", &["x"]).output("Out", &["z"]).attr("body", Value::Block(1));
        of(2, blocks([vec![mul], vec![gone("x"), gone(from)]]))
    };
    let new = loaded(&program, &sub("x")).graph;
    assert!(new.blocks[1].nodes.iter().all(|node| node.op == "mul"));
    let refused = refused(&program, &sub("bad")).to_string();
    let expected =
        "`gone` (node 1 of block 1) cannot be upgraded to data version 3 of vision-ops: `bad` has no counterpart";
    assert!(refused.starts_with(expected), "{refused}");
}

type Function = fn(&mut Upgrade<'_>) -> Result<(), UpgradeError>;

/// What a function made is not told as a fault of the file, and what it left alone is.
#[test]
fn a_fault_of_a_function_is_told_as_its_own() {
    let f = "[op]\nf.since = \"1.0.0\"\nf.input.X = {}\nf.attr.n = { type = \"i32\", default = 0 }\n\
             f.attr.k = { type = \"i32\", default = 0 }\n";
    let refused = |function: Function, node: oplock_registry::Node| {
        let program = program([with(reader(f), "f", 2, function)]);
        refused(&program, &of(1, graph([node]))).to_string()
    };
    let x = || node("f").input("X", &["x"]);
    let cases: [(Function, &str); 6] = [
        (
            |node| {
                node.set_attr("zz", i32(1));
                Ok(())
            },
            "`f` has no attribute `zz` here (node 0 of block 0)",
        ),
        (
            |node| {
                node.set_attr("n", string("a"));
                Ok(())
            },
            "attribute `n` of `f` is of type `i32`, and the graph has a value of type `string` (node 0 of block 0)",
        ),
        (|node| node.rename_attr("n", "other"), "`f` has no attribute `other` here (node 0 of block 0)"),
        (
            |node| {
                node.remove_input("X");
                Ok(())
            },
            "input `X` of `f` is required, and not connected (node 0 of block 0)",
        ),
        (
            |upgrade| {
                upgrade.insert_after(node("f"));
                Ok(())
            },
            "input `X` of `f` is required, and not connected (node 1 of block 0)",
        ),
        (
            |node| {
                node.set_op("nothing");
                Ok(())
            },
            "the package of `nothing` has no operator `nothing` here (node 0 of block 0)",
        ),
    ];
    for (function, what) in cases {
        let expected = format!(
            "what the upgrade function of `f` before 2 made does not fit: {what}\n  \
             help: mend the function, which is one of vision-ops; no file can be mended for it"
        );
        assert_eq!(refused(function, x().attr("n", i32(7))), expected);
    }
    let own = refused(|node| node.rename_attr("n", "n2").and(node.rename_attr("n2", "n")), x().attr("k", string("a")));
    assert!(own.starts_with("attribute `k` of `f` is of type `i32`"), "{own}");
}

/// What has an item's later name only did not get it from there: its operator was renamed with it.
#[test]
fn a_later_name_in_older_data_is_told() {
    let text = r#"
[op]
g.since = "2.0.0"
g.alias.f = {}
g.attr.axis = { type = "i32", default = 1, alias = ["dim"] }
[ledger]
f."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
f."2.0.0".attr.dim = { rule = "op_deleted", version = 2, from = { type = "i32", default = 1, since = "1.0.0" } }
"#;
    let program = program([reader(text)]);
    let told = |node| refused(&program, &of(1, graph([node]))).to_string();
    let expected = "`f` (node 0 of block 0) has attribute `axis`, and in data of its version the name of that is `dim`, which it does not \
                    have\n  help: name it `dim`, or save it with a release that has `axis`";
    assert_eq!(told(node("f").attr("axis", i32(3))), expected);
    assert!(
        told(node("f").attr("axis", i32(3)).attr("dim", i32(1))).contains("has attribute `dim` and attribute `axis`")
    );
}

/// What became Extra or is gone is the function's to take away.
#[test]
fn an_item_that_a_function_leaves_is_told_as_one_of_the_function() {
    let text = r#"
[op]
f.since = "1.0.0"
f.attr.n = { type = "i32", default = 2, extra = true }
[ledger]
f."2.0.0".attr.n = { rule = "attr_changed", version = 2, from = { type = "i32", default = 2, since = "1.0.0" }, to = { type = "i32", default = 2, extra = true } }
f."2.0.0".attr.m = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 3, since = "1.0.0" } }
f."2.0.0".input.Y = { rule = "input_deleted", version = 2, from = { dispensable = true, since = "1.0.0" } }
"#;
    let refused = |function: UpgradeFn, graph: &Graph| {
        let mut package = reader(text);
        package.upgrades.insert(("f".into(), 2), function);
        refused(&program([package]), graph).to_string()
    };
    let forgets = || UpgradeFn::new(|_: &mut Upgrade<'_>| Ok(()));
    let told = refused(forgets(), &of(1, graph([node("f").input("Y", &["y"])])));
    let made = "what the upgrade function of `f` before 2 made does not fit: ";
    let help = "help: mend the function, which is one of vision-ops; no file can be mended for it";
    let expected = [
        "`f` has no input `Y` here (node 0 of block 0)",
        "`f` has no attribute `m` here; did you mean `n`? (node 0 of block 0)",
        "attribute `n` of `f` (node 0 of block 0) is promised by who saved it, and here it is Extra, which promises nothing",
    ];
    assert_eq!(told, expected.map(|what| format!("{made}{what}\n  {help}")).join("\n"));
    // One that stands in for the function knows nothing of it, and a file that is as new as the break has the item of its own.
    let text = refused(forgets().standing_in(), &of(1, graph([node("f")])));
    assert!(text.starts_with("`f` has no attribute `m` here"), "{text}");
    let text = refused(forgets(), &of(2, graph([node("f").attr("n", i32(2))])));
    assert!(text.starts_with("attribute `n` of `f` (node 0 of block 0) is promised by who saved it"), "{text}");
}

/// What was deprecated and is gone may stand in a graph at its default, if the default once changed.
#[test]
fn a_default_of_what_is_gone_is_dropped() {
    let text = r#"
[op]
f.since = "1.0.0"
[ledger]
f."2.0.0".attr.n = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
f."4.0.0".attr.n = { rule = "attr_deleted", version = 4, from = { type = "i32", default = 2, deprecated = { version = 3, note = "use m" }, since = "1.0.0" } }
"#;
    let program = program([reader(text)]);
    let old = |n| of(3, graph([node("f").attr("n", i32(n))]));
    assert_eq!(upgraded(&program, &old(2)), [node("f")]);
    let refused = refused(&program, &old(3));
    assert!(matches!(nodes(&refused)[..], [NodeProblem::UnknownItem { .. }]), "{refused}");
    // Also where the name stands for something else by now.
    let again = text.replace("[ledger]", "f.attr.n = { type = \"i32\", default = 7, since = \"4.0.0\" }\n[ledger]");
    assert_eq!(upgraded(&common::program([reader(&again)]), &old(2)), [node("f").attr("n", i32(7))]);
    // A function says itself what becomes of it.
    let program = common::program([with(reader(text), "f", 4, |_| Ok(()))]);
    assert!(load(&program, &old(2)).is_err());
}

#[test]
fn operands_are_renamed_and_asked_for_by_functions() {
    let text = r#"
[op]
f.since = "1.0.0"
f.input.B = { dispensable = true, duplicable = true }
f.output.D = { dispensable = true, duplicable = true }
"#;
    let rename: Function = |upgrade| upgrade.rename_input("A", "B").and(upgrade.rename_output("C", "D"));
    let program = |function: Function| program([with(reader(text), "f", 2, function)]);
    let old = |input: &[&str], output: &[&str]| of(1, graph([node("f").input("A", input).output("C", output)]));
    assert_eq!(upgraded(&program(rename), &old(&["a"], &["c"])), [node("f").input("B", &["a"]).output("D", &["c"])]);
    let both = of(1, graph([node("f").input("A", &["a"]).input("B", &["b"])]));
    let told = refused(&program(rename), &both).to_string();
    assert!(told.contains(": it has both input `A` and input `B`"), "{told}");
    let only: Function = |upgrade| {
        upgrade.only_input("A")?;
        upgrade.only_output("C").map(|_| ())
    };
    for (input, output, expected) in [
        (&[][..], &["c"][..], ": its input `A` is not connected\n"),
        (&["a"], &[], ": its output `C` is not connected\n"),
        (&["a", "b"], &["c"], ": its input `A` is connected to 2 variables\n"),
    ] {
        let told = refused(&program(only), &old(input, output)).to_string();
        assert!(told.contains(expected), "{told}");
    }
}

/// What the function of all operators refuses, removes or makes another node of, that of the operator does not see.
#[test]
fn the_function_of_an_operator_comes_after_that_of_all_and_sees_what_that_left() {
    let text = "[op]\nf.since = \"1.0.0\"\nf.attr.how = { type = \"string\", default = \"\" }\ng.since = \"1.0.0\"\n\
                g.attr.how = { type = \"string\", default = \"\" }\n";
    let how = |upgrade: &Upgrade<'_>| match upgrade.attr("how") {
        Some(Value::String(how)) => how.to_string(),
        other => panic!("{other:?}"),
    };
    let all = move |upgrade: &mut Upgrade<'_>| {
        match how(upgrade).as_str() {
            "fail" => return Err(UpgradeError::new("it fails")),
            "remove" => upgrade.remove(),
            "turn" => upgrade.set_op("g"),
            _ => {}
        }
        Ok(())
    };
    let seen = Arc::new(Mutex::new(Vec::new()));
    let own = {
        let seen = Arc::clone(&seen);
        move |upgrade: &mut Upgrade<'_>| {
            seen.lock().unwrap().push(how(upgrade));
            Ok(())
        }
    };
    let program = program([with(with(reader(text), "*", 2, all), "f", 2, own)]);
    let f = |how: &str| node("f").attr("how", string(how));
    let nodes = upgraded(&program, &of(1, graph([f("remove"), f("turn"), f("stay")])));
    assert_eq!(nodes, [node("g").attr("how", string("turn")), f("stay")]);
    let told = refused(&program, &of(1, graph([f("fail")]))).to_string();
    assert!(told.contains("cannot be upgraded to data version 2 of vision-ops: it fails"), "{told}");
    assert_eq!(*seen.lock().unwrap(), ["stay"]);
}

/// What became another operator's node at a data version has its first function at the next.
#[test]
fn what_a_function_turns_into_another_operator_waits_for_the_next_version() {
    let text = "[op]\na.since = \"1.0.0\"\na.attr.n = { type = \"i32\", default = 0 }\nb.since = \"1.0.0\"\n\
                b.attr.n = { type = \"i32\", default = 0 }\n";
    let turn = |upgrade: &mut Upgrade<'_>| {
        upgrade.set_op("b");
        upgrade.insert_after(node("b").attr("n", i32(100)));
        Ok(())
    };
    let count = |upgrade: &mut Upgrade<'_>| {
        let Some(Value::I32(n)) = upgrade.attr("n").cloned() else { return Err(UpgradeError::new("it has no n")) };
        upgrade.set_attr("n", i32(n + 1));
        Ok(())
    };
    let program = program([with(with(with(reader(text), "a", 2, turn), "b", 2, count), "b", 3, count)]);
    let nodes = upgraded(&program, &of(1, graph([node("a"), node("b")])));
    assert_eq!(nodes, [1, 101, 2].map(|n| node("b").attr("n", i32(n))));
}

/// What another package has is put in as it is there today.
#[test]
fn a_node_of_another_package_is_put_in_as_of_today() {
    let other = RELEASES.to_owned()
        + "[op]\nk.since = \"1.0.0\"\nk.attr.n = { type = \"i32\", default = 6 }\n[ledger]\nk.\"3.0.0\".attr.n = \
           { rule = \"attr_changed\", version = 3, from = { type = \"i32\", default = 5, since = \"1.0.0\" }, \
           to = { type = \"i32\", default = 6 } }\n";
    let insert = |upgrade: &mut Upgrade<'_>| {
        upgrade.insert_before(node("k"));
        Ok(())
    };
    let own = with(reader("[op]\nf.since = \"1.0.0\"\n"), "f", 2, insert);
    let program = program([own, package("other-ops", "4.0.0", &other)]);
    let k = |n: i32| node("k").attr("n", i32(n));
    let mut old = of(1, graph([node("f"), node("k")]));
    let stamp = old.stamps["vision-ops"].clone();
    old.stamps.insert("other-ops".to_owned(), stamp);
    old.owners.insert("k".to_owned(), "other-ops".to_owned());
    assert_eq!(upgraded(&program, &old), [k(6), node("f"), k(5)]);
}

/// `pass` gives what it reads under another name: it is removed, and its readers read what it read.
const PASSED: &str = r#"
[op]
pass.since = "1.0.0"
pass.attr.from = { type = "var" }
pass.attr.to = { type = "var" }
reads.since = "1.0.0"
reads.input.X = { dispensable = true }
reads.attr.body = { type = "block?" }
reads.attr.of = { type = "[var]", default = [] }
reads.attr.one = { type = "var?" }
"#;

fn pass(from: &str, to: &str) -> oplock_registry::Node {
    node("pass").attr("from", var(from)).attr("to", var(to))
}

fn var(name: &str) -> Value {
    Value::Var(name.to_owned().into())
}

fn passed() -> Program {
    let remove = |upgrade: &mut Upgrade<'_>| {
        let [from, to] = ["from", "to"].map(|name| match upgrade.attr(name) {
            Some(Value::Var(name)) => name.to_string(),
            other => panic!("{other:?}"),
        });
        upgrade.forward(&from, &to);
        upgrade.remove();
        Ok(())
    };
    program([with(reader(PASSED), "pass", 2, remove)])
}

#[test]
fn attributes_that_name_a_variable_read_what_stands_in_its_place() {
    let reads = |one: &str, of: &[&str]| {
        let of = of.iter().map(|name| var(name)).collect();
        node("reads").attr("one", var(one)).attr("of", Value::list(of)).attr("body", Value::Absent)
    };
    let nodes = upgraded(&passed(), &of(1, graph([pass("a", "b"), reads("a", &["c", "a"]), reads("c", &[])])));
    assert_eq!(nodes, [reads("b", &["c", "b"]), reads("c", &[])]);
}

/// A block has what stands in the place of a variable from the blocks around it, unless it says so itself.
#[test]
fn what_a_block_says_of_a_variable_holds_before_what_the_blocks_around_it_say() {
    let reads = |variable: &str| node("reads").input("X", &[variable]);
    let holds = |block: u32| node("reads").attr("body", Value::Block(block));
    let old = blocks([
        vec![pass("a", "b"), reads("a"), holds(1)],
        vec![pass("a", "c"), reads("a"), holds(2)],
        vec![reads("a")],
    ]);
    let new = loaded(&passed(), &of(1, old)).graph;
    let read = new.blocks.iter().map(|block| block.nodes[0].inputs["X"][0].as_str());
    assert_eq!(read.collect::<Vec<_>>(), ["b", "c", "c"]);
}

#[test]
fn forwards_and_blocks_in_a_ring_come_to_an_end() {
    let reads = node("reads").input("X", &["a"]);
    let nodes = upgraded(&passed(), &of(1, graph([pass("a", "b"), pass("b", "a"), reads])));
    assert!(["a", "b"].contains(&nodes[0].inputs["X"][0].as_str()), "{nodes:?}");
    let holds = |block: u32| node("reads").attr("body", Value::Block(block));
    let ring = blocks([vec![pass("a", "b"), holds(1)], vec![pass("a", "c"), holds(2)], vec![pass("a", "d"), holds(0)]]);
    let refused = refused(&passed(), &of(1, ring));
    assert!(matches!(refused.problems[..], [oplock_graph::Problem::Ring { .. }]), "{refused}");
}

/// `a` became `b` in 2.0.0, `a` again in 3.0.0, and `c` in 4.0.0; so did the attributes `x`, `y` and `z` of `f`. Their defaults changed
/// with the last of these.
#[test]
fn what_got_its_old_name_back_is_followed_by_the_names_of_each_time() {
    let text = r#"
[op]
c.since = "4.0.0"
c.alias.a = {}
c.attr.n = { type = "i32", default = 30 }
f.since = "1.0.0"
f.attr.z = { type = "i32", default = 9, alias = ["x"], since = "4.0.0" }
[ledger]
a."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
a."2.0.0".attr.n = { rule = "op_deleted", version = 2, from = { type = "i32", default = 10, since = "1.0.0" } }
a."4.0.0".op = { rule = "op_deleted", version = 4, from = { since = "3.0.0", alias = ["b"] } }
a."4.0.0".attr.n = { rule = "op_deleted", version = 4, from = { type = "i32", default = 10, since = "3.0.0" } }
b."3.0.0".op = { rule = "op_deleted", version = 3, from = { since = "2.0.0", alias = ["a"] } }
b."3.0.0".attr.n = { rule = "op_deleted", version = 3, from = { type = "i32", default = 10, since = "2.0.0" } }
f."2.0.0".attr.x = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 1, since = "1.0.0" } }
f."3.0.0".attr.y = { rule = "attr_deleted", version = 3, from = { type = "i32", default = 1, alias = ["x"], since = "2.0.0" } }
f."4.0.0".attr.x = { rule = "attr_deleted", version = 4, from = { type = "i32", default = 1, alias = ["y"], since = "3.0.0" } }
"#;
    let program = program([reader(text)]);
    for (producer, op, attr, [n, z]) in
        [(1, "a", "x", [10, 1]), (2, "b", "y", [10, 1]), (3, "a", "x", [10, 1]), (4, "c", "z", [30, 9])]
    {
        let old = graph([node(op), node("f"), node("f").attr(attr, i32(5))]);
        let f = |z: i32| node("f").attr("z", i32(z));
        assert_eq!(upgraded(&program, &of(producer, old)), [node("c").attr("n", i32(n)), f(z), f(5)], "{producer}");
    }
}

/// `c` and `w` had been called `a` and `x` once, and were deleted with what had these names after them.
#[test]
fn what_went_in_the_same_release_did_not_take_the_place() {
    let text = r#"
[op]
b.since = "2.0.0"
b.alias.a = {}
b.attr.n = { type = "i32", default = 30 }
f.since = "1.0.0"
f.attr.z = { type = "i32", default = 9, alias = ["x"], since = "2.0.0" }
[ledger]
a."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
a."2.0.0".attr.n = { rule = "op_deleted", version = 2, from = { type = "i32", default = 10, since = "1.0.0" } }
c."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0", alias = ["a"] } }
f."2.0.0".attr.w = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 1, alias = ["x"], since = "1.0.0" } }
f."2.0.0".attr.x = { rule = "attr_deleted", version = 2, from = { type = "i32", default = 1, since = "1.0.0" } }
"#;
    let nodes = upgraded(&program([reader(text)]), &of(1, graph([node("a"), node("f")])));
    assert_eq!(nodes, [node("b").attr("n", i32(10)), node("f").attr("z", i32(1))]);
}

#[test]
fn what_a_function_refuses_is_told_by_its_own_words_alone() {
    let moved = r#"
[op]
f.since = "1.0.0"
[ledger]
nms."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
"#;
    let refuses = |node: &mut Upgrade<'_>| {
        node.set_attr("half", Value::Bool(true));
        Err(UpgradeError::new("it moved to box-ops: link that"))
    };
    let program = program([with(reader(moved), "nms", 2, refuses)]);
    let expected = "`nms` (node 1 of block 0) cannot be upgraded to data version 2 of vision-ops: it moved to box-ops: link that\n  \
                    help: load the graph with an older release of vision-ops, and save it without this";
    assert_eq!(refused(&program, &of(1, graph([node("f"), node("nms")]))).to_string(), expected);
    // Its neighbours are judged all the same.
    let both = refused(&program, &of(1, graph([node("f").attr("odd", i32(1)), node("nms")])));
    assert_eq!(nodes(&both).len(), 2, "{both}");
}
