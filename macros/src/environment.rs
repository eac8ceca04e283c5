//! What a macro can know of the package that is being compiled: its manifest, its lock and how cargo was called.
//!
//! No clock, no network, no process: a commit that compiled once compiles always.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use oplock_core::approvals::{APPROVALS_FILE, Approvals};
use oplock_core::lock::read_file;
use oplock_core::manifest::Manifest;
use oplock_core::{Context, LOCK_FILE, Lock, LockError, collect, report};
use semver::Version;

/// Test only: locks lie beside the crate roots that trybuild compiles.
pub(crate) const UI_TESTS: &str = "OPLOCK_UI_TESTS";
/// `1` makes a stale lock an error, `0` or `false` forbids that also for a packaged crate.
pub(crate) const LOCKED: &str = "OPLOCK_LOCKED";

/// How a macro is to behave in this compilation.
#[derive(Clone)]
pub(crate) enum Mode {
    /// Write what is seen into that folder; compare nothing.
    Collect(PathBuf),
    /// Hold everything against the lock.
    Enforce(Arc<Loaded>),
}

/// The lock and all that it is read with.
pub(crate) struct Loaded {
    pub(crate) package: Package,
    /// The package's manifest; without cargo there may be none.
    pub(crate) manifest: Option<Manifest>,
    pub(crate) lock: Result<Lock, Unusable>,
    pub(crate) context: Context,
    /// Whether a stale lock is an error.
    pub(crate) locked: bool,
    /// Whether the package is being published, so that its release must be sealed.
    pub(crate) publishing: bool,
}

/// Why there is no lock to compare with.
pub(crate) enum Unusable {
    Missing,
    Damaged(LockError),
    /// It waits for a release that the package's version has passed.
    Overrun(String),
    Other(String),
}

/// The package that is being compiled.
#[derive(Clone)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) manifest_dir: PathBuf,
    pub(crate) crate_name: String,
    pub(crate) lock_path: PathBuf,
    pub(crate) approvals_path: PathBuf,
}

impl Package {
    /// The package, as cargo describes it.
    pub(crate) fn current() -> Result<Self, String> {
        let manifest_dir = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
        let beside = |name: &str| match ui_test_root() {
            Some(root) => root.with_extension(name),
            None => manifest_dir.join(name),
        };
        let (lock_path, approvals_path) = (beside(LOCK_FILE), beside(APPROVALS_FILE));
        Ok(Package {
            name: variable("CARGO_PKG_NAME")?,
            version: variable("CARGO_PKG_VERSION")?,
            crate_name: env::var("CARGO_CRATE_NAME").unwrap_or_default(),
            manifest_dir,
            lock_path,
            approvals_path,
        })
    }
}

impl Loaded {
    /// One target of a package holds the locked operators: the library, else the binary. The library's name, where this
    /// compilation is of another target.
    pub(crate) fn library_of_other_target(&self) -> Option<String> {
        let (package, manifest) = (&self.package, self.manifest.as_ref());
        let has_lib = manifest.is_some_and(|m| m.has_lib) || package.manifest_dir.join("src/lib.rs").exists();
        let library = manifest.and_then(|m| m.lib_name.as_ref()).unwrap_or(&package.name);
        (has_lib && may_be_beside_library(library)).then(|| library.replace('-', "_"))
    }
}

/// Whether this compilation may be of another target than the library of that name; without cargo nothing tells.
///
/// One process may compile several targets, so it is asked anew each time.
pub(crate) fn may_be_beside_library(name: &str) -> bool {
    let Ok(crate_name) = env::var("CARGO_CRATE_NAME") else { return false };
    let is_library = crate_name == name.replace('-', "_") && env::var_os("CARGO_BIN_NAME").is_none();
    !is_library && !crate_name.is_empty() && env::var_os(UI_TESTS).is_none()
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| {
        format!(
            "the environment variable {name} is not set. Cargo sets it; another build system must set CARGO_MANIFEST_DIR \
             (the folder with {LOCK_FILE}), CARGO_PKG_NAME and CARGO_PKG_VERSION"
        )
    })
}

/// The crate root that a UI test compiles, found among the compiler's own arguments.
fn ui_test_root() -> Option<PathBuf> {
    env::var_os(UI_TESTS)?;
    env::args_os().map(PathBuf::from).find(|argument| argument.extension().is_some_and(|e| e == "rs"))
}

impl Mode {
    /// The mode of this compilation.
    pub(crate) fn current() -> Result<Mode, String> {
        if let Some(folder) = env::var_os(collect::VARIABLE).filter(|folder| !folder.is_empty()) {
            return Ok(Mode::Collect(folder.into()));
        }
        Ok(Mode::Enforce(load(Package::current()?)?))
    }
}

/// What a file looked like when it was read; a process that serves many compilations reads it again when it changes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp(Option<(SystemTime, u64)>);

impl Stamp {
    fn of(path: &Path) -> Self {
        let metadata = fs::metadata(path).ok();
        Stamp(metadata.and_then(|m| Some((m.modified().ok()?, m.len()))))
    }
}

type Key = (PathBuf, String, String, Option<String>);
type Entry = ([Stamp; 3], Arc<Loaded>);

/// Reads the lock and the manifest, once for all operators of a crate.
fn load(package: Package) -> Result<Arc<Loaded>, String> {
    static CACHE: Mutex<Option<HashMap<Key, Entry>>> = Mutex::new(None);
    let manifest = package.manifest_dir.join("Cargo.toml");
    let stamps = [&package.lock_path, &package.approvals_path, &manifest].map(|path| Stamp::of(path));
    let key = (package.lock_path.clone(), package.name.clone(), package.version.clone(), env::var(LOCKED).ok());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = cache.get_or_insert_with(HashMap::new);
    if let Some((old, loaded)) = cache.get(&key)
        && *old == stamps
    {
        return Ok(Arc::clone(loaded));
    }
    let loaded = Arc::new(read(package, &manifest)?);
    cache.insert(key, (stamps, Arc::clone(&loaded)));
    Ok(loaded)
}

fn read(package: Package, manifest_path: &Path) -> Result<Loaded, String> {
    let ui_test = ui_test_root();
    let manifest = match (&ui_test, read_file(manifest_path).map_err(|e| e.to_string())?) {
        // A UI test says in comments of its crate root what a package says in its manifest.
        (Some(root), _) => ui_manifest(root),
        (None, Some(text)) => Some(Manifest::parse(&text).map_err(|e| e.to_string())?),
        // Without cargo there may be no manifest.
        (None, None) => None,
    };
    let version = ui_test.as_deref().and_then(ui_version).unwrap_or_else(|| package.version.clone());
    let version = Version::parse(&version).map_err(|error| format!("CARGO_PKG_VERSION is {version:?}: {error}"))?;
    let approvals = match read_file(&package.approvals_path).map_err(|e| e.to_string())? {
        Some(text) => Approvals::parse(&text).map_err(|error| {
            format!(
                "{error}\n  file: {}\n  help: mend it, or write it anew: `cargo oplock approve`",
                package.approvals_path.display()
            )
        })?,
        None => Approvals::default(),
    };
    let context = Context {
        approvals,
        version,
        options: manifest.as_ref().map(Manifest::options).unwrap_or_default(),
        features: manifest.as_ref().filter(|_| ui_test.is_none()).map(|m| m.features.clone()),
    };
    let expected = if ui_test.is_some() { None } else { Some(package.name.as_str()) };
    let lock = match read_file(&package.lock_path) {
        Ok(Some(text)) => Lock::parse(&text, expected).map_err(Unusable::Damaged).and_then(|lock| {
            let checked = context.check_overrun(&lock).map_err(|overrun| Unusable::Overrun(report::overrun(&overrun)));
            checked.map(|()| lock)
        }),
        Ok(None) => Err(Unusable::Missing),
        Err(error) => Err(Unusable::Other(format!("{error}\n  help: restore it: `git checkout {LOCK_FILE}`"))),
    };
    let publishing = is_packaged(&package.manifest_dir);
    let locked = publishing || is_locked(&package.manifest_dir);
    Ok(Loaded { package, manifest, lock, context, locked, publishing })
}

/// Whether a stale lock was asked to be an error. Never for sources that are not the user's own.
fn is_locked(manifest_dir: &Path) -> bool {
    locked_setting() == Some(true) && is_own_source(manifest_dir)
}

/// What `OPLOCK_LOCKED` says, if anything.
fn locked_setting() -> Option<bool> {
    let setting = env::var_os(LOCKED).filter(|setting| !setting.is_empty())?;
    Some(!["0", "false", "no", "off"].iter().any(|off| setting.eq_ignore_ascii_case(off)))
}

/// Whether this is a packaged crate that is built for its own sake, as `cargo publish` does; `OPLOCK_LOCKED=0` says no.
fn is_packaged(manifest_dir: &Path) -> bool {
    let is_primary = env::var_os("CARGO_PRIMARY_PACKAGE").is_some();
    locked_setting() != Some(false)
        && is_primary
        && is_own_source(manifest_dir)
        && manifest_dir.join("Cargo.toml.orig").exists()
}

fn is_own_source(manifest_dir: &Path) -> bool {
    if [".cargo-ok", ".cargo-checksum.json"].iter().any(|file| manifest_dir.join(file).exists()) {
        return false;
    }
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let Some(home) = home else { return true };
    !["registry/src", "git/checkouts"].iter().any(|folder| manifest_dir.starts_with(home.join(folder)))
}

/// The value of `// oplock-ui: KEY = "VALUE"` in the crate root of a UI test.
fn ui_setting(root: &Path, key: &str) -> Option<String> {
    let text = fs::read_to_string(root).ok()?;
    text.lines().find_map(|line| {
        let setting = line.trim().strip_prefix("// oplock-ui:")?.trim().strip_prefix(key)?;
        Some(setting.trim().strip_prefix('=')?.trim().trim_matches('"').to_owned())
    })
}

fn ui_version(root: &Path) -> Option<String> {
    ui_setting(root, "version")
}

fn ui_manifest(root: &Path) -> Option<Manifest> {
    let relaxations_are_minor = ui_setting(root, "relaxations")? == "minor";
    Some(Manifest { relaxations_are_minor, ..Manifest::default() })
}
