//! `OpList` as JSON: `{"source": …, "ops": [{"name": …, "input_arg": […], …}]}`, the fields named as in `op_def.proto`.
//!
//! It differs from protobuf's own JSON: a value without its kind's default stands by its short name (`{"i": 1}`), a shape is
//! `{"dims": [2, -1]}` or `{"unknown_rank": true}`, and a tensor has `dtype`, `shape`, `bytes` (the length of its message) and,
//! where its elements are stated, `content` (their bytes, little end first, in hexadecimal digits).

mod read;
mod write;

pub(super) use read::{File, read};
pub use write::write;
