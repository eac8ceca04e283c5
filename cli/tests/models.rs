//! `cargo oplock model` and `cargo oplock audit`.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, folder, run_in};
use oplock_core::{Lock, Value as Attr};
use oplock_graph::{Block, Graph, Package};
use oplock_interop::models::{AnyModel, Verdict};
use oplock_interop::paddle::program::Program;
use oplock_registry::Node;
use serde_json::Value;
use tempfile::TempDir;

/// Two releases: the second has no `use_fast`, which was Extra, and asks for `axis`.
const OLD: &str = r#"{"scale": {
    "Inputs": {"X": {"duplicable": false, "dispensable": false, "intermediate": false, "extra": false, "quant": false}},
    "Outputs": {"Out": {"duplicable": false, "dispensable": false, "intermediate": false, "extra": false, "quant": false}},
    "Attrs": {"by": {"type": 1, "generated": false, "default_value": 1.0, "extra": false, "quant": false},
              "use_fast": {"type": 6, "generated": false, "default_value": false, "extra": true, "quant": false}}}}"#;
const NEW: &str = r#"{"scale": {
    "Inputs": {"X": {"duplicable": false, "dispensable": false, "intermediate": false, "extra": false, "quant": false}},
    "Outputs": {"Out": {"duplicable": false, "dispensable": false, "intermediate": false, "extra": false, "quant": false}},
    "Attrs": {"by": {"type": 0, "generated": false, "default_value": 1, "extra": false, "quant": false}}}}"#;

fn program(by: Option<f32>, is_fast: Option<bool>) -> Vec<u8> {
    program_of(vec![scale(by, is_fast)])
}

fn program_of(nodes: Vec<Node>) -> Vec<u8> {
    let graph = Graph { blocks: vec![Block { nodes, ..Block::default() }], ..Graph::default() };
    Program::of_graph(&graph, &BTreeMap::new(), 2_002_002, &BTreeMap::new()).unwrap().to_bytes()
}

fn scale(by: Option<f32>, is_fast: Option<bool>) -> Node {
    let mut node = Node::new("scale");
    node.inputs.insert("X".to_owned(), vec!["x".to_owned()]);
    node.outputs.insert("Out".to_owned(), vec!["y".to_owned()]);
    node.attrs.extend(by.map(|by| ("by".to_owned(), Attr::F32(by))));
    node.attrs.extend(is_fast.map(|fast| ("use_fast".to_owned(), Attr::Bool(fast))));
    node
}

/// A folder with both definitions, models, and files that are none.
fn models() -> (TempDir, PathBuf) {
    let (root, folder) = folder(&[
        ("old.spec", OLD),
        ("new.spec", NEW),
        ("zoo/README.md", "These are models."),
        ("zoo/config.json", "{\"a\": 1}"),
    ]);
    for (name, bytes) in [
        ("zoo/a/fast.pdmodel", program(Some(0.5), Some(true))),
        ("zoo/a/fast.pdiparams", vec![0, 0, 0, 0, 1]),
        ("zoo/b/plain.pdmodel", program(None, None)),
        ("zoo/c/__model__", program(Some(2.0), None)),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    (root, folder)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn run(folder: &Path, args: &[&str]) -> Run {
    run_in(folder, args)
}

const FAST: &str = "zoo/a/fast.pdmodel";

#[test]
fn check_says_whether_and_why() {
    let (_root, folder) = models();
    let loads = run(&folder, &["model", "check", FAST, "--against", "old.spec"]);
    assert_eq!((loads.code, loads.stdout.as_str()), (Some(0), ""));
    assert_eq!(loads.stderr, "       Loads zoo/a/fast.pdmodel by old.spec (1 node, written by PaddlePaddle 2.2.2)\n");
    let refused = run(&folder, &["model", "check", FAST, "--against", "new.spec"]);
    let expected = "\
attribute `by` of `scale` is of type `i32`, and the graph has a value of type `f32` (node 0 of block 0) [attribute_type]
  model: 0.5 of type f32
  definition: i32
  help: save it as `i32`
`scale` has no attribute `use_fast` here (node 0 of block 0) [unknown_attribute]
  model: true
  definition: not there
  help: name its writer's definitions by `--written-by DEFS`: what was Extra for it may be dropped; or save the model without `use_fast`
";
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(100), expected));
    assert!(refused.stderr.contains("Refused zoo/a/fast.pdmodel by new.spec"), "{}", refused.stderr);
    // Where its writer is known, what it promised is in other releases only.
    fs::write(folder.join("promised.spec"), OLD.replace("\"extra\": true", "\"extra\": false")).unwrap();
    let written_by = ["model", "check", FAST, "--against", "new.spec", "--written-by", "promised.spec"];
    let told = run(&folder, &written_by);
    let help = "  help: hold it against a release whose `scale` has `use_fast`, or save the model without it\n";
    assert!(told.code == Some(100) && told.stdout.contains(help), "{}", told.stdout);
    let export = run(&folder, &["model", "export", FAST, "--against", "new.spec", "-o", "out.pdmodel"]);
    assert!(export.code == Some(100) && export.stdout.contains("`--written-by DEFS`"), "{}", export.stdout);
    // Nothing but what was Extra for its writer is unknown here.
    fs::write(folder.join("extra.pdmodel"), program(None, Some(true))).unwrap();
    let json = ["model", "check", "extra.pdmodel", "--against", "new.spec", "--message-format", "json"];
    let unknown = run(&folder, &json);
    let line = &lines(&unknown.stdout)[0];
    assert_eq!((unknown.code, &line["problems"][0]["code"]), (Some(100), &"unknown_attribute".into()));
    assert_eq!((&line["problems"][0]["op"], &line["problems"][0]["item"]), (&"scale".into(), &"use_fast".into()));
    let known = run(&folder, &[&json[..], &["--written-by", "old.spec"]].concat());
    let line = &lines(&known.stdout)[0];
    assert_eq!((known.code, &line["verdict"], &line["format"]), (Some(0), &"loads".into(), &"paddle".into()));
    let note = "`scale.use_fast` is Extra, fits nothing that is Extra here, and was dropped (node 0 of block 0)";
    assert_eq!(line["notes"][0], note);
}

#[test]
fn what_is_no_model_is_told_so() {
    let (_root, folder) = models();
    for (file, expected) in [
        (
            "zoo/README.md",
            "zoo/README.md: this is no model that oplock reads: it is neither a protobuf of these nor a graph as JSON",
        ),
        ("nothing", "nothing: there is no such file"),
    ] {
        let run = run(&folder, &["model", "check", file, "--against", "old.spec"]);
        assert_eq!(run.code, Some(101));
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    let mut bytes = program(Some(0.5), None);
    bytes.truncate(20);
    fs::write(folder.join("cut.pdmodel"), bytes).unwrap();
    let run = run(&folder, &["model", "show", "cut.pdmodel"]);
    assert_eq!(run.code, Some(101));
    assert!(run.stderr.contains("cut.pdmodel: the PaddlePaddle program is damaged at byte"), "{}", run.stderr);
    assert!(
        run.stderr.contains("\n  help: take a whole copy of the file, or save the model again\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn show_prints_nodes() {
    let (_root, folder) = models();
    let human = run(&folder, &["model", "show", FAST]);
    let expected = "\
PaddlePaddle program, PaddlePaddle 2002002

block 0: blocks[0]
  given: x
    0 Out: y = scale(X: x) { by = 0.5, use_fast = true }
";
    assert_eq!((human.code, human.stdout.as_str()), (Some(0), expected));
    let json = run(&folder, &["model", "show", FAST, "--message-format", "json"]);
    let graph = Graph::from_json(&json.stdout).unwrap();
    assert_eq!(graph.blocks[0].nodes[0].op, "scale");
}

#[test]
fn export_clips() {
    let (_root, folder) = models();
    let exported = run(&folder, &["model", "export", FAST, "--against", "old.spec", "-o", "out.pdmodel"]);
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    assert_eq!(
        exported.stdout,
        "note: `scale.use_fast` was not its default, carries no promise, and was removed (node 0 of block 0)\n"
    );
    assert!(exported.stderr.contains("Exported out.pdmodel for a float model, without 1 item"), "{}", exported.stderr);
    assert_eq!(fs::read(folder.join("out.pdmodel")).unwrap(), program(Some(0.5), None));
    // What is there stays, the model itself too.
    for there in ["out.pdmodel", FAST] {
        let before = fs::read(folder.join(there)).unwrap();
        let refused = run(&folder, &["model", "export", FAST, "--against", "old.spec", "-o", there]);
        let expected = format!("{there}: there is something already, and nothing is overwritten");
        assert!(refused.code == Some(101) && refused.stderr.contains(&expected), "{}", refused.stderr);
        assert_eq!(fs::read(folder.join(there)).unwrap(), before);
    }
    // What the temporary file is called is nobody's matter.
    for (output, why) in
        [("nowhere/x", "No such file or directory (os error 2)"), ("out.pdmodel/x", "Not a directory (os error 20)")]
    {
        let nowhere = run(&folder, &["model", "export", FAST, "--against", "old.spec", "-o", output]);
        let expected = format!("cannot write {output}: {why}\n");
        assert!(nowhere.code == Some(101) && nowhere.stderr.contains(&expected), "{}", nowhere.stderr);
    }
    // A program is written as protobuf, and only a graph of oplock as what the file's name says.
    assert!(!exported.stderr.contains("protobuf"), "{}", exported.stderr);
    let named = run(&folder, &["model", "export", FAST, "--against", "old.spec", "-o", "out.json"]);
    assert!(named.stderr.contains("Note it is protobuf, whatever its name says"), "{}", named.stderr);
    assert_eq!(fs::read(folder.join("out.json")).unwrap(), program(Some(0.5), None));
    let refused = run(&folder, &["model", "export", FAST, "--against", "new.spec", "-o", "not.pdmodel"]);
    assert_eq!((refused.code, folder.join("not.pdmodel").exists()), (Some(100), false));
}

/// One operator with something Extra, of which the places of operands are promised.
const LOCK: &str = r#"format = 1
package = "x-ops"
operands = "positional"

[release]
"1.0.0" = { date = "2026-03-01" }

[op]
"Scale.v1".since = "1.0.0"
"Scale.v1".input.X = { at = 1 }
"Scale.v1".output.Y = { at = 1 }
"Scale.v1".attr.fast = { type = "i64", default = 0, extra = true }
"#;

/// A field of a protobuf message that has a length below 128.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap();
    assert!(length < 128);
    [&[number << 3 | 2, length][..], content].concat()
}

/// A model of ONNX of one `Scale` that is fast.
fn onnx(inputs: &[&str]) -> Vec<u8> {
    let fast = [&field(1, b"fast")[..], &[0x18, 1, 0xa0, 1, 2]].concat();
    let inputs: Vec<u8> = inputs.iter().flat_map(|input| field(1, input.as_bytes())).collect();
    let node = [inputs, field(2, b"y"), field(4, b"Scale"), field(5, &fast)].concat();
    [&[8, 8][..], &field(7, &field(1, &node)), &field(8, &[0x10, 1])].concat()
}

/// A graph of `TensorFlow` of the same.
fn graph_def() -> Vec<u8> {
    let fast = field(5, &[field(1, b"fast"), field(2, &[0x18, 1])].concat());
    let node = [field(1, b"y"), field(2, b"Scale"), field(3, b"x"), fast].concat();
    [field(1, &node), field(4, &[8, 100])].concat()
}

#[test]
fn what_is_not_written_is_exported_as_a_graph() {
    let tensorflow = LOCK.replace("\"Scale.v1\"", "Scale");
    let (_root, folder) = folder(&[("onnx.lock", LOCK), ("tf.lock", &tensorflow)]);
    for (file, bytes, lock, format) in [
        ("m.onnx", onnx(&["x"]), "onnx.lock", "the ONNX model"),
        ("m.pb", graph_def(), "tf.lock", "the TensorFlow graph"),
    ] {
        fs::write(folder.join(file), bytes).unwrap();
        let outputs = [format!("{file}.json"), format!("{file}.graph")];
        for output in &outputs {
            let exported = run(&folder, &["model", "export", file, "--against", lock, "-o", output]);
            assert_eq!(exported.code, Some(0), "{}", exported.stderr);
            assert!(exported.stdout.contains(".fast` was not its default, carries no promise, and was removed"));
            let told = format!(
                "such as weights: {format} is read and not written; graphs of oplock and PaddlePaddle programs"
            );
            assert!(exported.stderr.contains(&told), "{}", exported.stderr);
            let checked = run(&folder, &["model", "check", output, "--against", lock]);
            assert_eq!(checked.code, Some(0), "{}", checked.stderr);
            assert!(checked.stderr.contains("written by x-ops 1.0.0"), "{}", checked.stderr);
        }
        let graph = Graph::from_json(&fs::read_to_string(folder.join(&outputs[0])).unwrap()).unwrap();
        assert_eq!(Graph::from_bytes(&fs::read(folder.join(&outputs[1])).unwrap()).unwrap(), graph);
        let node = &graph.blocks[0].nodes[0];
        assert_eq!((node.inputs["X"].as_slice(), node.attrs.len(), node.extra.len()), (&["x".to_owned()][..], 0, 0));
    }
    fs::write(folder.join("two.onnx"), onnx(&["x", "z"])).unwrap();
    let refused = run(&folder, &["model", "export", "two.onnx", "--against", "onnx.lock", "-o", "not.graph"]);
    assert_eq!((refused.code, folder.join("not.graph").exists()), (Some(100), false));
    assert!(refused.stdout.contains("[unknown_input]"), "{}", refused.stdout);
    // Where places are not promised, nobody knows which operand is which.
    let by_name =
        LOCK.replace("operands = \"positional\"\n", "").replace("X = { at = 1 }", "X = {}\n\"Scale.v1\".input.W = {}");
    fs::write(folder.join("by_name.lock"), by_name.replace("Y = { at = 1 }", "Y = {}")).unwrap();
    for command in [&["model", "check"][..], &["model", "export", "-o", "not.graph"]] {
        let told = run(&folder, &[command, &["m.onnx", "--against", "by_name.lock"]].concat());
        assert_eq!(told.code, Some(101));
        let expected = "the lock of x-ops does not say where those of `Scale.v1` stand";
        assert!(told.stderr.contains(expected) && told.stderr.contains("promise the places"), "{}", told.stderr);
    }
}

#[test]
fn audit_tells_of_every_model_in_order() {
    let (_root, folder) = models();
    let audited = run(&folder, &["audit", "zoo", "--against", "new.spec", "--jobs", "2"]);
    assert_eq!(audited.code, Some(100), "{}", audited.stderr);
    let lines = lines(&audited.stdout);
    let told: Vec<_> =
        lines[1..4].iter().map(|line| (line["path"].as_str().unwrap(), line["verdict"].as_str().unwrap())).collect();
    assert_eq!(
        told,
        [("zoo/a/fast.pdmodel", "refused"), ("zoo/b/plain.pdmodel", "loads"), ("zoo/c/__model__", "refused")]
    );
    assert_eq!((&lines[0]["reason"], &lines[0]["against"]), (&"audit".into(), &"new.spec".into()));
    let summary = &lines[4];
    assert_eq!(
        (&summary["models"], &summary["loads"], &summary["refused"], &summary["other_files"]),
        (&3.into(), &1.into(), &2.into(), &3.into())
    );
    assert_eq!(summary["causes"][0].to_string(), r#"{"code":"attribute_type","op":"scale","item":"by","models":2}"#);
    assert!(audited.stderr.contains("Refused 2 models for attribute_type scale.by"), "{}", audited.stderr);
    assert!(audited.stderr.contains("Finished 3 models by new.spec: 1 load, 2 do not"), "{}", audited.stderr);
    // The same on any number of threads.
    assert_eq!(run(&folder, &["audit", "zoo", "--against", "new.spec", "--jobs", "1"]).stdout, audited.stdout);
    assert_eq!(run(&folder, &["audit", "zoo", "--against", "old.spec"]).code, Some(0));
    let raised = run(&folder, &["audit", "zoo", "--against", "old.spec", "--if-min-producer", "2003000"]);
    assert_eq!(raised.code, Some(100));
    assert!(raised.stderr.contains("Refused 3 models for too_old"), "{}", raised.stderr);
}

/// What only a node behind the first hundred problems has is a cause as well, also where the line is from an earlier run.
#[test]
fn an_audit_counts_causes_that_no_line_has_room_for() {
    let (_root, folder) = folder(&[("new.spec", NEW)]);
    let mut nodes = vec![scale(Some(0.5), None); 120];
    nodes.extend([scale(Some(0.5), Some(true)), scale(None, Some(true))]);
    let mut other = scale(None, None);
    other.op = "gone".to_owned();
    nodes.push(other);
    fs::create_dir(folder.join("zoo")).unwrap();
    fs::write(folder.join("zoo/large.pdmodel"), program_of(nodes)).unwrap();
    let audit = ["audit", "zoo", "--against", "new.spec", "--output", "lines.jsonl"];
    assert_eq!(run(&folder, &audit).code, Some(100));
    let text = fs::read_to_string(folder.join("lines.jsonl")).unwrap();
    let told = lines(&text);
    assert_eq!((told[1]["problems"].as_array().unwrap().len(), &told[1]["more"]), (100, &24.into()));
    let beyond = r#"[{"code":"unknown_attribute","op":"scale","item":"use_fast"},{"code":"unknown_op","op":"gone","item":null}]"#;
    assert_eq!(told[1]["more_causes"].to_string(), beyond);
    let causes: Vec<_> = told[2]["causes"].as_array().unwrap().iter().map(Value::to_string).collect();
    let expected = [
        r#"{"code":"attribute_type","op":"scale","item":"by","models":1}"#,
        r#"{"code":"unknown_attribute","op":"scale","item":"use_fast","models":1}"#,
        r#"{"code":"unknown_op","op":"gone","item":null,"models":1}"#,
    ];
    assert_eq!(causes, expected);
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(folder.join("lines.jsonl"), &text[..end]).unwrap();
    assert_eq!(run(&folder, &[&audit[..], &["--resume"]].concat()).code, Some(100));
    assert_eq!(fs::read_to_string(folder.join("lines.jsonl")).unwrap(), text);
}

/// A file is looked at once, however often and in whatever way it is named, and called as it was named first.
#[test]
fn an_audit_counts_a_file_once_however_it_is_named() {
    let (_root, folder) = models();
    let paths = |args: &[&str]| -> Vec<String> {
        let audited = run(&folder, &[&["audit"], args, &["--against", "new.spec"]].concat());
        let lines = lines(&audited.stdout);
        lines.iter().filter_map(|line| line["path"].as_str().map(str::to_owned)).collect()
    };
    for (args, expected) in [
        (&["zoo", "./zoo/"][..], ["zoo/a/fast.pdmodel", "zoo/b/plain.pdmodel", "zoo/c/__model__"]),
        (&["./zoo/", "zoo"], ["./zoo/a/fast.pdmodel", "./zoo/b/plain.pdmodel", "./zoo/c/__model__"]),
        (&["zoo//b", "zoo", ".//zoo/./c"], ["zoo//b/plain.pdmodel", "zoo/a/fast.pdmodel", "zoo/c/__model__"]),
        (&["zoo", "./zoo/a//fast.pdmodel"], ["zoo/a/fast.pdmodel", "zoo/b/plain.pdmodel", "zoo/c/__model__"]),
    ] {
        assert_eq!(paths(args), expected, "{args:?}");
    }
    // A run that names them in another order goes on with the same files.
    let first = ["audit", "zoo", "./zoo", "--against", "new.spec", "--output", "lines.jsonl"];
    let again = ["audit", "./zoo", "zoo", "--against", "new.spec", "--output", "lines.jsonl", "--resume"];
    assert_eq!(run(&folder, &first).code, Some(100));
    let expected = fs::read_to_string(folder.join("lines.jsonl")).unwrap();
    assert_eq!(run(&folder, &again).code, Some(100));
    let models = |text: &str| lines(text).iter().filter(|line| line["reason"] == "model").count();
    assert_eq!(models(&fs::read_to_string(folder.join("lines.jsonl")).unwrap()), models(&expected));
}

#[test]
fn a_file_that_cannot_be_read_does_not_end_an_audit() {
    let (_root, folder) = models();
    fs::write(folder.join("zoo/b/cut.pdmodel"), &program(Some(0.5), None)[..20]).unwrap();
    let audited = run(&folder, &["audit", "zoo", "--against", "old.spec"]);
    assert_eq!(audited.code, Some(101));
    let lines = lines(&audited.stdout);
    assert_eq!((&lines[2]["verdict"], lines.len()), (&"unreadable".into(), 6));
    assert!(
        lines[2]["error"].as_str().unwrap().starts_with("the PaddlePaddle program is damaged at byte"),
        "{}",
        lines[2]
    );
    let nothing = run(&folder, &["audit", "nowhere", "--against", "old.spec"]);
    assert_eq!((nothing.code, nothing.stderr.contains("cannot read nowhere")), (Some(101), true), "{}", nothing.stderr);
}

/// A folder that may not be read, a pipe that nobody writes into and links that go nowhere are told, and the others are looked at.
#[cfg(unix)]
#[test]
fn what_cannot_be_looked_at_does_not_end_an_audit() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let (_root, folder) = models();
    let closed = folder.join("zoo/b/closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("x.pdmodel"), program(None, None)).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read it all the same.
    let is_closed = fs::read_dir(&closed).is_err();
    let made = std::process::Command::new("mkfifo").args(["zoo/pipe.onnx", "zoo/c/pipe"]).current_dir(&folder).status();
    assert!(made.unwrap().success());
    symlink("nowhere", folder.join("zoo/lost.onnx")).unwrap();
    symlink("round.onnx", folder.join("zoo/round.onnx")).unwrap();
    let audited = run(&folder, &["audit", "zoo", "--against", "old.spec"]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(audited.code, Some(101), "{}", audited.stderr);
    let lines = lines(&audited.stdout);
    let of = |verdict: &str| -> Vec<_> {
        let lines = lines.iter().filter(|line| line["verdict"] == verdict);
        lines.map(|line| (line["path"].as_str().unwrap(), line["error"].as_str().unwrap_or_default())).collect()
    };
    let unreadable = of("unreadable");
    let mut expected = vec!["zoo/c/pipe", "zoo/lost.onnx", "zoo/pipe.onnx", "zoo/round.onnx"];
    if is_closed {
        expected.insert(0, "zoo/b/closed");
        assert!(unreadable[0].1.starts_with("the folder cannot be read: Permission denied"), "{}", unreadable[0].1);
    }
    assert_eq!(unreadable.iter().map(|(path, _)| *path).collect::<Vec<_>>(), expected);
    let pipes = unreadable.iter().filter(|(path, _)| path.contains("pipe"));
    assert!(pipes.clone().all(|(_, error)| error.contains("no regular file")), "{unreadable:?}");
    let mut loads = vec!["zoo/a/fast.pdmodel", "zoo/b/plain.pdmodel", "zoo/c/__model__"];
    if !is_closed {
        loads.insert(1, "zoo/b/closed/x.pdmodel");
    }
    assert_eq!(of("loads").iter().map(|(path, _)| *path).collect::<Vec<_>>(), loads);
    assert!(audited.stderr.contains(&format!("{} unreadable", expected.len())), "{}", audited.stderr);
    // A pipe that is given is told as well.
    let given = run(&folder, &["audit", "zoo/c/pipe", "zoo/a", "--against", "old.spec"]);
    assert_eq!(given.code, Some(101));
    assert!(given.stdout.contains("no regular file") && given.stderr.contains("1 load"), "{}", given.stdout);
}

#[test]
fn what_is_named_as_a_model_must_be_one() {
    let (_root, folder) = models();
    for (name, bytes) in [
        ("zoo/d/empty.onnx", &b""[..]),
        ("zoo/d/pointer.onnx", b"version https://git-lfs.github.com/spec/v1\n"),
        ("zoo/d/cut.pdmodel", b"\x0a"),
        ("zoo/d/frozen.pb", b""),
        ("zoo/e/__model__", b"\x80"),
        // Neither is a model, nor is it damaged: a tensor beside a model of ONNX, and what TensorFlow keeps beside a SavedModel.
        ("zoo/f/input_0.pb", b"\x08\x02\x10\x01\x42\x01x\x4a\x08\0\0\0\0\0\0\0\0"),
        ("zoo/f/fingerprint.pb", b"\x08\x07\x10\x09\x18\x05"),
        ("zoo/f/keras_metadata.pb", b"\x0a\x06\x1a\x04root"),
        ("zoo/f/empty.txt", b""),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let mut damaged =
        vec!["zoo/d/cut.pdmodel", "zoo/d/empty.onnx", "zoo/d/frozen.pb", "zoo/d/pointer.onnx", "zoo/e/__model__"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.join("zoo/f/gone.onnx")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.join("zoo/f/gone.txt")).unwrap();
        damaged.push("zoo/f/gone.onnx");
    }
    let audited = run(&folder, &["audit", "zoo", "--against", "old.spec"]);
    assert_eq!(audited.code, Some(101), "{}", audited.stderr);
    let lines = lines(&audited.stdout);
    let unreadable = lines.iter().filter(|line| line["verdict"] == "unreadable");
    assert_eq!(unreadable.map(|line| line["path"].as_str().unwrap()).collect::<Vec<_>>(), damaged);
    let expected = format!("{} unreadable; 7 other files passed over", damaged.len());
    assert!(audited.stderr.contains(&expected), "{}", audited.stderr);
}

#[test]
fn an_audit_of_no_model_is_none() {
    let (_root, folder) = models();
    fs::create_dir(folder.join("empty")).unwrap();
    fs::create_dir(folder.join("texts")).unwrap();
    fs::write(folder.join("texts/a.txt"), "a").unwrap();
    for args in [&["empty"][..], &["texts", "empty"]] {
        let audited = run(&folder, &[&["audit"], args, &["--against", "old.spec"]].concat());
        assert_eq!((audited.code, lines(&audited.stdout).len()), (Some(101), 2), "{}", audited.stderr);
        let expected = format!("no file is a model in {}\n  help: name models, or folders of them", args.join(", "));
        assert!(audited.stderr.contains(&expected), "{}", audited.stderr);
    }
    // A part may have none.
    let part = run(&folder, &["audit", "empty", "--against", "old.spec", "--shard", "1/2"]);
    assert_eq!(part.code, Some(0), "{}", part.stderr);
}

#[test]
fn models_and_definitions_are_of_one_system() {
    let (_root, folder) = models();
    fs::write(folder.join("onnx.json"), r#"{"schemas": []}"#).unwrap();
    fs::write(folder.join("zoo/m.onnx"), b"\x08\x08\x3a\x00").unwrap();
    let refused = run(&folder, &["model", "check", FAST, "--against", "onnx.json"]);
    let expected = "\
the PaddlePaddle program is of PaddlePaddle, and the definitions onnx are ONNX's [other_system]
  model: PaddlePaddle
  definition: ONNX
  help: hold it against definitions of PaddlePaddle
";
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(100), expected), "{}", refused.stderr);
    let audited = run(&folder, &["audit", "zoo", "--against", "old.spec"]);
    assert_eq!(audited.code, Some(100));
    assert!(audited.stderr.contains("Refused 1 model for other_system"), "{}", audited.stderr);
    assert!(audited.stderr.contains("4 models by old.spec: 3 load, 1 do not"), "{}", audited.stderr);
    let exported = run(&folder, &["model", "export", FAST, "--against", "onnx.json", "-o", "x"]);
    assert!(exported.code == Some(100) && exported.stdout.contains("[other_system]"), "{}", exported.stderr);
    // Of what says nothing here, that is said.
    fs::write(folder.join("x.opver.json"), "{}").unwrap();
    for (model, args, expected) in [
        (
            FAST,
            &["--written-by", "onnx.json"][..],
            "`--written-by` has definitions of ONNX, and `--against` those of PaddlePaddle",
        ),
        (
            "zoo/m.onnx",
            &["--against", "onnx.json", "--op-versions", "x.opver.json"],
            "`--op-versions` says nothing of definitions of ONNX",
        ),
        ("zoo/m.onnx", &["--op-versions", "x.opver.json"], "`--op-versions` says nothing of the ONNX model"),
    ] {
        let against = if args.contains(&"--against") { &[][..] } else { &["--against", "old.spec"] };
        let told = run(&folder, &[&["model", "check", model][..], against, args].concat());
        assert!(told.code == Some(2) && told.stderr.contains(expected), "{expected}: {}", told.stderr);
    }
}

#[test]
fn upgrade_functions_are_told_of_in_an_audit() {
    let lock = |rest: &str| {
        format!("format = 1\npackage = \"nn\"\n\n[release]\n\"1.0.0\" = {{ date = \"2026-03-01\" }}\n{rest}")
    };
    let old = lock(
        "\n[op]\ncrop.since = \"1.0.0\"\ncrop.attr.by = { type = \"i32\", default = 1 }\npad.since = \"1.0.0\"\npad.attr.by = { type = \"i32\", default = 1 }\n",
    );
    let new = lock(
        "\"2.0.0\" = { date = \"2026-07-01\", graph = 2 }\n\n[saved]\ngraph.version.2 = { text = \"by is long\", since = \"2.0.0\" }\n\n\
         [op]\ncrop.since = \"1.0.0\"\npad.since = \"1.0.0\"\npad.attr.by = { type = \"i32\", default = 2 }\n\n[upgrade]\npad.2 = { since = \"2.0.0\" }\ncrop.2 = { since = \"2.0.0\" }\n\n[ledger]\n\
         crop.\"2.0.0\".attr.by = { rule = \"attr_deleted\", version = 2, from = { type = \"i32\", default = 1, since = \"1.0.0\" } }\n\
         pad.\"2.0.0\".attr.by = { rule = \"attr_changed\", version = 2, from = { type = \"i32\", default = 1, since = \"1.0.0\" }, to = { type = \"i32\", default = 2 } }\n",
    );
    let (_root, folder) = folder(&[("ops.lock", new.as_str())]);
    let package = Package::of_lock(Lock::parse(&old, None).unwrap(), "1.0.0".parse().unwrap());
    let program = oplock_graph::Program::of([package]).unwrap();
    let mut node = Node::new("pad");
    node.attrs.insert("by".to_owned(), Attr::I32(3));
    let graph = Graph { blocks: vec![Block { nodes: vec![node], ..Block::default() }], ..Graph::default() };
    fs::create_dir(folder.join("zoo")).unwrap();
    fs::write(folder.join("zoo/a.graph"), program.save(&graph).unwrap().graph.to_bytes().unwrap()).unwrap();
    let audited = run(&folder, &["audit", "zoo", "--against", "ops.lock"]);
    let summary = lines(&audited.stdout).pop().unwrap();
    assert_eq!(
        (&summary["loads"], &summary["loads_by_functions"]),
        (&1.into(), &1.into()),
        "{summary} {}",
        audited.stdout
    );
    let expected =
        "1 load (1 of them if the upgrade functions do their part, which only the package's own build shows), 0 do not";
    assert!(audited.stderr.contains(expected), "{}", audited.stderr);

    // What a function decides is not told as refused, and what carries no record has no writer.
    let mut node = Node::new("crop");
    node.attrs.insert("by".to_owned(), Attr::I32(3));
    let graph = Graph { blocks: vec![Block { nodes: vec![node], ..Block::default() }], ..Graph::default() };
    fs::write(folder.join("zoo/b.graph"), program.save(&graph).unwrap().graph.to_bytes().unwrap()).unwrap();
    fs::write(folder.join("zoo/c.json"), graph.to_json().unwrap()).unwrap();
    let audited = run(&folder, &["audit", "zoo", "--against", "ops.lock"]);
    assert!(audited.stderr.contains("Undecided 1 model for unknown_attribute crop.by\n"), "{}", audited.stderr);
    assert_eq!(audited.stderr.matches("Refused").count(), 1, "{}", audited.stderr);
    let checked = run(&folder, &["model", "check", "zoo/c.json", "--against", "ops.lock"]);
    let expected = "Refused zoo/c.json by ops.lock (1 node, without a record of who wrote it)\n";
    assert!(checked.stderr.contains(expected), "{}", checked.stderr);
}

#[test]
fn parts_make_up_the_whole() {
    let (_root, folder) = models();
    let mut paths = Vec::new();
    for part in ["1/2", "2/2"] {
        let audited = run(&folder, &["audit", "zoo", "--against", "old.spec", "--shard", part]);
        let lines = lines(&audited.stdout);
        assert_eq!(lines[0]["shard"], part);
        paths.extend(lines.iter().filter(|line| line["reason"] == "model").map(|line| line["path"].to_string()));
    }
    paths.sort();
    assert_eq!(paths, ["\"zoo/a/fast.pdmodel\"", "\"zoo/b/plain.pdmodel\"", "\"zoo/c/__model__\""]);
    let wrong = run(&folder, &["audit", "zoo", "--against", "old.spec", "--shard", "3/2"]);
    assert_eq!((wrong.code, wrong.stderr.contains("write `2/8` for the second of eight")), (Some(2), true));
}

#[test]
fn an_audit_goes_on_where_it_was_stopped() {
    let (_root, folder) = models();
    let whole = ["audit", "zoo", "--against", "new.spec", "--output", "lines.jsonl"];
    assert_eq!(run(&folder, &whole).code, Some(100));
    let path = folder.join("lines.jsonl");
    let expected = fs::read_to_string(&path).unwrap();
    // What is there is not written over by mistake.
    let again = run(&folder, &whole);
    assert_eq!(
        (again.code, again.stderr.contains("lines.jsonl: it is there already")),
        (Some(101), true),
        "{}",
        again.stderr
    );
    let resume = [&whole[..], &["--resume"]].concat();
    let others = |text: &str| {
        text.replace("\"other_files\":3", "\"other_files\":N").replace("\"other_files\":2", "\"other_files\":N")
    };
    for end in (0..=expected.len()).step_by(97).chain([expected.len()]) {
        fs::write(&path, &expected[..end]).unwrap();
        let resumed = run(&folder, &resume);
        assert_eq!(resumed.code, Some(100), "{end}: {}", resumed.stderr);
        assert_eq!(others(&fs::read_to_string(&path).unwrap()), others(&expected), "stopped at byte {end}");
    }
    let other = ["audit", "zoo", "--against", "old.spec", "--output", "lines.jsonl", "--resume"];
    let other = run(&folder, &other);
    assert_eq!(
        (other.code, other.stderr.contains("it answers another question")),
        (Some(101), true),
        "{}",
        other.stderr
    );
    // Nor is the file of other models gone on with, though it has the same definitions.
    fs::write(&path, &expected).unwrap();
    for (models, goes_on) in [("./zoo", false), ("zoo/a", false), ("zoo/", true)] {
        let other = run(&folder, &["audit", models, "--against", "new.spec", "--output", "lines.jsonl", "--resume"]);
        assert_eq!(other.code, Some(if goes_on { 100 } else { 101 }), "{models}: {}", other.stderr);
        assert_eq!(
            other.stderr.contains("`models` of its first line is [\"zoo\"], and here"),
            !goes_on,
            "{}",
            other.stderr
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), expected, "{models}");
    }
    fs::write(folder.join("x.opver.json"), "{}").unwrap();
    let other = run(&folder, &[&resume[..], &["--op-versions", "x.opver.json"]].concat());
    assert!(other.code == Some(101) && other.stderr.contains("`digest` of its first line"), "{}", other.stderr);
    fs::write(&path, "something else\n").unwrap();
    let other = run(&folder, &resume);
    assert_eq!((other.code, other.stderr.contains("line 1 is no JSON")), (Some(101), true), "{}", other.stderr);
}

/// Measured with `OPLOCK_MODELS=10000 cargo test -p cargo-oplock --test models -- --nocapture many`; see docs/benchmarks.md.
#[test]
fn many_models_take_the_memory_of_a_few() {
    let Some(count) = std::env::var("OPLOCK_MODELS").ok().and_then(|count| count.parse::<usize>().ok()) else {
        return eprintln!("OPLOCK_MODELS is not set: skipped");
    };
    let (_root, folder) = models();
    let bytes = program(Some(0.5), Some(true));
    for index in 0..count {
        let path = folder.join(format!("many/{}/{index}.pdmodel", index % 100));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &bytes).unwrap();
    }
    let audited = run(&folder, &["audit", "many", "--against", "new.spec", "--output", "lines.jsonl"]);
    assert_eq!(audited.code, Some(100));
    let text = fs::read_to_string(folder.join("lines.jsonl")).unwrap();
    assert_eq!(text.lines().count(), count + 2);
}

#[test]
fn verdicts_have_words() {
    let words = [Verdict::Loads, Verdict::Refused, Verdict::Undecided].map(Verdict::key);
    assert_eq!(words, ["loads", "refused", "undecided"]);
    assert!(matches!(
        AnyModel::from_bytes(&program(None, None), oplock_graph::Limits::default()),
        Ok(AnyModel::Paddle(_))
    ));
}
