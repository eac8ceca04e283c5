//! What loading saved data must do: each case of the table of loads, by its number.

mod common;

use common::*;
use oplock_core::Value;
use oplock_graph::{
    Export, ExportOptions, LoadOptions, NodeProblem, Note, Problem, Report, Stamp, Unpromised, UpgradeError, UpgradeFn,
    VersionProblem, Warning,
};

/// A reader at data version 100 that reads from 40 on.
const READER: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01", graph = 100 }
[saved]
graph.min_producer = 40
graph.version.100 = { text = "", since = "1.0.0" }
[op]
f.since = "1.0.0"
f.input.X = {}
f.output.Out = {}
f.attr.axis = { type = "i32", default = 0 }
f.attr.sub = { type = "block?", default = "absent" }
"#;

fn reader() -> oplock_graph::Program {
    vision(
        "1.0.0",
        &READER.replace(
            "f.attr.sub = { type = \"block?\", default = \"absent\" }\n",
            "f.attr.sub = { type = \"block?\" }\n",
        ),
    )
}

fn f() -> oplock_registry::Node {
    node("f").input("X", &["x"]).output("Out", &["y"])
}

fn stamped(producer: i64, min_consumer: i64, bad_consumers: &[i64]) -> oplock_graph::Graph {
    let mut stamp = stamp(producer, min_consumer, bad_consumers);
    // The release that both know is of the reader's version, or of the writer's where that is older.
    stamp.releases = vec![release("1.0.0", 100)];
    written(graph([f()]), stamp)
}

#[test]
fn l1_a_producer_below_min_producer() {
    let refused = refused(&reader(), &stamped(39, 1, &[]));
    assert!(
        matches!(versions(&refused)[..], [VersionProblem::TooOld { producer: 39, min_producer: 40, .. }]),
        "{refused}"
    );
    let text = refused.to_string();
    assert!(text.contains("data version 39") && text.contains("version 40 or later"), "{text}");
    assert!(load(&reader(), &stamped(40, 1, &[])).is_ok());
}

#[test]
fn l2_every_reason_is_listed() {
    let refused = refused(&reader(), &stamped(39, 101, &[100]));
    let problems = versions(&refused);
    assert!(
        problems.iter().any(|p| matches!(p, VersionProblem::TooOld { producer: 39, min_producer: 40, .. })),
        "{refused}"
    );
    assert!(
        problems.iter().any(|p| matches!(p, VersionProblem::TooNew { min_consumer: 101, consumer: 100, .. })),
        "{refused}"
    );
    assert!(problems.iter().any(|p| matches!(p, VersionProblem::BadConsumer { consumer: 100, .. })), "{refused}");
}

#[test]
fn l3_min_consumer_above_the_reader() {
    let refused = refused(&reader(), &stamped(101, 101, &[]));
    let problems = versions(&refused);
    assert!(
        matches!(
            problems[..],
            [VersionProblem::Newer { .. }, VersionProblem::TooNew { min_consumer: 101, consumer: 100, .. }]
        ),
        "{refused}"
    );
    assert!(refused.to_string().contains("upgrade vision-ops to a release of data version 101 or later"), "{refused}");
}

#[test]
fn l4_min_consumer_of_the_reader_and_another_bad_consumer() {
    assert!(load(&reader(), &stamped(100, 100, &[])).is_ok());
    assert!(load(&reader(), &stamped(100, 1, &[99])).is_ok());
}

#[test]
fn l5_a_bad_consumer() {
    let refused = refused(&reader(), &stamped(100, 1, &[100]));
    assert!(matches!(versions(&refused)[..], [VersionProblem::BadConsumer { consumer: 100, .. }]), "{refused}");
}

#[test]
fn l6_malformed_records() {
    let what = |graph: &oplock_graph::Graph| {
        let refused = refused(&reader(), graph);
        let malformed = versions(&refused).into_iter().find_map(|problem| match problem {
            VersionProblem::Malformed { what, .. } => Some(what.clone()),
            _ => None,
        });
        malformed.unwrap_or_else(|| panic!("{refused}"))
    };
    assert_eq!(
        what(&stamped(90, 91, &[])),
        "min_consumer is 91, above the producer 90, so the writer could not read it"
    );
    assert_eq!(what(&stamped(-1, -2, &[])), "producer is -1, and no data version is negative");
    assert_eq!(what(&stamped(90, -2, &[])), "min_consumer is -2, and no data version is negative");
    assert_eq!(what(&stamped(90, 1, &[-3])), "a bad consumer is -3, and no data version is negative");
    assert_eq!(what(&stamped(90, 1, &[7, 9, 7])), "bad consumer 7 is listed twice");
    let mut twice = stamped(90, 1, &[]);
    let stamp = twice.stamps.get_mut("vision-ops").unwrap();
    stamp.releases.push(release("1.0.0", 100));
    assert_eq!(what(&twice), "release 1.0.0 is listed twice");
    let mut nobody = stamped(90, 1, &[]);
    nobody.stamps.get_mut("vision-ops").unwrap().oldest_reader = None;
    assert_eq!(what(&nobody), "it has no oldest reader, and is not marked as unpromised");
    let mut other = stamped(90, 1, &[]);
    other.stamps.get_mut("vision-ops").unwrap().oldest_reader.as_mut().unwrap().version = v("1.2.0");
    assert_eq!(what(&other), "its oldest reader 1.2.0 is none of the writer's releases");
    // 0 is a data version.
    assert!(load(&reader(), &stamped(100, 0, &[0])).is_ok());
}

/// A writer of release 2.0.0 at that data version, whose line goes on where the reader's ends.
fn newer(producer: i64, nodes: Vec<oplock_registry::Node>) -> oplock_graph::Graph {
    let mut stamp = stamp(producer, 1, &[]);
    stamp.releases = vec![release("1.0.0", 100), release("2.0.0", producer)];
    written(graph(nodes), stamp)
}

#[test]
fn l7_a_newer_producer_is_the_first_cause_of_an_unknown_op() {
    let refused = refused(&reader(), &newer(187, vec![f(), node("g")]));
    assert!(
        matches!(versions(&refused)[..], [VersionProblem::Newer { producer: 187, consumer: 100, .. }]),
        "{refused}"
    );
    assert!(matches!(nodes(&refused)[..], [NodeProblem::UnknownOp { .. }]), "{refused}");
    let text = refused.to_string();
    assert!(
        text.starts_with("written by vision-ops 2.0.0 at data version 187; this is 1.0.0 at data version 100"),
        "{text}"
    );
    assert!(text.contains("vision-ops has no operator `g` here"), "{text}");

    // Where the graph says which release has it, the check says so, and the operator is still told.
    let mut known = newer(187, vec![f(), node("g")]);
    let oldest = known.stamps.get_mut("vision-ops").unwrap().oldest_reader.as_mut().unwrap();
    (oldest.version, oldest.because) = (v("2.0.0"), "g".to_owned());
    let text = common::refused(&reader(), &known).to_string();
    assert!(text.starts_with("written by vision-ops 2.0.0 at data version 187"), "{text}");
    assert!(text.contains("needs 2.0.0 for `g`; this is 1.0.0") && text.contains("no operator `g` here"), "{text}");
}

#[test]
fn l8_a_newer_producer_of_known_things() {
    let loaded = loaded(&reader(), &newer(121, vec![f()]));
    let note = Note::NewerProducer { package: "vision-ops".into(), producer: 121, consumer: 100 };
    assert!(loaded.report.notes.contains_key(&note), "{}", loaded.report);
}

#[test]
fn l9_an_unknown_attr_at_the_default_with_which_it_was_added() {
    let mut graph = newer(121, vec![f().attr("mode", i32(7))]);
    graph.added.entry("f".into()).or_default().insert("mode".into(), i32(7));
    let loaded = loaded(&reader(), &graph);
    assert!(!loaded.graph.blocks[0].nodes[0].attrs.contains_key("mode"));
    assert!(loaded.report.notes.contains_key(&Note::DroppedDefault { path: "f.mode".into() }), "{}", loaded.report);
}

#[test]
fn l10_an_unknown_attr_of_another_value() {
    let mut graph = newer(121, vec![f().attr("mode", i32(8))]);
    graph.added.entry("f".into()).or_default().insert("mode".into(), i32(7));
    let oldest = graph.stamps.get_mut("vision-ops").unwrap().oldest_reader.as_mut().unwrap();
    (oldest.version, oldest.because) = (v("2.0.0"), "f.mode".to_owned());
    let text = refused(&reader(), &graph).to_string();
    assert!(text.contains("written by vision-ops 2.0.0, needs 2.0.0 for `f.mode`; this is 1.0.0\n"), "{text}");
    // Also where the graph lies about it.
    let oldest = graph.stamps.get_mut("vision-ops").unwrap().oldest_reader.as_mut().unwrap();
    (oldest.version, oldest.because) = (v("1.0.0"), "f".to_owned());
    let refused = refused(&reader(), &graph);
    assert!(matches!(nodes(&refused)[..], [NodeProblem::UnknownItem { .. }]), "{refused}");
}

#[test]
fn l11_defaults_are_filled_in_every_block() {
    let sub = f().attr("sub", Value::Block(1));
    let graph = written(blocks([vec![sub], vec![f()]]), stamped(100, 1, &[]).stamps["vision-ops"].clone());
    let loaded = loaded(&reader(), &graph);
    for block in &loaded.graph.blocks {
        assert_eq!(block.nodes[0].attrs["axis"], i32(0));
    }
    assert_eq!(loaded.graph.blocks[1].nodes[0].attrs["sub"], Value::Absent);
    let filled = Note::Filled { path: "f.axis".into(), value: "0".into() };
    assert_eq!(loaded.report.notes[&filled].count, 2);
    // `f.sub` is absent in the second node, as it may be.
    let of_sub = |note: &&Note| matches!(note, Note::Filled { path, .. } if path == "f.sub");
    assert_eq!(loaded.report.notes.keys().find(of_sub), None);
    let graph = written(common::graph([f().attr("axis", i32(0))]), stamped(100, 1, &[]).stamps["vision-ops"].clone());
    assert_eq!(common::loaded(&reader(), &graph).report, Report::default(), "what is stated is not filled in");
    // With the default of the writer's time there, too.
    let (old, new) = (vision("1.5.0", DEFAULT_OLD), vision("2.0.0", DEFAULT_CHANGED));
    let f = || vec![node("f").input("X", &["x"])];
    let loaded = common::loaded(&new, &save(&old, &blocks([f(), f()])));
    assert_eq!(loaded.graph.nodes().map(|(_, node)| &node.attrs["axis"]).collect::<Vec<_>>(), [&i32(1), &i32(1)]);
}

/// `f.axis` had the default 1 until 2.0.0 (data version 90) made it 2.
const DEFAULT_CHANGED: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01", graph = 80 }
"1.5.0" = { date = "2026-02-01", graph = 89 }
"2.0.0" = { date = "2026-03-01", graph = 90 }
[saved]
graph.version.80 = { text = "", since = "1.0.0" }
graph.version.89 = { text = "", since = "1.5.0" }
graph.version.90 = { text = "", since = "2.0.0" }
[op]
f.since = "1.0.0"
f.input.X = {}
f.attr.axis = { type = "i32", default = 2 }
[ledger]
f."2.0.0".attr.axis = { rule = "attr_changed", version = 90, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#;

const DEFAULT_OLD: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01", graph = 80 }
"1.5.0" = { date = "2026-02-01", graph = 89 }
[saved]
graph.version.80 = { text = "", since = "1.0.0" }
graph.version.89 = { text = "", since = "1.5.0" }
[op]
f.since = "1.0.0"
f.input.X = {}
f.attr.axis = { type = "i32", default = 1 }
"#;

#[test]
fn l12_a_changed_default() {
    let (old, new) = (vision("1.5.0", DEFAULT_OLD), vision("2.0.0", DEFAULT_CHANGED));
    let bare = graph([node("f").input("X", &["x"])]);
    let saved = save(&old, &bare);
    assert_eq!(saved.stamps["vision-ops"].producer, 89);
    assert!(saved.blocks[0].nodes[0].attrs.is_empty(), "a default that never changed is left out");
    assert_eq!(loaded(&new, &saved).graph.blocks[0].nodes[0].attrs["axis"], i32(1));

    let saved = save(&new, &bare);
    assert_eq!(saved.stamps["vision-ops"].min_consumer, 90);
    assert_eq!(saved.blocks[0].nodes[0].attrs["axis"], i32(2), "a default that changed is written");
    assert_eq!(loaded(&new, &saved).graph.blocks[0].nodes[0].attrs["axis"], i32(2));
    let refused = refused(&old, &saved);
    let is_it = |p: &&VersionProblem| matches!(p, VersionProblem::TooNew { min_consumer: 90, consumer: 89, .. });
    assert!(versions(&refused).iter().any(is_it), "{refused}");
}

/// `f` is deprecated at data version 63, in release 1.1.0.
const DEPRECATED: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01", graph = 62 }
"1.1.0" = { date = "2026-02-01", graph = 63 }
[saved]
graph.version.62 = { text = "", since = "1.0.0" }
graph.version.63 = { text = "", since = "1.1.0" }
[op]
f.since = "1.0.0"
f.deprecated = { version = 63, note = "use g", since = "1.1.0" }
g.since = "1.0.0"
g.attr.body = { type = "block" }
[ledger]
f."1.1.0".op = { rule = "op_deprecated", from = { since = "1.0.0" }, to = { deprecated = { version = 63, note = "use g" } } }
"#;

fn deprecated_at(producer: i64, in_block: bool) -> oplock_graph::Graph {
    let mut stamp = stamp(producer, 1, &[]);
    stamp.releases = vec![release("1.0.0", 62)];
    if producer > 62 {
        stamp.releases.push(release("1.1.0", 63));
    }
    let g = node("g").attr("body", Value::Block(1));
    written(if in_block { blocks([vec![g], vec![node("f")]]) } else { graph([node("f"), node("f")]) }, stamp)
}

#[test]
fn l13_a_deprecated_op() {
    let reader = vision("1.1.0", DEPRECATED);
    let loaded = loaded(&reader, &deprecated_at(62, false));
    let warnings: Vec<_> = loaded.report.warnings.iter().collect();
    let [(Warning::Deprecated { path, version: 63, note, .. }, times)] = warnings[..] else { panic!("{warnings:?}") };
    assert_eq!((path.as_str(), note.as_str(), times.count), ("f", "use g", 2), "one warning, however many nodes");

    for in_block in [false, true] {
        let refused = refused(&reader, &deprecated_at(63, in_block));
        let is_it = |p: &&NodeProblem| matches!(p, NodeProblem::Deprecated { version: 63, producer: 63, .. });
        assert!(!nodes(&refused).is_empty() && nodes(&refused).iter().all(is_it), "{refused}");
    }
}

/// `leaky_relu.slope` was an `f32` until 2.0.0 (data version 2).
const WIDENED: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-03-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
leaky_relu.since = "1.0.0"
leaky_relu.attr.slope = { type = "f64", default = 0.02 }
[ledger]
leaky_relu."2.0.0".attr.slope = { rule = "attr_changed", version = 2, from = { type = "f32", default = 0.02, since = "1.0.0" }, to = { type = "f64", default = 0.02 } }
"#;

#[test]
fn l14_a_widened_float() {
    let old = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nleaky_relu.since = \"1.0.0\"\n\
               leaky_relu.attr.slope = { type = \"f32\", default = 0.02 }\n";
    let (old, new) = (vision("1.0.0", old), vision("2.0.0", WIDENED));
    let saved = save(&old, &graph([node("leaky_relu").attr("slope", Value::F32(0.01)), node("leaky_relu")]));
    let loaded = loaded(&new, &saved);
    let slope = |i: usize| loaded.graph.blocks[0].nodes[i].attrs["slope"].clone();
    assert_eq!(slope(0), Value::F64(f64::from(0.01_f32)));
    assert_ne!(slope(0), Value::F64(0.01));
    assert_eq!(slope(1), Value::F64(f64::from(0.02_f32)), "the old default is widened like a value");
}

fn typed(attr: &str) -> oplock_graph::Program {
    vision(
        "1.0.0",
        &format!(
            "[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n[op]\nf.since = \"1.0.0\"\nf.attr.a = {{ type = \"{attr}\" }}\n"
        ),
    )
}

#[test]
fn l15_a_whole_number_for_a_float() {
    let reader = typed("f32");
    let graph = |value| written(graph([node("f").attr("a", value)]), stamp(1, 1, &[]));
    assert_eq!(loaded(&reader, &graph(i32(1))).graph.blocks[0].nodes[0].attrs["a"], Value::F32(1.0));
    let refused = refused(&reader, &graph(i32(16_777_217)));
    assert!(matches!(nodes(&refused)[..], [NodeProblem::NotExact { .. }]), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("`f32`, which has no value that is exactly the `i32` 16777217"), "{text}");
}

#[test]
fn l16_a_list_of_a_wider_type() {
    let value = Value::list(vec![Value::I64(1)]);
    let refused = refused(&typed("[i32]"), &written(graph([node("f").attr("a", value)]), stamp(1, 1, &[])));
    let text = refused.to_string();
    assert!(
        text.starts_with("attribute `a` of `f` is of type `[i32]`, and the graph has a value of type `[i64]`"),
        "{text}"
    );
}

#[test]
fn l17_operands_that_are_absent_or_too_many() {
    let reader = vision(
        "1.0.0",
        r#"
[release]
"1.0.0" = { date = "2026-01-01" }
[op]
f.since = "1.0.0"
f.input.Many = { duplicable = true, dispensable = true }
f.input.Maybe = { dispensable = true }
f.input.X = {}
f.output.Mean = { intermediate = true }
f.output.Out = {}
"#,
    );
    let load = |node| load(&reader, &written(graph([node]), stamp(1, 1, &[])));
    let f = || node("f").input("X", &["x"]).output("Out", &["y"]);
    assert!(load(f()).is_ok(), "what is dispensable or intermediate may be absent");
    assert!(load(f().input("Many", &["a", "b"])).is_ok());
    let fails = |node| format!("{:?}", nodes(&load(node).unwrap_err()));
    assert!(fails(node("f").output("Out", &["y"])).starts_with("[NotConnected { kind: Input, name: \"X\""));
    assert!(fails(f().input("X", &[])).starts_with("[NotConnected { kind: Input, name: \"X\""));
    assert!(fails(node("f").input("X", &["x"])).starts_with("[NotConnected { kind: Output, name: \"Out\""));
    assert!(fails(f().input("X", &["a", "b"])).starts_with("[TooMany { kind: Input, name: \"X\", found: 2"));
    assert!(fails(f().input("Maybe", &["a", "b"])).starts_with("[TooMany { kind: Input, name: \"Maybe\", found: 2"));
    assert!(fails(f().input("Y", &["a"])).starts_with("[UnknownItem { kind: Input, name: \"Y\""));
    assert!(load(f().input("Y", &[])).is_ok(), "an unknown operand without a variable means nothing");
}

const PARTS: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
[op]
f.since = "1.0.0"
f.input.X = {}
f.output.Out = {}
f.output.XShape = { dispensable = true, extra = true }
f.attr.body = { type = "block?" }
f.attr.scale = { type = "f32", default = 1.0, quant = true }
f.attr.use_mkldnn = { type = "bool", default = false, extra = true }
"#;

fn float(program: &oplock_graph::Program, graph: &oplock_graph::Graph) -> oplock_graph::Saved {
    program.export(graph, Export::Float, ExportOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn l18_an_extra_value_that_is_not_its_default() {
    let program = vision("1.0.0", PARTS);
    let exported = float(&program, &graph([f().extra("use_mkldnn", Value::Bool(true))]));
    assert!(exported.graph.blocks[0].nodes[0].extra.is_empty());
    assert!(exported.report.notes.contains_key(&Note::Clipped { path: "f.use_mkldnn".into() }), "{}", exported.report);
    let exported = float(&program, &graph([f().extra("use_mkldnn", Value::Bool(false))]));
    assert!(exported.report.notes.keys().all(|note| !matches!(note, Note::Clipped { .. })), "{}", exported.report);
}

#[test]
fn l19_exporting_again_changes_nothing() {
    let program = vision("1.0.0", PARTS);
    let whole = blocks([
        vec![f().attr("body", Value::Block(2)).extra("use_mkldnn", Value::Bool(true)).output("XShape", &["s"])],
        vec![f()],
        vec![f().attr("scale", Value::F32(0.5))],
    ]);
    let once = float(&program, &whole).graph;
    assert_eq!(once.blocks.len(), 2, "a block that nothing refers to is dropped");
    assert_eq!(once.blocks[0].nodes[0].attrs["body"], Value::Block(1));
    assert_eq!(once.export, Some(Export::Float));
    assert_eq!(float(&program, &once).graph, once);
    assert_eq!(float(&program, &loaded(&program, &once).graph).graph, once);
    assert_eq!(save(&program, &once), once);
    let saved = save(&program, &whole);
    assert_eq!(save(&program, &loaded(&program, &saved).graph), saved);
}

#[test]
fn l20_no_extra_attr_is_left() {
    let program = vision("1.0.0", PARTS);
    let exported = float(&program, &graph([f().extra("use_mkldnn", Value::Bool(false)), f(), f()]));
    assert!(exported.graph.blocks[0].nodes.iter().all(|node| node.extra.is_empty() && node.attrs.is_empty()));
}

#[test]
fn l21_blocks_in_a_ring_and_a_million_inputs() {
    let reader = vision(
        "1.0.0",
        r#"
[release]
"1.0.0" = { date = "2026-01-01" }
[op]
f.since = "1.0.0"
f.input.X = { duplicable = true, dispensable = true }
f.attr.bodies = { type = "[block]", default = [] }
f.attr.body = { type = "block?" }
"#,
    );
    let to = |block| vec![node("f").attr("body", Value::Block(block))];
    let ring = written(blocks([to(1), to(2), to(1)]), stamp(1, 1, &[]));
    let told = refused(&reader, &ring);
    let [Problem::Ring { blocks: ring, .. }] = &told.problems[..] else { panic!("{told}") };
    assert_eq!(*ring, [1, 2]);
    assert_eq!(
        told.to_string(),
        "2 blocks contain each other in a ring: `f` (node 0 of block 1) names block 2, `f` (node 0 of block 2) names block 1\n  \
         help: no node stands in a block that it names; the file is damaged, or who made it counts blocks from 1"
    );
    let own = self::refused(&reader, &written(blocks([to(0)]), stamp(1, 1, &[]))).to_string();
    assert!(own.starts_with("block 0 contains itself: `f` (node 0 of block 0) names block 0\n"), "{own}");
    let out = written(blocks([to(1)]), stamp(1, 1, &[]));
    assert!(matches!(nodes(&refused(&reader, &out))[..], [NodeProblem::NoSuchBlock { block: 1, blocks: 1, .. }]));
    let list = |block| vec![node("f").attr("bodies", Value::list(vec![Value::Block(1), Value::Block(block)]))];
    let ring = written(blocks([list(2), vec![], list(0)]), stamp(1, 1, &[]));
    assert!(matches!(&refused(&reader, &ring).problems[..], [Problem::Ring { blocks, .. }] if *blocks == [0, 2]));
    let out = written(blocks([list(2), vec![]]), stamp(1, 1, &[]));
    assert!(matches!(nodes(&refused(&reader, &out))[..], [NodeProblem::NoSuchBlock { block: 2, blocks: 2, .. }]));
    assert_eq!(refused(&reader, &written(blocks([]), stamp(1, 1, &[]))).problems, [Problem::NoBlock]);
    // No nesting is too deep for the stack.
    let deep = (1..50_000).map(to).chain([vec![node("f")]]);
    assert!(load(&reader, &written(blocks(deep), stamp(1, 1, &[]))).is_ok());

    let mut many = node("f");
    many.inputs.insert("X".into(), (0..1_000_000).map(|i| format!("v{i}")).collect());
    assert!(load(&reader, &written(graph([many]), stamp(1, 1, &[]))).is_ok());
    let mut names = node("f");
    names.inputs = (0..100_000).map(|i| (format!("X{i}"), vec!["v".to_owned()])).collect();
    let refused = refused(&reader, &written(graph([names]), stamp(1, 1, &[])));
    assert_eq!(refused.problems.len() + refused.more, 100_000);
    assert!(refused.to_string().ends_with("and 99900 more problems"), "{refused}");
}

#[test]
fn l22_the_crate_that_is_too_new_is_named() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nOP.since = \"1.0.0\"\n";
    let reader = program([
        package("a-ops", "1.0.0", &text.replace("OP", "a")),
        package("b-ops", "1.0.0", &text.replace("OP", "b")),
    ]);
    let mut saved = save(&reader, &graph([node("a"), node("b")]));
    assert!(load(&reader, &saved).is_ok());
    assert_eq!(saved.owners["b"], "b-ops");
    let stamp = saved.stamps.get_mut("b-ops").unwrap();
    (stamp.producer, stamp.min_consumer) = (7, 7);
    let refused = refused(&reader, &saved);
    let text = refused.to_string();
    assert!(text.contains("written by b-ops 1.0.0, needs data version 7; this is 1.0.0, at data version 1"), "{text}");
    assert!(!text.contains("a-ops"), "{text}");
}

/// The trunk after 1.9, and a maintenance line that adds `foo`.
fn lines() -> (oplock_graph::Program, oplock_graph::Program) {
    let trunk = r#"
[release]
"1.9.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
f.since = "1.9.0"
"#;
    let branch = r#"
[release]
"1.9.0" = { date = "2026-01-01" }
"1.10.0" = { date = "2026-03-01" }
[op]
f.since = "1.9.0"
foo.since = "1.10.0"
"#;
    (vision("2.0.0", trunk), vision("1.10.0", branch))
}

#[test]
fn l23_a_maintenance_release_after_the_next_major() {
    let (trunk, branch) = lines();
    let refused = refused(&trunk, &save(&branch, &graph([node("f"), node("foo")])));
    let is_it = |p: &&VersionProblem| matches!(p, VersionProblem::NeedsRelease { needs, .. } if *needs == v("1.10.0"));
    assert!(versions(&refused).iter().any(is_it), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("this is 2.0.0, whose releases part from the writer's after 1.9.0"), "{text}");
    assert!(load(&trunk, &save(&branch, &graph([node("f")]))).is_ok());
    assert!(load(&branch, &save(&trunk, &graph([node("f")]))).is_ok());

    // Two releases of one version that were made apart are two releases.
    let mut saved = save(&branch, &graph([node("f")]));
    saved.stamps.get_mut("vision-ops").unwrap().releases[0].digest = Some("0123456789abcdef".into());
    let mut trunk = trunk;
    let lock = &mut trunk.packages_mut().get_mut("vision-ops").unwrap().lock;
    lock.releases.get_mut(&v("1.9.0")).unwrap().digest = Some("fedcba9876543210".into());
    let refused = common::refused(&trunk, &saved);
    let expected = "written by vision-ops 1.10.0; this is 2.0.0, which shares no release with the writer, and their lists of releases have \
                    no common beginning\n  help: read it with a release of vision-ops from the writer's own line";
    assert_eq!(refused.to_string(), expected);
}

/// `pad.mode` is gone in 2.0: what it was by default, "constant", is always "reflect".
fn pads() -> (oplock_graph::Program, oplock_graph::Program) {
    let old = r#"
[release]
"1.9.0" = { date = "2026-01-01" }
[op]
pad.since = "1.9.0"
pad.attr.mode = { type = "string", default = "constant" }
"#;
    let new = r#"
[release]
"1.9.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
pad.since = "1.9.0"
pad_constant.since = "2.0.0"
[ledger]
pad."2.0.0".attr.mode = { rule = "attr_deleted", version = 2, from = { type = "string", default = "constant", since = "1.9.0" } }
[upgrade]
pad.2 = { since = "2.0.0" }
"#;
    let mut new = package("vision-ops", "2.0.0", new);
    let function = UpgradeFn::new(|upgrade| match upgrade.remove_attr("mode") {
        Some(Value::String(mode)) if mode == "reflect" => Ok(()),
        Some(Value::String(mode)) if mode == "constant" => {
            upgrade.set_op("pad_constant");
            Ok(())
        }
        mode => Err(UpgradeError::new(format!("no operator pads by {mode:?}"))),
    });
    new.upgrades.insert(("pad".into(), 2), function);
    (vision("1.9.0", old), program([new]))
}

#[test]
fn l24_what_an_old_reader_would_misread_it_refuses() {
    let (old, new) = pads();
    let saved = save(&new, &graph([node("pad")]));
    let refused = refused(&old, &saved);
    let is_it = |p: &&VersionProblem| matches!(p, VersionProblem::TooNew { min_consumer: 2, consumer: 1, .. });
    assert!(versions(&refused).iter().any(is_it), "{refused}");

    let saved = save(&old, &graph([node("pad"), node("pad").attr("mode", string("reflect"))]));
    let loaded = loaded(&new, &saved);
    let ops: Vec<_> = loaded.graph.blocks[0].nodes.iter().map(|node| node.op.as_str()).collect();
    assert_eq!(ops, ["pad_constant", "pad"]);
    let saved = save(&old, &graph([node("pad").attr("mode", string("edge"))]));
    let text = common::refused(&new, &saved).to_string();
    assert!(text.contains("cannot be upgraded to data version 2 of vision-ops: no operator pads by"), "{text}");
}

#[test]
fn l25_saved_again_unchanged() {
    let reader = vision("1.1.0", DEPRECATED);
    let old = deprecated_at(62, false);
    let loaded = loaded(&reader, &old);
    let again = reader.save_loaded(&loaded).unwrap();
    assert_eq!(again.graph, old);
    assert!(load(&reader, &again.graph).is_ok());
    // What was changed is today's.
    let mut changed = loaded.clone();
    changed.graph.blocks[0].nodes.push(node("f"));
    let refused = reader.save_loaded(&changed).unwrap_err();
    assert!(matches!(nodes(&refused)[..], [NodeProblem::Deprecated { .. }, ..]), "{refused}");
    changed.graph.blocks[0].nodes = vec![node("g").attr("body", Value::Block(1))];
    changed.graph.blocks.push(oplock_graph::Block::default());
    assert_eq!(reader.save_loaded(&changed).unwrap().graph.stamps["vision-ops"].producer, 63);
    // And what is newer is as this program understands it.
    let newer = common::loaded(&self::reader(), &newer(121, vec![f()]));
    assert_eq!(self::reader().save_loaded(&newer).unwrap().graph.stamps["vision-ops"].producer, 100);
}

#[test]
fn l26_a_stale_lock() {
    let reader = vision("1.0.0", PARTS);
    let mut stale = reader.clone();
    let f_of = |program: &mut oplock_graph::Program, change: &dyn Fn(&mut oplock_core::OpDef)| {
        change(program.packages_mut().get_mut("vision-ops").unwrap().ops.get_mut("f").unwrap());
    };
    f_of(&mut stale, &|def| {
        let attr = def.attrs.to_mut().iter_mut().find(|attr| attr.name == "scale").unwrap();
        attr.default = Some(Value::F32(2.0));
    });
    let saved = save(&stale, &graph([f()]));
    let unpromised = saved.stamps["vision-ops"].unpromised.as_ref().unwrap();
    assert_eq!(unpromised.reason, "its lock was stale: `f` was not what the lock had");
    let refused = refused(&reader, &saved);
    let is_it = |p: &VersionProblem| matches!(p, VersionProblem::Unpromised { differ, .. } if *differ == ["f"]);
    assert!(versions(&refused).iter().all(|p| is_it(p)) && !versions(&refused).is_empty(), "{refused}");
    assert!(load(&stale, &saved).is_ok(), "where every definition is equal it loads");
    assert!(reader.load(saved, LoadOptions { allow_unpromised: true }).is_ok());
}

/// A build with a break that its lock does not record compiles while a major version is on the way, and knows nothing of what
/// was before: it reads only what it wrote itself.
#[test]
fn a_break_that_the_lock_of_the_reader_does_not_record() {
    let writer = vision("1.0.0", PARTS);
    let saved = save(&writer, &graph([f()]));
    let changed = |change: &dyn Fn(&mut oplock_graph::Package)| {
        let mut reader = writer.clone();
        change(reader.packages_mut().get_mut("vision-ops").unwrap());
        reader
    };
    let change_scale = |package: &mut oplock_graph::Package, change: &dyn Fn(&mut oplock_core::AttrDef)| {
        let def = package.ops.get_mut("f").unwrap();
        change(def.attrs.to_mut().iter_mut().find(|attr| attr.name == "scale").unwrap());
    };
    let stale = |reader: &oplock_graph::Program| {
        let refused = refused(reader, &saved);
        assert!(matches!(versions(&refused)[0], VersionProblem::Unrecorded { .. }), "{refused}");
        refused.to_string()
    };
    let other_default =
        changed(&|package| change_scale(package, &|attr| attr.default = Some(oplock_core::Value::F32(2.0))));
    assert_eq!(
        stale(&other_default),
        "this build of vision-ops 1.0.0 cannot tell what older data means, since its ops.lock was stale: the default of attribute \
         `scale` of `f` changed from 1.0 to 2.0\n  help: run `cargo oplock update` in vision-ops, and build it again"
    );
    let own = save(&other_default, &graph([f()]));
    assert!(load(&other_default, &own).is_ok(), "what it wrote itself, of which nothing is promised");
    let deleted = changed(&|package| drop(package.ops.remove("f")));
    assert!(stale(&deleted).contains("operator `f` is deleted"), "{}", stale(&deleted));
    // What an addition or a relaxation changes, older data does not know.
    let added = changed(&|package| {
        package.ops.get_mut("f").unwrap().attrs.to_mut().push(oplock_core::AttrDef {
            default: Some(oplock_core::Value::Bool(false)),
            ..oplock_core::AttrDef::new("fast", oplock_core::AttrType::of(oplock_core::ScalarType::Bool))
        });
    });
    assert!(load(&added, &saved).is_ok());
    let relaxed = changed(&|package| package.ops.get_mut("f").unwrap().inputs.to_mut()[0].dispensable = true);
    assert!(load(&relaxed, &saved).is_ok());
    // Of an operator that the graph does not use, nothing is asked.
    let other = changed(&|package| drop(package.ops.remove("g")));
    assert!(load(&other, &saved).is_ok());
}

/// Past the last release that both have, each line counts its data versions by itself, whatever is promised of the data.
#[test]
fn unpromised_data_of_a_parted_line() {
    let lock = |release: &str, more: &str| {
        format!(
            "[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n\"{release}\" = {{ date = \"2026-02-01\", graph = 2 }}\n[saved]\n{more}\
             graph.version.2 = {{ text = \"\", since = \"{release}\" }}\n[op]\nf.since = \"1.0.0\"\n"
        )
    };
    let trunk = lock("2.0.0", "graph.min_consumer = 2\n");
    let saved = save(&vision("2.1.0-rc.1", &trunk), &graph([node("f")]));
    let stamp = &saved.stamps["vision-ops"];
    assert!(stamp.unpromised.is_some() && stamp.min_consumer == 2, "{stamp:?}");
    assert!(load(&vision("2.0.0", &trunk), &saved).is_ok(), "the definitions are equal");
    // Nor is it one line where one side alone has released since.
    let mut before = saved.clone();
    before.stamps.get_mut("vision-ops").unwrap().releases.truncate(1);
    for (reader, saved) in [(vision("1.1.0", &lock("1.1.0", "")), &saved), (vision("2.0.0", &trunk), &before)] {
        let refused = refused(&reader, saved);
        assert!(matches!(versions(&refused)[..], [VersionProblem::TooNew { known: 1, .. }]), "{refused}");
    }
}

#[test]
fn l27_an_attr_that_was_extra_before() {
    let old = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-02-01" }
[op]
f.since = "1.0.0"
f.attr.fast = { type = "bool", default = false, extra = true }
"#;
    let new = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-02-01" }
"1.2.0" = { date = "2026-03-01" }
[op]
f.since = "1.0.0"
f.attr.fast = { type = "bool", default = false, since = "1.2.0" }
"#;
    let (old, new) = (vision("1.1.0", old), vision("1.2.0", new));
    let refused = refused(&old, &save(&new, &graph([node("f").attr("fast", Value::Bool(true))])));
    let [VersionProblem::NeedsRelease { needs, because, .. }] = versions(&refused)[..] else { panic!("{refused}") };
    assert_eq!((needs, because.as_str()), (&v("1.2.0"), "f.fast"));
    assert!(load(&old, &save(&new, &graph([node("f")]))).is_ok());
    // And what was Extra for the writer is none of what the reader promises.
    let saved = save(&old, &graph([node("f").extra("fast", Value::Bool(true))]));
    let loaded = loaded(&new, &saved);
    assert_eq!(loaded.graph.blocks[0].nodes[0].attrs["fast"], Value::Bool(false));
    assert!(loaded.report.notes.contains_key(&Note::DroppedExtra { path: "f.fast".into() }), "{}", loaded.report);
}

#[test]
fn l28_an_op_of_another_crate() {
    let old = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nround.since = \"1.0.0\"\n";
    let saved = save(&vision("1.0.0", old), &graph([node("round")]));
    let gone = &two_releases(
        r#"
[ledger]
round."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
"#,
    );
    // Its release 1.0.0 is another than that of vision-ops.
    let math = |text: &str| {
        let own = "[release]\n\"1.0.0\" = { date = \"2026-02-01\" }\n[op]\nround.since = \"1.0.0\"\n";
        package("math-ops", "1.0.0", &format!("{own}{text}"))
    };
    let said = "round.moved_from = \"vision-ops\"\n";
    let moved = format!("{said}{}", old.replace('[', "[moved.vision-ops."));
    let vision_2 = || package("vision-ops", "2.0.0", gone);
    for packages in [vec![math(&moved), vision_2()], vec![math(&moved)]] {
        assert!(load(&program(packages), &saved).is_ok());
    }
    for (packages, linked) in [(vec![math(""), vision_2()], ""), (vec![math("")], ", which is not linked")] {
        let refused = refused(&program(packages), &saved);
        let text = refused.to_string();
        assert!(matches!(versions(&refused)[..], [VersionProblem::OtherOwner { .. }]), "{text}");
        assert!(text.contains(&format!("saved as one of vision-ops{linked}, and here it is of math-ops")), "{text}");
    }
    // That it came from there says nothing of what graphs meant there.
    for packages in [vec![math(said), vision_2()], vec![math(said)]] {
        let refused = refused(&program(packages), &saved);
        assert!(matches!(versions(&refused)[..], [VersionProblem::NotTakenOver { .. }]), "{refused}");
        assert!(refused.to_string().contains("its lock holds nothing of vision-ops's"), "{refused}");
    }
    let refused = refused(&program([package("a", "1.0.0", "[op]\n")]), &saved);
    assert!(matches!(versions(&refused)[..], [VersionProblem::NotLinked { .. }]), "{refused}");
}

/// What a package saved under the name that it had before is its own, with what it did to deleted and renamed operators.
#[test]
fn a_package_that_was_renamed() {
    let old = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n\
               f.attr.axis = { type = \"i32\", default = 1 }\nmul.since = \"1.0.0\"\n";
    let new = &two_releases(
        r#"
[op]
f.since = "1.0.0"
f.attr.axis = { type = "i32", default = 2 }
matmul.since = "2.0.0"
matmul.alias.mul = {}
[ledger]
f."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
mul."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
"#,
    );
    let saved = save(&vision("1.0.0", old), &graph([node("f"), node("mul")]));
    let renamed = |formerly: &str| {
        let lock = format!("formerly = [{formerly}]\n{new}");
        program([package("image-ops", "2.0.0", &lock)])
    };
    let reader = renamed("\"pixel-ops\", \"vision-ops\"");
    let loaded = load(&reader, &saved).unwrap();
    let nodes = &loaded.graph.blocks[0].nodes;
    assert_eq!((nodes[0].attrs["axis"].clone(), nodes[1].op.as_str()), (Value::I32(1), "matmul"));
    let again = save(&reader, &loaded.graph);
    assert_eq!(again.stamps.keys().collect::<Vec<_>>(), ["image-ops"]);
    assert!(load(&reader, &again).is_ok());
    let refused = refused(&renamed("\"pixel-ops\""), &saved);
    assert!(matches!(versions(&refused)[0], VersionProblem::OtherOwner { .. }), "{refused}");
}

#[test]
fn l29_a_function_sees_the_default_of_its_time() {
    let text = r#"
[release]
"1.0.0" = { date = "2026-01-01", graph = 80 }
"2.0.0" = { date = "2026-02-01", graph = 90 }
"3.0.0" = { date = "2026-03-01", graph = 95 }
[saved]
graph.version.80 = { text = "", since = "1.0.0" }
graph.version.90 = { text = "", since = "2.0.0" }
graph.version.95 = { text = "", since = "3.0.0" }
[op]
f.since = "1.0.0"
f.attr.axes = { type = "[i32]", since = "3.0.0" }
[ledger]
f."2.0.0".attr.axis = { rule = "attr_changed", version = 90, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
f."3.0.0".attr.axes = { rule = "attr_added_without_default", version = 95, to = { type = "[i32]" } }
f."3.0.0".attr.axis = { rule = "attr_deleted", version = 95, from = { type = "i32", default = 2, since = "1.0.0" } }
[upgrade]
f.95 = { since = "3.0.0" }
"#;
    let mut package = package("vision-ops", "3.0.0", text);
    let function = UpgradeFn::new(|upgrade| {
        let axis = upgrade.remove_attr("axis").ok_or_else(|| UpgradeError::new("it has no axis"))?;
        upgrade.set_attr("axes", Value::list(vec![axis]));
        Ok(())
    });
    package.upgrades.insert(("f".into(), 95), function);
    let reader = program([package]);
    let old = |producer: i64, releases| {
        let mut stamp = stamp(producer, 1, &[]);
        stamp.releases = releases;
        written(graph([node("f")]), stamp)
    };
    let axes = |graph: &oplock_graph::Graph| loaded(&reader, graph).graph.blocks[0].nodes[0].attrs["axes"].clone();
    let list = |axis| Value::list(vec![i32(axis)]);
    assert_eq!(axes(&old(80, vec![release("1.0.0", 80)])), list(1));
    assert_eq!(axes(&old(90, vec![release("1.0.0", 80), release("2.0.0", 90)])), list(2));
}

#[test]
fn l30_a_quant_value_that_is_not_its_default() {
    let program = vision("1.0.0", PARTS);
    let graph = graph([f().attr("scale", Value::F32(0.05))]);
    let quantised = |options| program.export(&graph, Export::Quantised, options);
    let refused = quantised(ExportOptions::default()).unwrap_err();
    assert!(matches!(nodes(&refused)[..], [NodeProblem::QuantIsLost { .. }]), "{refused}");
    let told = quantised(ExportOptions { drop_quant: true }).unwrap();
    assert!(told.graph.blocks[0].nodes[0].attrs.is_empty());
    assert!(told.report.notes.contains_key(&Note::ClippedQuant { path: "f.scale".into() }), "{}", told.report);
    let float = float(&program, &graph).graph;
    assert_eq!(float.blocks[0].nodes[0].attrs["scale"], Value::F32(0.05), "a float model keeps what is Quant");
    // What it has again by default is no loss.
    let mut again = loaded(&program, &told.graph).graph;
    again.blocks[0].nodes[0].attrs.insert("scale".into(), Value::F32(0.5));
    assert_eq!(program.export(&again, Export::Quantised, ExportOptions::default()).unwrap().graph, told.graph);
    // A quantised model cannot become a float one again.
    let refused = program.export(&told.graph, Export::Float, ExportOptions::default()).unwrap_err();
    assert!(matches!(refused.problems[..], [Problem::ExportedOtherwise { .. }]), "{refused}");
}

#[test]
fn l31_an_extra_output_that_is_read() {
    let program = vision("1.0.0", PARTS);
    let shape = || f().output("XShape", &["s"]);
    let export = |graph: &oplock_graph::Graph| program.export(graph, Export::Float, ExportOptions::default());
    let reader = node("f").input("X", &["s"]).output("Out", &["z"]);
    let refused = export(&graph([shape(), reader.clone()])).unwrap_err();
    let text = refused.to_string();
    let expected = "output `XShape` of `f` (node 0 of block 0) would be removed by the export, and its variable `s` is read by \
                    `f` (node 1 of block 0)";
    assert!(text.starts_with(expected), "{text}");
    // In another block, and as a block's result.
    let sub = blocks([vec![shape().attr("body", Value::Block(1))], vec![reader]]);
    assert!(export(&sub).is_err());
    let mut result = graph([shape()]);
    result.blocks[0].outputs.push("s".into());
    assert!(export(&result).unwrap_err().to_string().contains("`s` is a result of a block"));
    assert!(export(&graph([shape()])).is_ok());
}

/// What is wrong with a value is told, and not something else about it.
#[test]
fn a_value_that_is_too_small_or_of_another_length() {
    let text = "[op]\nf.since = \"1.0.0\"\nf.attr.n = { type = \"i32\", default = 1, min = 1 }\n\
                f.attr.l = { type = \"[i32]\", default = [1, 2], min = 2 }\nf.attr.e = { type = \"i32\", default = 1, min = 1, extra = true }\n\
                f.attr.p = { type = \"[usize; 2]\", default = [1, 1] }\n";
    let program = vision("1.0.0", &format!("[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n{text}"));
    let list = |length| Value::list(vec![Value::I64(1); length]);
    for (name, value, expected) in [
        (
            "n",
            i32(0),
            "attribute `n` of `f` is 0, and must be at least 1 (node 0 of block 0)\n  help: set it to 1 or more",
        ),
        (
            "l",
            Value::list(vec![i32(7)]),
            "attribute `l` of `f` is a list of length 1, and its length must be at least 2 (node 0 of block 0)\n  help: give it",
        ),
        (
            "p",
            list(3),
            "attribute `p` of `f` is of type `[usize; 2]`, and the graph has a value of type `[i64; 3]` (node 0 of block 0)",
        ),
        ("e", i32(0), "attribute `e` of `f` is 0, and must be at least 1 (node 0 of block 0)"),
    ] {
        let error = program.save(&graph([node("f").attr(name, value)])).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    assert!(program.save(&graph([node("f").attr("p", list(2))])).is_ok());
}

/// What flows between nodes is none of the checks, as `docs/graphs.md` says.
#[test]
fn what_flows_between_nodes_is_not_checked() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\nf.input.X = {}\nf.output.Out = {}\n";
    let program = vision("1.0.0", text);
    let f = |from: &str| node("f").input("X", &[from]).output("Out", &["y"]);
    let mut odd = graph([f("nothing gives it"), f(""), f("y")]);
    odd.blocks[0].inputs = vec!["x".into(), "x".into()];
    odd.blocks[0].outputs = vec!["y".into(), "y".into()];
    let saved = save(&program, &odd);
    assert_eq!(loaded(&program, &saved).graph.blocks, odd.blocks);
}

/// The check alone says what loading says of versions, and does not look at the nodes.
#[test]
fn a_graph_can_be_checked_without_loading_it() {
    let check = |graph: &oplock_graph::Graph| reader().check(graph, LoadOptions::default());
    let old = stamped(39, 1, &[]);
    assert_eq!(check(&old).unwrap_err(), refused(&reader(), &old));
    let note = Note::NewerProducer { package: "vision-ops".into(), producer: 121, consumer: 100 };
    let report = check(&newer(121, vec![node("f")])).unwrap();
    assert!(report.notes.contains_key(&note), "{report}");
}

#[test]
fn an_operator_that_is_not_there_is_told_with_what_was_meant() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\", graph = 2 }\n[saved]\ngraph.min_producer = 2\n\
                graph.version.2 = { text = \"\", since = \"1.0.0\" }\n[op]\nconv2d.since = \"1.0.0\"\n";
    let reader = vision("1.0.0", text);
    let expected = "vision-ops has no operator `conv2` here; did you mean `conv2d`? (node 0 of block 0)\n  \
                    help: upgrade vision-ops, or save the graph without it";
    let told = |producer: i64, nodes: &[oplock_registry::Node]| {
        let mut stamp = stamp(producer, 1, &[]);
        stamp.releases = vec![release("1.0.0", 2)];
        refused(&reader, &written(graph(nodes.to_vec()), stamp)).to_string()
    };
    assert_eq!(told(2, &[node("conv2")]), expected);
    // Also where the versions alone refuse it, and then once for all its nodes.
    let old = told(1, &[node("conv2"), node("conv2")]);
    assert!(
        old.starts_with("written by vision-ops 1.0.0, and taken as of data version 1") && old.ends_with(expected),
        "{old}"
    );
    assert_eq!(old.matches("conv2`").count(), 1, "{old}");
}

/// What an unreleased build wrote under a data version that no release has yet, it reads itself.
#[test]
fn an_unreleased_data_version_is_known_to_its_own_build() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[saved]\ngraph.min_consumer = 2\n\
                graph.version.2 = { text = \"\", unreleased = true }\n[op]\nf.since = \"1.0.0\"\n";
    let build = vision("1.1.0-rc.1", text);
    let saved = save(&build, &graph([node("f")]));
    let stamp = &saved.stamps["vision-ops"];
    assert!(stamp.unpromised.is_some() && (stamp.min_consumer, stamp.releases.len()) == (2, 1), "{stamp:?}");
    assert!(load(&build, &saved).is_ok());
}

/// The reader is at data version 3, and shares with the writer only what is of version 1.
#[test]
fn what_data_needs_is_told_by_where_the_lines_part() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n\"2.0.0\" = { date = \"2026-02-01\", graph = 3 }\n[saved]\n\
                graph.version.3 = { text = \"\", since = \"2.0.0\" }\n[op]\nf.since = \"1.0.0\"\n";
    let told = |min_consumer: i64| {
        let mut stamp = stamp(5, min_consumer, &[]);
        stamp.releases = vec![release("1.0.0", 1), release("9.0.0", 5)];
        refused(&vision("2.0.0", text), &written(graph([node("f")]), stamp)).to_string()
    };
    let parted = "this is 2.0.0, whose releases part from the writer's after 1.0.0";
    let expected = format!(
        "written by vision-ops 9.0.0, needs data version 2; {parted}, and up to there both have data version 1\n  \
         help: read it with a release of vision-ops from the writer's own line"
    );
    assert!(told(2).ends_with(&expected), "{}", told(2));
    let expected = format!(
        "written by vision-ops 9.0.0, needs data version 4; {parted}, at data version 3\n  \
         help: upgrade vision-ops to a release of data version 4 or later"
    );
    assert!(told(4).ends_with(&expected), "{}", told(4));
}

#[test]
fn an_operator_whose_condition_a_build_does_not_meet_is_told_as_that() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\nf.cfg = \"feature = \\\"cuda\\\"\"\n";
    let with = vision("1.0.0", text);
    let mut without = with.clone();
    without.packages_mut().get_mut("vision-ops").unwrap().ops.clear();
    let saved = save(&with, &graph([node("f")]));
    assert!(load(&with, &saved).is_ok());
    let expected = |package: &str| {
        format!(
            "operator `f` of {package} exists only where `feature = \"cuda\"` holds, and this build is none\n  \
             help: build {package} with it"
        )
    };
    assert_eq!(refused(&without, &saved).to_string(), expected("vision-ops"));
    // So it is where it moved to another package.
    let own = text.replace("f.cfg", "f.moved_from = \"vision-ops\"\nf.cfg").replace("01-01", "01-02");
    let math = package("math-ops", "1.0.0", &format!("{own}{}", text.replace('[', "[moved.vision-ops.")));
    let with = program([math]);
    let mut without = with.clone();
    without.packages_mut().get_mut("math-ops").unwrap().ops.clear();
    assert!(load(&with, &saved).is_ok());
    assert_eq!(refused(&without, &saved).to_string(), expected("math-ops"));
}

/// An Extra attribute of the writer's is written as the reader has it, or dropped, which is told.
#[test]
fn an_extra_attr_is_made_one_of_the_readers() {
    let lock =
        |attrs: &str| format!("[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n[op]\nf.since = \"1.0.0\"\n{attrs}");
    let writer = vision(
        "1.0.0",
        &lock(
            "f.attr.alpha = { type = \"i32\", default = 0, extra = true }\nf.attr.gone = { type = \"i32\", default = 0, extra = true }\n",
        ),
    );
    let reader = vision("1.0.0", &lock("f.attr.alpha = { type = \"f32\", default = 0.0, extra = true }\n"));
    let saved = save(&writer, &graph([node("f").extra("alpha", i32(3)).extra("gone", i32(1))]));
    let loaded = loaded(&reader, &saved);
    assert_eq!(loaded.graph.blocks[0].nodes, [node("f").extra("alpha", Value::F32(3.0))]);
    let notes: Vec<_> = loaded.report.notes.keys().cloned().collect();
    assert_eq!(notes, [Note::DroppedExtra { path: "f.gone".into() }]);
}

/// Nothing is promised of it, and still no attribute is lost that says something.
#[test]
fn an_unknown_attr_of_unpromised_data_is_dropped_at_the_default_with_which_it_was_added() {
    let renamed = &two_releases(
        r#"
[op]
f.since = "1.0.0"
g.since = "2.0.0"
g.alias.old = {}
[ledger]
old."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
"#,
    );
    let reader = vision("2.0.0", renamed);
    let read = |op: &str, mode: i32| {
        let unpromised = Unpromised { reason: "it is a pre-release".to_owned(), digests: [].into() };
        let stamp = Stamp { unpromised: Some(unpromised), oldest_reader: None, ..stamp(1, 1, &[]) };
        let mut graph = written(graph([node(op).attr("mode", i32(mode))]), stamp);
        graph.added.insert(op.to_owned(), [("mode".to_owned(), i32(7))].into());
        reader.load(graph, LoadOptions { allow_unpromised: true })
    };
    // Under the name of its operator, and under the one that the operator got since.
    for (op, today) in [("f", "f"), ("old", "g")] {
        let loaded = read(op, 7).unwrap();
        assert_eq!(loaded.graph.blocks[0].nodes, [node(today)]);
        assert!(
            loaded.report.notes.contains_key(&Note::DroppedDefault { path: format!("{today}.mode") }),
            "{}",
            loaded.report
        );
        let refused = read(op, 8).unwrap_err();
        assert!(matches!(nodes(&refused)[..], [NodeProblem::UnknownItem { .. }]), "{refused}");
    }
}

/// What is kept of a graph that is refused does not grow with all that it is refused for.
#[test]
fn causes_beyond_those_that_are_told_are_bounded() {
    let lock = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n";
    let reader = vision("1.0.0", lock);
    let used = |names: usize| (0..names).fold(node("f"), |node, name| node.attr(&format!("a{name}"), i32(1)));
    let refused = |names| crate::refused(&reader, &written(graph([used(names)]), stamp(1, 1, &[])));
    let few = refused(500);
    assert_eq!((few.problems.len(), few.more, few.beyond().count()), (100, 400, 400));
    let many = refused(12_000);
    assert_eq!((many.problems.len(), many.more, many.beyond().count()), (100, 11_900, 10_000));
}
