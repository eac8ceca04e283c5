//! `cargo oplock plan`: announces the version of the next release. A major one may break.

use std::collections::BTreeSet;

use oplock_core::lock::replace_file;
use oplock_core::version::{next_major, target};
use oplock_core::{Bump, Context, Lock};
use semver::Version;

use crate::args::{Next, Plan};
use crate::error::Error;
use crate::exit::Exit;
use crate::package::{Package, select};
use crate::report::count;
use crate::shell::Shell;

pub(super) fn run(args: &Plan, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.select)?;
    let package = selection.only()?;
    let (text, mut lock) = package.read_lock()?;
    let next = next(&args.next, package, &lock)?;
    if lock.next == next {
        let planned = next.map_or("nothing is planned".to_owned(), |next| format!("{next} is planned"));
        shell.status("Unchanged", format_args!("{}: {planned} already", package.name));
        return Ok(Exit::Clean);
    }
    let last = lock.last_release().cloned();
    let had = std::mem::replace(&mut lock.next, next);
    replace_file(&package.lock_path(), Some(&text), &lock.to_string())?;
    let is_major =
        |version: &Version| last.as_ref().is_some_and(|last| Bump::between(last, version) == Some(Bump::Major));
    match (&lock.next, had) {
        (Some(next), _) if is_major(next) => {
            shell.status(
                "Planned",
                format_args!("{} {next}: it may break; `cargo oplock update` takes breaks into the lock", package.name),
            );
        }
        (Some(next), _) => shell.status("Planned", format_args!("{} {next}: it may not break", package.name)),
        (None, Some(had)) => {
            let follows = what_follows(&had, &lock, &package.context(&package.read_manifest()?)?);
            shell.status("Unplanned", format_args!("{} {had}{follows}", package.name));
        }
        (None, None) => {}
    }
    Ok(Exit::Clean)
}

/// What follows when a plan is given up; the lock has it no more.
fn what_follows(had: &Version, lock: &Lock, context: &Context) -> String {
    let broken: BTreeSet<_> =
        lock.pending().filter(|(_, row)| row.accepted_for.is_some()).map(|(key, _)| &key.op).collect();
    if lock.last_release().is_some_and(|last| target(had) <= *last) {
        "; it was over".to_owned()
    } else if let Some(version) = context.major_on_the_way(lock) {
        format!(": the package's own version may still break, as {version}")
    } else if !broken.is_empty() {
        format!(": what was broken of {} is an error again", count(broken.len(), "operator"))
    } else if target(had) < target(&context.version) {
        ": it counts as never published".to_owned()
    } else {
        String::new()
    }
}

fn next(plan: &Next, package: &Package, lock: &Lock) -> Result<Option<Version>, Error> {
    if *plan == Next::None {
        return Ok(None);
    }
    let last = lock.last_release().ok_or_else(|| Error::NothingReleased(package.name.clone()))?;
    let own = target(&package.version);
    let planned = match plan {
        Next::Version(version) => version.clone(),
        // A package that is beyond it already says itself which major version comes.
        _ => next_major(last, &own),
    };
    let package_name = package.name.clone();
    if planned <= *last {
        return Err(Error::PlanBehind { package: package_name, planned, last: last.clone() });
    }
    if planned < own {
        return Err(Error::PlanBelowPackage { package: package_name, planned, version: package.version.clone() });
    }
    Ok(Some(planned))
}
