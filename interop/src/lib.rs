//! What other systems have: their operator definitions and saved models as oplock's own.
//!
//! - [`paddle`]: `PaddlePaddle`'s op descriptions (`.spec`).
//! - [`tensorflow`]: `TensorFlow`'s op definitions (`OpList`).
//! - [`rules`]: a system's own judgement of two sets of definitions.

pub mod paddle;
pub mod rules;
pub mod tensorflow;
