//! A graph as protobuf.
//!
//! `messages` are the messages of `graph.proto`; `wire::scan` checks bytes before anything is made of them, by the table of `schema`; `convert`
//! turns messages into a [`Graph`] and back, also for JSON.

mod compound;
mod convert;
pub(crate) mod messages;
mod schema;
#[cfg(test)]
mod tests;

use prost::Message as _;

pub(crate) use convert::{from_messages, to_messages};
use convert::{from_parts, to_block};
#[cfg(feature = "checkpoint")]
pub(crate) use convert::{from_stamps, to_stamps};
use messages::{FORMAT, Header, MAGIC};

use crate::error::MAX_BYTES;
use crate::wire::{self, Damage, Policy, scan, split};
use crate::{Block, Graph, ReadError, WriteError};

/// How deep lists may be within each other.
const MAX_LISTS: u8 = oplock_core::AttrType::MAX_DEPTH;

/// What reading a graph may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest size of the file, in bytes. Reading a graph of small nodes takes memory of about twenty times the size, and of no
    /// bytes more than a hundred times.
    pub max_bytes: usize,
}

impl Default for Limits {
    /// What protobuf allows: 2 GiB less one byte.
    fn default() -> Self {
        Limits { max_bytes: MAX_BYTES }
    }
}

impl Limits {
    pub(crate) fn check(self, bytes: usize) -> Result<(), ReadError> {
        if bytes <= self.max_bytes { Ok(()) } else { Err(ReadError::TooLarge { bytes, limit: self.max_bytes }) }
    }
}

impl Graph {
    /// The graph as protobuf, by the schema in `graph.proto`. Equal graphs give equal bytes.
    ///
    /// Nothing is judged: what may be saved is what `Program::save` gives.
    ///
    /// # Errors
    ///
    /// [`WriteError`], when the graph holds what no reader would take: an empty name, lists more than two deep within each other, more than
    /// 2 GiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let messages = to_messages(self)?;
        let bytes = messages.encoded_len();
        if bytes > MAX_BYTES { Err(WriteError::TooLarge { bytes }) } else { Ok(messages.encode_to_vec()) }
    }

    /// Reads a graph of protobuf. Nothing is judged but its form: `Program::load` says whether it may be used.
    ///
    /// # Errors
    ///
    /// [`ReadError`], which names the byte and the place in the graph.
    pub fn from_bytes(bytes: &[u8]) -> Result<Graph, ReadError> {
        Graph::from_bytes_within(bytes, &Limits::default())
    }

    /// [`Graph::from_bytes`] within these limits.
    ///
    /// # Errors
    ///
    /// As [`Graph::from_bytes`], and [`ReadError::TooLarge`].
    pub fn from_bytes_within(bytes: &[u8], limits: &Limits) -> Result<Graph, ReadError> {
        limits.check(bytes.len())?;
        if let Ok(header) = Header::decode(bytes) {
            check_header(&header)?;
        } else if !bytes.starts_with(&prefix()) {
            return Err(ReadError::NotAGraph { why: "it is no protobuf, or cut off at its beginning".to_owned() });
        }
        scan(bytes, &schema::GRAPH, Policy::Own).map_err(damaged)?;
        let (blocks, rest) = fields(bytes, &schema::GRAPH, "blocks")?;
        let block = |bytes| move |place: convert::Place<'_>| scanned_block(bytes, place);
        from_parts(decode(&rest)?, blocks.into_iter().map(block))
    }
}

/// A block whose nodes are decoded and converted one by one: the messages of all of them together would be as large as the graph.
fn scanned_block(bytes: &[u8], place: convert::Place<'_>) -> Result<Block, ReadError> {
    let (nodes, rest) = fields(bytes, &schema::BLOCK, "nodes")?;
    to_block(decode(&rest)?, nodes.into_iter().map(decode), place)
}

/// The contents of each field of that name, and the bytes of all others.
fn fields<'b>(bytes: &'b [u8], message: &wire::Message, name: &str) -> Result<(Vec<&'b [u8]>, Vec<u8>), ReadError> {
    split(bytes, message.number(name).unwrap_or_default()).map_err(damaged)
}

fn damaged(Damage { at, path, what }: Damage) -> ReadError {
    ReadError::Damaged { at, path, what }
}

/// Decodes the protobuf of a graph and makes nothing of it: what loading is held against by the benchmarks.
///
/// # Errors
///
/// When the bytes are no such protobuf.
#[doc(hidden)]
pub fn decode_alone(bytes: &[u8]) -> Result<impl Sized, ReadError> {
    decode::<messages::Graph>(bytes)
}

fn decode<M: prost::Message + Default>(bytes: &[u8]) -> Result<M, ReadError> {
    M::decode(bytes).map_err(|error| ReadError::Damaged { at: 0, path: String::new(), what: error.to_string() })
}

/// The first bytes of a file: the first field.
fn prefix() -> Vec<u8> {
    Header { magic: MAGIC.to_owned(), format: 0 }.encode_to_vec()
}

/// Checks the two fields that every format has.
pub(crate) fn check_header(header: &Header) -> Result<(), ReadError> {
    let Header { magic, format } = header;
    if magic != MAGIC {
        let why = format!("its `magic` is {magic:?}, and that of a graph is {MAGIC:?}");
        return Err(ReadError::NotAGraph { why });
    }
    match *format {
        0 => Err(ReadError::NotAGraph { why: "it does not say its `format`".to_owned() }),
        FORMAT => Ok(()),
        found => Err(ReadError::NewerFormat { found, known: FORMAT }),
    }
}
