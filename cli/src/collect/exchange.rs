//! What one machine collected, for another: `collect --out DIR` writes it, `update --from DIR` takes it in.
//!
//! `DIR/PACKAGE/collection.json` says of what it was collected; `DIR/PACKAGE/run-N` holds the records of one run of
//! cargo.

use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::collect::Record;
use oplock_core::lock::{read_file, write_file};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::package::Package;

const MANIFEST: &str = "collection.json";
const SCHEMA: u32 = 1;

/// Of what a collection is.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    schema: u32,
    package: String,
    version: String,
    runs: usize,
}

/// Writes what was told into the folder, in place of what an earlier run has left there.
///
/// # Errors
///
/// When the folder cannot be written.
pub(crate) fn write(package: &Package, out: &Path, runs: &[Vec<Record>]) -> Result<PathBuf, Error> {
    let folder = out.join(&package.name);
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |error| Error::Folder { path, action: "write", error }
    };
    if folder.join(MANIFEST).is_file() {
        fs::remove_dir_all(&folder).map_err(fail(&folder))?;
    }
    for (i, records) in runs.iter().enumerate() {
        let run = folder.join(format!("run-{i}"));
        fs::create_dir_all(&run).map_err(fail(&run))?;
        for record in records {
            write_file(&run.join(record.file_name()), &record.to_text())?;
        }
    }
    let version = package.version.to_string();
    let manifest = Manifest { schema: SCHEMA, package: package.name.clone(), version, runs: runs.len() };
    let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    // It comes last: a folder without it is no collection.
    write_file(&folder.join(MANIFEST), &format!("{text}\n"))?;
    Ok(folder)
}

/// The records of a package in these folders, a list for each run.
///
/// # Errors
///
/// When a folder has no collection of the package, or one of another version.
pub(super) fn read(package: &Package, folders: &[PathBuf]) -> Result<Vec<Vec<Record>>, Error> {
    let mut runs = Vec::new();
    for folder in folders {
        let folder = folder.join(&package.name);
        let bad = |path: &Path, reason: String| Error::BadCollection { path: path.to_owned(), reason };
        let path = folder.join(MANIFEST);
        let text = read_file(&path)?
            .ok_or_else(|| bad(&path, format!("there is no collection of package `{}`", package.name)))?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| bad(&path, error.to_string()))?;
        if manifest.schema != SCHEMA {
            return Err(bad(&path, format!("it has schema {}, and this version reads {SCHEMA}", manifest.schema)));
        }
        if (manifest.package.as_str(), manifest.version) != (&package.name, package.version.to_string()) {
            return Err(bad(
                &path,
                format!("it was collected of another package or version than {}", package.describe()),
            ));
        }
        for i in 0..manifest.runs {
            runs.push(read_run(&folder.join(format!("run-{i}")))?);
        }
    }
    Ok(runs)
}

fn read_run(folder: &Path) -> Result<Vec<Record>, Error> {
    let fail = |error| Error::Folder { path: folder.to_owned(), action: "read", error };
    let mut paths = Vec::new();
    for file in fs::read_dir(folder).map_err(fail)? {
        paths.push(file.map_err(fail)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "toml"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = read_file(&path)?.unwrap_or_default();
        Record::parse(&text).map_err(|error| Error::Record { path, error })
    };
    paths.into_iter().map(read).collect()
}
