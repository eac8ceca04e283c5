//! `cargo oplock check`: says what the lock does not agree with, and writes nothing.

use std::env;
use std::process::{Command, Stdio};

use oplock_core::LOCK_FILE;

use crate::args::Check;
use crate::error::Error;
use crate::examine::examine;
use crate::exit::Exit;
use crate::package::{Package, Selection, select};
use crate::report::count;
use crate::shell::{self, Shell};

/// Checks each package; one that cannot be checked does not hide the others.
pub(super) fn run(args: &Check, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.select)?;
    let mut exit = Exit::Clean;
    for package in selection.locked()? {
        exit = exit.max(check(&selection, package, args, shell).unwrap_or_else(|error| shell::fail(&error)));
    }
    Ok(exit)
}

fn check(selection: &Selection, package: &Package, args: &Check, shell: &Shell) -> Result<Exit, Error> {
    let examined = examine(selection, package, args, shell)?;
    examined.tell(package, args, false)?;
    warn_if_left_out(package);
    let name = &package.name;
    Ok(match (examined.refused(), examined.overrun.is_some()) {
        (0, true) => Exit::Break,
        (0, false) if examined.is_stale() => {
            let changes = match examined.items.len() {
                0 => "the lock says something else than the source".to_owned(),
                n => format!("{} not in the lock yet", count(n, "change")),
            };
            shell.attention("Stale", format_args!("{name}: {changes}; `cargo oplock update` brings it up to date"));
            Exit::Stale
        }
        (0, false) => {
            shell.status("Finished", format_args!("{name}: {} as the lock has them", examined.describe_ops()));
            Exit::Clean
        }
        (n, _) => {
            shell::error(format_args!("{name}: {} that nothing allows", count(n, "breaking change")));
            Exit::Break
        }
    })
}

/// A package without its lock builds nowhere, and `cargo publish` says so late.
fn warn_if_left_out(package: &Package) {
    if !package.is_publishable {
        return;
    }
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["package", "--list", "--allow-dirty", "--offline", "--package", &package.id, "--manifest-path"])
        .arg(&package.manifest_path)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else { return };
    let files = String::from_utf8_lossy(&output.stdout);
    if !files.lines().any(|file| file == LOCK_FILE) {
        shell::warning(
            format_args!("{LOCK_FILE} would be left out of the package `{}`, which then builds nowhere", package.name),
            format_args!("add \"{LOCK_FILE}\" to `include` in Cargo.toml, or take it out of `exclude` or .gitignore"),
        );
    }
}
