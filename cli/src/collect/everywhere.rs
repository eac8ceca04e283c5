//! What a build under some features showed, and another did not, though nothing says that it depends on features.
//!
//! A macro sees no `#[cfg]` above it. Once a lock promises such an operator without a condition, each build that lacks it
//! takes it for deleted.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::collect::{Expansion, Record};
use oplock_core::{COMMON, Condition, is_unguarded_name};

use super::Place;
use super::cargo::Features;
use super::merge::{MergeError, Merged};

/// What depends on features without saying so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Partial {
    /// Operators that are declared without a condition, and the condition that they seem to have.
    Ops(Vec<(String, Place)>, Option<String>),
    /// What `lock!` says that all operators have.
    Common,
    /// An upgrade function: of which operator, and for what was saved before which data version.
    Upgrade(String, u32),
}

impl Partial {
    /// The beginning of the message: what is there, and where.
    pub(super) fn are_there(&self, seen: &str) -> String {
        match self {
            Partial::Ops(ops, _) => {
                let names: Vec<_> = ops.iter().take(TOLD).map(|(name, place)| format!("`{name}` ({place})")).collect();
                let more = if ops.len() > TOLD { format!(" and {} more", ops.len() - TOLD) } else { String::new() };
                let (noun, verb) = if ops.len() == 1 { ("operator", "is") } else { ("operators", "are") };
                format!("{noun} {}{more} {verb} there {seen}", names.join(", "))
            }
            Partial::Common => format!("`common {{ … }}` of `lock!` is there {seen}"),
            Partial::Upgrade(op, before) => format!("the upgrade function of `{op}` before {before} is there {seen}"),
        }
    }

    /// Why that cannot be.
    pub(super) const fn why(&self) -> &'static str {
        match self {
            Partial::Ops(..) => {
                "a `#[cfg]` hides it there, and no declaration says so; such a build would take it for deleted"
            }
            Partial::Common => "what all operators have is the same in every build",
            Partial::Upgrade(..) => "which graphs a build reads does not depend on its features",
        }
    }

    /// What helps.
    pub(super) fn remedy(&self) -> String {
        match self {
            Partial::Ops(ops, condition) => {
                let name = ops.first().map_or("…", |(name, _)| name);
                let condition = condition.as_deref().unwrap_or("…");
                let each = if ops.len() > 1 { ", and so in each" } else { "" };
                format!("say the condition in the header as well: `#[op(\"{name}\", cfg({condition}))]`{each}")
            }
            Partial::Common => "say it in a `lock!` without a condition".to_owned(),
            Partial::Upgrade(..) => "move the function out of what stands under a `#[cfg]`".to_owned(),
        }
    }
}

/// How many operators a message names.
const TOLD: usize = 8;

/// Refuses what only some of the builds showed. `runs` begins with those that were made here, one for each of `builds`; what
/// was collected elsewhere may be of an earlier day, so nothing is missed in it.
pub(super) fn check(runs: &[Vec<Record>], builds: &[Features], (ops, places): &Merged) -> Result<(), MergeError> {
    let mut of_ops: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut of_upgrades: BTreeMap<(&str, u32), BTreeSet<usize>> = BTreeMap::new();
    for (run, record) in runs.iter().enumerate().flat_map(|(run, records)| records.iter().map(move |r| (run, r))) {
        let shown = match &record.of {
            Expansion::Op(op) if !op.unlocked => of_ops.entry(&op.def.name).or_default(),
            Expansion::Upgrade(op, before) if !is_unguarded_name(op) => of_upgrades.entry((op, *before)).or_default(),
            _ => continue,
        };
        shown.extend(Some(run).filter(|run| *run < builds.len()));
    }
    let is_conditional = |name: &str| ops.get(name).is_none_or(|def| def.cfg.is_some() || !def.is_guarded());
    of_ops.retain(|name, shown| shown.len() < builds.len() && !is_conditional(name));
    // What stands under one condition is told at once; what all have in common comes first.
    if let Some((first, shown)) = of_ops.first_key_value() {
        let what = if *first == COMMON {
            Partial::Common
        } else {
            let same = of_ops.iter().filter(|(_, other)| *other == shown);
            let place = |name: &str| places.get(name).map(|place| (name.to_owned(), place.clone()));
            Partial::Ops(same.filter_map(|(name, _)| place(name)).collect(), condition(shown, builds))
        };
        return Err(refused(what, shown, builds));
    }
    let partial = of_upgrades.iter().find(|(_, shown)| shown.len() < builds.len());
    match partial {
        Some(((op, before), shown)) => Err(refused(Partial::Upgrade((*op).to_owned(), *before), shown, builds)),
        None => Ok(()),
    }
}

fn refused(what: Partial, in_runs: &BTreeSet<usize>, builds: &[Features]) -> MergeError {
    let words = |features: &Features| match features.describe().trim_start() {
        "" => "with the default features".to_owned(),
        text => text.to_owned(),
    };
    let seen: Vec<_> = in_runs.iter().map(|run| words(&builds[*run])).collect();
    let seen = if seen.is_empty() { "in what was collected elsewhere".to_owned() } else { seen.join(" and ") };
    let unseen = builds.iter().enumerate().find(|(run, _)| !in_runs.contains(run));
    let unseen = unseen.map_or_else(String::new, |(_, features)| words(features));
    MergeError::Partial { what, seen, unseen }
}

/// The condition under which all of these builds are and none of the others, where features tell it plainly.
fn condition(in_runs: &BTreeSet<usize>, builds: &[Features]) -> Option<String> {
    let of = |features: &Features| {
        let flag = |name: &String| Condition::Flag("feature".to_owned(), Some(name.clone()));
        let mut flags: Vec<_> = features.plain_names()?.iter().map(flag).collect();
        match flags.len() {
            0 => None,
            1 => flags.pop(),
            _ => Some(Condition::All(flags)),
        }
    };
    let any = |runs: &mut dyn Iterator<Item = usize>| {
        let all: Option<Vec<_>> = runs.map(|run| of(&builds[run])).collect();
        all?.into_iter().reduce(Condition::or)
    };
    let seen = any(&mut in_runs.iter().copied());
    let unseen = || any(&mut (0..builds.len()).filter(|run| !in_runs.contains(run)));
    let condition = if in_runs.is_empty() { None } else { seen.or_else(|| Some(Condition::Not(Box::new(unseen()?)))) };
    condition.map(|condition| condition.to_string())
}

#[cfg(test)]
mod tests {
    use oplock_core::OpDef;
    use oplock_core::collect::CollectedOp;

    use super::super::Seen;
    use super::super::merge::merge;
    use super::*;

    /// Which operators each run shows: `cuda` has a condition, `gone` is unlocked.
    fn outcome(runs: &[&[&str]], sets: &[&[&str]]) -> Result<(), MergeError> {
        let record = |name: &&str| {
            let cfg = (*name == "cuda").then(|| "feature = \"cuda\"".into());
            let def = OpDef { cfg, experimental: *name == "try", ..OpDef::new((*name).to_owned()) };
            let of = match name.strip_prefix("before ") {
                Some(op) => Expansion::Upgrade(op.to_owned(), 9),
                None => Expansion::Op(Box::new(CollectedOp { def, unlocked: *name == "gone" })),
            };
            let line = u32::try_from(name.len()).unwrap();
            Record { manifest_dir: String::new(), crate_name: String::new(), file: "a.rs".to_owned(), line, of }
        };
        let runs: Vec<Vec<_>> = runs.iter().map(|names| names.iter().map(record).collect()).collect();
        let builds: Vec<_> = sets.iter().map(|set| Features::of_names(set)).collect();
        let seen = runs.iter().enumerate();
        let seen = seen.flat_map(|(run, records)| records.iter().filter_map(move |r| Seen::of(run, r.clone(), false)));
        check(&runs, &builds, &merge(seen.collect()).unwrap())
    }

    fn told(runs: &[&[&str]], sets: &[&[&str]]) -> String {
        let error = outcome(runs, sets).unwrap_err();
        format!("{error}\n{}", error.remedy())
    }

    #[test]
    fn what_every_build_shows_is_in_order() {
        assert_eq!(outcome(&[&["add", "before add"], &["add", "before add"]], &[&[], &["cuda"]]), Ok(()));
        // A condition is said, the guarantee does not cover it, or it is not in the lock.
        assert_eq!(outcome(&[&["add"], &["add", "cuda", "try", "_x", "gone"]], &[&[], &["cuda"]]), Ok(()));
        // What was collected elsewhere may lack what is new here.
        assert_eq!(outcome(&[&["add"], &[]], &[&[]]), Ok(()));
    }

    #[test]
    fn the_condition_is_told_where_features_tell_it() {
        for (runs, sets, condition) in [
            (&[&["f"][..], &["f"], &[]][..], &[&["a"][..], &["b"], &[]][..], "any(feature = \"a\", feature = \"b\")"),
            (&[&[], &["f"]], &[&[], &["a", "b"]], "all(feature = \"a\", feature = \"b\")"),
            (&[&["f"], &[]], &[&[], &["a"]], "not(feature = \"a\")"),
            (&[&[], &["f"]], &[&[], &["other/a"]], "…"),
            (&[&[], &["f"]], &[&[]], "…"),
        ] {
            let text = told(runs, sets);
            assert!(text.contains(&format!("#[op(\"f\", cfg({condition}))]")), "{text}");
        }
    }

    #[test]
    fn what_stands_under_one_condition_is_told_at_once() {
        let text = told(&[&["add"], &["add", "f", "gg"], &["add", "hhh"]], &[&[], &["a"], &["b"]]);
        assert!(text.contains("operators `f` (a.rs:1), `gg` (a.rs:2) are there with --features a"), "{text}");
        assert!(text.contains("not with the default features") && !text.contains("hhh"), "{text}");
        assert!(told(&[&["add"], &["add", "f"]], &[&["x"]]).contains("in what was collected elsewhere"));
    }

    #[test]
    fn all_that_operators_have_and_upgrade_functions_are_the_same_in_every_build() {
        assert!(told(&[&[], &["*"]], &[&[], &["a"]]).contains("`common { … }`"));
        let text = told(&[&["f"], &["f", "before f"]], &[&[], &["a"]]);
        assert!(text.contains("the upgrade function of `f` before 9 is there with --features a"), "{text}");
    }
}
