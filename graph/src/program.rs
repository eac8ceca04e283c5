//! Who reads and writes graphs: the packages that are linked into a program.

use std::collections::BTreeMap;

use oplock_core::{Lock, OpDef};
use semver::Version;

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
}

/// All packages of operators of a program, by name.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The packages.
    pub packages: BTreeMap<String, Package>,
}
