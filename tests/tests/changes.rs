//! The cases of changes that a released crate can make, all in one crate: what the compiler and the command line say
//! of each. They are those of `shared/cases/changes.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use oplock_tests::Folder;

/// An operator before and after, and what is to be said: `rule item field bump` of each finding.
struct Case {
    name: &'static str,
    old: &'static str,
    new: &'static str,
    findings: &'static [&'static str],
}

const X: &str = "#[input] x: Var,";

const CASES: &[Case] = &[
    Case {
        name: "c1_attr_with_default",
        old: "#[attr] strides: Vec<i64>, #[attr] padding: Vec<i64>,",
        new: "#[attr] strides: Vec<i64>, #[attr] padding: Vec<i64>, #[attr(default = \"NHWC\")] data_format: String,",
        findings: &["attr_added data_format - minor"],
    },
    Case {
        name: "c2_input_dispensable",
        old: X,
        new: "#[input] x: Var, #[input(dispensable)] y: Option<Var>,",
        findings: &["input_added y - minor"],
    },
    Case {
        name: "c2_input_duplicable",
        old: X,
        new: "#[input] x: Var, #[input(duplicable)] y: Vec<Var>,",
        findings: &["input_added_not_dispensable y - major"],
    },
    Case {
        name: "c3_falsy_defaults",
        old: X,
        new: "#[input] x: Var, #[attr(default = false)] a: bool, #[attr(default = 0)] b: i32, #[attr(default = \"\")] c: String, \
              #[attr(default = [])] d: Vec<f32>,",
        findings: &["attr_added a - minor", "attr_added b - minor", "attr_added c - minor", "attr_added d - minor"],
    },
    Case {
        name: "c4_type",
        old: "#[attr] height_sections: Vec<i32>,",
        new: "#[attr] height_sections: Vec<i64>,",
        findings: &["attr_changed height_sections type major"],
    },
    Case {
        name: "c5_attr_deleted",
        old: "#[attr(default = false)] use_quantizer: bool,",
        new: "#[attr(default = \"float32\")] mkldnn_data_type: String,",
        findings: &["attr_added mkldnn_data_type - minor", "attr_deleted use_quantizer - major"],
    },
    Case {
        name: "item_read_under_another_name",
        old: X,
        new: "#[input(alias(\"Input\"))] x: Var,",
        findings: &["alias_added x alias minor"],
    },
    Case {
        name: "item_renamed_with_an_alias",
        old: X,
        new: "#[input(name = \"X\", alias(\"x\"))] x: Var,",
        findings: &["input_added X - minor", "input_deleted x - major"],
    },
    Case {
        name: "c6_extra_deleted",
        old: "#[input] x: Var, #[attr(default = false, extra)] fuse_brelu: bool,",
        new: X,
        findings: &["extra_deleted fuse_brelu - patch"],
    },
    Case {
        name: "c7_default_changed",
        old: "#[attr(default = [])] starts: Vec<i32>,",
        new: "#[attr(default = [1])] starts: Vec<i32>,",
        findings: &["attr_changed starts default major"],
    },
    Case {
        name: "c7_default_spelled_otherwise",
        old: "#[attr(default = 1e-5)] epsilon: f32, #[attr(default = f32::NAN)] fill: f32,",
        new: "#[attr(default = 0.00001)] epsilon: f32, #[attr(default = f32::NAN)] fill: f32,",
        findings: &[],
    },
    Case {
        name: "c7_minus_zero",
        old: "#[attr(default = 0.0)] value: f32,",
        new: "#[attr(default = -0.0)] value: f32,",
        findings: &["attr_changed value default major"],
    },
    Case {
        name: "c7_default_given",
        old: "#[attr] value: i32,",
        new: "#[attr(default = 0)] value: i32,",
        findings: &["attr_changed value default major"],
    },
    Case {
        name: "c7_default_taken",
        old: "#[attr(default = 0)] value: i32,",
        new: "#[attr] value: i32,",
        findings: &["attr_changed value default major"],
    },
    Case {
        name: "c11_became_extra",
        old: "#[input(dispensable)] x: Option<Var>,",
        new: "#[input(dispensable, extra)] x: Option<Var>,",
        findings: &["input_changed x extra major"],
    },
    Case {
        name: "c11_no_longer_extra",
        old: "#[input(dispensable, extra)] x: Option<Var>,",
        new: "#[input(dispensable)] x: Option<Var>,",
        findings: &["input_added x - minor"],
    },
    Case {
        name: "c11_no_longer_extra_and_required",
        old: "#[input(dispensable, extra)] x: Option<Var>,",
        new: X,
        findings: &["input_added_not_dispensable x - major"],
    },
    Case {
        name: "c12_required",
        old: "#[input(dispensable)] a: Option<Var>,",
        new: "#[input] a: Var,",
        findings: &["input_changed a dispensable major"],
    },
    Case {
        name: "c12_relaxed",
        old: "#[input] a: Var,",
        new: "#[input(dispensable)] a: Option<Var>,",
        findings: &["input_changed a dispensable major"],
    },
    Case {
        name: "c34_value_gained",
        old: "#[attr(values = [\"a\", \"b\"])] mode: String,",
        new: "#[attr(values = [\"a\", \"b\", \"c\"])] mode: String,",
        findings: &["attr_value_added mode values minor"],
    },
    Case {
        name: "c34_value_lost",
        old: "#[attr(values = [\"a\", \"b\"])] mode: String,",
        new: "#[attr(values = [\"a\"])] mode: String,",
        findings: &["attr_changed mode values major"],
    },
    Case {
        name: "c35_optional_added",
        old: X,
        new: "#[input] x: Var, #[attr] alpha: Option<f32>,",
        findings: &["attr_added alpha - minor"],
    },
    Case {
        name: "c35_optional_to_plain",
        old: "#[attr] alpha: Option<f32>,",
        new: "#[attr] alpha: f32,",
        findings: &["attr_changed alpha type major"],
    },
    Case {
        name: "c35_plain_to_optional",
        old: "#[attr] alpha: f32,",
        new: "#[attr] alpha: Option<f32>,",
        findings: &["attr_changed alpha type major"],
    },
    Case {
        name: "experimental_is_free",
        old: "@experimental #[input] x: Var,",
        new: "@experimental #[attr] y: i32,",
        findings: &["unguarded_changed - - patch"],
    },
    Case {
        name: "experimental_no_more",
        old: "@experimental #[input] x: Var,",
        new: X,
        findings: &["op_added - experimental minor"],
    },
];

/// The crate root with one side of each case.
fn source(side: impl Fn(&Case) -> &'static str) -> String {
    let mut text = String::from("//! Cases.\n#![allow(unused_imports)]\n\nuse oplock::Var;\n\noplock::lock!();\n");
    for (i, case) in CASES.iter().enumerate() {
        let fields = side(case);
        let (fields, argument) =
            fields.strip_prefix("@experimental").map_or((fields, ""), |rest| (rest, ", experimental"));
        let _ =
            write!(text, "\n/// Case.\n#[oplock::op(\"{}\"{argument})]\npub struct Op{i} {{ {fields} }}\n", case.name);
    }
    text
}

/// The findings of each operator, in the form of the table.
fn findings(rows: &[serde_json::Value]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows {
        let text = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
        let line = [text("rule"), text("item"), text("field"), text("bump")].join(" ");
        all.entry(text("op")).or_default().push(line);
    }
    for lines in all.values_mut() {
        lines.sort();
    }
    all
}

#[test]
fn each_change_needs_the_bump_that_the_table_says() {
    let ops = Folder::new().package("all-changes", "1.0.0", &source(|case| case.old)).released("1.0.0");
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();
    let state = ops.lock_state();
    ops.write("src/lib.rs", &source(|case| case.new));
    let output = ops.oplock("check").args(["--message-format", "json"]).run().exits(100);
    let found = findings(&output.json_lines());
    for case in CASES {
        assert_eq!(found.get(case.name).map_or(&[][..], Vec::as_slice), case.findings, "{}\n{output}", case.name);
    }
    for row in output.json_lines() {
        // C12: the way back is open, and what an exporter may remove is no change of what is saved.
        let is_break = row["bump"] == "major";
        assert_eq!(row["break"], is_break, "{row}");
        assert_eq!(row["verdict"], if is_break { "refused" } else { "compatible" }, "{row}");
        assert!(row["message"].as_str().is_some_and(|message| !message.is_empty()), "{row}");
        let loads = ["c12_relaxed", "c7_default_given", "item_renamed_with_an_alias"];
        let relaxes = loads.iter().any(|op| row["op"] == *op);
        assert_eq!(row["backward"], if is_break && !relaxes { "no" } else { "yes" }, "{row}");
    }
    // The compiler refuses exactly the breaks.
    let is_break = |case: &&Case| case.findings.iter().any(|finding| finding.ends_with("major"));
    let compiler = ops.check().fails().has_errors(CASES.iter().filter(is_break).count());
    for case in CASES {
        let is_named = compiler.errors().iter().any(|error| error.text.contains(&format!("`{}`", case.name)));
        assert_eq!(is_named, is_break(&case), "{}\n{compiler}", case.name);
    }
    ops.oplock_update().exits(100);
    assert_eq!(ops.lock_state(), state);
    let paddle = ops.oplock("check").args(["--message-format", "paddle"]).run().exits(100);
    assert!(
        paddle.stdout.contains("For OP 'c4_type':\n  * The arg 'type' of Attr 'height_sections' is changed"),
        "{paddle}"
    );
    assert!(!paddle.stdout.contains("c1_attr_with_default"), "{paddle}");
}

/// C12, C7: what only relaxes a requirement is no break where the package says so.
#[test]
fn relaxations_can_be_minor() {
    let relaxed = |case: &&Case| ["c12_relaxed", "c7_default_given"].contains(&case.name);
    let ops = Folder::new().package("relaxations", "1.0.0", &source(|case| case.old)).released("1.0.0");
    ops.write("src/lib.rs", &source(|case| if relaxed(&case) { case.new } else { case.old }));
    ops.check().fails().has_errors(2).says("relaxations = \"minor\"");
    ops.oplock_check().exits(100);
    let manifest = ops.read("Cargo.toml");
    ops.append("Cargo.toml", "\n[package.metadata.oplock]\nrelaxations = \"minor\"\n");
    ops.check().succeeds().says("ops.lock is stale");
    ops.oplock_check().exits(1);
    ops.oplock_update().succeeds();
    ops.check().succeeds().warns_of_nothing();
    // Taken back, the manifest allows it no more: both are breaks, which take a data version besides.
    ops.write("Cargo.toml", &manifest);
    ops.check()
        .fails()
        .has_errors(4)
        .says("became dispensable")
        .says("got the default 0")
        .says("[break_without_version]");
    ops.oplock_check().exits(100);
}

/// All breaks at once under a major version, and all taken back.
#[test]
fn a_major_version_takes_all_of_them() {
    let ops = Folder::new().package("all-breaks", "1.0.0", &source(|case| case.old)).released("1.0.0");
    let released = ops.lock();
    ops.write("src/lib.rs", &source(|case| case.new));
    ops.oplock("plan").arg("major").run().succeeds();
    let planned = ops.lock();
    ops.refuses_older(2);
    ops.oplock_check().exits(1);
    ops.oplock_update().succeeds();
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();
    ops.test().succeeds();
    let updated = ops.lock();
    ops.write("src/lib.rs", &source(|case| case.old));
    ops.check().fails().says("cargo oplock withdraw c1_attr_with_default.data_format");
    ops.oplock_update().exits(100).says("cargo oplock withdraw c1_attr_with_default.data_format");
    assert_eq!(ops.lock(), updated);
    // What was added meanwhile is taken back on purpose, operator by operator; what was released is there again.
    ops.write("ops.lock", &planned);
    ops.oplock_update().succeeds();
    ops.oplock("plan").arg("none").run().succeeds();
    assert_eq!(ops.lock(), released);
}
