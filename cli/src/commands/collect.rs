//! `cargo oplock collect`: what this machine can build, for the machine that keeps the lock.

use oplock_core::collect::Expansion;

use crate::args::Collect;
use crate::collect::{Job, exchange};
use crate::error::Error;
use crate::exit::Exit;
use crate::package::select;
use crate::report::count;
use crate::shell::Shell;

pub(super) fn run(args: &Collect, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.packages.select)?;
    for package in selection.locked()? {
        let manifest = package.read_manifest()?;
        let told =
            Job { selection: &selection, package, manifest: &manifest, packages: &args.packages, shell }.tell()?;
        let ops = told.runs.iter().flatten().filter(|record| matches!(record.of, Expansion::Op(_))).count();
        let folder = exchange::write(package, &args.out, &told.runs)?;
        let (runs, ops) = (count(told.runs.len(), "run"), count(ops, "record"));
        shell.status("Collected", format_args!("{} ({ops} of {runs})", folder.display()));
    }
    Ok(Exit::Clean)
}
