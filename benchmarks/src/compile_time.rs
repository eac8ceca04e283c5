//! Times: of checking a crate of many operators alone, and of building the libraries themselves.
//!
//! Both libraries are measured in turn, so that what else the machine does falls on both.

use std::collections::BTreeMap;
use std::fmt;

use crate::args::{Build, CompileTime};
use crate::cargo::Workspace;
use crate::cost::{Cost, Meter};
use crate::crates::{Library, Package};
use crate::error::Error;
use crate::statistics::Spread;
use crate::summary::{self, Goal};

/// Measures and prints.
///
/// # Errors
///
/// When a crate cannot be generated or does not compile.
pub(crate) fn measure(options: &CompileTime) -> Result<(), Error> {
    let mut sizes: Vec<usize> = options.ops.iter().map(|ops| ops.get()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let with_empty: Vec<_> = [0].into_iter().chain(sizes.iter().copied()).collect();
    let meter = Meter::new();
    eprintln!("preparing: generates the crates and builds what they depend on");
    let workspace = Workspace::prepare(options, &with_empty)?;
    let runs = options.runs.get();
    let mut goals = Vec::new();
    println!("{}", Row::head());
    for build in &options.builds {
        let mut all = BTreeMap::new();
        for ops in &with_empty {
            let pair = check(&workspace, &meter, *ops, *build, runs)?;
            println!("{}", pair.row(&format!("check, {}", build.name()), Some(*ops)));
            all.insert(*ops, pair);
        }
        goals.extend(goals_of(*build, &all));
    }
    if !options.no_cold {
        let pair = cold(&workspace, &meter, runs)?;
        println!("{}", pair.row("cold build", None));
        goals.push(Goal::cold_build("cold build", pair.ratio(Measure::Time)));
        if meter.sees_resources() {
            goals.push(Goal::cold_build("cold build, CPU", pair.ratio(Measure::Cpu)));
        }
    }
    summary::print(&goals);
    if !meter.sees_resources() {
        println!("\nGNU time is not installed, so processor time and memory were not measured.");
    }
    Ok(())
}

/// The same thing measured for both libraries, run by run.
struct Pair {
    oplock: Vec<Cost>,
    serde: Vec<Cost>,
}

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

impl Pair {
    /// Measures each library in each run; which of them is first changes from run to run.
    fn measure(runs: usize, mut one: impl FnMut(Library) -> Result<Cost, Error>) -> Result<Self, Error> {
        let mut pair = Pair { oplock: Vec::new(), serde: Vec::new() };
        for run in 0..runs {
            let mut order = Library::BOTH;
            if run % 2 == 1 {
                order.reverse();
            }
            for library in order {
                let cost = one(library)?;
                match library {
                    Library::Oplock => pair.oplock.push(cost),
                    Library::Serde => pair.serde.push(cost),
                }
            }
        }
        Ok(pair)
    }

    /// Each run of oplock by the same run of serde.
    fn ratio(&self, measure: Measure) -> Spread {
        let pairs = self.oplock.iter().zip(&self.serde);
        Spread::of(pairs.filter_map(|(oplock, serde)| Some(measure.of(oplock)? / measure.of(serde)?)))
    }

    /// The ratio of what the operators cost above a crate that has none.
    fn ratio_above(&self, empty: &Pair, measure: Measure) -> Spread {
        let [oplock, serde] = [measure.median(&empty.oplock), measure.median(&empty.serde)];
        let pairs = self.oplock.iter().zip(&self.serde);
        Spread::of(pairs.filter_map(|(a, b)| Some((measure.of(a)? - oplock) / (measure.of(b)? - serde))))
    }

    fn row(&self, what: &str, ops: Option<usize>) -> Row {
        let column = |costs: &[Cost]| Measure::ALL.map(|measure| measure.median(costs));
        Row {
            what: what.to_owned(),
            ops,
            oplock: column(&self.oplock),
            serde: column(&self.serde),
            wall: self.ratio(Measure::Time),
        }
    }
}

fn check(workspace: &Workspace, meter: &Meter, ops: usize, build: Build, runs: usize) -> Result<Pair, Error> {
    let report = workspace.scratch("cost.txt");
    if build == Build::Again {
        for library in Library::BOTH {
            meter.run(workspace.check(Package { library, ops }, build), &report)?;
        }
    }
    Pair::measure(runs, |library| {
        let package = Package { library, ops };
        workspace.forget(package, build)?;
        meter.run(workspace.check(package, build), &report)
    })
}

fn cold(workspace: &Workspace, meter: &Meter, runs: usize) -> Result<Pair, Error> {
    Pair::measure(runs, |library| meter.run(workspace.cold_build(library)?, &workspace.scratch("cost.txt")))
}

/// What the checks of one kind of build say, by the number of operators.
fn goals_of(build: Build, all: &BTreeMap<usize, Pair>) -> Vec<Goal> {
    let Some(empty) = all.get(&0) else { return Vec::new() };
    let name = build.name();
    let mut goals = Vec::new();
    let filled: Vec<_> = all.iter().filter(|(ops, _)| **ops > 0).collect();
    for (ops, pair) in &filled {
        goals.push(Goal::per_op(format!("{name}: {ops} operators, whole crate"), pair.ratio(Measure::Time)));
        goals
            .push(Goal::per_op(format!("{name}: {ops} operators, above none"), pair.ratio_above(empty, Measure::Time)));
        let cpu = pair.ratio_above(empty, Measure::Cpu);
        if !cpu.median.is_nan() {
            goals.push(Goal::per_op(format!("{name}: {ops} operators, above none, CPU"), cpu));
        }
    }
    if let [(few, with_few), .., (many, with_many)] = filled.as_slice() {
        for (suffix, measure) in [("", Measure::Time), (", CPU", Measure::Cpu)] {
            let none = measure.median(&empty.oplock);
            let per_op = |costs: &[Cost], ops: usize| -> Vec<f64> {
                costs.iter().filter_map(|cost| Some((measure.of(cost)? - none) / as_float(ops))).collect()
            };
            let growth = per_op(&with_many.oplock, **many).into_iter().zip(per_op(&with_few.oplock, **few));
            let growth: Vec<_> = growth.map(|(many, few)| many / few).collect();
            if !growth.is_empty() {
                let title = format!("{name}: an operator of {many} to one of {few}{suffix}");
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
    /// Seconds, processor seconds and mebibytes.
    oplock: [f64; 3],
    serde: [f64; 3],
    wall: Spread,
}

impl Row {
    /// The line above the numbers; their columns are those of the [`fmt::Display`] below.
    fn head() -> String {
        let columns = format!("{:>7} {:>7} {:>9}", "time s", "CPU s", "memory MB");
        format!(
            "{:<16} {:>5}  {:<25}  {:<25}\n{:<16} {:>5}  {columns}  {columns}   ratio of times",
            "", "", "oplock", "serde", "", "ops"
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ops = self.ops.map(|ops| ops.to_string()).unwrap_or_default();
        write!(f, "{:<16} {ops:>5}", self.what)?;
        for [wall, cpu, memory] in [self.oplock, self.serde] {
            write!(f, "  {wall:>7.2} {cpu:>7.2} {memory:>9.0}")?;
        }
        write!(f, "   {}", self.wall)
    }
}
