//! `cargo oplock seal --golden`: sample graphs of a release, which every later build loads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::Lock;
use oplock_core::lock::{FileError, write_file};
use oplock_graph::{Package as Writer, Program, golden};

use super::reads::{self, File};
use crate::error::Error;
use crate::named::Wanted;
use crate::package::Package;

/// The files that are to be written, checked and ready.
pub(super) struct Samples {
    folder: PathBuf,
    /// By their names.
    graphs: BTreeMap<String, String>,
    /// What lies beside a graph under its name, and is copied as it is.
    companions: Vec<PathBuf>,
}

impl Samples {
    /// Reads graphs, and makes of each what the release writes, whose sealed lock is given.
    ///
    /// # Errors
    ///
    /// When a file is no graph of this package, nothing is promised of it, or the release has another sample of its name.
    pub(super) fn prepare(package: &Package, sealed: &Lock, paths: &[PathBuf]) -> Result<Self, Error> {
        let folder = package.lock_path().with_file_name(golden::FOLDER).join(package.version.to_string());
        let writer = Writer::of_lock(sealed.clone(), package.version.clone());
        // It only writes, so it needs no upgrade function.
        let mut program = Program::default();
        program.packages_mut().insert(writer.name.clone(), writer);
        let mut samples = Samples { folder, graphs: BTreeMap::new(), companions: Vec::new() };
        for path in paths {
            let File::Graph(graph) = reads::read(path, Wanted::Graph)? else {
                return Err(Error::NoGraph(path.clone()));
            };
            let wrong = |refused| Error::NotGolden { path: path.clone(), refused };
            let graph = program.save(&graph).map_err(wrong)?.graph;
            let unpromised = graph.stamps.values().find_map(|stamp| stamp.unpromised.as_ref());
            if let Some(unpromised) = unpromised {
                return Err(Error::Unpromised { path: path.clone(), reason: unpromised.reason.clone() });
            }
            let text = graph.to_json().map_err(|error| Error::GraphWrite { path: path.clone(), error })?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{stem}.json");
            let there = samples.folder.join(&name);
            let is_other = fs::read_to_string(&there).is_ok_and(|found| found != text);
            if is_other || samples.graphs.insert(name, text).is_some() {
                return Err(Error::GoldenThere(there));
            }
            samples.companions.extend(companions(path)?);
        }
        Ok(samples)
    }

    /// Writes them.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub(super) fn write(&self) -> Result<(), Error> {
        fs::create_dir_all(&self.folder).map_err(|error| self.error("create", error))?;
        for (name, text) in &self.graphs {
            write_file(&self.folder.join(name), text)?;
        }
        for path in &self.companions {
            let to = self.folder.join(path.file_name().unwrap_or_default());
            fs::copy(path, to).map_err(|error| self.error("write", error))?;
        }
        Ok(())
    }

    /// `2 golden graphs in golden/1.0.0`
    pub(super) fn describe(&self) -> String {
        let count = crate::report::count(self.graphs.len(), "golden graph");
        format!("{count} in {}", self.folder.display())
    }

    fn error(&self, action: &'static str, error: std::io::Error) -> Error {
        Error::Folder { path: self.folder.clone(), action, error }
    }
}

/// The files beside a graph that have its name, and are no form of the graph itself.
fn companions(graph: &Path) -> Result<Vec<PathBuf>, Error> {
    let folder = graph.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wrong = |error| FileError { path: folder.to_owned(), action: "read", error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let is_graph = path.extension().is_none_or(|ext| ["json", "graph", "pb"].iter().any(|form| ext == *form));
        if path.file_stem() == graph.file_stem() && path.is_file() && !is_graph {
            found.push(path);
        }
    }
    Ok(found)
}
