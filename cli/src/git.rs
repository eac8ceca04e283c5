//! What is asked of git: only whether its newest commit has a file. Without git, or outside a repository, it has not.

use std::path::Path;
use std::process::{Command, Stdio};

use oplock_core::LOCK_FILE;

/// Whether git's HEAD has a lock in that folder.
pub(crate) fn head_has_lock(folder: &Path) -> bool {
    Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["cat-file", "-e", &format!("HEAD:./{LOCK_FILE}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
