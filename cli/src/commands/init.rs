//! `cargo oplock init`: the first lock of a package. It never takes the place of another.

use std::collections::BTreeMap;

use oplock_core::judge::{declared_twice, saved_after, seal_data};
use oplock_core::lock::{OpEntry, Release, Since, Stamp, read_file, write_file};
use oplock_core::version::target;
use oplock_core::{COMMON, LOCK_FILE, Lock, OpDef};
use semver::Version;

use crate::args::Init;
use crate::collect::{Collected, Job, MergeError};
use crate::error::Error;
use crate::exit::Exit;
use crate::git;
use crate::package::{Package, Selection, select};
use crate::report::count;
use crate::shell::{self, Shell};
use crate::today::today;

pub(super) fn run(args: &Init, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.packages.select)?;
    let (locked, missing): (Vec<_>, Vec<_>) = selection.users()?.into_iter().partition(|package| package.has_lock());
    if let (Some(package), true) = (locked.first(), missing.is_empty() || selection.packages().len() == 1) {
        read_file(&package.lock_path())?; // a link that leads nowhere is no lock either
        return Err(Error::LockExists(package.lock_path()));
    }
    for package in &locked {
        shell.status("Unchanged", format_args!("{} has a lock", package.describe()));
    }
    let (mut exit, mut skipped) = (Exit::Clean, 0);
    for package in &missing {
        match init(&selection, package, args, shell) {
            Ok(()) => {}
            // It depends on `oplock` to read graphs, and declares nothing.
            Err(Error::NotExpanded { .. }) if !selection.is_explicit() => {
                skipped += 1;
                shell.attention("Skipped", format_args!("{}: it does not call `oplock::lock!();`", package.describe()));
            }
            Err(error) => exit = exit.max(shell::fail(&error)),
        }
    }
    match locked.first() {
        _ if skipped < missing.len() => Ok(exit),
        Some(package) => Err(Error::LockExists(package.lock_path())),
        None => Err(Error::NoUsers),
    }
}

/// What operators declare beside what all have in common.
fn refuse_twice(collected: &Collected) -> Result<(), Error> {
    let Some(common) = collected.ops.get(COMMON) else { return Ok(()) };
    let lock = Lock::new("");
    let found = collected.ops.values().find_map(|def| declared_twice(&lock, common, def).into_iter().next());
    let Some(finding) = found.map(|judged| judged.finding) else { return Ok(()) };
    let place = collected.places[&finding.op].clone();
    let attr = finding.item.map(|(_, name)| name).unwrap_or_default();
    Err(MergeError::Common { op: finding.op, attr, place }.into())
}

fn init(selection: &Selection, package: &Package, args: &Init, shell: &Shell) -> Result<(), Error> {
    if git::head_has_lock(&package.folder) {
        return Err(Error::LostLock(package.lock_path()));
    }
    if let Some(released) = args.released.as_ref().filter(|released| **released > target(&package.version)) {
        let (package, version) = (package.name.clone(), package.version.clone());
        return Err(Error::ReleasedAhead { package, version, released: released.clone() });
    }
    let manifest = package.read_manifest()?;
    let collected = Job { selection, package, manifest: &manifest, packages: &args.packages, shell }.collect()?;
    refuse_twice(&collected)?;
    let ops = count(collected.ops.keys().filter(|name| *name != COMMON).count(), "operator");
    let mut lock = first_lock(&package.name, collected.ops, args.released.as_ref(), |lock, since| {
        let stamp = Stamp { since: Some(since.clone()), line: 0 };
        lock.positional = collected.positional;
        lock.upgrades = collected.upgrades.into_iter().map(|key| (key, stamp.clone())).collect();
        for (kind, declared) in &collected.saved {
            let saved = saved_after(lock, *kind, declared);
            lock.saved.extend(saved.map(|saved| (*kind, saved)));
        }
    });
    package.context(&manifest)?.note_version(&mut lock);
    // Somebody else may have made it meanwhile.
    if package.has_lock() {
        return Err(Error::LockExists(package.lock_path()));
    }
    write_file(&package.lock_path(), &lock.to_string())?;
    shell.status(
        "Created",
        format_args!("{} ({ops}, {}); commit it", package.lock_path().display(), since_of(args.released.as_ref())),
    );
    if git::prefix(&package.folder).is_some() {
        shell.status("Offered", "to let git merge locks by what they say:");
        shell.lines(&format!("             echo '{LOCK_FILE} merge=oplock' >> .gitattributes\n"));
        shell.lines("             git config merge.oplock.driver 'cargo oplock resolve --driver %O %A %B'\n");
    }
    Ok(())
}

/// The lock of a package that has none: all that it has is promised since that release, or unreleased. `more` adds what is
/// not an operator, before the release is sealed.
pub(super) fn first_lock(
    package: &str,
    ops: BTreeMap<String, OpDef>,
    released: Option<&Version>,
    more: impl FnOnce(&mut Lock, &Since),
) -> Lock {
    let since = since_of(released);
    let mut lock = Lock::new(package);
    if let Some(version) = released {
        lock.releases.insert(version.clone(), Release::new(today()));
    }
    lock.ops = ops.into_iter().map(|(name, def)| (name, OpEntry::new(def, &since))).collect();
    more(&mut lock, &since);
    if let Some(version) = released {
        seal_data(&mut lock, version);
        let digest = lock.digest(version);
        if let Some(release) = lock.releases.get_mut(version) {
            release.digest = Some(digest);
        }
    }
    lock
}

fn since_of(released: Option<&Version>) -> Since {
    released.map_or(Since::Unreleased, |version| Since::Release(version.clone()))
}
