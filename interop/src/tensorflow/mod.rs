//! `TensorFlow`: its operator definitions as oplock's.
//!
//! - [`graph_def`]: saved graphs and models.
//! - [`op_list`]: `OpList`, in the three forms in which it is met: protobuf text (`ops.pbtxt`, the files of an operator's
//!   history), protobuf binary, and JSON.
//! - [`proto`]: the protobuf messages of definitions and values, as far as they are read.
//! - [`types`]: the numbers and names of element types.

pub mod graph_def;
pub mod op_list;
pub mod proto;
mod tensor;
pub mod types;
mod value;
