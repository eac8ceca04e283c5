//! The whole life of an operator crate: from no lock to a major version.

use oplock_tests::{Diagnostic, Folder, Output, line_of, source};

/// An attribute with a default, which is a compatible addition.
const AXES: (&str, &str) = (
    "    pub starts: Vec<i32>,\n",
    "    pub starts: Vec<i32>,\n    /// Axes to remove.\n    #[attr(default = [])]\n    pub decrease_axis: Vec<i32>,\n",
);

#[test]
fn without_a_lock_nothing_compiles_until_init() {
    let ops = Folder::ops("1.0.0");
    let lock = ops.path().join("ops.lock");
    ops.check()
        .fails()
        .has_errors(1)
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!();"), "there is no ops.lock")
        .says(&lock.display().to_string())
        .says("`cargo oplock init`");
    for command in ["check", "update", "plan"] {
        let run = ops.oplock(command);
        let run = if command == "plan" { run.arg("major") } else { run };
        run.run().exits(101).says("has no ops.lock").says("cargo oplock init");
        assert!(!ops.has("ops.lock"), "{command} made a lock");
    }

    ops.oplock("init").run().succeeds().prints_nothing().says("2 operators, unreleased");
    assert!(ops.lock_has("slice.unreleased = true"), "{}", ops.lock());
    assert!(
        ops.lock_has("slice.attr.starts = { type = \"[i32]\", default = [], unreleased = true }"),
        "{}",
        ops.lock()
    );
    assert!(
        ops.lock_has("slice.attr.use_mkldnn = { type = \"bool\", default = false, extra = true }"),
        "{}",
        ops.lock()
    );
    // The lock that was not there is there, and cargo sees it without any change of the source.
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();

    let state = ops.lock_state();
    ops.oplock("init").run().exits(101).says("the lock is there already").says("cargo oplock update");
    assert_eq!(ops.lock_state(), state);
}

#[test]
fn init_with_a_release_promises_everything_since_then() {
    let ops = Folder::ops("1.4.2");
    ops.oplock("init").args(["--released", "2.0.0"]).run().exits(101).says("below the release 2.0.0");
    ops.oplock("init").args(["--released", "1.4.2-rc.1"]).run().exits(2).says("1.4.2");
    assert!(!ops.has("ops.lock"));
    ops.oplock("init").args(["--released", "1.4.2"]).run().succeeds().says("since 1.4.2");
    assert!(ops.lock_has("slice.since = \"1.4.2\""), "{}", ops.lock());
    assert!(ops.lock_has("slice.input.Input = {}"), "{}", ops.lock());
    assert!(ops.lock().contains("[release]\n\"1.4.2\" = { date = \""), "{}", ops.lock());
}

#[test]
fn a_compatible_addition_warns_until_update() {
    let ops = Folder::released_ops("1.0.0");
    ops.test().succeeds().says("test ops_lock_is_up_to_date ... ok");
    ops.edit("src/lib.rs", AXES.0, AXES.1);
    ops.append("src/lib.rs", source::NEG);

    // It builds, and says so at each operator.
    ops.check()
        .succeeds()
        .has_warning_at(
            &ops.place("src/lib.rs", "\"slice\""),
            "attribute `decrease_axis` of `slice` is added [attr_added]",
        )
        .has_warning_at(&ops.place("src/lib.rs", "\"neg\""), "operator `neg` is added [op_added]")
        .says("Run `cargo oplock update`");
    // The tests fail, with the remedy.
    ops.test()
        .fails()
        .says("test ops_lock_is_up_to_date ... FAILED")
        .says("ops.lock is stale; run `cargo oplock update`")
        .says(&format!("{}: ops.lock is stale: operator `neg` is added", line_of(&ops.place("src/lib.rs", "\"neg\""))));
    let state = ops.lock_state();
    ops.oplock_check()
        .exits(1)
        .says("attribute `decrease_axis` of `slice` is added [attr_added]")
        .says("operator `neg` is added [op_added]")
        .says("2 changes not in the lock yet; `cargo oplock update` brings it up to date");
    assert_eq!(ops.lock_state(), state, "check wrote the lock");

    ops.oplock_update().succeeds().says("2 changes");
    assert!(ops.lock_has("neg.unreleased = true"), "{}", ops.lock());
    assert!(ops.lock_has("slice.since = \"1.0.0\""), "{}", ops.lock());
    assert!(
        ops.lock_has("slice.attr.decrease_axis = { type = \"[i32]\", default = [], unreleased = true }"),
        "{}",
        ops.lock()
    );
    ops.check().succeeds().warns_of_nothing();
    ops.test().succeeds().says("test ops_lock_is_up_to_date ... ok");
    ops.oplock_check().succeeds().prints_nothing();
}

/// C15
#[test]
fn a_fresh_lock_is_left_alone() {
    let ops = Folder::released_ops("1.0.0");
    let state = ops.lock_state();
    ops.oplock_check().succeeds().prints_nothing();
    for format in ["short", "json", "paddle"] {
        ops.oplock("check").args(["--message-format", format]).run().succeeds().prints_nothing();
    }
    ops.oplock_update().succeeds().prints_nothing().says("Unchanged");
    assert_eq!(ops.lock_state(), state);
    let quiet = ops.oplock("check").arg("--quiet").run().succeeds().prints_nothing();
    assert_eq!(quiet.stderr, "");
}

/// C25
#[test]
fn update_is_idempotent() {
    let ops = Folder::released_ops("1.0.0");
    ops.edit("src/lib.rs", AXES.0, AXES.1);
    ops.oplock_update().succeeds();
    let state = ops.lock_state();
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock_state(), state);
    ops.check().succeeds();
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock_state(), state);
}

/// A break does not compile, and no command takes it in.
#[test]
fn a_break_is_refused_at_its_token() {
    let ops = Folder::released_ops("1.0.0");
    let source = ops.read("src/lib.rs");
    let state = ops.lock_state();
    // What is edited, the place of the error in the edited source, and what it says.
    let cases = [
        (
            "default = []",
            "default = [1]",
            "[1]",
            "changed from [] to [1] [attr_changed]",
            "attr_changed slice.starts default major",
        ),
        (
            "pub axes: Vec<i32>",
            "pub axes: Vec<i64>",
            "Vec<i64>",
            "from `[i32]` to `[i64]`",
            "attr_changed slice.axes type major",
        ),
        (
            "#[input(name = \"EndsTensor\", dispensable)]\n    pub ends_tensor: Option<Var>",
            "#[input(name = \"EndsTensor\")]\n    pub ends_tensor: Var",
            "\"EndsTensor\"",
            "is no longer dispensable",
            "input_changed slice.EndsTensor dispensable major",
        ),
        (
            "    #[attr(default = [])]\n    pub starts: Vec<i32>,\n",
            "",
            "\"slice\"",
            "attribute `starts` of `slice` is deleted",
            "attr_deleted slice.starts - major",
        ),
        (
            "    #[input(name = \"Y\")]\n    pub y: Var,\n",
            "    #[input(name = \"Y\")]\n    pub y: Var,\n    /// New.\n    #[input(name = \"Z\")]\n    pub z: Var,\n",
            "\"Z\"",
            "the added input `Z` of `add` is not dispensable",
            "input_added_not_dispensable add.Z - major",
        ),
        (
            "#[op(\"add\")]",
            "#[op(\"add\", experimental)]",
            "experimental",
            "is marked experimental",
            "op_deleted add.- experimental major",
        ),
    ];
    for (from, to, token, text, finding) in cases {
        ops.edit("src/lib.rs", from, to);
        ops.check().fails().has_errors(1).has_error_at(&ops.place("src/lib.rs", token), text).says("since 1.0.0");
        for command in ["check", "update"] {
            let output = ops.oplock(command).args(["--message-format", "json"]).run().exits(100);
            assert_eq!(output.findings(), [finding], "{output}");
            let row = &output.json_lines()[0];
            assert_eq!((row["verdict"].as_str(), row["since"].as_str()), (Some("refused"), Some("1.0.0")), "{output}");
        }
        assert_eq!(ops.lock_state(), state, "{text}");
        ops.write("src/lib.rs", &source);
    }
    ops.check().succeeds();
}

#[test]
fn a_deleted_operator_is_refused_at_lock() {
    let ops = Folder::released_ops("1.0.0");
    let source = ops.read("src/lib.rs");
    let (rest, _) = source.split_once("\n/// Adds.").unwrap_or_default();
    ops.write("src/lib.rs", rest);
    ops.check()
        .fails()
        .has_errors(1)
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!();"), "operator `add` is deleted [op_deleted]")
        .says("since 1.0.0")
        .says("cargo oplock plan major");
    let state = ops.lock_state();
    ops.oplock_check().exits(100).says("operator `add` is deleted [op_deleted]");
    ops.oplock_update().exits(100).says("the lock is as it was");
    assert_eq!(ops.lock_state(), state);
    ops.write("src/lib.rs", &source);
    ops.check().succeeds();
}

/// C20, in one module and in two.
#[test]
fn an_operator_declared_twice_is_refused_at_both() {
    let ops = Folder::released_ops("1.0.0");
    ops.append("src/lib.rs", source::NEG);
    ops.oplock_update().succeeds();
    let again = source::NEG.replace("struct Neg", "struct Negative");
    ops.append("src/lib.rs", &again);
    let first = ops.place("src/lib.rs", "\"neg\")]\npub struct Neg {");
    let second = ops.place("src/lib.rs", "\"neg\")]\npub struct Negative {");
    is_duplicate(&ops.check(), &first, &second);
    let state = ops.lock_state();
    ops.oplock_check().exits(101).prints_nothing().says("duplicate definitions").says(&first);
    ops.oplock_update().exits(101);
    assert_eq!(ops.lock_state(), state);

    // The same in a file of its own.
    let text = ops.read("src/lib.rs").replace(&again, "\n/// More.\npub mod more;\n");
    ops.write("src/lib.rs", &text);
    ops.write("src/more.rs", &format!("//! More.\n\nuse oplock::{{Var, op}};\n{}", source::NEG));
    is_duplicate(&ops.check(), &ops.place("src/lib.rs", "\"neg\""), &ops.place("src/more.rs", "\"neg\""));
    ops.oplock_check().exits(101).says("duplicate definitions").says("src/more.rs:6");

    // And of an operator that no lock has yet.
    ops.oplock("withdraw").arg("neg").run().succeeds();
    is_duplicate(&ops.check(), &ops.place("src/lib.rs", "\"neg\""), &ops.place("src/more.rs", "\"neg\""));
}

/// One error shows both structs and names the operator.
#[track_caller]
fn is_duplicate(output: &Output, first: &str, second: &str) {
    let output = output.clone().fails();
    let is_at = |diagnostic: &Diagnostic, place: &str| {
        let number = line_of(place).rsplit_once(':').map_or("", |(_, line)| line);
        // In the file of the first place only the line's number is shown.
        diagnostic.places.iter().any(|p| line_of(p) == line_of(place))
            || diagnostic.text.lines().any(|line| line.trim_start().starts_with(&format!("{number} |")))
    };
    let is_there = output.errors().iter().any(|error| {
        error.text.contains("duplicate definitions")
            && error.text.contains("neg")
            && is_at(error, first)
            && is_at(error, second)
    });
    assert!(is_there, "should have shown {first} and {second} as one operator:\n{output}");
}

/// C10, C14: what no release carries is enforced too, and taken back by `withdraw`.
#[test]
fn what_is_unreleased_is_withdrawn_on_purpose() {
    let ops = Folder::released_ops("1.0.0");
    ops.edit("src/lib.rs", AXES.0, AXES.1);
    ops.oplock_update().succeeds();
    let with_axes = ops.lock();
    ops.edit("src/lib.rs", AXES.1, &AXES.1.replace("default = []", "default = [0]"));
    ops.check()
        .fails()
        .has_error_at(&ops.place("src/lib.rs", "[0]"), "the default of attribute `decrease_axis` of `slice` changed")
        .says("`cargo oplock withdraw slice.decrease_axis`");
    ops.oplock_update().exits(100).says("cargo oplock withdraw slice.decrease_axis");

    // Only what is named, and nothing that a release carries.
    ops.oplock("withdraw").arg("slice.starts").run().exits(100).says("since release 1.0.0");
    ops.oplock("withdraw").arg("slice.decrease_axes").run().exits(2).says("did you mean");
    ops.oplock("withdraw").args(["slice.decrease_axis", "slice.starts"]).run().exits(100);
    assert_eq!(ops.lock(), with_axes);
    ops.oplock("withdraw").arg("slice.decrease_axis").run().succeeds().says("cargo oplock update");
    assert!(!ops.lock().contains("decrease_axis"), "{}", ops.lock());
    ops.check().succeeds().says("ops.lock is stale");
    ops.oplock_update().succeeds();
    assert!(
        ops.lock_has("slice.attr.decrease_axis = { type = \"[i32]\", default = [0], unreleased = true }"),
        "{}",
        ops.lock()
    );
    ops.check().succeeds().warns_of_nothing();

    // The same of a whole operator, which is then renamed.
    ops.append("src/lib.rs", source::NEG);
    ops.oplock_update().succeeds();
    ops.edit("src/lib.rs", "\"neg\"", "\"negative\"");
    ops.check().fails().says("operator `neg` is deleted").says("`cargo oplock withdraw neg`");
    ops.oplock("withdraw").arg("neg").run().succeeds();
    ops.oplock_update().succeeds();
    assert!(ops.lock_has("negative.unreleased = true") && !ops.lock().contains("neg."), "{}", ops.lock());
    ops.oplock_check().succeeds();
}

/// C9: what the lock never held was never promised.
#[test]
fn what_the_lock_never_held_is_free() {
    let ops = Folder::released_ops("1.0.0");
    let state = ops.lock_state();
    for default in ["[1]", "[2]"] {
        let source = source::OPS.replace(AXES.0, &AXES.1.replace("default = []", &format!("default = {default}")));
        ops.write("src/lib.rs", &source);
        ops.check().succeeds().says("ops.lock is stale: attribute `decrease_axis` of `slice` is added");
        ops.oplock_check().exits(1);
    }
    assert_eq!(ops.lock_state(), state);
}

/// A major version in Cargo.toml allows breaks; C28: a lower one brings the errors back; C32: so does nothing else.
#[test]
fn a_major_version_in_the_manifest_allows_breaks() {
    let ops = Folder::released_ops("1.4.0");
    let released = ops.lock();
    ops.edit("src/lib.rs", "default = []", "default = [1]");
    let source = ops.read("src/lib.rs");
    let (without_add, _) = source.split_once("\n/// Adds.").unwrap_or_default();
    ops.write("src/lib.rs", without_add);
    ops.check().fails().has_errors(2);
    for version in ["1.4.1", "1.5.0"] {
        ops.set_version(version);
        ops.check().fails().has_errors(2);
        ops.oplock_update().exits(100);
    }

    ops.set_version("2.0.0");
    ops.check().succeeds().says("ops.lock is stale");
    ops.test().fails().says("operator `add` is deleted");
    ops.oplock_check().exits(100).says("[break_without_version]").says("`version 2 = \"what breaks\";`");
    ops.oplock_update().exits(100);
    ops.refuses_older(2);
    ops.oplock_check().exits(1).says("2.0.0 may make this break");
    ops.oplock_update().succeeds();
    assert!(ops.lock_has("slice.attr.starts = { type = \"[i32]\", default = [1] }"), "{}", ops.lock());
    assert!(
        ops.lock_has(
            "slice.unreleased.attr.starts = { rule = \"attr_changed\", version = 2, from = { type = \"[i32]\", default = [], since = \"1.4.0\" }, \
             to = { type = \"[i32]\", default = [1] }, for = \"2.0.0\" }"
        ),
        "{}",
        ops.lock()
    );
    assert!(ops.lock().contains("add.unreleased.op = { rule = \"op_deleted\""), "{}", ops.lock());
    ops.check().succeeds().warns_of_nothing();
    ops.test().succeeds();
    ops.oplock_check().succeeds().prints_nothing();

    // C28
    ops.set_version("1.5.0");
    ops.check()
        .fails()
        .has_errors(3)
        .has_error_at(&ops.place("src/lib.rs", "[1]"), "changed from [] to [1]")
        .has_error_at(&ops.place("src/lib.rs", "2;"), "`min_producer` of graphs rises from 1 to 2")
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!"), "operator `add` is deleted");
    let state = ops.lock_state();
    ops.oplock_check().exits(100);
    ops.oplock_update().exits(100);
    assert_eq!(ops.lock_state(), state);

    // C32
    ops.set_version("2.0.0");
    ops.write("src/lib.rs", source::OPS);
    // The data version is taken back on purpose, and what rose to it with it.
    ops.check().fails().has_errors(1).says("`cargo oplock withdraw saved.graph.2`");
    ops.oplock("withdraw").arg("saved.graph.2").run().succeeds();
    ops.check().succeeds();
    ops.oplock_update().succeeds();
    let noted = ops.lock().replace("version = \"2.0.0\"\n", "");
    assert_eq!(noted, released, "restored, so nothing is left of the break but the version");
    ops.set_version("1.4.1");
    ops.check().succeeds().says("neither sealed nor brought up to date");
    ops.oplock_update().succeeds();
    ops.check().succeeds().warns_of_nothing();
}

/// `plan major` does the same before the version changes, and C29: it cannot be forgotten.
#[test]
fn a_planned_major_version_allows_breaks() {
    let ops = Folder::released_ops("1.4.0");
    ops.edit("src/lib.rs", "default = []", "default = [1]");
    ops.check().fails().says("cargo oplock plan major");
    ops.oplock("plan").arg("major").run().succeeds().says("2.0.0");
    assert!(ops.lock_has("next = \"2.0.0\""), "{}", ops.lock());
    ops.check().succeeds().says("ops.lock is stale");
    ops.takes_version(2);
    ops.oplock_update().succeeds();
    ops.check().succeeds().warns_of_nothing();
    ops.test().succeeds();

    // The plan taken back, the break is one again.
    ops.oplock("plan").arg("none").run().succeeds();
    ops.check().fails().has_error_at(&ops.place("src/lib.rs", "[1]"), "changed from [] to [1]");
    ops.oplock("plan").arg("major").run().succeeds();
    ops.check().succeeds();

    // C29: 2.0.0 was shipped by a tag, and nobody sealed it.
    ops.set_version("2.0.0");
    ops.check().succeeds();
    ops.set_version("2.1.0");
    ops.check()
        .fails()
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!"), "release 2.0.0, which was never sealed")
        .says("cargo oplock plan 2.1.0");
    let state = ops.lock_state();
    ops.oplock_check().exits(100).says("never sealed").says("cargo oplock plan 2.1.0");
    ops.oplock_update().exits(100).says("never sealed");
    assert_eq!(ops.lock_state(), state);
    // The remedy that the error names.
    ops.oplock("plan").arg("2.1.0").run().succeeds();
    ops.check().succeeds();
    ops.oplock_update().succeeds();
}

/// C31: a major version on the way breaks what was released, and nothing that was not.
#[test]
fn a_major_version_does_not_break_what_is_unreleased() {
    let ops = Folder::released_ops("1.4.0");
    ops.set_version("2.0.0");
    ops.edit("src/lib.rs", AXES.0, AXES.1);
    ops.oplock_update().succeeds();
    ops.edit("src/lib.rs", AXES.1, &AXES.1.replace("default = []", "default = [0]"));
    ops.check()
        .fails()
        .has_error_at(&ops.place("src/lib.rs", "[0]"), "the default of attribute `decrease_axis` of `slice` changed")
        .says("`cargo oplock withdraw slice.decrease_axis`");
    ops.oplock_update().exits(100);
    ops.oplock("withdraw").arg("slice.decrease_axis").run().succeeds();
    ops.oplock_update().succeeds();
    assert!(!ops.lock().contains("[ledger]"), "{}", ops.lock());
    ops.check().succeeds().warns_of_nothing();
}

/// C17, as far as `update` goes: below 1.0 the minor number is the major one, below 0.1 the patch number.
#[test]
fn versions_below_one() {
    // From, to, whether an input is deleted, whether that is allowed.
    let cases = [
        ("0.3.1", "0.3.2", false, true),
        ("0.3.1", "0.3.2", true, false),
        ("0.3.1", "0.4.0", true, true),
        ("0.0.3", "0.0.4", true, true),
    ];
    let folder = Folder::new();
    for (i, (from, to, deletes, is_allowed)) in cases.into_iter().enumerate() {
        let ops = folder.package(&format!("below-one-{i}"), from, source::OPS).released(from);
        ops.append("src/lib.rs", source::NEG);
        if deletes {
            ops.edit("src/lib.rs", "    #[input(name = \"Y\")]\n    pub y: Var,\n", "");
        }
        ops.set_version(to);
        if is_allowed {
            ops.check().succeeds();
            if deletes {
                ops.refuses_older(2);
            }
            ops.oplock_update().succeeds();
            ops.check().succeeds().warns_of_nothing();
        } else {
            ops.check().fails();
            ops.oplock_update().exits(100);
        }
    }
}

/// C19: none of it is saved.
#[test]
fn modules_names_order_and_documentation_are_free() {
    let ops = Folder::released_ops("1.0.0");
    ops.write("src/lib.rs", "//! Other words.\n\noplock::lock!();\n\npub mod deep;\n\npub use deep::Sum;\n");
    let moved = source::OPS
        .replace("oplock::lock!();\n\n", "")
        .replace("Operators for vision models", "Moved")
        .replace("pub struct Add", "pub struct Sum")
        .replace("    /// One summand.\n    #[input(name = \"X\")]\n    pub x: Var,\n", "")
        .replace(
            "    pub y: Var,\n",
            "    pub right: Var,\n    /// The left one.\n    #[input(name = \"X\")]\n    pub left: Var,\n",
        )
        .replace("Where each slice begins", "Beginnings");
    ops.write("src/deep.rs", &moved);
    let state = ops.lock_state();
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock_state(), state);
}

/// C21: all mistakes of a declaration, each at its token, and nothing else.
#[test]
fn three_mistakes_are_three_errors() {
    let ops = Folder::released_ops("1.0.0");
    ops.edit("src/lib.rs", "\"EndsTensor\", dispensable", "\"EndsTensor\", optional");
    ops.edit("src/lib.rs", "default = [])", "default = \"none\")");
    ops.edit("src/lib.rs", "default = false, extra", "default = false, extra, quant");
    ops.check()
        .fails()
        .has_errors(3)
        .has_error_at(&ops.place("src/lib.rs", "optional"), "did you mean `dispensable`")
        .has_error_at(&ops.place("src/lib.rs", "\"none\""), "")
        .has_error_at(&ops.place("src/lib.rs", "quant)"), "")
        .says_nothing_of("deleted");
    let state = ops.lock_state();
    ops.oplock_check().exits(101).says("did you mean `dispensable`").prints_nothing();
    ops.oplock_update().exits(101);
    assert_eq!(ops.lock_state(), state);
}
