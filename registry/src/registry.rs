//! Every operator that is linked into the program, and every crate's table of its own.

use std::any::{Any, type_name};
use std::borrow::Cow;
use std::env;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use oplock_model::order::sort_by_name;
use oplock_model::{Declared, Fingerprint, Map, OpDef, SavedKind, did_you_mean, nearest};

use crate::record::Record;
use crate::{BindError, Node};

/// What a locked name stands for in this build: an operator, or nothing where its condition does not hold.
pub type Mark = Option<Marked>;

/// What a mark says of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    /// The declaration.
    pub record: Record,
    /// How it is made of a node, where `lock!` says into what.
    pub build: Option<Build>,
}

/// An operator as a trait object, in a box that tells nothing of it: a `Box<Box<dyn …>>`.
pub type Erased = Box<dyn Any>;

/// How an operator is made of a node.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The name of the trait object.
    pub object: fn() -> &'static str,
    /// Makes it.
    pub make: fn(&Node) -> Result<Erased, BindError>,
}

/// The operators of a crate that its lock remembers: what `lock!` defines as `ops()`.
#[derive(Debug)]
pub struct CrateOps {
    /// The package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its lock, as it was when the crate was compiled.
    pub lock: &'static str,
    #[doc(hidden)]
    pub marks: &'static [Mark],
    /// Locked operators that no declaration stands for, since a major version on the way deletes them.
    #[doc(hidden)]
    pub gone: &'static [(&'static str, Mark)],
    /// The attributes that all operators have, as `lock!` declares them.
    #[doc(hidden)]
    pub common: Option<Record>,
    /// The data versions of graphs that the source declares.
    pub graph: SavedVersions,
    /// The data versions of checkpoints that the source declares.
    pub checkpoint: SavedVersions,
}

/// The data versions of one kind of data, as `lock! { saved graph { … } }` declares them; a plain `lock!()` declares version 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedVersions {
    /// The version of what is written now: the greatest of the history.
    pub producer: u32,
    /// The oldest producer whose data is read.
    pub min_producer: u32,
    /// The oldest consumer that may read what is written now.
    pub min_consumer: u32,
    /// Consumers known to misread what is written now, in ascending order.
    pub bad_consumers: &'static [u32],
    /// Every version with what it brought, in ascending order.
    pub history: &'static [(u32, &'static str)],
}

impl SavedVersions {
    /// What a plain `lock!()` declares: version 1 and nothing else.
    pub const PLAIN: SavedVersions =
        SavedVersions { producer: 1, min_producer: 1, min_consumer: 1, bad_consumers: &[], history: &[(1, "")] };
}

impl CrateOps {
    /// The data versions that the source declares of one kind of data.
    pub const fn versions(&self, kind: SavedKind) -> &SavedVersions {
        match kind {
            SavedKind::Graph => &self.graph,
            SavedKind::Checkpoint => &self.checkpoint,
        }
    }

    /// The attributes that all operators of the crate have beside their own: `lock! { common { … } }`.
    pub fn common(&self) -> Option<&'static OpDef> {
        self.common.map(Record::def)
    }

    /// The signatures of the operators that this build has, by name, each as it is declared: without what all have in common.
    pub fn iter(&self) -> impl Iterator<Item = &'static OpDef> + '_ {
        self.marks.iter().flatten().map(|marked| marked.record.def())
    }

    /// How many operators this build has.
    pub fn len(&self) -> usize {
        self.marks.iter().flatten().count()
    }

    /// Whether this build has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What reaches the registry through `inventory`.
#[derive(Debug)]
#[doc(hidden)]
pub enum Submission {
    /// A crate's table.
    Crate(&'static CrateOps),
    /// An operator that no lock has yet, or that is `unlocked`.
    Op {
        /// The package that declares it.
        package: &'static str,
        /// Its version.
        version: &'static str,
        /// The declaration.
        record: Record,
        /// How it is made of a node, where `lock!` says into what.
        build: Option<Build>,
    },
    /// Why the lock of a package is stale, where no operator is the reason.
    Stale {
        /// The package.
        package: &'static str,
        /// Why.
        text: &'static str,
    },
}

inventory::collect!(Submission);

/// Where an operator is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line in it.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at {}:{}", self.package, self.version, self.file, self.line)
    }
}

/// An operator of the registry.
#[derive(Clone, Copy, Debug)]
pub struct OpEntry {
    /// The signature as it is declared.
    pub def: &'static OpDef,
    /// The attributes that all operators of its package have beside their own.
    pub common: Option<&'static OpDef>,
    /// Where it is declared.
    pub place: Place,
    /// How it is made of a node, where `lock!` says into what.
    build: Option<Build>,
}

impl OpEntry {
    /// The whole signature: as it is declared, and with the attributes that all operators of its package have.
    pub fn signature(&self) -> Cow<'static, OpDef> {
        let Some(common) = self.common else { return Cow::Borrowed(self.def) };
        let mut whole = self.def.clone();
        whole.add_common(common);
        Cow::Owned(whole)
    }
}

/// Every operator of the program by its saved name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    ops: Map<&'static str, OpEntry>,
    crates: Map<(&'static str, &'static str), &'static CrateOps>,
}

/// Why there is no registry, each fault with its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistryError {
    /// Operators that are declared more than once.
    Duplicates(Vec<Duplicate>),
    /// Crates that the program names and whose operators did not arrive.
    NotArrived(Vec<Missing>),
}

/// An operator that is declared twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The saved name.
    pub op: &'static str,
    /// One declaration.
    pub first: Place,
    /// The other.
    pub second: Place,
    /// The package from which the one moved to the other.
    pub moved_from: Option<&'static str>,
}

/// A crate whose operators did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// How many operators its lock gives it in this build.
    pub ops: usize,
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegistryError::Duplicates(duplicates) => {
                for (i, Duplicate { op, first, second, .. }) in duplicates.iter().enumerate() {
                    let line = if i > 0 { "\n" } else { "" };
                    write!(f, "{line}operator `{op}` is declared twice: in {first}, and in {second}")?;
                }
                if duplicates.iter().any(|duplicate| duplicate.moved_from.is_none()) {
                    f.write_str("\n  help: rename one of them, or link only one of the packages and versions")?;
                }
                for Duplicate { op, moved_from, .. } in duplicates {
                    if let Some(from) = moved_from {
                        write!(f, "\n  help: `{op}` moved: link a release of {from} that no longer has it")?;
                    }
                }
                Ok(())
            }
            RegistryError::NotArrived(missing) => {
                for (i, Missing { package, version, ops }) in missing.iter().enumerate() {
                    let line = if i > 0 { "\n" } else { "" };
                    write!(f, "{line}{package} {version} is linked, but none of its {ops} operators arrived")?;
                }
                f.write_str(
                    "\n  help: the platform runs nothing before `main`, or the linker dropped the crate: \
                     build the registry from the crates' own tables, `Registry::of(&[some_crate::ops(), …])`",
                )
            }
        }
    }
}

impl std::error::Error for RegistryError {}

/// Why a node cannot be built as a trait object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The program has no such operator.
    Unknown {
        /// Its name.
        op: String,
        /// Which one may be meant.
        hint: String,
    },
    /// Its crate does not say into what operators are made.
    NoObject {
        /// The operator.
        op: String,
        /// Where it is declared.
        place: Place,
    },
    /// Its crate makes another trait object of operators.
    OtherObject {
        /// The operator.
        op: String,
        /// Where it is declared.
        place: Place,
        /// What its crate makes.
        object: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The node is no well formed use of the operator.
    Node(BindError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Unknown { op, hint } => write!(f, "this program has no operator `{op}`{hint}"),
            BuildError::NoObject { op, place } => write!(
                f,
                "nothing says into what object operator `{op}` of {place} is built\n  \
                 help: its crate says so in its root, `oplock::lock! {{ object = dyn crate::MyTrait; }}`; an `unlocked` operator is built \
                 by its type: `node.bind::<T>()`"
            ),
            BuildError::OtherObject { op, place, object, wanted } => {
                write!(f, "operator `{op}` of {place} is built into `{object}`, and `{wanted}` was asked for")
            }
            BuildError::Node(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Node(error) => Some(error),
            _ => None,
        }
    }
}

impl Registry {
    /// Every operator that is linked into the program.
    ///
    /// # Errors
    ///
    /// When two declarations have one saved name; each is named with its crate, version, file and line.
    pub fn global() -> Result<&'static Registry, &'static RegistryError> {
        static GLOBAL: OnceLock<Result<Registry, RegistryError>> = OnceLock::new();
        GLOBAL.get_or_init(|| Registry::collect(&mut inventory::iter::<Submission>())).as_ref()
    }

    /// [`Registry::global`], where the operators of these crates must have arrived.
    ///
    /// Naming a crate's `ops()` also links the crate.
    ///
    /// # Errors
    ///
    /// As [`Registry::global`]; and when a crate is named of which nothing arrived.
    pub fn global_with(crates: &[&'static CrateOps]) -> Result<&'static Registry, RegistryError> {
        let registry = Registry::global().map_err(Clone::clone)?;
        let missing: Vec<_> = crates
            .iter()
            .filter(|c| !registry.crates.contains_key(&(c.package, c.version)))
            .map(|c| Missing { package: c.package, version: c.version, ops: c.len() })
            .collect();
        if missing.is_empty() { Ok(registry) } else { Err(RegistryError::NotArrived(missing)) }
    }

    /// The locked operators of these crates alone, also where nothing runs before `main`.
    ///
    /// # Errors
    ///
    /// When two declarations have one saved name.
    pub fn of(crates: &[&'static CrateOps]) -> Result<Registry, RegistryError> {
        let submissions: Vec<_> = crates.iter().map(|c| Submission::Crate(c)).collect();
        Registry::collect(&mut submissions.iter())
    }

    fn collect(submissions: &mut dyn Iterator<Item = &Submission>) -> Result<Registry, RegistryError> {
        let mut registry = Registry::default();
        let mut entries = Vec::new();
        let mut add = |package, version, record: &Record, build: Option<Build>| {
            let Declared { def, file, line, .. } = record.declared();
            entries.push(OpEntry { def, common: None, place: Place { package, version, file, line: *line }, build });
        };
        for submission in submissions {
            match submission {
                Submission::Crate(table) => {
                    registry.crates.insert((table.package, table.version), table);
                    for marked in table.marks.iter().flatten() {
                        add(table.package, table.version, &marked.record, marked.build);
                    }
                }
                Submission::Op { package, version, record, build } => add(package, version, record, *build),
                Submission::Stale { .. } => {}
            }
        }
        // `inventory` promises no order.
        sort_by_name(&mut entries, |entry| &entry.def.name);
        for entry in &mut entries {
            let table = registry.crates.get(&(entry.place.package, entry.place.version));
            entry.common = table.and_then(|table| table.common());
        }
        let mut duplicates = Vec::new();
        for entry in entries {
            let place = entry.place;
            let (def, op) = (entry.def, entry.def.name.as_ref());
            if let Some(other) = registry.ops.insert(op, entry) {
                let came = |def: &'static OpDef, from: Place| def.moved_from.as_deref().filter(|p| *p == from.package);
                let moved_from = came(def, other.place).or_else(|| came(other.def, place));
                let (first, second) = if other.place < place { (other.place, place) } else { (place, other.place) };
                let is_later = |d: &Duplicate| (d.op, d.first, d.second) > (op, first, second);
                let at = duplicates.iter().position(is_later).unwrap_or(duplicates.len());
                duplicates.insert(at, Duplicate { op, first, second, moved_from });
            }
        }
        if duplicates.is_empty() { Ok(registry) } else { Err(RegistryError::Duplicates(duplicates)) }
    }

    /// The operator of that name.
    pub fn get(&self, name: &str) -> Option<&OpEntry> {
        self.ops.get(name)
    }

    /// The operator that a node uses, as the trait object that its crate makes of operators: `lock! { object = dyn crate::TypedOp; }`.
    ///
    /// ```ignore
    /// let op: Box<dyn TypedOp> = registry.build(&node)?;
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError`], when there is no such operator, its crate makes no or another object of it, or the node is no well formed use of it.
    pub fn build<O: ?Sized + 'static>(&self, node: &Node) -> Result<Box<O>, BuildError> {
        let op = || node.op.clone();
        let Some(entry) = self.get(&node.op) else {
            let known = self.ops.keys().copied();
            return Err(BuildError::Unknown { op: op(), hint: did_you_mean(&node.op, known) });
        };
        let place = entry.place;
        let Some(build) = entry.build else { return Err(BuildError::NoObject { op: op(), place }) };
        let object = (build.make)(node).map_err(BuildError::Node)?;
        let object = object.downcast::<Box<O>>().map_err(|_| BuildError::OtherObject {
            op: op(),
            place,
            object: (build.object)(),
            wanted: type_name::<O>(),
        })?;
        Ok(*object)
    }

    /// The name nearest to one that is not there, for a message.
    pub fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.ops.keys().copied())
    }

    /// Every operator, by name.
    pub fn iter(&self) -> impl Iterator<Item = &OpEntry> {
        self.ops.values()
    }

    /// How many operators there are.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// By what two processes tell that they know different operators: the digest of each signature, Extra items aside.
    ///
    /// It is the same for every build of the same operators; operators that a feature leaves out are not in it.
    pub fn fingerprint(&self) -> Fingerprint {
        let signatures: Vec<_> = self.iter().map(OpEntry::signature).collect();
        Fingerprint::of(signatures.iter().map(AsRef::as_ref))
    }

    /// Every crate whose table arrived, with its version.
    pub fn packages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.crates.keys().copied()
    }

    /// The table of every crate that has a lock, by package and version.
    pub fn crates(&self) -> impl Iterator<Item = &'static CrateOps> {
        self.crates.values().copied()
    }
}

/// Fails where the lock says anything else than the source: the body of the test that `lock!` generates.
///
/// With `OPLOCK=update` in the environment it lets `cargo oplock update` bring the lock up to date instead, which
/// decides what may be written.
///
/// # Panics
///
/// When the lock is stale, or cannot be brought up to date.
#[doc(hidden)]
pub fn assert_up_to_date(table: &'static CrateOps) {
    let mut lines: Vec<String> = table.marks.iter().flatten().filter_map(|marked| stale(marked.record)).collect();
    let locked = lines.len();
    lines.extend(inventory::iter::<Submission>().filter_map(|submission| match submission {
        Submission::Op { package, record, .. } if *package == table.package => stale(*record),
        _ => None,
    }));
    let help = if lines.len() > locked {
        "\n  help: an operator that only tests declare is marked so, and no lock has it: #[op(\"…\", unlocked)]"
    } else {
        ""
    };
    lines.extend(inventory::iter::<Submission>().filter_map(|submission| match submission {
        Submission::Stale { package, text } if *package == table.package => Some((*text).to_owned()),
        _ => None,
    }));
    let gone = table.gone.iter().filter(|(_, mark)| mark.is_none());
    lines.extend(gone.map(|(text, _)| (*text).to_owned()));
    sort_by_name(&mut lines, |line| line);
    if lines.is_empty() {
        return;
    }
    let stale = lines.join("\n");
    let wish = env::var("OPLOCK").unwrap_or_default();
    match wish.as_str() {
        "update" => {
            if let Err(reason) = update() {
                panic!("ops.lock is stale, and was not brought up to date: {reason}\n\n{stale}\n");
            }
        }
        "" => {
            panic!("ops.lock is stale; run `cargo oplock update`, or this test with OPLOCK=update{help}\n\n{stale}\n")
        }
        _ => panic!("OPLOCK={wish} means nothing; OPLOCK=update brings ops.lock up to date\n\n{stale}\n"),
    }
}

/// Why the lock is stale because of an operator, and where it is declared.
fn stale(record: Record) -> Option<String> {
    let Declared { file, line, stale, .. } = record.declared();
    (!stale.is_empty()).then(|| format!("{file}:{line}: {stale}"))
}

/// Runs `cargo oplock update` for the package that is being tested.
fn update() -> Result<(), String> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo runs no test here: CARGO_MANIFEST_DIR is not set")?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(&cargo)
        .args(["oplock", "update", "--manifest-path"])
        .arg(Path::new(&folder).join("Cargo.toml"))
        // Whatever the tests were built with is not what the lock is collected with.
        .env_remove("OPLOCK")
        .output()
        .map_err(|error| format!("cannot run {}: {error}", Path::new(&cargo).display()))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if output.status.success() {
        return Ok(());
    }
    let is_missing = text.contains("no such command") || text.contains("no such subcommand");
    let help = if is_missing { "\n  help: `cargo install cargo-oplock` installs it" } else { "" };
    Err(format!("`cargo oplock update` failed\n{}{help}", text.trim_end()))
}
