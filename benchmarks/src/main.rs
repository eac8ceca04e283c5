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
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Option<Command>) -> Result<(), Error> {
    let goals = match command {
        None => return all(),
        Some(Command::CompileTime(options)) => compile_time(&options)?,
        Some(Command::Graphs(options)) => graphs::measure(&options)?,
        Some(Command::Diff(options)) => definitions::measure(&options)?,
        Some(Command::Lookup(options)) => lookup::measure(&options)?,
        Some(Command::Instructions(options)) => return steps::measure(&options),
    };
    summary::print(&goals);
    Ok(())
}

fn compile_time(options: &args::CompileTime) -> Result<Vec<Goal>, Error> {
    if options.instructions { instructions::measure(options) } else { compile_time::measure(options) }
}

/// Every benchmark, with as few runs as say something, and one table of ratios at the end.
fn all() -> Result<(), Error> {
    let commands = [
        ["compile-time", "--runs=2"].as_slice(),
        &["compile-time", "--instructions", "--ops=100"],
        &["diff"],
        &["graphs", "--nodes=1000,100000,1000000", "--runs=3"],
        &["lookup"],
    ];
    let mut goals = Vec::new();
    for command in commands {
        println!("\n{}", command.join(" "));
        let words = ["oplock-benchmarks"].iter().chain(command);
        goals.extend(match Arguments::parse_from(words).command {
            Some(Command::CompileTime(options)) => compile_time(&options)?,
            Some(Command::Graphs(options)) => graphs::measure(&options)?,
            Some(Command::Diff(options)) => definitions::measure(&options)?,
            Some(Command::Lookup(options)) => lookup::measure(&options)?,
            Some(Command::Instructions(_)) | None => Vec::new(),
        });
    }
    summary::print(&goals);
    Ok(())
}
