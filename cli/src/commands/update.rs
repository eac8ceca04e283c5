//! `cargo oplock update`: brings the lock up to date, or writes nothing where that would break saved graphs.

use oplock_core::lock::replace_file;
use oplock_core::report;

use crate::args::Update;
use crate::error::Error;
use crate::examine::examine;
use crate::exit::Exit;
use crate::package::{Package, Selection, select};
use crate::report::{Report, count};
use crate::shell::{self, Shell};

/// Updates each package; one that cannot be updated does not keep the others from it.
pub(super) fn run(args: &Update, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.examine.packages.select)?;
    let mut exit = Exit::Clean;
    let packages = selection.locked()?;
    for (i, package) in packages.iter().enumerate() {
        shell.at(i + 1, packages.len());
        exit = exit.max(update(&selection, package, args, shell).unwrap_or_else(|error| shell::fail(&error)));
    }
    Ok(exit)
}

fn update(selection: &Selection, package: &Package, args: &Update, shell: &Shell) -> Result<Exit, Error> {
    let examined = examine(selection, package, &args.examine.packages, shell)?;
    let name = &package.name;
    let format = args.examine.message_format;
    if examined.is_blocked() {
        examined.tell((selection, package), format, true)?;
        let why = match examined.refused() {
            0 => "the lock is as it was".to_owned(),
            n => format!("{} that nothing allows; the lock is as it was", count(n, "breaking change")),
        };
        shell::error(format_args!("{name}: {why}"));
        return Ok(Exit::Break);
    }
    if examined.is_written() {
        shell.status("Unchanged", format_args!("{name}: {} as the lock has them", examined.describe_ops()));
    } else {
        replace_file(&package.lock_path(), Some(&examined.text), &examined.updated.to_string())?;
        let changes = count(examined.items.len(), "change");
        shell.status("Updated", format_args!("{} ({changes})", package.lock_path().display()));
    }
    examined.list_approvals(shell);
    // The lock is right all the same; `check` and the compiler refuse it.
    for approval in &examined.unused {
        shell::warn(report::unused_approval(approval));
    }
    // What is told was done: a reader never sees a change that was then not written.
    let file = selection.relative(&package.lock_path());
    let root = Some(selection.root.as_path());
    let report = Report { package: Some(name), root, file, items: &examined.items, notes: Vec::new(), is_done: true };
    shell::print(&report.to_text(format))?;
    Ok(Exit::Clean)
}
