//! Operators that came from another package: its graphs mean what they meant there, by what its lock said.

mod common;

use common::*;
use oplock_core::Value;
use oplock_graph::{Graph, NodeProblem, Package, Program, UpgradeError, UpgradeFn, VersionProblem};
use oplock_registry::Node;

/// Of `vision-ops`: `f.n` was 1 and is 2 by default since data version 2, and `f.mode` is gone since 3, as a function says.
const VISION: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"3.0.0" = { date = "2026-03-01", graph = 3 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "3.0.0" }
[op]
f.since = "1.0.0"
f.attr.n = { type = "i32", default = 2 }
[ledger]
f."2.0.0".attr.n = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
f."3.0.0".attr.mode = { rule = "attr_deleted", version = 3, from = { type = "string", default = "a", since = "1.0.0" } }
"#;

/// The same without `f.mode`.
fn without_mode() -> String {
    VISION.split_inclusive('\n').filter(|line| !line.contains("mode")).collect()
}

/// Of `math-ops`, whose releases have the same versions: an `f` of its own changed a default in 2.0.0 and was deleted in 3.0.0; `f` of
/// `vision-ops` came with 4.0.0, and its `n` is 9 by default since 5.0.0.
const MATH: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"3.0.0" = { date = "2026-03-01", graph = 3 }
"4.0.0" = { date = "2026-04-01", graph = 4 }
"5.0.0" = { date = "2026-05-01", graph = 5 }
[saved]
graph.min_producer = 3
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "3.0.0" }
graph.version.4 = { text = "", since = "4.0.0" }
graph.version.5 = { text = "", since = "5.0.0" }
[op]
f.since = "4.0.0"
f.moved_from = "vision-ops"
f.attr.n = { type = "i32", default = 9 }
[ledger]
f."2.0.0".attr.n = { rule = "attr_changed", version = 2, from = { type = "i32", default = 7, since = "1.0.0" }, to = { type = "i32", default = 8 } }
f."3.0.0".attr.n = { rule = "op_deleted", version = 3, from = { type = "i32", default = 8, since = "1.0.0" } }
f."3.0.0".op = { rule = "op_deleted", version = 3, from = { since = "1.0.0" } }
f."5.0.0".attr.n = { rule = "attr_changed", version = 5, from = { type = "i32", default = 2, since = "4.0.0" }, to = { type = "i32", default = 9 } }
"#;

fn taken(vision: &str) -> String {
    vision.replace("\n[", "\n[moved.vision-ops.")
}

fn math(name: &str, vision: &str) -> Package {
    package(name, "5.0.0", &format!("{MATH}{}", taken(vision)))
}

/// `vision-ops` without `f`, as of its release 4.0.0.
fn vision_without_f(vision: &str) -> Package {
    let since = r#"
f."4.0.0".attr.n = { rule = "op_deleted", version = 4, from = { type = "i32", default = 2, since = "1.0.0" } }
f."4.0.0".op = { rule = "op_deleted", version = 4, from = { since = "1.0.0" } }
"#;
    let lines = vision.split_inclusive('\n').filter(|line| !line.starts_with("f.since") && !line.starts_with("f.attr"));
    let text: String = lines.collect();
    let text = text.replace("[saved]", "\"4.0.0\" = { date = \"2026-04-01\", graph = 4 }\n[saved]\ngraph.version.4 = { text = \"\", since = \"4.0.0\" }");
    package("vision-ops", "4.0.0", &format!("{text}{since}"))
}

/// As that release of `vision-ops` wrote it.
fn of(producer: i64, node: Node) -> Graph {
    of_major(producer, graph([node]))
}

fn n(program: &Program, graph: &Graph) -> Value {
    loaded(program, graph).graph.blocks[0].nodes[0].attrs["n"].clone()
}

#[test]
fn it_is_upgraded_by_the_ledger_of_each_owner() {
    // Whichever name comes first, and whether the earlier owner is linked or not.
    for name in ["a-math", "z-math"] {
        let vision = without_mode();
        for others in [vec![], vec![vision_without_f(&vision)]] {
            let program = Program::of(others.into_iter().chain([math(name, &vision)])).unwrap();
            assert_eq!(n(&program, &of(1, node("f"))), i32(1));
            assert_eq!(n(&program, &of(2, node("f"))), i32(2));
            assert_eq!(n(&program, &of(3, node("f"))), i32(2));
            assert_eq!(n(&program, &of(3, node("f").attr("n", i32(5)))), i32(5));
            let own = save(&program, &graph([node("f")]));
            assert_eq!(own.owners["f"], name);
            assert_eq!(n(&program, &own), i32(9));
        }
    }
}

/// The new owner promised at one of its releases what was Extra for both: the function of that break does not see it.
#[test]
fn an_operand_that_was_extra_is_not_what_the_new_owner_promised_for_a_while() {
    let earlier = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n\
                  f.input.E = { dispensable = true, extra = true }\n";
    let heir = promised_for_a_while("box-ops", "f.moved_from = \"vision-ops\"", &taken(&format!("\n{earlier}")));
    let saved = save(&vision("1.0.0", earlier), &graph([node("f").input("E", &["e"])]));
    assert_eq!(loaded(&Program::of([heir]).unwrap(), &saved).graph.blocks[0].nodes, [node("f")]);
}

/// The earlier owner was called `old-ops` when it wrote, or is called `new-ops` since it was taken over.
#[test]
fn an_earlier_owner_that_was_renamed_is_the_same() {
    let vision = without_mode();
    let named = |formerly: &str| format!("{MATH}\n[moved.vision-ops]\n{formerly}{}", taken(&vision));
    let as_written_by = |name: &str| {
        let mut graph = of(1, node("f"));
        let stamp = graph.stamps.remove("vision-ops").unwrap();
        graph.stamps.insert(name.to_owned(), stamp);
        graph.owners.insert("f".to_owned(), name.to_owned());
        graph
    };
    let heir = |text: &str| package("math-ops", "5.0.0", text);
    let renamed = Program::of([heir(&named("formerly = [\"old-ops\"]\n"))]).unwrap();
    for name in ["vision-ops", "old-ops"] {
        assert_eq!(n(&renamed, &as_written_by(name)), i32(1), "{name}");
    }
    let not_renamed = Program::of([heir(&named(""))]).unwrap();
    let problem = refused(&not_renamed, &as_written_by("old-ops"));
    assert!(matches!(versions(&problem)[..], [VersionProblem::OtherOwner { .. }]), "{problem}");
    let mut vision = vision_without_f(&vision);
    vision.lock.rename("new-ops");
    vision.name.clone_from(&vision.lock.package);
    let linked = Program::of([vision, heir(&named(""))]).unwrap();
    for name in ["vision-ops", "new-ops"] {
        assert_eq!(n(&linked, &as_written_by(name)), i32(1), "{name}");
    }
}

#[test]
fn what_came_after_the_release_that_was_taken_over_is_refused() {
    let program = Program::of([math("math-ops", &without_mode())]).unwrap();
    // A default that changed there again, and an attribute that was added.
    let refused = refused(&program, &{
        let mut newer = of(4, node("f"));
        newer.stamps.get_mut("vision-ops").unwrap().min_consumer = 4;
        newer
    });
    assert!(
        matches!(versions(&refused)[..], [VersionProblem::Newer { .. }, VersionProblem::TooNew { .. }]),
        "{refused}"
    );
    let text = refused.to_string();
    assert!(
        text.contains(
            "written by vision-ops 4.0.0, needs data version 4; this is math-ops 5.0.0, which took it over as of 3.0.0, at data \
             version 3\n  help: let math-ops take over vision-ops up to a release of data version 4 or later"
        ),
        "{text}"
    );
    // Another package's release of a version is another release, also without digests.
    let mut parted = of(3, node("f"));
    parted.stamps.get_mut("vision-ops").unwrap().releases[1].data_version = 5;
    parted.stamps.get_mut("vision-ops").unwrap().oldest_reader.as_mut().unwrap().version = v("2.0.0");
    let refused = common::refused(&program, &parted);
    assert!(matches!(versions(&refused)[..], [VersionProblem::NeedsRelease { .. }]), "{refused}");
}

#[test]
fn functions_come_along_only_with_their_package() {
    let math = || math("math-ops", VISION);
    let text = refused(&Program::of([math()]).unwrap(), &of(2, node("f"))).to_string();
    assert!(
        text.starts_with(
            "operator `f` was saved as one of vision-ops 2.0.0, and moved to math-ops: since data version 3 of vision-ops, attribute \
             `mode` of `f` is deleted, and only a function of vision-ops says what becomes of graphs from before"
        ),
        "{text}"
    );
    // What needs none is read.
    assert_eq!(n(&Program::of([math()]).unwrap(), &of(3, node("f"))), i32(2));
    let mut vision = vision_without_f(VISION);
    vision.upgrades.insert(
        ("f".into(), 3),
        UpgradeFn::new(|upgrade| {
            let mode = upgrade.remove_attr("mode").ok_or_else(|| UpgradeError::new("it has no mode"))?;
            let n = upgrade.attr("n").cloned();
            upgrade.set_attr("n", if mode == string("b") { i32(8) } else { n.unwrap_or(i32(0)) });
            Ok(())
        }),
    );
    let program = Program::of([math(), vision.clone()]).unwrap();
    assert_eq!(n(&program, &of(1, node("f"))), i32(1), "with the defaults of its time");
    assert_eq!(n(&program, &of(2, node("f").attr("mode", string("b")))), i32(8));
    // Those of another line of releases are none of it.
    let other = VISION.replace("2026-02-01\", graph = 2", "2026-02-01\", graph = 3");
    let mut elsewhere = vision_without_f(&other.replace("version = 2,", "version = 3,"));
    elsewhere.upgrades = vision.upgrades;
    let refused = refused(&Program::of([math(), elsewhere]).unwrap(), &of(2, node("f")));
    assert!(matches!(versions(&refused)[..], [VersionProblem::NeedsOwner { version: 3, .. }]), "{refused}");
}

#[test]
fn an_operator_that_was_renamed_before_or_after_it_moved_is_followed() {
    let renamed = &two_releases(
        r#"
[op]
f.since = "2.0.0"
f.alias = ["old"]
f.attr.n = { type = "i32", default = 2 }
[ledger]
old."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
old."2.0.0".attr.n = { rule = "op_deleted", version = 2, from = { type = "i32", default = 1, since = "1.0.0" } }
"#,
    );
    let renamed = renamed.replace("f.alias = [\"old\"]", "f.alias.old = {}");
    let program = Program::of([math("math-ops", &renamed)]).unwrap();
    assert_eq!(n(&program, &of(1, node("old"))), i32(1));
    assert_eq!(n(&program, &of(2, node("f"))), i32(2));
    // And the new owner renames it.
    let later = r#"
[release]
"1.0.0" = { date = "2026-04-01" }
"2.0.0" = { date = "2026-05-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
g.since = "2.0.0"
g.alias.f = {}
g.attr.n = { type = "i32", default = 9 }
[ledger]
f."2.0.0".op = { rule = "op_deleted", version = 2, from = { moved_from = "vision-ops", since = "1.0.0" } }
f."2.0.0".attr.n = { rule = "op_deleted", version = 2, from = { type = "i32", default = 2, since = "1.0.0" } }
"#;
    let program = Program::of([package("math-ops", "2.0.0", &format!("{later}{}", taken(&renamed)))]).unwrap();
    for (producer, op, expected) in [(1, "old", 1), (2, "f", 2)] {
        let loaded = loaded(&program, &of(producer, node(op)));
        assert_eq!(loaded.graph.blocks[0].nodes, [node("g").attr("n", i32(expected))]);
    }
}

#[test]
fn what_the_earlier_owner_deprecated_is_refused_as_there() {
    let mark = "f.deprecated = { version = 3, note = \"moved\", since = \"3.0.0\" }";
    let row = "f.\"3.0.0\".op = { rule = \"op_deprecated\", from = { since = \"1.0.0\" }, \
               to = { deprecated = { version = 3, note = \"moved\" } } }";
    let deprecated = without_mode().replace(
        "f.attr.n = { type = \"i32\", default = 2 }\n",
        &format!("{mark}\nf.attr.n = {{ type = \"i32\", default = 2 }}\n"),
    );
    let deprecated = format!("{deprecated}{row}\n");
    let program = Program::of([math("math-ops", &deprecated)]).unwrap();
    assert_eq!(n(&program, &of(2, node("f"))), i32(2));
    let refused = refused(&program, &of(3, node("f")));
    assert!(matches!(nodes(&refused)[..], [NodeProblem::Deprecated { version: 3, .. }]), "{refused}");
}

/// What the new owner's build has made of it and its lock does not say, is told of that package.
#[test]
fn a_break_that_the_lock_of_the_new_owner_does_not_record() {
    let mut math = math("math-ops", &without_mode());
    let attr = &mut math.ops.get_mut("f").unwrap().attrs.to_mut()[0];
    attr.default = Some(i32(10));
    let refused = refused(&Program::of([math]).unwrap(), &of(3, node("f")));
    let [VersionProblem::Unrecorded { package, .. }] = versions(&refused)[..] else { panic!("{refused}") };
    assert_eq!(package, "math-ops");
}

/// A function of the earlier owner puts in nodes of what did not move, as that was at the function's time.
#[test]
fn what_a_function_of_the_earlier_owner_makes_is_upgraded_there() {
    let more = "k.since = \"1.0.0\"\nk.attr.n = { type = \"i32\", default = 6 }\n[ledger]\nk.\"3.0.0\".attr.n = { rule = \"attr_changed\", version = 3, \
                from = { type = \"i32\", default = 5, since = \"1.0.0\" }, to = { type = \"i32\", default = 6 } }\n";
    let mut vision = vision_without_f(&without_mode().replace("[ledger]\n", more));
    let function = UpgradeFn::new(|upgrade| {
        upgrade.insert_before(node("k"));
        Ok(())
    });
    vision.upgrades.insert(("f".into(), 2), function);
    let mut renamed = vision.clone();
    renamed.lock.rename("new-ops");
    renamed.name.clone_from(&renamed.lock.package);
    let expected = [node("k").attr("n", i32(5)), node("f").attr("n", i32(1))];
    let with = |vision: Package| Program::of([math("math-ops", &without_mode()), vision]).unwrap();
    for vision in [vision.clone(), renamed] {
        assert_eq!(loaded(&with(vision), &of(1, node("f"))).graph.blocks[0].nodes, expected);
    }
    let program = with(vision);
    // Also where the graph has some of these itself.
    let mut both = of(1, node("f"));
    both.blocks[0].nodes.push(node("k"));
    both.owners.insert("k".to_owned(), "vision-ops".to_owned());
    let expected = [expected.to_vec(), vec![node("k").attr("n", i32(5))]].concat();
    assert_eq!(loaded(&program, &both).graph.blocks[0].nodes, expected);
}

/// A deletion takes a function: where the new owner is linked it is not asked, and where it is not, it tells who that is.
#[test]
fn the_function_of_a_deletion_concerns_only_who_does_not_link_the_new_owner() {
    let vision = without_mode();
    let mut old = vision_without_f(&vision);
    old.upgrades.insert(("f".into(), 4), UpgradeFn::new(|_| Err(UpgradeError::new("it moved to math-ops: link that"))));
    let text = refused(&Program::of([old.clone()]).unwrap(), &of(2, node("f"))).to_string();
    assert!(text.contains("it moved to math-ops: link that"), "{text}");
    // Taken over before the release that deletes it, or as of that release.
    let later = vision.replace(
        "[saved]",
        "\"4.0.0\" = { date = \"2026-04-01\", graph = 4 }\n[saved]\ngraph.version.4 = { text = \"\", since = \"4.0.0\" }",
    );
    for taken in [&vision, &later] {
        let program = Program::of([old.clone(), math("math-ops", taken)]).unwrap();
        for (producer, expected) in [(1, 1), (2, 2), (3, 2)] {
            assert_eq!(n(&program, &of(producer, node("f"))), i32(expected), "{producer}");
        }
    }
}
