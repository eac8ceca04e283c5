//! `PaddlePaddle`'s saved programs: `.pdmodel`, `__model__`.
//!
//! `messages` are the messages of `framework.proto`, with what this version does not know of them; `graph` makes a graph of them, `clip`
//! removes what an export does, `build` makes a program of a graph.

mod build;
mod clip;
mod graph;
pub mod messages;

use std::collections::BTreeMap;

use prost::Message as _;

pub use build::UnwritableProgram;
use messages::{PROGRAM, ProgramDesc};

use crate::models::{Format, Kept, ModelError, decode};

/// A saved program.
///
/// What is read is written back: fields that this version does not know are kept, behind those that it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The program as it is saved.
    pub desc: Kept<ProgramDesc>,
}

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    ///
    /// [`ModelError`], which names the byte and the field.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Ok(Program { desc: decode(bytes, &PROGRAM, Format::Paddle)? })
    }

    /// The program as protobuf.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.desc.encode_to_vec()
    }

    /// The release that wrote it, as a number: 2.6.2 is 2006002; 0 of a build without one, `None` where nothing is said.
    pub fn release_number(&self) -> Option<i64> {
        self.desc.version.as_ref()?.version
    }

    /// The version of each operator that had one for its writer.
    pub fn op_versions(&self) -> BTreeMap<String, i32> {
        let pairs = self.desc.op_version_map.iter().flat_map(|map| &map.pair);
        pairs.map(|pair| (pair.op_name.clone(), pair.op_version.version)).collect()
    }
}

/// A release as its number says: `2.6.2`.
pub fn release_text(number: i64) -> String {
    format!("{}.{}.{}", number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
}
