//! Who reads what is written.

mod common;

use common::*;
use oplock_core::Value;
use oplock_graph::{Place, reach_of_graph, reach_of_lock};

const OPS: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-02-01" }
"2.0.0" = { date = "2026-03-01", graph = 2 }
"2.1.0" = { date = "2026-04-01", graph = 3 }
[saved]
graph.bad_consumer.2 = { since = "2.1.0" }
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "2.1.0" }
[op]
f.since = "1.0.0"
f.input.X = {}
f.input.Y = { dispensable = true, since = "1.1.0" }
f.attr.least = { type = "i32", default = 1, min = -1 }
f.attr.mode = { type = "string", default = "a", values = ["a", "b"], newer = { b = "1.1.0" } }
f.attr.sub = { type = "block?" }
g.since = "1.0.0"
g.attr.axis = { type = "i32", default = 2 }
h.since = "2.1.0"
new.unreleased = true
[ledger]
f."1.1.0".attr.least = { rule = "attr_minimum_lowered", from = { type = "i32", default = 1, min = 1, since = "1.0.0" }, to = { type = "i32", default = 1, min = -1 } }
f."1.1.0".attr.mode = { rule = "attr_value_added", from = { type = "string", default = "a", values = ["a"], since = "1.0.0" }, to = { type = "string", default = "a", values = ["a", "b"] } }
g."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#;

fn sealed() -> oplock_graph::Program {
    vision("2.1.0", &OPS.replace("new.unreleased = true\n", ""))
}

fn f() -> oplock_registry::Node {
    node("f").input("X", &["x"])
}

fn told(graph: &oplock_graph::Graph) -> String {
    let reach = sealed().reach(graph).unwrap_or_else(|e| panic!("{e}"));
    reach.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_first_use_of_what_is_new_decides() {
    assert_eq!(
        told(&graph([f()])),
        "vision-ops: 1.0.0 and later can read it while `min_producer` is at most 3\n  `f` (node 0 of block 0) needs 1.0.0"
    );
    let expected = "vision-ops: 1.1.0 and later can read it while `min_producer` is at most 3\n  `f.Y` (node 1 of block 0) needs 1.1.0";
    assert_eq!(told(&graph([f(), f().input("Y", &["y"]), f().input("Y", &["z"])])), expected);
    let expected = "vision-ops: 1.1.0 and later can read it while `min_producer` is at most 3\n  `f.mode` (node 0 of block 0) needs 1.1.0";
    assert_eq!(told(&graph([f().attr("mode", string("b"))])), expected);
    let expected = "vision-ops: 1.1.0 and later can read it while `min_producer` is at most 3\n  `f.least` (node 1 of block 0) needs 1.1.0";
    assert_eq!(told(&graph([f().attr("least", i32(1)), f().attr("least", i32(0))])), expected);
    let sub = blocks([vec![f().attr("sub", Value::Block(1))], vec![f(), f().input("Y", &["y"])]]);
    let expected = "vision-ops: 1.1.0 and later can read it while `min_producer` is at most 3\n  `f.Y` (node 1 of block 1) needs 1.1.0";
    assert_eq!(told(&sub), expected);
}

#[test]
fn a_break_decides_too_and_bad_consumers_do_not_read() {
    let expected = "vision-ops: 2.1.0 and later can read it while `min_producer` is at most 3\n  `f` (node 0 of block 0) needs 1.0.0\n  \
                    `g.axis` (node 1 of block 0) means something else below data version 2";
    assert_eq!(told(&graph([f(), node("g")])), expected);
    let reach = sealed().reach(&graph([f(), node("g")])).unwrap();
    assert_eq!(reach[0].readers, [v("2.1.0")], "2.0.0 is a bad consumer");
    let (version, cause) = reach[0].version.clone();
    assert_eq!((version, cause.unwrap().at), (2, Place { block: 0, node: 1 }));
    // Whoever is said to read it does read what is saved, and nobody else.
    let saved = save(&sealed(), &graph([f(), node("g")]));
    assert_eq!(saved.stamps["vision-ops"].min_consumer, 2);
    assert_eq!(saved.stamps["vision-ops"].oldest_reader.as_ref().unwrap().version, v("1.0.0"));
}

#[test]
fn nothing_is_known_to_read_what_is_not_released() {
    let program = vision("2.1.0", OPS);
    let reach = program.reach(&graph([node("new")])).unwrap();
    assert_eq!(reach[0].oldest(), None);
    assert_eq!(reach[0].to_string(), "vision-ops: nothing is promised, since no release of it had `new` yet");
}

#[test]
fn what_each_release_reads_of_a_lock() {
    let reach = reach_of_lock(&lock("vision-ops", OPS));
    let expected = "\
1.0.0 (data version 1) cannot read `g` (`g.axis` changed at data version 2), `h` (`h` is new in 2.1.0)
1.1.0 (data version 1) cannot read `g` (`g.axis` changed at data version 2), `h` (`h` is new in 2.1.0)
2.0.0 (data version 2) cannot read `f` (data version 2 misreads it), `g` (data version 2 misreads it), `h` (`h` is new in 2.1.0)
2.1.0 (data version 3) reads every operator
nothing is promised of `new`: no release of it has `new` yet";
    assert_eq!(reach.to_string(), expected);
}

/// A trunk that took over the maintenance release 1.10.0, which does not know 2.0.0.
const TWO_LINES: &str = r#"
[release]
"1.9.0" = { date = "2026-01-01" }
"1.10.0" = { date = "2026-03-01", behind = "2.0.0" }
"2.0.0" = { date = "2026-03-01", graph = 2 }
"2.1.0" = { date = "2026-04-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
f.since = "1.9.0"
foo.since = "1.10.0"
g.since = "1.9.0"
g.attr.axis = { type = "i32", default = 2 }
new.since = "2.0.0"
[ledger]
g."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.9.0" }, to = { type = "i32", default = 2 } }
"#;

/// The programs of its releases.
fn of_two_lines() -> Vec<oplock_graph::Program> {
    let without = |text: &str, lines: &[&str]| {
        let is_there = |line: &&str| !lines.iter().any(|without| line.starts_with(without));
        text.lines().filter(is_there).collect::<Vec<_>>().join("\n")
    };
    let branch =
        without(TWO_LINES, &["\"2.", "graph.", "new.", "[ledger]", "g.\"2"]).replace(", behind = \"2.0.0\"", "");
    vec![
        vision("1.9.0", &without(&branch, &["\"1.10", "foo."]).replace("default = 2", "default = 1")),
        vision("2.0.0", &without(TWO_LINES, &["\"1.10", "\"2.1", "foo."])),
        vision("1.10.0", &branch.replace("default = 2", "default = 1")),
        vision("2.1.0", TWO_LINES),
    ]
}

#[test]
fn of_two_lines_whoever_is_said_to_read_does_and_nobody_else() {
    let programs = of_two_lines();
    let versions: Vec<_> = programs.iter().map(|of| of.packages()["vision-ops"].version.clone()).collect();
    for ops in [&["f"][..], &["g"], &["foo"], &["new"], &["foo", "new"]] {
        let graph = graph(ops.iter().map(|op| node(op)));
        let saved = save(&programs[3], &graph);
        let reads = programs.iter().zip(&versions).filter(|(program, _)| load(program, &saved).is_ok());
        let reads: Vec<_> = reads.map(|(_, version)| version.clone()).collect();
        assert_eq!(programs[3].reach(&graph).unwrap()[0].readers, reads, "{ops:?}, by the lock");
        assert_eq!(reach_of_graph(&saved, &[]).unwrap()[0].readers, reads, "{ops:?}, by the graph");
    }
    let expected = "\
1.9.0 (data version 1) cannot read `foo` (`foo` is new in 1.10.0), `g` (`g.axis` changed at data version 2), `new` (`new` is new in 2.0.0)
2.0.0 (data version 2) cannot read `foo` (`foo` is new in 1.10.0)
1.10.0 (data version 1) cannot read `foo` (it is of another line, which parted before `foo` came with 1.10.0), `g` (`g.axis` changed at \
data version 2), `new` (it is of another line, which parted before `new` came with 2.0.0)
2.1.0 (data version 2) reads every operator";
    assert_eq!(reach_of_lock(&lock("vision-ops", TWO_LINES)).to_string(), expected);
}

#[test]
fn what_was_taken_over_from_another_line_is_no_older_release_to_upgrade_to() {
    let [_, trunk, branch, later] = &of_two_lines()[..] else { panic!("four releases") };
    let saved = save(later, &graph([node("foo")]));
    let text = refused(trunk, &saved).to_string();
    let expected = "written by vision-ops 2.1.0, needs 1.10.0 for `foo`; this is 2.0.0\n  \
                    help: upgrade vision-ops to a release whose line has 1.10.0, or save the graph without `foo`\n";
    assert!(text.starts_with(expected), "{text}");
    let text = refused(branch, &saved).to_string();
    let expected = "needs 1.10.0 for `foo`; this is 1.10.0, whose releases part from the writer's after 1.9.0\n  \
                    help: read it with a release of vision-ops whose line has 2.1.0";
    assert!(text.contains(expected), "{text}");
}
