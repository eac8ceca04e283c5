//! What oplock costs the compiler, held against what serde's derives cost on the same structs.
//!
//! `cargo run --release -p oplock-benchmarks -- compile-time` generates crates of many operators (`crates`), has cargo
//! compile them (`cargo`, `cost`), takes the times in turn (`compile_time`) or counts instructions (`instructions`),
//! and prints ratios beside what they are meant to reach (`summary`). It judges nothing: times on a shared machine vary.

mod args;
mod cargo;
mod compile_time;
mod cost;
mod crates;
mod error;
mod instructions;
mod statistics;
mod summary;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::error::Error;

fn main() -> ExitCode {
    if let Some(count) = instructions::Count::asked_for() {
        return count.run();
    }
    let Command::CompileTime(options) = Arguments::parse().command;
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &args::CompileTime) -> Result<(), Error> {
    if options.instructions { instructions::measure(options) } else { compile_time::measure(options) }
}
