//! Saved models of any system as graphs, and what definitions say of them.

mod any;
pub mod audit;
mod error;
mod export;
mod foreign;
mod kept;
mod problem;
mod reader;
mod system;

use std::fmt;

pub use any::{AnyModel, HEAD, NamedAs, format_of, may_be_model};
pub use error::ModelError;
pub(crate) use error::decode;
pub use export::{ExportError, Exported, ExportedModel};
pub(crate) use foreign::stand_in;
pub use foreign::{EmptyList, Fault, Foreign};
pub use kept::{Described, Kept};
pub use problem::{Cause, ModelProblem};
pub use reader::{Held, Need, Reader, Verdict, Writer};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A graph that `Program::save` made.
    Oplock,
    /// A program of `PaddlePaddle`.
    Paddle,
    /// A model of ONNX.
    Onnx,
    /// A graph of `TensorFlow`.
    GraphDef,
    /// A `SavedModel` of `TensorFlow`.
    SavedModel,
}

impl Format {
    /// The word of machine-readable reports.
    pub const fn key(self) -> &'static str {
        match self {
            Format::Oplock => "oplock",
            Format::Paddle => "paddle",
            Format::Onnx => "onnx",
            Format::GraphDef => "tensorflow-graph",
            Format::SavedModel => "tensorflow-saved-model",
        }
    }
}

/// As the subject of a sentence: `the PaddlePaddle program`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Oplock => "the graph",
            Format::Paddle => "the PaddlePaddle program",
            Format::Onnx => "the ONNX model",
            Format::GraphDef => "the TensorFlow graph",
            Format::SavedModel => "the TensorFlow SavedModel",
        })
    }
}
