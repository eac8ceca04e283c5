//! Taking over what another package's lock says of operators that move here.

use std::collections::BTreeSet;
use std::fmt;

use super::tombstone;
use crate::compare::{Options, compare_op};
use crate::lock::{Lock, OpEntry, Row, RowKey, Side, Since, released_ops};
use crate::model::OpDef;

/// Why a package's operators cannot be taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeOverError {
    /// No operator is declared with `moved_from` that package.
    NothingMoved {
        /// The package.
        package: String,
    },
    /// No release of the package ever had the operator.
    NoOperator {
        /// The operator.
        op: String,
        /// The package.
        package: String,
    },
    /// A release says already what the package's graphs mean here, and the lock tells it otherwise.
    Settled {
        /// The operator.
        op: String,
        /// The package.
        package: String,
        /// The first difference, as a sentence without a full stop.
        what: String,
    },
    /// The lock lacks a release that was taken over before.
    Older {
        /// The package.
        package: String,
        /// The release.
        release: String,
    },
}

impl TakeOverError {
    /// The command, or what else helps.
    pub fn remedy(&self) -> String {
        match self {
            TakeOverError::NothingMoved { package } => {
                format!("declare which it is: `#[op(\"…\", moved_from = \"{package}\")]`")
            }
            TakeOverError::NoOperator { op, .. } => {
                format!("name the package that had it, or remove `moved_from` from `{op}`")
            }
            TakeOverError::Settled { .. } => {
                "graphs up to the release that was taken over are read; leave the lock as it is".to_owned()
            }
            TakeOverError::Older { .. } => "name the lock of the package's last release".to_owned(),
        }
    }
}

impl fmt::Display for TakeOverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TakeOverError::NothingMoved { package } => write!(f, "no operator here is declared to come from {package}"),
            TakeOverError::NoOperator { op, package } => write!(f, "no release of {package} had operator `{op}`"),
            TakeOverError::Settled { op, package, what } => write!(
                f,
                "a release here reads `{op}` as {package} had it when it was taken over, and in this lock it is another: {what}"
            ),
            TakeOverError::Older { package, release } => {
                write!(f, "the lock lacks {package} {release}, which was taken over before")
            }
        }
    }
}

impl std::error::Error for TakeOverError {}

/// The lock with what `other`, the lock of another package, says of the operators of `ops` that come from there.
///
/// Its names, its sealed releases and its data versions are taken over whole; of its ledger all rows of the operators and of the names
/// that became theirs. What no release of it has sealed is none of it. What was deleted there, since it is here now, is as before the deletion.
///
/// # Errors
///
/// [`TakeOverError`], when nothing comes from there, and when graphs that a release here reads would mean something else.
pub fn take_over<'d>(
    lock: &Lock,
    other: &Lock,
    ops: impl IntoIterator<Item = &'d OpDef>,
) -> Result<Lock, TakeOverError> {
    let other = other.clone().expanded();
    let package = other.package.clone();
    let mut moved = Lock::new(package.clone());
    moved.formerly.clone_from(&other.formerly);
    moved.releases = other.releases.iter().filter(|(version, _)| version.pre.is_empty()).map(cloned).collect();
    moved.saved = other.released_data();
    let released = released_ops(&other);
    let is_moved = |def: &&OpDef| def.moved_from.as_deref() == Some(&package);
    let names: BTreeSet<String> = ops.into_iter().filter(is_moved).map(|def| def.name.to_string()).collect();
    if names.is_empty() {
        return Err(TakeOverError::NothingMoved { package });
    }
    let old = lock.moved.get(&package);
    for name in names {
        let deletion = match released.get(&name) {
            Some(entry) => {
                moved.ops.insert(name.clone(), entry.clone());
                None
            }
            None => match tombstone::deleted(&other, &name) {
                Some((release, entry)) => {
                    moved.ops.insert(name.clone(), entry);
                    Some(release)
                }
                None => return Err(TakeOverError::NoOperator { op: name, package }),
            },
        };
        // Graphs name their operands, so nothing is said of places.
        if let Some(entry) = moved.ops.get_mut(&name) {
            entry.def = entry.def.clone().unnumbered().sorted();
        }
        for known in names_of(&other, &name, &moved.ops[&name]) {
            let rows = other.rows_of(&known).filter(|(key, _)| key.release.is_some());
            let is_deletion = |key: &RowKey| known == name && key.release.as_ref() == deletion.as_ref();
            moved.ledger.extend(rows.filter(|(key, _)| !is_deletion(key)).map(cloned));
        }
        if let Some(old) = old
            && let Some(was) = old.ops.get(&name)
            && matches!(lock.moved_since(&name, &package), Some(Since::Release(_)))
        {
            let is = &moved.ops[&name].def;
            let findings = [compare_op(&was.def, is, Options::default()), compare_op(is, &was.def, Options::default())];
            if let Some(finding) = findings.iter().flatten().next() {
                return Err(TakeOverError::Settled { op: name, package, what: finding.message() });
            }
        }
    }
    if let Some(release) = old.and_then(|old| old.releases.keys().find(|release| !moved.releases.contains_key(release)))
    {
        return Err(TakeOverError::Older { package, release: release.to_string() });
    }
    // What was taken over before, and has another name by now, is still read.
    for (name, entry) in old.iter().flat_map(|old| &old.ops) {
        if !moved.ops.contains_key(name) && lock.moved_since(name, &package).is_some() {
            moved.ops.insert(name.clone(), entry.clone());
            moved.ledger.extend(other.rows_of(name).filter(|(key, _)| key.release.is_some()).map(cloned));
        }
    }
    let mut new = lock.clone();
    new.moved.insert(package, moved);
    Ok(new)
}

fn cloned<K: Clone, V: Clone>((key, value): (&K, &V)) -> (K, V) {
    (key.clone(), value.clone())
}

/// An operator's name and every other that was read as it.
fn names_of(lock: &Lock, name: &str, entry: &OpEntry) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    open.extend(entry.def.aliases.iter().map(ToString::to_string));
    while let Some(name) = open.pop() {
        let sides = |row: &Row| [row.from.clone(), row.to.clone()];
        for (_, row) in lock.rows_of(&name) {
            for side in sides(row) {
                if let Side::Op(marks, _) = side {
                    open.extend(marks.aliases.iter().map(ToString::to_string).filter(|alias| !names.contains(alias)));
                }
            }
        }
        names.insert(name);
    }
    names
}
