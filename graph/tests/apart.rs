//! What holds of one operand, attribute or operator alone, where others of the same graph are as they were.

mod common;

use common::*;
use oplock_core::Value;
use oplock_graph::{Export, LoadOptions, NodeProblem, Note, UpgradeFn, VersionProblem, Warning};
use oplock_registry::Node;

/// An operand or an attribute is deprecated at data version 2, in release 1.1.0, and nothing else of its operator.
#[test]
fn one_deprecated_item_is_refused_by_itself() {
    for (item, ty, used, bare) in [
        ("input.Y", "dispensable = true", node("f").input("Y", &["y"]), node("f").input("Y", &[])),
        ("output.Z", "dispensable = true", node("f").output("Z", &["z"]), node("f").output("Z", &[])),
        ("attr.a", "type = \"i32\", default = 1", node("f").attr("a", i32(2)), node("f").attr("a", i32(1))),
    ] {
        let text = format!(
            r#"
[release]
"1.0.0" = {{ date = "2026-01-01" }}
"1.1.0" = {{ date = "2026-02-01", graph = 2 }}
[saved]
graph.version.2 = {{ text = "", since = "1.1.0" }}
[op]
f.since = "1.0.0"
f.{item} = {{ {ty}, deprecated = {{ version = 2, note = "n" }} }}
[ledger]
f."1.1.0".{item} = {{ rule = "item_deprecated", from = {{ {ty}, since = "1.0.0" }}, to = {{ {ty}, deprecated = {{ version = 2, note = "n" }} }} }}
"#
        );
        let reader = vision("1.1.0", &text);
        let (_, name) = item.split_once('.').unwrap();
        let mut stamp = stamp(1, 1, &[]);
        let old = loaded(&reader, &written(graph([used.clone()]), stamp.clone()));
        let is_told =
            |warning: &Warning| matches!(warning, Warning::Deprecated { path, .. } if *path == format!("f.{name}"));
        let warned = old.report.warnings.keys().any(is_told);
        assert!(warned, "{item}: {}", old.report);
        stamp.releases.push(release("1.1.0", 2));
        stamp.producer = 2;
        assert!(load(&reader, &written(graph([bare]), stamp.clone())).is_ok(), "{item}");
        let refused = refused(&reader, &written(graph([used]), stamp));
        let [NodeProblem::Deprecated { item: Some((kind, of)), version: 2, .. }] = nodes(&refused)[..] else {
            panic!("{item}: {refused}")
        };
        assert_eq!(format!("{}.{of}", kind.key()), item);
    }
}

/// An attribute is deprecated at data version 2 and later takes the name of one that was deleted: of data from before the deletion, the name
/// is that of the other.
#[test]
fn a_name_that_something_deprecated_has_today_was_another_one_before() {
    let text = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-02-01", graph = 2 }
"2.0.0" = { date = "2026-03-01", graph = 3 }
"3.0.0" = { date = "2026-04-01", graph = 4 }
[saved]
graph.version.2 = { text = "", since = "1.1.0" }
graph.version.3 = { text = "", since = "2.0.0" }
graph.version.4 = { text = "", since = "3.0.0" }
[op]
f.since = "1.0.0"
f.attr.a = { type = "i32", default = 1, alias = ["k"], deprecated = { version = 2, note = "n" }, since = "3.0.0" }
[ledger]
f."1.1.0".attr.k = { rule = "item_deprecated", from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 1, deprecated = { version = 2, note = "n" } } }
f."2.0.0".attr.a = { rule = "attr_deleted", version = 3, from = { type = "i32", default = 1, since = "1.0.0" } }
f."3.0.0".attr.k = { rule = "attr_deleted", version = 4, from = { type = "i32", default = 1, deprecated = { version = 2, note = "n" }, since = "1.0.0" } }
"#;
    let mut package = package("vision-ops", "3.0.0", text);
    package.upgrades.insert(
        ("f".into(), 3),
        UpgradeFn::new(|node| {
            node.remove_attr("a");
            Ok(())
        }),
    );
    let reader = program([package]);
    let of = |releases: &[(&str, i64)], node: Node| {
        let mut stamp = stamp(releases.last().unwrap().1, 1, &[]);
        stamp.releases = releases.iter().map(|(version, data)| release(version, *data)).collect();
        written(graph([node]), stamp)
    };
    let old = [("1.0.0", 1), ("1.1.0", 2)];
    assert_eq!(loaded(&reader, &of(&old, node("f").attr("a", i32(2)))).graph.blocks[0].nodes[0].attrs["a"], i32(1));
    let new = [old[0], old[1], ("2.0.0", 3), ("3.0.0", 4)];
    for (releases, name) in [(&old[..], "k"), (&new[..3], "k"), (&new[..], "a")] {
        let refused = refused(&reader, &of(releases, node("f").attr(name, i32(2))));
        let [NodeProblem::Deprecated { item: Some((_, of)), .. }] = nodes(&refused)[..] else { panic!("{refused}") };
        assert_eq!(of, name);
    }
}

/// What was Extra for the writer, and is nothing here, is dropped; that is told where it was connected.
#[test]
fn an_operand_that_was_extra_is_dropped_and_told_where_it_is_connected() {
    let head = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\nf.input.X = { dispensable = true }\nf.attr.of = { type = \"[var]\", default = [] }\n";
    let extra = "f.input.E = { dispensable = true, extra = true }\nf.output.S = { dispensable = true, extra = true }\n";
    let (writer, reader) = (vision("1.0.0", &format!("{head}{extra}")), vision("1.0.0", head));
    let saved = save(&writer, &graph([node("f").input("E", &["e"]).output("S", &["s"])]));
    let read = loaded(&reader, &saved);
    assert_eq!(read.graph.blocks[0].nodes, [node("f").attr("of", Value::list(vec![]))]);
    for path in ["f.E", "f.S"] {
        assert!(read.report.notes.contains_key(&Note::DroppedExtra { path: path.into() }), "{path}: {}", read.report);
    }
    // Of the same items without a variable nothing is lost.
    let saved = save(&writer, &graph([node("f").input("E", &[]).output("S", &[])]));
    let notes = loaded(&reader, &saved).report.notes;
    assert!(!notes.keys().any(|note| matches!(note, Note::DroppedExtra { .. })), "{notes:?}");
    // And an output that something reads is not dropped, also where nothing was promised of that.
    let of = Value::list(vec![Value::Var("s".into())]);
    for reads in [node("f").input("X", &["s"]), node("f").attr("of", of)] {
        let saved = save(&writer, &graph([node("f").output("S", &["s"]), reads]));
        let refused = reader.load(saved, LoadOptions { allow_unpromised: true }).unwrap_err();
        let [NodeProblem::OutputIsRead { output, variable, .. }] = nodes(&refused)[..] else { panic!("{refused}") };
        assert_eq!((output.as_str(), variable.as_str()), ("S", "s"));
    }
}

/// An operator that is gone goes on in its own package where that has a function for it, and only there.
#[test]
fn what_a_function_replaces_is_of_the_package_that_has_the_function() {
    let of = |releases: &str, ops: &str| {
        format!("[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n{releases}[op]\n{ops}")
    };
    let old = vision("1.0.0", &of("", "f.since = \"1.0.0\"\n"));
    let gone = of(
        "\"2.0.0\" = { date = \"2026-02-01\", graph = 2 }\n[saved]\ngraph.version.2 = { text = \"\", since = \"2.0.0\" }\n",
        "g.since = \"1.0.0\"\n[ledger]\nf.\"2.0.0\".op = { rule = \"op_deleted\", version = 2, from = { since = \"1.0.0\" } }\n",
    );
    let other = package("math-ops", "1.0.0", &of("", "f.since = \"1.0.0\"\n").replace("01-01", "01-02"));
    for (op, goes_on) in [("f", true), ("g", false)] {
        let mut own = package("vision-ops", "2.0.0", &gone);
        let function = UpgradeFn::new(|upgrade| {
            upgrade.set_op("g");
            Ok(())
        });
        own.upgrades.insert((op.to_owned(), 2), function);
        let program = program([other.clone(), own]);
        let read = load(&program, &save(&old, &graph([node("f")])));
        match read {
            Ok(loaded) => assert!(goes_on && loaded.graph.blocks[0].nodes == [node("g")], "{:?}", loaded.graph),
            Err(refused) => {
                let is_other = matches!(versions(&refused)[..], [VersionProblem::OtherOwner { .. }]);
                assert!(!goes_on && is_other, "{refused}");
            }
        }
    }
}

/// A name that no release had is read where today's definition says so: the operator's, or one of its items'.
#[test]
fn one_alias_is_read_by_itself() {
    let reader = vision(
        "1.0.0",
        "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\nf.alias.old = {}\n\
         g.since = \"1.0.0\"\ng.attr.n = { type = \"i32\", default = 2, alias = [\"m\"] }\n\
         h.since = \"1.0.0\"\nh.input.X = { alias = [\"x\"] }\n",
    );
    for (saved, today) in [
        (node("old"), node("f")),
        (node("g").attr("m", i32(5)), node("g").attr("n", i32(5))),
        (node("h").input("x", &["v"]), node("h").input("X", &["v"])),
        (node("h").input("x", &["v"]).input("X", &[]), node("h").input("X", &["v"])),
    ] {
        let loaded = loaded(&reader, &written(graph([saved]), stamp(1, 1, &[])));
        assert_eq!(loaded.graph.blocks[0].nodes, [today]);
    }
    let both = node("h").input("x", &["v"]).input("X", &["w"]);
    let refused = refused(&reader, &written(graph([both]), stamp(1, 1, &[])));
    let expected = "`h` (node 0 of block 0) has input `x` and input `X`, which are the old and the new name of one input\n  \
                    help: keep only `X`";
    assert!(refused.to_string().starts_with(expected), "{refused}");
}

/// What is Quant may be left out of a quantised export, and of nothing else.
#[test]
fn a_quant_operand_is_required_but_in_a_quantised_export() {
    let reader = vision(
        "1.0.0",
        "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\nf.input.S = { quant = true }\n",
    );
    for (export, loads) in [(None, false), (Some(Export::Float), false), (Some(Export::Quantised), true)] {
        let mut without = written(graph([node("f")]), stamp(1, 1, &[]));
        without.export = export;
        match load(&reader, &without) {
            Ok(_) => assert!(loads, "{export:?}"),
            Err(refused) => {
                assert!(matches!(nodes(&refused)[..], [NodeProblem::NotConnected { .. }]) && !loads, "{refused}");
            }
        }
    }
}

#[test]
fn the_release_that_deleted_an_operator_is_named() {
    let gone = &two_releases(
        r#"
[op]
g.since = "1.0.0"
[ledger]
f."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
"#,
    );
    let reader = vision("2.0.0", gone);
    let deleted = |op: &str| {
        let refused = refused(&reader, &written(graph([node(op)]), stamp(1, 1, &[])));
        let [NodeProblem::UnknownOp { deleted, .. }] = nodes(&refused)[..] else { panic!("{refused}") };
        deleted.clone()
    };
    assert_eq!((deleted("f"), deleted("h")), (Some(v("2.0.0")), None));
}

/// A changed default is filled into the nodes that leave it out, and only of these is it told.
#[test]
fn an_upgrade_that_changes_nothing_is_not_told() {
    let changed = &two_releases(
        r#"
[op]
f.since = "1.0.0"
f.attr.n = { type = "i32", default = 2 }
[ledger]
f."2.0.0".attr.n = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#,
    );
    let reader = vision("2.0.0", changed);
    let told = |nodes: &[Node]| {
        let loaded = loaded(&reader, &written(graph(nodes.to_vec()), stamp(1, 1, &[])));
        let notes = loaded.report.notes.iter();
        let counts = notes.filter(|(note, _)| matches!(note, Note::Upgraded { .. })).map(|(_, times)| times.count);
        counts.collect::<Vec<_>>()
    };
    let stated = node("f").attr("n", i32(5));
    assert_eq!(told(&[stated.clone(), node("f")]), [1]);
    assert_eq!(told(std::slice::from_ref(&stated)), [0; 0]);
    // A value that is written in a wider type is another.
    let wide = |text: &str, side: &str| {
        text.replace(&format!("{side} = {{ type = \"i32\""), &format!("{side} = {{ type = \"i64\""))
    };
    let wider = wide(&wide(&changed.replace("default = 2", "default = 1"), "f.attr.n"), "to");
    let loaded = loaded(&vision("2.0.0", &wider), &written(graph([stated]), stamp(1, 1, &[])));
    assert_eq!(loaded.graph.blocks[0].nodes[0].attrs["n"], Value::I64(5));
    let note = Note::Upgraded { package: "vision-ops".into(), op: "f".into(), version: 2 };
    assert_eq!(loaded.report.notes[&note].count, 1, "{}", loaded.report);
}

/// An operand that is promised today, and was Extra when the graph was saved, is none of what was promised then.
#[test]
fn an_operand_that_was_extra_is_not_what_is_promised_of_that_name() {
    let head = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\nMORE[op]\nf.since = \"1.0.0\"\n";
    let old = head.replace("MORE", "") + "f.input.E = { dispensable = true, extra = true }\n";
    let saved = save(&vision("1.0.0", &old), &graph([node("f").input("E", &["e"])]));
    // Nor of what has another name by now.
    for today in [
        "f.input.E = { dispensable = true, since = \"1.1.0\" }\n",
        "f.input.F = { alias = [\"E\"], dispensable = true, since = \"1.1.0\" }\n",
    ] {
        let new = head.replace("MORE", "\"1.1.0\" = { date = \"2026-02-01\" }\n") + today;
        let read = loaded(&vision("1.1.0", &new), &saved);
        assert_eq!(read.graph.blocks[0].nodes, [node("f")]);
        assert!(read.report.notes.contains_key(&Note::DroppedExtra { path: "f.E".into() }), "{}", read.report);
    }
}

/// Nor what was promised of it at a release between: the function of the break that made it so does not see it. One that nothing was
/// ever promised of stays beside it.
#[test]
fn an_operand_that_is_extra_again_is_not_what_was_promised_of_it_between() {
    let old = r#"
[release]
"1.0.0" = { date = "2026-02-01" }
[op]
f.since = "1.0.0"
f.input.E = { dispensable = true, extra = true }
f.input.F = { dispensable = true, extra = true }
"#;
    let package = promised_for_a_while("vision-ops", "f.input.F = { dispensable = true, extra = true }", "");
    let saved = save(&vision("1.0.0", old), &graph([node("f").input("E", &["e"]).input("F", &["e"])]));
    let read = loaded(&program([package]), &saved);
    assert_eq!(read.graph.blocks[0].nodes, [node("f").input("F", &["e"])]);
    assert!(read.report.notes.contains_key(&Note::DroppedExtra { path: "f.E".into() }), "{}", read.report);
}

/// What a deprecated attribute "uses" is a value that is not the default of the graph's own time.
#[test]
fn a_deprecated_attribute_may_be_at_the_default_of_its_time() {
    let attr =
        |default: u32| format!("type = \"i32\", default = {default}, deprecated = {{ version = 2, note = \"n\" }}");
    let changed = |version: u32| {
        let (from, to) = (attr(version - 2), attr(version - 1));
        format!(
            "f.\"{version}.0.0\".attr.a = {{ rule = \"attr_changed\", version = {version}, from = {{ {from}, since = \"1.0.0\" }}, to = {{ {to} }} }}\n"
        )
    };
    let text = format!(
        r#"
[release]
"1.0.0" = {{ date = "2026-01-01" }}
"2.0.0" = {{ date = "2026-02-01", graph = 2 }}
"3.0.0" = {{ date = "2026-03-01", graph = 3 }}
"4.0.0" = {{ date = "2026-04-01", graph = 4 }}
[saved]
graph.version.2 = {{ text = "", since = "2.0.0" }}
graph.version.3 = {{ text = "", since = "3.0.0" }}
graph.version.4 = {{ text = "", since = "4.0.0" }}
[op]
f.since = "1.0.0"
f.attr.a = {{ {} }}
[ledger]
f."2.0.0".attr.a = {{ rule = "item_deprecated", from = {{ type = "i32", default = 1, since = "1.0.0" }}, to = {{ {} }} }}
{}{}"#,
        attr(3),
        attr(1),
        changed(3),
        changed(4)
    );
    let reader = vision("4.0.0", &text);
    for (producer, default) in [(2, 1), (3, 2), (4, 3)] {
        for value in 1..=3 {
            let read = load(&reader, &of_major(producer, graph([node("f").attr("a", i32(value))])));
            assert_eq!(read.is_ok(), value == default, "{value} at data version {producer}");
        }
    }
}

/// Under the name that it had before it is deprecated as well.
#[test]
fn what_is_deprecated_is_refused_under_its_earlier_name() {
    let text = {
        let attr = "type = \"i32\", default = 1, alias = [\"m\"], deprecated = { version = 1, note = \"use k\" }";
        format!(
            "[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n[op]\nf.since = \"1.0.0\"\nf.attr.n = {{ {attr} }}\n"
        )
    };
    let saved = written(graph([node("f").attr("m", i32(5))]), stamp(1, 1, &[]));
    let refused = refused(&vision("1.0.0", &text), &saved);
    let expected = "attribute `m` of `f` is deprecated since data version 1 of vision-ops, and this data is of version 1 (node 0 of block 0)\n  \
                    help: use k";
    assert_eq!(refused.to_string(), expected);
}

/// An Extra operand of more variables than the reader's takes is dropped, unless it is an output that something reads.
#[test]
fn an_extra_operand_that_does_not_fit_is_dropped() {
    let lock = |more: &str| {
        format!(
            "[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n[op]\nf.since = \"1.0.0\"\nf.input.X = {{ dispensable = true }}\n\
             f.input.E = {{ dispensable = true, extra = true{more} }}\nf.output.S = {{ dispensable = true, extra = true{more} }}\n"
        )
    };
    let (writer, reader) = (vision("1.0.0", &lock(", duplicable = true")), vision("1.0.0", &lock("")));
    let two = || node("f").input("E", &["a", "b"]).output("S", &["s", "t"]);
    // That something else reads the variables of an input is no matter.
    let saved = save(&writer, &graph([two(), node("f").input("X", &["a"])]));
    let read = loaded(&reader, &saved);
    assert_eq!(read.graph.blocks[0].nodes, [node("f"), node("f").input("X", &["a"])]);
    let notes: Vec<_> = read.report.notes.keys().cloned().collect();
    assert_eq!(notes, ["f.E", "f.S"].map(|path| Note::DroppedExtra { path: path.into() }));
    let saved = save(&writer, &graph([two(), node("f").input("X", &["t"])]));
    let told = refused(&reader, &saved).to_string();
    let expected = "output `S` of `f` (node 0 of block 0) is Extra and fits nothing that is Extra here, and its variable `t` is read by `f` \
                    (node 1 of block 0)";
    assert!(told.starts_with(expected), "{told}");
    // One that fits stays, also where its operator has another name now.
    let one = || node("f").input("E", &["a"]).output("S", &["s"]);
    let saved = save(&writer, &graph([one()]));
    assert_eq!(loaded(&reader, &saved).graph.blocks[0].nodes, [one()]);
    let renamed = lock("").replace("f.", "g.").replace("g.since = \"1.0.0\"", "g.since = \"2.0.0\"\ng.alias.f = {}").replace(
        "[op]",
        "\"2.0.0\" = { date = \"2026-02-01\", graph = 2 }\n[saved]\ngraph.version.2 = { text = \"\", since = \"2.0.0\" }\n[op]",
    );
    let deleted = "[ledger]\nf.\"2.0.0\".op = { rule = \"op_deleted\", version = 2, from = { since = \"1.0.0\" } }\n";
    let expected = oplock_registry::Node { op: "g".into(), ..one() };
    assert_eq!(loaded(&vision("2.0.0", &format!("{renamed}{deleted}")), &saved).graph.blocks[0].nodes, [expected]);
}
