//! `TensorFlow`: its operator definitions as oplock's.
//!
//! - [`proto`]: the protobuf messages of definitions and values, as far as they are read.
//! - [`types`]: the numbers and names of element types.

pub mod proto;
pub mod types;
