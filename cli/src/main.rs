//! `cargo oplock`: keeps, checks and compares the locks of operator crates.
//!
//! The command line decides nothing of its own: what a change means and whether it may be made is said by
//! `oplock_core`, which the macros call too. Here operators are collected, files read and written, findings shown.

mod args;
mod base;
mod checks;
mod collect;
mod commands;
mod definitions;
mod error;
mod examine;
mod exit;
mod git;
mod listing;
mod models;
mod named;
mod package;
mod places;
mod progress;
mod report;
mod shell;
mod table;
mod today;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::parse();
    let shell = shell::Shell::new(&args.global);
    commands::run(&args.command, &shell).unwrap_or_else(|error| shell::fail(&error)).into()
}
