//! What saving writes, and what it says of the writer.

mod common;

use std::collections::BTreeMap;

use common::*;
use oplock_core::lock::{Since, Stamp as LockStamp};
use oplock_core::{Kind, Value};
use oplock_graph::{NodeProblem, Problem, Program, UpgradeFn, VersionProblem};

const OPS: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"2.1.0" = { date = "2026-03-01", graph = 3 }
[saved]
graph.min_consumer = 1
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "2.1.0" }
[op]
_probe.unguarded = true
f.since = "1.0.0"
f.input.X = {}
f.input._debug = { dispensable = true }
f.output.Mean = { dispensable = true, extra = true }
f.output.Out = { dispensable = true }
f.attr.kept = { type = "i32", default = 1 }
f.attr.late = { type = "i32", default = 6, since = "2.0.0" }
f.attr.moved = { type = "i32", default = 2 }
f.attr.seed = { type = "i32", default = 0, extra = true }
old.since = "1.0.0"
old.deprecated = { version = 3, note = "use f", since = "2.1.0" }
round.since = "1.0.0"
round.revised.2 = { note = "ties go to even", since = "2.0.0" }
[ledger]
f."2.0.0".attr.moved = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
f."2.1.0".attr.late = { rule = "attr_changed", version = 3, from = { type = "i32", default = 5, since = "2.0.0" }, to = { type = "i32", default = 6 } }
old."2.1.0".op = { rule = "op_deprecated", from = { since = "1.0.0" }, to = { deprecated = { version = 3, note = "use f" } } }
round."2.0.0".op = { rule = "op_revised", version = 2, from = { since = "1.0.0" }, to = { revised = { 2 = "ties go to even" } } }
"#;

fn writer() -> Program {
    vision("2.1.0", OPS)
}

fn f() -> oplock_registry::Node {
    node("f").input("X", &["x"])
}

fn reason(program: &Program, graph: &oplock_graph::Graph) -> Option<String> {
    let saved = save(program, graph);
    saved.stamps["vision-ops"].unpromised.as_ref().map(|unpromised| unpromised.reason.clone())
}

/// As it is, an older graph would be taken for today's: here `scale` would be 2 where it was 1.
#[test]
fn older_data_is_loaded_before_it_is_saved() {
    let old = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n\
               f.attr.scale = { type = \"f32\", default = 1.0 }\n";
    let new = &two_releases(
        r#"
[op]
f.since = "1.0.0"
f.attr.scale = { type = "f32", default = 2.0 }
[ledger]
f."2.0.0".attr.scale = { rule = "attr_changed", version = 2, from = { type = "f32", default = 1.0, since = "1.0.0" }, to = { type = "f32", default = 2.0 } }
"#,
    );
    let (old, new) = (vision("1.0.0", old), vision("2.0.0", new));
    let saved = save(&old, &graph([node("f")]));
    let refused = new.save(&saved).unwrap_err();
    assert!(matches!(&refused.problems[..], [Problem::NotLoaded { version: 1, today: 2, .. }]), "{refused}");
    // What today's definitions say of an operator is none of the older graph's matter.
    let mut of_another_name = saved.clone();
    of_another_name.blocks[0].nodes[0].op = "former".to_owned();
    of_another_name.owners = BTreeMap::from([("former".to_owned(), "vision-ops".to_owned())]);
    let of_another_name = new.save(&of_another_name).unwrap_err();
    assert_eq!(of_another_name, refused);
    assert_eq!(
        refused.to_string(),
        "the graph is data of vision-ops of version 1, by its record, and what is saved now would be taken for version 2\n  \
         help: load it first (`Program::load`), which upgrades it, and save what comes of that"
    );
    assert!(new.export(&saved, oplock_graph::Export::Float, oplock_graph::ExportOptions::default()).is_err());
    let loaded = load(&new, &saved).unwrap();
    assert_eq!(loaded.graph.blocks[0].nodes[0].attrs["scale"], Value::F32(1.0), "{}", loaded.report);
    let again = save(&new, &loaded.graph);
    assert_eq!(again.blocks[0].nodes[0].attrs["scale"], Value::F32(1.0));
    assert_eq!(save(&new, &again), again, "what was saved is saved again");
    // What is newer is refused as where it is loaded, and what was added to a graph that was read has no owner yet.
    assert!(old.save(&again).is_err());
    let mut more = saved.clone();
    more.blocks[0].nodes.push(node("f"));
    more.owners.clear();
    assert!(old.save(&more).is_ok());
}

#[test]
fn defaults_are_left_out_unless_they_changed() {
    let saved = save(&writer(), &graph([f().attr("kept", i32(1)), f().attr("kept", i32(3))]));
    let attrs = |i: usize| &saved.blocks[0].nodes[i].attrs;
    assert_eq!(attrs(0).keys().map(String::as_str).collect::<Vec<_>>(), ["late", "moved"]);
    assert_eq!((&attrs(0)["moved"], &attrs(0)["late"]), (&i32(2), &i32(6)));
    assert_eq!(attrs(1)["kept"], i32(3));
    // The graph says with which default the attribute that is younger than its operator was added.
    assert_eq!(saved.added["f"].iter().collect::<Vec<_>>(), [(&"late".to_owned(), &i32(5))]);
    assert_eq!(saved.owners["f"], "vision-ops");
}

/// A graph that uses a value of an enumeration needs a reader that knows that value.
#[test]
fn values_need_their_release() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n\"1.1.0\" = { date = \"2026-02-01\" }\n\
                \"1.2.0\" = { date = \"2026-03-01\" }\n[op]\nf.since = \"1.0.0\"\n\
                f.attr.t = { type = \"[dtype]\", values = [\"bf16\", \"f16\", \"f32\"], newer = { bf16 = \"1.2.0\", f16 = \"1.1.0\" } }\n[ledger]\n\
                f.\"1.1.0\".attr.t = { rule = \"attr_value_added\", from = { type = \"[dtype]\", values = [\"f32\"], since = \"1.0.0\" }, \
                to = { type = \"[dtype]\", values = [\"f16\", \"f32\"] } }\n\
                f.\"1.2.0\".attr.t = { rule = \"attr_value_added\", from = { type = \"[dtype]\", values = [\"f16\", \"f32\"], since = \"1.0.0\" }, \
                to = { type = \"[dtype]\", values = [\"bf16\", \"f16\", \"f32\"] } }\n";
    let writer = vision("1.2.0", text);
    let with = |types: &[&'static str]| {
        let types = types.iter().map(|ty| Value::DType((*ty).into())).collect();
        graph([node("f").attr("t", Value::list(types))])
    };
    for (types, release) in
        [(&[][..], "1.0.0"), (&["f32"], "1.0.0"), (&["f32", "f16"], "1.1.0"), (&["bf16", "f16"], "1.2.0")]
    {
        let oldest = save(&writer, &with(types)).stamps["vision-ops"].oldest_reader.clone().unwrap();
        assert_eq!(oldest.version, v(release), "{types:?}");
    }
    let error = writer.save(&with(&["f32", "f64"])).unwrap_err().to_string();
    assert!(error.contains("\"f64\""), "{error}");
}

#[test]
fn records_say_what_a_reader_must_know() {
    let saved = save(&writer(), &graph([node("round")]));
    let stamp = &saved.stamps["vision-ops"];
    assert_eq!((stamp.producer, stamp.min_consumer, stamp.unpromised.clone()), (3, 2, None));
    assert_eq!(stamp.releases, [release("1.0.0", 1), release("2.0.0", 2), release("2.1.0", 3)]);
    assert_eq!(stamp.oldest_reader.as_ref().unwrap().version, v("1.0.0"));
    // At the default with which it was added, an attribute needs no reader that knows it.
    let oldest = |late| {
        let saved = save(&writer(), &graph([f().attr("late", i32(late))]));
        saved.stamps["vision-ops"].oldest_reader.clone().unwrap()
    };
    assert_eq!(oldest(5).version, v("1.0.0"));
    assert_eq!((oldest(6).version, oldest(6).because), (v("2.0.0"), "f.late".to_owned()));
    // Saving what was saved changes nothing, whatever records it comes with.
    for nodes in [vec![node("round")], vec![f().extra("seed", i32(4)).output("Mean", &["m"]), f()]] {
        let once = save(&writer(), &graph(nodes));
        assert_eq!(save(&writer(), &once), once);
        let mut other = once.clone();
        other.stamps.clear();
        other.added.clear();
        other.extra.clear();
        other.owners.clear();
        assert_eq!(save(&writer(), &other), once);
    }
}

#[test]
fn what_is_extra_is_kept_apart() {
    let saved = save(&writer(), &graph([f().attr("seed", i32(4)).output("Mean", &["m"])]));
    let node = &saved.blocks[0].nodes[0];
    assert!(!node.attrs.contains_key("seed"));
    assert_eq!(node.extra["seed"], i32(4));
    assert!(saved.extra["f"].contains(&(Kind::Output, "Mean".to_owned())));
    let loaded = loaded(&writer(), &saved).graph;
    assert_eq!(loaded.blocks[0].nodes[0].extra["seed"], i32(4));
    assert_eq!(loaded.blocks[0].nodes[0].outputs["Mean"], ["m"]);
    // A reader that has nothing Extra of the name drops it, one that promises it does not take it for what it promises.
    let without = OPS
        .replace("f.output.Mean = { dispensable = true, extra = true }\n", "")
        .replace("f.attr.seed = { type = \"i32\", default = 0, extra = true }\n", "");
    let promised = OPS
        .replace("Mean = { dispensable = true, extra = true }", "Mean = { dispensable = true, since = \"2.1.0\" }")
        .replace("default = 0, extra = true }", "default = 0, since = \"2.1.0\" }");
    for text in [without, promised] {
        let loaded = common::loaded(&vision("2.1.0", &text), &saved).graph;
        let node = &loaded.blocks[0].nodes[0];
        assert!(node.extra.is_empty() && !node.outputs.contains_key("Mean"), "{node:?}");
        assert_ne!(node.attrs.get("seed"), Some(&i32(4)));
    }
    // What the writer promised is none of what is Extra here.
    let mut promised = saved.clone();
    promised.extra.clear();
    assert!(matches!(nodes(&refused(&writer(), &promised))[..], [NodeProblem::UnknownItem { is_extra: true, .. }]));
}

#[test]
fn of_what_reads_an_extra_output_nothing_is_promised() {
    let mean = || f().output("Mean", &["m"]);
    assert_eq!(reason(&writer(), &graph([mean(), f()])), None);
    let reads = graph([mean(), node("f").input("X", &["m"])]);
    assert_eq!(reason(&writer(), &reads).unwrap(), "something reads `f.Mean`, which is Extra");
    let saved = save(&writer(), &reads);
    assert!(load(&writer(), &saved).is_ok());
    let without = vision("2.1.0", &OPS.replace("f.output.Mean = { dispensable = true, extra = true }\n", ""));
    let refused = refused(&without, &saved);
    assert!(versions(&refused).iter().any(|p| matches!(p, VersionProblem::Unpromised { .. })), "{refused}");
}

#[test]
fn what_no_release_has_is_not_promised() {
    assert_eq!(reason(&writer(), &graph([f()])), None);
    let reasons = [
        ("2.1.0", "f.attr.kept = {", "f.attr.kept = { unreleased = true,", "no release of it had `f.kept` yet"),
        ("2.1.0", "round.since = \"1.0.0\"", "round.unreleased = true", "no release of it had `round` yet"),
        ("2.2.0-rc.1", "", "", "2.2.0-rc.1 is a pre-release"),
        (
            "2.1.0",
            "graph.version.3 = { text = \"\", since = \"2.1.0\" }",
            "graph.version.3 = { text = \"\", since = \"2.1.0\" }\ngraph.version.4 = { text = \"\", unreleased = true }",
            "its data version 4 was not released yet",
        ),
    ];
    for (version, from, to, expected) in reasons {
        let text =
            OPS.replace(from, to).replace("round.revised.2 = { note = \"ties go to even\", since = \"2.0.0\" }\n", "");
        let text = text.lines().filter(|line| !line.starts_with("round.\"2.0.0\"")).collect::<Vec<_>>().join("\n");
        assert_eq!(reason(&vision(version, &text), &graph([f()])).as_deref(), Some(expected));
    }
    let outside = "which is outside the guarantee";
    assert_eq!(reason(&writer(), &graph([node("_probe")])).unwrap(), format!("it uses `_probe`, {outside}"));
    let debug = graph([f().input("_debug", &["d"])]);
    assert_eq!(reason(&writer(), &debug).unwrap(), format!("it uses `f._debug`, {outside}"));
    // An operator that the lock does not have taints only what uses it.
    let mut program = writer();
    let package = program.packages_mut().get_mut("vision-ops").unwrap();
    package.ops.insert("test_only".into(), oplock_core::OpDef::new("test_only"));
    assert_eq!(reason(&program, &graph([f()])), None);
    let used = graph([f(), node("test_only")]);
    assert_eq!(reason(&program, &used).unwrap(), "the lock of its writer did not have `test_only`");
    // What the compiler said of it, without the advice to who built it.
    let package = program.packages_mut().get_mut("vision-ops").unwrap();
    package.stale = Some("ops.lock is stale: operator `f` is added [op_added]. Run `cargo oplock update`".to_owned());
    assert_eq!(reason(&program, &graph([f()])).unwrap(), "its lock was stale: operator `f` is added [op_added]");
    program.packages_mut().get_mut("vision-ops").unwrap().stale = None;
    // One that is gone from the source, and not from the lock.
    let package = program.packages_mut().get_mut("vision-ops").unwrap();
    package.ops.remove("round");
    assert_eq!(reason(&program, &graph([f()])).unwrap(), "its lock was stale: it did not have `round` any more");
    // An upgrade function that the lock does not have yet, or that no release has.
    let mut program = writer();
    assert_eq!(reason(&program, &graph([f()])), None);
    let package = program.packages_mut().get_mut("vision-ops").unwrap();
    package.upgrades.insert(("f".into(), 9), UpgradeFn::new(|_| Ok(())));
    let function = "the upgrade function of `f` for what was saved before 9";
    assert_eq!(reason(&program, &graph([f()])).unwrap(), format!("its lock was stale: it did not have {function}"));
    let unreleased = LockStamp { since: Some(Since::Unreleased), line: 0 };
    let package = program.packages_mut().get_mut("vision-ops").unwrap();
    package.lock.upgrades.insert(("f".into(), 9), unreleased);
    assert_eq!(reason(&program, &graph([f()])).unwrap(), format!("no release of it had {function} yet"));
}

#[test]
fn what_would_not_load_is_not_saved() {
    let refused = |nodes: Vec<oplock_registry::Node>| writer().save(&graph(nodes)).unwrap_err();
    let one = |node| format!("{:?}", nodes(&refused(vec![node])));
    assert!(one(node("f")).starts_with("[NotConnected"));
    assert!(one(f().attr("kept", string("x"))).starts_with("[Type"));
    assert!(one(f().attr("keep", i32(1))).contains("did you mean `kept`?"));
    assert!(one(f().extra("kept", i32(1))).starts_with("[NotExtra"));
    assert!(one(f().extra("sed", i32(1))).starts_with("[UnknownItem"));
    assert!(one(node("old")).starts_with("[Deprecated"));
    assert!(one(node("rund")).contains("UnknownOp"));
    // All at once.
    assert_eq!(refused(vec![node("f"), node("old")]).problems.len(), 2);
}

#[test]
fn an_op_of_two_packages_is_of_neither() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n";
    let program = program([package("a-ops", "1.0.0", text), package("b-ops", "1.0.0", text)]);
    let refused = program.save(&graph([node("f")])).unwrap_err();
    let [Problem::Version(problem)] = &refused.problems[..] else { panic!("{refused}") };
    assert!(matches!(&**problem, VersionProblem::TwoOwners { packages, .. } if packages.len() == 2), "{refused}");
    let mut known = graph([node("f")]);
    known.owners.insert("f".into(), "b-ops".into());
    assert_eq!(save(&program, &known).stamps.keys().collect::<Vec<_>>(), ["b-ops"]);
}

#[test]
fn whole_numbers_are_written_in_their_type() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n\
                f.attr.a = { type = \"f32\", default = 1.0 }\n";
    let program = vision("1.0.0", text);
    let saved = save(&program, &graph([node("f").attr("a", i32(2)), node("f").attr("a", i32(1))]));
    assert_eq!(saved.blocks[0].nodes[0].attrs["a"], Value::F32(2.0));
    assert!(saved.blocks[0].nodes[1].attrs.is_empty());
}
