//! Who reads and writes graphs: the packages that are linked into a program.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use oplock_core::lock::{RowKey, Since};
use oplock_core::{COMMON, Fingerprint, Lock, LockError, OpDef, SavedKind};
use oplock_registry::{CrateOps, Registry, RegistryError};
use semver::Version;
use thiserror::Error;

use crate::check::{is_same, releases};
use crate::faults::Faults;
use crate::stale::{unrecorded, unsealed};
use crate::upgrade::{UpgradeFn, UpgradeRecord};

/// A package of operators as one build of it is.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version in this build.
    pub version: Version,
    /// Its operators in this build, by name, each with the attributes that all of them have.
    pub ops: BTreeMap<String, OpDef>,
    /// What its lock remembers: [`Lock::expanded`].
    pub lock: Lock,
    /// Its upgrade functions: of which operator, or of all (`*`), and for what was saved before which data version.
    pub upgrades: BTreeMap<(String, u32), UpgradeFn>,
    /// What of the lock was stale when the package was compiled, beside its operators.
    pub stale: Option<String>,
    /// The packages from which operators moved here, as of the release that the lock took over, each with those operators.
    pub(crate) former: BTreeMap<String, Package>,
}

impl Package {
    /// A package without operators and upgrade functions.
    pub fn new(lock: Lock, version: Version) -> Self {
        let lock = lock.expanded();
        let (ops, upgrades) = (BTreeMap::new(), BTreeMap::new());
        let former = lock.moved.iter().map(|(name, moved)| (name.clone(), Package::before(moved))).collect();
        Package { name: lock.package.clone(), version, ops, lock, upgrades, stale: None, former }
    }

    /// A package from which operators moved, as its last release had it that was taken over.
    fn before(moved: &Lock) -> Self {
        let version = moved.last_release().cloned().unwrap_or(Version::new(0, 0, 0));
        Package::of_lock(moved.clone(), version)
    }

    /// Takes the functions of the package from which operators moved, where that is linked and goes on from what was taken over.
    fn borrow_upgrades(&mut self, from: &BTreeMap<String, Package>) {
        for (name, former) in &mut self.former {
            let is_it = |linked: &&Package| linked.is_one_with(former);
            let Some(linked) = from.get(name).or_else(|| from.values().find(is_it)) else { continue };
            let [line, longer] = [&*former, linked].map(|package| releases(package, SavedKind::Graph));
            if line.len() <= longer.len() && line.iter().zip(&longer).all(|(a, b)| is_same(a, b)) {
                let producer = former.lock.data_versions(SavedKind::Graph).producer();
                // What deletes an operator there is none of what was taken over, since it is here now.
                let is_left = |op: &str, version: u32| {
                    let mut rows = linked.lock.rows_of(op).filter(|(_, row)| row.version == Some(version));
                    rows.any(|(key, _)| !former.lock.ledger.contains_key(key))
                };
                let own = linked
                    .upgrades
                    .iter()
                    .filter(|((op, version), _)| *version <= producer && (op == COMMON || !is_left(op, *version)));
                let own: Vec<_> = own.map(|(key, run)| (key.clone(), run.clone())).collect();
                former.upgrades.extend(own);
            }
        }
    }

    /// Whether it is another state of that package, also where one of them has a later name.
    pub(crate) fn is_one_with(&self, other: &Package) -> bool {
        self.lock.is_of(&other.name) || other.lock.is_of(&self.name)
    }

    /// What it holds of the package from which operators moved here that has this name or had it before, as its lock says, or that package
    /// itself where it is linked; first what was taken over under the name itself.
    pub(crate) fn held_of<'p, 'n>(
        &'p self,
        name: &'n str,
        linked: Option<&'n Package>,
    ) -> impl Iterator<Item = &'p Package> + use<'p, 'n> {
        let own = self.former.get(name);
        let is_it = move |(key, former): &(&String, &Package)| {
            key.as_str() != name && (former.lock.is_of(name) || linked.is_some_and(|linked| linked.lock.is_of(key)))
        };
        own.into_iter().chain(self.former.iter().filter(is_it).map(|(_, former)| former))
    }

    /// Whether it has an operator of that name, or once had.
    pub(crate) fn ever_had(&self, op: &str) -> bool {
        self.ops.contains_key(op) || self.lock.rows_of(op).any(|(key, _)| key.item.is_none())
    }

    /// As of which data version a node is taken that came here with the operator from another package: that of the release which
    /// said so first.
    pub(crate) fn entered(&self, op: &str, package: &str) -> u32 {
        let today = self.lock.data_versions(SavedKind::Graph).producer();
        match self.lock.moved_since(op, package) {
            Some(Since::Release(release)) => {
                self.lock.releases.get(&release).map_or(today, |release| release.version_of(SavedKind::Graph))
            }
            _ => today,
        }
    }

    /// The package of a lock alone, as a build has it that has all of it: without upgrade functions.
    pub fn of_lock(lock: Lock, version: Version) -> Self {
        let package = Package::new(lock, version);
        let ops = package.lock.ops.iter().map(|(name, entry)| (name.clone(), entry.def.clone())).collect();
        Package { ops, ..package }
    }

    /// Whether a function says what becomes of the change that a row of the ledger records.
    pub(crate) fn has_function(&self, key: &RowKey, version: u32) -> bool {
        let of = |op: &str| self.upgrades.contains_key(&(op.to_owned(), version));
        let common = || RowKey { op: COMMON.to_owned(), ..key.clone() };
        of(&key.op) || (of(COMMON) && self.lock.ledger.contains_key(&common()))
    }

    /// The operator that has this name as an alias.
    pub(crate) fn alias(&self, name: &str) -> Option<&OpDef> {
        self.ops.values().find(|def| def.aliases.iter().any(|alias| alias == name))
    }

    /// The operator that is read under this name: its own, or else an alias.
    pub(crate) fn read_as(&self, name: &str) -> Option<&OpDef> {
        self.ops.get(name).or_else(|| self.alias(name))
    }

    /// The package of a crate that is linked, without its operators and upgrade functions.
    fn of(table: &'static CrateOps) -> Result<Self, ProgramError> {
        let (package, version) = (table.package, table.version);
        if table.lock.is_empty() {
            return Err(ProgramError::NoLock { package, version });
        }
        let lock = Lock::parse(table.lock, None).map_err(|error| ProgramError::Lock { package, version, error })?;
        let stale = table.gone.iter().find(|(_, mark)| mark.is_none());
        let stale = stale.map(|(text, _)| text.lines().next().unwrap_or_default().to_owned());
        Ok(Package { name: package.to_owned(), stale, ..Package::new(lock, parse_version(package, version)?) })
    }
}

fn parse_version(package: &'static str, version: &'static str) -> Result<Version, ProgramError> {
    Version::parse(version).map_err(|error| ProgramError::Version { package, version, error: error.to_string() })
}

/// All packages of operators of a program, by name.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) packages: BTreeMap<String, Package>,
    /// Rules that are switched off, so that tests can show what each is for.
    #[doc(hidden)]
    pub faults: Faults,
    unsealed: OnceLock<Unsealed>,
    unrecorded: OnceLock<Unrecorded>,
}

/// Why nothing is promised of what each package writes of each kind of data.
type Unsealed = BTreeMap<(String, SavedKind), String>;

/// By package and operator, the break that the build has and its lock does not.
type Unrecorded = BTreeMap<String, BTreeMap<String, String>>;

/// Why no graph can be read or written by a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// There is no registry of its operators.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// Two versions of a package are linked, and a graph names packages only.
    #[error(
        "{package} is linked twice, as {first} and as {second}, and a graph does not say which of them it is of\n  \
         help: let all crates that use it agree on one version: `cargo tree --invert {package}`"
    )]
    TwoVersions {
        /// The package.
        package: String,
        /// One version.
        first: String,
        /// The other.
        second: String,
    },
    /// A crate was compiled without its lock.
    #[error(
        "{package} {version} was compiled without its ops.lock, so nothing is known of what it promised\n  \
         help: compile it with cargo, and not in the mode in which `cargo oplock` collects operators"
    )]
    NoLock {
        /// The package.
        package: &'static str,
        /// Its version.
        version: &'static str,
    },
    /// A crate's lock cannot be read.
    #[error("the ops.lock of {package} {version}: {error}\n  help: {}", error.remedy())]
    Lock {
        /// The package.
        package: &'static str,
        /// Its version.
        version: &'static str,
        /// What is wrong with it.
        error: LockError,
    },
    /// A crate's version is none.
    #[error("{version:?}, the version of {package}, is no semantic version: {error}")]
    Version {
        /// The package.
        package: &'static str,
        /// Its version.
        version: &'static str,
        /// What is wrong with it.
        error: String,
    },
    /// An operator has two upgrade functions for one data version.
    #[error(
        "{package} has two upgrade functions of `{op}` for what was saved before {before}\n  help: make one function of them"
    )]
    TwoUpgrades {
        /// The package.
        package: String,
        /// The operator.
        op: String,
        /// The data version.
        before: u32,
    },
    /// A function that the lock counts on is not there.
    #[error(
        "the upgrade function of `{op}` in {package} for what was saved before {before} did not arrive\n  \
         help: the platform runs nothing before `main`, or the linker dropped the function: name the crate's `ops()` in the program"
    )]
    NoUpgrade {
        /// The package.
        package: String,
        /// The operator.
        op: String,
        /// The data version.
        before: u32,
    },
}

impl Program {
    /// The program itself: every operator that is linked into it, with the locks and the upgrade functions of their crates. It is made when
    /// it is first asked for, and kept.
    ///
    /// # Errors
    ///
    /// [`ProgramError`], which says what is wrong with which crate.
    pub fn linked() -> Result<&'static Program, &'static ProgramError> {
        static LINKED: OnceLock<Result<Program, ProgramError>> = OnceLock::new();
        let make = || Program::of_registry(Registry::global().map_err(Clone::clone)?);
        LINKED.get_or_init(make).as_ref()
    }

    /// The operators of a registry, such as one of some crates alone.
    ///
    /// Operators of a package that has no lock (those that are `unlocked`, in tests and examples) make a package of their own, of whose data
    /// nothing is promised.
    ///
    /// # Errors
    ///
    /// As [`Program::linked`].
    pub fn of_registry(registry: &Registry) -> Result<Program, ProgramError> {
        let mut packages: BTreeMap<&'static str, Package> = BTreeMap::new();
        for table in registry.crates() {
            let package = Package::of(table)?;
            if let Some(other) = packages.insert(table.package, package) {
                return Err(two_versions(&other, table.version));
            }
        }
        for entry in registry.iter() {
            let (name, version) = (entry.place.package, entry.place.version);
            let package = match packages.entry(name) {
                std::collections::btree_map::Entry::Occupied(package) => package.into_mut(),
                std::collections::btree_map::Entry::Vacant(free) => {
                    free.insert(Package::new(Lock::new(name), parse_version(name, version)?))
                }
            };
            if package.version.to_string() != version {
                return Err(two_versions(package, version));
            }
            package.ops.insert(entry.def.name.to_string(), entry.signature().into_owned());
        }
        for record in inventory::iter::<UpgradeRecord>() {
            // A registry of some crates alone may stand beside another release of one of them.
            let package = packages.get_mut(record.package);
            let is_own = |package: &&mut Package| package.version.to_string() == record.version;
            let Some(package) = package.filter(is_own) else { continue };
            let key = (record.op.to_owned(), record.before);
            if package.upgrades.insert(key, UpgradeFn::new(record.function)).is_some() {
                let (package, op, before) = (package.name.clone(), record.op.to_owned(), record.before);
                return Err(ProgramError::TwoUpgrades { package, op, before });
            }
        }
        Program::of(packages.into_values())
    }

    /// The program of these packages, for tools and tests.
    ///
    /// # Errors
    ///
    /// When two packages have one name, or a package lacks an upgrade function that its lock has and that data it reads can need.
    pub fn of(packages: impl IntoIterator<Item = Package>) -> Result<Program, ProgramError> {
        let mut program = Program::default();
        for package in packages {
            let oldest = package.lock.data_versions(SavedKind::Graph).min_producer;
            let is_missing = |key: &&(String, u32)| key.1 > oldest && !package.upgrades.contains_key(*key);
            if let Some((op, before)) = package.lock.upgrades.keys().find(is_missing) {
                let (package, op, before) = (package.name.clone(), op.clone(), *before);
                return Err(ProgramError::NoUpgrade { package, op, before });
            }
            let version = package.version.to_string();
            if let Some(other) = program.packages.insert(package.name.clone(), package) {
                return Err(two_versions(&other, &version));
            }
        }
        if program.packages.values().any(|package| !package.former.is_empty()) {
            let linked = program.packages.clone();
            program.packages.values_mut().for_each(|package| package.borrow_upgrades(&linked));
        }
        Ok(program)
    }

    /// The packages, by name.
    pub fn packages(&self) -> &BTreeMap<String, Package> {
        &self.packages
    }

    /// The package that has this name, or else had it before.
    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.get(name).or_else(|| self.packages.values().find(|package| package.lock.formerly.contains(name)))
    }

    /// The package of which a graph with these owners says that it has an operator.
    pub(crate) fn said_owner(&self, owners: &BTreeMap<String, String>, op: &str) -> Option<&Package> {
        owners.get(op).and_then(|owner| self.package(owner))
    }

    /// The package that has an operator: that of which the graph says so, or else any.
    pub(crate) fn owner_in(&self, owners: &BTreeMap<String, String>, op: &str) -> Option<&Package> {
        self.said_owner(owners, op).filter(|package| package.ops.contains_key(op)).or_else(|| self.owner(op))
    }

    /// The packages, to be changed.
    pub fn packages_mut(&mut self) -> &mut BTreeMap<String, Package> {
        self.unsealed = OnceLock::new();
        self.unrecorded = OnceLock::new();
        &mut self.packages
    }

    /// Why nothing is promised of what a package writes. It depends on all operators of the package, and is worked out once.
    pub(crate) fn unsealed(&self, package: &str, kind: SavedKind) -> Option<&String> {
        let work_out = || {
            let all = self.packages.iter().flat_map(|of| SavedKind::ALL.map(|kind| (of, kind)));
            all.filter_map(|((name, package), kind)| Some(((name.clone(), kind), unsealed(package, kind)?))).collect()
        };
        self.unsealed.get_or_init(work_out).get(&(package.to_owned(), kind))
    }

    /// The break of an operator that a package was compiled with and that its lock does not record, as a sentence. It is worked out once
    /// for all operators.
    pub(crate) fn unrecorded(&self, package: &str, op: &str) -> Option<&String> {
        let work_out = || self.packages.iter().map(|(name, package)| (name.clone(), unrecorded(package))).collect();
        self.unrecorded.get_or_init(work_out).get(package)?.get(op)
    }

    /// By what two processes tell that they know different operators: the digest of each signature, Extra items aside.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.packages.values().flat_map(|package| package.ops.values()))
    }
}

fn two_versions(package: &Package, other: &str) -> ProgramError {
    let (first, second) = (package.version.to_string(), other.to_owned());
    ProgramError::TwoVersions { package: package.name.clone(), first, second }
}
