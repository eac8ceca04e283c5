//! The lock on disk: always whole, either the old or the new.

use std::fmt;
use std::fs::{self, File, OpenOptions};
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
    if read_file(path).is_ok_and(|old| old.as_deref() == Some(text)) {
        return Ok(false);
    }
    let fail = |action| move |error| FileError { path: path.to_owned(), action, error };
    let target = pointed_at(path).map_err(fail("follow"))?;
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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
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
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = target.with_file_name(format!(".{name}.{}-{count}.tmp", process::id()));
        let create = || OpenOptions::new().write(true).create_new(true).open(&path);
        let file = match create() {
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(&path)?;
                create()
            }
            made => made,
        }?;
        Ok(Temporary { file, path })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
