//! `cargo oplock reads`: who reads a graph, and what a lock's package writes.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder, run_in};
use oplock_core::Lock;
use oplock_graph::{Block, Graph, Package, Program};
use oplock_registry::Node;
use serde_json::Value;

const LOCK: &str = r#"format = 1
package = "vision-ops"

[release]
"1.0.0" = { date = "2026-03-01" }
"1.1.0" = { date = "2026-05-01" }
"2.0.0" = { date = "2026-07-01", graph = 2 }

[saved]
graph.version.2 = { text = "the axis is 2 where nothing is said", since = "2.0.0" }

[op]
"aten::gather.out".since = "1.0.0"
"aten::gather.out".attr.axis = { type = "i32", default = 2 }
relu.since = "1.0.0"
relu.input.X = {}
relu.input.Mask = { dispensable = true, since = "1.1.0" }

[ledger]
"aten::gather.out"."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#;

fn node(op: &str, inputs: &[&str]) -> Node {
    let mut node = Node::new(op);
    for name in inputs {
        node.inputs.insert((*name).to_owned(), vec![name.to_lowercase()]);
    }
    node
}

/// The graph of these nodes as the package saves it.
fn saved(nodes: Vec<Node>) -> Graph {
    let lock = Lock::parse(LOCK, None).unwrap();
    let mut package = Package::new(lock, "2.0.0".parse().unwrap());
    package.ops = package.lock.ops.iter().map(|(name, entry)| (name.clone(), entry.def.clone())).collect();
    let program = Program::of([package]).unwrap();
    let graph = Graph { blocks: vec![Block { nodes, ..Block::default() }], ..Graph::default() };
    program.save(&graph).unwrap_or_else(|refused| panic!("{refused}")).graph
}

/// Runs the command in a folder with the lock and the graph in both of its forms.
fn reads(graph: &Graph, args: &[&str]) -> Run {
    let (_root, folder) = folder(&[("ops.lock", LOCK), ("model.json", &graph.to_json().unwrap())]);
    fs::write(folder.join("model.graph"), graph.to_bytes().unwrap()).unwrap();
    reads_in(&folder, args)
}

fn reads_in(folder: &Path, args: &[&str]) -> Run {
    run_in(folder, &[&["reads"], args].concat())
}

fn objects(run: &Run) -> Vec<Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn the_first_use_of_what_is_new_decides() {
    let graph = saved(vec![node("relu", &["X"]), node("relu", &["X", "Mask"]), node("relu", &["X", "Mask"])]);
    let expected = "\
vision-ops: 1.1.0 and later can read it while `min_producer` is at most 2
  `relu.Mask` (node 1 of block 0) needs 1.1.0
  of the releases that the writer knew: 1.1.0, 2.0.0
";
    for file in ["model.graph", "model.json"] {
        let run = reads(&graph, &[file]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), expected, ""), "{file}");
    }
    let run = reads(&graph, &["model.json", "--message-format", "json"]);
    let object = &objects(&run)[0];
    assert_eq!(object["oldest"], "1.1.0");
    assert_eq!(object["readers"], serde_json::json!(["1.1.0", "2.0.0"]));
    let release = serde_json::json!({ "version": "1.1.0", "because": "relu.Mask", "block": 0, "node": 1 });
    assert_eq!(object["release"], release);
    assert_eq!(object["data_version"]["version"], 1);
    assert_eq!(object["unpromised"], Value::Null);
}

#[test]
fn a_lock_tells_which_break_decides() {
    let graph = saved(vec![node("relu", &["X"]), node("aten::gather.out", &[])]);
    let run = reads(&graph, &["model.graph"]);
    assert!(run.stdout.contains("2.0.0 and later can read it"), "{}", run.stdout);
    assert!(run.stdout.contains("its readers need data version 2\n  help: which break"), "{}", run.stdout);
    let run = reads(&graph, &["model.graph", "--lock", "ops.lock"]);
    let expected = "\n  `aten::gather.out.axis` (node 1 of block 0) means something else below data version 2\n  \
                    2.0.0, the last release of its lock, can\n  of the";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    let run = reads(&graph, &["model.graph", "--lock", "ops.lock", "--message-format", "json"]);
    assert_eq!(objects(&run)[0]["data_version"]["because"], "aten::gather.out.axis");
    // A data version that no break of the graph needs: then the lock has told all that it knows.
    let mut declared = saved(vec![node("relu", &["X"])]);
    declared.stamps.get_mut("vision-ops").unwrap().min_consumer = 2;
    assert!(reads(&declared, &["model.graph"]).stdout.contains("--lock"));
    let run = reads(&declared, &["model.graph", "--lock", "ops.lock"]);
    assert!(run.stdout.contains("its readers need data version 2\n  2.0.0, the last"), "{}", run.stdout);
}

#[test]
fn a_release_that_reads_only_newer_data_is_told() {
    let graph = saved(vec![node("relu", &["X"])]);
    let released = "\"3.0.0\" = { date = \"2027-07-01\", graph = 3 }\n\n[saved]\ngraph.min_producer = ";
    let later = |min_producer: u32| {
        let version = "graph.version.3 = { text = \"c\", since = \"3.0.0\" }\n\n[op]";
        LOCK.replace("\n[saved]\n", &format!("{released}{min_producer}\n")).replace("\n[op]", version)
    };
    let (_root, folder) =
        folder(&[("reads.lock", &later(2)), ("old.lock", &later(3)), ("model.json", &graph.to_json().unwrap())]);
    let run = reads_in(&folder, &["model.json", "--lock", "reads.lock"]);
    let expected = "\
vision-ops: 1.0.0 and later can read it while `min_producer` is at most 2
  `relu` (node 0 of block 0) needs 1.0.0
  3.0.0, the last release of its lock, can
  of the releases that the writer knew: 1.0.0, 1.1.0, 2.0.0
";
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), expected), "{}", run.stderr);
    let run = reads_in(&folder, &["model.json", "--lock", "old.lock"]);
    let expected = "  3.0.0, the last release of its lock, cannot: written by vision-ops 2.0.0, and taken as of data version 2; this is 3.0.0, which \
                    reads data from version 3 on\n";
    assert!(run.stdout.contains(expected), "{}{}", run.stdout, run.stderr);
    let run = reads_in(&folder, &["model.json", "--lock", "old.lock", "--message-format", "json"]);
    let last = &objects(&run)[0]["last_release"];
    assert_eq!((&last["version"], &last["reads"], last["why"].is_string()), (&"3.0.0".into(), &false.into(), true));
    assert_eq!(objects(&run)[0]["producer"], 2);
}

#[test]
fn a_lock_of_another_package_is_told() {
    let graph = saved(vec![node("relu", &["X"])]);
    let other = LOCK.replace("package = \"vision-ops\"", "package = \"math-ops\"");
    let (_root, folder) = folder(&[("other.lock", &other), ("model.json", &graph.to_json().unwrap())]);
    let run = reads_in(&folder, &["model.json", "--lock", "other.lock"]);
    assert_eq!(run.code, Some(0));
    let told = "warning: other.lock is the lock of `math-ops`, which wrote nothing of the graph\n  help: name the locks of `vision-ops`\n";
    assert_eq!(run.stderr, told);
    assert!(!run.stdout.contains("the last release"), "{}", run.stdout);
}

/// What a function makes of a node only the build that has it knows.
#[test]
fn an_upgrade_function_that_is_asked_is_told() {
    let graph = saved(vec![node("relu", &["X"])]);
    let released = "\"3.0.0\" = { date = \"2027-07-01\", graph = 3 }\n\n[saved]\n";
    let later =
        LOCK.replace("\n[saved]\n", &format!("{released}graph.version.3 = {{ text = \"c\", since = \"3.0.0\" }}\n"));
    let functions = "\n[upgrade]\n\"aten::gather.out\".3 = { since = \"3.0.0\" }\nrelu.3 = { since = \"3.0.0\" }\n";
    let functions = format!("{functions}relu.2 = {{ since = \"2.0.0\" }}\n\n[op]");
    let later = later.replace("\n[op]", &functions);
    let (_root, folder) = folder(&[("ops.lock", &later), ("model.json", &graph.to_json().unwrap())]);
    let run = reads_in(&folder, &["model.json", "--lock", "ops.lock"]);
    let expected =
        "3.0.0, the last release of its lock, can, unless an upgrade function refuses a node: of `relu` before 3\n";
    assert!(run.stdout.contains(expected), "{}{}", run.stdout, run.stderr);
    let run = reads_in(&folder, &["model.json", "--lock", "ops.lock", "--message-format", "json"]);
    assert_eq!(objects(&run)[0]["last_release"]["functions"], serde_json::json!([{ "op": "relu", "before": 3 }]));
}

#[test]
fn what_each_release_reads_of_a_lock() {
    let graph = saved(vec![]);
    let run = reads(&graph, &["ops.lock"]);
    let expected = "\
1.0.0 (data version 1) cannot read `aten::gather.out` (`aten::gather.out.axis` changed at data version 2)
1.1.0 (data version 1) cannot read `aten::gather.out` (`aten::gather.out.axis` changed at data version 2)
2.0.0 (data version 2) reads every operator
";
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), expected));
    let objects = objects(&reads(&graph, &["ops.lock", "--message-format", "json"]));
    let versions: Vec<_> = objects.iter().map(|object| object["version"].as_str().unwrap()).collect();
    assert_eq!(versions, ["1.0.0", "1.1.0", "2.0.0"]);
    assert!(objects[0]["unreadable"]["aten::gather.out"].is_string());
    assert_eq!(objects[2]["unreadable"], serde_json::json!({}));
}

#[test]
fn bad_files_are_told_apart() {
    let graph = saved(vec![node("relu", &["X"])]);
    let mut nobody = graph.clone();
    nobody.owners.clear();
    let mut malformed = graph.clone();
    malformed.stamps.get_mut("vision-ops").unwrap().min_consumer = -1;
    let (_root, folder) = folder(&[
        ("ops.lock", LOCK),
        ("nobody.json", &nobody.to_json().unwrap()),
        ("malformed.json", &malformed.to_json().unwrap()),
        ("broken.json", "{\n  \"magic\": 3"),
        ("broken.lock", "format = 1\npackage = \"x\"\nnonsense\n"),
        ("empty", ""),
    ]);
    let bytes = graph.to_bytes().unwrap();
    fs::write(folder.join("cut.graph"), &bytes[..bytes.len() - 3]).unwrap();
    fs::write(folder.join("noise"), [0, 159, 146, 150]).unwrap();
    for (file, code, says) in [
        ("missing.graph", 101, "there is no such file"),
        ("nobody.json", 101, "`relu`"),
        ("malformed.json", 101, "min_consumer is -1"),
        ("broken.json", 101, "broken.json: line 2"),
        ("broken.lock", 101, "broken.lock:3: "),
        ("empty", 101, "empty:"),
        ("cut.graph", 101, "damaged at byte"),
        ("noise", 101, "this is no graph of oplock"),
    ] {
        let run = reads_in(&folder, &[file]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{file}: {}", run.stderr);
        assert!(run.stderr.contains(says) && run.stderr.contains("help: "), "{file}: {}", run.stderr);
    }
    let run = reads_in(&folder, &["ops.lock", "--lock", "ops.lock"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let run = reads_in(&folder, &["nobody.json", "--lock", "missing.lock"]);
    assert!(run.code == Some(101) && run.stderr.contains("missing.lock: there is no such file"), "{}", run.stderr);
}
