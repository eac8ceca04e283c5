//! Why a graph cannot be read or written as a file.

use thiserror::Error;

/// Why bytes or a text are no graph that this version reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It does not say that it is a graph of oplock.
    #[error("this is no graph of oplock: {why}")]
    NotAGraph {
        /// What it has instead of the words with which one begins.
        why: String,
    },
    /// It was written in a format that did not exist when this version was made.
    #[error(
        "the graph is in format {found}, and this build of oplock reads formats up to {known}\n  \
         help: build with a newer oplock: `cargo update -p oplock`"
    )]
    NewerFormat {
        /// The format of the graph.
        found: u32,
        /// The newest format that this version reads.
        known: u32,
    },
    /// It is larger than the caller allows.
    #[error(
        "the graph has {bytes} bytes, and only {limit} are allowed\n  help: if it is to be trusted, raise `Limits::max_bytes`"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The allowed size.
        limit: usize,
    },
    /// The bytes are cut off, damaged or not of this format.
    #[error("the graph is damaged at byte {at}{}: {what}", place(path))]
    Damaged {
        /// The byte at fault, from 0.
        at: usize,
        /// Where in the graph that is, e.g. `blocks[0].nodes[12].attrs[1]`; empty for the whole.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// The text is no JSON, or has not the fields of a graph.
    #[error("line {line}, column {column}: {what}")]
    Json {
        /// The line at fault, from 1.
        line: usize,
        /// The column at fault, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// What was read cannot be part of a graph.
    #[error("{path}: {what}")]
    Content {
        /// Where in the graph, e.g. `blocks[0].nodes[12].attrs.axes`.
        path: String,
        /// What is wrong.
        what: String,
    },
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(", in {path}") }
}

/// Why a graph cannot be written: no reader would take it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A part of it cannot be written.
    #[error("{path}: {what}")]
    Content {
        /// Where in the graph, e.g. `blocks[0].nodes[12].attrs.axes`.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// It is larger than protobuf allows.
    #[error(
        "the graph takes {bytes} bytes, and a protobuf message holds at most {MAX_BYTES}\n  help: keep large constants in a checkpoint"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
}

/// The largest protobuf message, 2 GiB less one.
pub(crate) const MAX_BYTES: usize = 0x7fff_ffff;
