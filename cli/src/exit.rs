//! What the exit code says.

use std::process::ExitCode;

/// How a command ended, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All is in order.
    Clean,
    /// The lock is stale, and nothing is refused: what changed is compatible, approved, or accepted for a major version.
    Stale,
    /// The command was called wrongly.
    Usage,
    /// A change that breaks saved graphs.
    Break,
    /// The question could not be answered: the crate does not compile, a file cannot be read, …
    CouldNotRun,
}

impl Exit {
    /// The code that the process returns.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Stale => 1,
            Exit::Usage => 2,
            Exit::Break => 100,
            Exit::CouldNotRun => 101,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
