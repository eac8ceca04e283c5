//! Which of two releases of one version is the same one, and what that changes in merges of branches and of release lines.
//!
//! The locks are written by hand: those that `seal` writes have a digest of each release, which decides it alone.

mod common;

use common::lock;
use oplock_core::Lock;
use oplock_core::lock::{absorb, merge};

/// A lock with releases of these versions, none of which has a digest, these operators and these rows.
fn undigested(releases: &[&str], ops: &str, ledger: &str) -> Lock {
    let releases: String =
        releases.iter().map(|version| format!("\"{version}\" = {{ date = \"2026-01-01\" }}\n")).collect();
    lock(&format!("[release]\n{releases}\n[op]\n{ops}\n[ledger]\n{ledger}"))
}

/// What a merge tells of releases, whichever side is ours.
#[track_caller]
fn told_of_releases(base: &Lock, ours: &Lock, theirs: &Lock) -> Vec<String> {
    let [told, mirrored] = [(ours, theirs), (theirs, ours)].map(|(ours, theirs)| {
        let choices = merge(base, ours, theirs).choices.into_iter().map(|choice| choice.path);
        choices.filter(|path| path.starts_with("release ")).collect::<Vec<_>>()
    });
    assert_eq!(told, mirrored);
    told
}

const F: &str = "f.since = \"1.0.0\"\n";
const F_A: &str = "f.since = \"1.0.0\"\nf.attr.a = { type = \"i32\", default = 1, since = \"1.1.0\" }\n";
const A_DELETED: &str =
    "f.\"2.0.0\".attr.a = { rule = \"attr_deleted\", from = { type = \"i32\", default = 1, since = \"1.1.0\" } }\n";

#[test]
fn releases_are_the_same_where_each_lock_knows_what_the_other_says_of_them() {
    let base = undigested(&["1.0.0"], F, "");
    let new = undigested(&["1.0.0", "1.1.0"], F_A, "");
    // One side went on, without anything that the other does not know of 1.1.0.
    let with_g = undigested(&["1.0.0", "1.1.0", "1.2.0"], &format!("{F_A}g.since = \"1.2.0\"\n"), "");
    assert_eq!(told_of_releases(&base, &new, &with_g), [""; 0]);
    // It deleted the attribute since.
    let deleted = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, A_DELETED);
    assert_eq!(told_of_releases(&base, &new, &deleted), [""; 0]);
    // Or the whole operator, of which no row has to name each item.
    let gone = "f.\"2.0.0\".op = { rule = \"op_deleted\", from = { since = \"1.0.0\" } }\n";
    let gone = undigested(&["1.0.0", "1.1.0", "2.0.0"], "h.since = \"1.0.0\"\n", gone);
    let base = undigested(&["1.0.0"], &format!("{F}h.since = \"1.0.0\"\n"), "");
    let new = undigested(&["1.0.0", "1.1.0"], &format!("{F_A}h.since = \"1.0.0\"\n"), "");
    assert_eq!(told_of_releases(&base, &new, &gone), [""; 0]);
}

#[test]
fn releases_are_not_the_same_where_one_lock_does_not_know_what_the_other_says_of_them() {
    let base = undigested(&["1.0.0"], F, "");
    let new = undigested(&["1.0.0", "1.1.0"], F_A, "");
    // Nothing of the attribute.
    let without = undigested(&["1.0.0", "1.1.0"], F, "");
    assert_eq!(told_of_releases(&base, &new, &without), ["release 1.1.0"]);
    // No release carries it there.
    let unreleased = F_A.replace("since = \"1.1.0\"", "unreleased = true");
    let unreleased = undigested(&["1.0.0", "1.1.0"], &unreleased, "");
    assert_eq!(told_of_releases(&base, &new, &unreleased), ["release 1.1.0"]);
    // Another attribute was deleted there, or the operator was changed, and that says nothing of this one.
    for row in [
        A_DELETED.replace("attr.a", "attr.b").replace("1.1.0", "1.0.0"),
        "f.\"2.0.0\".op = { rule = \"alias_removed\", from = { alias = [\"e\"], since = \"1.0.0\" }, to = {} }\n"
            .to_owned(),
    ] {
        let other = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, &row);
        assert_eq!(told_of_releases(&base, &new, &other), ["release 1.1.0"], "{row}");
    }
}

#[test]
fn releases_are_not_the_same_where_their_rows_differ() {
    let base = undigested(&["1.0.0", "1.1.0"], F_A, "");
    let deleted = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, A_DELETED);
    let otherwise = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, &A_DELETED.replace("default = 1", "default = 2"));
    assert_eq!(told_of_releases(&base, &deleted, &deleted.clone()), [""; 0]);
    assert_eq!(told_of_releases(&base, &deleted, &otherwise), ["release 2.0.0"]);
    // A line that is taken over is asked likewise.
    let paths = |ours: &Lock, theirs: &Lock| -> Vec<_> {
        absorb(ours, theirs).choices.into_iter().map(|choice| choice.path).collect()
    };
    assert_eq!(paths(&deleted, &deleted), [""; 0]);
    assert_eq!(paths(&deleted, &otherwise), ["release 2.0.0"]);
}
