//! Why a program may not read a graph, in words.

use std::fmt;

use semver::Version;

/// A package on both sides, for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The package.
    pub package: String,
    /// The last release of the writer, if it has one.
    pub writer: Option<Version>,
    /// The reader's version; of a package whose operators moved, the last release that was taken over.
    pub reader: Version,
    /// Name and version of the package to which its operators moved.
    pub heir: Option<String>,
    /// The last release that both lists begin with.
    pub shared: Option<Version>,
    /// Whether the writer has releases that the reader does not have, and the reader such that the writer does not.
    pub is_parted: bool,
}

/// Why a program may not read a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionProblem {
    /// What the graph says of its writer contradicts itself.
    Malformed {
        /// The package.
        package: String,
        /// What is wrong, as a clause.
        what: String,
    },
    /// Written by a newer release: the cause of what else is wrong.
    Newer {
        /// The package.
        sides: Sides,
        /// The writer's data version.
        producer: i64,
        /// The reader's data version.
        consumer: u32,
    },
    /// Written before the oldest data version that the reader reads.
    TooOld {
        /// The package.
        sides: Sides,
        /// The data version as whose data it is taken.
        producer: i64,
        /// The oldest that is read.
        min_producer: u32,
    },
    /// Not readable at the reader's data version.
    TooNew {
        /// The package.
        sides: Sides,
        /// The least data version that a reader must have.
        min_consumer: i64,
        /// The reader's.
        consumer: u32,
        /// The greatest of both, where release lines have parted.
        known: i64,
    },
    /// The reader's data version is known to misread it.
    BadConsumer {
        /// The package.
        sides: Sides,
        /// The data version.
        consumer: u32,
    },
    /// It needs a release that the reader does not have.
    NeedsRelease {
        /// The package.
        sides: Sides,
        /// The release.
        needs: Version,
        /// What needs it.
        because: String,
    },
    /// Writer and reader have no release in common.
    NothingShared {
        /// The package.
        sides: Sides,
    },
    /// Nothing is promised of it, and definitions that it uses are others here.
    Unpromised {
        /// The package.
        sides: Sides,
        /// Why nothing is promised.
        reason: String,
        /// The operators whose definitions are others here.
        differ: Vec<String>,
    },
    /// The reader was compiled with a break of an operator that its lock does not record, so it cannot know what the data means.
    Unrecorded {
        /// The package that reads.
        package: String,
        /// Its version.
        version: Version,
        /// What changed, as a sentence.
        change: String,
    },
    /// The graph does not say which package an operator is of.
    NoOwner {
        /// The operator.
        op: String,
    },
    /// The graph says nothing of a package whose operators it uses.
    NoStamp {
        /// The operator.
        op: String,
        /// The package.
        package: String,
    },
    /// The package of an operator is not linked.
    NotLinked {
        /// The operator.
        op: String,
        /// The package.
        package: String,
    },
    /// Here the operator is of another package, which does not say that it took it over.
    OtherOwner {
        /// The operator.
        op: String,
        /// The package that wrote it.
        package: String,
        /// The package that has it here.
        owner: String,
        /// Whether the writer's package is linked.
        is_linked: bool,
    },
    /// The operator is said to come from the package that wrote it, but the lock holds nothing of that package.
    NotTakenOver {
        /// The operator.
        op: String,
        /// The package that wrote it.
        package: String,
        /// The package that has it here.
        owner: String,
    },
    /// The operator moved, and what becomes of this graph only a function of the package that wrote it says.
    NeedsOwner {
        /// The operator.
        op: String,
        /// The package that wrote it.
        package: String,
        /// The last release of the writer.
        writer: Option<Version>,
        /// The package that has the operator here.
        owner: String,
        /// The data version of the break.
        version: u32,
        /// What broke.
        what: String,
    },
    /// The lock has the operator, but this build does not meet its condition.
    NotInThisBuild {
        /// The operator.
        op: String,
        /// The package.
        package: String,
        /// The condition.
        condition: String,
    },
    /// Several packages of the program have the operator.
    TwoOwners {
        /// The operator.
        op: String,
        /// The packages.
        packages: Vec<String>,
    },
}

impl fmt::Display for Sides {
    /// `written by vision-ops 1.6.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.writer {
            Some(writer) => write!(f, "written by {} {writer}", self.package),
            None => write!(f, "written by {}, by a build before its first release", self.package),
        }
    }
}

impl Sides {
    /// `this is 1.4.2`, and where the lines part, if they do.
    fn reader(&self) -> String {
        let this = match &self.heir {
            Some(heir) => format!("this is {heir}, which took it over as of {}", self.reader),
            None => format!("this is {}", self.reader),
        };
        match (&self.shared, self.is_parted) {
            (Some(shared), true) => format!("{this}, whose releases part from the writer's after {shared}"),
            (None, true) => format!("{this}, which shares no release with the writer"),
            _ => this,
        }
    }

    /// `upgrade vision-ops to 1.6.0 or later`; what moved is upgraded by its new owner's taking more over.
    fn upgrade(&self, to: Option<&str>) -> String {
        let package = &self.package;
        match (self.heir.as_deref().and_then(|heir| heir.split(' ').next()), to) {
            (None, None) => format!("upgrade {package}"),
            (None, Some(to)) => format!("upgrade {package} to {to}"),
            (Some(heir), None) => format!("let {heir} take over a later release of {package}"),
            (Some(heir), Some(to)) => format!("let {heir} take over {package} up to {to}"),
        }
    }
}

impl fmt::Display for VersionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionProblem::Malformed { package, what } => {
                write!(f, "the record of {package} is malformed: {what}\n  help: save it again from its source")
            }
            VersionProblem::Newer { sides, producer, consumer } => write!(
                f,
                "{sides} at data version {producer}; {} at data version {consumer}\n  help: {}",
                sides.reader(),
                sides.upgrade(None)
            ),
            VersionProblem::TooOld { sides, producer, min_producer } => write!(
                f,
                "{sides}, and taken as of data version {producer}; {}, which reads data from version {min_producer} on\n  \
                 help: save it again with a release of {} of data version {min_producer} or later",
                sides.reader(),
                sides.package
            ),
            VersionProblem::TooNew { sides, min_consumer, consumer, known } if *known < i64::from(*consumer) => write!(
                f,
                "{sides}, needs data version {min_consumer}; {}, and up to there both have data version {known}\n  \
                 help: read it with a release of {} from the writer's own line",
                sides.reader(),
                sides.package
            ),
            VersionProblem::TooNew { sides, min_consumer, consumer, .. } => write!(
                f,
                "{sides}, needs data version {min_consumer}; {}, at data version {consumer}\n  \
                 help: {}",
                sides.reader(),
                sides.upgrade(Some(&format!("a release of data version {min_consumer} or later")))
            ),
            VersionProblem::BadConsumer { sides, consumer } => write!(
                f,
                "{sides}, which names data version {consumer} as one that misreads its data; {}, at that data version\n  \
                 help: use a release of {} of another data version",
                sides.reader(),
                sides.package
            ),
            VersionProblem::NeedsRelease { sides, needs, because } => {
                write!(f, "{sides}, needs {needs} for `{because}`; {}\n  help: ", sides.reader())?;
                if sides.is_parted {
                    // Of what the writer took over, the release itself does not know the writer's line.
                    let of = sides.writer.as_ref().filter(|_| *needs == sides.reader).unwrap_or(needs);
                    write!(f, "read it with a release of {} whose line has {of}", sides.package)
                } else {
                    let is_later = *needs > sides.reader;
                    // What is not was taken over from another line after the reader's release.
                    let to = if is_later {
                        format!("{needs} or later")
                    } else {
                        format!("a release whose line has {needs}")
                    };
                    write!(f, "{}, or save the graph without `{because}`", sides.upgrade(Some(&to)))
                }
            }
            VersionProblem::NothingShared { sides } => write!(
                f,
                "{sides}; {}, and their lists of releases have no common beginning\n  \
                 help: read it with a release of {} from the writer's own line",
                sides.reader(),
                sides.package
            ),
            VersionProblem::Unpromised { sides, reason, differ } => {
                write!(f, "{sides}, but nothing is promised of it, since {reason}; {}", sides.reader())?;
                let ops: Vec<_> = differ.iter().map(|op| format!("`{op}`")).collect();
                match ops.as_slice() {
                    [op] => write!(f, ", and the definition of {op} is another")?,
                    _ => write!(f, ", and the definitions of {} are others", ops.join(", "))?,
                }
                f.write_str(
                    "\n  help: save it again with a sealed release, or allow unpromised data if you know what it is",
                )
            }
            VersionProblem::Unrecorded { package, version, change } => write!(
                f,
                "this build of {package} {version} cannot tell what older data means, since its ops.lock was stale: {change}\n  \
                 help: run `cargo oplock update` in {package}, and build it again"
            ),
            VersionProblem::NoOwner { op } => write!(
                f,
                "the graph does not say which package its operator `{op}` is of\n  help: save the graph again from its source"
            ),
            VersionProblem::NoStamp { op, package } => write!(
                f,
                "the graph uses `{op}` of {package} and has no record of that package\n  \
                 help: save the graph again from its source"
            ),
            VersionProblem::NotLinked { op, package } => write!(
                f,
                "operator `{op}` is of package {package}, which is not linked into this program\n  \
                 help: depend on {package}, and name it in the code, or nothing of it is linked: `use {} as _;`\n  \
                 help: if another package took `{op}` over, that one says #[op(\"{op}\", moved_from = \"{package}\")]",
                package.replace('-', "_")
            ),
            VersionProblem::OtherOwner { op, package, owner, is_linked } => write!(
                f,
                "operator `{op}` was saved as one of {package}{}, and here it is of {owner}, which does not say that it took it over\n  \
                 help: if it is the same operator, {owner} says #[op(\"{op}\", moved_from = \"{package}\")]",
                if *is_linked { "" } else { ", which is not linked" }
            ),
            VersionProblem::NotTakenOver { op, package, owner } => write!(
                f,
                "operator `{op}` was saved as one of {package}; {owner} says that it comes from there, and its lock holds nothing of \
                 {package}'s, so what the graph means cannot be told\n  \
                 help: in {owner}: `cargo oplock update --moved-from PATH/ops.lock`, with the lock of {package}"
            ),
            VersionProblem::NeedsOwner { op, package, writer, owner, version, what } => {
                let writer = writer.as_ref().map(|writer| format!(" {writer}")).unwrap_or_default();
                write!(
                    f,
                    "operator `{op}` was saved as one of {package}{writer}, and moved to {owner}: since data version {version} of \
                     {package}, {what}, and only a function of {package} says what becomes of graphs from before\n  \
                     help: link {package} as well, or load and save the graph with a release of {package} that has `{op}`"
                )
            }
            VersionProblem::NotInThisBuild { op, package, condition } => write!(
                f,
                "operator `{op}` of {package} exists only where `{condition}` holds, and this build is none\n  \
                 help: build {package} with it"
            ),
            VersionProblem::TwoOwners { op, packages } => {
                write!(
                    f,
                    "operator `{op}` is of several packages: {}\n  help: link only one of them",
                    packages.join(", ")
                )
            }
        }
    }
}
