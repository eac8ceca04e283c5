//! What other systems have: their operator definitions and saved models as oplock's own.
//!
//! - [`paddle`]: `PaddlePaddle`'s op descriptions (`.spec`).
//! - [`tensorflow`]: `TensorFlow`'s op definitions (`OpList`).
//! - [`rules`]: a system's own judgement of two sets of definitions.

mod format;
mod json;
pub mod paddle;
pub mod rules;
pub mod tensorflow;

pub use format::Format;
pub use json::JsonError;
