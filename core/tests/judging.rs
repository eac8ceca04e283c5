//! What a package may do now: the lives of packages, told step by step, and random ones held against a model that
//! knows nothing of locks.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::package::{Package, since};
use common::{op_named, v};
use oplock_core::approvals::Approval;
use oplock_core::judge::{
    Judged, Overrun, Remedy, Verdict, WithdrawError, judge_op, judge_set, pending_breaks, signature_before, updated,
    withdraw,
};
use oplock_core::lock::{Side, Since};
use oplock_core::{ArgDef, Deprecated, Finding, Kind, Lock, OpDef, Options, Part, Set, Str, report};
use semver::Version;

const REQUIRED: &str = "input.X = {}";
const WITH_A: &str = "input.X = {}; attr.a = { type = \"i32\", default = 1 }";
const WITH_A_2: &str = "input.X = {}; attr.a = { type = \"i32\", default = 2 }";

// ---- a lock that is up to date ----

#[test]
fn a_fresh_lock_says_nothing_and_an_update_leaves_it() {
    let mut package = Package::released(&[("f", REQUIRED), ("g", "")]);
    for version in ["1.0.0", "1.0.1", "1.1.0", "2.0.0"] {
        package.version(version).says(&[]);
        assert!(!package.is_stale());
        assert_eq!(package.next_lock(), package.lock, "{version}");
    }
}

#[test]
fn c19_the_order_of_items_and_values_leaves_the_lock_fresh() {
    let mut package = Package::released(&[(
        "f",
        "input.A = {}; input.B = {}; attr.m = { type = \"string\", values = [\"a\", \"b\"] }",
    )]);
    let def = package.source.get_mut("f").unwrap();
    def.inputs.to_mut().reverse();
    def.attrs.to_mut()[0].values.to_mut().reverse();
    package.says(&[]);
    assert!(!package.is_stale());
    assert_eq!(package.next_lock(), package.lock);
}

#[test]
fn what_is_added_is_unreleased_until_a_release_carries_it() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.version("1.1.0").declare("f", WITH_A).declare("g", "attr.b = { type = \"i32\" }");
    package.says(&["attr_added f.a: compatible", "op_added g: compatible"]);
    assert!(package.is_stale());
    package.update();
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(Since::Unreleased));
    assert_eq!(package.since("f", Kind::Input, "X"), Some(since("1.0.0")));
    assert_eq!(package.lock.ops["g"].stamp.since, Some(Since::Unreleased));
    assert!(package.rows().is_empty(), "an addition is no change of what was released");
    package.seal();
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(since("1.1.0")));
    assert_eq!(package.since("f", Kind::Input, "X"), Some(since("1.0.0")));
}

#[test]
fn extra_and_unguarded_items_are_recorded_without_a_promise() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package
        .declare("f", "input.X = {}; input.E = { extra = true }; input._H = {}")
        .declare("g", "experimental = true; input.X = {}");
    package.declare("_h", "input.X = {}").update();
    for (op, item) in [("f", "E"), ("f", "_H"), ("g", "X"), ("_h", "X")] {
        assert_eq!(package.since(op, Kind::Input, item), None, "{op}.{item}");
    }
    package.declare("f", REQUIRED).declare("g", "experimental = true").delete("_h");
    package.says(&[
        "unguarded_changed _h: compatible",
        "extra_deleted f.E: compatible",
        "unguarded_changed f._H: compatible",
        "unguarded_changed g: compatible",
    ]);
    package.update();
    assert!(package.rows().is_empty());
}

// ---- breaks and the versions that allow them ----

#[test]
fn a_break_needs_a_major_version_by_cargos_levels() {
    for (last, refused, accepted) in [
        (
            "1.4.2",
            ["1.4.2", "1.4.3", "1.5.0", "1.5.0-rc.1", "1.0.0"].as_slice(),
            ["2.0.0", "2.0.0-rc.1", "3.0.0"].as_slice(),
        ),
        ("0.3.1", &["0.3.1", "0.3.2", "0.3.9"], &["0.4.0", "0.4.0-alpha", "1.0.0"]),
        ("0.0.3", &["0.0.3", "0.0.2", "0.0.3-rc.1"], &["0.0.4", "0.1.0", "0.0.4-rc.1"]),
    ] {
        let mut package = Package::fresh(last, &[("f", REQUIRED)]);
        package.update().seal().declare("f", "");
        let needed = oplock_core::Bump::Major.apply(&v(last));
        for version in refused {
            package.version(version).says(&[&format!("input_deleted f.X: needs {needed}")]);
        }
        for version in accepted {
            let target = version.split('-').next().unwrap();
            package.version(version).says(&[&format!("input_deleted f.X: accepted for {target}")]);
        }
    }
}

/// The major version itself may have been published and never sealed.
#[test]
fn a_version_that_follows_a_major_one_may_not_break() {
    for (last, version, needed) in
        [("1.4.2", "2.1.0", "3.0.0"), ("0.3.1", "0.4.1", "0.5.0"), ("0.3.1", "1.0.1", "2.0.0")]
    {
        let mut package = Package::fresh(last, &[("f", REQUIRED)]);
        package.update().seal().declare("f", "").version(version);
        package.says(&[&format!("input_deleted f.X: needs {needed}")]);
    }
}

#[test]
fn a_planned_major_version_allows_breaks_before_the_package_has_it() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.declare("f", "").plan("1.1.0").says(&["input_deleted f.X: needs 2.0.0"]);
    package.plan("2.0.0").says(&["input_deleted f.X: accepted for 2.0.0"]).update();
    package.plan("1.1.0").says(&["input_deleted f.X: needs 2.0.0"]);
}

#[test]
fn before_the_first_release_there_is_nothing_to_be_major_to() {
    let mut package = Package::fresh("3.0.0", &[("f", REQUIRED)]);
    package.update().plan("4.0.0").declare("f", "");
    package.says(&["input_deleted f.X: withdraw f.X"]);
}

#[test]
fn an_accepted_break_is_a_row_of_the_ledger() {
    let mut package = Package::released(&[("f", "input.X = { duplicable = true }")]);
    package.version("2.0.0").declare("f", "").update();
    assert_eq!(
        package.rows(),
        [
            "f.unreleased.input.X = { rule = \"input_deleted\", from = { duplicable = true, since = \"1.0.0\" }, for = \"2.0.0\" }"
        ]
    );
}

#[test]
fn c28_lowering_the_version_brings_every_break_back() {
    let mut package = Package::released(&[
        ("f", "input.X = {}; attr.a = { type = \"i32\", default = 1 }"),
        ("g", REQUIRED),
        ("h", ""),
        ("i", ""),
    ]);
    package.version("2.0.0").declare("f", "attr.a = { type = \"i64\", default = 1 }; output.N = {}");
    package.declare("h", "cfg = \"unix\"").declare("i", "experimental = true").delete("g").update();
    package.version("1.5.0").says(&[
        "input_deleted f.X: needs 2.0.0",
        "output_added_not_dispensable f.N: needs 2.0.0",
        "attr_changed f.a: needs 2.0.0",
        "op_deleted g: needs 2.0.0",
        "op_condition_narrowed h: needs 2.0.0",
        "op_deleted i: needs 2.0.0",
    ]);
    assert!(!package.is_stale(), "lock and source agree");
    assert!(!package.lock.ops.contains_key("g"));
    package.version("2.0.0").says(&[]);
}

#[test]
fn what_stands_in_the_ledger_is_named_with_its_line() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.version("2.0.0").declare("f", "").update();
    package.lock = Lock::parse(&package.lock.to_string(), None).unwrap();
    package.version("1.5.0");
    let judged = judge_set(&package.lock, &package.context, &package.source).findings.remove(0);
    let line = package.lock.to_string().lines().position(|l| l.contains(".unreleased.input.X")).unwrap() + 1;
    assert_eq!(judged.line as usize, line);
    let text = report::human(&judged);
    assert!(text.contains(&format!("ops.lock:{line}, since 1.0.0")), "{text}");
    assert!(text.contains("saved since 1.0.0"), "{text}");
    assert!(text.contains("cargo oplock plan major"), "{text}");
}

#[test]
fn what_the_lock_has_of_an_operator_itself_is_told_where_that_says_anything() {
    let mut package = Package::released(&[("f", "alias.e = { unreleased = true }"), ("g", "")]);
    package.delete("f").delete("g");
    let judged = judge_set(&package.lock, &package.context, &package.source).findings;
    let locked: Vec<_> = judged.iter().map(|judged| judged.locked.as_deref()).collect();
    assert!(package.is_stale());
    assert!(matches!(locked[..], [Some(text), None] if text.contains("\"e\"")), "{locked:?}");
}

#[test]
fn c32_restoring_is_always_allowed_and_leaves_no_row() {
    let ops = [("f", WITH_A), ("g", "cfg = \"unix\"; input.X = {}")];
    let mut package = Package::released(&ops);
    let sealed = package.lock.clone();
    package.version("2.0.0").declare("f", "attr.a = { type = \"i64\" }; output.N = {}").delete("g").update();
    assert_eq!(package.rows().len(), 5, "{:?}", package.rows());
    package.source = common::set(&ops);
    for version in ["2.0.0", "1.0.1"] {
        package.clone().version(version).says(&[]).update();
        assert!(package.is_stale());
    }
    package.version("1.0.1").update();
    assert_eq!(package.lock, sealed, "as if nothing had been");
}

#[test]
fn an_item_s_changes_are_one_row_from_the_first_to_the_last() {
    let mut package = Package::released(&[("f", "attr.a = { type = \"i32\", default = 1 }")]);
    package.version("2.0.0");
    for (signature, to) in [
        ("attr.a = { type = \"i32\", default = 2 }", ", to = { type = \"i32\", default = 2 }"),
        ("attr.a = { type = \"i64\", default = 3 }", ", to = { type = \"i64\", default = 3 }"),
        ("attr.a = { type = \"i64\", extra = true }", ", to = { type = \"i64\", extra = true }"),
        ("", ""),
        ("attr.a = { type = \"bool\" }", ", to = { type = \"bool\" }"),
    ] {
        package.declare("f", signature).update();
        let rows = package.rows();
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert!(rows[0].contains("from = { type = \"i32\", default = 1, since = \"1.0.0\" }"), "{rows:?}");
        assert!(rows[0].contains(&format!("{to}, for = \"2.0.0\"")), "{rows:?}");
    }
    package.declare("f", "attr.a = { type = \"i32\", default = 1 }").says(&[]).update();
    assert!(package.rows().is_empty());
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(since("1.0.0")));
}

#[test]
fn sealed_rows_stay_and_new_ones_begin_at_the_sealed_release() {
    let mut package = Package::released(&[("f", "attr.a = { type = \"i32\", default = 1 }")]);
    package.version("2.0.0").declare("f", "attr.a = { type = \"i32\", default = 2 }").update().seal();
    package.version("3.0.0").declare("f", "attr.a = { type = \"i32\", default = 1 }");
    package.says(&["attr_changed f.a: accepted for 3.0.0"]).update();
    assert_eq!(package.lock.ledger.len(), 2);
    assert!(
        package.rows()[0].contains("from = { type = \"i32\", default = 2, since = \"1.0.0\" }"),
        "{:?}",
        package.rows()
    );
    package.version("2.1.0").says(&["attr_changed f.a: needs 3.0.0"]);
    package.declare("f", "attr.a = { type = \"i32\", default = 2 }").says(&[]).update();
    assert_eq!(package.lock.ledger.len(), 1);
}

#[test]
fn a_deleted_operator_stays_deleted_and_comes_back_as_it_was() {
    let signature = "input.X = {}; output.O = {}; attr.a = { type = \"i32\" }";
    let mut package = Package::released(&[("f", signature), ("g", "")]);
    let sealed = package.lock.clone();
    package.version("2.0.0").delete("f").says(&["op_deleted f: accepted for 2.0.0"]).update();
    assert_eq!(package.rows().len(), 4, "itself and each of its items: {:?}", package.rows());
    package.says(&[]).version("2.0.0-rc.3").says(&[]);
    package.declare("f", signature).says(&[]);
    assert!(package.is_stale());
    package.update();
    assert_eq!(package.lock, sealed);
}

#[test]
fn a_deleted_operator_that_comes_back_changed_is_a_change() {
    let mut package = Package::released(&[("f", "input.X = {}; input.Y = { dispensable = true }")]);
    package.version("2.0.0").delete("f").update().declare("f", "input.X = { duplicable = true }").update();
    assert_eq!(package.rows().len(), 2, "{:?}", package.rows());
    package.version("1.5.0").says(&["input_changed f.X: needs 2.0.0", "input_deleted f.Y: needs 2.0.0"]);
}

/// What an experimental operator does is not watched, so what it promised before must be remembered whole.
#[test]
fn the_promise_of_an_operator_survives_a_time_as_experimental() {
    let mut package = Package::released(&[("f", "input.X = {}; attr.a = { type = \"i32\" }")]);
    let sealed = package.lock.clone();
    package.version("2.0.0").declare("f", "experimental = true; input.X = {}; attr.a = { type = \"i32\" }");
    package.says(&["op_deleted f: accepted for 2.0.0"]).update();
    package.declare("f", "experimental = true; input.Z = {}; attr.a = { type = \"f32\" }").update();
    package.declare("f", "input.Z = {}; attr.a = { type = \"f32\" }");
    let breaks = [
        "input_deleted f.X: needs 2.0.0",
        "input_added_not_dispensable f.Z: needs 2.0.0",
        "attr_changed f.a: needs 2.0.0",
    ];
    package.clone().version("1.5.0").says(&breaks);
    package.update();
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(since("1.0.0")));
    package.version("1.5.0").says(&breaks);
    package.declare("f", "input.X = {}; attr.a = { type = \"i32\" }").says(&[]).update();
    assert_eq!(package.lock, sealed, "nothing of 1.0.0 may be withdrawn now");
}

#[test]
fn c13_the_lock_remembers_what_was_never_the_direct_baseline() {
    let mut package = Package::released(&[("f", "attr.f1 = { type = \"i32\" }")]);
    package
        .version("1.1.0")
        .declare("f", "attr.f1 = { type = \"i32\" }; attr.f2 = { type = \"string\", default = \"t\" }");
    package.update().seal();
    package.version("1.2.0").declare("f", "attr.f1 = { type = \"i32\" }; attr.f2 = { type = \"string\" }");
    package.says(&["attr_changed f.f2: needs 2.0.0"]);
}

#[test]
fn c17_additions_are_allowed_whatever_the_version() {
    for version in ["0.3.2", "0.3.1", "0.4.0"] {
        let mut package = Package::fresh("0.3.1", &[("f", REQUIRED)]);
        package.update().seal().version(version).declare("g", REQUIRED).says(&["op_added g: compatible"]).update();
    }
}

// ---- pre-releases ----

#[test]
fn c30_a_sealed_pre_release_of_a_minor_version_allows_no_break() {
    let mut package = Package::released(&[("f", REQUIRED), ("g", "")]);
    package.version("1.5.0-rc.1").seal();
    package.version("1.5.0-rc.2").delete("f").says(&["op_deleted f: needs 2.0.0"]);
}

#[test]
fn a_sealed_pre_release_of_a_major_version_leaves_that_version_on_the_way() {
    let mut package = Package::released(&[("f", REQUIRED), ("g", "")]);
    package.version("2.0.0-rc.1").delete("g").update().seal();
    package.version("2.0.0-rc.2").says(&[]).declare("f", "").says(&["input_deleted f.X: accepted for 2.0.0"]).update();
    package.version("2.0.0").says(&[]);
    package.version("1.9.0").says(&["input_deleted f.X: needs 2.0.0", "op_deleted g: needs 2.0.0"]);
    package.version("2.0.0").seal().version("2.0.1").says(&[]);
}

#[test]
fn what_only_a_pre_release_carried_can_be_withdrawn() {
    let mut package = Package::fresh("1.0.0-rc.1", &[("f", REQUIRED)]);
    package.update().seal().version("1.0.0-rc.2").declare("f", "").says(&["input_deleted f.X: withdraw f.X"]);
    package.withdraw("f.X").says(&[]);
}

// ---- the plan and its end ----

#[test]
fn c29_a_version_past_an_unsealed_release_is_an_error() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.version("2.0.0").declare("f", "").update();
    package.lock = Lock::parse(&package.lock.to_string(), None).unwrap();
    let overrun = |package: &mut Package, version: &str| {
        package.version(version);
        package.context.check_overrun(&package.lock)
    };
    for version in ["2.0.0", "2.0.0-rc.1", "1.9.0"] {
        assert_eq!(overrun(&mut package, version), Ok(()), "{version}");
    }
    for version in ["2.0.1", "2.1.0", "2.1.0-rc.1", "3.0.0"] {
        let error = overrun(&mut package, version).unwrap_err();
        let line = package.lock.pending().next().unwrap().1.line;
        assert_eq!(error, Overrun { release: v("2.0.0"), version: v(version), line });
        let text = report::overrun(&error);
        let said = format!("ops.lock:{line}: breaks were accepted for release 2.0.0, which was never sealed, ");
        assert!(text.starts_with(&said) && text.contains("cargo oplock plan"), "{text}");
    }
    package.plan("3.0.0");
    assert_eq!(overrun(&mut package, "3.0.0"), Ok(()), "a later plan says that 2.0.0 was given up");
    assert_eq!(overrun(&mut package, "3.0.1").unwrap_err().release, v("2.0.0"));
}

#[test]
fn a_version_past_the_plan_is_an_error_also_without_breaks() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.plan("2.0.0").version("2.1.0");
    let error = package.context.check_overrun(&package.lock).unwrap_err();
    assert_eq!((&error.release, error.line), (&v("2.0.0"), 0));
    assert_eq!(
        report::overrun(&error),
        "ops.lock: the lock waits for release 2.0.0, which was never sealed, and the package is at 2.1.0\n  \
         help: if 2.0.0 was never published, say what takes its place: `cargo oplock plan 2.1.0`\n  \
         help: if it was, set the package's version back to 2.0.0 until the lock is sealed"
    );
    for (next, version) in [("2.0.0", "2.0.0-beta.1"), ("2.0.0-rc.1", "2.0.0-rc.2"), ("2.0.0-rc.1", "2.0.0+build")] {
        package.plan(next).version(version);
        assert_eq!(package.context.check_overrun(&package.lock), Ok(()), "{version} is {next} or what it precedes");
    }
}

// ---- what no release carries yet ----

#[test]
fn c9_what_the_lock_never_held_may_change() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.declare("f", WITH_A).says(&["attr_added f.a: compatible"]);
    package.declare("f", WITH_A_2).says(&["attr_added f.a: compatible"]);
    assert!(package.is_stale());
}

#[test]
fn c10_what_the_lock_holds_is_enforced_before_its_release_and_after() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.declare("f", WITH_A).update().declare("f", WITH_A_2).says(&["attr_changed f.a: withdraw f.a"]);
    let mut sealed = package.clone();
    package.withdraw("f.a").says(&["attr_added f.a: compatible"]).update();
    assert!(package.rows().is_empty());
    sealed.version("1.1.0").seal().version("1.2.0").says(&["attr_changed f.a: needs 2.0.0"]);
    let error = sealed.cannot_withdraw("f.a");
    assert_eq!(error, WithdrawError::Released { path: "f.a".to_owned(), release: "1.1.0".to_owned() });
    assert!(error.to_string().contains("cargo oplock plan major"), "{error}");
}

#[test]
fn c31_a_major_version_on_the_way_does_not_free_what_is_unreleased() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.version("2.0.0").declare("f", WITH_A).update().declare("f", WITH_A_2);
    package.says(&["attr_changed f.a: withdraw f.a"]);
    package.withdraw("f.a").update();
    assert!(package.rows().is_empty(), "{:?}", package.rows());
    assert_eq!(package.since("f", Kind::Attr, "a"), Some(Since::Unreleased));
}

#[test]
fn each_break_of_an_unreleased_operator_is_withdrawn_with_what_can_be() {
    let mut package = Package::released(&[("g", "")]);
    let signature =
        "input.X = {}; attr.X = { type = \"i32\", default = 0 }; input.E = { dispensable = true, extra = true }";
    package.declare("f", signature).update();
    package.declare("f", "attr.X = { type = \"i32\" }; input.E = {}; input.N = {}").says(&[
        "input_added_not_dispensable f.E: withdraw f",
        "input_added_not_dispensable f.N: withdraw f",
        "input_deleted f.X: withdraw f.input.X",
        "attr_changed f.X: withdraw f.attr.X",
    ]);
    package.delete("f").says(&["op_deleted f: withdraw f"]);
    package.withdraw("f").says(&[]);
    assert!(!package.is_stale());
}

#[test]
fn c35_an_optional_attribute_lives_by_the_same_rules() {
    let mut package = Package::released(&[("f", REQUIRED)]);
    package.declare("f", "input.X = {}; attr.a = { type = \"f32?\" }").says(&["attr_added f.a: compatible"]).update();
    package.version("1.1.0").seal().declare("f", "input.X = {}; attr.a = { type = \"f32\" }");
    package.says(&["attr_changed f.a: needs 2.0.0"]);
}

#[test]
fn a_compatible_change_that_no_release_carries_is_withdrawn_and_not_broken() {
    let one = "attr.m = { type = \"string\", values = [\"a\"] }";
    let two = "attr.m = { type = \"string\", values = [\"a\", \"b\"] }";
    let three = "attr.m = { type = \"string\", values = [\"a\", \"c\"] }";
    let mut package = Package::released(&[("f", one)]);
    let sealed = package.lock.clone();
    package.version("1.1.0").declare("f", two).says(&["attr_value_added f.m: compatible"]).update();
    assert_eq!(package.rows().len(), 1);
    assert!(!package.rows()[0].contains("for ="), "no break, so no version is needed: {:?}", package.rows());
    package.clone().declare("f", one).says(&[]).update();
    let mut major = package.clone();
    major.version("2.0.0").update();
    assert_eq!(major.rows(), package.rows(), "nor is one named where it is on the way");
    package.declare("f", three).says(&["attr_changed f.m: withdraw f.m"]);
    package.clone().version("2.0.0").says(&["attr_changed f.m: accepted for 2.0.0"]);
    package.declare("f", "attr.m = { type = \"string\", values = [\"c\"] }").says(&["attr_changed f.m: needs 2.0.0"]);
    package.declare("f", three).withdraw("f.m").says(&["attr_value_added f.m: compatible"]);
    assert_eq!(package.lock, sealed);
    package.update();
    package.declare("f", one).update();
    assert_eq!(package.lock, sealed);
}

#[test]
fn a_widened_condition_that_no_release_carries_is_withdrawn_too() {
    let mut package = Package::released(&[("f", "cfg = \"unix\"")]);
    package.declare("f", "").says(&["op_condition_widened f: compatible"]).update();
    package.declare("f", "cfg = \"any(unix, windows)\"").says(&["op_condition_narrowed f: withdraw f"]);
    package.withdraw("f").says(&["op_condition_widened f: compatible"]).update();
    package.declare("f", "cfg = \"windows\"").says(&["op_condition_narrowed f: needs 2.0.0"]);
}

// ---- withdraw ----

#[test]
fn withdraw_takes_names_with_dots_and_tells_like_names_apart() {
    let mut package = Package::fresh(
        "1.0.0",
        &[("a", "input.'b.X' = {}; input.Y = {}; output.Y = {}"), ("a.b", REQUIRED), ("aten::add.Tensor", REQUIRED)],
    );
    package.update();
    let WithdrawError::Ambiguous { paths } = package.cannot_withdraw("a.b.X") else { panic!() };
    assert_eq!(paths, ["`a.input.b.X`", "`a.b.input.X`"]);
    let WithdrawError::Ambiguous { paths } = package.cannot_withdraw("a.Y") else { panic!() };
    assert_eq!(paths, ["`a.input.Y`", "`a.output.Y`"]);
    package
        .withdraw("a.output.Y")
        .withdraw("a.Y")
        .withdraw("a.input.b.X")
        .withdraw("a.b.X")
        .withdraw("aten::add.Tensor.X");
    assert!(package.lock.ops.values().all(|entry| entry.items.is_empty()));
    package.withdraw("a.b");
    assert_eq!(package.lock.ops.keys().collect::<Vec<_>>(), ["a", "aten::add.Tensor"]);
}

#[test]
fn withdraw_tells_an_operator_and_an_item_of_another_apart() {
    let a = "attr.b = { type = \"i32\" }; attr.c = { type = \"i32\" }";
    let mut package = Package::fresh("1.0.0", &[("a", a), ("a.b", REQUIRED)]);
    package.update();
    let WithdrawError::Ambiguous { paths } = package.cannot_withdraw("a.b") else { panic!() };
    assert_eq!(paths, ["`operator.a.b`", "`a.attr.b`"]);
    // What is told to be withdrawn can be.
    package.declare("a", "attr.c = { type = \"i64\" }");
    package.says(&["attr_deleted a.b: withdraw a.attr.b", "attr_changed a.c: withdraw a.c"]);
    package.declare("a", a).declare("a.b", "").says(&["input_deleted a.b.X: withdraw a.b.X"]);
    package.delete("a.b").says(&["op_deleted a.b: withdraw operator.a.b"]);
    package.withdraw("operator.a.b").says(&[]);
    assert_eq!(package.lock.ops.keys().collect::<Vec<_>>(), ["a"]);
    package.withdraw("a.b").withdraw("operator.a");
    assert!(package.lock.ops.is_empty());
    assert!(matches!(package.cannot_withdraw("operator.a"), WithdrawError::Unknown { .. }));
}

#[test]
fn withdraw_hints_at_names_that_are_near() {
    let package = Package::released(&[("slice", "input.EndsTensor = {}"), ("split", "")]);
    for (path, hint) in [("slise", "`slice`"), ("slice.EndTensor", "`slice.EndsTensor`"), ("Split", "`split`")] {
        let error = package.cannot_withdraw(path).to_string();
        assert!(error.contains(&format!("nothing named `{path}`; did you mean {hint}?")), "{error}");
    }
    assert!(matches!(package.cannot_withdraw("zzz"), WithdrawError::Unknown { hint, .. } if hint.is_empty()));
    assert!(matches!(package.cannot_withdraw(""), WithdrawError::Unknown { .. }));
}

#[test]
fn withdraw_refuses_what_is_released_or_was_never_promised() {
    let package = Package::released(&[
        ("f", "input.X = {}; input.E = { extra = true }; attr._a = { type = \"i32\" }"),
        ("g", "experimental = true; input.X = {}"),
        ("_h", ""),
    ]);
    for path in ["f", "f.X", "f.input.X"] {
        assert!(
            matches!(package.cannot_withdraw(path), WithdrawError::Released { release, .. } if release == "1.0.0"),
            "{path}"
        );
    }
    for path in ["f.E", "f._a", "g", "g.X", "_h"] {
        let error = package.cannot_withdraw(path);
        assert_eq!(error, WithdrawError::Unpromised { path: path.to_owned() });
        assert!(error.to_string().contains("cargo oplock update"), "{error}");
    }
}

#[test]
fn withdraw_takes_back_an_unsealed_change_of_something_released() {
    let mut package =
        Package::released(&[("f", WITH_A), ("g", "input.X = {}"), ("h", REQUIRED), ("i", "cfg = \"unix\"")]);
    let sealed = package.lock.clone();
    package
        .version("2.0.0")
        .declare("f", "attr.a = { type = \"i64\", default = 1 }; output.N = {}")
        .declare("i", "cfg = \"windows\"");
    package.declare("h", "experimental = true; input.Z = {}").delete("g").update();
    for path in ["g.X", "h.X", "h.Z"] {
        let WithdrawError::Unknown { .. } = package.cannot_withdraw(path) else { panic!("{path}") };
    }
    for path in ["f.a", "f.X", "f.N", "g", "h", "i"] {
        package.withdraw(path);
    }
    assert_eq!(package.lock, sealed);
    assert!(matches!(package.cannot_withdraw("g"), WithdrawError::Released { .. }));
}

// ---- the settings and the features ----

#[test]
fn c12_relaxations_are_minor_while_the_package_says_so() {
    let mut package = Package::released(&[("f", "input.A = {}; attr.a = { type = \"i32\" }")]);
    package.version("1.1.0").declare("f", "input.A = { dispensable = true }; attr.a = { type = \"i32\", default = 0 }");
    let refused = ["input_changed f.A: needs 2.0.0", "attr_changed f.a: needs 2.0.0"];
    package.says(&refused);
    package.context.options = Options { relaxations_are_minor: true, ..Options::default() };
    package.says(&["input_changed f.A: compatible", "attr_changed f.a: compatible"]).update();
    assert_eq!(package.rows().len(), 2);
    package.context.options = Options::default();
    package.says(&refused);
    package.context.options = Options { relaxations_are_minor: true, ..Options::default() };
    package.says(&[]).declare("f", "input.A = {}; attr.a = { type = \"i32\" }").says(&[]).update();
    assert!(package.rows().is_empty());
}

#[test]
fn a_relaxation_that_a_major_version_made_is_free_once_relaxations_are() {
    let mut package = Package::released(&[("f", "input.A = {}")]);
    package.version("2.0.0").declare("f", "input.A = { dispensable = true }").update();
    package.version("1.1.0").says(&["input_changed f.A: needs 2.0.0"]);
    package.context.options = Options { relaxations_are_minor: true, ..Options::default() };
    package.says(&[]);
}

#[test]
fn c33_a_condition_is_a_break_and_its_removal_is_not() {
    let mut package = Package::released(&[("f", ""), ("g", "cfg = \"feature = \\\"cuda\\\"\"")]);
    package.context.features = Some(Set::from(["cuda".to_owned()]));
    package.declare("f", "cfg = \"feature = \\\"cuda\\\"\"").declare("g", "");
    package.says(&["op_condition_narrowed f: needs 2.0.0", "op_condition_widened g: compatible"]);
}

#[test]
fn a_feature_that_is_gone_from_the_manifest_is_a_deletion() {
    let mut package = Package::released(&[("f", "cfg = \"feature = \\\"cuda\\\"\"")]);
    package.context.features = Some(Set::from(["cuda".to_owned()]));
    package.says(&[]);
    package.context.features = Some(Set::new());
    package.says(&["op_deleted f: needs 2.0.0"]);
    let judged = judge_op(&package.lock, &package.context, &package.source["f"]).findings.remove(0);
    assert_eq!(judged.finding.message(), "operator `f` needs the feature `cuda`, which Cargo.toml does not define");
}

/// What no build has is as good as deleted: under a major version the ledger gets its row, and bringing the feature back
/// takes it away again.
#[test]
fn a_feature_that_is_gone_under_a_major_version_is_recorded() {
    const CUDA: &str = "cfg = \"feature = \\\"cuda\\\"\"; input.X = {}";
    let features = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    let mut package = Package::released(&[("f", CUDA), ("g", "")]);
    package.context.features = features(&[]);
    package.version("2.0.0").says(&["op_deleted f: accepted for 2.0.0"]);
    let before = package.lock.clone();
    package.update();
    let rows: Vec<_> = package.lock.pending().map(|(key, row)| (key.op.as_str(), row.rule.as_str())).collect();
    assert_eq!(rows, [("f", "op_deleted"), ("f", "op_deleted")], "{}", package.lock);
    assert!(!package.lock.ops.contains_key("f") && !package.is_stale());
    // The declaration may stay or go; the feature may come back.
    let mut back = package.clone();
    back.context.features = features(&["cuda"]);
    back.update();
    assert_eq!(back.lock.ops, before.ops);
    assert_eq!(back.lock.pending().count(), 0);
    package.clone().delete("f").says(&[]).update();
    // Without the major version it is the break that it was.
    package.clone().version("1.1.0").says(&["op_deleted f: needs 2.0.0"]);
    // After the release, too, nothing is left to say.
    package.seal().says(&[]).update();
    assert!(!package.is_stale());
}

#[test]
fn an_approval_covers_a_feature_that_is_gone() {
    let mut package = Package::released(&[("f", "cfg = \"feature = \\\"cuda\\\"\"")]);
    package.context.features = Some(Set::new());
    package.version("1.1.0").says(&["op_deleted f: needs 2.0.0"]);
    let finding = judge_op(&package.lock, &package.context, &package.source["f"]).findings.remove(0).finding;
    package.context.approvals.list.push(Approval::new(&finding, "nobody has one", "A. Person", None));
    package.says(&["op_deleted f: approved by A. Person"]).update();
    assert_eq!(package.lock.pending().map(|(_, row)| row.approved.is_some()).collect::<Vec<_>>(), [true]);
}

/// An operator with a member of its condition that no build has exists where the others hold.
#[test]
fn a_feature_that_is_gone_narrows_what_others_still_bring() {
    let member = |name: &str| format!("cfg = \"feature = \\\"{name}\\\"\"");
    let both = "cfg = \"any(feature = \\\"cuda\\\", feature = \\\"rocm\\\")\"";
    let mut package = Package::released(&[("f", both)]);
    package.context.features = Some(Set::from(["rocm".to_owned()]));
    package.says(&["op_condition_narrowed f: needs 2.0.0"]);
    package.version("2.0.0").says(&["op_condition_narrowed f: accepted for 2.0.0"]).update();
    assert_eq!(package.lock.ops["f"].def.cfg.as_deref(), Some("feature = \"rocm\""));
    // The compiler sees each declaration alone, and the dead one is no news.
    let mut dead = package.clone();
    assert!(!dead.declare("f", &member("cuda")).says(&[]).is_stale());
    package.clone().declare("f", &member("rocm")).says(&[]);
    // A feature of another name was never there.
    package.declare("f", &member("metal")).says(&["op_deleted f: accepted for 2.0.0"]);
}

/// Nothing is promised of it, so that no build has it says nothing.
#[test]
fn an_experimental_operator_may_need_any_feature() {
    let mut package = Package::released(&[("f", "")]);
    package.context.features = Some(Set::new());
    package.declare("e", "experimental = true; cfg = \"feature = \\\"cuda\\\"\"");
    package.says(&["unguarded_changed e: compatible"]).update();
    package.delete("e").declare("h", "alias.e = { unreleased = true }");
    package.says(&["unguarded_changed e: compatible", "op_added h: compatible"]);
}

#[test]
fn an_operator_that_no_build_has_is_not_added() {
    let mut package = Package::released(&[("f", "")]);
    package.context.features = Some(Set::new());
    package.declare("g", "cfg = \"feature = \\\"cuda\\\"\"");
    for version in ["1.1.0", "2.0.0"] {
        package.version(version).says(&["op_added_without_feature g: a mistake"]);
        assert!(!package.is_stale(), "the lock has nothing of it, and must not");
    }
    package.declare("g", "cfg = \"not(feature = \\\"cuda\\\")\"").says(&["op_added g: compatible"]).update();
    assert_eq!(package.lock.ops["g"].def.cfg, None, "it is in every build");
    package
        .declare("g", "experimental = true; cfg = \"feature = \\\"cuda\\\"\"")
        .version("1.1.0")
        .says(&["op_deleted g: withdraw g"]);
}

#[test]
fn c22_an_update_keeps_what_it_was_told_to_keep() {
    let mut package = Package::released(&[("f", REQUIRED), ("g", REQUIRED), ("h", REQUIRED)]);
    package.version("2.0.0").declare("g", "").delete("h").update().delete("f").delete("g");
    let kept = updated(&package.lock, &package.context, &package.source, &|name| name != "f");
    let rows: Vec<_> = kept.pending().map(|(key, _)| key.op.as_str()).collect();
    assert_eq!(rows, ["f", "f", "g", "h", "h"]);
    assert_eq!(kept.ops.get("g"), package.lock.ops.get("g"));
    assert!(!kept.ops.contains_key("f"));
    let text = kept.to_string();
    assert_eq!(Lock::parse(&text, None), Ok(kept));
}

// ---- random lives ----

mod random {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::{
        ArgDef, BTreeMap, BTreeSet, Deprecated, Finding, Kind, OpDef, Package, Part, Remedy, Side, Since, Str, Verdict,
        Version, common, judge_set, op_named, withdraw,
    };

    #[derive(Clone, Debug)]
    enum Step {
        /// Puts an item into an operator, which it declares if need be.
        Item(&'static str, &'static str),
        RemoveItem(&'static str, &'static str),
        Marks(&'static str, &'static str),
        Condition(&'static str, Option<&'static str>),
        Experimental(&'static str, bool),
        Delete(&'static str),
        Declare(&'static str),
        /// Back to what the last release had.
        Restore(&'static str),
        Update,
        /// The last release, raised by one of its numbers, or lowered to it.
        Version(&'static str),
        Plan(&'static str),
        Withdraw(Index),
        Seal,
    }

    const OPS: [&str; 2] = ["f", "g"];
    const ITEMS: [&str; 26] = [
        "input.X = {}",
        "input.X = { dispensable = true }",
        "input.X = { duplicable = true }",
        "input.X = { quant = true }",
        "input.X = { extra = true }",
        "input.X = { dispensable = true, extra = true }",
        "output.X = {}",
        "output.X = { dispensable = true }",
        "output.X = { intermediate = true, extra = true }",
        "attr.X = { type = \"i32\" }",
        "attr.X = { type = \"i32\", default = 0 }",
        "attr.X = { type = \"i32\", default = 1 }",
        "attr.X = { type = \"i64\", default = 0 }",
        "attr.X = { type = \"i32\", default = 0, extra = true }",
        "attr.X = { type = \"i32?\" }",
        "attr.m = { type = \"string\", default = \"a\", values = [\"a\"] }",
        "attr.m = { type = \"string\", default = \"a\", values = [\"a\", \"b\"] }",
        "attr.m = { type = \"string\", default = \"a\", values = [\"a\", \"c\"] }",
        "attr.m = { type = \"string\", default = \"a\" }",
        "input._h = {}",
        "input.X = { alias = [\"a\"] }",
        "input.X = { dispensable = true, deprecated = { version = 2, note = \"n\" } }",
        "input.X = { dispensable = true, deprecated = { version = 3, note = \"n\" } }",
        "input.Y = { alias = [\"X\"] }",
        "input.Y = { dispensable = true, alias = [\"X\", \"a\"] }",
        "attr.n = { type = \"string\", default = \"a\", alias = [\"m\"] }",
    ];
    /// What an operator says of itself; no release writes data versions above 1.
    const MARKS: [&str; 7] = [
        "",
        "alias.h = { unreleased = true }",
        "alias.h = { unreleased = true }; alias.i = { unreleased = true }",
        "deprecated = { version = 2, note = \"n\", unreleased = true }",
        "deprecated = { version = 3, note = \"o\", unreleased = true }; alias.h = { unreleased = true }",
        "revised.2 = { note = \"n\", unreleased = true }",
        "revised.2 = { note = \"n\", unreleased = true }; revised.3 = { note = \"o\", unreleased = true }; moved_from = \"q\"",
    ];
    const CONDITIONS: [Option<&str>; 4] = [None, Some("unix"), Some("windows"), Some("any(unix, windows)")];

    fn any_step() -> impl Strategy<Value = Step> {
        let op = || select(&OPS);
        prop_oneof![
            8 => (op(), select(&ITEMS)).prop_map(|(op, item)| Step::Item(op, item)),
            4 => (op(), select(&["input.X", "output.X", "attr.X", "attr.m", "input._h", "input.Y", "attr.n"])).prop_map(|(op, item)| Step::RemoveItem(op, item)),
            3 => (op(), select(&MARKS)).prop_map(|(op, marks)| Step::Marks(op, marks)),
            2 => (op(), select(&CONDITIONS)).prop_map(|(op, cfg)| Step::Condition(op, cfg)),
            2 => (op(), any::<bool>()).prop_map(|(op, on)| Step::Experimental(op, on)),
            1 => op().prop_map(Step::Delete),
            1 => op().prop_map(Step::Declare),
            2 => op().prop_map(Step::Restore),
            8 => Just(Step::Update),
            4 => select(&["same", "patch", "minor", "major", "minor-rc", "major-rc"]).prop_map(Step::Version),
            1 => select(&["minor", "major", "none"]).prop_map(Step::Plan),
            3 => any::<Index>().prop_map(Step::Withdraw),
            3 => Just(Step::Seal),
        ]
    }

    /// A life and what was promised in it: only releases and declarations, no lock.
    struct Life {
        package: Package,
        /// What the last release had, of operators that it promised.
        promised: BTreeMap<String, OpDef>,
        last: Version,
    }

    fn bumped(last: &Version, how: &str) -> Version {
        let Version { major, minor, patch, .. } = *last;
        match how {
            "patch" => Version::new(major, minor, patch + 1),
            "minor" => Version::new(major, minor + 1, 0),
            "major" => Version::new(major + 1, 0, 0),
            "minor-rc" => common::v(&format!("{major}.{}.0-rc.1", minor + 1)),
            "major-rc" => common::v(&format!("{}.0.0-rc.1", major + 1)),
            _ => last.clone(),
        }
    }

    impl Life {
        fn begin() -> Self {
            let package = Package::released(&[
                ("f", "input.X = {}; attr.m = { type = \"string\", default = \"a\", values = [\"a\"] }"),
                ("g", ""),
            ]);
            Life { promised: package.source.clone(), package, last: Version::new(1, 0, 0) }
        }

        fn change(&mut self, op: &str, change: impl FnOnce(&mut OpDef)) {
            let def = self.package.source.entry(op.to_owned()).or_insert_with(|| op_named(op, ""));
            change(def);
        }

        fn remove_item(&mut self, op: &str, item: &str) {
            self.change(op, |def| match item.split_once('.').unwrap() {
                ("input", name) => def.inputs.to_mut().retain(|i| i.name != name),
                ("output", name) => def.outputs.to_mut().retain(|i| i.name != name),
                (_, name) => def.attrs.to_mut().retain(|i| i.name != name),
            });
        }

        fn step(&mut self, step: &Step) {
            match step {
                Step::Item(op, item) => {
                    self.remove_item(op, item.split_once(" =").unwrap().0);
                    let new = op_named(op, item);
                    self.change(op, |def| {
                        def.inputs.to_mut().extend(new.inputs.into_owned());
                        def.outputs.to_mut().extend(new.outputs.into_owned());
                        def.attrs.to_mut().extend(new.attrs.into_owned());
                        // What has a name of its own keeps it.
                        *def = common::unambiguous(def.clone());
                    });
                }
                Step::RemoveItem(op, item) => self.remove_item(op, item),
                Step::Marks(op, marks) => {
                    let new = op_named(op, marks);
                    self.change(op, |def| {
                        (def.aliases, def.deprecated) = (new.aliases, new.deprecated);
                        (def.revisions, def.moved_from) = (new.revisions, new.moved_from);
                    });
                }
                Step::Condition(op, cfg) => self.change(op, |def| def.cfg = cfg.map(Into::into)),
                Step::Experimental(op, on) => self.change(op, |def| def.experimental = *on),
                Step::Delete(op) => drop(self.package.source.remove(*op)),
                Step::Declare(op) => self.change(op, |_| {}),
                Step::Restore(op) => {
                    self.package.source.remove(*op);
                    self.package.source.extend(self.promised.get_key_value(*op).map(|(k, d)| (k.clone(), d.clone())));
                }
                Step::Update => {
                    if self.may_build() {
                        self.package.update();
                    }
                }
                Step::Version(how) => self.package.context.version = bumped(&self.last, how),
                Step::Plan(how) => {
                    self.package.lock.next = (*how != "none").then(|| bumped(&self.last, how));
                }
                Step::Withdraw(index) => {
                    let items = ["", ".X", ".m", ".input.X", ".output.X", ".attr.X"];
                    let path = format!("{}{}", index.get(&OPS), items[index.index(items.len())]);
                    if let Ok(lock) = withdraw(&self.package.lock, &path) {
                        self.package.lock = lock;
                    }
                }
                Step::Seal => self.seal(),
            }
        }

        fn may_build(&self) -> bool {
            self.package.context.check_overrun(&self.package.lock).is_ok()
                && judge_set(&self.package.lock, &self.package.context, &self.package.source).refused().next().is_none()
        }

        fn seal(&mut self) {
            let version = self.package.context.version.clone();
            let planned = self.package.lock.next.as_ref().is_some_and(|next| *next > version);
            if version <= self.last || planned || !self.may_build() || self.package.is_stale() {
                return;
            }
            // Too low for what was added, or sealed already.
            if self.package.try_seal().is_err() {
                return;
            }
            self.package.seal();
            if version.pre.is_empty() {
                self.promised = self.package.source.clone();
                self.promised.retain(|_, def| !def.experimental);
                self.last = version;
            }
        }

        fn major_is_on_the_way(&self) -> bool {
            let next = self.package.lock.next.as_ref();
            self.package.context.version.major > self.last.major
                || next.is_some_and(|next| next.major > self.last.major)
        }

        /// Whether the source breaks what the last release promised of an operator, by the first table of the rules.
        fn is_broken(&self, op: &str) -> bool {
            let Some(old) = self.promised.get(op) else { return false };
            let Some(new) = self.package.source.get(op).filter(|def| !def.experimental) else { return true };
            let exists = |def: &OpDef, platform: &str| def.cfg.as_ref().is_none_or(|cfg| cfg.contains(platform));
            if ["unix", "windows", "neither"].iter().any(|p| exists(old, p) && !exists(new, p)) {
                return true;
            }
            let kept = old.item_names().filter(|(kind, name)| is_promised(old, *kind, name)).all(|(kind, name)| {
                is_promised(new, kind, name) && arg_is_kept(old.arg(kind, name), new.arg(kind, name)) && {
                    kind != Kind::Attr || {
                        let (old, new) = (old.attr(name).unwrap(), new.attr(name).unwrap());
                        let all = |values: &[_]| values.iter().cloned().collect::<BTreeSet<_>>();
                        let values = new.values.is_empty()
                            || !old.values.is_empty() && all(&old.values).is_subset(&all(&new.values));
                        let rest = (&old.ty, &old.default, old.generated, old.part)
                            == (&new.ty, &new.default, new.generated, new.part);
                        let marks = keeps_marks([&old.aliases, &new.aliases], [&old.deprecated, &new.deprecated]);
                        values && rest && marks
                    }
                }
            });
            let mut added =
                new.item_names().filter(|(kind, name)| is_promised(new, *kind, name) && !is_promised(old, *kind, name));
            let versions = |def: &OpDef| def.revisions.iter().map(|revision| revision.version).collect::<BTreeSet<_>>();
            let is_owned = old.moved_from.is_none() || old.moved_from == new.moved_from;
            let marks = keeps_marks([&old.aliases, &new.aliases], [&old.deprecated, &new.deprecated]);
            let replaces = |aliases: &[Str], kind| aliases.iter().any(|alias| is_promised(old, kind, alias));
            let is_kept = kept && marks && is_owned && versions(old) == versions(new);
            !is_kept
                || !added.all(|(kind, name)| {
                    if kind == Kind::Attr {
                        let attr = new.attr(name).unwrap();
                        attr.default.is_some() || replaces(&attr.aliases, kind)
                    } else {
                        let arg = new.arg(kind, name).unwrap();
                        arg.dispensable || replaces(&arg.aliases, kind)
                    }
                })
        }

        fn check(&self) -> Result<(), TestCaseError> {
            self.package.check();
            let (lock, context, source) = (&self.package.lock, &self.package.context, &self.package.source);
            let judgement = judge_set(lock, context, source);
            // The guarantee: whatever came before, nothing breaks the last release without a major version.
            if self.may_build() && !self.major_is_on_the_way() {
                for op in OPS {
                    prop_assert!(
                        !self.is_broken(op),
                        "{} is broken\n{}\n{:?}\n{:?}",
                        op,
                        lock,
                        self.promised.get(op),
                        source.get(op)
                    );
                }
            }
            for judged in &judgement.findings {
                let finding = &judged.finding;
                let told = || format!("{}\n{lock}\n{:?}", finding.message(), source.get(&finding.op));
                match &judged.verdict {
                    Verdict::Compatible => prop_assert!(!finding.is_break(), "{}", told()),
                    Verdict::Accepted(version) => {
                        prop_assert!(self.major_is_on_the_way() && version.major > self.last.major, "{}", told());
                    }
                    Verdict::Approved(_) => prop_assert!(false, "nothing was approved: {}", told()),
                    Verdict::Refused(Remedy::Mend) => {
                        let rules = ["alias_narrows", "alias_taken", "version_released", "moved_unknown"];
                        prop_assert!(rules.contains(&finding.rule.name), "{}", told());
                    }
                    // Only what breaks the release needs a major version, and only while none is on the way.
                    Verdict::Refused(Remedy::Major { version }) => {
                        prop_assert_eq!(version, &bumped(&self.last, "major"));
                        prop_assert!(!self.major_is_on_the_way(), "{}", told());
                        // A deleted name that comes back as something else breaks an earlier release.
                        let is_reused = finding.rule.name == "name_reused";
                        prop_assert!(is_reused || self.is_broken(&finding.op), "{}", told());
                    }
                    Verdict::Refused(Remedy::Withdraw { path }) => {
                        let after = withdraw(lock, path);
                        prop_assert!(after.is_ok(), "{}\n{}", after.unwrap_err(), told());
                    }
                }
            }
            self.check_rows()?;
            self.check_remedies()
        }

        /// Every unsealed row begins with what the last release promised, and everything of it that differs has one.
        fn check_rows(&self) -> Result<(), TestCaseError> {
            let lock = &self.package.lock;
            for (key, row) in lock.pending() {
                let was = match (&key.item, self.promised.get(&key.op)) {
                    (_, None) => Side::Absent,
                    (item, Some(def)) => {
                        oplock_core::lock::OpEntry::new(def.clone(), &Since::Unreleased).side(item.as_ref())
                    }
                };
                prop_assert_eq!(promise(&row.from), promise(&was), "{:?}\n{}", key, lock);
            }
            for (name, def) in &self.promised {
                let was = oplock_core::lock::OpEntry::new(def.clone(), &Since::Unreleased);
                let promised = was.items.iter().filter(|(_, stamp)| stamp.since.is_some()).map(|(item, _)| Some(item));
                for item in std::iter::once(None).chain(promised) {
                    let now = lock.ops.get(name).map_or(Side::Absent, |entry| entry.row_side(item));
                    let has_row = lock.pending_of(name).any(|(key, _)| key.item.as_ref() == item);
                    prop_assert_eq!(now != was.side(item).without_since(), has_row, "{} {:?}\n{}", name, item, lock);
                    if let (Some(entry), false, true) =
                        (lock.ops.get(name), has_row, lock.ops.get(name).is_some_and(|e| e.def.is_guarded()))
                    {
                        let since =
                            item.map_or(entry.stamp.since.as_ref(), |(kind, item)| entry.item_since(*kind, item));
                        prop_assert!(
                            matches!(since, Some(Since::Release(_))),
                            "{} {:?} can be withdrawn\n{}",
                            name,
                            item,
                            lock
                        );
                    }
                }
            }
            Ok(())
        }

        /// Following every `withdraw` that is offered leads to a state in which only real breaks are refused.
        fn check_remedies(&self) -> Result<(), TestCaseError> {
            let mut package = self.package.clone();
            for _ in 0..20 {
                let judgement = judge_set(&package.lock, &package.context, &package.source);
                let path = judgement.refused().find_map(|judged| match &judged.verdict {
                    Verdict::Refused(Remedy::Withdraw { path }) => Some(path.clone()),
                    _ => None,
                });
                let Some(path) = path else {
                    for judged in judgement.refused() {
                        let is_reused = judged.finding.rule.name == "name_reused"
                            || judged.verdict == Verdict::Refused(Remedy::Mend);
                        prop_assert!(
                            is_reused || self.is_broken(&judged.finding.op),
                            "{}\n{}",
                            judged.finding.message(),
                            package.lock
                        );
                    }
                    return Ok(());
                };
                package.withdraw(&path);
            }
            Err(TestCaseError::fail(format!("withdrawing leads nowhere\n{}", package.lock)))
        }
    }

    /// Whether old names are kept, and a deprecation does not come earlier.
    fn keeps_marks(aliases: [&[Str]; 2], deprecated: [&Option<Deprecated>; 2]) -> bool {
        let [old, new] = deprecated.map(|deprecated| deprecated.as_ref().map(|it| it.version));
        let is_advanced = old.zip(new).is_some_and(|(old, new)| new < old);
        aliases[0].iter().all(|alias| aliases[1].contains(alias)) && !is_advanced
    }

    fn arg_is_kept(old: Option<&ArgDef>, new: Option<&ArgDef>) -> bool {
        let (Some(old), Some(new)) = (old, new) else { return old.is_none() && new.is_none() };
        let bare = |arg: &ArgDef| ArgDef { aliases: Vec::new().into(), deprecated: None, ..arg.clone() };
        let marks = keeps_marks([&old.aliases, &new.aliases], [&old.deprecated, &new.deprecated]);
        bare(old) == bare(new) && marks
    }

    /// A side without what carries no promise, of which no lock knows which release had it.
    fn promise(side: &Side) -> Side {
        match side {
            Side::Arg(arg, _) if arg.part == Part::Extra => Side::Absent,
            Side::Attr(attr, _) if attr.part == Part::Extra => Side::Absent,
            Side::Op(marks, _) if marks.experimental => Side::Absent,
            side => side.clone().without_since(),
        }
    }

    fn is_promised(def: &OpDef, kind: Kind, name: &str) -> bool {
        !name.starts_with('_') && common::part(def, kind, name).is_some_and(|part| part != Part::Extra)
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn nothing_released_is_broken_without_a_major_version(steps in vec(any_step(), 1..60)) {
            let mut life = Life::begin();
            for step in &steps {
                life.step(step);
                life.check()?;
            }
        }
    }

    /// The generator reaches what the property speaks of.
    #[test]
    fn random_lives_have_breaks_releases_and_withdrawals() {
        use proptest::strategy::ValueTree as _;
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let mut seen = BTreeSet::new();
        for _ in 0..200 {
            let steps = vec(any_step(), 60).new_tree(&mut runner).unwrap().current();
            let mut life = Life::begin();
            for step in &steps {
                let before = life.package.lock.clone();
                life.step(step);
                let lock = &life.package.lock;
                let rows = lock.pending().count();
                seen.extend((rows > 0).then_some("unsealed rows"));
                seen.extend((rows > 2).then_some("several"));
                seen.extend((lock.ledger.len() > rows).then_some("sealed rows"));
                seen.extend((life.last.major > 1).then_some("major releases"));
                seen.extend((matches!(step, Step::Withdraw(_)) && before != *lock).then_some("withdrawals"));
                let judged = judge_set(lock, &life.package.context, &life.package.source).findings;
                for rule in judged.iter().map(|judged: &oplock_core::Judged| -> &Finding { &judged.finding }) {
                    seen.insert(rule.rule.name);
                }
            }
        }
        for expected in [
            "unsealed rows",
            "several",
            "sealed rows",
            "major releases",
            "withdrawals",
            "op_deleted",
            "op_added",
            "op_condition_narrowed",
            "op_condition_widened",
            "input_changed",
            "output_added_not_dispensable",
            "attr_changed",
            "attr_value_added",
            "attr_deleted",
            "extra_changed",
            "unguarded_changed",
        ] {
            assert!(seen.contains(expected), "{expected}: {seen:?}");
        }
    }
}

/// Each with what allows it, and what the last release had.
#[test]
fn breaks_that_no_release_has_sealed_are_told_with_what_they_break() {
    let ops = [
        ("f", WITH_A),
        ("g", REQUIRED),
        ("h", "attr.m = { type = \"string\", values = [\"a\"] }"),
        ("i", "input.X = {}; output.O = {}"),
    ];
    let mut package = Package::released(&ops);
    package.version("2.0.0").declare("f", WITH_A_2).delete("g");
    package
        .declare("h", "attr.m = { type = \"string\", values = [\"a\", \"b\"] }")
        .declare("i", "output.O = {}")
        .update();
    let told = |package: &Package| -> Vec<_> {
        let breaks = pending_breaks(&package.lock, &package.context);
        breaks
            .iter()
            .map(|pending| {
                let Judged { finding, verdict, since, .. } = &pending.judged;
                assert_eq!(since.as_ref().map(ToString::to_string).as_deref(), Some("since 1.0.0"));
                assert_eq!(pending.old.name, finding.op.as_str());
                assert_eq!(Some(&pending.old), signature_before(&package.lock, finding).as_ref());
                let allowed = match verdict {
                    Verdict::Accepted(version) => version.to_string(),
                    Verdict::Approved(approved) => approved.by.clone(),
                    other => panic!("{other:?}"),
                };
                format!("{} {} for {allowed}", finding.rule.name, finding.path())
            })
            .collect()
    };
    assert_eq!(told(&package), ["attr_changed f.a for 2.0.0", "op_deleted g for 2.0.0", "input_deleted i.X for 2.0.0"]);
    let breaks = pending_breaks(&package.lock, &package.context);
    assert_eq!(breaks[0].old, op_named("f", WITH_A).sorted());
    assert_eq!(breaks[1].old, op_named("g", REQUIRED));
    // Of a name that comes back as something else it is what was deleted under it.
    package.seal().version("3.0.0").declare("g", "input.X = { duplicable = true }").update();
    assert_eq!(told_names(&package), ["name_reused g"]);
    assert_eq!(pending_breaks(&package.lock, &package.context)[0].old, op_named("g", REQUIRED));
    package.seal().version("4.0.0").declare("i", "input.X = { duplicable = true }; output.O = {}").update();
    assert_eq!(told_names(&package), ["input_added_not_dispensable i.X", "name_reused i.X"]);
    let breaks = pending_breaks(&package.lock, &package.context);
    assert_eq!(breaks[0].old, op_named("i", "output.O = {}"));
    assert_eq!(breaks[1].old, op_named("i", "input.X = {}; output.O = {}"));
}

fn told_names(package: &Package) -> Vec<String> {
    let breaks = pending_breaks(&package.lock, &package.context);
    breaks.iter().map(|it| format!("{} {}", it.judged.finding.rule.name, it.judged.finding.path())).collect()
}
