//! The action for GitHub and the hook for pre-commit, as far as they can be run without either.

#[allow(dead_code, reason = "not every test binary uses all of it")]
mod common;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "common/ops.rs"]
mod ops;

use std::path::{Path, PathBuf};

use ops::{DEFAULT, NEG, OTHER_DEFAULT, Ops};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(repository().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_action_checks_against_the_base_of_the_pull_request() {
    let action = read("action.yml");
    assert!(action.contains("\"$GITHUB_ACTION_PATH/.github/actions/check.sh\""), "{action}");
    let script = repository().join(".github/actions/check.sh");
    let ops = Ops::released("action-a", "1.0.0").with_git();
    ops.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    let run = |env: &[(&str, &str)]| ops.program("bash", &[script.to_str().unwrap()], env);
    let base = [("GITHUB_BASE_REF", "main")];
    run(&base).ends(0).prints_nothing().says("with origin/main:ops.lock: nothing lost or broken");
    ops.lib(DEFAULT, OTHER_DEFAULT);
    run(&base).ends(100).says("::error file=src/lib.rs,line=8,");
    // A push has no base; a lock that was changed by hand is found against the one that is named.
    ops.edit("ops.lock", "default = []", "default = [1]");
    run(&[]).ends(0).prints_nothing();
    run(&base).ends(100).says("::error file=ops.lock,title=oplock%3A base_laundered::");
    run(&[("OPLOCK_BASE", "HEAD"), ("OPLOCK_ARGUMENTS", "--message-format short --workspace")]).ends(2);
    run(&[("OPLOCK_BASE", "HEAD"), ("OPLOCK_ARGUMENTS", "--workspace --quiet")]).ends(100);
}

#[test]
fn the_hook_refuses_what_the_lock_does_not_have() {
    let hooks = read(".pre-commit-hooks.yaml");
    let entry = hooks.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("an entry");
    let ops = Ops::released("hook-a", "1.0.0");
    let run = || ops.program("sh", &["-c", entry], &[]);
    run().ends(0).prints_nothing();
    ops.append(NEG);
    run().ends(1).says("neg: operator `neg` is added [op_added] (minor)");
}
