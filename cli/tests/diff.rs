//! `cargo oplock diff`: which findings, in which words, with which exit code.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::{data, folder, run, run_in};
use serde_json::Value;

/// What names a finding.
type Name = (String, String, Option<String>, Option<String>);

fn names(lines: &str) -> BTreeSet<Name> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .map(|row: Value| {
            (text(&row["rule"]).unwrap(), text(&row["op"]).unwrap(), text(&row["item"]), text(&row["field"]))
        })
        .collect()
}

fn assert_breaks(old: &Path, new: &Path, expected: &Path) -> usize {
    let [old, new] = [old, new].map(|path| path.to_str().unwrap());
    let run = run(&["diff", old, new, "--breaks", "--message-format", "json"]);
    let expected = fs::read_to_string(expected).unwrap();
    assert_eq!(names(&run.stdout), names(&expected), "{old} {new}");
    assert_eq!(run.stdout.lines().count(), expected.lines().count());
    assert_eq!(run.code, Some(if expected.is_empty() { 0 } else { 100 }));
    expected.lines().count()
}

#[test]
fn breaks_of_real_operators() {
    let data = data();
    assert_breaks(&data.join("old.spec"), &data.join("new.spec"), &data.join("expected_breaks.jsonl"));
}

#[test]
fn a_key_that_one_side_lacks_is_not_compared() {
    let data = data();
    let expected = data.join("expected_breaks_2_2.jsonl");
    assert_breaks(&data.join("before_2_2.spec"), &data.join("after_2_2.spec"), &expected);
}

/// With `OPLOCK_SHARED_DATA` set to the folder that holds the whole of the real data.
#[test]
fn breaks_of_all_real_pairs() {
    let Some(folder) = std::env::var_os("OPLOCK_SHARED_DATA") else { return };
    let folder = Path::new(&folder).join("paddle");
    let mut findings = 0;
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let pair = name.strip_prefix("expected_rules_").and_then(|name| name.strip_suffix(".jsonl"));
        let Some((old, new)) = pair.and_then(|pair| pair.split_once("__")) else { continue };
        let spec = |version: &str| folder.join(format!("paddle_{version}.spec"));
        findings += assert_breaks(&spec(old), &spec(new), &path);
    }
    assert_eq!(findings, 391);
}

#[test]
fn a_lock_made_of_a_spec_says_the_same() {
    for spec in ["old.spec", "new.spec"] {
        let lock = run(&["print", spec, "--message-format", "lock"]);
        let (_root, folder) = folder(&[("x.lock", &lock.stdout)]);
        let spec = data().join(spec);
        let run = run_in(&folder, &["diff", spec.to_str().unwrap(), "x.lock"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    }
}

const OLD: &str = "format = 1\npackage = \"vision-ops\"\n[release]\n\"1.2.0\" = { date = \"2026-03-01\" }\n[op]\n\
    slice.since = \"1.2.0\"\n\
    slice.input.Input = {}\n\
    slice.input.EndsTensor = { dispensable = true }\n\
    slice.input.EndsTensorList = { duplicable = true, dispensable = true }\n\
    slice.attr.starts = { type = \"[i32]\", default = [] }\n\
    slice.attr.scale = { type = \"f32\", default = 0.1, unreleased = true }\n\
    gone.since = \"1.2.0\"\n";
const NEW: &str = "format = 1\npackage = \"vision-ops\"\n[op]\n\
    slice.unreleased = true\n\
    slice.input.Input = {}\n\
    slice.input.Out_test_2 = {}\n\
    slice.input.EndsTensor = {}\n\
    slice.attr.starts = { type = \"[i32]\", default = [1] }\n\
    slice.attr.scale = { type = \"f64\", default = 0.1 }\n\
    slice.attr.mode = { type = \"string\" }\n\
    slice.attr.fast = { type = \"bool\", default = false }\n";

#[test]
fn the_published_report_to_the_letter() {
    let (_root, folder) = folder(&[("old.lock", OLD), ("new.lock", NEW)]);
    let run = run_in(&folder, &["diff", "old.lock", "new.lock", "--message-format", "paddle"]);
    let expected = "\
------------------------------
Op desc error for the changes of Inputs/Outputs/Attrs of OPs:

For OP 'gone':
  * The OP is deleted.

For OP 'slice':
  * The arg 'dispensable' of Input 'EndsTensor' is changed: from 'True' to 'False'.
  * The Input 'EndsTensorList' is deleted.
  * The added Input 'Out_test_2' is not dispensable.
  * The added Attr 'mode' doesn't set default value.
  * The arg 'type' of Attr 'scale' is changed: from '1' to '15'.
  * The arg 'default_value' of Attr 'starts' is changed: from '{}' to '{1}'.
------------------------------
";
    assert_eq!((run.code, run.stdout.as_str()), (Some(100), expected));
}

/// A line is one of the old file, where that has what changed; what is new there has none.
#[test]
fn an_annotation_names_the_file_of_its_line() {
    let (_root, folder) = folder(&[("old.lock", OLD), ("new.lock", NEW)]);
    let run = run_in(&folder, &["diff", "old.lock", "new.lock", "--message-format", "github"]);
    let line = 1 + OLD.lines().position(|line| line.starts_with("gone")).unwrap();
    let expected = format!("::error file=old.lock,line={line},title=oplock%3A op_deleted::");
    assert!(run.stdout.contains(&expected), "{expected}\n{}", run.stdout);
    let run = run_in(&folder, &["diff", "old.lock", "new.lock", "--message-format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let place = |rule: &str| {
        let found = results.iter().find(|result| result["ruleId"] == rule).unwrap();
        found["locations"][0]["physicalLocation"].clone()
    };
    let deleted = place("op_deleted");
    assert_eq!(
        (&deleted["artifactLocation"]["uri"], &deleted["region"]["startLine"]),
        (&"old.lock".into(), &line.into())
    );
    let run = run_in(&folder, &["diff", "new.lock", "old.lock", "--message-format", "github"]);
    assert!(run.stdout.contains("::notice file=old.lock,title=oplock%3A op_added::"), "{}", run.stdout);
}

#[test]
fn nothing_is_printed_where_nothing_breaks() {
    for format in ["human", "short", "json", "paddle"] {
        let run = run(&["diff", "old.spec", "old.spec", "--message-format", format]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{format}");
    }
    let (_root, folder) = folder(&[("new.spec", NEW_OP)]);
    let run = run_in(&folder, &["diff", "new.spec", "new.spec", "--message-format", "paddle"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
}

const NEW_OP: &str = "{\"add\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {}}}";

#[test]
fn an_addition_is_no_break() {
    let (_root, folder) = folder(&[("old.spec", "{}"), ("new.spec", NEW_OP)]);
    let diff = |format: &str| run_in(&folder, &["diff", "old.spec", "new.spec", "--message-format", format]);
    assert_eq!(diff("short").stdout, "add: operator `add` is added [op_added] (minor)\n");
    assert_eq!(diff("paddle").stdout, "");
    let human = diff("human");
    assert_eq!(human.code, Some(0));
    assert_eq!(
        human.stdout,
        "operator `add` is added [op_added]\n  \
           bump: minor (old graphs load: yes; new graphs load in old releases: if unused)\n\n"
    );
    assert_eq!(human.stderr, "    Finished 1 change: 0 major, 1 minor, 0 patch\n");
    let breaks = run_in(&folder, &["diff", "old.spec", "new.spec", "--breaks", "--quiet"]);
    assert_eq!((breaks.code, breaks.stdout.as_str(), breaks.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn a_finding_as_json() {
    let (_root, folder) = folder(&[("old.lock", OLD), ("new.lock", NEW)]);
    let run = run_in(&folder, &["diff", "old.lock", "new.lock", "--message-format", "json"]);
    let rows: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let starts = rows.iter().find(|row| row["item"] == "starts").unwrap();
    let expected = serde_json::json!({
        "schema": 1, "reason": "finding", "package": null, "rule": "attr_changed", "op": "slice", "data": null, "kind": "attr", "item": "starts", "field": "default",
        "from": "[]", "to": "[1]", "backward": "no", "forward": "no", "bump": "major", "break": true, "verdict": null,
        "since": "1.2.0", "line": 10, "file": null, "source_line": null,
        "message": "the default of attribute `starts` of `slice` changed from [] to [1]",
        "breaks": "a graph saved since 1.2.0 whose `slice` node leaves `starts` out would mean [1] where it meant []",
        "remedy": "restore `default = []`, or add an attribute of another name",
    });
    assert_eq!(*starts, expected);
    let gone = rows.iter().find(|row| row["op"] == "gone").unwrap();
    assert!(gone["kind"].is_null() && gone["item"].is_null() && gone["field"].is_null(), "{gone}");
    let scale = rows.iter().find(|row| row["item"] == "scale").unwrap();
    assert_eq!((&scale["since"], &scale["line"]), (&"unreleased".into(), &11.into()));
    let added = rows.iter().find(|row| row["item"] == "fast").unwrap();
    assert_eq!(
        (&added["break"], &added["remedy"], &added["forward"]),
        (&false.into(), &Value::Null, &"if_unused".into())
    );
}

#[test]
fn relaxations() {
    let operator = |dispensable: bool| {
        format!(
            "{{\"o\": {{\"Inputs\": {{\"X\": {{\"duplicable\": false, \"dispensable\": {dispensable}, \"intermediate\": false}}}}, \
             \"Outputs\": {{}}, \"Attrs\": {{}}}}}}"
        )
    };
    let (_root, folder) = folder(&[("strict.spec", &operator(false)), ("lax.spec", &operator(true))]);
    for (files, options, code) in [
        (["strict.spec", "lax.spec"], &["--relaxations", "major"][..], 100),
        (["strict.spec", "lax.spec"], &[], 100),
        (["strict.spec", "lax.spec"], &["--relaxations", "minor"], 0),
        (["lax.spec", "strict.spec"], &["--relaxations", "minor"], 100),
    ] {
        let args: Vec<_> = ["diff"].into_iter().chain(files).chain(options.iter().copied()).collect();
        assert_eq!(run_in(&folder, &args).code, Some(code), "{args:?}");
    }
}

#[test]
fn colours_are_for_those_who_ask() {
    let plain = run(&["diff", "old.spec", "new.spec"]);
    assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'));
    let coloured = run(&["diff", "old.spec", "new.spec", "--color", "always"]);
    assert!(coloured.stdout.contains('\u{1b}') && coloured.stderr.contains('\u{1b}'));
}

/// A reader that goes away ends the output and nothing else.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let binary = env!("CARGO_BIN_EXE_cargo-oplock");
    let command = format!("'{binary}' oplock diff old.spec new.spec --message-format json; echo $? >&2");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("({command}) | true")])
        .current_dir(data())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.ends_with("\n100\n") && !stderr.contains("panicked"), "{stderr}");
}

#[test]
fn each_break_of_real_operators_has_a_graph_that_it_harms() {
    let data = data();
    let [old, new] = ["old.spec", "new.spec"].map(|name| data.join(name));
    let arguments = ["diff", old.to_str().unwrap(), new.to_str().unwrap(), "--witness", "--message-format", "json"];
    let run = run(&arguments);
    let rows: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut breaks = 0;
    for row in &rows {
        assert_eq!(row["break"] == true, row["witness"].is_object(), "{row}");
        if row["break"] == true {
            breaks += 1;
            let node = &row["witness"]["graph"]["blocks"][0]["nodes"][0];
            assert_eq!(node["op"], row["op"], "{row}");
            // A graph of the newer release is shown only where older ones load.
            assert_eq!(row["witness"]["writer"], if row["backward"] == "no" { "older" } else { "newer" }, "{row}");
        }
    }
    assert!(breaks > 20, "{breaks}");
}

const WITH_DEFAULT: &str = "format = 1\npackage = \"vision-ops\"\n[release]\n\"1.0.0\" = { date = \"2026-03-01\" }\n[op]\nslice.since = \"1.0.0\"\nslice.input.X = {}\nslice.attr.starts = { type = \"i32\", default = 0 }\n";

#[test]
fn a_graph_is_shown_that_fails_or_means_something_else() {
    let other = WITH_DEFAULT.replace("default = 0", "default = 1");
    let without = WITH_DEFAULT.replace("slice.input.X = {}\n", "");
    let experimental = WITH_DEFAULT.replace("slice.since = \"1.0.0\"", "slice.experimental = true");
    let renamed = WITH_DEFAULT.replace("slice.", "cut.").replace("cut.input", "cut.alias.slice = {}\ncut.input");
    let files = [("old.lock", WITH_DEFAULT), ("other.lock", &other), ("without.lock", &without)];
    let (_keep, folder) =
        folder(&[files[0], files[1], files[2], ("experimental.lock", &experimental), ("renamed.lock", &renamed)]);
    let shown = |new: &str| run_in(&folder, &["diff", "old.lock", new, "--witness"]).stdout;
    let text = shown("other.lock");
    assert!(
        text.contains(
            "  witness: [{\"inputs\":[\"x0_X\"],\"nodes\":[{\"op\":\"slice\",\"inputs\":{\"X\":[\"x0_X\"]}}]}]\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("as the older release saves it, `starts` is 0, and where the newer one loads it, 1\n"),
        "{text}"
    );
    let text = shown("without.lock");
    assert!(
        text.contains(
            "as the older release saves it, it does not load in the newer one:\n    `slice` has no input `X` here (node 0 of block 0)\n\n"
        ),
        "{text}"
    );
    let text = shown("experimental.lock");
    assert!(text.contains("  witness: none was found whose loading shows this change\n"), "{text}");
    // A new name is one that older releases do not know; what was saved under the old one loads.
    let text = shown("renamed.lock");
    assert!(text.contains("operator `slice` is renamed to `cut`") && text.contains("\"op\":\"cut\""), "{text}");
    assert!(text.contains("as the newer release saves it, it does not load in the older one"), "{text}");
    let unasked = run_in(&folder, &["diff", "old.lock", "other.lock"]).stdout;
    assert!(!unasked.contains("witness"), "{unasked}");
}
