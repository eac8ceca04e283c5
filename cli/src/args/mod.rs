//! What can be said on the command line, and nothing of what it does.

#![expect(clippy::doc_markdown, reason = "these comments are the text of --help, where back-ticks would be seen")]

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use semver::Version;

mod format;
mod import;
mod model;
mod release;

pub(crate) use format::{ExplainFormat, Format, PrintFormat};
pub(crate) use import::{Framework, Import};
pub(crate) use model::{Against, Audit, ExportKind, Model, ModelCheck, ModelCommand, ModelExport, ModelShow};
pub(crate) use release::{Absorb, Approve, Collect, Resolve, Seal};

/// Cargo calls its plugins with the plugin's name as the first argument.
#[derive(Parser)]
#[command(name = "cargo", bin_name = "cargo", styles = clap_cargo::style::CLAP_STYLING)]
enum Cargo {
    /// Keeps, checks and compares the locks of operator crates
    #[command(version, after_help = AFTER_HELP)]
    Oplock(Oplock),
}

const AFTER_HELP: &str = "\
Exit codes: 0 all in order; 1 the lock is stale, but nothing breaks; 2 wrong usage; 100 a breaking change; \
101 the command could not run.";

/// Everything that was said.
#[derive(Args)]
pub(crate) struct Oplock {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Args)]
pub(crate) struct Global {
    /// When to colour the output; CARGO_TERM_COLOR says it too
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    pub(crate) color: Option<Color>,
    /// Print no progress
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Where the output is a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Create the lock of a package that has none
    Init(Init),
    /// Say what the lock does not agree with, and change nothing
    Check(Check),
    /// Bring the lock up to date, unless that would break saved graphs
    Update(Update),
    /// Announce the version of the next release, so that a major one may break
    Plan(Plan),
    /// Take back what no release carries yet
    Withdraw(Withdraw),
    /// Let the lock follow a package that was renamed
    Rename(Rename),
    /// Seal a release: all that the lock holds is promised from this version on
    Seal(Seal),
    /// Allow one break, with a reason and a name
    Approve(Approve),
    /// Merge a lock that git could not merge
    Resolve(Resolve),
    /// Take the releases of another line over
    Absorb(Absorb),
    /// Collect the operators that this machine can build, for `--from` on another
    Collect(Collect),
    /// Compare two files of operator definitions: locks, or another system's
    Diff(Diff),
    /// Print the operators of a lock, of another system's file or of the source
    Print(Print),
    /// Declare the operators of another framework in Rust
    Import(Import),
    /// Say which releases can read a graph, or what a lock's package writes
    Reads(Reads),
    /// Check, print or export a saved model, whoever saved it
    Model(Model),
    /// Say which of many saved models load, and why the others do not
    Audit(Audit),
    /// Explain a rule, or list all
    Explain(Explain),
    /// Print the completions of a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        folder: PathBuf,
    },
}

/// The whole definition, for what is made of it.
pub(crate) fn definition() -> clap::Command {
    let cargo = <Cargo as clap::CommandFactory>::command();
    cargo.find_subcommand("oplock").cloned().unwrap_or(cargo).bin_name("cargo oplock")
}

/// `cargo oplock init`
#[derive(Args)]
pub(crate) struct Init {
    /// The last published version: all that is found is promised since then
    #[arg(long, value_name = "VERSION", value_parser = release_version)]
    pub(crate) released: Option<Version>,
    /// Take over what this lock of another package says of operators that are declared with `moved_from` it
    #[arg(long, value_name = "LOCK")]
    pub(crate) moved_from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) packages: Packages,
}

/// `cargo oplock check`
#[derive(Args)]
pub(crate) struct Check {
    /// Hold the lock against the lock at a git revision, or in a file, as well
    #[arg(long, value_name = "REV|LOCK")]
    pub(crate) base: Option<String>,
    /// Show for each break a graph that no longer loads, or means something else
    #[arg(long)]
    pub(crate) witness: bool,
    #[command(flatten)]
    pub(crate) examine: Examine,
}

/// `cargo oplock update`
#[derive(Args)]
pub(crate) struct Update {
    #[command(flatten)]
    pub(crate) examine: Examine,
    /// Take over what this lock of another package says of operators that are declared with `moved_from` it
    #[arg(long, value_name = "LOCK")]
    pub(crate) moved_from: Option<PathBuf>,
}

/// `cargo oplock plan`
#[derive(Args)]
pub(crate) struct Plan {
    /// `major`, a version, or `none` to take the plan back
    #[arg(value_name = "major|VERSION|none", value_parser = plan)]
    pub(crate) next: Next,
    #[command(flatten)]
    pub(crate) select: Select,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The lowest major version above the last release.
    Major,
    /// That version.
    Version(Version),
    /// Nothing is planned.
    None,
}

/// `cargo oplock withdraw`
#[derive(Args)]
pub(crate) struct Withdraw {
    /// An operator, `OP.ITEM`, or `OP.input.ITEM` where items of several kinds have the name
    #[arg(value_name = "OP[.ITEM]", required = true)]
    pub(crate) paths: Vec<String>,
    #[command(flatten)]
    pub(crate) select: Select,
}

/// `cargo oplock rename`
#[derive(Args)]
pub(crate) struct Rename {
    /// The name that the package had; the new one is in its Cargo.toml
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    #[command(flatten)]
    pub(crate) select: Select,
}

/// `cargo oplock diff`
#[derive(Args)]
pub(crate) struct Diff {
    /// The older lock, or file of another system's definitions
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The newer lock, or file of another system's definitions
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Whose rules judge the changes
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t)]
    pub(crate) rules: Rules,
    /// For `--rules paddle-ci`: the registry of op versions of NEW (.opver.json)
    #[arg(long, value_name = "FILE")]
    pub(crate) op_versions: Option<PathBuf>,
    /// Print only the changes that break
    #[arg(long)]
    pub(crate) breaks: bool,
    /// Show for each break a graph that no longer loads, or means something else
    #[arg(long)]
    pub(crate) witness: bool,
    /// Which bump a relaxed requirement needs (an input that may be absent from now on)
    #[arg(long, value_enum, value_name = "BUMP", default_value_t)]
    pub(crate) relaxations: Relaxations,
    /// How to print the findings
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: Format,
}

/// Whose rules judge a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rules {
    /// oplock's own
    #[default]
    Oplock,
    /// What PaddlePaddle's check of op descriptions prints
    PaddleCi,
    /// TensorFlow's compatibility test
    #[value(name = "tensorflow")]
    TensorFlow,
    /// ONNX: what is published under a version stays as it is
    Onnx,
}

/// Which bump a relaxed requirement needs.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Relaxations {
    /// By the published table.
    #[default]
    Major,
    /// As `relaxations = "minor"` in `[package.metadata.oplock]`.
    Minor,
}

/// `cargo oplock print`
#[derive(Args)]
pub(crate) struct Print {
    /// A lock, or a file of another system's definitions; the package's own lock where none is named
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Print what the source declares and not what the lock remembers
    #[arg(long, conflicts_with = "file")]
    pub(crate) source: bool,
    /// Print only this operator; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) op: Vec<String>,
    /// The package that a lock made of another system's file names; the file's name where none is given
    #[arg(long, value_name = "NAME")]
    pub(crate) package_name: Option<String>,
    /// How to print the operators
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: PrintFormat,
    #[command(flatten)]
    pub(crate) packages: Packages,
}

/// `cargo oplock reads`
#[derive(Args)]
pub(crate) struct Reads {
    /// A saved graph, as protobuf or as JSON, or a lock
    #[arg(value_name = "GRAPH|LOCK")]
    pub(crate) file: PathBuf,
    /// The lock of a package that wrote the graph, which tells which break needs a data version; may be repeated
    #[arg(long, value_name = "LOCK")]
    pub(crate) lock: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: ExplainFormat,
}

/// `cargo oplock explain`
#[derive(Args)]
pub(crate) struct Explain {
    /// The name in brackets behind a finding, such as `attr_changed`
    #[arg(value_name = "RULE")]
    pub(crate) rule: Option<String>,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: ExplainFormat,
}

/// What is examined, and how what was found is printed.
#[derive(Args)]
pub(crate) struct Examine {
    /// How to print the findings
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: Format,
    #[command(flatten)]
    pub(crate) packages: Packages,
}

/// Where the operators come from: which packages, and how they are built.
#[derive(Args)]
pub(crate) struct Packages {
    #[command(flatten)]
    pub(crate) select: Select,
    #[command(flatten)]
    pub(crate) build: Build,
}

/// Which packages are meant.
#[derive(Args)]
pub(crate) struct Select {
    #[command(flatten)]
    pub(crate) manifest: clap_cargo::Manifest,
    #[command(flatten)]
    pub(crate) workspace: clap_cargo::Workspace,
    #[command(flatten)]
    pub(crate) cargo: CargoFlags,
}

/// Flags that are handed on to cargo.
#[derive(Args)]
pub(crate) struct CargoFlags {
    /// Assert that `Cargo.lock` will remain unchanged
    #[arg(long)]
    locked: bool,
    /// Run without accessing the network
    #[arg(long)]
    offline: bool,
    /// Equivalent to specifying both --locked and --offline
    #[arg(long)]
    frozen: bool,
}

impl CargoFlags {
    /// As cargo takes them.
    pub(crate) fn to_args(&self) -> Vec<String> {
        let flags = [(self.locked, "--locked"), (self.offline, "--offline"), (self.frozen, "--frozen")];
        flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag.to_owned()).collect()
    }
}

/// How the source is built.
#[derive(Args)]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) features: clap_cargo::Features,
    /// Check for the target triple
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Take in what `collect --out` wrote on another machine; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) from: Vec<PathBuf>,
}

/// A version that can be released: without a pre-release, whose entries stay unreleased.
fn release_version(text: &str) -> Result<Version, String> {
    let version = Version::parse(text).map_err(|error| error.to_string())?;
    if version.pre.is_empty() && version.build.is_empty() {
        return Ok(version);
    }
    let target = oplock_core::version::target(&version);
    Err(format!("a pre-release and build metadata promise nothing: say the version itself, {target}"))
}

fn plan(text: &str) -> Result<Next, String> {
    match text {
        "major" => Ok(Next::Major),
        "none" => Ok(Next::None),
        version => {
            release_version(version).map(Next::Version).map_err(|error| format!("not `major`, not `none`, and {error}"))
        }
    }
}

/// Reads the arguments of this process; ends it where they are wrong.
pub(crate) fn parse() -> Oplock {
    let Cargo::Oplock(args) = Cargo::parse_from(as_cargo_calls(std::env::args_os().collect()));
    args
}

/// `cargo-oplock check` is as good as `cargo oplock check`.
fn as_cargo_calls(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_none_or(|first| first != "oplock") {
        args.insert(args.len().min(1), "oplock".into());
    }
    args
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cargo::command().debug_assert();
    }

    #[test]
    fn both_ways_of_calling() {
        for args in [&["cargo-oplock", "oplock", "explain"][..], &["cargo-oplock", "explain"]] {
            let args = as_cargo_calls(args.iter().map(OsString::from).collect());
            let Cargo::Oplock(oplock) = Cargo::try_parse_from(args).unwrap_or_else(|error| panic!("{error}"));
            assert!(matches!(oplock.command, Command::Explain(_)));
        }
    }

    #[test]
    fn plans() {
        assert_eq!(plan("major"), Ok(Next::Major));
        assert_eq!(plan("none"), Ok(Next::None));
        assert_eq!(plan("2.0.0"), Ok(Next::Version(Version::new(2, 0, 0))));
        for wrong in ["", "2", "minor", "2.0.0-rc.1", "2.0.0+x"] {
            assert!(plan(wrong).is_err(), "{wrong}");
        }
    }
}
