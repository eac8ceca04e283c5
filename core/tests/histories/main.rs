//! Random histories of a small package, with branches, merges, approvals, regenerated and hand-edited locks, held after
//! each step against a model that knows releases and sources, and no locks.
//!
//! A release passes when nothing is refused, the locks of the previous releases have nothing to say against the new one,
//! and it can be sealed. Whatever came before, in whatever order: what passes breaks nothing that those releases
//! promised, unless it is a major version or the break was approved by name.
//!
//! A lock that only commands have written keeps that without a base too, and once sealed it says since when each thing is
//! promised and has a row for each that was broken, as the model knows it.
//!
//! Without any one of the rules, or of the parts of the check against a base, the search finds a history that should not
//! pass (`faults`).
//!
//! Some thousands run by default. More: `OPLOCK_HISTORIES=100000 cargo test --release -p oplock-core --test histories`,
//! and others with `OPLOCK_SEED`.

mod branch;
mod checks;
#[path = "../common/mod.rs"]
mod common;
mod faults;
mod history;
mod model;
mod world;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use faults::Fault;
use history::History;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs histories on all processors until one fails: what they reached, and the first that failed of each processor.
fn search(first: u64, count: u64, fault: Fault) -> (BTreeSet<&'static str>, Vec<History>) {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (seeds, failed) = (AtomicU64::new(first), AtomicBool::new(false));
    let work = || {
        let mut seen = BTreeSet::new();
        loop {
            let number = seeds.fetch_add(1, Ordering::Relaxed);
            if number >= first + count || failed.load(Ordering::Relaxed) {
                return (seen, None);
            }
            let history = History::new(number, fault);
            if history.run(&mut seen).is_err() {
                failed.store(true, Ordering::Relaxed);
                return (seen, Some(history));
            }
        }
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let (seen, failures): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    (seen.into_iter().flatten().collect(), failures.into_iter().flatten().collect())
}

#[test]
fn nothing_that_breaks_a_release_passes_whatever_the_order_of_commands() {
    let count = number("OPLOCK_HISTORIES", if cfg!(debug_assertions) { 2_000 } else { 20_000 });
    let (seen, failures) = search(number("OPLOCK_SEED", 1), count, Fault::None);
    if let Some(history) = failures.into_iter().next() {
        let number = history.seed;
        panic!("history {number} fails; its smallest:\n{}", history.shrunk());
    }
    // The generator reaches what the property speaks of.
    for (expected, within) in [
        ("several releases", 2_000),
        ("a pre-release", 2_000),
        ("a break by a major release", 2_000),
        ("an approved break", 2_000),
        ("a release of an edited lock", 2_000),
        ("a release after parallel ones", 10_000),
        ("lines that promise one thing differently", 10_000),
    ] {
        assert!(seen.contains(expected) || count < within, "{expected}: {seen:?}");
    }
}

/// A search that finds nothing says little unless it finds what there is to be found. `OPLOCK_FAULT` takes those alone that
/// contain it.
#[test]
fn without_any_one_of_the_rules_something_passes() {
    let only = std::env::var("OPLOCK_FAULT").unwrap_or_default();
    for (what, fault, seed) in faults::all().filter(|(what, ..)| what.contains(&only)) {
        let known = History::new(seed, fault);
        let found = [known].into_iter().find(|history| history.run(&mut BTreeSet::new()).is_err());
        let found = found.or_else(|| search(1, 50_000, fault).1.into_iter().next());
        let Some(history) = found else { panic!("{what}: nothing is found") };
        let (_, message) = history.run(&mut BTreeSet::new()).unwrap_err();
        println!("{what}: {} {}", history.seed, message.lines().next().unwrap_or_default());
        // Of two lines that were joined all the same, the check against the one that was left out tells.
        let ways: &[_] = match fault {
            Fault::Parted => &["a false alarm"],
            _ => &[" passes", "can be sealed", "nothing is refused"],
        };
        assert!(ways.iter().any(|way| message.contains(way)), "{message}");
    }
}
