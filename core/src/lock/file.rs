//! The lock on disk: always whole, either the old or the new.
//!
//! A writer holds a lock on its temporary file, which the system takes away with the process. So what a killed writer
//! left is told from what another one is writing, and the next write of the file removes it. Where commands run beside
//! each other, [`replace_file`] writes only in the place of what was read.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// What went wrong with a file, and with which.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What was being done: `read`, `write`, …
    pub action: &'static str,
    /// What the system said.
    pub error: io::Error,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.action, self.path.display(), self.error)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Reads a file's text; `None` where there is no file.
///
/// # Errors
///
/// When it cannot be read, is not UTF-8, or is a link to what is not there.
pub fn read_file(path: &Path) -> Result<Option<String>, FileError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => {
                let error =
                    io::Error::new(error.kind(), format!("it is a link to {}, which is not there", target.display()));
                Err(FileError { path: path.to_owned(), action: "read", error })
            }
            Err(_) => Ok(None),
        },
        Err(error) => Err(FileError { path: path.to_owned(), action: "read", error }),
    }
}

/// Puts a text in the place of a file: whoever reads at any moment, and whatever stops this process, the
/// file is the old one or the new one. Returns whether anything was written; a file that already has the
/// text is not touched.
///
/// # Errors
///
/// When the folder or file cannot be written; the old file is then still there, and nothing beside it.
pub fn write_file(path: &Path, text: &str) -> Result<bool, FileError> {
    let fail = |action| move |error| FileError { path: path.to_owned(), action, error };
    let target = pointed_at(path).map_err(fail("follow"))?;
    remove_left(&target);
    if read_file(path).is_ok_and(|old| old.as_deref() == Some(text)) {
        return Ok(false);
    }
    let temporary = Temporary::create(&target).map_err(fail("write"))?;
    (&temporary.file).write_all(text.as_bytes()).map_err(fail("write"))?;
    if let Ok(old) = fs::metadata(&target) {
        temporary.file.set_permissions(old.permissions()).map_err(fail("write"))?;
    }
    temporary.file.sync_all().map_err(fail("write"))?;
    fs::rename(&temporary.path, &target).map_err(fail("replace"))?;
    sync_folder(&target);
    Ok(true)
}

/// [`write_file`] in the place of what was read before: `old`, or no file. What another process wrote meanwhile stays,
/// unless it is that very text.
///
/// # Errors
///
/// As [`write_file`], and when the file is not what was read.
pub fn replace_file(path: &Path, old: Option<&str>, text: &str) -> Result<bool, FileError> {
    let fail = |action, error| FileError { path: path.to_owned(), action, error };
    let target = pointed_at(path).map_err(|error| fail("follow", error))?;
    let _others_wait = wait_for_others(&target);
    let found = read_file(path)?;
    if found.as_deref() != old && found.as_deref() != Some(text) {
        return Err(fail("replace", io::Error::other("another process wrote it meanwhile: run the command again")));
    }
    write_file(path, text)
}

/// Waits until no other process is between reading and writing, where the platform lets a folder be locked.
fn wait_for_others(target: &Path) -> Option<File> {
    let folder = File::open(folder_of(target)).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes what writers of the file left that were killed. Nobody needs it, so it hinders nobody where it cannot be removed.
fn remove_left(target: &Path) {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten() {
        let file = entry.file_name();
        let rest = file.to_str().and_then(|file| file.strip_prefix('.')?.strip_prefix(&*name)?.strip_prefix('.'));
        let is_ours = rest.and_then(|rest| rest.strip_suffix(".tmp")).is_some_and(|rest| {
            rest.split_once('-').is_some_and(|(process, count)| {
                [process, count].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
            })
        });
        let Some(file) = File::open(entry.path()).ok().filter(|_| is_ours) else { continue };
        // Whoever writes it now has it locked; one that only made it yet must find it locked until it is gone.
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A link stays a link, and what it points at is replaced, even where that is not there yet.
fn pointed_at(path: &Path) -> io::Result<PathBuf> {
    /// As many as systems follow themselves.
    const MOST: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("its symbolic links form a ring"))
}

/// Makes the rename itself last, where the platform lets a folder be synchronised.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// A file beside the target that goes when it is dropped, unless it was renamed away.
struct Temporary {
    file: File,
    path: PathBuf,
}

impl Temporary {
    fn create(target: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        /// Each attempt has a name of its own, so another process is in the way at most once for each.
        const MOST: u32 = 1000;
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        for _ in 0..MOST {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = target.with_file_name(format!(".{name}.{}-{count}.tmp", process::id()));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                // Left by a process of the same number that was killed, and not removable.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            let temporary = Temporary { file, path };
            match temporary.file.try_lock() {
                // Another process may have taken it for one that was left, before it was locked.
                Ok(()) if temporary.path.exists() => return Ok(temporary),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                // No file system has to know locks; what is left there stays.
                Err(TryLockError::Error(_)) => return Ok(temporary),
            }
        }
        Err(io::Error::other("other processes remove what is being written"))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
