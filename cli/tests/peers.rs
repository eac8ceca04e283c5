//! `cargo oplock diff --rules …`: what another system would say, in which forms, and what has no sense under its rules.

mod common;

use std::path::{Path, PathBuf};

use common::{folder, run_in};
use serde_json::{Value, json};

fn interop() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../interop/tests/data")
}

fn paddle() -> PathBuf {
    interop().join("paddle_ci")
}

const PAIR: [&str; 7] = [
    "diff",
    "--rules",
    "paddle-ci",
    "paddle_gpu_2.2.2.spec",
    "paddle_gpu_2.3.0.spec",
    "--op-versions",
    "paddle_gpu_2.3.0.opver.json",
];

#[test]
fn the_report_of_paddles_check() {
    let run = run_in(&paddle(), &PAIR);
    assert_eq!(run.code, Some(100));
    let expected = std::fs::read_to_string(paddle().join("expected_peer_script_gpu_2.2.2__gpu_2.3.0.txt")).unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&run.stdout), sorted(&expected));
    assert_eq!(run.stderr, "    Finished 16 findings under the rules of paddle-ci\n");
}

#[test]
fn a_finding_of_a_peer_as_a_line_and_as_json() {
    let form = |format: &str| run_in(&paddle(), &[&PAIR[..], &["--message-format", format, "--quiet"]].concat());
    let (short, rows) = (form("short"), form("json"));
    assert_eq!((short.code, rows.code), (Some(100), Some(100)));
    assert_eq!(
        short.stdout.lines().next(),
        Some("share_buffer.attr.share_dims: The attr 'share_dims' is deleted. [deleted]")
    );
    let rows: Vec<Value> = rows.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        rows[0],
        json!({
            "schema": 1, "reason": "peer_finding", "rules": "paddle-ci", "rule": "deleted", "op": "share_buffer",
            "kind": "attr", "item": "share_dims", "message": "The attr 'share_dims' is deleted.",
        })
    );
    assert_eq!(rows.len(), short.stdout.lines().count());
}

#[test]
fn nothing_is_announced_where_no_registry_is_named() {
    let run = run_in(&paddle(), &PAIR[..5]);
    assert_eq!(run.code, Some(100));
    let unannounced = " * The added input 'Y' is not yet registered.\n";
    assert!(run.stdout.contains(unannounced), "{}", run.stdout);
    assert!(!run_in(&paddle(), &PAIR).stdout.contains(unannounced));
    assert!(run.stderr.contains("name that of NEW: `--op-versions NEW.opver.json`"), "{}", run.stderr);
}

#[test]
fn a_peer_with_nothing_to_say_says_nothing() {
    for (rules, same) in [
        ("paddle-ci", "paddle_ci/paddle_gpu_2.3.0.spec"),
        ("tensorflow", "paddle_ci/paddle_gpu_2.3.0.spec"),
        ("onnx", "onnx/onnx_1.17.0.json"),
    ] {
        let run = run_in(&interop(), &["diff", same, same, "--rules", rules, "--quiet"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{rules}: {}", run.stderr);
    }
}

const LOCK: &str = "format = 1\npackage = \"vision-ops\"\n[op]\nslice.unreleased = true\nslice.input.X = {}\n\
    slice.attr.scale = { type = \"f32\", default = 0.1 }\n";

#[test]
fn a_report_without_a_finding_is_explained() {
    let keys = "\"duplicable\": false, \"dispensable\": false, \"intermediate\": false";
    let spec =
        |keys: &str| format!("{{\"o\": {{\"Inputs\": {{\"X\": {{{keys}}}}}, \"Outputs\": {{}}, \"Attrs\": {{}}}}}}");
    let newer = spec(&format!("{keys}, \"extra\": false, \"quant\": false"));
    let (_keep, folder) = folder(&[("old.spec", &spec(keys)), ("new.spec", &newer), ("none.json", "{}")]);
    let arguments = ["diff", "old.spec", "new.spec", "--rules", "paddle-ci", "--op-versions", "none.json"];
    let run = run_in(&folder, &arguments);
    assert_eq!(run.code, Some(100));
    assert!(run.stdout.contains("Op desc error for the changes") && !run.stdout.contains("For OP"), "{}", run.stdout);
    assert!(run.stderr.contains("keys that only the newer file has"), "{}", run.stderr);
}

#[test]
fn locks_can_be_judged_as_paddle_would() {
    let changed = LOCK.replace("default = 0.1", "default = 0.2");
    let no_paddle = LOCK.replace("f32", "u32").replace("0.1", "1");
    let (_keep, folder) = folder(&[("old.lock", LOCK), ("new.lock", &changed), ("u32.lock", &no_paddle)]);
    let diff = |new| run_in(&folder, &["diff", "old.lock", new, "--rules", "paddle-ci", "--quiet"]);
    let run = diff("new.lock");
    assert!(
        run.stdout.contains(
            "For OP 'slice':\n * The arg 'default_value' of attr 'scale' is changed: from '0.10000000149011612' to '0.20000000298023224'.\n"
        ),
        "{}",
        run.stdout
    );
    let run = diff("u32.lock");
    assert_eq!(run.code, Some(101));
    assert!(run.stderr.contains("PaddlePaddle has no place for `u32`"), "{}", run.stderr);
}

#[test]
fn what_says_nothing_under_the_rules_is_refused() {
    for (arguments, error, help) in [
        (&["--rules", "onnx", "--witness"][..], "`--witness` says nothing under `--rules onnx`", "leave out `--rules`"),
        (&["--rules", "paddle-ci", "--breaks"], "`--breaks` says nothing under `--rules paddle-ci`", "leave out"),
        (
            &["--rules", "tensorflow", "--relaxations", "minor"],
            "`--relaxations` says nothing under `--rules tensorflow`",
            "leave it out",
        ),
        (
            &["--rules", "onnx", "--message-format", "sarif"],
            "findings under `--rules onnx` are not printed as `sarif`",
            "give `--message-format` as `human`, `short` or `json`",
        ),
        (
            &["--rules", "paddle-ci", "--message-format", "github"],
            "findings under `--rules paddle-ci` are not printed as `github`",
            "`human`, `short` or `json`",
        ),
        (
            &["--rules", "onnx", "--op-versions", "x.json"],
            "`--op-versions` says nothing under `--rules onnx`",
            "`--rules paddle-ci`",
        ),
        (&["--op-versions", "x.json"], "`--op-versions` says nothing under `--rules oplock`", "`--rules paddle-ci`"),
    ] {
        let files = ["diff", "paddle_gpu_2.2.2.spec", "paddle_gpu_2.3.0.spec"];
        let run = run_in(&paddle(), &[&files[..], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains(error) && run.stderr.contains(help), "{}", run.stderr);
    }
}

#[test]
fn a_registry_that_cannot_be_read_is_an_error() {
    let (_keep, folder) = folder(&[("a.spec", "{}"), ("bad.json", "{\"slice\": {\"version\": 1}}")]);
    for (registry, error, help) in [
        ("none.json", "none.json: there is no such file", "a .opver.json"),
        ("bad.json", "bad.json:1:11: operator `slice`: `checkpoints` is missing", "as a registry of op versions"),
    ] {
        let run = run_in(&folder, &["diff", "a.spec", "a.spec", "--rules", "paddle-ci", "--op-versions", registry]);
        assert_eq!(run.code, Some(101));
        assert!(run.stderr.contains(error) && run.stderr.contains(help), "{}", run.stderr);
    }
}

#[test]
fn schemas_that_onnx_changed_in_place() {
    let folder = interop().join("onnx");
    let diff = |format: &str| {
        let arguments = ["diff", "onnx_1.12.0.json", "onnx_1.17.0.json", "--rules", "onnx", "--message-format", format];
        run_in(&folder, &arguments)
    };
    let run = diff("human");
    let expected = "\
Conv.v11: the type constraint `T` names `tensor(float16)` twice, and named it once [changed_in_place]
GlobalLpPool.v2: the type constraint `T` allows `tensor(bfloat16)`, which it did not [changed_in_place]
GridSample.v16.input.grid: the type of input `grid` changed from `T1` to `T2` [changed_in_place]
GridSample.v16.output.Y: the type of output `Y` changed from `T2` to `T1` [changed_in_place]
";
    assert_eq!((run.code, run.stdout.as_str()), (Some(100), expected));
    assert_eq!(run.stderr, "    Finished 4 findings under the rules of onnx\n");
    let rows: Vec<Value> = diff("json").stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        rows[2],
        json!({
            "schema": 1, "reason": "peer_finding", "rules": "onnx", "rule": "changed_in_place", "op": "GridSample.v16",
            "kind": "input", "item": "grid", "message": "the type of input `grid` changed from `T1` to `T2`",
        })
    );
}

#[test]
fn what_is_no_schema_is_not_judged_as_one() {
    let spec = "paddle_ci/paddle_gpu_2.3.0.spec";
    let run = run_in(&interop(), &["diff", spec, spec, "--rules", "onnx"]);
    assert_eq!(run.code, Some(101));
    assert!(run.stderr.contains("the name of a schema ends in its version, as `Conv.v11` does"), "{}", run.stderr);
    // Which file it is, and what to compare: nothing here is printed.
    assert!(run.stderr.contains(&format!("error: {spec}: under `--rules onnx`")), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("warning: the operands of {spec} have no places")), "{}", run.stderr);
    assert!(run.stderr.contains("help: compare two files of that system, or leave out `--rules`\n"), "{}", run.stderr);
    let schemas = "onnx/onnx_1.13.1.json";
    let run = run_in(&interop(), &["diff", schemas, schemas, "--rules", "paddle-ci"]);
    assert_eq!(run.code, Some(101));
    assert!(run.stderr.contains(&format!("error: {schemas}: under `--rules paddle-ci`")), "{}", run.stderr);
}

#[test]
fn schemas_are_printed_as_they_were_read() {
    let schemas = "onnx/onnx_1.13.1.json";
    let print = |file: &str, folder: &Path, format: &str| {
        let run = run_in(folder, &["print", file, "--message-format", format]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let once = print(schemas, &interop(), "onnx");
    let (_keep, folder) = folder(&[("again.json", &once)]);
    assert_eq!(print("again.json", &folder, "onnx"), once);
    let schemas = interop().join(schemas);
    let run = run_in(&folder, &["diff", schemas.to_str().unwrap(), "again.json", "--rules", "onnx"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
}

#[test]
fn a_lock_keeps_the_places_of_operands() {
    for (file, format) in [("onnx/onnx_1.13.1.json", "onnx"), ("tensorflow_2.10.1_excerpt.json", "tensorflow")] {
        let print = |file: &str, folder: &Path, format: &str| {
            let run = run_in(folder, &["print", file, "--message-format", format]);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
            run.stdout
        };
        let lock = print(file, &interop(), "lock");
        assert!(lock.contains("operands = \"positional\"\n"), "{lock}");
        let (_keep, folder) = folder(&[("x.lock", &lock)]);
        let schemas = print("x.lock", &folder, format);
        std::fs::write(folder.join("x.json"), &schemas).unwrap();
        let file = interop().join(file);
        let diff = |old: &str, new: &str, arguments: &[&str]| {
            let run = run_in(&folder, &[&["diff", old, new, "--quiet"][..], arguments].concat());
            assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""), "{old} {new}");
        };
        let file = file.to_str().unwrap();
        for other in ["x.lock", "x.json"] {
            diff(file, other, &[]);
            diff(other, file, &[]);
            diff(file, other, &["--rules", format]);
        }
    }
}

#[test]
fn inputs_that_changed_their_places() {
    let schema = |inputs: [&str; 2]| {
        let input = |name| {
            format!(
                "{{\"name\": \"{name}\", \"option\": \"Single\", \"homogeneous\": true, \"type\": \"tensor(float)\"}}"
            )
        };
        format!(
            "{{\"schemas\": [{{\"domain\": \"\", \"name\": \"Op\", \"since_version\": 1, \"deprecated\": false, \
             \"inputs\": [{}], \"outputs\": [], \"attributes\": [], \"type_constraints\": []}}]}}",
            inputs.map(input).join(", ")
        )
    };
    let (old, new) = (schema(["A", "B"]), schema(["B", "A"]));
    let (_keep, folder) = folder(&[("old.json", &old), ("new.json", &new)]);
    let run = run_in(&folder, &["diff", "old.json", "new.json", "--message-format", "short"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stdout.contains("[operand_moved] (major)"), "{}", run.stdout);
    let run = run_in(&folder, &["diff", "old.json", "new.json", "--rules", "onnx", "--quiet"]);
    let expected = "Op.v1: the inputs were `A, B` in this order and are `B, A` [changed_in_place]\n";
    assert_eq!((run.code, run.stdout.as_str()), (Some(100), expected));
}

#[test]
fn a_lock_without_places_is_written_by_name_with_a_warning() {
    let lock = "format = 1\npackage = \"x\"\n[op]\n\"Op.v1\".unreleased = true\n\
        \"Op.v1\".input.B = { type = \"f32\" }\n\"Op.v1\".input.A = { type = \"f32\" }\n";
    let (_keep, folder) = folder(&[("x.lock", lock)]);
    let run = run_in(&folder, &["print", "x.lock", "--message-format", "onnx"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.find("\"A\"") < run.stdout.find("\"B\""), "{}", run.stdout);
    assert!(run.stderr.contains("the operands of x.lock have no places"), "{}", run.stderr);
}

#[test]
fn a_name_without_a_version_is_all_versions_of_it() {
    let print = |op: &str| {
        run_in(&interop().join("onnx"), &["print", "onnx_1.17.0.json", "--op", op, "--message-format", "short"])
    };
    let all = print("Acos");
    let named: Vec<_> = all.stdout.lines().filter_map(|line| line.split('(').next()).collect();
    assert_eq!((all.code, named), (Some(0), vec!["Acos.v22", "Acos.v7"]), "{}", all.stderr);
    assert_eq!(print("Acos.v7").stdout.lines().count(), 1);
    let none = print("Acoss");
    assert!(none.code == Some(2) && none.stderr.contains("no operator is named `Acoss`"), "{}", none.stderr);
}

#[test]
fn a_file_of_schemas_that_cannot_be_read_is_an_error() {
    let (_keep, folder) = folder(&[("bad.json", "{\"schemas\":\n [{\"domain\": 1}]}")]);
    let run = run_in(&folder, &["print", "bad.json"]);
    assert_eq!(run.code, Some(101));
    assert!(run.stderr.contains("bad.json:2:3: `name` is missing"), "{}", run.stderr);
    assert!(run.stderr.contains("this was read as ONNX's schemas"), "{}", run.stderr);
}

#[test]
fn tensorflows_definitions_in_their_forms() {
    let definitions = "tensorflow_2.10.1_excerpt.json";
    let print = |arguments: &[&str]| {
        let run = run_in(&interop(), &[&["print", definitions][..], arguments].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let json = print(&["--message-format", "tensorflow"]);
    let (_keep, folder) = folder(&[
        ("again.json", &json),
        ("text.pbtxt", "op {\n  name: \"Abs\"\n}\n"),
        ("binary.pb", "\n\u{5}\n\u{3}Abs"),
        ("bad.pbtxt", "op {\n  nam: \"Abs\"\n}\n"),
        ("bad.json", "{\"ops\": [\n{\"name\": 1}]}"),
        ("bad.pb", "\n\u{9}\n\u{3}Abs"),
    ]);
    let all = interop().join(definitions);
    let run = run_in(&folder, &["diff", all.to_str().unwrap(), "again.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    let one: Value = serde_json::from_str(&print(&["--message-format", "tensorflow", "--op", "AddN"])).unwrap();
    assert_eq!((one["ops"].as_array().unwrap().len(), &one["ops"][0]["name"]), (1, &json!("AddN")));
    for file in ["text.pbtxt", "binary.pb"] {
        let run = run_in(&folder, &["print", file, "--message-format", "short"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "Abs() -> ()\n"), "{file}: {}", run.stderr);
    }
    for (file, place) in [("bad.pbtxt", "bad.pbtxt:2:"), ("bad.json", "bad.json:2:"), ("bad.pb", "bad.pb:byte ")] {
        let run = run_in(&folder, &["print", file]);
        assert_eq!(run.code, Some(101), "{file}");
        assert!(run.stderr.contains(place), "{file}: {}", run.stderr);
        assert!(run.stderr.contains("this was read as TensorFlow's definitions"), "{file}: {}", run.stderr);
    }
}

#[test]
fn a_history_is_judged_as_tensorflow_judges_it() {
    let history = "{\"ops\": [\n\
        {\"name\": \"Op\", \"input_arg\": [], \"output_arg\": [], \"attr\": [{\"name\": \"a\", \"type\": \"int\"}]},\n\
        {\"name\": \"Op\", \"input_arg\": [], \"output_arg\": [], \"attr\": [{\"name\": \"a\", \"type\": \"int\"}, \
         {\"name\": \"b\", \"type\": \"int\", \"default_value\": {\"i\": 1}}]}]}";
    let newer = "{\"ops\": [{\"name\": \"Op\", \"input_arg\": [], \"output_arg\": [], \
        \"attr\": [{\"name\": \"b\", \"type\": \"int\", \"default_value\": {\"i\": 2}}]}]}";
    let (_keep, folder) = folder(&[("history.json", history), ("newer.json", newer)]);
    let run = run_in(&folder, &["diff", "history.json", "newer.json", "--rules", "tensorflow", "--quiet"]);
    let expected = "\
Op.attr.a: the attribute is gone, and graphs name it [attr_removed]
Op.attr.b: its default was 1, and is 2 [attr_default_changed]
";
    assert_eq!((run.code, run.stdout.as_str()), (Some(100), expected), "{}", run.stderr);
    let run = run_in(&folder, &["diff", "history.json", "history.json", "--rules", "tensorflow", "--quiet"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
}

/// With `OPLOCK_DATA` set to the folder that holds the whole of the real data: what a file states is the same after it
/// was written as a lock, and in its own form.
#[test]
fn all_real_files_are_written_as_they_were_read() {
    let Some(data) = std::env::var_os("OPLOCK_DATA") else { return };
    let mut files = 0;
    for (system, extension) in [("paddle", "spec"), ("onnx", "json"), ("tensorflow", "json")] {
        for file in std::fs::read_dir(Path::new(&data).join(system)).unwrap() {
            let path = file.unwrap().path();
            let file = path.to_str().unwrap();
            if path.extension().is_none_or(|it| it != extension) {
                continue;
            }
            for (format, name) in [("lock", "x.lock"), (system, "x.json")] {
                let printed = run_in(Path::new("."), &["print", file, "--message-format", format]);
                assert_eq!(printed.code, Some(0), "{file}: {}", printed.stderr);
                let (_keep, folder) = folder(&[(name, &printed.stdout)]);
                for pair in [[file, name], [name, file]] {
                    let run = run_in(&folder, &["diff", pair[0], pair[1], "--message-format", "short"]);
                    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{pair:?}");
                }
            }
            files += 1;
        }
    }
    assert_eq!(files, 17);
}
