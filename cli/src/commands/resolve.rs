//! `cargo oplock resolve`: merges a lock by what it says, where git gave up on its lines.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use oplock_core::approvals::{APPROVALS_FILE, Approval, Approvals, merge_approvals};
use oplock_core::judge::{BaseFinding, parted};
use oplock_core::lock::{Choice, FileError, Merged, merge, read_file, write_file};
use oplock_core::{LOCK_FILE, Lock, LockError, Options};

use crate::args::Resolve;
use crate::error::Error;
use crate::exit::Exit;
use crate::git;
use crate::package::{Package, select};
use crate::report::count;
use crate::shell::{self, Shell};

/// Resolves each lock that is in conflict.
pub(super) fn run(args: &Resolve, shell: &Shell) -> Result<Exit, Error> {
    if let [base, ours, theirs] = &args.driver[..] {
        return drive(base, ours, theirs, shell);
    }
    let selection = select(&args.select)?;
    let mut exit = Exit::Clean;
    for package in selection.locked()? {
        exit = exit.max(resolve(package, shell).unwrap_or_else(|error| shell::fail(&error)));
    }
    Ok(exit)
}

/// As git calls a merge driver: with 0 the second file is the merged one, with any other code it is a conflict.
fn drive(base: &Path, ours: &Path, theirs: &Path, shell: &Shell) -> Result<Exit, Error> {
    let read = |path: &Path| Ok::<_, Error>(read_file(path)?.unwrap_or_default());
    let texts = (Some(read(base)?), read(ours)?, read(theirs)?);
    // Git says of no package what its manifest asks; the defaults allow no more.
    let Merged { lock, choices } = merged(ours, texts, Options::default())?;
    write(ours, &lock)?;
    tell(&choices, shell);
    Ok(Exit::Clean)
}

fn resolve(package: &Package, shell: &Shell) -> Result<Exit, Error> {
    let (path, folder) = (package.lock_path(), &package.folder);
    if git::is_unmerged(folder, APPROVALS_FILE) {
        resolve_approvals(package, shell)?;
        if !git::is_unmerged(folder, LOCK_FILE) {
            return Ok(Exit::Clean);
        }
    }
    if !git::is_unmerged(folder, LOCK_FILE) {
        package.read_lock().map_err(|error| match error {
            // Markers that were committed, or that another tool made, are none of git's stages.
            Error::Lock { path, error } if error.is_conflict() => Error::NoSides { path, error },
            error => error,
        })?;
        shell.status("Unchanged", format_args!("{}: there is no conflict", path.display()));
        return Ok(Exit::Clean);
    }
    let (Some(ours), Some(theirs)) = (git::stage(folder, LOCK_FILE, 2), git::stage(folder, LOCK_FILE, 3)) else {
        return Err(Error::DeletedBySide(path));
    };
    let options = package.read_manifest()?.options();
    let Merged { lock, choices } = merged(&path, (git::stage(folder, LOCK_FILE, 1), ours, theirs), options)?;
    write(&path, &lock)?;
    tell(&choices, shell);
    shell.status(
        "Resolved",
        format_args!(
            "{} ({}); next: `cargo oplock update`, `git add {}`",
            path.display(),
            count(choices.len(), "choice"),
            git::argument(&path)
        ),
    );
    Ok(Exit::Clean)
}

/// The approvals of both sides, but for those that a side has sealed or taken back.
fn resolve_approvals(package: &Package, shell: &Shell) -> Result<(), Error> {
    let path = package.approvals_path();
    let side = |stage| {
        let text = git::stage(&package.folder, APPROVALS_FILE, stage).unwrap_or_default();
        Approvals::parse(&text).map_err(|error| Error::Approvals { path: path.clone(), error })
    };
    let (merged, left) = merge_approvals(&side(1)?, &side(2)?, &side(3)?);
    for Approval { by, reason, .. } in &left {
        shell.attention("Chosen", format_args!("{APPROVALS_FILE}: took ours; left theirs, by {by} ({reason:?})"));
    }
    let next = if merged.list.is_empty() {
        fs::remove_file(&path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(()),
            _ => Err(FileError { path: path.clone(), action: "remove", error }),
        })?;
        format!("`git rm {}`", git::argument(&path))
    } else {
        write_file(&path, &merged.to_string())?;
        format!("`git add {}`", git::argument(&path))
    };
    shell.status("Resolved", format_args!("{} ({}); next: {next}", path.display(), count(left.len(), "choice")));
    Ok(())
}

fn merged(
    path: &Path,
    (base, ours, theirs): (Option<String>, String, String),
    options: Options,
) -> Result<Merged, Error> {
    let parse = |side, text: &str| {
        Lock::parse(text, None).map_err(|error| Error::Unmergeable { path: path.to_owned(), side, error })
    };
    let (ours, theirs) = (parse("our side", &ours)?, parse("their side", &theirs)?);
    // Both sides may have made the lock.
    let base = match base.filter(|text| !text.trim().is_empty()) {
        Some(text) => parse("the common base", &text)?,
        None => Lock::new(&ours.package),
    };
    let merged = merge(&base, &ours, &theirs);
    keep_both([&ours, &theirs], &merged.lock, options, path, true)?;
    Ok(merged)
}

/// Refuses a lock that does not keep what both lines of releases promised that it is made of.
///
/// # Errors
///
/// When it does not; all that one of them promised otherwise.
pub(super) fn keep_both(
    [ours, theirs]: [&Lock; 2],
    joined: &Lock,
    options: Options,
    path: &Path,
    is_merge: bool,
) -> Result<(), Error> {
    // What is told of a base, without what helps there.
    let told = |finding: BaseFinding| {
        let text = finding.to_string().replace("\n  base:   ", "\n  released: ");
        text.lines().take_while(|line| !line.trim_start().starts_with("help:")).collect::<Vec<_>>().join("\n  ")
    };
    let found: Vec<_> = parted(ours, theirs, joined, options).into_iter().map(told).collect();
    if found.is_empty() { Ok(()) } else { Err(Error::Parted { path: path.to_owned(), found, is_merge }) }
}

fn tell(choices: &[Choice], shell: &Shell) {
    for choice in choices {
        shell.attention("Chosen", choice);
    }
}

/// Writes a lock that was put together, unless no lock may say what it says.
///
/// # Errors
///
/// When it may not, or the file cannot be written.
pub(super) fn write(path: &Path, lock: &Lock) -> Result<(), Error> {
    let text = lock.to_string();
    Lock::parse(&text, None).map_err(|error: LockError| Error::BadMerge { path: path.to_owned(), error })?;
    write_file(path, &text)?;
    Ok(())
}
