//! `cargo oplock rename`: the lock follows a package whose name changed, with all that it promises.

use oplock_core::lock::write_file;

use crate::args::Rename;
use crate::error::Error;
use crate::exit::Exit;
use crate::package::select;
use crate::shell::Shell;

/// Exits with 2 where the lock is that of neither name: it may have been copied here from elsewhere.
pub(super) fn run(args: &Rename, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.select)?;
    let package = selection.only()?;
    let (_, mut lock) = package.read_lock_of(None)?;
    let (path, name) = (package.lock_path(), &package.name);
    if lock.package == *name {
        shell.status("Unchanged", format_args!("{} is the lock of {name} already", path.display()));
        return Ok(Exit::Clean);
    }
    if lock.package != args.old {
        return Err(Error::OtherLock { path, found: lock.package, old: args.old.clone() });
    }
    lock.rename(name);
    write_file(&path, &lock.to_string())?;
    shell.status("Renamed", format_args!("{}: {} is {name} now; commit it with Cargo.toml", path.display(), args.old));
    if lock.formerly.contains(&args.old) {
        shell.status("Kept", format_args!("what {} saved is read as {name}'s own", args.old));
    }
    Ok(Exit::Clean)
}
