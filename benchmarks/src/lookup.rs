//! Looking operators up by name: in a registry, and in a `HashMap` of the standard library.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use oplock_core::Declared;
use oplock_registry::__private::{Mark, Marked, Record};
use oplock_registry::{CrateOps, Registry, SavedVersions};

use crate::args::Lookup;
use crate::crates::{definition, op_name};
use crate::error::Error;
use crate::statistics::Spread;
use crate::summary::Goal;

/// How many operators there are.
const SIZES: [usize; 2] = [100, 10_000];

/// Measures and prints; what the ratios say.
///
/// # Errors
///
/// When the operators make no registry.
pub(crate) fn measure(options: &Lookup) -> Result<Vec<Goal>, Error> {
    let (mut goals, mut each) = (Vec::new(), Vec::new());
    println!("{:<18} {:>12} {:>12}", "lookup among", "registry ns", "HashMap ns");
    for ops in SIZES {
        let registry = Registry::of(&[generate(ops)]).map_err(|error| Error::Registry(error.to_string()))?;
        let mut names: Vec<&str> = registry.iter().map(|entry| entry.def.name.as_ref()).collect();
        let map: HashMap<&str, _> = registry.iter().map(|entry| (entry.def.name.as_ref(), entry)).collect();
        // In an order that neither of the two has.
        names.sort_by_key(|name| name.bytes().rev().collect::<Vec<_>>());
        let rounds = options.lookups.get().div_ceil(names.len());
        let time = |find: &dyn Fn(&str) -> bool| -> Duration {
            let start = ThreadTime::now();
            for _ in 0..rounds {
                for name in &names {
                    assert!(black_box(find(black_box(name))));
                }
            }
            start.elapsed()
        };
        let runs: Vec<_> = (0..options.runs.get())
            .map(|_| [time(&|name| registry.get(name).is_some()), time(&|name| map.contains_key(name))])
            .map(|times| times.map(|time| time.as_secs_f64()))
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "no benchmark looks up so often")]
        let lookups = (rounds * names.len()) as f64;
        let of = |which: usize| Spread::of(runs.iter().map(|times| times[which] * 1e9 / lookups)).median;
        println!("{:<18} {:>12.1} {:>12.1}", format!("{ops} operators"), of(0), of(1));
        let ratio = runs.iter().map(|[registry, map]| registry / map);
        goals.push(Goal::reported(format!("a lookup among {ops} operators, to a HashMap's"), Spread::of(ratio)));
        each.push((of(0), of(1)));
    }
    if let [few, many] = each.as_slice() {
        let [least, most] = SIZES;
        for (what, growth) in [("a lookup", many.0 / few.0), ("a HashMap's lookup", many.1 / few.1)] {
            goals.push(Goal::reported(format!("{what}: among {most}, to one among {least}"), Spread::of([growth])));
        }
    }
    Ok(goals)
}

/// The table of a crate of so many operators, which stays for as long as the program runs, as one that is linked into it does.
fn generate(ops: usize) -> &'static CrateOps {
    let mark = |i: usize| -> Mark {
        let declared = Declared { def: definition(op_name(i)), file: "".into(), line: 0, stale: "".into() };
        Some(Marked { record: Record(declared.to_text().leak()), build: None })
    };
    Box::leak(Box::new(CrateOps {
        package: "lookup",
        version: "1.0.0",
        lock: "",
        marks: (0..ops).map(mark).collect::<Vec<_>>().leak(),
        gone: &[],
        common: None,
        graph: SavedVersions::PLAIN,
        checkpoint: SavedVersions::PLAIN,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_found() {
        let registry = Registry::of(&[generate(20)]).unwrap();
        assert_eq!(registry.iter().count(), 20);
        assert_eq!(registry.get("scale_7").unwrap().def.attrs[0].name, "axis");
    }
}
