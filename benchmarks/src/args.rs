//! What can be said on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Measures oplock: its macros against serde's, its graphs against their protobuf
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    /// Measure all with the smallest sizes, and no cold builds: whether it runs, and not what it costs
    #[arg(long)]
    pub(crate) quick: bool,
    /// What is measured; all of it, with few runs each, where nothing is said
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The benchmarks.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compile crates of many operators, and the same structs with serde's two derives
    CompileTime(CompileTime),
    /// Decode, load, save and export graphs of many nodes
    Graphs(Graphs),
    /// Compare two op descriptions, and do the same in Python
    Diff(Diff),
    /// Look operators up by name, and do the same in a map of the standard library
    Lookup(Lookup),
    /// Count the instructions of each step alone, and hold them against a budget
    Instructions(Instructions),
}

/// `compile-time`
#[derive(Args)]
pub(crate) struct CompileTime {
    /// How many operators the crates have: 300 and 3000 where they are generated, all where a file has them
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    pub(crate) ops: Vec<NonZeroUsize>,
    /// Compile the operators of that file of definitions, read and declared as `cargo oplock import` does, instead of generated ones;
    /// where `--ops` says fewer, evenly chosen ones
    #[arg(long, value_name = "FILE")]
    pub(crate) definitions: Option<PathBuf>,
    /// How often each time is taken
    #[arg(long, value_name = "COUNT", default_value = "3")]
    pub(crate) runs: NonZeroUsize,
    /// Which builds of the generated crates are timed
    #[arg(long, value_enum, value_delimiter = ',', value_name = "BUILD,…", default_value = "whole")]
    pub(crate) builds: Vec<Build>,
    /// Leave out the cold builds of the libraries themselves
    #[arg(long)]
    pub(crate) no_cold: bool,
    /// Count the compiler's instructions with valgrind and take no times: slow, and the same on every run
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Measure the `oplock` in that folder; this workspace's own where none is named
    #[arg(long, value_name = "FOLDER")]
    pub(crate) library: Option<PathBuf>,
}

impl CompileTime {
    /// How many operators the crates have, in ascending order; a file has at most `all`.
    pub(crate) fn sizes(&self, all: Option<usize>) -> Vec<usize> {
        let default = all.map_or_else(|| vec![300, 3000], |all| vec![all]);
        let most = all.unwrap_or(usize::MAX);
        let said = self.ops.iter().map(|ops| ops.get().min(most));
        let mut sizes = if self.ops.is_empty() { default } else { said.collect() };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

/// `graphs`
#[derive(Args)]
pub(crate) struct Graphs {
    /// How many nodes the graphs have
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "1000,10000,100000,1000000")]
    pub(crate) nodes: Vec<NonZeroUsize>,
    /// How often each time is taken; the least counts
    #[arg(long, value_name = "COUNT", default_value = "5")]
    pub(crate) runs: NonZeroUsize,
}

/// `diff`
#[derive(Args)]
pub(crate) struct Diff {
    /// An older .spec of your own; two of 780 and of 7,800 operators are made where none is named
    #[arg(long, value_name = "FILE", requires = "new")]
    pub(crate) old: Option<PathBuf>,
    /// The newer .spec
    #[arg(long, value_name = "FILE", requires = "old")]
    pub(crate) new: Option<PathBuf>,
    /// How often each time is taken
    #[arg(long, value_name = "COUNT", default_value = "5")]
    pub(crate) runs: NonZeroUsize,
}

/// `lookup`
#[derive(Args)]
pub(crate) struct Lookup {
    /// How many lookups a run has
    #[arg(long, value_name = "COUNT", default_value = "1000000")]
    pub(crate) lookups: NonZeroUsize,
    /// How often each time is taken
    #[arg(long, value_name = "COUNT", default_value = "5")]
    pub(crate) runs: NonZeroUsize,
}

/// `instructions`
#[derive(Args)]
pub(crate) struct Instructions {
    /// How many instructions each step may take
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/budget.json"))]
    pub(crate) budget: PathBuf,
    /// Make what is counted the budget
    #[arg(long)]
    pub(crate) write: bool,
}

/// A step whose instructions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// Reading a declaration
    Read,
    /// Reading it, and holding it against the lock
    Compare,
    /// All of `#[op]`
    Expand,
    /// Reading an operator of a lock
    Lock,
    /// Comparing two definitions
    Diff,
    /// Reading a node of a graph, and loading it
    Load,
}

impl Step {
    /// The name in a table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Step::Read => "read",
            Step::Compare => "compare",
            Step::Expand => "expand",
            Step::Lock => "lock",
            Step::Diff => "diff",
            Step::Load => "load",
        }
    }
}

/// A build of a generated crate whose dependencies are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Build {
    /// With `CARGO_INCREMENTAL=0`, as on a server
    Whole,
    /// The first one of cargo's default, which prepares the next
    First,
    /// The next one of cargo's default, after the source was touched
    Again,
}

impl Build {
    /// The name in a table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Build::Whole => "whole",
            Build::First => "first",
            Build::Again => "again",
        }
    }

    /// The value of `CARGO_INCREMENTAL`.
    pub(crate) const fn incremental(self) -> &'static str {
        match self {
            Build::Whole => "0",
            Build::First | Build::Again => "1",
        }
    }
}
