//! `cargo oplock update`: brings the lock up to date, or writes nothing where that would break saved graphs.

use std::path::Path;

use oplock_core::lock::replace_file;
use oplock_core::{LOCK_FILE, Lock, report};

use crate::args::Update;
use crate::error::Error;
use crate::examine::examine_taking;
use crate::exit::Exit;
use crate::named::{Wanted, parse_lock, read_text};
use crate::package::{Package, Selection, select};
use crate::report::{Report, count};
use crate::shell::{self, Shell};

/// Updates each package; one that cannot be updated does not keep the others from it.
pub(super) fn run(args: &Update, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.examine.packages.select)?;
    let mut exit = Exit::Clean;
    let other = args.moved_from.as_deref().map(other_lock).transpose()?;
    let packages = match other {
        Some(_) => vec![selection.only()?],
        None => selection.locked()?,
    };
    for (i, package) in packages.iter().enumerate() {
        shell.at(i + 1, packages.len());
        exit = exit
            .max(update(&selection, package, args, other.as_ref(), shell).unwrap_or_else(|error| shell::fail(&error)));
    }
    Ok(exit)
}

/// The lock of another package: the file, or the one in that folder.
pub(super) fn other_lock(path: &Path) -> Result<Lock, Error> {
    let path = if path.is_dir() { path.join(LOCK_FILE) } else { path.to_owned() };
    let text = read_text(&path, Wanted::Lock)?;
    parse_lock(&path, &text, Wanted::Lock)
}

/// Says which operators a lock now holds of another package.
pub(super) fn tell_taken(moved: &Lock, shell: &Shell) {
    let ops: Vec<_> = moved.ops.keys().map(|op| format!("`{op}`")).collect();
    let last = moved.last_release().map(|release| format!(" {release}")).unwrap_or_default();
    shell.status("Taken", format_args!("{} over from {}{last}", ops.join(", "), moved.package));
}

fn update(
    selection: &Selection,
    package: &Package,
    args: &Update,
    other: Option<&Lock>,
    shell: &Shell,
) -> Result<Exit, Error> {
    let examined = match examine_taking(selection, package, &args.examine.packages, other, shell) {
        Err(Error::NoLock { package, path, uses_oplock, .. }) => {
            return Err(Error::NoLock { package, path, uses_oplock, moved_from: args.moved_from.clone() });
        }
        examined => examined?,
    };
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
    if let Some(moved) = other.and_then(|other| examined.updated.moved.get(&other.package)) {
        tell_taken(moved, shell);
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
