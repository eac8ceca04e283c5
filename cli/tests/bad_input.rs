//! Bad input of every kind: a clear error that names file and line, the right exit code, no panic.

mod common;

use std::fs;

use common::{folder, run_in};

const EMPTY: &str = "format = 1\npackage = \"x\"\n";

/// Each file, what the error must say, and that it never is anything else than 101.
#[test]
fn files_that_cannot_be_read() {
    for (name, text, expected) in [
        ("x.lock", "", "x.lock:1: the lock does not say its `format`"),
        ("x.lock", "format = 99\npackage = \"x\"\n", "x.lock:1: the lock has format 99"),
        ("x.lock", "format = 1\npackage = \"x\"\nfoo = 1\n", "x.lock:3: "),
        ("x.lock", "format = 1\npackage = \"x\"\n<<<<<<< HEAD\n", "x.lock:3: a merge conflict is not resolved"),
        (
            "x.lock",
            "format = 1\npackage = \"x\"\n[op]\na.unreleased = true\na.unreleased = true\n",
            "the first is on line 4",
        ),
        ("x.lock", "format = \n", "x.lock:1: "),
        ("x.lock", "[1, 2]", "x.lock:1: "),
        ("x.spec", "", "x.spec:1:"),
        ("x.spec", "[]", "x.spec:1:1: the file must be an object, not a list"),
        ("x.spec", "{", "x.spec:1:"),
        (
            "x.spec",
            "{\n\"slice\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {\"a\": {\"type\": 18}}}}",
            "x.spec:2:64: operator `slice`, attribute `a`: 18 is not the number of a type",
        ),
        (
            "x.spec",
            "{\"slice\": {\"Inputs\": {\"X\": {\"dispensible\": true}}}}",
            "input `X`: the key \"dispensible\" is not known; did you mean `dispensable`?",
        ),
        (
            "x.spec",
            "{\"a\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {}}, \"a\": {}}",
            "the key \"a\" a second time",
        ),
        ("x.spec", "{\"a\": NaN}", "an operator must be an object, not a number"),
        ("x.spec", "{\"a\": nope}", "not JSON"),
        // What a file is is told by what it holds, whatever its name.
        ("x.lock", "{\"a\": 1}", "x.lock:1:7: operator `a`: an operator must be an object"),
    ] {
        let (_root, folder) = folder(&[(name, text), ("good.lock", EMPTY)]);
        for args in [&["diff", name, "good.lock"][..], &["diff", "good.lock", name], &["print", name]] {
            let run = run_in(&folder, args);
            assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""), "{args:?} {text}: {}", run.stderr);
            assert!(run.stderr.starts_with("error: ") && run.stderr.contains(expected), "{text}: {}", run.stderr);
            assert!(run.stderr.contains("help: "), "{}", run.stderr);
        }
    }
}

#[test]
fn a_spec_may_be_named_anything() {
    let (_root, folder) = folder(&[("a", "\u{feff} {}"), ("b", EMPTY)]);
    let run = run_in(&folder, &["diff", "a", "b"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn what_is_no_text_file() {
    let (_root, folder) = folder(&[("good.lock", EMPTY), ("folder/x", "")]);
    fs::write(folder.join("bytes"), [0xff, 0xfe, 0x00]).unwrap();
    for (name, expected) in [
        ("missing", "missing: there is no such file"),
        ("folder", "cannot read folder"),
        ("bytes", "bytes:byte 0: the file is damaged or cut off"),
    ] {
        for args in [["diff", name, "good.lock"], ["diff", "good.lock", name]] {
            let run = run_in(&folder, &args);
            assert_eq!(run.code, Some(101), "{args:?}: {}", run.stderr);
            assert!(run.stderr.contains(expected) && run.stderr.contains("help: "), "{}", run.stderr);
        }
    }
}

/// The help of a file that is not there, or is something else, names what was wanted.
#[test]
fn a_file_is_asked_for_by_its_kind() {
    let model = b"\x08\x08\x3a\x00";
    let (_root, folder) = folder(&[("x.lock", EMPTY), ("README.md", "# Models\n"), ("empty", ""), ("d/x", "")]);
    fs::write(folder.join("m.onnx"), model).unwrap();
    fs::write(folder.join("a model.onnx"), model).unwrap();
    fs::write(folder.join("not_utf8.spec"), b"{\"a\": {\"Inputs\": {\"X\xff").unwrap();
    fs::write(folder.join("noise"), [0, 159, 146, 150]).unwrap();
    let definitions = "help: name an ops.lock, or a file of definitions of PaddlePaddle, TensorFlow or ONNX\n";
    let model =
        "help: name a graph of oplock, a PaddlePaddle program (.pdmodel, __model__), an ONNX model, a TensorFlow graph";
    let graph = "help: name a graph that `Program::save` made, as protobuf or as JSON, or an ops.lock\n";
    for (args, says, help) in [
        (&["diff", "no", "x.lock"][..], "no: there is no such file", definitions),
        (&["diff", "d", "x.lock"], "cannot read d: ", definitions),
        (
            &["diff", "README.md", "x.lock"],
            "README.md:1: this is no lock, and nothing else that is known: ",
            definitions,
        ),
        (&["diff", "empty", "x.lock"], "empty:1: the file is empty", definitions),
        (
            &["diff", "x.lock", "m.onnx"],
            "m.onnx: the ONNX model is no file of definitions",
            "`cargo oplock model show m.onnx`",
        ),
        (
            &["diff", "x.lock", "a model.onnx"],
            "a model.onnx: the ONNX model is no file of definitions",
            "`cargo oplock model show 'a model.onnx'`",
        ),
        (
            &["diff", "not_utf8.spec", "x.lock"],
            "cannot read not_utf8.spec: invalid utf-8 sequence of 1 bytes from index 20",
            definitions,
        ),
        (&["model", "check", "no", "--against", "x.lock"], "no: there is no such file", model),
        (&["model", "check", "d", "--against", "x.lock"], "cannot read d: ", model),
        (&["model", "check", "noise", "--against", "x.lock"], "noise: this is no model", model),
        (&["model", "check", "m.onnx", "--against", "no"], "no: there is no such file", definitions),
        (
            &["model", "check", "m.onnx", "--against", "m.onnx"],
            "m.onnx: the ONNX model is no file",
            "`cargo oplock model",
        ),
        (&["reads", "no"], "no: there is no such file", graph),
        (&["reads", "d"], "cannot read d: ", graph),
        (&["reads", "README.md"], "README.md:1: this is no graph, and no lock either: ", graph),
        (&["reads", "noise"], "noise: this is no graph", graph),
        (&["check", "--manifest-path", "d/Cargo.toml"], "cargo cannot read the workspace", "`--manifest-path PATH`"),
    ] {
        let run = run_in(&folder, args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(says) && run.stderr.contains(help), "{args:?}: {}", run.stderr);
    }
    fs::write(folder.join("cut.lock"), "format = 1\npackage = \"x\"\nfoo = 1\n").unwrap();
    let damaged = run_in(&folder, &["diff", "cut.lock", "x.lock"]);
    assert!(damaged.stderr.contains("restore it (`git checkout cut.lock`)"), "{}", damaged.stderr);
}

#[test]
fn hostile_nesting_is_an_error() {
    let deep = format!("{{\"a\": {}", "{\"Inputs\": ".repeat(50_000));
    let lists = "[".repeat(100_000);
    let list =
        format!("{{\"a\": {{\"Inputs\": {{}}, \"Outputs\": {{}}, \"Attrs\": {{\"x\": {{\"default_value\": {lists}");
    for text in [&deep, &list, &format!("a = {lists}")] {
        let (_root, folder) = folder(&[("x", text)]);
        assert_eq!(run_in(&folder, &["print", "x"]).code, Some(101));
    }
}

#[test]
fn wrong_usage() {
    let (_root, folder) = folder(&[("x.lock", EMPTY)]);
    for args in [
        &["frobnicate"][..],
        &[],
        &["diff"],
        &["diff", "x.lock"],
        &["diff", "x.lock", "x.lock", "--message-format", "xml"],
        &["diff", "x.lock", "x.lock", "--relaxations", "patch"],
        &["check", "--frobnicate"],
        &["plan"],
        &["plan", "minor"],
        &["plan", "2.0"],
        &["plan", "2.0.0-rc.1"],
        &["init", "--released", "one"],
        &["withdraw"],
        &["print", "x.lock", "--source"],
        &["explain", "a", "b"],
    ] {
        let run = run_in(&folder, args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version() {
    let (_root, folder) = folder(&[("x", "")]);
    for args in [&["--help"][..], &["--version"], &["help", "diff"], &["check", "--help"]] {
        let run = run_in(&folder, args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        assert!(!run.stdout.is_empty(), "{args:?}");
    }
}
