//! What other systems have: their operator definitions and saved models as oplock's own.
//!
//! - [`DefinitionFile`]: a file of definitions, whoever's it is.
//! - [`import`]: from operators to their declarations in Rust.
//! - [`onnx`]: ONNX's operator schemas and models.
//! - [`paddle`]: `PaddlePaddle`'s op descriptions (`.spec`).
//! - [`tensorflow`]: `TensorFlow`'s op definitions (`OpList`).
//! - [`models`]: saved models, and what definitions say of them.
//! - [`select`]: operators as a person names them.
//! - [`rules`]: a system's own judgement of two sets of definitions.

mod definitions;
mod format;
pub mod import;
mod json;
pub mod models;
pub mod onnx;
pub mod paddle;
pub mod rules;
pub mod select;
pub mod tensorflow;

pub use definitions::{DefinitionError, DefinitionFile, Stated};
pub use format::Format;
pub use json::JsonError;
