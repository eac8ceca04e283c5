//! Operators that come from another package: what its lock said of them is taken over, and they begin as they were there.

mod common;

use common::package::Package;
use oplock_core::judge::{TakeOverError, take_over};
use oplock_core::lock::{Merged, Since, absorb, merge};
use oplock_core::{Lock, SavedKind};

const ROUND: &str = "input.X = {}; attr.digits = { type = \"i32\", default = 2 }";
const MOVED: &str = "moved_from = \"p\"; input.X = {}; attr.digits = { type = \"i32\", default = 2 }";

/// `p`, of which 2.0.0 changed a default.
fn owner() -> Package {
    let mut owner = Package::released(&[("round", &ROUND.replace("default = 2", "default = 1")), ("other", "")]);
    owner.version("2.0.0").declare("round", ROUND).update();
    let key = owner.lock.pending().next().unwrap().0.clone();
    owner.lock.ledger.get_mut(&key).unwrap().version = Some(2);
    owner.seal();
    owner.lock.releases.get_mut(&common::v("2.0.0")).unwrap().versions.insert(SavedKind::Graph, 2);
    owner
}

/// Another package, into which `round` moves.
fn heir(signature: &str) -> Package {
    let mut heir = Package::fresh("1.0.0", &[("neg", "")]);
    "q".clone_into(&mut heir.lock.package);
    heir.update().seal().version("1.1.0").declare("round", signature);
    heir
}

fn takes(heir: &mut Package, other: &Lock) {
    heir.lock = take_over(&heir.lock, other, heir.source.values()).unwrap();
}

fn error(heir: &Package, other: &Lock) -> TakeOverError {
    take_over(&heir.lock, other, heir.source.values()).unwrap_err()
}

#[test]
fn what_the_lock_does_not_know_of_the_earlier_owner_is_refused() {
    let mut heir = heir(MOVED);
    heir.says(&["op_added round: compatible", "moved_unknown round: a mistake"]);
    takes(&mut heir, &owner().lock);
    heir.says(&["op_added round: compatible"]).update();
    assert_eq!(heir.lock.moved_since("round", "p"), Some(Since::Unreleased));
    heir.seal();
    assert_eq!(heir.lock.moved_since("round", "p"), Some(Since::Release(common::v("1.1.0"))));
    assert_eq!(heir.lock.moved_since("neg", "p"), None);
    let text = heir.lock.to_string();
    let taken = "[moved.p.release]\n\"1.0.0\" = { date = \"2026-01-01\"";
    assert!(text.contains(taken), "{text}");
    assert!(text.contains("\n[moved.p.op]\nround.since = \"1.0.0\"\nround.input.X = {}\n"), "{text}");
    assert!(
        text.contains("\n[moved.p.ledger]\nround.\"2.0.0\".attr.digits = { rule = \"attr_changed\", version = 2"),
        "{text}"
    );
    assert!(!text.contains("other"), "{text}");
    // What no operator comes from any more is dropped with the mark.
    heir.version("2.0.0").declare("round", ROUND).says(&["moved_from_changed round: accepted for 2.0.0"]);
    assert!(heir.next_lock().moved.contains_key("p"), "graphs of releases that said so are read still");
    let mut never = super_heir();
    never.declare("round", ROUND).update();
    assert!(never.lock.moved.is_empty());
}

/// With the lock of `p`, and nothing updated.
fn super_heir() -> Package {
    let mut heir = heir(MOVED);
    takes(&mut heir, &owner().lock);
    heir
}

#[test]
fn an_operator_begins_as_the_earlier_owner_had_it() {
    for (signature, what) in [
        (
            MOVED.replace("default = 2", "default = 1"),
            "the default of attribute `digits` of `round` changed from 2 to 1",
        ),
        (MOVED.replace("input.X = {}; ", ""), "input `X` of `round` is deleted"),
        (
            format!("{MOVED}; attr.ties = {{ type = \"string\" }}"),
            "the added attribute `ties` of `round` has no default",
        ),
    ] {
        let mut heir = heir(&signature);
        takes(&mut heir, &owner().lock);
        let judged = oplock_core::judge::judge_set(&heir.lock, &heir.context, &heir.source).findings;
        let narrows = judged.iter().find(|judged| judged.finding.rule.name == "moved_narrows").expect(what);
        let message = narrows.finding.message();
        assert!(
            message.starts_with("operator `round` does not accept all that it did in the package `p`: "),
            "{message}"
        );
        assert!(message.contains(what), "{message}");
        assert!(narrows.line > 0 || narrows.since.is_some());
    }
    // More is allowed, and what changes later is in the ledger.
    let mut heir = heir(&format!("{MOVED}; attr.ties = {{ type = \"string\", default = \"even\" }}"));
    takes(&mut heir, &owner().lock);
    heir.update().seal();
    heir.version("2.0.0").declare("round", &MOVED.replace("default = 2", "default = 3"));
    heir.says(&["attr_changed round.digits: accepted for 2.0.0", "attr_deleted round.ties: accepted for 2.0.0"]);
}

#[test]
fn a_mark_that_comes_later_holds_from_that_release_on() {
    let mut heir = heir(ROUND);
    heir.update().seal().version("1.2.0").declare("round", MOVED);
    takes(&mut heir, &owner().lock);
    heir.says(&["moved_from_added round: compatible"]).update();
    assert_eq!(heir.lock.moved_since("round", "p"), Some(Since::Unreleased));
    heir.seal();
    assert_eq!(heir.lock.moved_since("round", "p"), Some(Since::Release(common::v("1.2.0"))));
    // Also when it is gone again.
    heir.version("2.0.0").delete("round").update();
    assert_eq!(heir.lock.moved_since("round", "p"), Some(Since::Release(common::v("1.2.0"))));
    heir.seal();
    assert_eq!(heir.lock.moved_since("round", "p"), Some(Since::Release(common::v("1.2.0"))));
}

#[test]
fn what_was_deleted_since_it_moved_is_as_it_was_before() {
    let mut owner = owner();
    owner.version("3.0.0").delete("round").update();
    let before = owner.lock.clone();
    owner.seal();
    for other in [before, owner.lock] {
        let mut heir = heir(MOVED);
        takes(&mut heir, &other);
        heir.update();
        let moved = &heir.lock.moved["p"];
        assert_eq!(moved.ops["round"].stamp.since, Some(Since::Release(common::v("1.0.0"))));
        assert!(moved.ops["round"].def.attr("digits").is_some());
        assert_eq!(moved.ledger.len(), 1, "{}", heir.lock);
    }
}

#[test]
fn names_that_led_to_the_operator_come_along() {
    let mut owner = Package::released(&[("rint", ROUND), ("other", "")]);
    owner.version("2.0.0").delete("rint").declare("round", &format!("alias.rint = {{ unreleased = true }}; {ROUND}"));
    owner.update().seal();
    let mut heir = heir(MOVED);
    takes(&mut heir, &owner.lock);
    heir.update();
    assert!(heir.lock.moved["p"].rows_of("rint").next().is_some(), "{}", heir.lock);
}

/// `round` was read under the name `rint`, and no longer is.
#[test]
fn names_that_once_led_to_the_operator_come_along() {
    let mut owner = Package::released(&[("rint", ROUND), ("other", "")]);
    owner.version("2.0.0").delete("rint").declare("round", &format!("alias.rint = {{ unreleased = true }}; {ROUND}"));
    owner.update().seal().version("3.0.0").declare("round", ROUND).update().seal();
    let mut heir = heir(MOVED);
    takes(&mut heir, &owner.lock);
    assert!(heir.lock.moved["p"].rows_of("rint").next().is_some(), "{}", heir.lock);
}

#[test]
fn names_that_the_earlier_owner_had_come_along() {
    let mut renamed = owner().lock;
    renamed.rename("p2");
    renamed.rename("p");
    let mut heir = heir(MOVED);
    takes(&mut heir, &renamed);
    heir.update().seal();
    let text = heir.lock.to_string();
    assert!(text.contains("\n[moved.p]\nformerly = [\"p2\"]\n\n[moved.p.release]\n"), "{text}");
    let read = Lock::parse(&text, Some("q")).unwrap();
    assert_eq!(read.to_string(), text);
    assert!(read.moved["p"].is_of("p2"));
    // Also where only one of two states of it knows them.
    let mut other = heir.lock.clone();
    other.moved.get_mut("p").unwrap().formerly = oplock_core::Set::default();
    assert!(absorb(&other, &heir.lock).lock.moved["p"].is_of("p2"));
    let own = text.replace("formerly = [\"p2\"]", "formerly = [\"p\"]");
    let error = Lock::parse(&own, Some("q")).unwrap_err().to_string();
    assert!(error.contains("`formerly` names the package itself, `p`"), "{error}");
}

#[test]
fn only_what_is_the_same_is_taken_over_again() {
    let mut heir = super_heir();
    heir.update();
    // Until a release reads its graphs, the earlier owner's lock may be any.
    let mut grown = owner();
    grown
        .version("2.1.0")
        .declare("round", &format!("{ROUND}; attr.ties = {{ type = \"string\", default = \"even\" }}"));
    grown.update().seal();
    let mut early = heir.clone();
    takes(&mut early, &grown.lock);
    assert!(early.lock.moved["p"].ops["round"].def.attr("ties").is_some());
    heir.seal();
    let message = error(&heir, &grown.lock).to_string();
    assert!(message.contains("attribute `ties` of `round` is added"), "{message}");
    let mut same = owner();
    same.version("2.0.1").seal();
    takes(&mut heir, &same.lock);
    assert!(heir.lock.moved["p"].releases.contains_key(&common::v("2.0.1")));
    let older = error(&heir, &owner().lock);
    assert_eq!(older, TakeOverError::Older { package: "p".to_owned(), release: "2.0.1".to_owned() });
    assert_eq!(older.to_string(), "the lock lacks p 2.0.1, which was taken over before");
    assert_eq!(older.remedy(), "name the lock of the package's last release");
}

#[test]
fn only_what_moved_is_taken_over() {
    let error_of = |signature: &str| error(&heir(signature), &owner().lock);
    assert_eq!(error_of(ROUND), TakeOverError::NothingMoved { package: "p".to_owned() });
    let mut stranger = heir(MOVED);
    stranger.declare("floor", "moved_from = \"p\"");
    let message = error(&stranger, &owner().lock).to_string();
    assert_eq!(message, "no release of p had operator `floor`");
    assert_eq!(
        error(&stranger, &owner().lock).remedy(),
        "name the package that had it, or remove `moved_from` from `floor`"
    );
    assert_eq!(error_of(ROUND).to_string(), "no operator here is declared to come from p");
    assert_eq!(error_of(ROUND).remedy(), "declare which it is: `#[op(\"…\", moved_from = \"p\")]`");
    // What no release of it has is none of it.
    let mut unsealed = owner();
    unsealed.version("3.0.0").declare("round", &ROUND.replace("default = 2", "default = 7")).update();
    let mut heir = heir(MOVED);
    takes(&mut heir, &unsealed.lock);
    heir.says(&["op_added round: compatible"]).update();
}

#[test]
fn locks_with_what_moved_are_joined() {
    let (mut ours, mut theirs) = (super_heir(), super_heir());
    let base = ours.lock.clone();
    ours.update();
    theirs.declare("neg", "attr.k = { type = \"i32\", default = 0 }").declare("round", MOVED).update();
    let Merged { lock, choices } =
        merge(&Lock { moved: oplock_core::Map::default(), ..base.clone() }, &ours.lock, &theirs.lock);
    assert_eq!(choices, []);
    assert!(lock.moved_from("p", "round").is_some());
    // A release line that never heard of it takes it over with the releases.
    let mut line = heir(ROUND);
    line.delete("round");
    let other = {
        ours.seal();
        ours.lock
    };
    assert_eq!(absorb(&line.lock, &other).lock.moved, other.moved);
    let mut newer = line;
    newer.version("2.0.0").declare("neg", "attr.j = { type = \"i32\", default = 0 }").update().seal();
    assert_eq!(absorb(&newer.lock, &other).lock.moved, other.moved);
    assert_eq!(absorb(&other, &newer.lock).lock.moved, other.moved);
}

/// Of each package there is one state, the later of the two, and what only the earlier one has of its releases.
#[test]
fn two_states_of_an_earlier_owner_are_joined() {
    let row = |op: &str, release: &str, rule: &str| {
        format!("{op}.\"{release}\".attr.k = {{ rule = \"{rule}\", from = {{ type = \"i32\", since = \"1.0.0\" }} }}\n")
    };
    let state = |releases: &[&str], ops: &str, ledger: &[String]| {
        let releases: Vec<_> = releases.iter().map(|r| format!("\"{r}\" = {{ date = \"2026-01-01\" }}\n")).collect();
        let text = format!(
            "[moved.p.release]\n{}\n[moved.p.op]\n{ops}\n[moved.p.ledger]\n{}",
            releases.concat(),
            ledger.concat()
        );
        common::lock(&text)
    };
    let earlier = state(
        &["1.0.0", "1.5.0", "2.0.0"],
        "ceil.since = \"1.5.0\"\nround.since = \"1.0.0\"\n",
        &[row("ceil", "2.0.0", "earlier"), row("round", "1.5.0", "dropped"), row("round", "2.0.0", "joined")],
    );
    let later = state(
        &["1.0.0", "2.0.0", "2.1.0"],
        "ceil.since = \"2.0.0\"\nfloor.since = \"1.0.0\"\n",
        &[row("ceil", "2.0.0", "later"), row("floor", "2.1.0", "kept")],
    );
    let expected = state(
        &["1.0.0", "2.0.0", "2.1.0"],
        "ceil.since = \"2.0.0\"\nfloor.since = \"1.0.0\"\nround.since = \"1.0.0\"\n",
        &[row("ceil", "2.0.0", "later"), row("floor", "2.1.0", "kept"), row("round", "2.0.0", "joined")],
    );
    for (ours, theirs) in [(&earlier, &later), (&later, &earlier)] {
        assert_eq!(absorb(ours, theirs).lock.moved, expected.moved);
    }
    // Of two that know the same releases it is the own one.
    let other = state(&["1.0.0", "2.0.0", "2.1.0"], "ceil.since = \"1.0.0\"\nfloor.since = \"1.0.0\"\n", &[]);
    for (ours, theirs) in [(&other, &later), (&later, &other)] {
        assert_eq!(absorb(ours, theirs).lock.moved["p"].ops, ours.moved["p"].ops);
    }
}

/// It is read here with what all operators have here.
#[test]
fn an_attribute_of_the_earlier_owner_may_be_one_that_all_operators_have() {
    const BARE: &str = "moved_from = \"p\"; input.X = {}";
    let mut without = heir(BARE);
    takes(&mut without, &owner().lock);
    without.says(&["op_added round: compatible", "moved_narrows round: a mistake"]);
    let mut with = heir(BARE);
    with.delete("round").declare("*", "attr.digits = { type = \"i32\", default = 2 }").update();
    with.declare("round", BARE);
    takes(&mut with, &owner().lock);
    with.says(&["op_added round: compatible"]);
}

#[test]
fn what_a_lock_says_of_others_was_released_there() {
    let text = |op: &str| format!("format = 1\npackage = \"q\"\n\n[moved.p.op]\n{op}\n");
    let wrong = |op: &str| Lock::parse(&text(op), None).unwrap_err();
    let error = wrong("round.unreleased = true");
    assert_eq!(
        error.to_string(),
        "ops.lock:4: what moved from p was not released there: only what a release has is taken over"
    );
    let release = "[moved.p.release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n";
    let op = "[moved.p.op]\nround.since = \"1.0.0\"\n";
    let whole = |text: &str| Lock::parse(&format!("format = 1\npackage = \"q\"\n{release}{op}{text}"), None);
    assert!(whole("[moved.p.saved]\ngraph.min_consumer = 1\n").is_ok());
    for text in [
        "round.attr.k = { type = \"i32\", unreleased = true }\n",
        "round.input.X = {}\n[moved.p.ledger]\nround.unreleased.input.X = { rule = \"input_changed\", from = { dispensable = true, since = \"1.0.0\" }, to = {} }\n",
        "[moved.p.saved]\ngraph.version.2 = { text = \"x\", unreleased = true }\n",
        "[moved.p.saved]\ngraph.bad_consumer.1 = { unreleased = true }\n",
        "[moved.p.saved]\ngraph.version.2 = { text = \"x\", since = \"1.0.0\" }\ngraph.min_producer = { value = 2, was = 1, unreleased = true }\n",
        "[moved.p.saved]\ngraph.version.2 = { text = \"x\", since = \"1.0.0\" }\ngraph.min_consumer = { value = 2, was = 1, unreleased = true }\n",
    ] {
        let error = whole(text).expect_err(text).to_string();
        assert!(error.contains("what moved from p was not released there"), "{text}: {error}");
    }
    assert!(wrong("round.since = \"1.0.0\"").to_string().contains("a release that [release] does not list"));
    let error = Lock::parse("format = 1\npackage = \"q\"\n[moved.p.upgrade]\n", None).unwrap_err();
    assert!(error.to_string().contains("unknown key `upgrade`"), "{error}");
}

/// What has another name by now is read under the one that it came with; what never came is not.
#[test]
fn what_was_taken_over_before_stays_with_what_is_taken_over_now() {
    for is_released in [true, false] {
        let mut heir = super_heir();
        if is_released {
            heir.update().seal().version("2.0.0");
            heir.delete("round").declare("r2", &format!("alias.round = {{ unreleased = true }}; {ROUND}")).update();
        } else {
            heir.delete("round");
        }
        heir.declare("other", "moved_from = \"p\"");
        takes(&mut heir, &owner().lock);
        let moved = &heir.lock.moved["p"];
        assert!(moved.ops.contains_key("other"));
        assert_eq!(
            (moved.ops.contains_key("round"), moved.rows_of("round").count()),
            (is_released, usize::from(is_released))
        );
    }
}
