//! Looking operators up by name: in a registry, and in a `HashMap` of the standard library.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use oplock_registry::Registry;

use crate::args::Lookup;
use crate::error::Error;
use crate::statistics::Spread;
use crate::summary::Goal;

/// Measures and prints; what the ratio says.
///
/// # Errors
///
/// When the operators of the example make no registry.
pub(crate) fn measure(options: &Lookup) -> Result<Vec<Goal>, Error> {
    let registry = Registry::of(&[paddle_ops::ops()]).map_err(|error| Error::Registry(error.to_string()))?;
    let names: Vec<&str> = registry.iter().map(|entry| entry.def.name.as_ref()).collect();
    let map: HashMap<&str, _> = registry.iter().map(|entry| (entry.def.name.as_ref(), entry)).collect();
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
    println!("{} operators, {} lookups a run", names.len(), rounds * names.len());
    let runs: Vec<_> = (0..options.runs.get())
        .map(|_| (time(&|name| registry.get(name).is_some()), time(&|name| map.contains_key(name))))
        .collect();
    let ratio = runs.iter().map(|(registry, map)| registry.as_secs_f64() / map.as_secs_f64());
    Ok(vec![Goal::reported(format!("a lookup among {} operators, to a HashMap's", names.len()), Spread::of(ratio))])
}
