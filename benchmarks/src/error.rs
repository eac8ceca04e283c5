//! Why a benchmark could not run.

use std::io;
use std::path::PathBuf;

/// Why a benchmark could not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file or folder.
    #[error("cannot {action} {}: {error}", path.display())]
    File {
        /// What was being done: `read`, `write`, …
        action: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    /// A program that did not start.
    #[error("cannot run `{program}`: {error}{hint}")]
    Start {
        program: String,
        error: io::Error,
        /// How it is installed, or nothing.
        hint: &'static str,
    },
    /// A program that failed.
    #[error("`{command}` failed with {status}\n{stderr}")]
    Failed { command: String, status: std::process::ExitStatus, stderr: String },
    /// A program that said something else than expected.
    #[error("`{program}` did not say {expected}, but: {found}")]
    Unreadable { program: String, expected: &'static str, found: String },
    /// The graphs that are measured are sound, so whatever refuses them is at fault.
    #[error("the graph is not {action}: {error}")]
    Graph {
        /// What was being done: `saved`, `loaded`, …
        action: &'static str,
        error: String,
    },
    /// The operators of the example make no registry.
    #[error("the example's operators make no registry: {0}")]
    Registry(String),
    /// Two programs that should count the same.
    #[error("`cargo oplock diff` counts {ours} breaks, and diff.py {theirs}")]
    Unequal { ours: usize, theirs: usize },
    /// A file of definitions that cannot be measured.
    #[error("{} holds no definitions of PaddlePaddle, TensorFlow or ONNX that can be declared: {error}", path.display())]
    Definitions { path: PathBuf, error: String },
    /// A budget that is none.
    #[error("{} is no budget, a JSON object of numbers: {error}", path.display())]
    Budget { path: PathBuf, error: String },
    /// What takes more than it may.
    #[error(
        "above the budget:\n  {0}\n  help: spend less, or say why it is worth it and take the new counts: \
         `cargo run --release -p oplock-benchmarks -- instructions --write`"
    )]
    AboveBudget(String),
    /// No program lies where this one does.
    #[error("cannot tell where this program lies, beside which the generated crates are put: {0}")]
    Unplaced(String),
}

/// The error of a file or folder, for `map_err`.
pub(crate) fn file(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
    let path = path.into();
    move |error| Error::File { action, path, error }
}
