//! The lock of another time or branch: at a git revision, or in a file.

use std::path::{Path, PathBuf};

use oplock_core::approvals::{APPROVALS_FILE, Approvals};
use oplock_core::judge::ApprovedRow;
use oplock_core::lock::read_file;
use oplock_core::{LOCK_FILE, Lock};
use oplock_graph::golden;
use semver::Version;

use crate::error::Error;
use crate::git;
use crate::package::Package;

/// Where bases are looked for.
pub(crate) enum Bases {
    /// A lock file.
    File(PathBuf, Box<Lock>),
    /// A revision, and its commit.
    Revision(String, String),
}

/// The lock of a package as it was.
pub(crate) struct Base {
    /// The lock.
    pub(crate) lock: Lock,
    /// What it is called: `main:crates/vision/ops.lock`.
    pub(crate) place: String,
    /// Where the package was, if that is another folder.
    pub(crate) moved_from: Option<String>,
    /// Where its approvals were; `None` of a lock file, beside which nothing is known of them.
    history: Option<History>,
}

/// The approvals of a package at a commit, and since.
struct History {
    /// The package's folder.
    folder: PathBuf,
    /// The commit of the base.
    commit: String,
    /// The file of approvals, from the root of the repository: where it was, then where it is if that differs.
    paths: Vec<String>,
}

/// What the history says of an approval that a sealed row of the ledger names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The base has it.
    AtBase,
    /// A commit since has it, and sealing took it away again: the difference to the base does not show it.
    Since(String),
    /// No revision has it.
    Nowhere {
        /// Whether the repository has only the newest part of its history.
        is_shallow: bool,
    },
}

impl Base {
    /// The files of golden graphs of sealed releases that are no longer there, or no longer what they were: `golden/1.0.0/a.json`.
    pub(crate) fn lost_golden(&self) -> Vec<String> {
        let Some(History { folder, commit, paths }) = &self.history else { return Vec::new() };
        let Some(was) = paths.first() else { return Vec::new() };
        let root = was.strip_suffix(APPROVALS_FILE).unwrap_or_default();
        let files = git::files(folder, commit, &format!("{root}{}/", golden::FOLDER));
        let is_lost = |(path, id): (String, String)| {
            let relative = path.strip_prefix(root)?;
            let release = relative.split('/').nth(1).and_then(|name| Version::parse(name).ok())?;
            let is_same = || git::id(folder, &folder.join(relative)).as_ref() == Some(&id);
            (self.lock.releases.contains_key(&release) && !is_same()).then(|| relative.to_owned())
        };
        files.into_iter().filter_map(is_lost).collect()
    }

    /// Where a sealed row's approval stood before; `None` where that cannot be known.
    pub(crate) fn approval_of(&self, row: &ApprovedRow) -> Option<Known> {
        let History { folder, commit, paths } = self.history.as_ref()?;
        let has = |commit: &str| {
            paths.iter().any(|path| {
                let text = git::file(folder, commit, path);
                let approvals = text.and_then(|text| Approvals::parse(&text).ok());
                approvals.is_some_and(|approvals| row.is_covered_by(&approvals))
            })
        };
        if has(commit) {
            return Some(Known::AtBase);
        }
        let since = git::commits_since(folder, commit, paths).into_iter().find(|commit| has(commit));
        Some(since.map_or_else(|| Known::Nowhere { is_shallow: git::is_shallow(folder) }, Known::Since))
    }
}

impl Bases {
    /// What the user named: a revision, or a file where there is no such revision or the name ends with `.lock`.
    ///
    /// # Errors
    ///
    /// When it is neither, or the file is no lock.
    pub(crate) fn find(spec: &str, folder: &Path) -> Result<Self, Error> {
        let path = PathBuf::from(spec);
        let commit = git::commit(folder, spec);
        if path.is_file() && (commit.is_none() || path.extension().is_some_and(|ext| ext == "lock")) {
            let text = read_file(&path)?.unwrap_or_default();
            let lock = parse(&text, spec)?;
            return Ok(Bases::File(path, Box::new(lock)));
        }
        if git::prefix(folder).is_none() {
            return Err(Error::NoRepository { folder: folder.to_owned(), spec: spec.to_owned() });
        }
        match commit {
            Some(commit) => Ok(Bases::Revision(spec.to_owned(), commit)),
            None => Err(Error::NoRevision { revision: spec.to_owned(), is_shallow: git::is_shallow(folder) }),
        }
    }

    /// How it was named.
    pub(crate) fn name(&self) -> String {
        match self {
            Bases::File(path, _) => path.display().to_string(),
            Bases::Revision(revision, _) => revision.clone(),
        }
    }

    /// The package's lock at that time: at its path, or else wherever the package was.
    ///
    /// # Errors
    ///
    /// When the lock of that time is damaged.
    pub(crate) fn of(&self, package: &Package, is_only: bool) -> Result<Option<Base>, Error> {
        let (revision, commit) = match self {
            Bases::File(path, lock) => {
                let is_it = is_only || lock.package == package.name;
                let place = path.display().to_string();
                return Ok(is_it.then(|| Base { lock: (**lock).clone(), place, moved_from: None, history: None }));
            }
            Bases::Revision(revision, commit) => (revision, commit),
        };
        let folder = &package.folder;
        let path = format!("{}{LOCK_FILE}", git::prefix(folder).unwrap_or_default());
        let history = |was: &str| {
            let mut paths: Vec<_> = [was, &path].map(|path| path.replace(LOCK_FILE, APPROVALS_FILE)).into();
            paths.dedup();
            Some(History { folder: folder.clone(), commit: commit.clone(), paths })
        };
        if let Some(text) = git::file(folder, commit, &path) {
            let place = format!("{revision}:{path}");
            return Ok(Some(Base { lock: parse(&text, &place)?, place, moved_from: None, history: history(&path) }));
        }
        for path in git::locks(folder, commit) {
            let Some(text) = git::file(folder, commit, &path) else { continue };
            if names(&text, &package.name) {
                let place = format!("{revision}:{path}");
                let history = history(&path);
                return Ok(Some(Base { lock: parse(&text, &place)?, place, moved_from: Some(path), history }));
            }
        }
        Ok(None)
    }
}

/// Whether that is the lock of the package, be it damaged.
fn names(text: &str, package: &str) -> bool {
    let is_key = |line: &&str| line.trim_start().starts_with("package");
    text.lines()
        .find(is_key)
        .and_then(|line| line.split_once('='))
        .is_some_and(|(_, value)| value.trim().trim_matches('"') == package)
}

fn parse(text: &str, place: &str) -> Result<Lock, Error> {
    Lock::parse(text, None).map_err(|error| Error::BaseLock { place: place.to_owned(), error })
}
