//! What a saved graph holds.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::Kind;
use oplock_registry::{Map, Node, Value};
use semver::Version;

/// A saved graph: blocks of nodes, and who wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The blocks; the first is the main one, the others are sub-graphs that a `block` attribute names by index.
    pub blocks: Vec<Block>,
    /// Who wrote it: the record of each package whose operators the graph uses, by the name of the package.
    pub stamps: BTreeMap<String, Stamp>,
    /// The package of each operator that the graph uses.
    pub owners: BTreeMap<String, String>,
    /// For each attribute that is younger than its operator and that the graph states: the default with which the
    /// attribute was last added, by operator and attribute. A reader that does not know the attribute may drop it when
    /// it has this value.
    pub added: BTreeMap<String, Map<String, Value>>,
    /// The inputs and outputs that nodes connect and that were Extra for the writer, by operator: a reader keeps them
    /// only where they are Extra for it too. (Attributes need no such list: a node keeps its Extra ones apart.)
    pub extra: BTreeMap<String, BTreeSet<(Kind, String)>>,
    /// For what kind of model it was exported; `None` for a graph that was saved whole.
    pub export: Option<Export>,
}

/// A list of nodes in the order in which they run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The variables that are given from outside.
    pub inputs: Vec<String>,
    /// The variables that are the block's results.
    pub outputs: Vec<String>,
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// For what kind of model a graph was exported, and so which parts of each signature were removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Export {
    /// Without what is Extra.
    Float,
    /// Without what is Extra or Quant.
    Quantised,
}

/// What saved data says of the package that wrote it, as the file has it: nothing here is checked yet, so numbers may
/// be negative and lists may repeat themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stamp {
    /// The data version of the writer.
    pub producer: i64,
    /// The least data version that a reader must have.
    pub min_consumer: i64,
    /// Data versions that misread it.
    pub bad_consumers: Vec<i64>,
    /// The sealed releases of the writer, oldest first. The last is the writer's own.
    pub releases: Vec<Release>,
    /// The oldest release that knows all that the graph uses; `None` when no release of the writer does.
    pub oldest_reader: Option<OldestReader>,
    /// Why nothing is promised of the data, where it is so.
    pub unpromised: Option<Unpromised>,
}

/// A release of the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its version.
    pub version: Version,
    /// The data version that it writes.
    pub data_version: i64,
    /// What tells it from another release of the same version that was made elsewhere, as the writer's lock has it.
    pub digest: Option<String>,
}

/// The oldest release that can read a graph, and what decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldestReader {
    /// The release.
    pub version: Version,
    /// The operator, or the item as `op.item`, that it was the first to have.
    pub because: String,
}

/// Data of which nothing is promised, since it was written by a build that was no sealed release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpromised {
    /// Why, as a part of a sentence: `its lock was stale`.
    pub reason: String,
    /// The digest of the definition of each operator that the graph uses, by its name.
    pub digests: BTreeMap<String, String>,
}
