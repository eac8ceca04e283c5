//! What oplock costs the compiler, held against what serde's derives cost on the same structs.
//!
//! `cargo run --release -p oplock-benchmarks -- compile-time` generates crates of many operators (`crates`), has cargo
//! compile them (`cargo`, `cost`), takes the times in turn (`compile_time`) or counts instructions (`instructions`),
//! and prints ratios beside what they are meant to reach (`summary`). It judges nothing: times on a shared machine vary.
//!
//! `instructions` counts what each step takes alone, against a budget (`steps`).
//!
//! `graphs` loads graphs of many nodes (`graphs`), held against decoding their protobuf.

mod args;
mod cargo;
mod compile_time;
mod cost;
mod crates;
mod error;
mod graphs;
mod instructions;
mod statistics;
mod steps;
mod summary;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::error::Error;

fn main() -> ExitCode {
    if let Some(count) = instructions::Count::asked_for() {
        return count.run();
    }
    if let Some(done) = steps::asked_for() {
        return done;
    }
    let done = match Arguments::parse().command {
        Command::CompileTime(options) => compile_time(&options),
        Command::Graphs(options) => graphs::measure(&options),
        Command::Instructions(options) => steps::measure(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compile_time(options: &args::CompileTime) -> Result<(), Error> {
    if options.instructions { instructions::measure(options) } else { compile_time::measure(options) }
}
