//! Files that are named on the command line: what each should be, by which a message about one that is not says what to name.

use std::path::Path;
use std::{fmt, fs, io};

use oplock_core::lock::{FileError, read_file};
use oplock_core::{Lock, LockError};

use crate::error::Error;

/// What a file that is named should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Operators, whoever wrote them.
    Definitions,
    /// A saved graph of oplock.
    Graph,
    /// One of these, or a lock.
    GraphOrLock,
    /// A lock and nothing else.
    Lock,
    /// A model of any system.
    Model,
    /// The registry of op versions of `PaddlePaddle`.
    Registry,
    /// The manifest of a package.
    Manifest,
    /// The manifest of `oplock` itself, which an imported crate depends on.
    Oplock,
}

/// As what follows `name …`.
impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wanted::Definitions => "an ops.lock, or a file of definitions of PaddlePaddle, TensorFlow or ONNX",
            Wanted::Graph => "a graph that `Program::save` made, as protobuf or as JSON",
            Wanted::GraphOrLock => "a graph that `Program::save` made, as protobuf or as JSON, or an ops.lock",
            Wanted::Lock => "an ops.lock",
            Wanted::Model => {
                "a graph of oplock, a PaddlePaddle program (.pdmodel, __model__), an ONNX model, a TensorFlow graph or saved_model.pb"
            }
            Wanted::Registry => "the registry of op versions of that release of PaddlePaddle, a .opver.json",
            Wanted::Manifest => "the package's Cargo.toml: `--manifest-path PATH`",
            Wanted::Oplock => "the folder of the crate `oplock`: `--oplock ../oplock/runtime`",
        })
    }
}

/// Reads a file, which need not be text.
///
/// # Errors
///
/// When there is no such file, or it cannot be read.
pub(crate) fn read_bytes(path: &Path, wanted: Wanted) -> Result<Vec<u8>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(bytes),
        // It says more of a link to nowhere.
        Err(error) if error.kind() == io::ErrorKind::NotFound => read_text(path, wanted).map(String::into_bytes),
        Err(error) => Err(unreadable(path, wanted, error)),
    }
}

/// Reads a file of text.
///
/// # Errors
///
/// When there is no such file, or it cannot be read, or is no text.
pub(crate) fn read_text(path: &Path, wanted: Wanted) -> Result<String, Error> {
    let text = read_file(path).map_err(|error| Error::Unreadable { error, wanted })?;
    text.ok_or_else(|| Error::NoFile { path: path.to_owned(), wanted })
}

pub(crate) fn unreadable(path: &Path, wanted: Wanted, error: io::Error) -> Error {
    Error::Unreadable { error: FileError { path: path.to_owned(), action: "read", error }, wanted }
}

/// Reads a text as a lock. What is named so, or has a line of one, is a damaged lock where it cannot be read, and else none.
///
/// # Errors
///
/// When it is damaged, or no lock.
pub(crate) fn parse_lock(path: &Path, text: &str, wanted: Wanted) -> Result<Lock, Error> {
    Lock::parse(text, None).map_err(|error| {
        let path = path.to_owned();
        let begins = |line: &str| ["format", "package", "[release]", "[op]"].iter().any(|word| line.starts_with(word));
        if wanted != Wanted::Graph && (path.extension().is_some_and(|ext| ext == "lock") || text.lines().any(begins)) {
            return Error::Lock { path, error };
        }
        let LockError { line, kind } = error;
        let why = match wanted {
            _ if text.trim().is_empty() => "the file is empty".to_owned(),
            Wanted::Graph => "this is neither protobuf nor JSON".to_owned(),
            Wanted::GraphOrLock => format!("this is no graph, and no lock either: {kind}"),
            _ => format!("this is no lock, and nothing else that is known: {kind}"),
        };
        Error::NotWanted { path, line, why, wanted }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_lock_is_told_by_what_was_wanted() {
        for (path, text, wanted, expected) in [
            ("mk.py", "import x\n", Wanted::Graph, "mk.py:1: this is neither protobuf nor JSON"),
            ("ops.lock", "format = 1\npackage = \"x\"\nfoo = 1\n", Wanted::Graph, "ops.lock:3: this is neither"),
            ("a.txt", "import x\n", Wanted::Lock, "a.txt:1: this is no lock, and nothing else that is known: "),
            ("a.txt", "\n", Wanted::GraphOrLock, "a.txt:1: the file is empty"),
            ("a.txt", "format = 1\nfoo = 1\n", Wanted::Lock, "a.txt:2: "),
        ] {
            let error = parse_lock(Path::new(path), text, wanted).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
            let help = error.help().concat();
            let is_lock = matches!(error, Error::Lock { .. });
            assert_eq!(is_lock, text == "format = 1\nfoo = 1\n", "{error}");
            assert_eq!(is_lock, help.contains("restore it"), "{help}");
            assert!(is_lock || help == format!("name {wanted}"), "{help}");
        }
    }
}
