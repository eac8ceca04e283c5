//! What other systems have: their operator definitions and saved models as oplock's own.
//!
//! - [`paddle`]: `PaddlePaddle`'s op descriptions (`.spec`).
//! - [`rules`]: how those systems judge a change of their own definitions.

pub mod paddle;
pub mod rules;
