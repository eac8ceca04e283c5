//! `cargo oplock seal`: what the branch promised is from now on promised by a version.
//!
//! It brings the lock up to date first, if that breaks nothing: a release hook then needs one command. In a dry run of
//! cargo-release it says what would happen to the version that is to come.

use std::{env, fs};

use oplock_core::judge::{LeastBump, OpJudgement, SealError, least_bump, seal, unused_approvals};
use oplock_core::lock::{FileError, replace_file};
use oplock_core::{Context, Lock};
use semver::Version;

use super::golden::Samples;
use crate::args::Seal;
use crate::error::Error;
use crate::examine::{Examined, examine};
use crate::exit::Exit;
use crate::package::{Package, Selection, select};
use crate::report::count;
use crate::shell::{self, Shell};
use crate::table::{self, Changes, Row};
use crate::today::today;

/// Seals each package; one that cannot be sealed does not keep the others from it.
pub(super) fn run(args: &Seal, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.examine.packages.select)?;
    let packages = selection.locked()?;
    if !args.golden.is_empty() && packages.len() != 1 {
        return Err(Error::SeveralPackages(packages.iter().map(|package| package.name.clone()).collect()));
    }
    let rehearsal = Rehearsal::of_cargo_release();
    let is_dry = args.dry_run || rehearsal.is_some();
    let (mut exit, mut rows) = (Exit::Clean, Vec::new());
    for (i, package) in packages.iter().enumerate() {
        shell.at(i + 1, packages.len());
        let planned = rehearsal.as_ref().and_then(|rehearsal| rehearsal.as_planned(package));
        match seal_one(&selection, planned.as_ref().unwrap_or(package), args, is_dry, shell) {
            Ok((ended, row)) => {
                exit = exit.max(ended);
                rows.push(row);
            }
            Err(error) => exit = exit.max(shell::fail(&error)),
        }
    }
    shell.lines(&table::to_text(&rows));
    Ok(exit)
}

/// What cargo-release tells its hooks in a dry run, in which it has not raised the version yet.
struct Rehearsal {
    package: String,
    version: Version,
}

impl Rehearsal {
    fn of_cargo_release() -> Option<Self> {
        let text = |name| env::var(name).ok();
        if text("DRY_RUN")? != "true" {
            return None;
        }
        let version = Version::parse(&text("NEW_VERSION")?).ok()?;
        Some(Rehearsal { package: text("CRATE_NAME")?, version })
    }

    fn as_planned(&self, package: &Package) -> Option<Package> {
        (package.name == self.package).then(|| Package { version: self.version.clone(), ..package.clone() })
    }
}

fn seal_one(
    selection: &Selection,
    package: &Package,
    args: &Seal,
    is_dry: bool,
    shell: &Shell,
) -> Result<(Exit, Row), Error> {
    let examined = examine(selection, package, &args.examine.packages, shell)?;
    let name = &package.name;
    if examined.is_blocked() || !examined.unused.is_empty() {
        examined.tell((selection, package), args.examine.message_format, false)?;
        shell::error(format_args!("{name} {} is not sealed; the lock is as it was", package.version));
        return Ok((Exit::Break, examined.row(package, "refused")));
    }
    let (updated, context) = (&examined.updated, &examined.context);
    let is_stale = !examined.is_written();
    match seal(updated, context, &today()) {
        Ok(_) if !examined.unseen.is_empty() && !args.unseen => {
            tell_unseen(package, &examined);
            Ok((Exit::Break, examined.row(package, "refused")))
        }
        Ok(sealed) => {
            examined.list_approvals(shell);
            say_lowest(updated, context, shell, is_dry);
            let what = describe(package, updated);
            let samples = samples(package, &sealed, args)?;
            if is_dry {
                shell.status("Would seal", format_args!("{what}; nothing is written"));
                return Ok((Exit::Clean, examined.row(package, "would be sealed")));
            }
            replace_file(&package.lock_path(), Some(&examined.text), &sealed.to_string())?;
            if package.version.pre.is_empty() {
                clear_approvals(package, context, &sealed)?;
            }
            if is_stale {
                let changes = count(examined.items.len(), "change");
                shell.status("Updated", format_args!("{} ({changes})", package.lock_path().display()));
            }
            shell.status("Sealed", what);
            record(samples.as_ref(), shell)?;
            Ok((Exit::Clean, examined.row(package, "sealed")))
        }
        Err(error @ SealError::AlreadySealed { .. }) => {
            if is_stale && !is_dry {
                replace_file(&package.lock_path(), Some(&examined.text), &updated.to_string())?;
                shell.status("Updated", package.lock_path().display());
            }
            shell.status("Unchanged", format_args!("{name}: {error}"));
            if !is_dry {
                // A seal that was stopped between its two files left this undone.
                clear_approvals(package, context, updated)?;
                record(samples(package, updated, args)?.as_ref(), shell)?;
            }
            Ok((Exit::Clean, examined.row(package, "unchanged")))
        }
        Err(error) => {
            shell::error(format_args!("{name} {} is not sealed: {error}", package.version));
            Ok((Exit::Break, examined.row(package, "refused")))
        }
    }
}

/// A release would promise what nobody has looked for.
fn tell_unseen(package: &Package, examined: &Examined) {
    let conditions: Vec<_> = examined.unseen.iter().map(String::as_str).collect();
    let conditions = conditions.join(", ");
    shell::error(format_args!(
        "{} {} is not sealed: no build showed the operators that the lock has under {conditions}, so they may be gone\n  \
         help: build with it (`--features …`, or `features = [[…]]` in [package.metadata.oplock]), or bring what \
         `cargo oplock collect --out DIR` saw on another machine: `--from DIR`\n  \
         help: or seal what the lock says of them: `--unseen`",
        package.name, package.version
    ));
}

/// The golden graphs that are to be recorded.
fn samples(package: &Package, sealed: &Lock, args: &Seal) -> Result<Option<Samples>, Error> {
    let has_any = !args.golden.is_empty();
    has_any.then(|| Samples::prepare(package, sealed, &args.golden)).transpose()
}

fn record(samples: Option<&Samples>, shell: &Shell) -> Result<(), Error> {
    if let Some(samples) = samples {
        samples.write()?;
        shell.status("Recorded", samples.describe());
    }
    Ok(())
}

fn say_lowest(lock: &Lock, context: &Context, shell: &Shell, is_dry: bool) {
    let Some(last) = lock.last_release().filter(|_| is_dry) else { return };
    let LeastBump { bump, because } = least_bump(lock, context.options);
    let because = because.map(|text| format!(", since {text}")).unwrap_or_default();
    let lowest = bump.apply(last);
    shell.status("Lowest", format_args!("{lowest} is the lowest legal version: {bump} after {last}{because}"));
}

/// `vision-ops 1.5.0 (1 operator added, 2 changed, 0 broken)`
fn describe(package: &Package, lock: &Lock) -> String {
    let Changes { added, changed, broken } = Changes::of(lock);
    let kept = if package.version.pre.is_empty() { "" } else { "; a pre-release promises nothing yet" };
    let added = count(added, "operator");
    format!("{} {} ({added} added, {changed} changed, {broken} broken{kept})", package.name, package.version)
}

/// The ledger holds for good what an approval allowed, so the approval has done its work.
fn clear_approvals(package: &Package, context: &Context, sealed: &Lock) -> Result<(), Error> {
    let (text, approvals) = package.read_approvals_text()?;
    let context = Context { approvals, ..context.clone() };
    let nothing = OpJudgement { findings: Vec::new(), stale: false };
    let left: Vec<_> = unused_approvals(sealed, &context, &nothing).into_iter().cloned().collect();
    if left.len() == context.approvals.list.len() {
        return Ok(());
    }
    let path = package.approvals_path();
    if left.is_empty() {
        return fs::remove_file(&path).map_err(|error| FileError { path, action: "remove", error }.into());
    }
    let approvals = oplock_core::approvals::Approvals { list: left };
    replace_file(&path, text.as_deref(), &approvals.to_string())?;
    Ok(())
}
