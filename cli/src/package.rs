//! Which packages are meant, and what of them a command needs: the manifest, the lock, the targets.
//!
//! Only the workspace itself is asked for, so nothing here needs the network.

use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand, TargetKind};
use oplock_core::approvals::{APPROVALS_FILE, Approvals};
use oplock_core::lock::read_file;
use oplock_core::manifest::Manifest;
use oplock_core::{Context, LOCK_FILE, Lock, did_you_mean};
use semver::Version;

use crate::args::Select;
use crate::error::Error;
use crate::git;
use crate::named::{Wanted, read_text};

/// A package of the workspace.
#[derive(Clone)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: Version,
    /// How cargo names it where names are ambiguous.
    pub(crate) id: String,
    pub(crate) manifest_path: PathBuf,
    /// The folder of the manifest.
    pub(crate) folder: PathBuf,
    /// The crates that can hold its locked operators: the library, or else the binaries.
    pub(crate) roots: Roots,
    /// Every feature that cargo knows of.
    pub(crate) features: Vec<String>,
    /// Whether it depends on `oplock` itself, under whatever name.
    pub(crate) uses_oplock: bool,
    /// Whether it can be published.
    pub(crate) is_publishable: bool,
}

/// The crates of a package that can hold locked operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// The library.
    Lib(Root),
    /// Without one, the binaries.
    Bins(Vec<Root>),
}

/// The root of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    /// The target's name, as cargo knows it.
    pub(crate) target: String,
    /// The crate's name, as rustc knows it.
    pub(crate) crate_name: String,
    /// Its file.
    pub(crate) path: PathBuf,
}

impl Roots {
    /// All of them.
    pub(crate) fn all(&self) -> &[Root] {
        match self {
            Roots::Lib(root) => std::slice::from_ref(root),
            Roots::Bins(roots) => roots,
        }
    }
}

/// What was selected.
pub(crate) struct Selection {
    /// The packages, by name.
    packages: Vec<Package>,
    /// Whether the user meant these and no others: by name, or by standing in the one package.
    is_explicit: bool,
    /// Where the workspace's own builds go.
    pub(crate) target_directory: PathBuf,
    /// The folder of the workspace, in which cargo builds.
    pub(crate) root: PathBuf,
}

/// Finds the packages that the arguments select, as cargo does: those named, all, or the one at hand; all of a
/// workspace whose root is no package.
///
/// # Errors
///
/// When cargo cannot read the workspace, or has no such package.
pub(crate) fn select(args: &Select) -> Result<Selection, Error> {
    let mut command = MetadataCommand::new();
    if let Some(path) = &args.manifest.manifest_path {
        command.manifest_path(path);
    }
    command.no_deps().other_options(args.cargo.to_args());
    let metadata = command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => Error::Workspace { output: stderr },
        cargo_metadata::Error::Io(error) => Error::NoCargo { program: "cargo metadata".to_owned(), error },
        other => Error::Metadata(other),
    })?;
    let all: Vec<_> = metadata.workspace_packages().into_iter().map(Package::of).collect();
    let workspace = &args.workspace;
    for spec in workspace.package.iter().chain(&workspace.exclude) {
        if !all.iter().any(|package| package.is_named(spec)) {
            let hint = did_you_mean(spec, all.iter().map(|package| package.name.as_str()));
            return Err(Error::NoPackage { spec: spec.clone(), hint });
        }
    }
    let is_one_of = |specs: &[String], package: &Package| specs.iter().any(|spec| package.is_named(spec));
    let at_hand = manifest_at_hand(args);
    let is_at_hand = |package: &Package| at_hand.is_some() && at_hand == fs::canonicalize(&package.manifest_path).ok();
    let is_named = !workspace.package.is_empty();
    let is_whole = !is_named && (workspace.workspace || workspace.all || !all.iter().any(is_at_hand));
    let mut packages: Vec<_> = all
        .into_iter()
        .filter(|package| match (is_named, is_whole) {
            (true, _) => is_one_of(&workspace.package, package),
            (false, true) => !is_one_of(&workspace.exclude, package),
            (false, false) => is_at_hand(package),
        })
        .collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    if packages.is_empty() {
        return Err(Error::NothingSelected);
    }
    Ok(Selection {
        packages,
        is_explicit: !is_whole,
        target_directory: metadata.target_directory.into_std_path_buf(),
        root: metadata.workspace_root.into_std_path_buf(),
    })
}

/// The manifest that cargo would take: the one named, or the nearest above the current folder.
fn manifest_at_hand(args: &Select) -> Option<PathBuf> {
    if let Some(path) = &args.manifest.manifest_path {
        return fs::canonicalize(path).ok();
    }
    let folder = std::env::current_dir().ok()?;
    let manifest = folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file())?;
    fs::canonicalize(manifest).ok()
}

impl Selection {
    /// The packages that have a lock.
    ///
    /// # Errors
    ///
    /// When there is none, or one was lost: git has it, and the working tree has not.
    pub(crate) fn locked(&self) -> Result<Vec<&Package>, Error> {
        for package in &self.packages {
            if package.uses_oplock && !package.has_lock() && git::head_has_lock(&package.folder) {
                return Err(Error::LostLock(package.lock_path()));
            }
        }
        let locked: Vec<_> = self.packages.iter().filter(|package| package.has_lock()).collect();
        match (&self.packages[..], locked.is_empty()) {
            ([package], true) => Err(package.no_lock()),
            (_, true) => Err(Error::NoLocks),
            _ if self.is_explicit && locked.len() < self.packages.len() => {
                let missing = self.packages.iter().find(|package| !package.has_lock());
                Err(missing.map_or(Error::NoLocks, Package::no_lock))
            }
            _ => Ok(locked),
        }
    }

    /// The packages that declare operators, or that the user says do.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub(crate) fn users(&self) -> Result<Vec<&Package>, Error> {
        let users: Vec<_> = self.packages.iter().filter(|package| self.is_explicit || package.uses_oplock).collect();
        if users.is_empty() { Err(Error::NoUsers) } else { Ok(users) }
    }

    /// The one package, for a command that is about one: the only one selected, or the only one with a lock.
    ///
    /// # Errors
    ///
    /// When there are several.
    pub(crate) fn only(&self) -> Result<&Package, Error> {
        let locked: Vec<_> = self.packages.iter().filter(|package| package.has_lock()).collect();
        match (&self.packages[..], &locked[..]) {
            ([package], _) => Ok(package),
            (_, [package]) => Ok(*package),
            (_, []) => Err(Error::NoLocks),
            (_, several) => Err(Error::SeveralPackages(several.iter().map(|package| package.name.clone()).collect())),
        }
    }

    /// Whether the user meant just these packages, so that one without operators is an error.
    pub(crate) fn is_explicit(&self) -> bool {
        self.is_explicit
    }

    /// A path from the folder of the workspace, as rustc names those of its sources, with `/`.
    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    /// All that is selected.
    pub(crate) fn packages(&self) -> &[Package] {
        &self.packages
    }
}

impl Package {
    fn of(package: &cargo_metadata::Package) -> Self {
        let root = |target: &cargo_metadata::Target| Root {
            target: target.name.clone(),
            crate_name: target.name.replace('-', "_"),
            path: target.src_path.clone().into_std_path_buf(),
        };
        let is_lib = |target: &&cargo_metadata::Target| {
            target.kind.iter().any(|kind| {
                matches!(
                    kind,
                    TargetKind::Lib
                        | TargetKind::RLib
                        | TargetKind::DyLib
                        | TargetKind::CDyLib
                        | TargetKind::StaticLib
                        | TargetKind::ProcMacro
                )
            })
        };
        let roots = match package.targets.iter().find(is_lib) {
            Some(lib) => Roots::Lib(root(lib)),
            None => Roots::Bins(
                package.targets.iter().filter(|target| target.kind.contains(&TargetKind::Bin)).map(root).collect(),
            ),
        };
        let manifest_path = package.manifest_path.clone().into_std_path_buf();
        Package {
            name: package.name.to_string(),
            version: package.version.clone(),
            id: package.id.repr.clone(),
            folder: manifest_path.parent().map_or_else(PathBuf::new, Path::to_owned),
            manifest_path,
            roots,
            features: package.features.keys().cloned().collect(),
            uses_oplock: package
                .dependencies
                .iter()
                .any(|dependency| dependency.name == "oplock" && dependency.kind == DependencyKind::Normal),
            is_publishable: package.publish.as_ref().is_none_or(|registries| !registries.is_empty()),
        }
    }

    fn is_named(&self, spec: &str) -> bool {
        spec == self.name
            || spec == self.id
            || spec
                .split_once(['@', ':'])
                .is_some_and(|(name, version)| name == self.name && version == self.version.to_string())
    }

    /// `vision-ops v1.4.2 (/home/me/vision-ops)`, as cargo says it.
    pub(crate) fn describe(&self) -> String {
        format!("{} v{} ({})", self.name, self.version, self.folder.display())
    }

    /// Where the lock is, or would be.
    pub(crate) fn lock_path(&self) -> PathBuf {
        self.folder.join(LOCK_FILE)
    }

    /// Whether there is a lock, be it a link that leads nowhere.
    pub(crate) fn has_lock(&self) -> bool {
        fs::symlink_metadata(self.lock_path()).is_ok()
    }

    fn no_lock(&self) -> Error {
        let (package, path) = (self.name.clone(), self.lock_path());
        Error::NoLock { package, path, uses_oplock: self.uses_oplock, moved_from: None }
    }

    /// The lock, and its text as it is on disk.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged, of a newer format or of another package.
    pub(crate) fn read_lock(&self) -> Result<(String, Lock), Error> {
        self.read_lock_of(Some(&self.name))
    }

    /// The same, of whatever package where none is named.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged, of a newer format or of another package than the one named.
    pub(crate) fn read_lock_of(&self, name: Option<&str>) -> Result<(String, Lock), Error> {
        let path = self.lock_path();
        let Some(text) = read_file(&path)? else {
            return Err(if git::head_has_lock(&self.folder) { Error::LostLock(path) } else { self.no_lock() });
        };
        match Lock::parse(&text, name) {
            Ok(lock) => Ok((text, lock)),
            Err(error) => Err(Error::Lock { path, error }),
        }
    }

    /// What oplock reads of the manifest.
    ///
    /// # Errors
    ///
    /// When it says something of oplock that oplock does not know.
    pub(crate) fn read_manifest(&self) -> Result<Manifest, Error> {
        let path = &self.manifest_path;
        let text = read_text(path, Wanted::Manifest)?;
        Manifest::parse(&text).map_err(|error| Error::Manifest { path: path.clone(), error })
    }

    /// Where the approvals are, or would be.
    pub(crate) fn approvals_path(&self) -> PathBuf {
        self.folder.join(APPROVALS_FILE)
    }

    /// The breaks that a named person allowed; none where there is no file.
    ///
    /// # Errors
    ///
    /// When the file says something that is no approval.
    pub(crate) fn read_approvals(&self) -> Result<Approvals, Error> {
        self.read_approvals_text().map(|(_, approvals)| approvals)
    }

    /// The same with the text, if there is a file.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub(crate) fn read_approvals_text(&self) -> Result<(Option<String>, Approvals), Error> {
        let path = self.approvals_path();
        let text = read_file(&path)?;
        match Approvals::parse(text.as_deref().unwrap_or_default()) {
            Ok(approvals) => Ok((text, approvals)),
            Err(error) => Err(Error::Approvals { path, error }),
        }
    }

    /// What a judgement depends on beside the lock and the source.
    ///
    /// # Errors
    ///
    /// When the approvals cannot be read.
    pub(crate) fn context(&self, manifest: &Manifest) -> Result<Context, Error> {
        Ok(Context {
            version: self.version.clone(),
            options: manifest.options(),
            features: Some(manifest.features.clone()),
            approvals: self.read_approvals()?,
        })
    }
}
