//! One module a command: each says what is done in which order, and leaves how to the others.

mod absorb;
mod approve;
mod audit;
mod check;
mod collect;
mod diff;
mod explain;
mod golden;
mod import;
mod init;
mod model;
mod pages;
mod plan;
mod print;
mod reads;
mod rename;
mod resolve;
mod seal;
mod update;
mod withdraw;

use crate::args::Command;
use crate::error::Error;
use crate::exit::Exit;
use crate::shell::Shell;

/// Runs a command.
///
/// # Errors
///
/// When it could not do what it was asked.
pub(crate) fn run(command: &Command, shell: &Shell) -> Result<Exit, Error> {
    match command {
        Command::Init(args) => init::run(args, shell),
        Command::Check(args) => check::run(args, shell),
        Command::Update(args) => update::run(args, shell),
        Command::Plan(args) => plan::run(args, shell),
        Command::Withdraw(args) => withdraw::run(args, shell),
        Command::Rename(args) => rename::run(args, shell),
        Command::Seal(args) => seal::run(args, shell),
        Command::Approve(args) => approve::run(args, shell),
        Command::Resolve(args) => resolve::run(args, shell),
        Command::Absorb(args) => absorb::run(args, shell),
        Command::Collect(args) => collect::run(args, shell),
        Command::Diff(args) => diff::run(args, shell),
        Command::Print(args) => print::run(args, shell),
        Command::Import(args) => import::run(args, shell),
        Command::Reads(args) => reads::run(args),
        Command::Model(args) => model::run(args, shell),
        Command::Audit(args) => audit::run(args, shell),
        Command::Explain(args) => explain::run(args),
        Command::Completions { shell } => pages::completions(*shell),
        Command::Man { folder } => pages::manual(folder),
    }
}
