//! What oplock costs, held against what its user would otherwise run: `cargo run --release -p oplock-benchmarks` measures all.
//!
//! `cargo run --release -p oplock-benchmarks -- compile-time` generates crates of many operators (`crates`), has cargo
//! compile them (`cargo`, `cost`), takes the times in turn (`compile_time`) or counts instructions (`instructions`),
//! and prints ratios beside what they are meant to reach (`summary`). It judges nothing: times on a shared machine vary.
//!
//! `instructions` counts what each step takes alone, against a budget (`steps`).
//!
//! `graphs` loads graphs of many nodes (`graphs`), held against decoding their protobuf; `diff` compares op descriptions
//! (`definitions`), held against Python; `lookup` finds operators by name, held against a `HashMap`.

mod args;
mod cargo;
mod compile_time;
mod cost;
mod crates;
mod definitions;
mod error;
mod graphs;
mod imported;
mod instructions;
mod lookup;
mod statistics;
mod steps;
mod summary;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::error::Error;
use crate::summary::Goal;

fn main() -> ExitCode {
    if let Some(count) = instructions::Count::asked_for() {
        return count.run();
    }
    if let Some(done) = steps::asked_for() {
        return done;
    }
    match graphs::asked_for().unwrap_or_else(|| run(Arguments::parse())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<(), Error> {
    match arguments.command {
        None => summary::print(&all(arguments.quick)?),
        // Its own table holds what it says.
        Some(Command::Instructions(options)) => drop(steps::measure(&options)?),
        Some(command) => summary::print(&one(command)?),
    }
    Ok(())
}

/// What one benchmark says.
fn one(command: Command) -> Result<Vec<Goal>, Error> {
    match command {
        Command::CompileTime(options) if options.instructions => instructions::measure(&options),
        Command::CompileTime(options) => compile_time::measure(&options),
        Command::Graphs(options) => graphs::measure(&options),
        Command::Diff(options) => definitions::measure(&options),
        Command::Lookup(options) => lookup::measure(&options),
        Command::Instructions(options) => steps::measure(&options),
    }
}

/// Every benchmark, with as few runs as say something.
const ALL: [&[&str]; 6] = [
    &["compile-time", "--runs=2"],
    &["compile-time", "--instructions", "--ops=100"],
    &["diff"],
    &["graphs", "--nodes=1000,100000,1000000", "--runs=3"],
    &["lookup"],
    &["instructions"],
];

/// The same with the smallest sizes.
const QUICK: [&[&str]; 6] = [
    &["compile-time", "--runs=2", "--ops=2,4", "--no-cold"],
    &["compile-time", "--instructions", "--ops=2"],
    &["diff", "--runs=2"],
    &["graphs", "--nodes=10,100", "--runs=2"],
    &["lookup", "--lookups=10000", "--runs=2"],
    &["instructions"],
];

/// Every benchmark, and one table of ratios at the end.
fn all(quick: bool) -> Result<Vec<Goal>, Error> {
    let mut goals = Vec::new();
    for command in if quick { QUICK } else { ALL } {
        println!("\n{}", command.join(" "));
        let words = ["oplock-benchmarks"].iter().chain(command);
        // Each is a command, as a test holds.
        goals.extend(Arguments::parse_from(words).command.map_or(Ok(Vec::new()), one)?);
    }
    Ok(goals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_measured_is_a_command() {
        for command in ALL.iter().chain(&QUICK) {
            let words = ["oplock-benchmarks"].iter().chain(*command);
            assert!(Arguments::try_parse_from(words).is_ok_and(|arguments| arguments.command.is_some()), "{command:?}");
        }
    }
}
