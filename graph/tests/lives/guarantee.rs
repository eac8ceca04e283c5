//! What each rule is for: the table of `docs/guarantee.md`, one counterexample for every rule that is left out.
//!
//! The table says which steps of which random life a counterexample is made of, and the test sees that they still refute the
//! guarantee, and how. `OPLOCK_GUARANTEE=search cargo test --release -p oplock-graph --test lives guarantee` searches for
//! those that are missing or no longer do, and writes the table; for all of them where the table is empty.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use oplock_graph::Fault;

use crate::meet::Counts;
use crate::rules::{Rule, Without};
use crate::search::{Extent, Found, RELAXED, Told, WIDE, search};

const BEGIN: &str = "<!-- generated: the table -->\n";
const END: &str = "<!-- end of the table -->\n";

/// Every rule, and what is so without it.
fn rules() -> Vec<(Without, &'static str)> {
    let engine = Fault::ALL.iter().map(|(fault, what)| (Without::Engine(*fault), *what));
    let core = Rule::ALL.iter().map(|(rule, what)| (Without::Core(*rule), *what));
    engine.chain(core).collect()
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/guarantee.md")
}

fn row(what: &str, found: &Found) -> String {
    let Told { steps, written, nodes, read } = found.told();
    let code = |lines: &[String]| lines.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join("<br>");
    let read = read.lines().next().unwrap_or_default().to_owned();
    let kept: Vec<_> = found.kept.iter().map(ToString::to_string).collect();
    let cells = [what.to_owned(), steps.join("<br>"), format!("{written}: {}", code(&nodes)), read];
    let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} <!-- {} {} {} --> |\n", cells.join(" | "), found.life, found.graphs, kept.join(","))
}

/// What a row says of its counterexample: the life, the graphs and the steps.
fn numbers(row: &str) -> Option<(u64, u64, Vec<usize>)> {
    let (_, comment) = row.rsplit_once("<!-- ")?;
    let mut words = comment.split_once(" -->")?.0.split(' ');
    let (life, graphs) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let kept = words.next()?.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    Some((life, graphs, kept))
}

/// The smaller of the first counterexamples.
fn smallest(without: Without) -> Option<Found> {
    let mut best: Option<Found> = None;
    let mut counts = Counts::default();
    let size = |found: &Found| (found.kept.len(), row("", found).len());
    let mut seed = match without {
        // Other packages are only in wide lives.
        Without::Engine(Fault::OwnersCount) => WIDE,
        // Some twenty million pairs are without one, and these soon have it.
        Without::Engine(Fault::OnlySharedAttrsAreSeen) => WIDE + 61_000_000,
        // A default that came without a data version.
        Without::Engine(Fault::ChangedDefaultsAreWritten) => RELAXED,
        _ => 0,
    };
    let mut pairs = crate::number("OPLOCK_LIVES", 3_000_000);
    for _ in 0..2 {
        let extent = Extent { pairs, graphs: 6, seed };
        let Some(found) = search(without, extent, &mut counts) else { break };
        // The next has as many pairs again as the first took.
        pairs = counts.pairs * 2;
        seed = found.life;
        if best.as_ref().is_none_or(|best| size(&found) < size(best)) {
            best = Some(found);
        }
    }
    best
}

/// The counterexample of a row, if it still is one.
fn known(table: &str, without: Without, what: &str) -> Option<Found> {
    let row = table.lines().find(|row| row.starts_with(&format!("| {what} |")))?;
    let (life, graphs, kept) = numbers(row)?;
    Found::again(life, kept, graphs, without)
}

/// The rows of the table, each where something refutes the guarantee without its rule.
fn rows(table: &str, searches: bool, written: impl Fn(&[Option<String>]) + Sync) -> Vec<Option<String>> {
    let rules = rules();
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(vec![None; rules.len()]);
    std::thread::scope(|scope| {
        for _ in 0..if searches { 4 } else { 2 } {
            scope.spawn(|| {
                while let Some((without, what)) = rules.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = || {
                        let found = known(table, *without, what);
                        found.or_else(|| smallest(*without)).map(|found| row(what, &found))
                    };
                    let text =
                        if searches { found() } else { known(table, *without, what).map(|found| row(what, &found)) };
                    let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
                    let index = rules.iter().position(|rule| rule.0 == *without).unwrap_or_default();
                    rows[index] = text;
                    written(&rows);
                }
            });
        }
    });
    rows.into_inner().unwrap_or_else(PoisonError::into_inner)
}

const HEAD: &str = "| without this rule | in this life | this graph | refutes it |\n|---|---|---|---|\n";

#[test]
fn the_guarantee_needs_each_of_its_rules() {
    let text = std::fs::read_to_string(path()).unwrap_or_else(|error| panic!("docs/guarantee.md: {error}"));
    let parts = || {
        let (before, rest) = text.split_once(BEGIN)?;
        let (table, after) = rest.split_once(END)?;
        Some((before, table, after))
    };
    let (before, table, after) = parts().unwrap_or_else(|| panic!("docs/guarantee.md has no generated table"));
    let searches = std::env::var("OPLOCK_GUARANTEE").is_ok_and(|value| value == "search");
    let rows = rows(table, searches, |rows| {
        if searches {
            let rows: String = rows.iter().flatten().map(String::as_str).collect();
            let text = format!("{before}{BEGIN}{HEAD}{rows}{END}{after}");
            std::fs::write(path(), text).unwrap_or_else(|error| panic!("docs/guarantee.md: {error}"));
        }
    });
    let missing = rules().into_iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(rule, _)| rule.1);
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "nothing refutes the guarantee where {missing:#?}");
    let new: String = rows.iter().flatten().map(String::as_str).collect();
    assert!(
        searches || format!("{HEAD}{new}") == table,
        "docs/guarantee.md tells its counterexamples otherwise: write it with OPLOCK_GUARANTEE=search"
    );
}
