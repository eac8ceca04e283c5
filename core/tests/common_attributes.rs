//! Attributes that all operators of a package have: judged once, by the rules of any attribute.

mod common;

use std::collections::BTreeMap;

use common::package::{Package, since};
use common::{lock, op_named, try_lock, v};
use oplock_core::judge::{check_base, declared_twice, judge_op};
use oplock_core::lock::{Side, Since, absorb, expand_common, factor_common, merge};
use oplock_core::upgrade::{needs, uncovered};
use oplock_core::{Kind, Lock, OpDef, Options, Set, report};

const ALL: &str = "*";
const ROLE: &str = "attr.role = { type = \"i32\", default = 0 }";
const ROLE_1: &str = "attr.role = { type = \"i32\", default = 1 }";
const REQUIRED: &str = "attr.role = { type = \"i32\" }";
const EXTRA: &str = "attr.role = { type = \"i32\", default = 0, extra = true }";
const NONE: &str = "";
const F: (&str, &str) = ("f", "input.X = {}");

/// A released package whose operators have `role`.
fn with_role() -> Package {
    Package::released(&[F, (ALL, ROLE)])
}

fn text_of(package: &Package) -> Vec<String> {
    package.lock.to_string().lines().filter(|line| line.starts_with("\"*\"")).map(str::to_owned).collect()
}

// ---- the lock ----

#[test]
fn they_stand_once_and_each_line_says_since_when_it_is() {
    let mut package = Package::fresh("1.0.0", &[F, ("g", ""), (ALL, ROLE)]);
    package.update();
    assert_eq!(text_of(&package), ["\"*\".attr.role = { type = \"i32\", default = 0, unreleased = true }"]);
    package.seal();
    assert_eq!(text_of(&package), ["\"*\".attr.role = { type = \"i32\", default = 0, since = \"1.0.0\" }"]);
    let more = format!("{ROLE}; attr.device = {{ type = \"string\", default = \"\" }}");
    package.version("1.1.0").declare(ALL, &more).update().seal();
    assert_eq!(
        text_of(&package),
        [
            "\"*\".attr.device = { type = \"string\", default = \"\", since = \"1.1.0\" }",
            "\"*\".attr.role = { type = \"i32\", default = 0, since = \"1.0.0\" }",
        ]
    );
    let names: Vec<_> = package.lock.operators().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["f", "g"], "they are no operator");
}

#[test]
fn an_extra_one_carries_no_promise() {
    let mut package = Package::released(&[F, (ALL, EXTRA)]);
    assert_eq!(text_of(&package), ["\"*\".attr.role = { type = \"i32\", default = 0, extra = true }"]);
    package.delete(ALL).says(&["extra_deleted *.role: compatible"]).update();
    assert!(text_of(&package).is_empty() && package.rows().is_empty(), "{}", package.lock);
}

#[test]
fn what_cannot_be_is_an_error_with_a_line() {
    for (text, line, reason) in [
        (
            "[op]\n\"*\".attr.a = { type = \"i32\" }\n",
            4,
            "attribute `a` of all operators has neither `since` nor `unreleased`",
        ),
        ("[op]\n\"*\".unreleased = true\n", 4, "what all operators have in common has the unknown key `unreleased`"),
        ("[op]\n\"*\".input.X = { unreleased = true }\n", 4, "unknown key `input`"),
        (
            "[op]\n\"*\".attr.a = { type = \"i32\", default = 0, extra = true, unreleased = true }\n",
            4,
            "carries no promise",
        ),
        (
            "[ledger]\n\"*\".unreleased.op = { rule = \"op_deleted\" }\n",
            4,
            "the ledger of `*` has the unknown key `op`",
        ),
    ] {
        let error = try_lock(text).expect_err(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
    assert!(common::try_lock("[upgrade]\n\"*\".2 = { unreleased = true }\n").is_ok());
}

// ---- what may change ----

#[test]
fn one_with_a_default_may_be_added() {
    let mut package = Package::released(&[F]);
    package.version("1.1.0").declare(ALL, ROLE).says(&["attr_added *.role: compatible"]);
    assert!(package.is_stale());
    package.update();
    assert_eq!(package.since(ALL, Kind::Attr, "role"), Some(Since::Unreleased));
    assert!(package.rows().is_empty());
    package.seal();
    assert_eq!(package.since(ALL, Kind::Attr, "role"), Some(since("1.1.0")));
}

#[test]
fn one_without_a_default_may_not() {
    let mut package = Package::released(&[F]);
    package.version("1.1.0").declare(ALL, REQUIRED).says(&["attr_added_without_default *.role: needs 2.0.0"]);
    let judged = judge_op(&package.lock, &package.context, &op_named(ALL, REQUIRED)).findings.remove(0);
    assert_eq!(
        report::human(&judged),
        "the added attribute `role` of all operators has no default [attr_added_without_default]\n  \
         breaks: a graph saved since 1.0.0 that uses any operator lacks `role` and no longer loads\n  \
         help: give it the default that stands for what every operator did before: `default = …`\n  \
         help: or make it a break of 2.0.0: `cargo oplock plan major`, then `cargo oplock update`"
    );
    package.version("2.0.0").says(&["attr_added_without_default *.role: accepted for 2.0.0"]).update();
    assert_eq!(package.rows().len(), 1);
    // Where there is no operator yet, there is nothing to break.
    let mut empty = Package::fresh("1.0.0", &[(ALL, REQUIRED)]);
    empty.says(&["op_added *: compatible"]).update().says(&[]);
}

#[test]
fn before_the_first_release_all_operators_are_taken_back_with_it() {
    let mut package = Package::fresh("1.0.0", &[F, ("g", "")]);
    package.update().declare(ALL, REQUIRED).says(&["attr_added_without_default *.role: withdraw *"]);
    package.withdraw(ALL).update();
    assert_eq!(package.lock.operators().count(), 2);
    assert_eq!(package.since(ALL, Kind::Attr, "role"), Some(Since::Unreleased));
    package.seal();
    assert!(package.cannot_withdraw(ALL).to_string().contains("promised since release 1.0.0"));
}

#[test]
fn a_change_is_a_break_with_a_row() {
    for (after, rule) in [(ROLE_1, "attr_changed"), (NONE, "attr_deleted"), (EXTRA, "attr_changed")] {
        let mut package = with_role();
        package.version("1.1.0").declare(ALL, after);
        package.says(&[&format!("{rule} *.role: needs 2.0.0")]);
        package.version("2.0.0").says(&[&format!("{rule} *.role: accepted for 2.0.0")]).update();
        assert_eq!(package.rows().len(), 1, "{}", package.lock);
        package.version("1.1.0").says(&[&format!("{rule} *.role: needs 2.0.0")]);
        package.declare(ALL, ROLE).says(&[]);
        assert!(package.is_stale());
        package.update();
        assert!(package.rows().is_empty(), "restored, nothing is left of it\n{}", package.lock);
    }
}

#[test]
fn an_unreleased_one_is_withdrawn_by_name() {
    let mut package = Package::released(&[F]);
    package.version("1.1.0").declare(ALL, ROLE).update();
    package.declare(ALL, ROLE_1).says(&["attr_changed *.role: withdraw *.role"]);
    package.withdraw("*.role").update();
    package.delete(ALL).says(&["attr_deleted *.role: withdraw *.role"]).withdraw("*.attr.role").says(&[]);
    assert!(!package.is_stale() && text_of(&package).is_empty());
    let released = with_role();
    assert!(released.cannot_withdraw("*.role").to_string().contains("`*.role` is promised since release 1.0.0"));
}

#[test]
fn a_deletion_that_no_release_carries_is_withdrawn_though_none_is_left() {
    let mut package = with_role();
    package.version("2.0.0").delete(ALL).update();
    assert!(text_of(&package)[0].starts_with("\"*\".unreleased.attr.role"), "{}", package.lock);
    package.withdraw("*.role");
    assert_eq!(package.since(ALL, Kind::Attr, "role"), Some(since("1.0.0")));
    package.says(&["attr_deleted *.role: accepted for 2.0.0"]);
}

#[test]
fn a_deleted_one_leaves_a_tombstone() {
    let mut package = with_role();
    package.version("2.0.0").delete(ALL).update().seal();
    package.version("2.1.0").declare(ALL, "attr.role = { type = \"string\", default = \"\" }");
    package.says(&["attr_added *.role: compatible", "name_reused *.role: needs 3.0.0"]);
    package.declare(ALL, ROLE).says(&["attr_added *.role: compatible"]).update().seal();
}

#[test]
fn a_tombstone_is_one_for_all_operators_and_for_each() {
    const OTHER: &str = "attr.role = { type = \"string\", default = \"\" }";
    let mut package = with_role();
    package.version("2.0.0").delete(ALL).declare("g", "").update().seal();
    package.version("2.1.0").declare("f", &format!("{}; {OTHER}", F.1)).declare("g", OTHER);
    package.says(&[
        "attr_added f.role: compatible",
        "name_reused f.role: needs 3.0.0",
        "attr_added g.role: compatible",
    ]);
    let mut package = Package::released(&[("f", ROLE), ("g", "")]);
    package.version("2.0.0").declare("f", "").update().seal();
    package.version("2.1.0").declare(ALL, OTHER);
    package.says(&["attr_added *.role: compatible", "name_reused *.role: needs 3.0.0"]);
    package.declare(ALL, ROLE).says(&["attr_added *.role: compatible"]);
}

#[test]
fn a_seal_asks_for_the_bump_of_a_minor_version() {
    let mut package = Package::released(&[F]);
    package.version("1.0.1").declare(ALL, ROLE).update();
    assert!(package.cannot_seal().contains("attribute `role` of all operators is added"), "{}", package.cannot_seal());
}

// ---- beside the operators' own ----

#[test]
fn no_operator_has_one_of_that_name_by_itself() {
    let mut package = with_role();
    package.version("1.1.0").declare("g", REQUIRED);
    package.says(&["attr_declared_twice g.role: a mistake", "op_added g: compatible"]);
    let lock = Lock::parse(&package.lock.to_string(), None).unwrap();
    let found = declared_twice(&lock, &op_named(ALL, ROLE), &op_named("g", REQUIRED));
    assert_eq!(
        report::human(&found[0]),
        "attribute `role` of `g` is one that all operators have [attr_declared_twice]\n  \
         locked: ops.lock:9, since 1.0.0\n  \
         breaks: a graph that sets `role` of `g` could mean either\n  \
         help: remove it from the operator, or from `oplock::lock! { common { … } }`"
    );
    let alias = "attr.part = { type = \"i32\", default = 0, alias = [\"role\"] }";
    assert_eq!(declared_twice(&package.lock, &op_named(ALL, ROLE), &op_named("g", alias)).len(), 1);
    assert!(declared_twice(&package.lock, &op_named(ALL, ROLE), &op_named("g", "input.role = {}")).is_empty());
}

#[test]
fn to_move_an_attribute_there_changes_no_operator() {
    let mut package = Package::released(&[("f", ROLE), ("g", "")]);
    package.version("1.1.0").declare("f", "").declare(ALL, ROLE);
    package.says(&["attr_added *.role: compatible"]).update().says(&[]);
    // What the operator promised before, it still promises by itself.
    assert_eq!(package.since("f", Kind::Attr, "role"), Some(since("1.0.0")));
    package.delete(ALL).says(&["attr_deleted *.role: withdraw *.role", "attr_deleted f.role: needs 2.0.0"]);
    package.declare(ALL, ROLE).seal();
    package.version("1.2.0").declare(ALL, ROLE_1);
    package.says(&["attr_changed *.role: needs 2.0.0", "attr_changed f.role: needs 2.0.0"]);
}

// ---- upgrades ----

#[test]
fn a_changed_default_is_covered_and_a_deletion_needs_one_function() {
    let mut package = with_role();
    package.version("2.0.0").declare(ALL, ROLE_1).update();
    let versioned = |package: &Package| {
        let mut lock = package.lock.clone();
        lock.ledger.values_mut().for_each(|row| row.version = Some(2));
        lock
    };
    assert!(needs(&versioned(&package), 1).is_empty());
    package.delete(ALL).update();
    let lock = versioned(&package);
    let needs = needs(&lock, 1);
    assert_eq!((needs.len(), needs[0].op.as_str(), needs[0].version), (1, ALL, 2));
    assert_eq!(needs[0].what, "attribute `role` of all operators is deleted");
    let functions: Set<_> = [(ALL.to_owned(), 2)].into_iter().collect();
    assert!(uncovered(&lock, 1, &functions).is_empty());
}

// ---- branches, bases, other lines ----

#[test]
fn branches_that_add_their_own_are_merged() {
    let base = Package::released(&[F]);
    let add = |signature: &str| {
        let mut package = base.clone();
        package.version("1.1.0").declare(ALL, signature).update();
        package.lock
    };
    let (ours, theirs) = (add(ROLE), add("attr.device = { type = \"string\", default = \"\" }"));
    let merged = merge(&base.lock, &ours, &theirs);
    assert!(merged.choices.is_empty(), "{:?}", merged.choices);
    let both: Vec<_> = merged.lock.ops[ALL].items.keys().map(|(_, name)| name.as_str()).collect();
    assert_eq!(both, ["device", "role"]);
    assert_eq!(Lock::parse(&merged.lock.to_string(), None).unwrap(), merged.lock);
    // One takes back the only one, the other adds one.
    let mut gone = Package { lock: ours.clone(), ..base.clone() };
    gone.version("1.1.0").withdraw("*.role");
    let mut more = Package { lock: ours.clone(), ..base };
    more.version("1.1.0").declare(ALL, &format!("{ROLE}; attr.b = {{ type = \"bool\", default = false }}")).update();
    let merged = merge(&ours, &gone.lock, &more.lock);
    assert!(merged.choices.is_empty(), "{:?}", merged.choices);
    let left: Vec<_> = merged.lock.ops[ALL].items.keys().map(|(_, name)| name.as_str()).collect();
    assert_eq!(left, ["b"]);
}

#[test]
fn a_base_keeps_what_a_release_promised() {
    let package = with_role();
    let says = |new: &Lock| -> Vec<String> {
        check_base(&package.lock, new, Options::default()).iter().map(ToString::to_string).collect()
    };
    assert!(says(&package.lock).is_empty());
    let mut lost = package.lock.clone();
    lost.ops.remove(ALL);
    assert_eq!(says(&lost).len(), 1, "{:?}", says(&lost));
    assert!(says(&lost)[0].contains("attribute `role` of all operators is deleted"), "{:?}", says(&lost));
    let mut added = package.clone();
    added.version("1.1.0").declare(ALL, &format!("{ROLE}; attr.b = {{ type = \"bool\", default = false }}")).update();
    assert!(says(&added.lock).is_empty());
    let mut before = package.lock.clone();
    before.ops.remove(ALL);
    assert!(check_base(&before, &package.lock, Options::default()).len() == 1, "it claims a release of the base");
}

#[test]
fn another_line_of_releases_brings_its_own() {
    let trunk = {
        let mut package = Package::released(&[F]);
        package.version("2.0.0").update().seal();
        package.lock
    };
    let mut maintained = Package::released(&[F]);
    maintained.version("1.1.0").declare(ALL, ROLE).update().seal();
    let merged = absorb(&trunk, &maintained.lock);
    assert!(merged.choices.is_empty(), "{:?}", merged.choices);
    assert_eq!(merged.lock.ops[ALL].item_since(Kind::Attr, "role"), Some(&since("1.1.0")));
    assert_eq!(Lock::parse(&merged.lock.to_string(), None).unwrap(), merged.lock);
}

// ---- as others have them ----

#[test]
fn what_all_have_is_factored_out_and_given_back() {
    let each = common::set(&[("f", &format!("{ROLE}; attr.a = {{ type = \"i32\" }}")), ("g", ROLE)]);
    let mut ops = each.clone();
    factor_common(&mut ops);
    assert_eq!(ops, common::set(&[(ALL, ROLE), ("f", "attr.a = { type = \"i32\" }"), ("g", "")]));
    expand_common(&mut ops);
    let sorted = |ops: BTreeMap<String, OpDef>| ops.into_values().map(OpDef::sorted).collect::<Vec<_>>();
    assert_eq!(sorted(ops), sorted(each));
    for alone in [&[("f", ROLE)][..], &[("f", ROLE), ("g", ROLE_1)], &[("f", ROLE), ("g", "")]] {
        let mut ops = common::set(alone);
        factor_common(&mut ops);
        assert_eq!(ops, common::set(alone));
    }
}

// ---- as a loader reads it ----

#[test]
fn a_loader_sees_them_in_each_operator() {
    let lock = lock(
        "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n\"2.0.0\" = { date = \"2026-02-01\", graph = 2 }\n\
         [op]\n\"*\".attr.role = { type = \"i32\", default = 1, since = \"1.0.0\" }\n\
         f.since = \"1.0.0\"\nf.input.X = {}\n\
         g.since = \"2.0.0\"\n\
         h.since = \"1.0.0\"\nh.attr.role = { type = \"i32\", default = 7 }\n\
         _u.unguarded = true\n\
         [ledger]\n\"*\".\"2.0.0\".attr.role = { rule = \"attr_changed\", version = 2, \
         from = { type = \"i32\", default = 0, since = \"1.0.0\" }, to = { type = \"i32\", default = 1 } }\n",
    )
    .expanded();
    assert!(lock.common().is_none());
    let role = (Kind::Attr, "role".to_owned());
    let default = |op: &str| match lock.ops[op].side(Some(&role)) {
        Side::Attr(def, since) => (def.default.unwrap().to_string(), since),
        other => panic!("{op}: {other}"),
    };
    let first = Some(since("1.0.0"));
    assert_eq!(default("f"), ("1".to_owned(), first.clone()));
    assert_eq!(default("g"), ("1".to_owned(), first.clone()));
    assert_eq!(default("h"), ("7".to_owned(), first), "its own");
    assert_eq!(default("_u"), ("1".to_owned(), None), "nothing is promised of it");
    let rows = |op: &str| lock.rows_of(op).count();
    assert_eq!((rows("f"), rows("g")), (1, 0), "what came with 2.0.0 has no graphs from before");
    assert_eq!(v("2.0.0"), *lock.last_release().unwrap());
}

#[test]
fn a_loader_sees_them_also_where_none_ever_changed() {
    let lock = with_role().lock.expanded();
    assert_eq!(lock.ops["f"].item_since(Kind::Attr, "role"), Some(&since("1.0.0")));
    assert!(lock.common().is_none());
}

#[test]
fn what_all_operators_had_while_one_was_gone_is_none_of_its_past() {
    const OTHER: &str = "attr.role = { type = \"string\", default = \"\" }";
    let mut package = Package::released(&[F, ("g", "")]);
    package.version("2.0.0").delete("f").declare(ALL, ROLE).update().seal();
    package.version("3.0.0").declare(ALL, EXTRA).declare("f", "input.Y = { dispensable = true }");
    package.update().seal();
    let releases = |op: &str, lock: &Lock| -> Vec<String> {
        let rows = lock.rows_of(op).filter(|(key, _)| key.item == Some((Kind::Attr, "role".to_owned())));
        rows.map(|(key, _)| key.release.as_ref().map_or("unreleased".to_owned(), ToString::to_string)).collect()
    };
    package.version("4.0.0").declare(ALL, OTHER).update();
    let lock = package.lock.clone().expanded();
    assert_eq!(
        (releases("f", &lock), releases("g", &lock)),
        (vec![], vec!["unreleased".to_owned(), "3.0.0".to_owned()])
    );
    package.seal();
    assert_eq!(releases(ALL, &package.lock), ["3.0.0", "4.0.0"]);
    let lock = package.lock.clone().expanded();
    assert_eq!(releases("g", &lock), ["3.0.0", "4.0.0"]);
    assert_eq!(releases("f", &lock), [""; 0], "to the one that came back the new one is an addition");
    // Nor is its name taken for that one, if it declares it by itself.
    package.version("5.0.0").declare(ALL, NONE).update();
    assert_eq!(releases("f", &package.lock.clone().expanded()), ["unreleased"], "the one that is there when it goes");
    package.seal().version("5.1.0");
    package.declare("f", &format!("input.Y = {{ dispensable = true }}; {ROLE}"));
    package.says(&["attr_added f.role: compatible", "name_reused f.role: needs 6.0.0"]);
    // That it went after the operator came is no reason to doubt that.
    let lock = package.lock.clone().expanded();
    assert_eq!(releases("f", &lock), ["5.0.0"]);
}

/// Nodes of a deleted operator had each attribute as it was at the deletion, whether it changed later, went with it or is as it was.
#[test]
fn what_all_operators_had_went_with_one_that_was_deleted() {
    let releases: String =
        (1..=6).map(|n| format!("\"{n}.0.0\" = {{ date = \"2026-0{n}-01\" }}\n")).collect::<Vec<_>>().concat();
    let text = format!(
        "[release]\n{releases}\
         [op]\n\"*\".attr.changed = {{ type = \"i32\", default = 3, since = \"1.0.0\" }}\n\
         \"*\".attr.extra = {{ type = \"i32\", default = 0, extra = true }}\n\
         \"*\".attr.kept = {{ type = \"i32\", default = 0, since = \"1.0.0\" }}\n\
         \"*\".attr.later = {{ type = \"i32\", default = 0, since = \"4.0.0\" }}\n\
         \"*\".attr.own = {{ type = \"i32\", default = 0, since = \"1.0.0\" }}\n\
         \"*\".attr.same = {{ type = \"i32\", default = 0, since = \"3.0.0\" }}\n\
         g.since = \"1.0.0\"\n\
         [ledger]\n\
         \"*\".unreleased.attr.changed = {{ rule = \"attr_changed\", from = {{ type = \"i32\", default = 2, since = \"1.0.0\" }}, to = {{ type = \"i32\", default = 3 }} }}\n\
         \"*\".\"2.0.0\".attr.before = {{ rule = \"attr_deleted\", from = {{ type = \"i32\", since = \"1.0.0\" }} }}\n\
         \"*\".\"2.0.0\".attr.changed = {{ rule = \"attr_changed\", from = {{ type = \"i32\", default = 0, since = \"1.0.0\" }}, to = {{ type = \"i32\", default = 1 }} }}\n\
         \"*\".\"3.0.0\".attr.with = {{ rule = \"attr_deleted\", from = {{ type = \"i32\", since = \"1.0.0\" }} }}\n\
         \"*\".\"5.0.0\".attr.after = {{ rule = \"attr_deleted\", from = {{ type = \"i32\", since = \"2.0.0\" }} }}\n\
         \"*\".\"5.0.0\".attr.changed = {{ rule = \"attr_changed\", from = {{ type = \"i32\", default = 1, since = \"1.0.0\" }}, to = {{ type = \"i32\", default = 2 }} }}\n\
         f.\"3.0.0\".op = {{ rule = \"op_deleted\", version = 3, from = {{ since = \"1.0.0\" }}, for = \"3.0.0\" }}\n\
         f.\"3.0.0\".attr.own = {{ rule = \"attr_deleted\", from = {{ type = \"i64\", since = \"1.0.0\" }} }}\n\
         h.unreleased.op = {{ rule = \"op_deleted\", from = {{ since = \"4.0.0\" }} }}\n",
    );
    let lock = lock(&text).expanded();
    let rows = |op: &str| -> Vec<String> {
        let text = lock.to_string();
        text.lines()
            .filter_map(|line| line.strip_prefix(op))
            .filter(|row| row.contains("rule"))
            .map(str::to_owned)
            .collect()
    };
    let gone = |item: &str, from: &str| {
        format!(
            "attr.{item} = {{ rule = \"op_deleted\", version = 3, from = {{ type = \"i32\", {from} }}, for = \"3.0.0\" }}"
        )
    };
    assert_eq!(
        rows("f.\"3.0.0\"."),
        [
            "op = { rule = \"op_deleted\", version = 3, from = { since = \"1.0.0\" }, for = \"3.0.0\" }".to_owned(),
            gone("after", "since = \"2.0.0\""),
            gone("changed", "default = 1, since = \"1.0.0\""),
            gone("kept", "default = 0, since = \"1.0.0\""),
            "attr.own = { rule = \"attr_deleted\", from = { type = \"i64\", since = \"1.0.0\" } }".to_owned(),
            "attr.with = { rule = \"attr_deleted\", from = { type = \"i32\", since = \"1.0.0\" } }".to_owned(),
        ]
    );
    let others: Vec<_> = rows("f.\"").into_iter().filter(|row| !row.starts_with("3.0.0")).collect();
    assert_eq!(others.len(), 2, "what changed before it went, and nothing since: {others:?}");
    let unreleased: Vec<_> =
        rows("h.unreleased.").iter().map(|row| row.split(" = ").next().unwrap().to_owned()).collect();
    assert_eq!(unreleased, ["op", "attr.changed", "attr.kept", "attr.later", "attr.own", "attr.same"]);
    assert!(rows("h.unreleased.attr.changed")[0].contains("default = 2"), "{lock}");
}

#[test]
fn what_is_marked_is_one_of_all_operators() {
    let mut package = with_role();
    let deprecated = ROLE.replace("default = 0", "default = 0, deprecated = { version = 2, note = \"n\" }");
    assert_ne!(deprecated, ROLE);
    package.version("1.1.0").declare(ALL, &deprecated);
    let judged = oplock_core::judge::judge_set(&package.lock, &package.context, &package.source).findings;
    let messages: Vec<_> = judged.iter().map(|judged| judged.finding.message()).collect();
    assert_eq!(messages, ["attribute `role` of all operators is deprecated from data version 2: n"]);
}
