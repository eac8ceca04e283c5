//! Who reads and writes graphs: the packages that are linked into a program.

use std::collections::BTreeMap;

use oplock_core::{Lock, OpDef};
use semver::Version;

use crate::faults::Faults;
use crate::upgrade::UpgradeFn;

/// A package of operators as one build of it is.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version in this build.
    pub version: Version,
    /// Its operators in this build, by name.
    pub ops: BTreeMap<String, OpDef>,
    /// What its lock remembers.
    pub lock: Lock,
    /// Its upgrade functions: of which operator, and for what was saved before which data version.
    pub upgrades: BTreeMap<(String, u32), UpgradeFn>,
}

impl Package {
    /// A package without operators and upgrade functions.
    pub fn new(lock: Lock, version: Version) -> Self {
        Package { name: lock.package.clone(), version, ops: BTreeMap::new(), lock, upgrades: BTreeMap::new() }
    }
}

/// All packages of operators of a program, by name.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The packages.
    pub packages: BTreeMap<String, Package>,
    /// Rules that are switched off, so that tests can show what each is for.
    #[doc(hidden)]
    pub faults: Faults,
}
