//! What operators a package declares: the macros tell, while `cargo check` expands them.
//!
//! No Rust source is parsed here. A result counts only if cargo succeeded and `lock!` told that the crate was
//! expanded at all; nothing is ever taken for deleted because nobody spoke of it.

mod cargo;
mod everywhere;
pub(crate) mod exchange;
mod merge;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use oplock_core::collect::{Expansion, Record};
use oplock_core::lock::{Line, read_file};
use oplock_core::manifest::Manifest;
use oplock_core::{Condition, DataVersions, Map, OpDef, SavedKind, Set};

use crate::args::Packages;
use crate::error::Error;
use crate::package::{Package, Selection};
use crate::shell::{self, Shell};

use cargo::{Cargo, Features, Folders};
pub(crate) use merge::MergeError;
use merge::Seen;

/// The operators that a package declares.
pub(crate) struct Collected {
    /// By name.
    pub(crate) ops: BTreeMap<String, OpDef>,
    /// Where each is declared.
    pub(crate) places: BTreeMap<String, Place>,
    /// The data versions of each kind of data of which `lock!` says anything.
    pub(crate) saved: Map<SavedKind, DataVersions>,
    /// Whether the places of operands are promised.
    pub(crate) positional: bool,
    /// The upgrade functions: of which operator, and for what was saved before which data version.
    pub(crate) upgrades: Set<(String, u32)>,
    /// The features with which each build succeeded.
    builds: Vec<Features>,
    /// How many operators the guarantee does not cover: `unlocked`, `experimental` and `_` ones.
    pub(crate) outside: usize,
    /// How many of those are `unlocked`, and so not among `ops`.
    pub(crate) unlocked: usize,
}

/// What the macros told, a list for each run of cargo.
pub(crate) struct Told {
    /// The records of each run.
    pub(crate) runs: Vec<Vec<Record>>,
    /// The features with which each build succeeded.
    builds: Vec<Features>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The file, as rustc names it.
    pub(crate) file: String,
    /// The line in it.
    pub(crate) line: Line,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A package whose macros are to tell, and how it is built.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) package: &'a Package,
    pub(crate) manifest: &'a Manifest,
    pub(crate) packages: &'a Packages,
    pub(crate) shell: &'a Shell,
}

impl Job<'_> {
    /// Collects the operators of the package, together with what was collected elsewhere.
    ///
    /// # Errors
    ///
    /// When the package does not build, is not expanded, or declares one name in two ways.
    pub(crate) fn collect(self) -> Result<Collected, Error> {
        let elsewhere = exchange::read(self.package, &self.packages.build.from)?;
        let Told { mut runs, builds } = self.tell()?;
        runs.extend(elsewhere);
        let unlocked: BTreeSet<_> = runs
            .iter()
            .flatten()
            .filter_map(|record| match &record.of {
                Expansion::Op(op) if op.unlocked => Some(op.def.name.to_string()),
                _ => None,
            })
            .collect();
        let saved = merge::saved(runs.iter().flatten())?;
        let positional = merge::positional(runs.iter().flatten())?;
        let upgrades = runs.iter().flatten().filter_map(|record| match &record.of {
            Expansion::Upgrade(op, before) => Some((op.clone(), *before)),
            _ => None,
        });
        let upgrades = upgrades.collect();
        let seen = runs.iter().enumerate().flat_map(|(run, records)| {
            records.iter().filter_map(move |record| Seen::of(run, record.clone(), positional))
        });
        let merged = merge::merge(seen.collect())?;
        everywhere::check(&runs, &builds, &merged)?;
        let (ops, places) = merged;
        let unlocked = unlocked.len();
        let outside = unlocked + ops.values().filter(|op| !op.is_guarded()).count();
        Ok(Collected { ops, places, saved, positional, upgrades, builds, outside, unlocked })
    }

    /// Lets the macros tell, once for the features of the command line and once for each set of features that the
    /// manifest lists.
    ///
    /// # Errors
    ///
    /// When the package does not build, or is not expanded.
    pub(crate) fn tell(self) -> Result<Told, Error> {
        let Job { selection, package, manifest, shell, .. } = self;
        let build = &self.packages.build;
        if package.roots.all().is_empty() {
            return Err(Error::NoTarget { package: package.name.clone() });
        }
        let folders = Folders::new(&selection.target_directory)?;
        let cargo = self.cargo(&folders);
        let first = Features::of_command_line(&build.features, package, selection.packages())?;
        let mut sets: Vec<_> = vec![first];
        for set in &manifest.feature_sets {
            let set = Features::of_set(set, &build.features);
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        let mut runs = Vec::new();
        let mut builds = Vec::new();
        for (run, features) in sets.iter().enumerate() {
            let result = cargo.check(features, shell).and_then(|folder| read_records(package, folder.path()));
            match result {
                Ok(records) => {
                    runs.push(records);
                    builds.push(features.clone());
                }
                Err(error @ Error::DoesNotBuild { .. }) if run > 0 => {
                    shell::raw(error.output().unwrap_or_default());
                    shell::warning(
                        format_args!(
                            "package `{}` does not build{}: what only these declare is left as the lock has it",
                            package.name,
                            features.describe()
                        ),
                        "run this where it builds, or mend [package.metadata.oplock] features in Cargo.toml",
                    );
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Told { runs, builds })
    }

    /// The flags that held in each of the builds that were made: features, those of the platform, of a build script.
    ///
    /// # Errors
    ///
    /// When cargo cannot tell.
    pub(crate) fn flags_that_held(self, collected: &Collected) -> Result<Vec<BTreeSet<Condition>>, Error> {
        let folders = Folders::new(&self.selection.target_directory)?;
        let cargo = self.cargo(&folders);
        collected.builds.iter().map(|features| cargo.flags_that_hold(features)).collect()
    }

    fn cargo<'f>(&'f self, folders: &'f Folders) -> Cargo<'f> {
        Cargo { package: self.package, build: &self.packages.build, flags: &self.packages.select.cargo, folders }
    }
}

/// What the macros wrote of this package's own crates; other crates of the build are expanded too.
fn read_records(package: &Package, folder: &Path) -> Result<Vec<Record>, Error> {
    let fail = |error| Error::Folder { path: folder.to_owned(), action: "read", error };
    let own_folder = fs::canonicalize(&package.folder).unwrap_or_else(|_| package.folder.clone());
    let mut records = Vec::new();
    let mut paths = Vec::new();
    for file in fs::read_dir(folder).map_err(fail)? {
        paths.push(file.map_err(fail)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "toml"));
    paths.sort();
    for path in paths {
        let text = read_file(&path)?.unwrap_or_default();
        let record = Record::parse(&text).map_err(|error| Error::Record { path: path.clone(), error })?;
        let of_package = fs::canonicalize(&record.manifest_dir).is_ok_and(|folder| folder == own_folder);
        if of_package && package.roots.all().iter().any(|root| root.crate_name == record.crate_name) {
            records.push(record);
        }
    }
    let roots: BTreeSet<_> =
        records.iter().filter(|r| matches!(r.of, Expansion::Lock(..))).map(|r| r.crate_name.clone()).collect();
    if roots.len() > 1 {
        let (package, bins) = (package.name.clone(), roots.into_iter().collect());
        return Err(Error::SeveralRoots { package, bins });
    }
    if !roots.is_empty() {
        return Ok(records);
    }
    let relative = |path: &Path| path.strip_prefix(&package.folder).unwrap_or(path).display().to_string();
    let roots = package.roots.all().iter().map(|root| relative(&root.path)).collect();
    Err(Error::NotExpanded { package: package.name.clone(), roots })
}
