//! Other names of operators and items through their lives: renamed, taken back, merged.

mod common;

use common::package::Package;
use common::{op_named, v};
use oplock_core::Lock;
use oplock_core::judge::judge_set;
use oplock_core::lock::{Merged, OpEntry, Release, Since, absorb, merge};

const OLD: &str = "input.X = {}; attr.mode = { type = \"string\", default = \"a\" }";
const RENAMED: &str = "input.In = { alias = [\"X\"] }; attr.mode = { type = \"string\", default = \"a\" }";

/// 1.0.0 with `f`, and 2.0.0 on the way, in which its input is renamed.
fn renamed() -> Package {
    let mut package = Package::released(&[("f", OLD)]);
    package.version("2.0.0").declare("f", RENAMED);
    package
}

#[test]
fn a_renaming_is_a_break_and_lowering_the_version_brings_the_error_back() {
    let mut package = renamed();
    package.says(&["input_added f.In: compatible", "input_deleted f.X: accepted for 2.0.0"]).update();
    assert_eq!(
        package.rows(),
        ["f.unreleased.input.X = { rule = \"input_deleted\", from = { since = \"1.0.0\" }, for = \"2.0.0\" }",]
    );
    package.version("1.5.0").says(&["input_deleted f.X: needs 2.0.0"]);
    package.version("2.0.0").seal().version("2.0.1").says(&[]);
    // The alias is kept like any other promise.
    package.declare("f", &RENAMED.replace("{ alias = [\"X\"] }", "{}")).says(&["alias_removed f.In: needs 3.0.0"]);
    // What had the name may come back only as what it was, and then the name is no alias any more.
    package
        .version("3.0.0")
        .declare("f", OLD)
        .says(&["input_deleted f.In: accepted for 3.0.0", "input_added_not_dispensable f.X: accepted for 3.0.0"]);
}

#[test]
fn a_renaming_is_taken_back_from_its_new_name_on() {
    let mut package = renamed();
    package.update();
    let text = package.cannot_withdraw("f.X").to_string();
    assert_eq!(
        text,
        "`f.input.X` cannot be withdrawn alone: `X` would stand for `f.input.In` too; withdraw that first: \
         `cargo oplock withdraw f.input.In`"
    );
    package.declare("f", OLD).says(&["input_deleted f.In: withdraw f.In"]);
    package.withdraw("f.In").withdraw("f.X").says(&[]);
    assert_eq!(package.rows(), [""; 0]);
}

#[test]
fn an_alias_that_no_release_carries_is_taken_back_with_the_change_that_brought_it() {
    let mut package = Package::released(&[("f", OLD), ("g", "")]);
    let both = "alias.h = { unreleased = true }; alias.i = { unreleased = true }";
    package.version("1.1.0").declare("g", both).update();
    package.declare("g", "alias.h = { unreleased = true }").says(&["alias_removed g: withdraw g"]);
    package.withdraw("g").says(&["alias_added g: compatible"]);
    // What the last release had may be restored at any time.
    package.update().declare("g", "").says(&[]).update();
    assert_eq!(package.rows(), [""; 0]);
    package.declare("g", "alias.h = { unreleased = true }").update().seal();
    assert!(package.lock.to_string().contains("g.alias.h = { since = \"1.1.0\" }"), "{}", package.lock);
    package.version("1.2.0").declare("g", "").says(&["alias_removed g: needs 2.0.0"]);
}

#[test]
fn an_alias_must_accept_what_the_name_allowed_whenever_it_was_deleted() {
    // The default of the old name is not that of the new one.
    let other = OLD.replace("attr.mode = { type = \"string\", default = \"a\" }", "");
    let how = |default: &str| {
        format!("{other}; attr.how = {{ type = \"string\", default = \"{default}\", alias = [\"mode\"] }}")
    };
    let mut package = Package::released(&[("f", OLD)]);
    package.version("2.0.0").declare("f", &how("b"));
    package.says(&[
        "attr_added f.how: compatible",
        "attr_deleted f.mode: accepted for 2.0.0",
        "alias_narrows f.how: a mistake",
    ]);
    // Also when a release deleted it first.
    package.declare("f", &other).update().seal();
    package
        .version("2.1.0")
        .declare("f", &how("b"))
        .says(&["attr_added f.how: compatible", "alias_narrows f.how: a mistake"]);
    package.declare("f", &how("a")).says(&["attr_added f.how: compatible"]).update().seal();
    // Later changes are judged by themselves.
    package.version("3.0.0").declare("f", &how("b")).says(&["attr_changed f.how: accepted for 3.0.0"]).update().seal();
    package.version("3.0.1").says(&[]);
}

/// What is read under a name without a promise may be gone tomorrow: that renames nothing.
#[test]
fn an_alias_of_what_carries_no_promise_keeps_none() {
    let mut package = Package::released(&[("f", OLD), ("g", "")]);
    let extra = OLD.replace("attr.mode = { ", "attr.how = { alias = [\"mode\"], extra = true, ");
    package.version("1.1.0").declare("f", &extra);
    package.delete("g").declare("h", "experimental = true; alias.g = {}");
    package.says(&[
        "extra_added f.how: compatible",
        "attr_deleted f.mode: needs 2.0.0",
        "alias_narrows f.how: a mistake",
        "op_deleted g: needs 2.0.0",
        "unguarded_changed h: compatible",
    ]);
    let judged = judge_set(&package.lock, &package.context, &package.source).findings;
    for judged in
        judged.iter().filter(|judged| judged.finding.is_break() && judged.finding.rule.name != "alias_narrows")
    {
        assert!(!judged.finding.backward(), "{}", judged.finding.message());
        assert!(!judged.finding.message().contains("is renamed"), "{}", judged.finding.message());
    }
}

#[test]
fn an_operator_is_renamed_and_renamed_again() {
    let mut package = Package::released(&[("f", OLD)]);
    let g = format!("{OLD}; alias.f = {{ unreleased = true }}");
    package.version("2.0.0").delete("f").declare("g", &g);
    package.says(&["op_deleted f: accepted for 2.0.0", "op_added g: compatible"]).update().seal();
    // Whoever forgets the first name deletes it for good.
    package.version("3.0.0").delete("g").declare("h", &format!("{OLD}; alias.g = {{ unreleased = true }}"));
    package.says(&["op_deleted g: accepted for 3.0.0", "op_added h: compatible", "alias_narrows h: a mistake"]);
    let both = format!("{OLD}; alias.g = {{ unreleased = true }}; alias.f = {{ unreleased = true }}");
    package.declare("h", &both).says(&["op_deleted g: accepted for 3.0.0", "op_added h: compatible"]).update().seal();
    // A ring would need a name that is live and an alias at once.
    package.version("4.0.0").declare("f", &format!("{OLD}; alias.h = {{ unreleased = true }}"));
    package.says(&[
        "alias_taken f: a mistake",
        "alias_taken h: a mistake",
        "name_reused f: accepted for 4.0.0",
        "alias_narrows f: a mistake",
    ]);
}

/// What is renamed with its operator is asked what any renaming is.
#[test]
fn an_item_that_is_renamed_with_its_operator_must_accept_what_the_name_allowed() {
    let attr = "input.X = { dispensable = true }; attr.k = { type = \"i64\", default = 0 }";
    for (renamed, told) in [
        ("input.X = { dispensable = true }; attr.a = { type = \"i64\", default = 0, alias = [\"k\"] }", None),
        (
            "input.X = { dispensable = true }; attr.a = { type = \"i32\", default = 1, alias = [\"k\"] }",
            Some("the type of attribute `a` of `g` changed from `i64` to `i32`"),
        ),
        (
            "input.Y = { alias = [\"X\"] }; attr.k = { type = \"i64\", default = 0 }",
            Some("input `Y` of `g` is no longer dispensable"),
        ),
    ] {
        let mut package = Package::released(&[("f", attr)]);
        package.version("2.0.0").delete("f").declare("g", &format!("alias.f = {{ unreleased = true }}; {renamed}"));
        let judged = judge_set(&package.lock, &package.context, &package.source).findings;
        let found = judged.iter().find(|judged| judged.finding.rule.name == "alias_narrows");
        let message = found.map(|judged| judged.finding.message());
        let expected = told.map(|what| format!("operator `g` does not accept all that its alias `f` allowed: {what}"));
        assert_eq!(message, expected, "{renamed}");
    }
}

fn paths(merged: &Merged) -> Vec<&str> {
    merged.choices.iter().map(|choice| choice.path.as_str()).collect()
}

fn reads_back(lock: &Lock) {
    let text = lock.to_string();
    assert_eq!(Lock::parse(&text, None).as_ref(), Ok(lock), "{text}");
}

#[test]
fn what_one_branch_renames_and_the_other_changes_keeps_its_name_and_is_reported() {
    let base = Package::released(&[("f", OLD)]);
    let mut ours = base.clone();
    ours.version("2.0.0").declare("f", RENAMED).update();
    let mut theirs = base.clone();
    theirs.version("1.1.0").declare("f", &OLD.replace("input.X = {}", "input.X = { alias = [\"x\"] }")).update();
    for (a, b) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = merge(&base.lock, &a.lock, &b.lock);
        reads_back(&merged.lock);
        assert!(paths(&merged).contains(&"f.input.In alias X"), "{:?}", merged.choices);
        assert!(paths(&merged).contains(&"f.input.X"), "{:?}", merged.choices);
        assert_eq!(merged.lock.ops["f"].def.ambiguous_alias(), None);
    }
}

#[test]
fn two_branches_rename_one_thing_each_in_its_own_way() {
    let base = Package::released(&[("f", OLD)]);
    let mut ours = base.clone();
    ours.version("2.0.0").declare("f", RENAMED).update();
    let mut theirs = base.clone();
    theirs.version("2.0.0").declare("f", &RENAMED.replace("input.In", "input.Data")).update();
    let merged = merge(&base.lock, &ours.lock, &theirs.lock);
    reads_back(&merged.lock);
    assert_eq!(paths(&merged), ["f.input.In alias X"]);
}

/// What has a name of its own keeps it; the other loses the alias, and its row with it where that was all that the row said.
#[test]
fn an_alias_of_one_branch_that_is_a_name_of_the_other_is_taken_away() {
    let released = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n[op]\nf.since = \"1.0.0\"\n";
    let lock = |lines: &str| {
        let text = format!("{}{released}{lines}", common::HEAD);
        Lock::parse(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}"))
    };
    for (kind, own) in [("input", ""), ("output", ""), ("attr", "type = \"i32\"")] {
        let table = |more: &str| {
            let parts: Vec<_> = [own, more].into_iter().filter(|part| !part.is_empty()).collect();
            if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
        };
        let row = |to: &str| {
            format!(
                "[ledger]\nf.unreleased.{kind}.A = {{ rule = \"alias_added\", from = {}, to = {} }}\n",
                table("since = \"1.0.0\""),
                table(to)
            )
        };
        let base = lock(&format!("f.{kind}.A = {}\n", table("")));
        let with = |alias: &str| {
            lock(&format!(
                "f.{kind}.A = {}\n{}",
                table(&format!("alias = [{alias}]")),
                row(&format!("alias = [{alias}]"))
            ))
        };
        let theirs = lock(&format!("f.{kind}.A = {}\nf.{kind}.n = {}\n", table(""), table("unreleased = true")));
        let merged = merge(&base, &with("\"n\""), &theirs);
        let told: Vec<_> = merged.choices.iter().map(ToString::to_string).collect();
        assert_eq!(told, [format!("f.{kind}.A alias n: took theirs, of `n`; left ours, of `A`")]);
        assert_eq!(merged.lock.to_string(), theirs.to_string());
        // Another alias stays, and so does its row.
        let merged = merge(&base, &with("\"m\", \"n\""), &theirs);
        let expected = lock(&format!(
            "f.{kind}.A = {}\nf.{kind}.n = {}\n{}",
            table("alias = [\"m\"]"),
            table("unreleased = true"),
            row("alias = [\"m\"]")
        ));
        assert_eq!(merged.lock.to_string(), expected.to_string());
    }
}

#[test]
fn a_line_that_renamed_takes_over_one_that_changed() {
    let mut old = Package::released(&[("f", OLD)]);
    let mut new = old.clone();
    new.version("2.0.0").declare("f", RENAMED).update().seal();
    old.version("1.1.0").declare("f", &OLD.replace("input.X = {}", "input.X = { alias = [\"x\"] }")).update().seal();
    for merged in [absorb(&new.lock, &old.lock), absorb(&old.lock, &new.lock)] {
        reads_back(&merged.lock);
        assert!(merged.lock.ops["f"].def.arg(oplock_core::Kind::Input, "In").is_some());
    }
}

/// What no release carried allowed nothing that an alias must keep.
#[test]
fn an_alias_of_what_no_release_carries_keeps_nothing() {
    let mut package = Package::released(&[("f", "")]);
    package
        .version("2.0.0")
        .declare("f", "attr.a = { type = \"i64\", default = 1 }")
        .declare("g", "input.X = {}")
        .update();
    package.declare("f", "attr.b = { type = \"i32\", default = 1, alias = [\"a\"] }");
    package.delete("g").declare("h", "alias.g = { unreleased = true }; input.Y = {}");
    package.says(&[
        "attr_deleted f.a: withdraw f.a",
        "attr_added f.b: compatible",
        "op_deleted g: withdraw g",
        "op_added h: compatible",
    ]);
}

/// An operator that is there already takes a name over like a new one, and what a release has accepted stays.
#[test]
fn a_name_that_an_older_operator_takes_over_is_accepted_as_it_was() {
    let (narrow, wide) = ("input.X = {}", "input.X = { dispensable = true }");
    for (signature, told) in [(narrow, true), (wide, false)] {
        let mut package = Package::released(&[("f", ""), ("g", signature)]);
        let alias = format!("alias.f = {{ unreleased = true }}; {signature}");
        package.version("2.0.0").delete("f").declare("g", &alias);
        let said = package.said();
        assert_eq!(said.contains(&"alias_narrows g: a mistake".to_owned()), told, "{said:?}");
        if !told {
            // What it requires later is a break of its own alone.
            package.update().seal().version("3.0.0").declare("g", "alias.f = { unreleased = true }; input.X = {}");
            package.says(&["input_changed g.X: accepted for 3.0.0"]);
        }
    }
}

/// From where a name came is not what its alias must say again.
#[test]
fn an_operator_that_moved_here_may_be_renamed() {
    let mut package = Package::released(&[("f", "")]);
    package.lock.moved.insert("their-ops".to_owned(), Lock::new("their-ops"));
    let released = OpEntry::new(op_named("f", ""), &Since::Release(v("1.0.0")));
    package.lock.moved.get_mut("their-ops").unwrap().ops.insert("f".to_owned(), released);
    package.lock.moved.get_mut("their-ops").unwrap().releases.insert(v("1.0.0"), Release::new("2026-01-01"));
    package.version("1.1.0").declare("f", "moved_from = \"their-ops\"").update().seal();
    package.version("2.0.0").delete("f").declare("g", "alias.f = { unreleased = true }");
    package.says(&["op_deleted f: accepted for 2.0.0", "op_added g: compatible"]);
}
