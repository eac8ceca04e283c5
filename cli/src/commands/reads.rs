//! `cargo oplock reads`: which releases can read a graph, and what decides it; or what a lock's package writes by default.

use std::fmt::Write as _;
use std::path::Path;

use oplock_core::Lock;
use oplock_graph::{Cause, Graph, LockReach, PackageReach, reach_of_graph, reach_of_lock};
use serde_json::{Value, json};

use crate::args::{ExplainFormat, Reads};
use crate::error::Error;
use crate::exit::Exit;
use crate::named::{Wanted, parse_lock, read_bytes, read_text};
use crate::shell;

/// The version of the JSON form; it rises when a key goes or changes its meaning.
const SCHEMA: u32 = 1;

pub(super) fn run(args: &Reads) -> Result<Exit, Error> {
    let is_human = args.message_format == ExplainFormat::Human;
    let text = match read(&args.file, Wanted::GraphOrLock)? {
        File::Lock(_) if !args.lock.is_empty() => return Err(Error::LockOfLock(args.file.clone())),
        File::Lock(lock) => {
            let reach = reach_of_lock(&lock);
            if is_human { format!("{reach}\n") } else { lock_as_json(&lock, &reach) }
        }
        File::Graph(graph) => {
            let locks = args.lock.iter().map(|path| read_lock(path)).collect::<Result<Vec<_>, _>>()?;
            let reach = reach_of_graph(&graph, &locks)
                .map_err(|refused| Error::GraphRecords { path: args.file.clone(), refused })?;
            for (path, lock) in args.lock.iter().zip(&locks) {
                if !graph.stamps.keys().any(|package| lock.is_of(package)) {
                    let packages: Vec<_> = graph.stamps.keys().map(|package| format!("`{package}`")).collect();
                    let (path, package, packages) = (path.display(), &lock.package, packages.join(", "));
                    shell::warning(
                        format!("{path} is the lock of `{package}`, which wrote nothing of the graph"),
                        format!("name the locks of {packages}"),
                    );
                }
            }
            reach.iter().map(if is_human { as_text } else { as_json }).collect()
        }
    };
    shell::print(&text)?;
    Ok(Exit::Clean)
}

/// What a file is.
pub(super) enum File {
    Graph(Box<Graph>),
    Lock(Box<Lock>),
}

/// Reads a file. What it is is told by what it holds: JSON begins with a brace, and protobuf has bytes that no text has.
pub(super) fn read(path: &Path, wanted: Wanted) -> Result<File, Error> {
    let bytes = read_bytes(path, wanted)?;
    let wrong = |error| Error::Graph { path: path.to_owned(), error, wanted };
    let is_text = |text: &&str| !text.contains(|c: char| c.is_control() && !c.is_whitespace());
    let Some(text) = std::str::from_utf8(&bytes).ok().filter(is_text) else {
        return Ok(File::Graph(Box::new(Graph::from_bytes(&bytes).map_err(wrong)?)));
    };
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return Ok(File::Graph(Box::new(Graph::from_json(text).map_err(wrong)?)));
    }
    Ok(File::Lock(Box::new(parse_lock(path, text, wanted)?)))
}

fn read_lock(path: &Path) -> Result<Lock, Error> {
    parse_lock(path, &read_text(path, Wanted::Lock)?, Wanted::Lock)
}

fn as_text(reach: &PackageReach) -> String {
    let mut text = format!("{reach}\n");
    if reach.version.0 > 1 && reach.version.1.is_none() && reach.unpromised.is_none() && reach.last.is_none() {
        let _ = writeln!(text, "  help: which break needs it, the lock of {} may tell: `--lock LOCK`", reach.package);
    }
    if !reach.readers.is_empty() {
        let readers: Vec<_> = reach.readers.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "  of the releases that the writer knew: {}", readers.join(", "));
    }
    text
}

fn as_json(reach: &PackageReach) -> String {
    let cause = |cause: &Cause| json!({ "because": cause.because, "block": cause.at.block, "node": cause.at.node });
    let with = |key: &str, value: Value, of: Option<&Cause>| {
        let mut object = of.map_or_else(|| json!({ "because": null, "block": null, "node": null }), cause);
        object[key] = value;
        object
    };
    let (version, break_of) = &reach.version;
    let object = json!({
        "schema": SCHEMA,
        "reason": "readers",
        "package": reach.package,
        "oldest": reach.oldest().map(ToString::to_string),
        "readers": reach.readers.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "release": reach.release.as_ref().map(|(release, by)| with("version", release.to_string().into(), Some(by))),
        "data_version": with("version", (*version).into(), break_of.as_ref()),
        "unpromised": reach.unpromised,
        "producer": reach.producer,
        "last_release": reach.last.as_ref().map(|last| json!({
            "version": last.version.to_string(), "reads": last.refused.is_none(), "why": last.refused,
            "functions": last.functions.iter().map(|(op, before)| json!({ "op": op, "before": before })).collect::<Vec<_>>(),
        })),
    });
    format!("{object}\n")
}

fn lock_as_json(lock: &Lock, reach: &LockReach) -> String {
    let releases = reach.releases.iter().map(|release| {
        json!({
            "schema": SCHEMA, "reason": "release", "package": lock.package, "version": release.version.to_string(),
            "data_version": release.data_version, "unreadable": release.unreadable,
        })
    });
    let unpromised = reach.unpromised.iter().map(
        |(op, why)| json!({ "schema": SCHEMA, "reason": "unpromised", "package": lock.package, "op": op, "why": why }),
    );
    releases.chain(unpromised).map(|object| object.to_string() + "\n").collect()
}
