//! Times: of checking a crate of many operators alone, and of building the libraries themselves.
//!
//! All libraries are measured in turn, so that what else the machine does falls on each.

use std::collections::BTreeMap;
use std::fmt;

use crate::args::{Build, CompileTime};
use crate::cargo::Workspace;
use crate::cost::{Cost, Meter};
use crate::crates::{Library, Package};
use crate::error::Error;
use crate::imported::Imported;
use crate::statistics::Spread;
use crate::summary::Goal;

/// Measures and prints; what the ratios say.
///
/// # Errors
///
/// When a crate cannot be generated or does not compile.
pub(crate) fn measure(options: &CompileTime) -> Result<Vec<Goal>, Error> {
    let imported = options.definitions.as_deref().map(Imported::read).transpose()?;
    let sizes = options.sizes(imported.as_ref().map(Imported::len));
    let with_empty: Vec<_> = [0].into_iter().chain(sizes.iter().copied()).collect();
    let meter = Meter::new();
    eprintln!("preparing: generates the crates and builds what they depend on");
    // The types of a real operator's fields are none that a command line has.
    let of_structs = if imported.is_some() { &Library::COUNTED[..] } else { &Library::OF_STRUCTS };
    let libraries = if options.builds.is_empty() { &[][..] } else { of_structs };
    let cold_libraries = if options.no_cold { &[][..] } else { &Library::COLD };
    let workspace = Workspace::prepare(options, libraries, &with_empty, cold_libraries, imported.as_ref())?;
    let runs = options.runs.get();
    let mut goals = Vec::new();
    println!("{}", Row::HEAD);
    for build in &options.builds {
        let mut all = BTreeMap::new();
        for ops in &with_empty {
            let measured = check(&workspace, &meter, of_structs, *ops, *build, runs)?;
            measured.print(&format!("check, {}", build.name()), Some(*ops));
            all.insert(*ops, measured);
        }
        goals.extend(goals_of(*build, &all));
    }
    if !options.no_cold {
        let measured = cold(&workspace, &meter, runs)?;
        measured.print("cold build", None);
        for (suffix, measure) in [("", Measure::Time), (", CPU", Measure::Cpu)] {
            for peer in [Library::Serde, Library::Thiserror, Library::Sqlx] {
                let (what, ratio) =
                    (format!("cold build, to {}'s{suffix}", peer.name()), measured.ratio(peer, measure));
                match peer {
                    _ if ratio.median.is_nan() => {}
                    Library::Serde => goals.push(Goal::cold_build(what, ratio)),
                    _ => goals.push(Goal::reported(what, ratio)),
                }
            }
        }
    }
    if !meter.sees_resources() {
        println!("\nGNU time is not installed, so processor time and memory were not measured.");
    }
    Ok(goals)
}

/// The same thing measured for each library, run by run.
struct Measured(BTreeMap<Library, Vec<Cost>>);

/// A number of a cost.
#[derive(Clone, Copy)]
enum Measure {
    /// Seconds.
    Time,
    /// Seconds on all processors.
    Cpu,
    /// Mebibytes of the greatest process.
    Memory,
}

impl Measure {
    const ALL: [Measure; 3] = [Measure::Time, Measure::Cpu, Measure::Memory];

    #[expect(clippy::cast_precision_loss, reason = "no process has so much memory")]
    fn of(self, cost: &Cost) -> Option<f64> {
        match self {
            Measure::Time => Some(cost.wall.as_secs_f64()),
            Measure::Cpu => cost.resources.map(|resources| resources.cpu.as_secs_f64()),
            Measure::Memory => cost.resources.map(|resources| resources.memory as f64 / 1024.0),
        }
    }

    /// NaN where nothing was measured.
    fn median(self, costs: &[Cost]) -> f64 {
        Spread::of(costs.iter().filter_map(|cost| self.of(cost))).median
    }
}

impl Measured {
    /// Measures each library in each run; which of them is first changes from run to run.
    fn measure(
        libraries: &[Library],
        runs: usize,
        mut one: impl FnMut(Library) -> Result<Cost, Error>,
    ) -> Result<Self, Error> {
        let mut all = Measured(BTreeMap::new());
        for run in 0..runs {
            let mut order = libraries.to_vec();
            if run % 2 == 1 {
                order.reverse();
            }
            for library in order {
                all.0.entry(library).or_default().push(one(library)?);
            }
        }
        Ok(all)
    }

    fn of(&self, library: Library) -> &[Cost] {
        self.0.get(&library).map(Vec::as_slice).unwrap_or_default()
    }

    /// Each run of oplock by the same run of another library.
    fn ratio(&self, peer: Library, measure: Measure) -> Spread {
        let pairs = self.of(Library::Oplock).iter().zip(self.of(peer));
        Spread::of(pairs.filter_map(|(oplock, peer)| Some(measure.of(oplock)? / measure.of(peer)?)))
    }

    /// The ratio of what the operators cost above a crate that has none.
    fn ratio_above(&self, empty: &Measured, peer: Library, measure: Measure) -> Spread {
        let [none, none_of_peer] = [Library::Oplock, peer].map(|library| measure.median(empty.of(library)));
        let pairs = self.of(Library::Oplock).iter().zip(self.of(peer));
        Spread::of(pairs.filter_map(|(a, b)| Some((measure.of(a)? - none) / (measure.of(b)? - none_of_peer))))
    }

    fn print(&self, what: &str, ops: Option<usize>) {
        for (library, costs) in &self.0 {
            let ratio = (*library != Library::Oplock).then(|| self.ratio(*library, Measure::Time));
            let costs = Measure::ALL.map(|measure| measure.median(costs));
            println!("{}", Row { what: what.to_owned(), ops, library: *library, costs, ratio });
        }
    }
}

fn check(
    workspace: &Workspace,
    meter: &Meter,
    libraries: &[Library],
    ops: usize,
    build: Build,
    runs: usize,
) -> Result<Measured, Error> {
    let report = workspace.scratch("cost.txt");
    if build == Build::Again {
        for library in libraries {
            meter.run(workspace.check(Package { library: *library, ops }, build), &report)?;
        }
    }
    Measured::measure(libraries, runs, |library| {
        let package = Package { library, ops };
        workspace.forget(package, build)?;
        meter.run(workspace.check(package, build), &report)
    })
}

fn cold(workspace: &Workspace, meter: &Meter, runs: usize) -> Result<Measured, Error> {
    Measured::measure(&Library::COLD, runs, |library| {
        meter.run(workspace.cold_build(library)?, &workspace.scratch("cost.txt"))
    })
}

/// What the checks of one kind of build say, by the number of operators.
fn goals_of(build: Build, all: &BTreeMap<usize, Measured>) -> Vec<Goal> {
    let Some(empty) = all.get(&0) else { return Vec::new() };
    let name = build.name();
    let mut goals = Vec::new();
    let filled: Vec<_> = all.iter().filter(|(ops, _)| **ops > 0).collect();
    for (ops, measured) in &filled {
        let ratio = measured.ratio(Library::Serde, Measure::Time);
        goals.push(Goal::per_op(format!("{name}: {ops} operators, whole crate, to serde's"), ratio));
        for (suffix, measure) in [("", Measure::Time), (", CPU", Measure::Cpu)] {
            let of = |peer| measured.ratio_above(empty, peer, measure);
            let what = |peer: Library| format!("{name}: {ops} operators, above none, to {}'s{suffix}", peer.name());
            if !of(Library::Serde).median.is_nan() {
                goals.push(Goal::per_op(what(Library::Serde), of(Library::Serde)));
                let clap = of(Library::Clap);
                goals.extend((!clap.median.is_nan()).then(|| Goal::reported(what(Library::Clap), clap)));
            }
        }
    }
    if let [(few, with_few), .., (many, with_many)] = filled.as_slice() {
        for (suffix, measure) in [("", Measure::Time), (", CPU", Measure::Cpu)] {
            let none = measure.median(empty.of(Library::Oplock));
            let per_op = |measured: &Measured, ops: usize| -> Vec<f64> {
                let costs = measured.of(Library::Oplock).iter();
                costs.filter_map(|cost| Some((measure.of(cost)? - none) / as_float(ops))).collect()
            };
            let growth = per_op(with_many, **many).into_iter().zip(per_op(with_few, **few));
            let growth: Vec<_> = growth.map(|(many, few)| many / few).collect();
            if !growth.is_empty() {
                let title = format!("{name}: an operator of {many}, to one of {few}{suffix}");
                goals.push(Goal::growth(title, Spread::of(growth)));
            }
        }
    }
    goals
}

#[expect(clippy::cast_precision_loss, reason = "no crate has so many operators")]
fn as_float(ops: usize) -> f64 {
    ops as f64
}

/// A line of the table.
struct Row {
    what: String,
    ops: Option<usize>,
    library: Library,
    /// Seconds, processor seconds and mebibytes.
    costs: [f64; 3],
    /// Of oplock's time to this one.
    ratio: Option<Spread>,
}

impl Row {
    /// The line above the numbers; its columns are those of the [`fmt::Display`] below.
    const HEAD: &str = "                   ops library      time s   CPU s memory MB   oplock's time to it";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ops = self.ops.map(|ops| ops.to_string()).unwrap_or_default();
        let [wall, cpu, memory] = self.costs;
        write!(f, "{:<16} {ops:>5} {:<10} {wall:>8.2} {cpu:>7.2} {memory:>9.0}", self.what, self.library.name())?;
        self.ratio.map_or(Ok(()), |ratio| write!(f, "   {ratio}"))
    }
}
