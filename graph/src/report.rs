//! What loading, saving and exporting say: what is wrong, what is to be noticed, and what was done.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::mem::{Discriminant, discriminant};

use oplock_core::Kind;

use crate::check::VersionProblem;
use crate::load::NodeProblem;
use crate::model::Export;

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The block, from 0.
    pub block: usize,
    /// The node in it, from 0.
    pub node: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} of block {}", self.node, self.block)
    }
}

/// Why a graph is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The versions, owners or marks of its data.
    Version(Box<VersionProblem>),
    /// A node.
    Node {
        /// Where it is; after an upgrade, in the upgraded graph.
        at: Place,
        /// Its operator.
        op: String,
        /// What is wrong with it.
        problem: Box<NodeProblem>,
    },
    /// A graph without blocks.
    NoBlock,
    /// Blocks that contain each other.
    Ring {
        /// The blocks, each with a node that names the next, the last the first.
        blocks: Vec<u32>,
        /// Those nodes, with their operators.
        by: Vec<(Place, String)>,
    },
    /// A graph that is to be saved is older data, as its record says, and was not loaded.
    NotLoaded {
        /// The package whose data it is.
        package: String,
        /// The data version that it is of.
        version: u32,
        /// The data version that is written.
        today: u32,
    },
    /// A graph that was exported for one kind of model is to be exported for another, which would have more.
    ExportedOtherwise {
        /// What it is.
        is: Export,
        /// What it was to be.
        wanted: Export,
    },
}

/// How many nodes of a ring of blocks are told.
const MOST_OF_RING: usize = 5;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Version(problem) => problem.fmt(f),
            Problem::Node { at, op, problem } => problem.write(f, op, *at),
            Problem::NoBlock => f.write_str("the graph has no block: the first block is the main one"),
            Problem::Ring { blocks, by } => {
                // A damaged file may have a ring of all its blocks.
                let (told, more) = (&by[..by.len().min(MOST_OF_RING)], by.len().saturating_sub(MOST_OF_RING));
                match blocks.as_slice() {
                    [block] => write!(f, "block {block} contains itself")?,
                    _ => write!(f, "{} blocks contain each other in a ring", blocks.len())?,
                }
                for (i, ((place, op), next)) in told.iter().zip(blocks.iter().cycle().skip(1)).enumerate() {
                    write!(f, "{} `{op}` ({place}) names block {next}", if i == 0 { ":" } else { "," })?;
                }
                if more > 0 {
                    write!(f, ", and {more} more")?;
                }
                f.write_str(
                    "\n  help: no node stands in a block that it names; the file is damaged, or who made it counts blocks from 1",
                )
            }
            Problem::NotLoaded { package, version, today } => write!(
                f,
                "the graph is data of {package} of version {version}, by its record, and what is saved now would be taken for \
                 version {today}\n  help: load it first (`Program::load`), which upgrades it, and save what comes of that"
            ),
            Problem::ExportedOtherwise { is, wanted } => {
                write!(
                    f,
                    "the graph was exported for a {is} model, which has less than one for a {wanted} model\n  \
                     help: export the graph from which it was made"
                )
            }
        }
    }
}

struct Listed<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Listed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            item.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Export::Float => "float",
            Export::Quantised => "quantised",
        })
    }
}

/// How many problems are told one by one.
pub const MOST_PROBLEMS: usize = 100;

/// A graph that is refused: every problem, the first cause first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refused {
    /// What is wrong, at most [`MOST_PROBLEMS`] and their causes.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
    /// Of those, one of each cause.
    beyond: HashMap<Cause, Problem>,
}

/// How many causes are told beyond the problems that are: more than any set of operators has, and no more than a hostile graph may ask for.
const MOST_CAUSES: usize = 10_000;

/// What many nodes may have in common: an operator, an item, and what is wrong with it.
type Cause = (String, Discriminant<NodeProblem>, Option<(Kind, String)>);

impl Refused {
    pub(crate) fn push(&mut self, problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
            return;
        }
        self.more += 1;
        if self.beyond.len() < MOST_CAUSES
            && let Problem::Node { op, problem: found, .. } = &problem
        {
            let found = found.cause();
            let item = found.item().map(|(kind, name)| (kind, name.to_owned()));
            self.beyond.entry((op.clone(), discriminant(found), item)).or_insert(problem);
        }
    }

    /// One problem of each cause, of nodes that are not told one by one.
    #[doc(hidden)]
    pub fn beyond(&self) -> impl Iterator<Item = &Problem> {
        self.beyond.values()
    }

    /// Whether no further problem is told, so that making one up is of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    /// What explains the problems goes before them.
    pub(crate) fn put_first(&mut self, causes: impl IntoIterator<Item = Problem>) {
        self.problems.splice(0..0, causes);
    }

    pub(crate) fn or<T>(self, value: T) -> Result<T, Refused> {
        if self.problems.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "\n" })?;
            problem.fmt(f)?;
        }
        if self.more > 0 { write!(f, "\nand {} more problems", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for Refused {}

/// What is to be noticed of a graph that loads, or of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// It uses what is deprecated since a later data version than its own.
    Deprecated {
        /// The package.
        package: String,
        /// The operator, or the item as `op.item`.
        path: String,
        /// Since which data version.
        version: u32,
        /// What to use instead.
        note: String,
    },
    /// A checkpoint is older than the graph beside it, and functions upgraded graphs in between.
    Apart(Apart),
}

/// How a checkpoint is older than the graph beside it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Apart {
    /// The package.
    pub package: String,
    /// The data version of graphs as of which the checkpoint was saved.
    pub checkpoint: u32,
    /// That of the graph.
    pub graph: u32,
    /// Those in between to which functions upgrade graphs, ascending.
    pub upgrades: Vec<u32>,
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Apart { package, checkpoint, graph, upgrades } = self;
        let plural = if upgrades.len() == 1 { "" } else { "s" };
        write!(
            f,
            "the checkpoint was saved as of data version {checkpoint} of graphs of {package}, and the graph is as of {graph}: what the \
             upgrade{plural} to {} made of variables was not done to the checkpoint",
            Listed(upgrades)
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Deprecated { package, path, version, note } => {
                write!(f, "`{path}` is deprecated since data version {version} of {package}: {note}")
            }
            Warning::Apart(apart) => write!(f, "{apart}; load it beside the graph with which it was saved"),
        }
    }
}

/// What was done to a graph, or noticed of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// It was written by a later data version than the reader's.
    NewerProducer {
        /// The package.
        package: String,
        /// The data version of the writer.
        producer: i64,
        /// That of the reader.
        consumer: u32,
    },
    /// Nothing is promised of it, and it was taken nevertheless.
    Unpromised {
        /// The package.
        package: String,
        /// Why nothing is promised.
        reason: String,
        /// Whether every definition is equal; if not, the caller allowed it.
        is_equal: bool,
    },
    /// An absent attribute got its default, which is a value and not absence itself.
    Filled {
        /// The attribute as `op.attr`.
        path: String,
        /// The default.
        value: String,
    },
    /// An attribute that the reader does not know was dropped, since it had the default with which it was added.
    DroppedDefault {
        /// The attribute as `op.attr`.
        path: String,
    },
    /// Something Extra was dropped: the reader has nothing Extra of that name that it fits.
    DroppedExtra {
        /// The item as `op.item`.
        path: String,
    },
    /// An Extra or unguarded item was clipped by an export, though it was not its default.
    Clipped {
        /// The item as `op.item`.
        path: String,
    },
    /// A Quant item was clipped by an export, though it was not its default, since the caller allows it.
    ClippedQuant {
        /// The item as `op.item`.
        path: String,
    },
    /// Blocks that nothing refers to were dropped.
    DroppedBlocks,
    /// A node was upgraded.
    Upgraded {
        /// The package.
        package: String,
        /// The operator.
        op: String,
        /// The data version of the break.
        version: u32,
    },
    /// A variable that outlives a run was renamed, added or removed by an upgrade.
    Variable {
        /// The step as a sentence.
        step: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NewerProducer { package, producer, consumer } => write!(
                f,
                "written at data version {producer} of {package}, which is newer than {consumer}, the one of this program; \
                 all that it uses is known here"
            ),
            Note::Unpromised { package, reason, is_equal } => {
                let why =
                    if *is_equal { "every definition that it uses is the same here" } else { "the caller allows it" };
                write!(f, "nothing is promised of the data of {package}, since {reason}; it is taken because {why}")
            }
            Note::Filled { path, value } => write!(f, "`{path}` is absent and got its default {value}"),
            Note::DroppedDefault { path } => {
                write!(f, "`{path}` is not known here and was dropped: it has the default with which it was added")
            }
            Note::DroppedExtra { path } => {
                write!(f, "`{path}` is Extra, fits nothing that is Extra here, and was dropped")
            }
            Note::Clipped { path } => write!(f, "`{path}` was not its default, carries no promise, and was removed"),
            Note::ClippedQuant { path } => {
                write!(f, "`{path}` serves quantisation, was not its default, and was removed as asked")
            }
            Note::DroppedBlocks => f.write_str("blocks that no node refers to were removed"),
            Note::Upgraded { package, op, version } => {
                write!(f, "`{op}` was upgraded to data version {version} of {package}")
            }
            Note::Variable { step } => f.write_str(step),
        }
    }
}

/// A note with where it first applies and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The first node, where it is of a node; for what is dropped or upgraded, as the graph came.
    pub first: Option<Place>,
    /// How many nodes.
    pub count: usize,
}

/// What was noticed and done: each thing once, however many nodes it is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What is to be noticed.
    pub warnings: BTreeMap<Warning, Times>,
    /// What was done.
    pub notes: BTreeMap<Note, Times>,
}

impl Report {
    pub(crate) fn warn(&mut self, warning: Warning, first: Option<Place>, count: usize) {
        add(&mut self.warnings, warning, first, count);
    }

    pub(crate) fn note(&mut self, note: Note, first: Option<Place>, count: usize) {
        add(&mut self.notes, note, first, count);
    }
}

fn add<K: Ord>(map: &mut BTreeMap<K, Times>, key: K, first: Option<Place>, count: usize) {
    let times = map.entry(key).or_insert(Times { first, count: 0 });
    times.count += count;
    times.first = match (times.first, first) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.count) {
            (None, _) => Ok(()),
            (Some(first), 1) => write!(f, " ({first})"),
            (Some(first), count) => write!(f, " ({count} nodes, the first is {first})"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (warning, times) in &self.warnings {
            writeln!(f, "warning: {warning}{times}")?;
        }
        for (note, times) in &self.notes {
            writeln!(f, "note: {note}{times}")?;
        }
        Ok(())
    }
}
