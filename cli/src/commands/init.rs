//! `cargo oplock init`: the first lock of a package. It never takes the place of another.

use std::collections::BTreeMap;

use oplock_core::judge::{Source, judge_source, saved_after, seal_data, take_over};
use oplock_core::lock::{OpEntry, Release, Since, Stamp, read_file, write_file};
use oplock_core::version::target;
use oplock_core::{Context, LOCK_FILE, Lock, OpDef};
use semver::Version;

use crate::args::{Format, Init};
use crate::collect::{Collected, Job, Place};
use crate::error::Error;
use crate::exit::Exit;
use crate::git;
use crate::package::{Package, Selection, select};
use crate::report::{Change, Item, Report, Sought, count};
use crate::shell::{self, Shell};
use crate::today::today;

use super::update::{other_lock, tell_taken};

pub(super) fn run(args: &Init, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.packages.select)?;
    let others = args.moved_from.iter().map(|path| other_lock(path)).collect::<Result<Vec<_>, _>>()?;
    let (locked, missing): (Vec<_>, Vec<_>) = selection.users()?.into_iter().partition(|package| package.has_lock());
    if let (Some(package), true) = (locked.first(), missing.is_empty() || selection.packages().len() == 1) {
        read_file(&package.lock_path())?; // a link that leads nowhere is no lock either
        return Err(Error::LockExists(package.lock_path()));
    }
    if let (false, [_, _, ..]) = (others.is_empty(), &missing[..]) {
        return Err(Error::SeveralPackages(missing.iter().map(|package| package.name.clone()).collect()));
    }
    for package in &locked {
        shell.status("Unchanged", format_args!("{} has a lock", package.describe()));
    }
    let (mut exit, mut skipped) = (Exit::Clean, 0);
    for package in &missing {
        match init(&selection, package, args, &others, shell) {
            Ok(ended) => exit = exit.max(ended),
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

/// What no version may say, though no lock is there yet that remembers anything: judged as `update` judges it.
///
/// `empty` is that lock, with what it takes over of other packages.
fn refused(empty: &Lock, context: &Context, source: &Source, places: &BTreeMap<String, Place>) -> Vec<Item> {
    let (judgement, _) = judge_source(empty, context, source, &|_| false);
    let items = judgement.findings.into_iter().map(|judged| {
        let place = places.get(&judged.finding.op).cloned();
        Item { change: Change::Judged(judged), place, witness: Sought::Not }
    });
    items.filter(Item::is_refused).collect()
}

fn init(selection: &Selection, package: &Package, args: &Init, others: &[Lock], shell: &Shell) -> Result<Exit, Error> {
    if git::head_has_lock(&package.folder) {
        return Err(Error::LostLock(package.lock_path()));
    }
    if let Some(released) = args.released.as_ref().filter(|released| **released > target(&package.version)) {
        let (package, version) = (package.name.clone(), package.version.clone());
        return Err(Error::ReleasedAhead { package, version, released: released.clone() });
    }
    let manifest = package.read_manifest()?;
    let context = package.context(&manifest)?;
    let Collected { ops, saved, positional, upgrades, places, .. } =
        Job { selection, package, manifest: &manifest, packages: &args.packages, shell }.collect()?;
    let source = Source { ops, saved, positional, upgrades };
    let mut empty = Lock::new(&package.name);
    for other in others {
        empty = take_over(&empty, other, source.ops.values())?;
    }
    let items = refused(&empty, &context, &source, &places);
    if !items.is_empty() {
        let (file, root) = (selection.relative(&package.lock_path()), Some(selection.root.as_path()));
        let report =
            Report { package: Some(&package.name), root, file, items: &items, notes: Vec::new(), is_done: false };
        shell::print(&report.to_text(Format::Human))?;
        shell::error(format_args!(
            "{}: {} that no version may have; no lock was made",
            package.name,
            count(items.len(), "declaration")
        ));
        return Ok(Exit::Break);
    }
    let ops = count(source.operators(), "operator");
    let mut lock = first_lock(&package.name, source.ops, args.released.as_ref(), |lock, since| {
        let stamp = Stamp { since: Some(since.clone()), line: 0 };
        lock.positional = source.positional;
        lock.moved = empty.moved;
        lock.upgrades = source.upgrades.into_iter().map(|key| (key, stamp.clone())).collect();
        for (kind, declared) in &source.saved {
            let saved = saved_after(lock, *kind, declared);
            lock.saved.extend(saved.map(|saved| (*kind, saved)));
        }
    });
    context.note_version(&mut lock);
    // Somebody else may have made it meanwhile.
    if package.has_lock() {
        return Err(Error::LockExists(package.lock_path()));
    }
    write_file(&package.lock_path(), &lock.to_string())?;
    shell.status(
        "Created",
        format_args!("{} ({ops}, {}); commit it", package.lock_path().display(), since_of(args.released.as_ref())),
    );
    for moved in lock.moved.values() {
        tell_taken(moved, shell);
    }
    if git::prefix(&package.folder).is_some() {
        shell.status("Offered", "to let git merge locks by what they say:");
        shell.lines(&format!("             echo '{LOCK_FILE} merge=oplock' >> .gitattributes\n"));
        shell.lines("             git config merge.oplock.driver 'cargo oplock resolve --driver %O %A %B'\n");
    }
    Ok(Exit::Clean)
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
