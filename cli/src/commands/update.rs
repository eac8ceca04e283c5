//! `cargo oplock update`: brings the lock up to date, or writes nothing where that would break saved graphs.

use oplock_core::lock::write_file;

use crate::args::Check;
use crate::error::Error;
use crate::examine::examine;
use crate::exit::Exit;
use crate::package::{Package, Selection, select};
use crate::report::count;
use crate::shell::{self, Shell};

/// Updates each package; one that cannot be updated does not keep the others from it.
pub(super) fn run(args: &Check, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.select)?;
    let mut exit = Exit::Clean;
    for package in selection.locked()? {
        exit = exit.max(update(&selection, package, args, shell).unwrap_or_else(|error| shell::fail(&error)));
    }
    Ok(exit)
}

fn update(selection: &Selection, package: &Package, args: &Check, shell: &Shell) -> Result<Exit, Error> {
    let examined = examine(selection, package, args, shell)?;
    let refused = examined.refused();
    let is_allowed = refused == 0 && examined.overrun.is_none();
    let name = &package.name;
    if !is_allowed {
        examined.tell(package, args, true)?;
        if refused > 0 {
            let breaks = count(refused, "breaking change");
            shell::error(format_args!("{name}: {breaks} that nothing allows; the lock is as it was"));
        }
        return Ok(Exit::Break);
    }
    if examined.is_written() {
        shell.status("Unchanged", format_args!("{name}: {} as the lock has them", examined.describe_ops()));
    } else {
        write_file(&package.lock_path(), &examined.updated.to_string())?;
        let changes = count(examined.items.len(), "change");
        shell.status("Updated", format_args!("{} ({changes})", package.lock_path().display()));
    }
    // What is told was done: a reader never sees a change that was then not written.
    examined.tell(package, args, true)?;
    Ok(Exit::Clean)
}
