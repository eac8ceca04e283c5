//! The arguments of the commands that releases, branches and other machines ask for.

use std::path::PathBuf;

use clap::Args;
use oplock_core::day::is_day;

use super::{Examine, Packages, Select};

/// `cargo oplock seal`
#[derive(Args)]
pub(crate) struct Seal {
    /// Say what would happen and which version is the lowest legal one, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Seal what the lock says of operators that no build showed, since none met their conditions
    #[arg(long)]
    pub(crate) unseen: bool,
    /// Record this graph as a sample of the release, in golden/VERSION beside the lock; may be repeated
    #[arg(long, value_name = "GRAPH")]
    pub(crate) golden: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) examine: Examine,
}

/// `cargo oplock approve`
#[derive(Args)]
pub(crate) struct Approve {
    /// The name in brackets behind the finding, such as `attr_changed`
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,
    /// What it is about: an operator, `OP.ITEM`, or `OP.input.ITEM` where items of several kinds have the name
    #[arg(value_name = "OP[.ITEM]")]
    pub(crate) path: String,
    /// Which of its fields, where several changed
    #[arg(long, value_name = "NAME")]
    pub(crate) field: Option<String>,
    /// Why the break may be
    #[arg(long, value_name = "TEXT", value_parser = non_empty)]
    pub(crate) reason: String,
    /// Who allows it; git's user where nobody is named
    #[arg(long, value_name = "NAME", value_parser = non_empty)]
    pub(crate) by: Option<String>,
    /// The last day on which it counts
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub(crate) expires: Option<String>,
    #[command(flatten)]
    pub(crate) packages: Packages,
}

/// `cargo oplock resolve`
#[derive(Args)]
pub(crate) struct Resolve {
    /// Merge three files into the second, as git calls a merge driver: `%O %A %B`
    #[arg(long, num_args = 3, value_names = ["BASE", "OURS", "THEIRS"])]
    pub(crate) driver: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) select: Select,
}

/// `cargo oplock absorb`
#[derive(Args)]
pub(crate) struct Absorb {
    /// The other line: a git revision, or its lock
    #[arg(value_name = "REV|LOCK")]
    pub(crate) other: String,
    #[command(flatten)]
    pub(crate) select: Select,
}

/// `cargo oplock collect`
#[derive(Args)]
pub(crate) struct Collect {
    /// The folder to write into
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) packages: Packages,
}

fn non_empty(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("it must not be empty".to_owned()) } else { Ok(text.to_owned()) }
}

fn day(text: &str) -> Result<String, String> {
    if is_day(text) && text.parse::<jiff::civil::Date>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err("it is no day; a day is written YYYY-MM-DD".to_owned())
    }
}
