//! What other systems have: their operator definitions and saved models as oplock's own.
//!
//! - [`paddle`]: `PaddlePaddle`'s op descriptions (`.spec`).

pub mod paddle;
