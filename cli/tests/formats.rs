//! The formats of `check` for CI, on a real crate; exit codes and streams; what is made of the definition.

#[allow(dead_code, reason = "not every test binary uses all of it")]
mod common;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "common/ops.rs"]
mod ops;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use common::run;
use ops::{DEFAULT, LIB, NEG, OTHER_DEFAULT, Ops};
use serde_json::Value;

/// A crate in a folder of its repository, with a break, an addition and an approval that matches nothing.
fn broken(name: &str) -> Ops {
    let ops = Ops::empty();
    ops.package("ops dir/", name, "1.0.0", "\n[workspace]\n");
    ops.write("ops dir/Cargo.lock", &ops.read("Cargo.lock"));
    let ops = ops.with_git();
    ops.oplock(&["init", "--manifest-path", "ops dir/Cargo.toml", "--released", "1.0.0"]).ends(0);
    ops.edit("ops dir/src/lib.rs", DEFAULT, OTHER_DEFAULT);
    ops.write("ops dir/src/lib.rs", &(ops.read("ops dir/src/lib.rs") + NEG));
    ops.write(
        "ops dir/ops.approvals.toml",
        "[[approval]]\nrule = \"op_deleted\"\nop = \"add\"\nreason = \"r\"\nby = \"b\"\n",
    );
    ops
}

fn check<'a>(format: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["check", "--manifest-path", "ops dir/Cargo.toml", "--message-format", format][..], more].concat()
}

#[test]
fn a_graph_that_a_break_of_the_source_harms() {
    let ops = broken("format-witness");
    let run = ops.oplock(&check("human", &["--witness"])).ends(100);
    assert_eq!(run.stdout.matches("  witness: ").count(), 1, "only the break has one: {}", run.stdout);
    let told = "as the older release saves it, `starts` is [], and where the newer one loads it, [1]";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    let run = ops.oplock(&check("json", &["--witness"])).ends(100);
    let rows = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let witnesses: Vec<_> = rows.filter_map(|row| row.get("witness").cloned()).collect();
    let [witness] = witnesses.as_slice() else { panic!("{}", run.stdout) };
    assert_eq!(
        [&witness["outcome"], &witness["item"], &witness["was"], &witness["is"]],
        ["changes_meaning", "starts", "[]", "[1]"]
    );
    let stamp = &witness["graph"]["packages"]["format-witness"];
    assert_eq!(stamp["releases"][0]["version"], "1.0.0", "{witness}");
}

/// What an update wrote down for a major version is no change any more. Whoever asks is shown what it breaks.
#[test]
fn a_graph_that_a_break_harms_which_no_release_carries_yet() {
    let ops = Ops::released("witness-pending", "1.0.0");
    ops.edit("src/lib.rs", DEFAULT, OTHER_DEFAULT);
    ops.takes_version(2);
    ops.oplock(&["plan", "major"]).ends(0);
    ops.oplock(&["update"]).ends(0);
    let plain = ops.oplock(&["check"]).ends(0);
    assert!(!plain.stdout.contains("starts"), "{}", plain.stdout);
    let shown = ops.oplock(&["check", "--witness"]).ends(0);
    let told = "as the older release saves it, `starts` is [], and where the newer one loads it, [1]";
    assert!(shown.stdout.contains(told) && shown.stdout.contains("2.0.0"), "{}", shown.stdout);
    let json = ops.oplock(&["check", "--witness", "--message-format", "json"]).ends(0);
    let row: Value = serde_json::from_str(json.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&row["verdict"], &row["witness"]["outcome"]), (&"accepted".into(), &"changes_meaning".into()), "{row}");
}

/// Older graphs load under the new name, so what an attribute's new name harms is a graph of the newer release.
#[test]
fn a_graph_that_a_rename_harms_which_no_release_carries_yet() {
    let ops = Ops::released("witness-renamed", "1.0.0");
    ops.edit("src/lib.rs", DEFAULT, "#[attr(name = \"begins\", alias(\"starts\"), default = [])]\n    pub starts");
    ops.takes_version(2);
    ops.oplock(&["plan", "major"]).ends(0);
    ops.oplock(&["update"]).ends(0);
    let json = ops.oplock(&["check", "--witness", "--message-format", "json"]).ends(0);
    let row: Value = serde_json::from_str(json.stdout.lines().next().unwrap()).unwrap();
    let witness = &row["witness"];
    assert_eq!(
        (&row["backward"], &witness["writer"], &witness["outcome"]),
        (&"yes".into(), &"newer".into(), &"fails".into()),
        "{row}"
    );
    let node = &witness["graph"]["blocks"][0]["nodes"][0];
    assert!(node["attrs"]["begins"].is_object() && node["attrs"]["starts"].is_null(), "{row}");
}

#[test]
fn github_annotations() {
    let ops = broken("format-github");
    let run = ops.oplock(&check("github", &[])).ends(100);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.stdout);
    assert!(
        lines[0].starts_with(
            "::error file=ops dir/src/lib.rs,line=8,title=oplock%3A attr_changed::the default of attribute `starts` of `slice` \
             changed from [] to [1]%0Alocked: ops.lock:"
        ),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("::error file=ops dir/ops.approvals.toml,line=1,title=oplock%3A approval_unused::"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("::warning file=ops dir/src/lib.rs,line=") && lines[2].contains("%3A op_added::"),
        "{}",
        lines[2]
    );
}

/// GitHub shows ten: the worst nine and a summary.
#[test]
fn at_most_ten_annotations() {
    let ops = Ops::released("format-ten", "1.0.0");
    let mut lib = LIB.replace(DEFAULT, OTHER_DEFAULT);
    for i in 0..12 {
        let op = NEG.replace("neg", &format!("neg{i}")).replace("Neg", &format!("Neg{i}"));
        let _ = write!(lib, "{op}");
    }
    ops.write("src/lib.rs", &lib);
    let run = ops.oplock(&["check", "--message-format", "github"]).ends(100);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 10, "{}", run.stdout);
    assert!(lines[0].starts_with("::error "), "{}", lines[0]);
    assert_eq!(
        lines[9],
        "::warning title=oplock::4 findings more, 0 errors among them: `cargo oplock check` lists all"
    );
}

/// The official schema, which `serde-sarif` carries.
fn sarif_schema() -> Value {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    // What other platforms would need was perhaps never downloaded.
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc");
    let about = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let options = ["--offline", "--filter-platform", host].map(str::to_owned).to_vec();
    let mut command = cargo_metadata::MetadataCommand::new();
    command.manifest_path(manifest).other_options(options);
    let metadata = command.exec().expect("the workspace");
    let package = metadata.packages.iter().find(|package| *package.name == "serde-sarif").expect("a dev-dependency");
    let path = package.manifest_path.parent().expect("a folder").join("src/schema.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    // A lone `]` is a character in JavaScript's expressions, and has to be escaped in others.
    serde_json::from_str(&text.replace("{2}]?$", "{2}\\\\]?$")).expect("the schema is JSON")
}

#[test]
fn sarif_is_as_its_schema_says() {
    let validator = jsonschema::validator_for(&sarif_schema()).expect("the schema");
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0", "runs": [{}] })), "a run has a tool");
    let ops = broken("format-schema");
    let base = ["--base", "HEAD"];
    for (more, expected) in [(&[][..], 3), (&base, 3)] {
        let run = ops.oplock(&check("sarif", more)).ends(100);
        let log: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let errors: Vec<_> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{log:#}");
        assert_eq!(log["runs"][0]["results"].as_array().expect("results").len(), expected);
    }
}

/// The objects that are written, and how they belong together, which the schema does not say.
#[test]
fn sarif() {
    let ops = broken("format-sarif");
    let run = ops.oplock(&check("sarif", &[])).ends(100);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    only(&log, &["$schema", "version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    let [run] = log["runs"].as_array().unwrap().as_slice() else { panic!("one run") };
    only(run, &["tool", "results", "columnKind"]);
    only(&run["tool"], &["driver"]);
    let driver = &run["tool"]["driver"];
    only(driver, &["name", "semanticVersion", "informationUri", "rules"]);
    assert_eq!(driver["name"], "oplock");
    let rules: Vec<_> = driver["rules"].as_array().unwrap().iter().collect();
    let ids: BTreeSet<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "a rule is there once");
    for rule in &rules {
        only(rule, &["id", "shortDescription", "fullDescription", "help"]);
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[text].is_null() || rule[text]["text"].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        only(result, &["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"]);
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()), "{result}");
        assert!(result["message"]["text"].is_string());
        assert!(result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string));
        for location in result["locations"].as_array().unwrap() {
            only(location, &["physicalLocation"]);
            let place = &location["physicalLocation"];
            only(place, &["artifactLocation", "region"]);
            assert!(place["artifactLocation"]["uri"].as_str().unwrap().starts_with("ops%20dir/"), "{place}");
            assert!(place["region"].is_null() || place["region"]["startLine"].as_u64().unwrap() >= 1, "{place}");
        }
    }
    let levels: Vec<_> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["warning", "error", "error"]);
}

#[track_caller]
fn only(object: &Value, known: &[&str]) {
    for key in object.as_object().unwrap_or_else(|| panic!("{object} should be an object")).keys() {
        assert!(known.contains(&key.as_str()), "{key} in {object}");
    }
}

#[test]
fn a_document_without_findings() {
    let ops = Ops::released("format-nothing", "1.0.0");
    let run = ops.oplock(&["check", "--message-format", "sarif"]).ends(0);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    let run = ops.oplock(&["check", "--message-format", "markdown", "--quiet"]).ends(0);
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str()),
        ("## Operators\n\nNothing changed that the lock does not have.\n", "")
    );
    ops.oplock(&["check", "--message-format", "github"]).ends(0).prints_nothing();
    // What cannot be answered is told in the document as well.
    ops.write("src/lib.rs", "fn");
    ops.oplock(&["check", "--message-format", "github"])
        .ends(101)
        .says("::error file=ops.lock,title=oplock%3A could_not_run::");
}

#[test]
fn markdown() {
    let ops = broken("format-markdown");
    let run = ops.oplock(&check("markdown", &[])).ends(100);
    assert_eq!(
        run.stdout,
        "## Operators\n\n\
         ### `format-markdown`\n\n\
         2 changes, 1 **refused**. Least bump: **major**.\n\n\
         | | change | rule | bump | old graphs load | new graphs load in old releases |\n\
         |---|---|---|---|---|---|\n\
         | compatible | operator `neg` is added | `op_added` | minor | yes | if they do not use it |\n\
         | **refused** | the default of attribute `starts` of `slice` changed from [] to [1] | `attr_changed` | major | no | no |\n\n\
         <details><summary>Graphs that break</summary>\n\n\
         - slice.starts: a graph saved since 1.0.0 whose `slice` node leaves `starts` out would mean [1] where it meant []\n\n\
         </details>\n\n\
         > **error**: ops.approvals.toml:1: the approval of op_deleted of `add` matches no change and no row of the ledger  \n\
         > help: it names one finding exactly (rule, op, item, field, from, to): correct it, or remove it\n"
    );
}

#[test]
fn json_has_a_schema() {
    let ops = broken("format-json");
    let run = ops.oplock(&check("json", &[])).ends(100);
    let rows: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["schema"] == 1));
    assert_eq!(rows[2]["reason"], "note");
    assert_eq!(rows[2]["rule"], "approval_unused");
    assert_eq!(rows[2]["level"], "error");
    assert_eq!((&rows[2]["file"], &rows[2]["line"]), (&"ops.approvals.toml".into(), &1.into()));
    let documented = include_str!("../../docs/formats.md");
    for key in rows.iter().flat_map(|row| row.as_object().unwrap().keys()) {
        assert!(documented.contains(&format!("`{key}`")), "docs/formats.md says nothing of {key}");
    }
}

#[test]
fn every_rule_is_explained_whole() {
    let all = run(&["explain", "--message-format", "json"]);
    let rules: Vec<Value> = all.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rules.iter().any(|rule| rule["rule"] == "name_reused"));
    for rule in &rules {
        let name = rule["rule"].as_str().unwrap();
        let text = run(&["explain", name]).stdout;
        for part in [&rule["why"], &rule["example"], &rule["source"]] {
            let part = part.as_str().unwrap();
            assert!(!part.is_empty() && text.contains(part), "{name}: {text}");
        }
        for part in ["\nExample: ", "\nSource: "] {
            assert!(text.contains(part), "{name}: {text}");
        }
        let cases = rule["cases"].as_array().unwrap();
        let of_each = |part: &str| text.matches(part).count();
        assert_eq!(of_each("  what to do: "), cases.len().max(1), "{name}: {text}");
        assert_eq!(of_each("  least bump: "), cases.len(), "{name}: {text}");
        let filled = text.replace(rule["example"].as_str().unwrap(), "");
        // A graph and the definitions around it are told as they are.
        let (before, shown) = filled.split_once("\nA graph that it protects").unwrap_or((&filled, ""));
        let after = ["\nTo break on purpose", "\nSource: "].into_iter().find_map(|next| shown.find(next));
        let filled = format!("{before}{}", after.map_or("", |at| &shown[at..]));
        let filled = filled.replace("lock! { common { … } }", ""); // a remedy in Rust
        let is_rule = !cases.is_empty();
        assert_eq!(is_rule, !shown.is_empty() || text.contains("\nNo graph shows it: "), "{name}: {text}");
        assert!(!filled.contains("what to do: \n") && !filled.contains(['{', '}']), "{name}: {text}");
        let is_break = cases.iter().any(|case| case["bump"] == "major");
        assert_eq!(of_each(&format!("cargo oplock approve {name} ")), usize::from(is_break), "{name}: {text}");
        assert!(
            !is_break || cases.iter().all(|case| case["bump"] != "major" || case["breaks"] != ""),
            "{name}: {text}"
        );
    }
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = run(&["completions", shell]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("cargo-oplock") && run.stdout.contains("seal"), "{shell}: {}", run.stdout);
    }
    let folder = tempfile::TempDir::new().unwrap();
    let folder = folder.path().join("man");
    let path = folder.to_str().unwrap();
    let run = run(&["man", path]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    for page in ["cargo-oplock.1", "cargo-oplock-check.1", "cargo-oplock-seal.1", "cargo-oplock-approve.1"] {
        let text = std::fs::read_to_string(folder.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(".SH NAME"), "{page}: {text}");
    }
}
