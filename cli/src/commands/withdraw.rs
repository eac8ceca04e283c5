//! `cargo oplock withdraw`: takes back what no release carries yet: all that is named, or nothing.

use oplock_core::judge::{WithdrawError, withdraw};
use oplock_core::lock::replace_file;

use crate::args::Withdraw;
use crate::error::Error;
use crate::exit::Exit;
use crate::package::select;
use crate::shell::{self, Shell};

/// Exits with 100 where a release carries it, and with 2 where the lock has nothing of that name to take back.
pub(super) fn run(args: &Withdraw, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.select)?;
    let package = selection.only()?;
    let (text, mut lock) = package.read_lock()?;
    for path in &args.paths {
        lock = match withdraw(&lock, path) {
            Ok(lock) => lock,
            Err(error) => {
                shell::error(format_args!("{}: {error}", package.lock_path().display()));
                return Ok(match error {
                    WithdrawError::Released { .. } => Exit::Break,
                    WithdrawError::Unknown { .. }
                    | WithdrawError::Ambiguous { .. }
                    | WithdrawError::Renamed { .. }
                    | WithdrawError::Unpromised { .. } => Exit::Usage,
                });
            }
        };
    }
    replace_file(&package.lock_path(), Some(&text), &lock.to_string())?;
    shell.status("Withdrawn", format_args!("{}; next: `cargo oplock update`", args.paths.join(", ")));
    Ok(Exit::Clean)
}
