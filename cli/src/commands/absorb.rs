//! `cargo oplock absorb`: takes the releases of another line over, and what they promise.

use oplock_core::lock::{Merged, absorb};

use super::resolve::{keep_both, write};
use crate::args::Absorb;
use crate::base::Bases;
use crate::error::Error;
use crate::exit::Exit;
use crate::package::select;
use crate::report::count;
use crate::shell::Shell;

pub(super) fn run(args: &Absorb, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.select)?;
    let package = selection.only()?;
    let (_, lock) = package.read_lock()?;
    let others = Bases::find(&args.other, &package.folder)?;
    let Some(other) = others.of(package, true)? else {
        return Err(Error::NoOther { package: package.name.clone(), place: others.name() });
    };
    if !lock.is_of(&other.lock.package) && !other.lock.is_of(&lock.package) {
        return Err(Error::OtherBase(other.place));
    }
    let Merged { lock: new, choices } = absorb(&lock, &other.lock);
    keep_both([&lock, &other.lock], &new, package.read_manifest()?.options(), &package.lock_path(), false)?;
    let releases = new.releases.len() - lock.releases.len();
    for choice in &choices {
        shell.attention("Chosen", choice);
    }
    if new == lock {
        shell.status("Unchanged", format_args!("{}: it has all that {} has", package.name, other.place));
        return Ok(Exit::Clean);
    }
    write(&package.lock_path(), &new)?;
    shell.status(
        "Absorbed",
        format_args!("{} ({}); next: `cargo oplock update`", other.place, count(releases, "release")),
    );
    Ok(Exit::Clean)
}
