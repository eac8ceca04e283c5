//! Data versions: which saved data a build can read.
//!
//! A package's version says what its API promises; a data version says which saved data it reads and writes. Each kind
//! of data has its own. The words (`producer`, `min_consumer`, `bad_consumers`) are `TensorFlow`'s.

use crate::{Map, Set};
use std::fmt;

use super::Str;

/// A kind of saved data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SavedKind {
    /// Graphs of nodes.
    Graph,
    /// The values of variables.
    Checkpoint,
}

impl SavedKind {
    /// Every kind, in the order in which the lock lists them.
    pub const ALL: [SavedKind; 2] = [SavedKind::Graph, SavedKind::Checkpoint];

    /// The word in a declaration and in the lock: `graph` or `checkpoint`.
    pub const fn key(self) -> &'static str {
        match self {
            SavedKind::Graph => "graph",
            SavedKind::Checkpoint => "checkpoint",
        }
    }
}

impl fmt::Display for SavedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The data versions of one kind of data, as `lock! { saved graph { … } }` declares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataVersions {
    /// The oldest producer whose data is read.
    pub min_producer: u32,
    /// The oldest consumer that may read what is written now.
    pub min_consumer: u32,
    /// Consumers known to misread what is written now.
    pub bad_consumers: Set<u32>,
    /// Every version with what it brought; the greatest is the one that is written.
    pub history: Map<u32, String>,
}

impl Default for DataVersions {
    /// What a plain `lock!()` declares: version 1 and nothing else.
    fn default() -> Self {
        DataVersions {
            min_producer: 1,
            min_consumer: 1,
            bad_consumers: Set::new(),
            history: Map::from([(1, String::new())]),
        }
    }
}

impl DataVersions {
    /// The version of what is written now.
    pub fn producer(&self) -> u32 {
        self.history.keys().next_back().copied().unwrap_or(1)
    }
}

/// Since which data version something is no longer to be used, and what to use instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// Graphs produced at this version or later must not use it.
    pub version: u32,
    /// What to use instead.
    pub note: Str,
}

/// A change of behaviour under an unchanged signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The data version that the change took.
    pub version: u32,
    /// What changed.
    pub note: Str,
}
