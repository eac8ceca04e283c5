//! `OpList` as protobuf text: `ops.pbtxt`, and the files of an operator's history.

mod lexer;
mod read;
mod write;

pub(super) use read::read;
pub use write::write;
