//! The guarantee as a property: a graph that the version check accepts loads, and means what it meant when it was saved.
//!
//! Random lives of a small package are led through core (what it refuses is not done, or done with what it asks for), every
//! release writes random graphs, and every reader of both release lines meets them. What a graph means is told by a model
//! of its own (`meaning`, `identity`), never by the engine.
//!
//! Some thousands of pairs run by default. More: `OPLOCK_LIVES=1000000 cargo test --release -p oplock-graph --test lives`, and
//! others with `OPLOCK_SEED`.

mod dice;
mod graphs;
mod guarantee;
mod identity;
mod life;
mod meaning;
mod meet;
mod package;
mod regressions;
mod rules;
mod search;
mod small;
mod step;
mod target;
mod transform;

use meet::Counts;
use rules::Without;
use search::{Extent, JOINED, RELAXED, WIDE, search};

fn number(variable: &str, default: usize) -> usize {
    let text = std::env::var(variable).unwrap_or_default();
    if text.is_empty() { default } else { text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")) }
}

#[test]
fn what_is_accepted_loads_and_means_the_same() {
    let extent =
        Extent { pairs: number("OPLOCK_LIVES", 12_000), graphs: 6, seed: number("OPLOCK_SEED", 0) as u64 * 1_000_000 };
    let mut counts = Counts::default();
    // First lives of one package whose operators have nothing in common.
    let kinds = [0, WIDE, RELAXED, JOINED];
    for kind in kinds {
        let mut own = Counts::default();
        let extent = Extent { pairs: extent.pairs / kinds.len(), seed: extent.seed + kind, ..extent };
        let found = search(Without::Nothing, extent, &mut own);
        println!("{own:?}");
        if let Some(found) = found {
            panic!("{}", found.tell());
        }
        counts.add(&own);
    }
    // What must be accepted is; that much must be, so nothing is kept by refusing everything.
    assert!(counts.accepted * 2 > counts.pairs, "most of it is refused: {counts:?}");
    assert!(
        (counts.absorbed + 1) * 100_000 > counts.pairs,
        "the maintenance line is hardly ever taken over: {counts:?}"
    );
    assert!(counts.had_to_be * 4 > counts.accepted * 3, "little of it had to be accepted: {counts:?}");
}
