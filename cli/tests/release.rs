//! Releases of a real crate: sealing, versions, plans and approvals. The cases C… are those of the list of changes.

#[allow(dead_code, reason = "not every test binary uses all of it")]
mod common;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "common/ops.rs"]
mod ops;

use common::Run;
use ops::{DEFAULT, LIB, NEG, OTHER_DEFAULT, Ops, STARTS, WITH_AXES};

const ADD: &str = "\n/// Adds.\n#[op(\"add\")]";

/// The library without `add`.
fn without_add() -> String {
    LIB.split_once(ADD).expect("LIB has `add`").0.to_owned()
}

#[test]
fn a_release_is_sealed() {
    let ops = Ops::released("seal-a", "1.4.0");
    ops.lib(STARTS, WITH_AXES);
    ops.append(NEG);
    // C18
    ops.set_version("1.4.1");
    let before = ops.lock();
    for args in [&["seal"][..], &["seal", "--dry-run"]] {
        ops.oplock(args)
            .ends(100)
            .prints_nothing()
            .says(
                "seal-a 1.4.1 is not sealed: 1.4.1 is too low: the changes since the last release need a minor version",
            )
            .says("help: the lowest legal version is 1.5.0");
    }
    assert_eq!(ops.lock(), before);
    ops.set_version("1.5.0");
    ops.oplock(&["seal", "--dry-run"])
        .ends(0)
        .prints_nothing()
        .says("      Lowest 1.5.0 is the lowest legal version: minor after 1.4.0")
        .says("  Would seal seal-a 1.5.0 (1 operator added, 1 changed, 0 broken); nothing is written");
    assert_eq!(ops.lock(), before);
    ops.oplock(&["seal"])
        .ends(0)
        .prints_nothing()
        .says("     Updated ")
        .says("      Sealed seal-a 1.5.0 (1 operator added, 1 changed, 0 broken)");
    let lock = ops.lock();
    assert!(lock.contains("slice.attr.axes = { type = \"[i32]\", default = [], since = \"1.5.0\" }"), "{lock}");
    assert!(lock.contains("neg.since = \"1.5.0\"") && !lock.contains("unreleased"), "{lock}");
    ops.oplock(&["check"]).ends(0).prints_nothing();
    ops.oplock(&["seal"]).ends(0).says("   Unchanged seal-a: 1.5.0 is sealed, and nothing changed since");
    assert_eq!(ops.lock(), lock);
}

/// cargo-release runs its hook in a dry run as well, and has not raised the version then.
#[test]
fn a_dry_run_of_cargo_release() {
    let ops = Ops::released("seal-hook", "1.0.0");
    ops.append(NEG);
    let before = ops.lock();
    let hook = |dry: &str, version: &str, name: &str| {
        let env = [("DRY_RUN", dry), ("NEW_VERSION", version), ("CRATE_NAME", name)];
        ops.cargo(&["oplock", "seal"], &env)
    };
    hook("true", "1.0.1", "seal-hook").ends(100).says("the lowest legal version is 1.1.0");
    hook("true", "1.1.0", "seal-hook").ends(0).says("Would seal seal-hook 1.1.0 (1 operator added");
    hook("true", "1.1.0", "another").ends(100).says("the package is at 1.0.0, and 1.0.0 is released");
    assert_eq!(ops.lock(), before);
    hook("false", "1.1.0", "seal-hook").ends(100).says("the package is at 1.0.0, and 1.0.0 is released");
    ops.set_version("1.1.0");
    hook("false", "1.1.0", "seal-hook").ends(0).says("Sealed seal-hook 1.1.0");
}

#[test]
fn a_version_without_an_update_makes_the_lock_stale() {
    let ops = Ops::released("seal-stale", "1.4.0");
    ops.set_version("1.4.1");
    ops.oplock(&["check"])
        .ends(1)
        .prints_nothing()
        .says("neither brought up to date nor sealed for 1.4.1")
        .says("cargo oplock seal");
    ops.oplock(&["update"]).ends(0);
    assert!(ops.lock().contains("\nversion = \"1.4.1\"\n"), "{}", ops.lock());
    ops.oplock(&["check"]).ends(0);
    ops.oplock(&["seal"]).ends(0);
    assert!(!ops.lock().contains("\nversion = "), "{}", ops.lock());
}

#[test]
fn a_break_waits_for_a_major_version() {
    let ops = Ops::released("seal-major", "0.3.1");
    ops.write("src/lib.rs", &without_add());
    ops.oplock(&["seal"])
        .ends(100)
        .says("operator `add` is deleted [op_deleted]")
        .says("is not sealed; the lock is as it was");
    // C17
    ops.set_version("0.4.0");
    ops.refuses_older(2);
    ops.oplock(&["seal"]).ends(0).says("Sealed seal-major 0.4.0 (0 operators added, 0 changed, 1 broken)");
    assert!(ops.lock().contains("[ledger]"), "{}", ops.lock());
    ops.set_version("0.4.1");
    ops.append(NEG);
    ops.oplock(&["seal"]).ends(0).says("Sealed seal-major 0.4.1");
}

/// C10 and C31.
#[test]
fn what_was_updated_is_withdrawn_until_it_is_sealed() {
    let ops = Ops::released("seal-c10", "1.4.0");
    ops.set_version("1.5.0");
    ops.lib(STARTS, WITH_AXES);
    ops.oplock(&["update"]).ends(0);
    ops.lib("#[attr(default = [])]\n    pub axes", "#[attr(default = [1])]\n    pub axes");
    ops.oplock(&["update"]).ends(100).says("cargo oplock withdraw slice.axes");
    ops.oplock(&["withdraw", "slice.axes"]).ends(0);
    ops.oplock(&["seal"]).ends(0);
    ops.lib("#[attr(default = [1])]\n    pub axes", "#[attr(default = [2])]\n    pub axes");
    ops.oplock(&["update"]).ends(100).says("make it a break of 2.0.0: `cargo oplock plan major`");
    ops.oplock(&["withdraw", "slice.axes"]).ends(100).says("promised since release 1.5.0");
}

/// C13: the middle release was never the direct baseline of the last.
#[test]
fn a_default_of_the_release_before_last() {
    let ops = Ops::released("seal-c13", "1.0.0");
    ops.lib(STARTS, "    pub starts: Vec<i32>,\n    /// F.\n    #[attr(default = \"t\")]\n    pub f2: String,\n");
    ops.set_version("1.1.0");
    ops.oplock(&["seal"]).ends(0);
    ops.lib("#[attr(default = \"t\")]\n    pub f2", "#[attr]\n    pub f2");
    ops.set_version("1.2.0");
    ops.oplock(&["seal"]).ends(100).says("attr_changed");
}

const UPGRADE: &str = r#"
/// No graph can be saved by it.
#[oplock::upgrade(op = "add", before = 2)]
fn without_add(_: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError> {
    Err(oplock::graph::UpgradeError::new("there is nothing in its place"))
}
"#;

/// C8: the name of what was deleted cannot come back as something else.
#[test]
fn a_deleted_name_is_a_tombstone() {
    let ops = Ops::released("seal-c8", "1.0.0");
    ops.write("src/lib.rs", &without_add());
    ops.set_version("2.0.0");
    ops.oplock(&["seal"]).ends(100).says("[break_without_version]");
    ops.takes_version(2);
    ops.oplock(&["seal"]).ends(100).says("[break_not_covered]").says("#[oplock::upgrade(op = \"add\", before = 2)]");
    ops.edit("Cargo.toml", "oplock = {", "oplock = { features = [\"graph\"],");
    ops.append(UPGRADE);
    ops.oplock(&["seal"]).ends(0);
    let lock = ops.lock();
    assert!(lock.contains("add.2 = { since = \"2.0.0\" }") && lock.contains("\"2.0.0\" = { date = "), "{lock}");
    assert!(lock.contains(", graph = 2, digest"), "{lock}");
    ops.set_version("2.1.0");
    ops.append("\n/// Adds.\n#[op(\"add\")]\npub struct Add {\n    /// All.\n    #[input(duplicable)]\n    pub xs: Vec<Var>,\n}\n");
    let told =
        ops.oplock(&["check", "--witness"]).ends(100).says("[name_reused]").says("deleted in 2.0.0").stdout.clone();
    assert!(told.contains("as the older release saves it, it does not load in the newer one"), "{told}");
    ops.oplock(&["seal"]).ends(100);
}

#[test]
fn a_plan_that_is_given_up() {
    let ops = Ops::released("plan-none", "1.0.0");
    ops.oplock(&["plan", "none"]).ends(0).says("   Unchanged plan-none: nothing is planned already");
    // What was broken for it is an error again, though lock and source agree.
    ops.oplock(&["plan", "major"]).ends(0).says("     Planned plan-none 2.0.0: it may break");
    ops.write("src/lib.rs", &without_add());
    ops.refuses_older(2);
    ops.oplock(&["update"]).ends(0);
    ops.oplock(&["plan", "none"])
        .ends(0)
        .says("   Unplanned plan-none 2.0.0: what was broken of 1 operator is an error again");
    ops.oplock(&["check"]).ends(100).says("operator `add` is deleted [op_deleted]");
    ops.cargo(&["check"], &[]).ends(101);
    // Unless the package's version says the same.
    ops.oplock(&["plan", "major"]).ends(0);
    ops.set_version("2.0.0");
    ops.oplock(&["plan", "none"])
        .ends(0)
        .says("   Unplanned plan-none 2.0.0: the package's own version may still break, as 2.0.0");
    ops.oplock(&["check"]).ends(1).says("neither brought up to date nor sealed for 2.0.0");
    // What a version has passed was never sealed; giving that up does not make its breaks legal.
    ops.oplock(&["plan", "2.0.0"]).ends(0);
    ops.set_version("2.1.0");
    for command in ["check", "update", "seal"] {
        ops.oplock(&[command]).ends(100).says("release 2.0.0, which was never sealed, and the package is at 2.1.0");
    }
    ops.oplock(&["plan", "none"]).ends(0);
    for command in ["check", "update", "seal"] {
        ops.oplock(&[command]).ends(100).says("breaks were accepted for release 2.0.0, which was never sealed");
    }

    let ops = Ops::released("plan-old", "1.0.0");
    ops.oplock(&["plan", "1.1.0"]).ends(0).says("Planned plan-old 1.1.0: it may not break");
    ops.set_version("1.2.0");
    ops.oplock(&["check"]).ends(100).says("the lock waits for release 1.1.0, which was never sealed");
    ops.oplock(&["plan", "none"]).ends(0).says("   Unplanned plan-old 1.1.0: it counts as never published");
    ops.oplock(&["check"]).ends(1).says("neither brought up to date nor sealed for 1.2.0");
    // A plan for what is released says nothing, whoever wrote it.
    ops.oplock(&["seal"]).ends(0);
    ops.edit("ops.lock", "package = \"plan-old\"\n", "package = \"plan-old\"\nnext = \"1.1.0\"\n");
    ops.write("src/lib.rs", &without_add());
    ops.oplock(&["check"]).ends(100).says("[op_deleted]");
    ops.oplock(&["plan", "none"]).ends(0).says("   Unplanned plan-old 1.1.0; it was over");
}

/// C29
#[test]
fn a_release_that_was_never_sealed() {
    let ops = Ops::released("seal-c29", "1.0.0");
    ops.write("src/lib.rs", &without_add());
    ops.refuses_older(2);
    ops.set_version("2.0.0");
    ops.oplock(&["update"]).ends(0);
    ops.set_version("2.1.0");
    for command in ["check", "update", "seal"] {
        ops.oplock(&[command]).ends(100).says("release 2.0.0, which was never sealed").says("cargo oplock plan 2.1.0");
    }
    ops.oplock(&["check", "--message-format", "json"]).ends(100).says("\"rule\":\"release_passed\"");
}

/// C30
#[test]
fn a_pre_release_promises_nothing_and_may_not_break() {
    let ops = Ops::released("seal-c30", "1.0.0");
    ops.set_version("1.5.0-rc.1");
    ops.append(NEG);
    ops.oplock(&["seal"]).ends(0).says("a pre-release promises nothing yet");
    let lock = ops.lock();
    assert!(lock.contains("neg.unreleased = true") && lock.contains("\"1.5.0-rc.1\" = "), "{lock}");
    ops.oplock(&["check"]).ends(0);
    ops.set_version("1.5.0-rc.2");
    ops.write("src/lib.rs", &(without_add() + NEG));
    ops.oplock(&["check"]).ends(100).says("operator `add` is deleted");
    ops.oplock(&["seal"]).ends(100);
}

const APPROVE: [&str; 7] =
    ["approve", "attr_changed", "slice.starts", "--reason", "no graph has it", "--by", "A. Person"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

#[test]
fn a_named_person_allows_a_break() {
    let ops = Ops::released("approve-a", "1.4.0");
    ops.set_version("1.5.0");
    ops.lib(DEFAULT, OTHER_DEFAULT);
    ops.takes_version(2);
    ops.oplock(&["check"]).ends(100);
    ops.oplock(&APPROVE)
        .ends(0)
        .prints_nothing()
        .says("    Approved attr_changed of `slice.attr.starts` by A. Person: ");
    assert_eq!(
        ops.read("ops.approvals.toml"),
        "# Breaks that a named person allowed. Written by `cargo oplock approve`; guard this file with CODEOWNERS.\n\n\
         [[approval]]\nrule = \"attr_changed\"\nop = \"slice\"\nattr = \"starts\"\nfield = \"default\"\nfrom = \"[]\"\nto = \"[1]\"\n\
         reason = \"no graph has it\"\nby = \"A. Person\"\n"
    );
    ops.oplock(&APPROVE).ends(0).says("approved already");
    ops.oplock(&["check"])
        .ends(1)
        .says("    Approved attr_changed of `slice.attr.starts` by A. Person: \"no graph has it\"");
    ops.oplock(&["update"]).ends(0);
    ops.oplock(&["check"]).ends(0).prints_nothing().says("    Approved attr_changed");
    // The compiler honours it too.
    ops.cargo(&["check"], &[]).ends(0);
    ops.oplock(&["seal"]).ends(0).says("1 broken");
    assert!(!ops.has("ops.approvals.toml"));
    let lock = ops.lock();
    assert!(lock.contains("A. Person") && lock.contains("no graph has it"), "{lock}");
    ops.oplock(&["check"]).ends(0);
}

/// C16 and C37: the day is judged here, and the compiler says what it said.
#[test]
fn approvals_that_are_over_or_match_nothing() {
    let ops = Ops::released("approve-c16", "1.4.0");
    ops.set_version("1.5.0");
    ops.lib(DEFAULT, OTHER_DEFAULT);
    ops.takes_version(2);
    ops.oplock(&with(&APPROVE, &["--expires", "2020-01-01"])).ends(2).says("would have expired on 2020-01-01");
    for day in ["soon", "2027-02-30", "2027-2-3"] {
        ops.oplock(&with(&APPROVE, &["--expires", day])).ends(2).says("a day is written YYYY-MM-DD");
    }
    ops.oplock(&with(&APPROVE, &["--expires", "9999-01-01"])).ends(0);
    ops.oplock(&["check"]).ends(1).says("by A. Person until 9999-01-01");
    ops.edit("ops.approvals.toml", "9999-01-01", "2020-01-01");
    for command in ["check", "update", "seal"] {
        ops.oplock(&[command])
            .ends(100)
            .says("ops.approvals.toml:3: the approval of attr_changed of `slice.attr.starts` expired on 2020-01-01");
    }
    ops.cargo(&["check"], &[]).ends(0);

    ops.edit("ops.approvals.toml", "expires = \"2020-01-01\"\n", "");
    ops.lib(OTHER_DEFAULT, DEFAULT);
    ops.oplock(&["check"]).ends(100).says(
        "ops.approvals.toml:3: the approval of attr_changed of `slice.attr.starts` matches no change and no row of the ledger",
    );
    ops.oplock(&["update"]).ends(0).says("warning: ops.approvals.toml:3");
    ops.oplock(&["seal"]).ends(100);
}

#[test]
fn what_cannot_be_approved() {
    let ops = Ops::released("approve-not", "1.4.0");
    ops.set_version("1.5.0");
    ops.lib(STARTS, WITH_AXES);
    ops.oplock(&["update"]).ends(0);
    ops.lib("#[attr(default = [])]\n    pub axes: Vec<i32>", "#[attr(default = [1])]\n    pub axes: Vec<i32>");
    ops.lib("#[input]\n    pub y: Var", "#[input(dispensable, duplicable)]\n    pub y: Vec<Var>");
    ops.lib(DEFAULT, OTHER_DEFAULT);
    let approve = |rule, path, more: &[&'static str]| -> Run {
        ops.oplock(&with(&["approve", rule, path, "--reason", "r", "--by", "b"], more))
    };
    approve("attr_changed", "slice.axes", &[]).ends(100).says("cargo oplock withdraw slice.axes");
    approve("attr_change", "slice.axes", &[]).ends(2).says("did you mean `attr_changed`?");
    approve("attr_changed", "slice.start", &[]).ends(2).says("did you mean `slice.starts`?");
    approve("attr_deleted", "slice.starts", &[]).ends(2).says("there is no break attr_deleted of `slice.starts`\n");
    approve("input_changed", "add.y", &[])
        .ends(2)
        .says("several breaks are named so; say which:")
        .says("add.input.y --field dispensable (from false to true)")
        .says("add.input.y --field duplicable (from false to true)");
    approve("input_changed", "add.input.y", &["--field", "duplicable"]).ends(0);
    ops.oplock(&["approve", "attr_changed", "slice.starts", "--reason", " "]).ends(2);
    // Nobody is named, and git knows nobody.
    ops.oplock(&["approve", "attr_changed", "slice.starts", "--reason", "r"]).ends(101).says("nobody is named");
    approve("attr_changed", "slice.starts", &[]).ends(0);
    ops.oplock(&["plan", "none"]).ends(0);
    ops.set_version("1.4.1");
    ops.oplock(&["check"]).ends(100).says("a patch release may not break, whoever approves it: 1.4.1 follows 1.4.0");
    ops.write("ops.approvals.toml", "[[approval]]\nrule = \"attr_change\"\n");
    ops.oplock(&["check"])
        .ends(101)
        .says("ops.approvals.toml:2: there is no rule `attr_change`; did you mean `attr_changed`?");
}

#[test]
fn git_s_user_is_who_approves() {
    let ops = Ops::released("approve-git", "1.4.0").with_git();
    ops.git(&["config", "user.name", "G. User"]);
    ops.git(&["config", "user.email", "g@example.com"]);
    ops.set_version("1.5.0");
    ops.lib(DEFAULT, OTHER_DEFAULT);
    ops.oplock(&["approve", "attr_changed", "slice.starts", "--reason", "r"])
        .ends(0)
        .says("by G. User <g@example.com>");
    assert!(ops.read("ops.approvals.toml").contains("by = \"G. User <g@example.com>\"\n"));
}

#[test]
fn a_workspace_is_sealed_where_it_changed() {
    let ops = Ops::empty();
    ops.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n");
    ops.package("a/", "seal-ws-a", "1.0.0", "");
    ops.package("b/", "seal-ws-b", "2.0.0", "");
    ops.oplock(&["init", "--manifest-path", "a/Cargo.toml", "--released", "1.0.0"]).ends(0);
    ops.oplock(&["init", "--manifest-path", "b/Cargo.toml", "--released", "2.0.0"]).ends(0);
    ops.write("a/src/lib.rs", &(LIB.to_owned() + &NEG.replace("\"neg\"", "\"neg\", experimental")));
    ops.edit("a/Cargo.toml", "version = \"1.0.0\"", "version = \"1.0.1\"");
    let run = ops.oplock(&["seal", "--workspace"]).ends(0).prints_nothing();
    let table = "\n\
        package    version  ops  added  changed  broken  outside the guarantee\n\
        seal-ws-a  1.0.1      3      0        0       0               1 (33 %)  sealed\n\
        seal-ws-b  2.0.0      2      0        0       0                      0  unchanged\n";
    assert!(run.stderr.ends_with(table), "{}", run.stderr);
    let run = ops.oplock(&["check", "--workspace"]).ends(0);
    assert!(run.stderr.contains("1 (33 %)  in order\n"), "{}", run.stderr);
    // How far it is, on a terminal only.
    assert!(!run.stderr.contains("(1/2)"), "{}", run.stderr);
    let command = format!("'{}' oplock check --workspace", env!("CARGO_BIN_EXE_cargo-oplock"));
    if cfg!(target_os = "linux") && ops.has_program("script") {
        let terminal = ops.program("script", &["-qec", &command, "/dev/null"], &[]).ends(0);
        assert!(terminal.stdout.contains("/a) (1/2)") && terminal.stdout.contains("/b) (2/2)"), "{}", terminal.stdout);
    }
    let quiet = ops.oplock(&["check", "--workspace", "--quiet"]).ends(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn a_test_brings_the_lock_up_to_date() {
    let ops = Ops::released("update-by-test", "1.0.0");
    ops.lib(STARTS, WITH_AXES);
    ops.cargo(&["test", "--lib"], &[]).ends(101).says("or this test with OPLOCK=update");
    ops.cargo(&["test", "--lib"], &[("OPLOCK", "yes")]).ends(101).says("OPLOCK=yes means nothing");
    ops.cargo(&["test", "--lib"], &[("OPLOCK", "update")]).ends(0);
    assert!(ops.lock().contains("slice.attr.axes"), "{}", ops.lock());
    ops.cargo(&["test", "--lib"], &[]).ends(0);
}

#[test]
fn what_another_machine_collected() {
    let ops = Ops::released("collect-a", "1.0.0");
    ops.edit("Cargo.toml", "\n[workspace]", "[features]\nfar = []\n\n[workspace]");
    ops.append(&NEG.replace("#[op(\"neg\")]", "#[cfg(feature = \"far\")]\n#[op(\"neg\", cfg(feature = \"far\"))]"));
    ops.oplock(&["collect", "--out", "far", "--features", "far"]).ends(0).says("   Collected far/collect-a");
    ops.oplock(&["check"]).ends(0);
    ops.oplock(&["check", "--from", "far"]).ends(1).says("operator `neg` is added");
    ops.oplock(&["update", "--from", "far"]).ends(0);
    assert!(ops.lock().contains("neg.unreleased = true"), "{}", ops.lock());
    ops.oplock(&["check", "--from", "nowhere"]).ends(101).says("there is no collection of package `collect-a`");
    ops.set_version("1.1.0");
    ops.oplock(&["update", "--from", "far"]).ends(101).says("collected of another package or version");
}
