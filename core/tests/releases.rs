//! Releases: sealing, tombstones, approvals, bases and merges, told as lives of packages.

mod common;

use common::package::{Package, since};
use common::{lock, v};
use oplock_core::approvals::{Approval, Approvals};
use oplock_core::judge::{
    BaseFinding, SealError, approved_since, check_base, judge_set, least_bump, parted, unused_approvals,
};
use oplock_core::lock::{Merged, Release, RowKey, Side, Since, absorb, merge};
use oplock_core::{Bump, Finding, Kind, Lock, OpDef, Options, report};

const X: &str = "input.X = {}";
const X_A: &str = "input.X = {}; attr.a = { type = \"i32\", default = 1 }";
const X_A2: &str = "input.X = {}; attr.a = { type = \"i32\", default = 2 }";
const X_DUPLICABLE: &str = "input.X = { duplicable = true }";
const X_N: &str = "input.X = {}; input.N = { dispensable = true }";

fn sealed_rows(lock: &Lock) -> Vec<String> {
    let text = lock.to_string();
    let (_, ledger) = text.split_once("[ledger]\n").unwrap_or_default();
    ledger.lines().filter(|line| !line.contains(".unreleased.")).map(str::to_owned).collect()
}

/// The package after a new version, an update and a seal.
fn release<'a>(package: &'a mut Package, version: &str, ops: &[(&str, &str)]) -> &'a mut Package {
    package.source = common::set(ops);
    package.version(version).update().seal()
}

// ---- sealing ----

#[test]
fn sealing_stamps_what_is_unreleased_and_fixes_the_ledger() {
    let mut package = Package::released(&[("f", X), ("g", X)]);
    package.version("2.0.0").declare("f", "attr.a = { type = \"i32\", default = 1 }").declare("h", "");
    package.plan("2.0.0").update();
    package.context.note_version(&mut package.lock);
    package.seal().says(&[]);
    assert_eq!((&package.lock.version, &package.lock.next), (&None, &None));
    assert_eq!(package.lock.releases[&v("2.0.0")].date, "2026-01-01");
    assert_eq!(package.lock.ops["f"].stamp.since, Some(since("1.0.0")));
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(since("2.0.0")));
    assert_eq!(package.lock.ops["h"].stamp.since, Some(since("2.0.0")));
    let row = "f.\"2.0.0\".input.X = { rule = \"input_deleted\", from = { since = \"1.0.0\" } }";
    assert_eq!(sealed_rows(&package.lock), [row], "the version for which it was accepted is its key now");
}

#[test]
fn the_build_of_a_version_is_none_of_its_release() {
    let mut package = Package::released(&[("f", X)]);
    package.version("1.1.0+build.5").declare("g", X).update().seal();
    assert_eq!(package.lock.releases.keys().map(ToString::to_string).collect::<Vec<_>>(), ["1.0.0", "1.1.0"]);
    assert_eq!(package.lock.ops["g"].stamp.since, Some(since("1.1.0")));
    assert_eq!(package.clone().version("1.1.0+build.6").cannot_seal(), "1.1.0 is sealed, and nothing changed since");
}

#[test]
fn since_is_the_release_in_which_the_item_last_became_promised() {
    let ops = [
        ("f", "input.P = { dispensable = true, extra = true }; input.R = { dispensable = true }"),
        ("e", "experimental = true; input.X = {}"),
    ];
    let mut package = Package::released(&ops);
    release(&mut package, "2.0.0", &[("f", "input.P = { dispensable = true, extra = true }"), ops[1]]);
    let now = [("f", "input.P = { dispensable = true }; input.R = { dispensable = true }"), ("e", X)];
    release(&mut package, "2.1.0", &now);
    for (op, item, what) in [("f", "P", "promoted"), ("f", "R", "returned"), ("e", "X", "un-marked")] {
        assert_eq!(package.since(op, Kind::Input, item), Some(since("2.1.0")), "{what}");
    }
    assert_eq!(package.lock.ops["e"].stamp.since, Some(since("2.1.0")));
    assert_eq!(package.lock.ops["f"].stamp.since, Some(since("1.0.0")));
}

#[test]
fn c17_c18_the_least_bump_is_by_cargos_levels() {
    let extra = "input.X = {}; attr.e = { type = \"i32\", default = 0, extra = true }";
    for (last, signature, too_low, lowest) in [
        ("1.4.0", X_N, "1.4.1", "1.5.0"),
        ("1.4.0", "", "1.5.0", "2.0.0"),
        ("1.4.0", "", "2.0.0-rc.1", "2.0.0-rc.1"),
        ("1.4.0", extra, "", "1.4.1"),
        ("0.3.1", X_N, "", "0.3.2"),
        ("0.3.1", "", "0.3.2", "0.4.0"),
        ("0.0.3", X_N, "", "0.0.4"),
        ("0.0.3", "", "", "0.0.4"),
    ] {
        let mut package = Package::fresh(last, &[("f", X)]);
        package.update().seal().plan("9.0.0").declare("f", signature).update();
        package.lock.next = None;
        if !too_low.is_empty() && too_low != lowest {
            let SealError::TooLow(error) = package.version(too_low).try_seal().unwrap_err() else {
                panic!("{too_low}")
            };
            assert_eq!(error.lowest, v(lowest), "{last} {signature}");
            assert!(package.cannot_seal().contains(&format!("help: the lowest legal version is {lowest}")));
        }
        package.lock.ledger.values_mut().for_each(|row| row.accepted_for = None);
        package.version(lowest).seal();
    }
}

#[test]
fn c18_what_seal_refuses_says_why_and_what_is_lowest() {
    let mut package = Package::released(&[("f", X)]);
    assert_eq!(package.cannot_seal(), "1.0.0 is sealed, and nothing changed since");
    package.declare("f", X_N).update();
    let not_above = "the package is at 1.0.0, and 1.0.0 is released\n  \
                     help: the lowest legal version is 1.1.0: input `N` of `f` is added";
    assert_eq!(package.cannot_seal(), not_above);
    package.version("0.9.0");
    assert!(matches!(package.try_seal(), Err(SealError::NotAbove(_))));
    package.version("1.0.1");
    let too_low = "1.0.1 is too low: the changes since the last release need a minor version: input `N` of `f` is added\n  \
                   help: the lowest legal version is 1.1.0";
    assert_eq!(package.cannot_seal(), too_low);
    package.version("1.1.0").plan("2.0.0");
    let below_plan = "2.0.0 is planned, and the package is at 1.1.0\n  \
                      help: set the package's version to 2.0.0, or give the plan up: `cargo oplock plan none`";
    assert_eq!(package.cannot_seal(), below_plan);
    package.version("2.0.0-rc.1").seal().version("2.0.0").seal().version("1.5.0");
    assert!(matches!(package.try_seal(), Err(SealError::NotAbove(_))));
}

#[test]
fn a_release_without_changes_is_a_patch() {
    let mut package = Package::released(&[("f", X)]);
    package.version("1.0.1").seal();
    assert_eq!(least_bump(&package.lock, Options::default()).bump, Bump::Patch);
    assert_eq!(package.lock.releases.len(), 2);
}

#[test]
fn c29_a_release_that_was_never_sealed_stops_the_next() {
    let mut package = Package::released(&[("f", X)]);
    package.version("2.0.0").declare("f", "").update().version("2.1.0");
    let error = package.cannot_seal();
    assert!(error.contains("release 2.0.0, which was never sealed, and the package is at 2.1.0"), "{error}");
    assert!(error.contains("cargo oplock plan 2.1.0"), "{error}");
    package.plan("2.1.0").seal();
}

#[test]
fn c30_a_pre_release_leaves_its_entries_unreleased() {
    let mut package = Package::released(&[("f", X)]);
    package.version("1.5.0-rc.1").declare("f", X_A).update().seal();
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(Since::Unreleased));
    package.declare("f", X_A2).says(&["attr_changed f.a: withdraw f.a"]).declare("f", X_A);
    assert_eq!(
        package.cannot_seal(),
        "the package is at 1.5.0-rc.1, and 1.5.0-rc.1 is released\n  \
         help: the lowest legal version is 1.5.0: attribute `a` of `f` is added"
    );
    package.version("1.5.0-alpha");
    assert!(matches!(package.try_seal(), Err(SealError::NotAbove(_))), "it is below the release candidate");
    package
        .version("1.5.0-rc.2")
        .declare("f", "")
        .says(&["input_deleted f.X: needs 2.0.0", "attr_deleted f.a: withdraw f.a"]);
    package.declare("f", X_A).seal().version("1.5.0").seal();
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(since("1.5.0")));
}

#[test]
fn c10_what_a_release_sealed_is_not_withdrawn() {
    let mut package = Package::released(&[("f", X)]);
    package.version("1.1.0").declare("f", X_A).update();
    package.clone().declare("f", X_A2).says(&["attr_changed f.a: withdraw f.a"]);
    package.seal().version("1.2.0").declare("f", X_A2).says(&["attr_changed f.a: needs 2.0.0"]).cannot_withdraw("f.a");
}

#[test]
fn c13_three_releases_and_the_middle_one_counts() {
    let mut package = Package::released(&[("f", "attr.f1 = { type = \"i32\" }")]);
    let two = "attr.f1 = { type = \"i32\" }; attr.f2 = { type = \"string\", default = \"t\" }";
    release(&mut package, "1.1.0", &[("f", two)]);
    package.version("1.1.1").seal().version("1.2.0");
    package.declare("f", "attr.f1 = { type = \"i32\" }; attr.f2 = { type = \"string\" }");
    package.says(&["attr_changed f.f2: needs 2.0.0"]);
}

#[test]
fn c31_c32_what_a_major_version_tried_leaves_no_row() {
    let mut package = Package::released(&[("f", X)]);
    package.version("2.0.0").declare("f", X_A).update().declare("f", X_A2).says(&["attr_changed f.a: withdraw f.a"]);
    package.withdraw("f.a").update().declare("f", "attr.a = { type = \"i32\", default = 2 }").update();
    assert_eq!(package.rows().len(), 1);
    package.declare("f", X_A2).says(&[]).update().seal();
    assert!(package.lock.ledger.is_empty());
    assert_eq!(package.since("f", Kind::Input, "X"), Some(since("1.0.0")));
}

#[test]
fn each_release_has_rows_of_its_own() {
    let attr = |default: u8| format!("attr.a = {{ type = \"i32\", default = {default} }}");
    let mut package = Package::released(&[("f", &attr(1))]);
    release(&mut package, "2.0.0", &[("f", &attr(2))]);
    package.version("3.0.0").declare("f", &attr(3)).update().declare("f", &attr(4)).update().seal();
    let rows = sealed_rows(&package.lock);
    assert_eq!(rows.len(), 2);
    assert!(
        rows[1].starts_with("f.\"3.0.0\".attr.a") && rows[1].contains("from = { type = \"i32\", default = 2"),
        "{rows:?}"
    );
    assert!(rows[1].contains("to = { type = \"i32\", default = 4 }"), "{rows:?}");
}

#[test]
fn a_version_is_sealed_or_noted_or_planned_or_stale_or_overrun() {
    let mut package = Package::released(&[("f", X)]);
    let stale = |package: &Package| package.context.has_stale_version(&package.lock);
    assert!(!stale(&package));
    assert!(stale(package.version("1.1.0")));
    package.context.note_version(&mut package.lock);
    assert_eq!(package.lock.version, Some(v("1.1.0")));
    assert!(!stale(&package));
    assert!(!stale(package.version("1.1.0-rc.1")), "it is judged as the version that it precedes");
    assert!(stale(package.version("1.0.5")), "lower than what was noted");
    assert!(package.context.check_overrun(&package.lock).is_ok());
    package.version("1.2.0");
    assert!(package.context.check_overrun(&package.lock).is_err(), "1.1.0 was released unsealed");
    package.version("2.0.0").plan("2.0.0");
    assert!(!stale(&package));
    assert!(package.context.check_overrun(&package.lock).is_ok());
    package.version("1.0.0");
    package.context.note_version(&mut package.lock);
    assert_eq!(package.lock.version, None, "the last release is not noted");
    // What is planned for a release that is over binds nobody.
    package.plan("0.9.0").version("1.1.0");
    assert!(package.context.check_overrun(&package.lock).is_ok());
    let fresh = Package::fresh("3.0.0", &[]);
    assert!(!stale(&fresh), "before the first release there is nothing to be stale to");
}

/// A release is as great as the greatest change in it, wherever that stands.
#[test]
fn the_least_bump_is_that_of_the_greatest_change() {
    let m = |values: &str| format!("attr.m = {{ type = \"string\", default = \"a\", values = [{values}] }}");
    let (one, two) = (m("\"a\""), m("\"a\", \"b\""));
    for (small, great) in [("f", "g"), ("g", "f")] {
        let mut package = Package::released(&[(small, &one), (great, X_A)]);
        package.version("2.0.0").declare(small, &two).update();
        assert_eq!(least_bump(&package.lock, Options::default()).bump, Bump::Minor);
        package.declare(great, X).update();
        let least = least_bump(&package.lock, Options::default());
        assert_eq!(least.bump, Bump::Major);
        assert!(least.because.as_ref().is_some_and(|because| because.contains(&format!("`{great}`"))), "{least:?}");
    }
    let mut package = Package::released(&[("f", X)]);
    package.version("1.1.0").declare("g", X).update();
    let least = least_bump(&package.lock, Options::default());
    assert_eq!((least.bump, least.because.as_deref()), (Bump::Minor, Some("operator `g` is added")));
    // Of changes that are as great the first is told.
    package.declare("h", X).update();
    assert_eq!(least_bump(&package.lock, Options::default()), least);
}

// ---- tombstones ----

/// 2.0.0, in which these are deleted.
fn after_deletion(before: &[(&str, &str)], after: &[(&str, &str)]) -> Package {
    let mut package = Package::released(before);
    release(&mut package, "2.0.0", after);
    package
}

#[test]
fn c8_a_deleted_operator_comes_back_only_as_it_was() {
    for (signature, what) in [
        (X_DUPLICABLE, "an item is another"),
        ("", "an item is missing"),
        (X_N, "an item is new"),
        ("cfg = \"unix\"; input.X = {}", "its condition is another"),
    ] {
        let mut package = after_deletion(&[("f", X), ("g", "")], &[("g", "")]);
        package.version("2.1.0").declare("f", signature);
        assert_eq!(package.said(), ["name_reused f: needs 3.0.0"], "{what}");
        package.version("3.0.0").says(&["name_reused f: accepted for 3.0.0"]).update();
        package.clone().version("2.1.0").says(&["name_reused f: needs 3.0.0"]);
        package.seal().version("3.1.0").says(&[]);
        assert!(check_base(&package.lock, &package.lock, Options::default()).is_empty());
    }
    for signature in [X, "input.X = {}; attr.e = { type = \"i32\", default = 0, extra = true }", "experimental = true"]
    {
        let mut package = after_deletion(&[("f", X), ("g", "")], &[("g", "")]);
        package.version("2.1.0").declare("f", signature).update().seal();
    }
    // As it was when it was deleted, and not as it was before it lost an item.
    let mut package = after_deletion(&[("f", X_A), ("g", "")], &[("f", X), ("g", "")]);
    release(&mut package, "3.0.0", &[("g", "")]);
    package.version("3.1.0").declare("f", X).update().seal();
}

#[test]
fn c8_what_came_back_whole_is_not_taken_apart_before_its_release() {
    let mut package = after_deletion(&[("f", X_A)], &[]);
    package.version("2.1.0").declare("f", X_A).update().withdraw("f.a").declare("f", X);
    package.says(&["name_reused f: needs 3.0.0"]).declare("f", X_A2);
    package.says(&["attr_added f.a: compatible", "name_reused f.a: needs 3.0.0", "name_reused f: needs 3.0.0"]);
    package.declare("f", X_A).says(&["attr_added f.a: compatible"]).update();
    let m = |values: &str| format!("attr.m = {{ type = \"string\", default = \"a\", values = [{values}] }}");
    let mut grown = after_deletion(&[("f", &m("\"a\""))], &[("f", "")]);
    grown.version("2.1.0").declare("f", &m("\"a\"")).update().declare("f", &m("\"a\", \"b\""));
    grown.says(&["attr_value_added f.m: compatible"]).update().seal();
    package.declare("f", &format!("{X_A}; input.N = {{ dispensable = true }}")).says(&["input_added f.N: compatible"]);
    package.update().seal();
}

#[test]
fn c8_an_operator_that_was_marked_experimental_comes_back_only_as_it_was() {
    let mut package = after_deletion(&[("f", X)], &[("f", "experimental = true; input.X = {}")]);
    package.version("2.1.0").declare("f", "experimental = true; input.Z = {}").update();
    package.declare("f", "input.Z = {}").says(&["op_added f: compatible", "name_reused f: needs 3.0.0"]);
    let mut major = package.clone();
    major.version("3.0.0").update();
    assert_eq!(major.rows().len(), 1, "{:?}", major.rows());
    major.clone().version("2.1.0").says(&["op_added f: compatible", "name_reused f: needs 3.0.0"]);
    major.withdraw("f").says(&["op_added f: compatible", "name_reused f: accepted for 3.0.0"]);
    package.declare("f", X).says(&["op_added f: compatible"]).update().seal();
    assert_eq!(package.since("f", Kind::Input, "X"), Some(since("2.1.0")));
}

#[test]
fn c8_a_deleted_item_comes_back_only_as_it_was() {
    let a = |default: &str| format!("attr.a = {{ type = \"i32\"{default} }}");
    for (old, new, said) in [
        (a(", default = 1"), a(", default = 1"), &["attr_added f.a: compatible"][..]),
        (a(", default = 1"), a(", default = 2"), &["attr_added f.a: compatible", "name_reused f.a: needs 3.0.0"]),
        (
            a(", default = 1"),
            a(", default = 1, quant = true"),
            &["attr_added f.a: compatible", "name_reused f.a: needs 3.0.0"],
        ),
        (a(", default = 1"), a(", default = 7, extra = true"), &["extra_added f.a: compatible"]),
        // As it was, and still a break for graphs that lack it.
        (a(""), a(""), &["attr_added_without_default f.a: needs 3.0.0"]),
        (X.into(), X.into(), &["input_added_not_dispensable f.X: needs 3.0.0"]),
        (
            X.into(),
            "input.X = { dispensable = true }".into(),
            &["input_added f.X: compatible", "name_reused f.X: needs 3.0.0"],
        ),
        // Another kind is another name.
        (X.into(), "output.X = { dispensable = true }".into(), &["output_added f.X: compatible"]),
    ] {
        let mut package = after_deletion(&[("f", &old)], &[("f", "")]);
        package.version("2.1.0").declare("f", &new);
        assert_eq!(package.said(), said, "{old} -> {new}");
        let mut major = package.clone();
        major.version("3.0.0").update();
        major.clone().version("2.1.0").says(
            said.iter().filter(|text| said.len() > 1 || text.contains("needs")).copied().collect::<Vec<_>>().as_slice(),
        );
        major.seal().version("3.0.1").says(&[]);
        assert!(check_base(&package.lock, &major.lock, Options::default()).is_empty());
    }
}

#[test]
fn c8_an_item_that_was_made_extra_binds_only_what_is_promised_again() {
    let a = |rest: &str| format!("attr.a = {{ type = \"i32\", default = {rest} }}");
    let mut package = after_deletion(&[("f", &a("1"))], &[("f", &a("1, extra = true"))]);
    package.version("2.1.0").declare("f", &a("5, extra = true")).says(&["extra_changed f.a: compatible"]).update();
    package
        .declare("f", "")
        .says(&["extra_deleted f.a: compatible"])
        .update()
        .declare("f", &a("3, extra = true"))
        .update();
    package.declare("f", &a("2")).says(&["attr_added f.a: compatible", "name_reused f.a: needs 3.0.0"]);
    package.declare("f", &a("1")).says(&["attr_added f.a: compatible"]).update().seal();
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(since("2.1.0")));
    package.version("2.2.0").declare("f", &a("2")).says(&["attr_changed f.a: needs 3.0.0"]);
}

#[test]
fn c8_the_error_says_when_and_why_the_name_went() {
    let mut package = Package::released(&[("f", X_A)]);
    package.version("1.1.0").declare("f", X);
    approve(&mut package, "nobody used it");
    package.update().seal();
    package.context.approvals = Approvals::default();
    package.lock = Lock::parse(&package.lock.to_string(), None).unwrap();
    package.declare("f", X_A2);
    let judged = judge_set(&package.lock, &package.context, &package.source).findings.remove(1);
    let text = report::human(&judged);
    for part in [
        "attribute `a` of `f` was deleted, and comes back with another signature",
        "[name_reused]",
        "deleted in 1.1.0 (attr_deleted, because \"nobody used it\"): { type = \"i32\", default = 1 }",
        "saved since 1.0.0",
        "take another name, or bring it back as it was",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let line = package.lock.to_string().lines().position(|line| line.contains("1.1.0\".attr.a")).unwrap() + 1;
    assert!(text.contains(&format!("ops.lock:{line}, since 1.0.0")), "{text}");
}

// ---- approvals ----

/// Approves every break that is refused now, as `cargo oplock approve` does.
fn approve(package: &mut Package, reason: &str) {
    let judgement = judge_set(&package.lock, &package.context, &package.source);
    let new: Vec<_> = judgement.refused().map(|j| Approval::new(&j.finding, reason, "A. Person", None)).collect();
    package.context.approvals.list.extend(new);
    let text = package.context.approvals.to_string();
    assert_eq!(Approvals::parse(&text), Ok(package.context.approvals.clone()), "{text}");
}

/// What a base asks of the approvals, once a release has sealed what they allow, and who answers.
#[track_caller]
fn asks_for(base: &Lock, package: &Package, approvals: &Approvals) {
    let rows = approved_since(base, &package.lock, Options::default());
    assert!(!rows.is_empty(), "{}", package.lock);
    assert!(rows.iter().all(|row| row.is_covered_by(approvals)), "{rows:?}");
    // Each break needs its own approval, by that name and for that reason.
    let mut other = approvals.clone();
    other.list.iter_mut().for_each(|approval| approval.by.push('x'));
    let fewer = Approvals { list: approvals.list[1..].to_vec() };
    // And for its item: a whole operator's is none of them.
    let mut elsewhere = approvals.clone();
    for approval in &mut elsewhere.list {
        approval.item = if approval.item.is_none() { Some((Kind::Attr, "other".to_owned())) } else { None };
    }
    for other in [Approvals::default(), other, fewer, elsewhere] {
        assert!(rows.iter().any(|row| !row.is_covered_by(&other)), "{other:?}");
    }
    assert_eq!(approved_since(&package.lock, &package.lock, Options::default()), []);
}

fn unused(package: &Package) -> Vec<String> {
    let judgement = judge_set(&package.lock, &package.context, &package.source);
    unused_approvals(&package.lock, &package.context, &judgement).into_iter().map(Approval::path).collect()
}

#[test]
fn an_approval_lives_from_the_error_to_the_ledger() {
    let deletion = ("f", "input.X = {}; input.Y = {}", X);
    let change = ("f", X, X_DUPLICABLE);
    let condition = ("f", X, "cfg = \"unix\"; input.X = {}");
    let experimental = ("f", X, "experimental = true; input.X = {}");
    let required = ("f", X, "input.X = {}; input.Y = {}");
    for (op, old, new) in [deletion, change, condition, experimental, required, ("f", X, "absent")] {
        let mut package = Package::released(&[(op, old), ("g", "")]);
        let sealed = package.lock.clone();
        package.version("1.1.0");
        if new == "absent" {
            package.delete(op)
        } else {
            package.declare(op, new)
        };
        let refused = package.said();
        assert!(refused.iter().all(|said| said.contains("needs 2.0.0")), "{new}: {refused:?}");
        approve(&mut package, "a reason");
        let approved: Vec<_> =
            refused.iter().map(|said| said.replace("needs 2.0.0", "approved by A. Person")).collect();
        assert_eq!(package.said(), approved);
        assert_eq!(unused(&package), [""; 0], "{new}");
        // Never for a patch release.
        package.clone().version("1.0.1");
        assert_eq!(package.clone().version("1.0.1").said(), refused);
        package.update();
        assert_eq!(unused(&package), [""; 0], "{new}: it is of a row now");
        for row in package.rows() {
            assert!(row.ends_with(", by = \"A. Person\", reason = \"a reason\" }"), "{row}");
        }
        assert_eq!(package.clone().version("1.0.1").said(), refused, "{new}");
        // Without it the error is back until the release.
        let mut without = package.clone();
        without.context.approvals = Approvals::default();
        assert_eq!(without.said(), refused, "{new}");
        assert!(package.clone().version("1.0.1").cannot_seal().contains("need a minor version"), "{new}");
        package.seal();
        let approvals = std::mem::take(&mut package.context.approvals);
        asks_for(&sealed, &package, &approvals);
        package.says(&[]).version("1.1.1").says(&[]);
        let rows = sealed_rows(&package.lock);
        assert!(!rows.is_empty() && rows.iter().all(|row| row.contains("reason = \"a reason\"")), "{rows:?}");
        assert_eq!(errors(&sealed, &package.lock), [""; 0], "{new}");
    }
}

#[test]
fn each_break_of_a_release_has_an_approval_of_its_own() {
    let mut package = Package::released(&[("f", X), ("g", X)]);
    let sealed = package.lock.clone();
    package.version("1.1.0").declare("f", X_DUPLICABLE).declare("g", "cfg = \"unix\"; input.X = {}");
    approve(&mut package, "a reason");
    // Of an operator and of its item.
    package.declare("g", "cfg = \"unix\"; input.X = { duplicable = true }");
    approve(&mut package, "a reason");
    package.update();
    let approvals = package.context.approvals.clone();
    assert_eq!(approvals.list.len(), 3);
    for left_out in 0..3 {
        let mut without = package.clone();
        let approval = without.context.approvals.list.remove(left_out);
        assert_eq!(without.said().len(), 1, "{}", approval.path());
        assert!(without.said()[0].ends_with("needs 2.0.0"), "{:?}", without.said());
    }
    package.seal();
    asks_for(&sealed, &package, &approvals);
}

#[test]
fn an_approved_return_under_a_deleted_name_lives_the_same_way() {
    for (old, new, now) in [
        (vec![("f", X_A)], vec![("f", X)], vec![("f", X_A2)]),
        (vec![("f", X)], vec![], vec![("f", X_DUPLICABLE)]),
        (vec![("f", X)], vec![("f", "experimental = true")], vec![("f", X_DUPLICABLE)]),
    ] {
        let mut package = after_deletion(&old, &new);
        let before = package.lock.clone();
        package.version("2.1.0").source = common::set(&now);
        let refused: Vec<_> = package.said();
        approve(&mut package, "a reason");
        assert_eq!(package.context.approvals.list.len(), 1);
        package.update();
        assert_eq!(unused(&package), [""; 0]);
        let mut without = package.clone();
        without.context.approvals = Approvals::default();
        assert_eq!(without.said(), refused);
        package.seal();
        assert_eq!(unused(&package), [""; 0], "it is of a sealed row");
        // An approval of anything else there is used by nothing.
        let mut strange = package.clone();
        let mut other = strange.context.approvals.list[0].clone();
        other.rule = "op_deleted".to_owned();
        other.item = None;
        strange.context.approvals.list.push(other);
        assert_eq!(unused(&strange), ["f"]);
        strange.context.approvals.list[1].rule = "name_reused".to_owned();
        strange.context.approvals.list[1].item = Some((Kind::Output, "O".to_owned()));
        assert_eq!(unused(&strange), ["f.output.O"]);
        let approvals = std::mem::take(&mut package.context.approvals);
        asks_for(&before, &package, &approvals);
        package.says(&[]);
        assert_eq!(errors(&before, &package.lock), [""; 0]);
    }
}

#[test]
fn an_approval_names_one_finding_exactly() {
    let mut package =
        Package::released(&[("f", "input.A = { dispensable = true }"), ("g", "input.A = { dispensable = true }")]);
    package.version("1.1.0").declare("f", "input.A = { duplicable = true }");
    approve(&mut package, "a reason");
    assert_eq!(package.context.approvals.list.len(), 2, "each finding needs one");
    let all = package.context.approvals.clone();
    package.context.approvals.list.pop();
    package.says(&["input_changed f.A: approved by A. Person", "input_changed f.A: needs 2.0.0"]);
    package.context.approvals = all.clone();
    package.update();
    for left in 0..2 {
        package.context.approvals.list = vec![all.list[left].clone()];
        assert_eq!(package.said().iter().filter(|said| said.contains("needs")).count(), 1, "{:?}", package.said());
    }
    // Another operator, another item, another value, another field.
    for change in [
        (|a: &mut Approval| a.op = "g".to_owned()) as fn(&mut Approval),
        |a| a.item = Some((Kind::Output, "A".to_owned())),
        |a| a.item = None,
        |a| a.from = Some("none".to_owned()),
        |a| a.to = None,
        |a| std::mem::swap(&mut a.from, &mut a.to),
        |a| a.field = Some("quant".to_owned()),
        |a| a.rule = "input_deleted".to_owned(),
    ] {
        package.context.approvals = all.clone();
        package.context.approvals.list.iter_mut().for_each(change);
        assert_eq!(package.said().len(), 2);
        assert!(package.said().iter().all(|said| said.contains("needs 2.0.0")), "{:?}", package.said());
        assert_eq!(unused(&package).len(), 2);
    }
}

/// What was approved is the row as it stands. What the source has instead is held against the last release.
#[test]
fn what_was_approved_to_go_does_not_come_back_as_something_else() {
    let mut package = Package::released(&[("f", X_A), ("g", X_A)]);
    package.version("1.1.0").declare("f", X).delete("g");
    approve(&mut package, "a reason");
    package.update().says(&[]);
    let other = "input.X = {}; attr.a = { type = \"i32\", default = 7 }";
    package
        .declare("f", other)
        .declare("g", X)
        .says(&["attr_changed f.a: needs 2.0.0", "attr_deleted g.a: needs 2.0.0"]);
    package.declare("g", X_A).declare("f", X_A).says(&[]);
    package.declare("f", X).delete("g").says(&[]);
}

#[test]
fn c16_an_approval_that_matches_nothing_is_named() {
    let mut package = Package::released(&[("f", X), ("g", X)]);
    package.version("1.1.0").declare("f", "").delete("g");
    approve(&mut package, "a reason");
    assert_eq!(unused(&package), [""; 0]);
    package.source = common::set(&[("f", X), ("g", X)]);
    assert_eq!(unused(&package), ["f.input.X", "g"]);
    let text = report::unused_approval(&package.context.approvals.list[0]);
    assert!(text.contains("input_deleted of `f.input.X` matches no change and no row"), "{text}");
}

#[test]
fn c37_the_compiler_reads_no_clock() {
    let mut package = Package::released(&[("f", X)]);
    package.version("1.1.0").declare("f", "");
    approve(&mut package, "a reason");
    let approval = &mut package.context.approvals.list[0];
    approval.expires = Some("2026-06-30".to_owned());
    assert!(!approval.has_expired("2026-06-30") && approval.has_expired("2026-07-01"));
    package.says(&["input_deleted f.X: approved by A. Person"]);
}

#[test]
fn a_major_version_needs_no_approval_and_takes_none() {
    let mut package = Package::released(&[("f", X)]);
    package.version("1.1.0").declare("f", "");
    approve(&mut package, "a reason");
    package.version("2.0.0").says(&["input_deleted f.X: accepted for 2.0.0"]).update();
    assert!(!package.rows()[0].contains("reason"), "{:?}", package.rows());
    package.version("1.1.0").says(&[]).update();
    assert!(package.rows()[0].contains("reason"), "{:?}", package.rows());
}

// ---- bases ----

/// What a base says against a lock.
fn errors(base: &Lock, new: &Lock) -> Vec<String> {
    let findings = check_base(base, new, Options::default());
    findings.into_iter().filter(BaseFinding::is_error).map(|finding| finding.to_string()).collect()
}

/// An unsealed row of an operator that became experimental says that its items are gone, also where both sides go on with them.
#[test]
fn values_that_two_branches_add_to_what_became_experimental() {
    let lock = |values: &str| {
        let text = format!(
            r#"format = 1
package = "p"
version = "2.0.0"
[release]
"1.0.0" = {{ date = "2026-01-01" }}
[op]
f.experimental = true
f.attr.m = {{ type = "string", values = [{values}] }}
[ledger]
f.unreleased.op = {{ rule = "op_deleted", from = {{ since = "1.0.0" }}, to = {{ experimental = true }}, for = "2.0.0" }}
f.unreleased.attr.m = {{ rule = "op_deleted", from = {{ type = "string", values = ["a"], since = "1.0.0" }}, for = "2.0.0" }}
"#
        );
        Lock::parse(&text, None).unwrap()
    };
    let merged = merge(&lock("\"a\""), &lock("\"a\", \"b\""), &lock("\"a\", \"c\"")).lock;
    let text = merged.to_string();
    assert!(text.contains("values = [\"a\", \"b\", \"c\"]"), "{text}");
    assert_eq!(Lock::parse(&text, None).map_err(|error| error.to_string()), Ok(merged));
}

/// A lock that nothing was sealed in is no line of releases, and parts from none.
#[test]
fn what_was_sealed_in_one_lock_alone_is_no_other_line() {
    let base = Package::released(&[("f", X)]);
    let mut line = base.clone();
    release(&mut line, "1.1.0", &[("f", X_A)]);
    let neither = Lock::new("p");
    for (one, other) in [(&base, &line), (&line, &base)] {
        assert_eq!(parted(&one.lock, &other.lock, &neither, Options::default()), []);
    }
    let mut second = base;
    release(&mut second, "2.0.0", &[("f", X)]);
    assert!(!parted(&line.lock, &second.lock, &neither, Options::default()).is_empty());
}

/// A package that was renamed keeps its old name in the lock, by which what it saved is still read.
#[test]
fn a_renamed_package() {
    let base = Package::released(&[("f", X)]).lock;
    let mut renamed = base.clone();
    renamed.rename("anew");
    assert!(errors(&base, &renamed).is_empty());
    let mut other = base.clone();
    other.package = "anew".to_owned();
    let said = errors(&base, &other);
    assert!(said.len() == 1 && said[0].starts_with("the lock changed the package from p to anew"), "{said:?}");
    let mut forgotten = renamed.clone();
    forgotten.formerly.clear();
    let said = errors(&renamed, &forgotten);
    assert!(
        said.len() == 1 && said[0].starts_with("the lock lost the name `p` that the package had before"),
        "{said:?}"
    );
    // One side renames it, the other goes on.
    let mut ours = renamed.clone();
    ours.next = Some("2.0.0".parse().unwrap());
    let mut theirs = base.clone();
    theirs.positional = true;
    for merged in [merge(&base, &ours, &theirs).lock, merge(&base, &theirs, &ours).lock] {
        assert!(merged.package == "anew" && merged.is_of("p"), "{merged}");
    }
}

#[track_caller]
fn assert_error(base: &Lock, new: &Lock, part: &str) {
    let errors = errors(base, new);
    assert!(errors.iter().any(|error| error.contains(part)), "{part}: {errors:#?}\n{new}");
}

/// A life with a bit of everything: 2.1.0 after a major release and an approved break.
fn eventful() -> Package {
    let mut package = Package::released(&[("f", X_A), ("g", X), ("h", "input.X = {}; input.Y = {}")]);
    release(&mut package, "2.0.0", &[("f", X), ("h", "input.X = {}; input.Y = {}"), ("k", X)]);
    package.version("2.1.0").declare("h", X);
    approve(&mut package, "a reason");
    package.update().seal();
    package.context.approvals = Approvals::default();
    package
}

#[test]
fn c14_what_no_release_carried_is_only_noted() {
    let mut package = Package::released(&[("f", X)]);
    let released = package.lock.clone();
    package.version("1.1.0").declare("f", X_A).update();
    let main = package.lock.clone();
    package.withdraw("f.a").declare("f", "input.X = {}; attr.b = { type = \"i32\", default = 1 }").update();
    assert_eq!(check_base(&released, &package.lock, Options::default()), []);
    let noted = check_base(&main, &package.lock, Options::default());
    assert!(matches!(noted.as_slice(), [BaseFinding::Noted(finding)] if finding.path() == "f.a"), "{noted:?}");
    assert!(noted[0].to_string().contains("no release carried it"));
    assert!(!noted[0].is_error());
    // What broke nothing is not even noted.
    let m = |values: &str| format!("{X}; attr.m = {{ type = \"string\", default = \"a\", values = [{values}] }}");
    let mut package = Package::released(&[("f", X)]);
    package.version("1.1.0").declare("f", &m("\"a\"")).update();
    let main = package.lock.clone();
    package.declare("f", &m("\"a\", \"b\"")).update();
    assert_eq!(check_base(&main, &package.lock, Options::default()), []);
}

#[test]
fn c23_a_lock_that_was_edited_to_agree_with_a_break_is_laundered() {
    let base = eventful().lock;
    let text = base.to_string();
    for (from, to, said) in [
        ("f.input.X = {}\n", "", "input_deleted"),
        ("f.input.X = {}\n", "f.input.X = { duplicable = true }\n", "input_changed"),
        ("f.input.X = {}\n", "f.input.X = {}\nf.input.Z = {}\n", "input_added_not_dispensable"),
        ("f.since = \"1.0.0\"\n", "f.since = \"2.0.0\"\n", "since when `f` is promised"),
        (
            "f.since = \"1.0.0\"\nf.input.X = {}\n",
            "f.unreleased = true\nf.input.X = { unreleased = true }\n",
            "since when `f.input.X`",
        ),
        ("f.since = \"1.0.0\"\nf.input.X = {}\n", "f.experimental = true\nf.input.X = {}\n", "op_deleted"),
        ("f.since = \"1.0.0\"\nf.input.X = {}\n", "", "op_deleted"),
        ("f.input.X = {}\n", "f.input.X = { extra = true }\n", "input_changed"),
        ("f.since = \"1.0.0\"\n", "f.since = \"1.0.0\"\nf.cfg = \"unix\"\n", "op_condition_narrowed"),
        ("k.since = \"2.0.0\"\n", "k.since = \"1.0.0\"\n", "since when `k`"),
        ("f.input.X = {}\n", "f.input.X = {}\nf.input.N = { dispensable = true }\n", "since when `f.input.N`"),
    ] {
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text, "{from}");
        assert_error(&base, &Lock::parse(&edited, None).unwrap_or_else(|e| panic!("{e}\n{edited}")), said);
    }
    // Nor is it promised since a release alone that the base does not know.
    let mut later = eventful();
    release(&mut later, "2.2.0", &[("f", X), ("h", X), ("k", X)]);
    let text = later.lock.to_string();
    let edited = text.replacen("f.since = \"1.0.0\"\n", "f.since = \"2.2.0\"\n", 1);
    assert_ne!(edited, text);
    let later = Lock::parse(&edited, None).unwrap();
    assert_error(&base, &later, "since when `f` is promised from since 1.0.0 to since 2.2.0");
    assert_eq!(errors(&base, &base), [""; 0]);
}

/// A row that no release has sealed says that it is new, and its line that a release had it.
#[test]
fn c23_what_is_new_was_in_no_release_that_the_base_knows() {
    let base = eventful().lock;
    let mut package = eventful();
    package.version("3.0.0").declare("f", "input.X = {}; input.Z = {}").declare("g", "output.O = {}").update();
    assert_eq!(errors(&base, &package.lock), [""; 0]);
    let text = package.lock.to_string();
    for (from, to, said) in [
        (
            "f.input.Z = { unreleased = true }",
            "f.input.Z = {}",
            "since when `f.input.Z` is promised from no promise to",
        ),
        ("f.input.Z = { unreleased = true }", "f.input.Z = { since = \"2.1.0\" }", "to since 2.1.0"),
        (
            "g.unreleased = true\ng.output.O = { unreleased = true }",
            "g.since = \"2.0.0\"\ng.output.O = {}",
            "since when `g` is promised from no promise to since 2.0.0",
        ),
    ] {
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text, "{from}\n{text}");
        assert_error(&base, &Lock::parse(&edited, None).unwrap_or_else(|e| panic!("{e}\n{edited}")), said);
    }
}

/// A row says since when the base promised what it changes; sealed, the lock would forget it.
#[test]
fn c23_what_changed_is_promised_since_it_was() {
    let base = eventful().lock;
    let mut package = eventful();
    package.version("3.0.0").declare("k", "").update();
    package.declare("k", "input.X = { dispensable = true }").update();
    assert_eq!(errors(&base, &package.lock), [""; 0]);
    let text = package.lock.to_string();
    let edited = text.replacen("k.since = \"2.0.0\"", "k.unreleased = true", 1);
    assert_ne!(edited, text, "{text}");
    assert_error(
        &base,
        &Lock::parse(&edited, None).unwrap(),
        "since when `k.input.X` is promised from since 2.0.0 to unreleased",
    );
}

/// The table of rules again, each break laundered into a lock without a row.
#[test]
fn c23_every_kind_of_break_is_seen() {
    let m = "attr.m = { type = \"string\", values = [\"a\", \"b\"] }";
    for (old, new, rule) in [
        (X, "", "input_deleted"),
        (X, X_DUPLICABLE, "input_changed"),
        (X, "input.X = { dispensable = true }", "input_changed"),
        (X, "input.X = { extra = true }", "input_changed"),
        ("", X, "input_added_not_dispensable"),
        ("input.X = { dispensable = true, extra = true }", X, "input_added_not_dispensable"),
        ("output.O = {}", "", "output_deleted"),
        ("output.O = {}", "output.O = { intermediate = true }", "output_changed"),
        ("", "output.O = {}", "output_added_not_dispensable"),
        (m, "", "attr_deleted"),
        (m, "attr.m = { type = \"string\", values = [\"a\"] }", "attr_changed"),
        (m, "attr.m = { type = \"string\", values = [\"a\", \"b\", \"c\"] }", "attr_value_added"),
        (m, "attr.m = { type = \"string\", default = \"a\", values = [\"a\", \"b\"] }", "attr_changed"),
        (m, "attr.m = { type = \"bytes\" }", "attr_changed"),
        ("", m, "attr_added_without_default"),
        ("", "cfg = \"unix\"", "op_condition_narrowed"),
        ("cfg = \"unix\"", "", "op_condition_widened"),
        ("", "experimental = true", "op_deleted"),
    ] {
        let base = Package::released(&[("f", old)]).lock;
        let mut new = Package::released(&[("f", new)]).lock;
        assert_error(&base, &new, &format!("[{rule}]"));
        // Nor does a later release hide it.
        new.releases.insert(v("1.1.0"), Release::new("2026-02-01"));
        assert_error(&base, &new, &format!("[{rule}]"));
    }
}

#[test]
fn what_a_base_holds_for_good_stays() {
    let base = eventful().lock;
    let edited = |edit: &dyn Fn(&mut Lock)| {
        let mut new = base.clone();
        edit(&mut new);
        new
    };
    let key = |op: &str, release: &str, item: Option<(Kind, &str)>| RowKey {
        op: op.to_owned(),
        release: Some(v(release)),
        item: item.map(|(kind, name)| (kind, name.to_owned())),
    };
    let row = key("f", "2.0.0", Some((Kind::Attr, "a")));
    let approved = key("h", "2.1.0", Some((Kind::Input, "Y")));
    let edit_row = |row: &RowKey, edit: &dyn Fn(&mut oplock_core::lock::Row)| {
        edited(&|lock| edit(lock.ledger.get_mut(row).unwrap()))
    };
    let absent = |row: &mut oplock_core::lock::Row| row.from = Side::Absent;
    assert_error(&base, &edited(&|lock| drop(lock.releases.remove(&v("2.0.0")))), "lost release 2.0.0");
    assert_error(
        &base,
        &edited(&|lock| lock.releases.get_mut(&v("2.0.0")).unwrap().date = "2020-01-01".to_owned()),
        "the lock changed release 2.0.0 from sealed on 2026-01-01 as ",
    );
    let forged = edited(&|lock| lock.releases.get_mut(&v("2.0.0")).unwrap().digest = None);
    assert_error(&base, &forged, "to sealed on 2026-01-01\n");
    assert_error(&base, &edited(&|lock| lock.package = "q".to_owned()), "the package from p to q");
    assert_error(&base, &edited(&|lock| drop(lock.ledger.remove(&row))), "lost the ledger row of `f.attr.a` in 2.0.0");
    assert_error(&base, &edit_row(&row, &absent), "changed the ledger row of `f.attr.a` in 2.0.0");
    assert_error(&base, &edit_row(&approved, &|row| row.approved = None), "changed the ledger row of `h.input.Y`");
    let reason = |row: &mut oplock_core::lock::Row| row.approved.as_mut().unwrap().reason.clear();
    assert_error(&base, &edit_row(&approved, &reason), "changed the ledger row of `h.input.Y`");
    // A row that takes a tombstone's force away.
    let forged = key("f", "2.1.0", Some((Kind::Attr, "a")));
    let forge = |lock: &mut Lock| {
        let mut added = lock.ledger[&row].clone();
        std::mem::swap(&mut added.from, &mut added.to);
        lock.ledger.insert(forged.clone(), added);
    };
    assert_error(&base, &edited(&forge), "the ledger row of `f.attr.a` in 2.1.0");
}

/// Another line, to which a release is taken over, has it behind one of its own; nobody else has.
#[test]
fn a_release_stands_behind_another_only_where_that_is_of_another_line() {
    let base = eventful().lock;
    let behind = |release: &str, edit: &dyn Fn(&mut Release)| {
        let mut new = base.clone();
        new.releases.insert(v("2.2.0"), Release::new("2026-03-01"));
        let changed = new.releases.get_mut(&v("2.0.0")).unwrap();
        changed.behind = Some(v(release));
        edit(changed);
        errors(&base, &new).iter().any(|error| error.starts_with("the lock changed release 2.0.0"))
    };
    assert!(!behind("2.2.0", &|_| {}));
    assert!(behind("2.1.0", &|_| {}), "the base knows that one");
    assert!(behind("2.2.0", &|release| release.date = "2020-01-01".to_owned()));
}

/// What an update or a release made of what was promised is no other promise.
#[test]
fn a_deletion_and_a_return_are_no_false_alarm() {
    let both = [("f", X_A), ("g", X)];
    let mut package = Package::released(&both);
    let first = package.lock.clone();
    package.version("2.0.0").declare("f", X).delete("g").update();
    assert_eq!(errors(&first, &package.lock), [""; 0]);
    package.seal();
    let second = package.lock.clone();
    assert_eq!(errors(&first, &second), [""; 0]);
    release(&mut package, "2.1.0", &both);
    for base in [&first, &second, &package.lock] {
        assert_eq!(errors(base, &package.lock), [""; 0]);
    }
}

#[test]
fn a_break_of_a_new_release_is_announced() {
    let mut package = Package::released(&[("f", X), ("g", "")]);
    let base = package.lock.clone();
    release(&mut package, "2.0.0", &[("f", X_DUPLICABLE)]);
    assert_eq!(errors(&base, &package.lock), [""; 0]);
    let text = package.lock.to_string();
    for release in ["1.1.0", "1.0.1", "0.9.0"] {
        let forged = Lock::parse(&text.replace("2.0.0", release), None).unwrap();
        assert_error(&base, &forged, "no major version, and nobody approved the break");
    }
    // Releases below the base's last that announce majors of their own.
    let text =
        text.replace("2.0.0", "0.2.0").replacen("[release]\n", "[release]\n\"0.1.0\" = { date = \"2025-01-01\" }\n", 1);
    assert_error(&base, &Lock::parse(&text, None).unwrap(), "input_changed");
}

#[test]
fn a_tombstone_is_not_laundered_away() {
    let base = eventful().lock;
    let text = base.to_string();
    for (line, said) in [
        ("f.attr.a = { type = \"i32\", default = 2, unreleased = true }", "[name_reused]"),
        ("g.unreleased = true\ng.input.X = { duplicable = true, unreleased = true }", "[name_reused]"),
    ] {
        let edited = text.replacen("[op]\n", &format!("[op]\n{line}\n"), 1);
        assert_error(&base, &Lock::parse(&edited, None).unwrap(), said);
    }
    let fine = text.replacen("[op]\n", "[op]\ng.unreleased = true\ng.input.X = { unreleased = true }\n", 1);
    assert_eq!(errors(&base, &Lock::parse(&fine, None).unwrap()), [""; 0]);
}

#[test]
fn an_operator_that_was_experimental_for_a_time_is_no_false_alarm() {
    let mut package = Package::released(&[("f", X)]);
    let first = package.lock.clone();
    release(&mut package, "2.0.0", &[("f", "experimental = true; input.Z = {}; attr.b = { type = \"i32\" }")]);
    assert_eq!(errors(&first, &package.lock), [""; 0]);
    release(&mut package, "2.1.0", &[("f", X)]);
    assert_eq!(errors(&first, &package.lock), [""; 0]);
}

// ---- values ----

/// The line of the attribute `t` of `f`.
fn line_of_t(package: &Package) -> String {
    let text = package.lock.to_string();
    text.lines().find(|line| line.starts_with("f.attr.t = ")).unwrap_or(&text).to_owned()
}

fn t(values: &str) -> String {
    format!("attr.t = {{ type = \"[dtype]\", values = [{values}] }}")
}

#[test]
fn each_value_says_since_when_it_is() {
    let mut package = Package::released(&[("f", &t("\"f32\""))]);
    assert_eq!(line_of_t(&package), "f.attr.t = { type = \"[dtype]\", values = [\"f32\"] }");
    package.version("1.1.0").declare("f", &t("\"bf16\", \"f32\"")).update();
    let with = |newer: &str| {
        format!("f.attr.t = {{ type = \"[dtype]\", values = [\"bf16\", \"f32\"], newer = {{ {newer} }} }}")
    };
    assert_eq!(line_of_t(&package), with("bf16 = \"unreleased\""));
    // Taken back, it leaves no trace.
    let mut back = package.clone();
    back.withdraw("f.t").declare("f", &t("\"f32\"")).says(&[]);
    assert_eq!(back.update().lock.to_string(), Package::released(&[("f", &t("\"f32\""))]).lock.to_string());
    package.seal();
    assert_eq!(line_of_t(&package), with("bf16 = \"1.1.0\""));
    package.version("1.2.0").declare("f", &t("\"bf16\", \"f16\", \"f32\"")).update().seal();
    assert!(line_of_t(&package).contains("newer = { bf16 = \"1.1.0\", f16 = \"1.2.0\" }"), "{}", package.lock);
    // What went and came back is as old as its return; what any value was allowed in between is as old as that.
    package.version("2.0.0").declare("f", &t("\"f16\", \"f32\"")).says(&["attr_changed f.t: accepted for 2.0.0"]);
    package.update().seal().version("2.1.0").declare("f", &t("\"bf16\", \"f16\", \"f32\"")).update().seal();
    assert!(line_of_t(&package).contains("newer = { bf16 = \"2.1.0\", f16 = \"1.2.0\" }"), "{}", package.lock);
    package.version("2.2.0").declare("f", "attr.t = { type = \"[dtype]\" }").update().seal();
    package.version("3.0.0").declare("f", &t("\"f32\", \"u8\"")).update().seal();
    assert!(line_of_t(&package).contains("newer = { u8 = \"2.2.0\" }"), "{}", package.lock);
}

#[test]
fn values_that_two_branches_add_are_all_there_after_a_merge() {
    let base = Package::released(&[("f", &t("\"f32\""))]);
    let with = |values: &str| {
        let mut package = base.clone();
        package.version("1.1.0").declare("f", &t(values)).update();
        package
    };
    let (ours, theirs) = (with("\"bf16\", \"f32\""), with("\"f16\", \"f32\""));
    let merge = merged(&base, &ours, &theirs);
    assert_eq!(paths(&merge), [""; 0]);
    let mut package = Package { lock: merge.lock, ..ours.clone() };
    package.declare("f", &t("\"bf16\", \"f16\", \"f32\"")).says(&[]);
    assert!(line_of_t(&package).contains("newer = { bf16 = \"unreleased\", f16 = \"unreleased\" }"));
    package.update().seal();
    // Where one of them changes something else as well, one is taken.
    let mut other = base.clone();
    other
        .version("1.1.0")
        .declare("f", "attr.t = { type = \"[dtype]\", min = 0, values = [\"f16\", \"f32\"] }")
        .update();
    assert_eq!(paths(&merged(&base, &ours, &other)), ["f.attr.t"]);
    // What no release carries has no row.
    let new = |values: &str| {
        let mut package = Package::released(&[("f", "")]);
        package.version("1.1.0").declare("f", &t(values).replace("values", "default = [], values")).update();
        package
    };
    let merge = merged(&new("\"f32\""), &new("\"f16\", \"f32\""), &new("\"f32\", \"u8\""));
    assert_eq!(paths(&merge), [""; 0]);
    let def = &merge.lock.ops["f"].def;
    assert_eq!(*def.attrs[0].values, ["f16", "f32", "u8"]);
}

// ---- places ----

#[test]
fn places_through_a_life() {
    let places = |a: u32, b: u32| format!("input.A = {{ at = {a} }}; input.B = {{ at = {b} }}");
    let mut package = Package::released(&[("f", "input.A = {}; input.B = {}")]);
    // Turned on later nothing breaks, and it is enforced from then on.
    package.version("1.1.0").declare("f", &places(1, 2));
    package.says(&["operand_place_promised f.A: compatible", "operand_place_promised f.B: compatible"]).update();
    package.declare("f", &places(2, 1)).says(&["operand_moved f.A: withdraw f.A"]);
    package.declare("f", &places(1, 2)).seal();
    package.declare("f", &places(2, 1)).says(&["operand_moved f.A: needs 2.0.0"]);
    // Of two that are swapped one is told of and approved, and both have a row.
    let mut approved = package.clone();
    approved.version("1.2.0");
    approve(&mut approved, "a reason");
    approved.says(&["operand_moved f.A: approved by A. Person"]);
    let other = "input.A = { at = 2 }; input.B = { at = 3 }";
    approved
        .clone()
        .declare("f", other)
        .says(&["operand_moved f.A: approved by A. Person", "operand_moved f.B: needs 2.0.0"]);
    approved.update();
    assert_eq!(approved.rows().len(), 2, "{:?}", approved.rows());
    assert!(approved.rows().iter().all(|row| row.contains("reason = \"a reason\"")), "{:?}", approved.rows());
    approved.seal();
    let mut major = package.clone();
    major.version("2.0.0").says(&["operand_moved f.A: accepted for 2.0.0"]).update();
    assert_eq!(major.rows().len(), 2, "{:?}", major.rows());
    major.clone().version("1.2.0").says(&["operand_moved f.A: needs 2.0.0"]);
    major.clone().declare("f", &places(1, 2)).update();
    major.seal();
    // Turned off is a break.
    package.declare("f", "input.A = {}; input.B = {}");
    package.says(&["operand_place_dropped f.A: needs 2.0.0", "operand_place_dropped f.B: needs 2.0.0"]);
    package.version("2.0.0").update().seal();
}

#[test]
fn the_lock_says_that_places_are_promised() {
    let mut lock = Package::released(&[("f", "input.A = { at = 1 }")]).lock;
    lock.positional = true;
    let text = lock.to_string();
    assert!(text.contains("\noperands = \"positional\"\n") && text.contains("f.input.A = { at = 1 }"), "{text}");
    assert_eq!(Lock::parse(&text, Some("p")), Ok(lock));
    let error = Lock::parse(&text.replace("positional", "named"), Some("p")).unwrap_err().to_string();
    assert!(error.contains("`operands` is \"positional\" or left out, not \"named\""), "{error}");
    let error = Lock::parse(&text.replace("{ at = 1", "{ at = 0"), Some("p")).unwrap_err().to_string();
    assert!(error.contains("`at` cannot be 0: places are counted from 1"), "{error}");
}

#[test]
fn definitions_number_their_operands_once() {
    let def = |names: [&'static str; 2]| {
        let inputs = names.map(oplock_core::ArgDef::new).to_vec().into();
        OpDef { inputs, ..OpDef::new("f") }
    };
    let places = |def: &OpDef| def.inputs.iter().map(|arg| (arg.name.to_string(), arg.at)).collect::<Vec<_>>();
    let (x, y) = ("X".to_owned(), "Y".to_owned());
    let numbered = def(["Y", "X"]).numbered();
    assert_eq!(places(&numbered.clone().sorted()), [(x.clone(), Some(2)), (y.clone(), Some(1))]);
    assert_eq!(numbered.clone().sorted().numbered(), numbered.clone().sorted());
    assert_eq!(places(&numbered.unnumbered().sorted()), [(x, None), (y, None)]);
}

// ---- merges ----

/// The merge, which reads back.
fn merged(base: &Package, ours: &Package, theirs: &Package) -> Merged {
    let merged = merge(&base.lock, &ours.lock, &theirs.lock);
    let text = merged.lock.to_string();
    assert_eq!(Lock::parse(&text, Some("p")).unwrap_or_else(|e| panic!("{e}\n{text}")), merged.lock);
    let mirrored = merge(&base.lock, &theirs.lock, &ours.lock);
    assert_eq!(mirrored.choices.len(), merged.choices.len());
    merged
}

fn paths(merged: &Merged) -> Vec<&str> {
    merged.choices.iter().map(|choice| choice.path.as_str()).collect()
}

#[test]
fn a_merge_with_one_change_is_that_change() {
    let (a, b) = (Package::released(&[("f", X), ("h", X)]).lock, eventful().lock);
    for (base, changed) in [(&a, &b), (&b, &a)] {
        for (ours, theirs) in [(changed, base), (base, changed), (changed, changed)] {
            assert_eq!(merge(base, ours, theirs), Merged { lock: changed.clone(), choices: Vec::new() });
        }
    }
}

/// 1.1.0 breaks by an approval what 2.0.0, made beside it, still promises.
#[test]
fn the_newer_of_two_lines_wins_over_what_the_older_one_broke() {
    let base = Package::released(&[("f", X_A)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    release(&mut ours, "2.0.0", &[("f", X_A), ("g", "")]);
    theirs.version("1.1.0").declare("f", X);
    approve(&mut theirs, "a reason");
    theirs.update().seal();
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(paths(&merged), ["f.attr.a"]);
    assert_eq!(merged.lock.ops, ours.lock.ops);
    assert_eq!(errors(&ours.lock, &merged.lock), [""; 0]);
    // That says nothing of what else the older one did.
    let attr_c = |default: u32| format!("{X}; attr.c = {{ type = \"i32\", default = {default} }}");
    let mut theirs = base.clone();
    theirs.version("1.1.0").declare("f", &attr_c(1));
    approve(&mut theirs, "a reason");
    theirs.update().seal();
    ours.version("2.1.0").declare("f", &format!("{X_A}; attr.c = {{ type = \"i32\", default = 2 }}")).update();
    let merged = self::merged(&base, &ours, &theirs);
    assert_eq!(paths(&merged), ["f.attr.a", "f.attr.c"]);
    assert!(merged.choices[0].took_ours && !merged.choices[1].took_ours, "{:?}", merged.choices);
}

/// Ours takes back a deletion that theirs seals; there it then comes back, and is promised anew.
#[test]
fn what_came_back_after_a_sealed_deletion_is_promised_since_then() {
    let base = Package::released(&[("f", X_A), ("g", "")]);
    let (mut deleted, mut theirs) = (base.clone(), base.clone());
    deleted.version("2.0.0").declare("f", X).delete("g").update();
    release(&mut theirs, "2.0.0", &[("f", X)]);
    release(&mut theirs, "3.0.0", &[("f", X_A), ("g", "")]);
    for merged in [merged(&deleted, &base, &theirs), merged(&deleted, &theirs, &base)] {
        assert_eq!(merged.lock.ops, theirs.lock.ops);
        assert_eq!(errors(&theirs.lock, &merged.lock), [""; 0]);
        assert_eq!(paths(&merged), ["f.attr.a", "g"]);
    }
}

/// One side lost what is sealed, sealed it again or changed it: the base's stays, and it is said.
#[test]
fn what_the_base_holds_for_good_stays_in_a_merge() {
    let base = eventful();
    let text = base.lock.to_string();
    let row =
        "f.\"2.0.0\".attr.a = { rule = \"attr_deleted\", from = { type = \"i32\", default = 1, since = \"1.0.0\" } }\n";
    for (from, to, path) in [
        ("\"2.0.0\" = { date = \"2026-01-01\"", "\"2.0.0\" = { date = \"2026-01-02\"", "release 2.0.0"),
        (row, "", "ledger f.2.0.0.attr.a"),
        (row, &row.replace("default = 1", "default = 2"), "ledger f.2.0.0.attr.a"),
    ] {
        let (mut ours, mut theirs) = (base.clone(), base.clone());
        ours.version("2.2.0").declare("n", X).update();
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text, "{from}\n{text}");
        theirs.lock = Lock::parse(&edited, None).unwrap_or_else(|e| panic!("{e}\n{edited}"));
        for merged in [merged(&base, &ours, &theirs), merged(&base, &theirs, &ours)] {
            assert_eq!((&merged.lock, paths(&merged)), (&ours.lock, vec![path]));
        }
    }
}

/// Of two parallel releases neither line has both, and each kept its promise. The newer line knows its own releases first.
#[test]
fn what_two_parallel_releases_promise_is_promised_since_what_stands_earlier() {
    let base = Package::released(&[("f", X)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    release(&mut ours, "1.1.0", &[("f", X_A), ("g", "")]);
    release(&mut theirs, "2.0.0", &[("f", X_A), ("g", "")]);
    for merged in [merged(&base, &ours, &theirs), merged(&base, &theirs, &ours)] {
        assert_eq!(merged.lock.ops, theirs.lock.ops);
        assert_eq!(errors(&theirs.lock, &merged.lock), [""; 0]);
        assert_eq!(errors(&ours.lock, &merged.lock), [""; 0]);
        let line: Vec<_> = merged.lock.release_line().iter().map(|(version, _)| version.to_string()).collect();
        assert_eq!(line, ["1.0.0", "2.0.0", "1.1.0"]);
    }
}

/// Readers of graphs count releases in the order of the line, so what was sealed after the trunk had it makes nothing of it younger.
#[test]
fn what_a_line_that_is_taken_over_has_too_is_promised_since_what_stands_earlier() {
    let base = Package::released(&[("f", X)]);
    for sealed in ["2026-03-01", "2026-01-15"] {
        let expected = "2.0.0";
        let (mut trunk, mut maintenance) = (base.clone(), base.clone());
        release(&mut trunk, "2.0.0", &[("f", X_A), ("g", "")]);
        release(&mut maintenance, "1.1.0", &[("f", X_A), ("g", "")]);
        for (package, version, date) in [(&mut trunk, "2.0.0", "2026-02-01"), (&mut maintenance, "1.1.0", sealed)] {
            package.lock.releases.get_mut(&v(version)).unwrap().date = date.to_owned();
        }
        for absorbed in [absorb(&trunk.lock, &maintenance.lock), absorb(&maintenance.lock, &trunk.lock)] {
            let ops = &absorbed.lock.ops;
            assert_eq!(ops["f"].item_since(Kind::Attr, "a"), Some(&since(expected)), "sealed on {sealed}");
            assert_eq!(ops["g"].stamp.since, Some(since(expected)), "sealed on {sealed}");
            let line: Vec<_> = absorbed.lock.release_line().iter().map(|(version, _)| version.to_string()).collect();
            assert_eq!(line, ["1.0.0", "2.0.0", "1.1.0"], "2.0.0 did not know the other line");
            let behind = absorbed.lock.releases[&v("1.1.0")].behind.as_ref();
            assert_eq!(behind, (sealed == "2026-01-15").then(|| v("2.0.0")).as_ref(), "else its day says so");
            assert_eq!(Lock::parse(&absorbed.lock.to_string(), None), Ok(absorbed.lock.clone()));
            for base in [&trunk.lock, &maintenance.lock] {
                assert_eq!(errors(base, &absorbed.lock), [""; 0]);
            }
        }
    }
}

/// What only one of two lines promised of an operator that each added by itself is told when the one takes over the other.
#[test]
fn what_the_other_line_added_with_less_is_a_choice() {
    let base = Package::released(&[("f", X)]);
    let (mut trunk, mut maintenance) = (base.clone(), base.clone());
    release(&mut trunk, "2.0.0", &[("f", X), ("g", X_A)]);
    release(&mut maintenance, "1.1.0", &[("f", X), ("g", X)]);
    assert_eq!(paths(&absorb(&trunk.lock, &maintenance.lock)), ["g.attr.a"]);
    // Of one release they have one operator, of which what came later is no choice.
    let (mut trunk, mut maintenance) = (maintenance.clone(), maintenance);
    release(&mut trunk, "2.0.0", &[("f", X), ("g", X_A)]);
    release(&mut maintenance, "1.1.1", &[("f", X), ("g", X)]);
    assert_eq!(paths(&absorb(&trunk.lock, &maintenance.lock)), [""; 0]);
}

/// What may be added to an operator depends on whether a release carries it.
#[test]
fn what_one_side_added_to_an_operator_that_the_other_released_is_left_out() {
    let base = Package::released(&[("f", X)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    release(&mut ours, "1.1.0", &[("f", X), ("g", "")]);
    theirs.version("1.1.0").declare("g", X).update();
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(paths(&merged), ["g"]);
    assert_eq!(merged.lock, ours.lock);
    ours.version("1.2.0").declare("g", X).says(&["input_added_not_dispensable g.X: needs 2.0.0"]);
}

#[test]
fn what_two_sides_did_to_different_things_is_joined() {
    let base = Package::released(&[("f", X)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.version("1.1.0").declare("f", X_A).declare("g", "").update();
    theirs.version("1.1.0").declare("f", X_N).declare("h", "").update();
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(merged.choices, []);
    assert_eq!(merged.lock.ops.keys().collect::<Vec<_>>(), ["f", "g", "h"]);
    assert_eq!(merged.lock.ops["f"].items.len(), 3);
}

#[test]
fn c36_sealed_wins_over_withdrawn_and_is_reported() {
    let mut base = Package::released(&[("f", X)]);
    base.version("1.1.0").declare("f", X_A).declare("g", "").update();
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.seal();
    theirs.withdraw("f.a").withdraw("g").declare("f", X).delete("g");
    for merged in [merged(&base, &ours, &theirs), merged(&base, &theirs, &ours)] {
        assert_eq!(merged.lock, ours.lock);
        assert_eq!(paths(&merged), ["f.attr.a", "g"]);
    }
    let text = merge(&base.lock, &ours.lock, &theirs.lock).choices[0].to_string();
    assert!(text.starts_with("f.attr.a: took ours, ") && text.ends_with("; left theirs, nothing"), "{text}");
}

#[test]
fn a_sealed_break_wins_over_its_restoration() {
    let mut base = Package::released(&[("f", X_A)]);
    base.version("2.0.0").declare("f", X).update();
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.seal();
    theirs.declare("f", X_A).update();
    let merged = merged(&base, &theirs, &ours);
    assert_eq!(merged.lock, ours.lock, "2.0.0 does not promise it");
    assert_eq!(paths(&merged), ["f.attr.a"]);
}

#[test]
fn a_change_of_what_the_other_side_deleted_is_reported() {
    let base = Package::released(&[("f", X), ("g", X)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.version("2.0.0").delete("f").update();
    theirs.version("1.1.0").declare("f", X_N).declare("g", "experimental = true");
    theirs.version("2.0.0").update();
    let merged = merged(&base, &ours, &theirs);
    assert_eq!(paths(&merged), ["f"]);
    assert!(merged.lock.ops.contains_key("f"), "what promises more wins");
    assert!(merged.lock.pending_of("f").next().is_none());
    assert!(merged.lock.pending_of("g").next().is_some());
}

#[test]
fn one_version_that_both_sealed_is_reported() {
    let base = Package::released(&[("f", X)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    release(&mut ours, "1.1.0", &[("f", X_A)]);
    release(&mut theirs, "1.1.0", &[("f", X_N)]);
    assert_eq!(paths(&merged(&base, &ours, &theirs)), ["release 1.1.0"]);
    // Nor does git join them: the line of the release is another one.
    let line = |package: &Package| {
        let text = package.lock.to_string();
        text.lines().find(|line| line.starts_with("\"1.1.0\" = ")).map(str::to_owned)
    };
    assert_ne!(line(&ours), line(&theirs));
    ours.version("1.2.0").seal();
    assert_eq!(
        ours.lock.releases[&v("1.1.0")].digest,
        ours.lock.releases[&v("1.2.0")].digest,
        "without a change it is the same"
    );
    ours.version("1.3.0").declare("g", "").update().seal();
    assert_ne!(ours.lock.releases[&v("1.1.0")].digest, ours.lock.releases[&v("1.3.0")].digest);
    // What both sealed alike is one release; locks without a digest are compared by what they say.
    let mut same = base.clone();
    release(&mut same, "1.1.0", &[("f", X_N)]);
    assert_eq!(line(&same), line(&theirs));
    assert_eq!(paths(&merged(&base, &same, &theirs)), [""; 0]);
    let mut ours = base.clone();
    release(&mut ours, "1.1.0", &[("f", X_A)]);
    for package in [&mut ours, &mut theirs] {
        package.lock.releases.values_mut().for_each(|release| release.digest = None);
    }
    assert_eq!(line(&ours), line(&theirs));
    assert_eq!(paths(&merged(&base, &ours, &theirs)), ["release 1.1.0"]);
}

#[test]
fn a_plan_for_what_the_other_side_sealed_is_over() {
    let base = Package::released(&[("f", X)]);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.version("1.1.0").seal();
    theirs.plan("1.1.0");
    let merged = merged(&base, &ours, &theirs);
    assert_eq!((merged.lock.next, merged.choices.len()), (None, 0));
}

/// The break missed the release for which it was accepted. That one is sealed and promised what it broke, so only the next
/// major version may make it; nothing was passed unsealed.
#[test]
fn a_break_that_missed_its_release_waits_for_the_next_major_version() {
    let mut base = Package::fresh("0.3.0", &[("f", X_A)]);
    base.update().seal().version("0.4.0");
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.declare("f", X).update();
    theirs.seal();
    assert_eq!(ours.rows().len(), 1);
    ours.lock = merged(&base, &ours, &theirs).lock;
    assert!(ours.rows()[0].ends_with("for = \"0.4.0\" }"), "{:?}", ours.rows());
    for version in ["0.4.0", "0.4.1"] {
        ours.version(version).says(&["attr_deleted f.a: needs 0.5.0"]);
    }
    for version in ["0.5.0", "1.0.0"] {
        let mut next = ours.clone();
        next.version(version).says(&[]);
        assert!(next.context.check_overrun(&next.lock).is_ok(), "{version}");
        assert!(
            next.context.has_stale_version(&next.lock),
            "{version}: `update` says for which release the row is now"
        );
        next.update();
        assert!(next.rows()[0].ends_with(&format!("for = \"{version}\" }}")), "{:?}", next.rows());
        next.seal();
        assert_eq!(sealed_rows(&next.lock).len(), 1);
        assert_eq!(errors(&theirs.lock, &next.lock), [""; 0]);
    }
}

#[test]
fn another_line_is_absorbed() {
    let mut main = Package::released(&[("f", "input.X = {}; input.Y = {}"), ("g", "")]);
    let mut line = main.clone();
    release(&mut main, "2.0.0", &[("f", X_A)]);
    let new = "input.X = {}; input.Y = {}; attr.a = { type = \"i32\", default = 1 }; input.N = { dispensable = true }";
    release(&mut line, "1.1.0", &[("f", new), ("g", ""), ("h", "")]);
    let Merged { lock, choices } = absorb(&main.lock, &line.lock);
    assert_eq!(choices, []);
    assert!(lock.releases.contains_key(&v("1.1.0")));
    assert_eq!(
        lock.ops["f"].item_since(Kind::Attr, "a"),
        Some(&since("2.0.0")),
        "the release that this line had first"
    );
    assert_eq!(lock.ops["f"].item_since(Kind::Input, "N"), Some(&since("1.1.0")));
    assert_eq!(lock.ops["f"].item_since(Kind::Input, "Y"), None, "deleted here");
    assert_eq!(lock.ops.keys().collect::<Vec<_>>(), ["f", "h"]);
    assert_eq!(Lock::parse(&lock.to_string(), None), Ok(lock.clone()));
    assert_eq!(errors(&main.lock, &lock), [""; 0]);
    assert_eq!(errors(&lock, &lock), [""; 0]);
    assert_eq!(absorb(&lock, &line.lock).lock, lock, "once is enough");
    main.lock = lock;
    main.version("2.1.0").says(&["input_deleted f.N: needs 3.0.0", "op_deleted h: needs 3.0.0"]);
}

#[test]
fn what_the_lines_say_differently_stays_and_is_reported() {
    let mut main = Package::released(&[("f", X)]);
    let mut line = main.clone();
    release(&mut main, "2.0.0", &[("f", X_A2), ("e", "experimental = true; input.Z = {}")]);
    release(&mut line, "1.1.0", &[("f", X_A), ("e", X)]);
    let absorbed = absorb(&main.lock, &line.lock);
    assert_eq!(paths(&absorbed), ["f.attr.a"]);
    assert_eq!(absorbed.lock.ops["e"], line.lock.ops["e"], "what was promised there is promised here");
    assert_eq!(Lock::parse(&absorbed.lock.to_string(), None), Ok(absorbed.lock.clone()));
    assert_eq!(errors(&main.lock, &absorbed.lock), [""; 0]);
}

#[test]
fn a_finding_of_a_base_names_what_to_do() {
    let base = lock("[release]\n'1.0.0' = { date = '2026-01-01' }\n[op]\nf.since = '1.0.0'\n");
    let new = lock("[release]\n'1.0.0' = { date = '2026-01-01' }\n");
    let [BaseFinding::Laundered { finding, since, line }] = &check_base(&base, &new, Options::default())[..] else {
        panic!("{:?}", check_base(&base, &new, Options::default()))
    };
    assert_eq!((finding.path().as_str(), since, *line), ("f", &common::package::since("1.0.0"), 6));
    let _: &Finding = finding;
    assert!(errors(&base, &new)[0].contains("restore the lock of the base and run `cargo oplock update`"));
}

/// A reader that has two lines of releases takes what either saved for its own data, so it has what both promised, or it has but one.
#[test]
fn lines_that_promise_one_thing_differently_are_not_joined() {
    const B: &str = "input.X = {}; attr.b = { type = \"bool\", default = true }";
    const B2: &str = "input.X = {}; attr.b = { type = \"bool\", default = false }";
    const Z: &str = "input.X = {}; input.Z = {}";
    const LONG: &str = "input.X = {}; attr.a = { type = \"i64\", default = 1 }";
    let found = |trunk: &[(&str, &str)], line: &[(&str, &str)]| {
        let base = Package::released(&[("f", X), ("g", X_N)]);
        let (mut ours, mut theirs) = (base.clone(), base.clone());
        release(&mut ours, "2.0.0", trunk);
        release(&mut theirs, "1.1.0", line);
        let joined = [
            absorb(&ours.lock, &theirs.lock).lock,
            absorb(&theirs.lock, &ours.lock).lock,
            merge(&base.lock, &ours.lock, &theirs.lock).lock,
            merge(&base.lock, &theirs.lock, &ours.lock).lock,
        ];
        joined.map(|joined| {
            assert_eq!(
                parted(&base.lock, &ours.lock, &joined, Options::default()),
                [],
                "one of them has no release of its own"
            );
            !parted(&ours.lock, &theirs.lock, &joined, Options::default()).is_empty()
        })
    };
    let (f, g, h) = (("f", X), ("g", X_N), |def| ("h", def));
    for (trunk, line) in [
        // An operator or an item that each added as something else.
        (vec![f, g, h(B)], vec![f, g, h(B2)]),
        (vec![("f", X_A2), g], vec![("f", X_A), g]),
        (vec![("f", LONG), g], vec![("f", X_A), g]),
        // One that the older line added, of an operator that the newer one deleted, or that had it not when it came.
        (vec![g], vec![("f", X_A), g]),
        (vec![f, g, h(Z)], vec![f, g, h(X)]),
    ] {
        assert_eq!(found(&trunk, &line), [true; 4], "{trunk:?} {line:?}");
    }
    for (trunk, line) in [
        (vec![f, g, h(B)], vec![f, g, h(B)]),
        (vec![("f", X_A), g], vec![("f", X_A), g, h(B)]),
        (vec![f, ("g", X)], vec![("f", X_A), g]),
        (vec![g], vec![f, g, h(X)]),
        (vec![f, g, h(X_A)], vec![f, g, h(X)]),
    ] {
        assert_eq!(found(&trunk, &line), [false; 4], "{trunk:?} {line:?}");
    }
}

/// What each of two lines did is known to the lock in which they are joined; what that does not keep of one of them is told, and
/// nothing else.
#[test]
fn a_joined_lock_is_held_against_each_of_its_lines() {
    type Steps<'a> = &'a [(&'a str, Option<&'a str>)];
    let m = |values: &str| format!("attr.m = {{ type = \"string\", default = \"a\", values = [{values}] }}");
    let (a, ab, ac) = (m("\"a\""), m("\"a\", \"b\""), m("\"a\", \"c\""));
    let with_n = format!("{a}; attr.n = {{ type = \"i32\", default = 0 }}");
    let alias = format!("alias.g = {{ unreleased = true }}; {a}");
    let fewer = "attribute `m` of `f` allowed [\"a\", \"b\"], and now [\"a\"] [attr_changed]";
    let without_n = "attribute `n` of `f` is deleted [attr_deleted]";
    let anew = [
        "the lock changed since when `f` is promised from since 2.1.0 to since 1.0.0",
        "the lock changed since when `f.attr.m` is promised from since 2.1.0 to since 1.0.0",
    ];
    // The steps of the trunk and of the other line, and what each of them says.
    let lines: [(Steps<'_>, Steps<'_>, &[&str], &[&str]); 8] = [
        (&[("2.0.0", Some(&ac))], &[("1.1.0", Some(&ab))], &[], &[fewer]),
        (&[("2.0.0", Some(""))], &[("1.1.0", Some(&ab))], &[], &[fewer]),
        (&[("2.0.0", None)], &[("1.1.0", Some(&with_n))], &[], &[without_n]),
        (&[("2.0.0", None)], &[("1.1.0", Some(&with_n)), ("3.0.0", None)], &[], &[]),
        (&[("2.0.0", None), ("2.1.0", Some(&a))], &[("1.1.0", Some(&with_n))], &[], &[without_n]),
        (&[("2.0.0", Some("")), ("2.1.0", Some(&a))], &[("1.1.0", Some(&ab))], &[], &[fewer]),
        (&[("2.0.0", None), ("2.1.0", Some(&a))], &[("3.0.0", None)], &anew, &[]),
        (&[("2.0.0", Some(&alias))], &[("1.1.0", Some(&with_n))], &[], &[]),
    ];
    for (trunk_steps, line_steps, of_trunk, of_line) in lines {
        let [trunk, line] = [trunk_steps, line_steps].map(|steps| {
            let mut package = Package::released(&[("f", &a), ("k", "")]);
            for (version, signature) in steps {
                let ops: Vec<_> = signature.iter().map(|signature| ("f", *signature)).chain([("k", "")]).collect();
                release(&mut package, version, &ops);
            }
            package.lock
        });
        for (ours, theirs) in [(&trunk, &line), (&line, &trunk)] {
            let joined = absorb(ours, theirs).lock;
            let steps = format!("{trunk_steps:?} and {line_steps:?}");
            for (base, expected) in [(&trunk, of_trunk), (&line, of_line)] {
                let errors = errors(base, &joined);
                let told: Vec<_> = errors.iter().filter_map(|error| error.lines().next()).collect();
                assert_eq!(told, expected, "{steps}");
            }
        }
    }
}

/// A row of a release that the base does not know may not say that one which it knows had the thing.
#[test]
fn a_row_of_a_new_release_begins_at_what_the_base_has() {
    let head = "[release]\n'1.0.0' = { date = '2026-01-01' }\n";
    let op = "[op]\nf.since = '1.0.0'\nf.input.X = {}\n";
    let new = lock(&format!(
        "{head}'2.0.0' = {{ date = '2026-02-01' }}\n{op}f.input.N = {{ dispensable = true, duplicable = true, since = '2.0.0' }}\n\
         [ledger]\nf.'2.0.0'.input.N = {{ rule = 'input_changed', from = {{ dispensable = true, since = '1.0.0' }}, \
         to = {{ duplicable = true, dispensable = true }} }}\n"
    ));
    assert_error(
        &lock(&format!("{head}{op}")),
        &new,
        "since when `f.input.N` is promised from no promise to since 1.0.0",
    );
}
