//! Merges of branches and of release lines: which of two releases of one version is the same one, and what a line takes over.

mod common;

use common::package::{Package, since};
use common::{lock, v};
use oplock_core::lock::{Merged, absorb, merge};
use oplock_core::{Kind, Lock};

/// A lock with releases of these versions, these operators and these rows, written by hand: those that `seal` writes have a
/// digest of each release, which decides alone whether it is the same.
fn undigested(releases: &[&str], ops: &str, ledger: &str) -> Lock {
    let line = |version: &&str| format!("\"{version}\" = {{ date = \"2026-01-01\" }}");
    let releases = releases.iter().map(line).collect::<Vec<_>>().join("\n");
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
    assert_eq!(paths(&absorb(&deleted, &deleted)), [""; 0]);
    assert_eq!(paths(&absorb(&deleted, &otherwise)), ["release 2.0.0"]);
}

#[test]
fn how_much_each_of_two_releases_changed_is_told() {
    let releases = &["1.0.0", "1.1.0", "2.0.0"];
    let base = undigested(&["1.0.0", "1.1.0"], F_A, "");
    let deleted = undigested(releases, F, A_DELETED);
    let more =
        undigested(releases, &format!("{F}g.since = \"2.0.0\"\n"), &A_DELETED.replace("default = 1", "default = 2"));
    assert_eq!(
        told(&merge(&base, &deleted, &more))[0],
        "release 2.0.0: took ours, sealed with 1 changes of its own; left theirs, sealed with 2 changes of its own"
    );
}

/// The rows of a release are part of what it sealed, those of others are not.
#[test]
fn a_digest_is_of_the_rows_of_its_release() {
    let digest = |ledger: &str| undigested(&["1.0.0", "1.1.0", "2.0.0"], F, ledger).digest(&v("2.0.0"));
    assert_ne!(digest(A_DELETED), digest(""));
    assert_ne!(digest(A_DELETED), digest(&A_DELETED.replace("default = 1", "default = 2")));
    assert_eq!(
        digest(&A_DELETED.replace("\"2.0.0\"", "\"1.1.0\"").replace("since = \"1.1.0\"", "since = \"1.0.0\"")),
        digest("")
    );
}

/// What another line released is behind what the own one has, where that is later and the other does not know it.
#[test]
fn what_stands_behind_does_so_for_releases_alone_that_the_other_line_does_not_know() {
    let of = |releases: &[(&str, u32)]| {
        let line = |(version, day): &(&str, u32)| format!("\"{version}\" = {{ date = \"2026-01-{day:02}\" }}\n");
        lock(&format!("[release]\n{}", releases.iter().map(line).collect::<Vec<_>>().concat()))
    };
    let behind = |ours: &[(&str, u32)], theirs: &[(&str, u32)], version: &str| {
        absorb(&of(ours), &of(theirs)).lock.releases[&v(version)].behind.as_ref().map(ToString::to_string)
    };
    let theirs = [("1.0.0", 1), ("1.1.0", 3)];
    assert_eq!(behind(&[("1.0.0", 1), ("2.0.0", 2)], &theirs, "1.1.0"), None, "it is the later one");
    assert_eq!(
        behind(&[("1.0.0", 1), ("2.0.0", 3)], &theirs, "1.1.0").as_deref(),
        Some("2.0.0"),
        "the greater one of that day"
    );
    assert_eq!(behind(&[("1.0.0", 1), ("2.0.0", 4), ("2.1.0", 5)], &theirs, "1.1.0").as_deref(), Some("2.1.0"));
    let known = [("1.0.0", 1), ("1.1.0", 3), ("1.5.0", 5)];
    assert_eq!(
        behind(&[("1.0.0", 1), ("1.5.0", 5), ("2.0.0", 2)], &known, "1.1.0"),
        None,
        "the other knows what is later"
    );
    assert_eq!(
        behind(&[("1.0.0", 1), ("2.0.0", 2), ("3.0.0-rc.1", 5)], &theirs, "1.1.0"),
        None,
        "a pre-release is of no line"
    );
    let pre = [("1.0.0", 1), ("1.1.0-rc.1", 3)];
    assert_eq!(behind(&[("1.0.0", 1), ("2.0.0", 4)], &pre, "1.1.0-rc.1"), None, "nor is this one");
    // What stands behind something itself is nothing behind which others stand.
    let mut ours = of(&[("1.0.0", 1), ("1.2.0", 9), ("2.0.0", 2)]);
    ours.releases.get_mut(&v("1.2.0")).unwrap().behind = Some(v("2.0.0"));
    assert_eq!(absorb(&ours, &of(&theirs)).lock.releases[&v("1.1.0")].behind, None);
}

fn paths(merged: &Merged) -> Vec<&str> {
    merged.choices.iter().map(|choice| choice.path.as_str()).collect()
}

/// The package after a new version, an update and a seal.
fn release(package: &mut Package, version: &str, ops: &[(&str, &str)]) {
    package.source = common::set(ops);
    package.version(version).update().seal();
}

fn t(values: &str) -> String {
    format!("attr.t = {{ type = \"string\", values = [{values}] }}")
}

#[test]
fn a_version_that_both_lines_sealed_on_another_day_is_told() {
    let mut trunk = Package::released(&[("f", "")]);
    release(&mut trunk, "1.1.0", &[("f", "input.N = { dispensable = true }")]);
    let mut other = trunk.clone();
    other.lock.releases.get_mut(&v("1.1.0")).unwrap().date = "2026-01-02".to_owned();
    let told = absorb(&trunk.lock, &other.lock).choices;
    let [told] = &told[..] else { panic!("{told:?}") };
    assert_eq!(
        told.to_string(),
        "release 1.1.0: took ours, sealed on 2026-01-01 with 1 change; left theirs, sealed on 2026-01-02 with 1 change"
    );
}

/// One version that each line sealed on one day with equal contents is still not one release, where the one line has it before a release that
/// the other had first.
#[test]
fn a_version_that_both_lines_sealed_in_another_order_is_told() {
    let base = Package::released(&[("f", "")]);
    let mut trunk = base.clone();
    let major = &[("f", "input.N = { dispensable = true }")];
    release(&mut trunk, "2.0.0", major);
    let mut other = base.clone();
    release(&mut other, "1.1.0", &[("f", "")]);
    let taken = absorb(&trunk.lock, &other.lock).lock;
    assert_eq!(taken.releases[&v("1.1.0")].behind, Some(v("2.0.0")));
    // Whoever took it over, and the line itself, say one thing.
    assert_eq!(merge(&base.lock, &taken, &other.lock).choices, []);
    let mut own = trunk.lock.clone();
    let release = other.lock.releases[&v("1.1.0")].clone();
    own.releases.insert(v("1.1.0"), release);
    let told = merge(&base.lock, &own, &taken).choices;
    let [told] = &told[..] else { panic!("{told:?}") };
    let expected = "release 1.1.0: took ours, sealed before 2.0.0; left theirs, sealed behind 2.0.0";
    assert_eq!(told.to_string(), expected);
    // It is the other release that each of them sealed.
    let told = merge(&other.lock, &own, &taken).choices;
    assert_eq!(told.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
}

/// Each release stands behind one that stands by its day, also where a line that took another one over is itself the other line.
#[test]
fn a_line_that_took_another_one_over_joins_a_third() {
    let base = Package::released(&[("f", "")]);
    let on = |from: &Package, version: &str| {
        let mut line = from.clone();
        release(&mut line, version, &[("f", "")]);
        line
    };
    let (trunk, maintenance) = (on(&base, "2.0.0"), on(&base, "1.1.0"));
    let taken = absorb(&trunk.lock, &maintenance.lock).lock;
    let joined = |third: &Package| {
        let joins = [merge(&base.lock, &third.lock, &taken), merge(&base.lock, &taken, &third.lock)];
        let [a, b] = joins.map(|joined| (joined.lock, joined.choices));
        assert_eq!(a, b);
        assert_eq!(a.1, []);
        assert_eq!(Lock::parse(&a.0.to_string(), None), Ok(a.0.clone()));
        a.0.release_line().iter().map(|(version, _)| version.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(joined(&on(&base, "3.0.0")), ["1.0.0", "3.0.0", "1.1.0", "2.0.0"]);
    assert_eq!(joined(&on(&maintenance, "3.0.0")), ["1.0.0", "1.1.0", "3.0.0", "2.0.0"], "it knew 1.1.0 before");
    // One day later the taken release is the last one of all.
    let mut late = taken.clone();
    late.releases.get_mut(&v("1.1.0")).unwrap().date = "2027-01-01".to_owned();
    let lock = merge(&base.lock, &on(&base, "3.0.0").lock, &late).lock;
    assert_eq!(Lock::parse(&lock.to_string(), None), Ok(lock.clone()));
}

/// The trunk's is kept from either side: it is theirs where the older line takes over the trunk.
#[test]
fn whose_the_choice_was_is_told_from_the_side_that_takes_over() {
    let base = Package::released(&[("f", &t("\"a\""))]);
    let (mut trunk, mut line) = (base.clone(), base.clone());
    release(&mut trunk, "2.0.0", &[("f", &t("\"a\", \"b\""))]);
    release(&mut line, "1.1.0", &[("f", &t("\"a\", \"c\""))]);
    let (ours, theirs) = (absorb(&trunk.lock, &line.lock), absorb(&line.lock, &trunk.lock));
    // Once, though each line has a row of its own.
    assert_eq!((paths(&ours), paths(&theirs)), (vec!["f.attr.t"], vec!["f.attr.t"]));
    assert!(ours.choices[0].took_ours && !theirs.choices[0].took_ours);
    assert_eq!((&ours.choices[0].ours, &ours.choices[0].theirs), (&theirs.choices[0].theirs, &theirs.choices[0].ours));
    assert!(ours.choices[0].ours.contains("\"b\""), "{:?}", ours.choices);
    assert_eq!(ours.lock.ops, theirs.lock.ops);
    assert_eq!(ours.lock.ledger.len(), 2);
}

/// What the trunk changed or marked is not what the older line still has.
#[test]
fn what_the_trunk_changed_stays_and_is_told() {
    let base = Package::released(&[("f", &t("\"a\""))]);
    let mut line = base.clone();
    release(&mut line, "1.1.0", &[("f", &t("\"a\"")), ("h", "")]);
    let alias = format!("alias.e = {{ unreleased = true }}; {}", t("\"a\""));
    for (changed, path) in [(t("\"a\", \"b\""), "f.attr.t"), (alias, "f")] {
        let mut trunk = base.clone();
        release(&mut trunk, "2.0.0", &[("f", &changed)]);
        let absorbed = absorb(&trunk.lock, &line.lock);
        assert_eq!(paths(&absorbed), [path], "{changed}");
        assert_eq!(absorbed.lock.ops["f"], trunk.lock.ops["f"], "{changed}");
    }
}

/// What the trunk has in its ledger is still there when the line brings an operator.
#[test]
fn an_operator_that_the_line_brings_leaves_the_ledger_as_it_is() {
    let attr = "attr.a = { type = \"i32\", default = 1 }";
    let mut trunk = Package::released(&[("f", &t("\"a\"")), ("g", attr)]);
    let mut line = trunk.clone();
    release(&mut line, "1.1.0", &[("f", &t("\"a\"")), ("g", attr), ("h", "")]);
    release(&mut trunk, "2.0.0", &[("f", &t("\"a\", \"b\"")), ("g", attr)]);
    trunk.version("2.1.0").declare("g", &format!("{attr}; input.N = {{ dispensable = true }}"));
    trunk.declare("f", &t("\"a\", \"b\", \"c\"")).update();
    assert_eq!(trunk.rows().len(), 1);
    let absorbed = absorb(&trunk.lock, &line.lock).lock;
    assert!(absorbed.ops.contains_key("h"));
    assert_eq!(absorbed.ledger, trunk.lock.ledger);
}

/// Both gave a deleted name to something else; on the trunk no release carries that yet.
#[test]
fn what_the_line_promised_first_is_no_change_of_the_trunk_any_more() {
    let mut trunk = Package::released(&[("f", "attr.a = { type = \"i32\", default = 1 }")]);
    release(&mut trunk, "2.0.0", &[("f", "")]);
    let reused = "attr.a = { type = \"string\", default = \"a\" }";
    let mut line = trunk.clone();
    release(&mut line, "3.0.0", &[("f", reused)]);
    release(&mut trunk, "4.0.0", &[("f", "")]);
    trunk.version("5.0.0").declare("f", reused).update();
    assert_eq!(trunk.rows().len(), 1, "{}", trunk.lock);
    let absorbed = absorb(&trunk.lock, &line.lock);
    assert_eq!(paths(&absorbed), [""; 0]);
    assert_eq!(absorbed.lock.ops["f"].item_since(Kind::Attr, "a"), Some(&since("3.0.0")));
    assert_eq!(absorbed.lock.pending_of("f").count(), 0, "{}", absorbed.lock);
}

#[test]
fn a_plan_for_what_the_newer_line_sealed_is_over() {
    let base = Package::released(&[("f", "")]);
    let mut trunk = base.clone();
    release(&mut trunk, "2.0.0", &[("f", ""), ("g", "")]);
    for (plan, kept) in [("1.5.0", None), ("2.0.0", None), ("2.1.0", Some(v("2.1.0")))] {
        let mut line = base.clone();
        line.plan(plan);
        assert_eq!(absorb(&line.lock, &trunk.lock).lock.next, kept, "{plan}");
    }
}

/// What all operators have in common is there since the first release, whichever that is: it is nothing that two sides choose of.
#[test]
fn common_attributes_as_a_whole_are_no_choice() {
    let base = Package::fresh("0.9.0", &[("f", "")]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    for (package, version, attr) in [(&mut ours, "1.0.0", "a"), (&mut theirs, "0.9.0", "b")] {
        let attr = format!("attr.{attr} = {{ type = \"i32\", default = 1 }}");
        release(package, version, &[("f", ""), ("*", &attr)]);
    }
    let merged = merge(&base.lock, &ours.lock, &theirs.lock);
    assert_eq!(paths(&merged), ["f"]);
    let names: Vec<_> = merged.lock.ops["*"].items.keys().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn what_both_lines_promise_alike_stays_as_old_as_it_is() {
    let base = Package::released(&[("f", "")]);
    let attr = "attr.a = { type = \"i32\", default = 1 }";
    let (mut trunk, mut line) = (base.clone(), base);
    release(&mut trunk, "1.5.0", &[("f", attr)]);
    release(&mut trunk, "2.0.0", &[("f", attr), ("g", "")]);
    release(&mut line, "1.6.0", &[("f", attr)]);
    let absorbed = absorb(&trunk.lock, &line.lock).lock;
    assert_eq!(absorbed.ops["f"].item_since(Kind::Attr, "a"), Some(&since("1.5.0")));
}

/// 2.0.0 of one line was sealed before the other's 3.0.0, which did not know it: there it stands behind all that the other has.
#[test]
fn what_two_lines_promise_alike_is_as_old_as_what_stands_earlier_in_the_joined_line() {
    const A: &str = "attr.a = { type = \"i32\", default = 1 }";
    let base = Package::released(&[("f", "")]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    release(&mut ours, "1.1.0", &[("f", A)]);
    release(&mut ours, "3.0.0", &[("f", A), ("g", "")]);
    release(&mut theirs, "2.0.0", &[("f", A)]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = merge(&base.lock, &ours.lock, &theirs.lock).lock;
        assert_eq!(merged.ops["f"].item_since(Kind::Attr, "a"), Some(&since("1.1.0")), "{merged}");
    }
    // Of three lines the trunk takes over one after the other.
    let (mut trunk, mut second, mut first) = (base.clone(), base.clone(), base);
    release(&mut trunk, "2.0.0", &[("f", ""), ("g", "")]);
    release(&mut second, "1.2.0", &[("f", A)]);
    release(&mut first, "1.1.0", &[("f", A)]);
    let both = absorb(&absorb(&trunk.lock, &second.lock).lock, &first.lock).lock;
    let line: Vec<_> = both.release_line().iter().map(|(version, _)| version.to_string()).collect();
    assert_eq!(line, ["1.0.0", "2.0.0", "1.1.0", "1.2.0"]);
    assert_eq!(both.ops["f"].item_since(Kind::Attr, "a"), Some(&since("1.1.0")), "{both}");
}

/// Each release has a row of its own, and neither says what the other added.
#[test]
fn values_that_two_releases_added_are_a_choice() {
    let base = Package::released(&[("f", &t("\"a\""))]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    release(&mut ours, "1.1.0", &[("f", &t("\"a\", \"b\""))]);
    release(&mut theirs, "1.2.0", &[("f", &t("\"a\", \"c\""))]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = merge(&base.lock, &ours.lock, &theirs.lock);
        assert_eq!(paths(&merged), ["f.attr.t"]);
        assert!(merged.choices[0].to_string().contains("values = [\"a\", \"c\"]"), "{}", merged.choices[0]);
    }
}

/// They are joined only where both added some to those that there were.
#[test]
fn values_of_which_one_side_took_some_away_are_a_choice() {
    let fresh = |values: &str| {
        let values = if values.is_empty() { String::new() } else { format!(", values = [{values}]") };
        let mut package = Package::fresh("1.0.0", &[("f", &format!("attr.t = {{ type = \"string\"{values} }}"))]);
        package.update().lock.clone()
    };
    let base = fresh("\"a\", \"b\"");
    assert_eq!(paths(&merge(&base, &fresh("\"a\", \"b\", \"c\""), &fresh("\"a\", \"b\", \"d\""))), [""; 0]);
    assert_eq!(paths(&merge(&base, &fresh("\"a\""), &fresh("\"a\", \"b\", \"d\""))), ["f.attr.t"]);
    assert_eq!(paths(&merge(&fresh(""), &fresh("\"a\""), &fresh("\"b\""))), ["f.attr.t"], "there were any");
}

/// One side went on to the next major version, for which its break is accepted.
#[test]
fn values_beside_a_break_that_is_accepted_for_two_versions_are_a_choice() {
    let of = |default: &str, values: &str| {
        format!("attr.t = {{ type = \"string\", default = \"{default}\", values = [{values}] }}")
    };
    let mut base = Package::released(&[("f", &of("a", "\"a\", \"b\""))]);
    base.version("2.0.0").declare("f", &of("b", "\"a\", \"b\"")).update();
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.declare("f", &of("b", "\"a\", \"b\", \"c\"")).update();
    theirs.declare("f", &of("b", "\"a\", \"b\", \"d\"")).update();
    assert_eq!(paths(&merge(&base.lock, &ours.lock, &theirs.lock)), [""; 0]);
    theirs.version("3.0.0").update();
    assert_eq!(paths(&merge(&base.lock, &ours.lock, &theirs.lock)), ["f.attr.t"]);
}

/// Types that both sides added to a variable are joined only where neither did anything else.
#[test]
fn type_variables_that_differ_by_more_than_added_types_are_a_choice() {
    const WAS: &str = "types.T = { allowed = [\"f16\", \"f32\"] }; input.X = { of = \"T\" }";
    let fresh = |signature: &str| {
        let mut package = Package::fresh("1.0.0", &[("f", signature)]);
        package.update().lock.clone()
    };
    let base = fresh(WAS);
    let theirs = fresh(&WAS.replace("\"f32\"", "\"f32\", \"f64\""));
    let more = WAS.replace("\"f32\"", "\"f32\", \"i8\"");
    assert_eq!(paths(&merge(&base, &fresh(&more), &theirs)), [""; 0]);
    for (what, ours) in [
        ("an alias", format!("alias.e = {{ unreleased = true }}; {more}")),
        ("another variable", format!("types.U = {{}}; input.Z = {{ of = \"U\" }}; {more}")),
        ("a variable that may be less", WAS.replace("\"f16\", ", "")),
        ("a variable that may be anything", WAS.replace("allowed = [\"f16\", \"f32\"]", "")),
    ] {
        let ours = fresh(&ours);
        assert_eq!(paths(&merge(&base, &ours, &theirs)), ["f"], "{what}");
        assert_eq!(paths(&merge(&base, &theirs, &ours)), ["f"], "{what}");
    }
}

/// What a row of the ledger says stands in the choice, and that a side lost it.
#[test]
fn a_row_that_one_side_lost_is_told_with_what_it_says() {
    let base = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, A_DELETED);
    let ours = undigested(&["1.0.0", "1.1.0", "2.0.0"], &format!("{F}g.unreleased = true\n"), A_DELETED);
    let theirs = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, "");
    let gone = format!("{F}f.output.Out = {{ dispensable = true, unreleased = true }}\n");
    for theirs in [theirs, undigested(&["1.0.0", "1.1.0", "2.0.0"], &gone, "")] {
        let told: Vec<_> = merge(&base, &ours, &theirs).choices.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "ledger f.2.0.0.attr.a: took ours, attr_deleted from { type = \"i32\", default = 1, since = \"1.1.0\" } to nothing; \
              left theirs, not there"
            ]
        );
    }
    // Where neither side has the base's, one that is there goes before none, and ours before theirs.
    let [one, other] = ["2", "3"].map(|n| {
        undigested(&["1.0.0", "1.1.0", "2.0.0"], F, &A_DELETED.replace("default = 1", &format!("default = {n}")))
    });
    let none = undigested(&["1.0.0", "1.1.0", "2.0.0"], F, "");
    for (ours, theirs, expected) in
        [(&one, &other, &one), (&other, &one, &other), (&one, &none, &one), (&none, &one, &one)]
    {
        assert_eq!(merge(&base, ours, theirs).lock.ledger, expected.ledger);
    }
    let of_op =
        "f.\"2.0.0\".op = { rule = \"alias_removed\", from = { alias = [\"e\"], since = \"1.0.0\" }, to = {} }\n";
    let base = undigested(&["1.0.0", "2.0.0"], F, of_op);
    let ours = undigested(&["1.0.0", "2.0.0"], &format!("{F}g.unreleased = true\n"), of_op);
    let theirs = undigested(&["1.0.0", "2.0.0"], F, "");
    assert_eq!(paths(&merge(&base, &ours, &theirs)), ["ledger f.2.0.0"]);
}

fn told(merged: &Merged) -> Vec<String> {
    merged.choices.iter().map(ToString::to_string).collect()
}

/// Locks of the package `p` with releases 1.0.0 and 1.1.0.
fn released(text: &str) -> Lock {
    lock(&format!(
        "[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n\"1.1.0\" = {{ date = \"2026-02-01\" }}\n{text}"
    ))
}

#[test]
fn what_was_chosen_of_data_versions_and_upgrades_is_told() {
    let base = released("[upgrade]\nf.2 = { since = \"1.0.0\" }\n");
    let ours = released(
        "[saved]\ngraph.min_producer = { value = 8, was = 1, unreleased = true }\ngraph.min_consumer = 4\n\
         graph.bad_consumer.3 = { unreleased = true }\ngraph.version.8 = { text = \"a\", unreleased = true }\n\
         [upgrade]\nf.2 = { since = \"1.0.0\", gone = true }\nf.3 = { since = \"1.1.0\", gone = true }\nf.8 = { unreleased = true }\n",
    );
    let theirs = released(
        "[saved]\ngraph.min_producer = 8\ngraph.min_consumer = { value = 8, was = 1, unreleased = true }\n\
         graph.bad_consumer.3 = { since = \"1.1.0\" }\ngraph.version.8 = { text = \"b\", since = \"1.1.0\" }\n\
         [upgrade]\nf.3 = { since = \"1.1.0\" }\nf.8 = { since = \"1.1.0\" }\n",
    );
    assert_eq!(
        told(&merge(&base, &ours, &theirs)),
        [
            "data version 8 of graphs: took theirs, \"b\", since 1.1.0; left ours, \"a\", unreleased",
            "bad consumer 3 of graphs: took theirs, since 1.1.0; left ours, unreleased",
            "`min_producer` of graphs: took theirs, 8; left ours, 8 (was 1)",
            "`min_consumer` of graphs: took theirs, 8 (was 1); left ours, 4",
            "upgrade f.2: took ours, since 1.0.0, gone; left theirs, not there",
            "upgrade f.3: took theirs, since 1.1.0; left ours, since 1.1.0, gone",
            "upgrade f.8: took theirs, since 1.1.0; left ours, unreleased",
        ]
    );
    let expected = released(
        "[saved]\ngraph.min_producer = 8\ngraph.min_consumer = { value = 8, was = 1, unreleased = true }\n\
         graph.bad_consumer.3 = { since = \"1.1.0\" }\ngraph.version.8 = { text = \"b\", since = \"1.1.0\" }\n\
         [upgrade]\nf.2 = { since = \"1.0.0\", gone = true }\nf.3 = { since = \"1.1.0\" }\nf.8 = { since = \"1.1.0\" }\n",
    );
    for merged in [merge(&base, &ours, &theirs), merge(&base, &theirs, &ours)] {
        assert_eq!(merged.lock.to_string(), expected.to_string());
    }
    // Of two releases the earlier one had it first; what one side lost is not there.
    let version = |line: &str| released(&format!("[saved]\n{line}\n"));
    let [first, second] = ["1.0.0", "1.1.0"]
        .map(|since| version(&format!("graph.bad_consumer.3 = {{ since = \"{since}\" }}\ngraph.version.8 = {{ text = \"a\", since = \"{since}\" }}")));
    let merged = merge(&released(""), &first, &second);
    assert_eq!(
        told(&merged),
        [
            "data version 8 of graphs: took ours, \"a\", since 1.0.0; left theirs, \"a\", since 1.1.0",
            "bad consumer 3 of graphs: took ours, since 1.0.0; left theirs, since 1.1.0",
        ]
    );
    assert_eq!(merge(&released(""), &second, &first).lock, merged.lock);
    let merged = merge(&first, &second, &released(""));
    assert_eq!(
        told(&merged),
        [
            "data version 8 of graphs: took ours, \"a\", since 1.1.0; left theirs, not there",
            "bad consumer 3 of graphs: took ours, since 1.1.0; left theirs, not there",
        ]
    );
}

#[test]
fn what_was_chosen_of_a_package_is_told() {
    let of = |head: &str, text: &str| {
        let lock = format!("format = 1\n{head}\n[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n{text}");
        Lock::parse(&lock, None).unwrap_or_else(|e| panic!("{e}\n{lock}"))
    };
    let moved = |release: &str, ops: &[&str]| {
        let ops: Vec<_> = ops.iter().map(|op| format!("{op}.unguarded = true\n")).collect();
        let releases =
            if release.is_empty() { String::new() } else { format!("\"{release}\" = {{ date = \"2026-01-01\" }}\n") };
        format!("[moved.m.release]\n{releases}[moved.m.op]\n{}", ops.concat())
    };
    let base = of("package = \"a\"\nversion = \"1.0.1\"", "");
    let ours =
        of("package = \"b\"\nformerly = [\"a\"]\nversion = \"1.0.2\"\nnext = \"1.2.0\"", &moved("1.0.0", &["_f"]));
    let theirs = of(
        "package = \"c\"\nformerly = [\"a\", \"b\"]\nversion = \"1.0.3\"\nnext = \"1.1.0\"",
        &moved("2.0.0", &["_f"]),
    );
    let merged = merge(&base, &ours, &theirs);
    assert_eq!(
        told(&merged),
        [
            "package: took ours, b; left theirs, c",
            "version: took theirs, 1.0.3; left ours, 1.0.2",
            "next: took ours, 1.2.0; left theirs, 1.1.0",
            "moved from m: took theirs, up to 2.0.0; left ours, up to 1.0.0",
        ]
    );
    assert_eq!(merged.lock.formerly.iter().collect::<Vec<_>>(), ["a"]);
    assert_eq!((merged.lock.version, merged.lock.next), (Some(v("1.0.3")), Some(v("1.2.0"))));
    assert_eq!(merged.lock.moved, theirs.moved);
    let without = of("package = \"b\"\nformerly = [\"a\"]", &moved("", &["_f"]));
    let more = of("package = \"b\"\nformerly = [\"a\"]\nnext = \"1.2.0\"", &moved("", &["_f", "_g"]));
    let none = of("package = \"b\"\nformerly = [\"a\"]\nnext = \"1.3.0\"", "");
    assert_eq!(
        told(&merge(&without, &more, &none)),
        [
            "next: took theirs, 1.3.0; left ours, 1.2.0",
            "moved from m: took ours, without a release; left theirs, not there"
        ]
    );
    assert_eq!(merge(&none, &without, &more).lock.moved, more.moved, "what has more operators");
    let next = |next: &str| of(&format!("package = \"b\"\n{next}"), "");
    assert_eq!(
        told(&merge(&next("next = \"1.1.0\""), &next(""), &next("next = \"2.0.0\""))),
        ["next: took theirs, 2.0.0; left ours, none"]
    );
}

/// Whoever turns the promise of places on or off, that is merged.
#[test]
fn whether_places_are_promised_is_what_one_side_made_of_it() {
    let of = |positional: bool, op: &str| {
        lock(&format!("{}[op]\n{op}.unreleased = true\n", if positional { "operands = \"positional\"\n" } else { "" }))
    };
    for was in [false, true] {
        for now in [false, true] {
            assert_eq!(merge(&of(was, "f"), &of(now, "g"), &of(was, "h")).lock.positional, now);
            assert_eq!(merge(&of(was, "f"), &of(was, "g"), &of(now, "h")).lock.positional, now);
            assert_eq!(merge(&of(was, "f"), &of(now, "g"), &of(now, "h")).lock.positional, now);
        }
    }
}
