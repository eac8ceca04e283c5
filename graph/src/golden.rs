//! Golden graphs: small sample graphs of each release, which every later build loads.
//!
//! `cargo oplock seal --golden GRAPH…` records them as `golden/VERSION/NAME.json` beside the lock, with the files beside a graph that have its
//! name. Where the package has them, `lock!` adds a test that loads them all (with oplock's feature `graph`). A test of the package's own
//! can also compute them:
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use oplock::graph::{Program, golden};
//! use std::path::Path;
//!
//! let count = golden::check(Program::linked()?, Path::new(env!("CARGO_MANIFEST_DIR")), |sample| {
//!     // What the graph computes is held against a file beside it, such as `sample.beside("scores")`.
//!     assert!(!sample.loaded.graph.blocks.is_empty());
//!     Ok(())
//! })?;
//! assert!(count > 0);
//! # Ok(())
//! # }
//! ```

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use oplock_core::report::shell_word;
use oplock_registry::{CrateOps, Registry};
use semver::Version;
use thiserror::Error;

use crate::{Graph, LoadOptions, Loaded, Problem, Program, ReadError, Refused, VersionProblem};

/// The folder beside the lock that has a folder for each release.
pub const FOLDER: &str = "golden";

/// A sample graph of a release, loaded by this build.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The release that wrote it.
    pub release: Version,
    /// Its file.
    pub path: PathBuf,
    /// What this build makes of it.
    pub loaded: Loaded,
}

impl Sample {
    /// The file of that extension beside the graph, for what belongs to it: weights, inputs, expected outputs.
    pub fn beside(&self, extension: &str) -> PathBuf {
        self.path.with_extension(extension)
    }
}

/// Why a golden graph is no longer what it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A folder is not named as a release.
    #[error("{}: a folder of golden graphs is named as the release that wrote them: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong with its name.
        error: semver::Error,
    },
    /// A graph cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: ReadError,
    },
    /// This build refuses a graph.
    #[error("{}: this build does not load it\n{refused}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why not.
        refused: Refused,
    },
    /// The caller found it to be another one.
    #[error("{}: {error}", path.display())]
    Evaluation {
        /// The file.
        path: PathBuf,
        /// What the caller says.
        error: Box<dyn Error>,
    },
}

/// Loads every golden graph of a package, whose folder is given, and has each evaluated; returns how many.
///
/// One that was saved before `min_producer` is left out: it is read no more, as was announced.
///
/// # Errors
///
/// [`GoldenError`], for the first that does not load or that `evaluate` refuses, in the order of the releases and names.
pub fn check(
    program: &Program,
    package: &Path,
    evaluate: impl FnMut(&Sample) -> Result<(), Box<dyn Error>>,
) -> Result<usize, GoldenError> {
    check_by(|graph| program.load(graph, LoadOptions::default()), package, evaluate)
}

fn check_by(
    load: impl Fn(Graph) -> Result<Loaded, Refused>,
    package: &Path,
    mut evaluate: impl FnMut(&Sample) -> Result<(), Box<dyn Error>>,
) -> Result<usize, GoldenError> {
    let folder = package.join(FOLDER);
    if !folder.exists() {
        return Ok(0);
    }
    let mut releases = Vec::new();
    for path in entries(&folder)?.into_iter().filter(|path| path.is_dir()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match Version::parse(&name) {
            Ok(version) => releases.push((version, path)),
            Err(error) => return Err(GoldenError::Folder { path, error }),
        }
    }
    releases.sort();
    let mut count = 0;
    for (release, folder) in releases {
        for path in entries(&folder)?.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "json")) {
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) => return Err(GoldenError::File { path, error }),
            };
            let graph = match Graph::from_json(&text) {
                Ok(graph) => graph,
                Err(error) => return Err(GoldenError::Unreadable { path, error }),
            };
            let loaded = match load(graph) {
                Ok(loaded) => loaded,
                Err(refused) if is_too_old(&refused) => continue,
                Err(refused) => return Err(GoldenError::Refused { path, refused }),
            };
            let sample = Sample { release: release.clone(), path, loaded };
            if let Err(error) = evaluate(&sample) {
                return Err(GoldenError::Evaluation { path: sample.path, error });
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Whether a graph is below `min_producer`, whatever else is wrong with it.
fn is_too_old(refused: &Refused) -> bool {
    let is_it = |problem: &VersionProblem| matches!(problem, VersionProblem::TooOld { .. });
    refused.problems.iter().any(|problem| matches!(problem, Problem::Version(of) if is_it(of)))
}

/// The body of the test that `lock!` generates: this crate alone loads all golden graphs that are there, or together with what the test links, to
/// which an operator may have moved.
///
/// # Panics
///
/// When one does not load.
#[doc(hidden)]
pub fn assert_all(table: &'static CrateOps, package: &str) {
    if !Path::new(package).join(FOLDER).exists() {
        return;
    }
    let registry = Registry::of(&[table]).unwrap_or_else(|error| panic!("{error}"));
    let program = Program::of_registry(&registry).unwrap_or_else(|error| panic!("{error}"));
    let load = |graph: Graph| {
        program.load(graph.clone(), LoadOptions::default()).or_else(|refused| {
            let linked = Program::linked().map_err(|_| refused.clone())?;
            linked.load(graph, LoadOptions::default()).map_err(|_| refused)
        })
    };
    if let Err(error) = check_by(load, Path::new(package), |_| Ok(())) {
        let (what, help) = match &error {
            GoldenError::Refused { .. } | GoldenError::Evaluation { .. } => (
                "what a release saved does not load any more",
                "golden graphs are never changed: mend the operators, or their upgrade functions".to_owned(),
            ),
            GoldenError::Folder { .. } => (
                "golden graphs are not where they belong",
                "`cargo oplock seal --golden GRAPH` makes the folders".to_owned(),
            ),
            GoldenError::File { path, .. } | GoldenError::Unreadable { path, .. } => (
                "a golden graph cannot be read",
                format!(
                    "bring it back as it was recorded: `git checkout -- {}`",
                    shell_word(&path.display().to_string())
                ),
            ),
        };
        panic!("{what}\n{error}\n  help: {help}");
    }
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let wrong = |error| GoldenError::File { path: folder.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(wrong)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    paths.sort();
    Ok(paths)
}
