//! What an operator is: its inputs, outputs and attributes, and how they are marked.
//!
//! The same types describe an operator declared in source (tables of `'static` data), one remembered
//! in a lock, and one read from another system. Nothing here knows of files or of Rust syntax.
//!
//! Programs and the macros both need this crate, and with the same features, so that cargo builds it once for both.

mod compound;
mod declared;
mod element;
pub mod fingerprint;
mod map;
mod name;
mod op;
#[doc(hidden)]
pub mod order;
mod saved;
mod suggest;
mod ty;
mod value;

pub use compound::{Complex128, Func, ParseShapeError, Shape, SparseTensor, Tensor, TensorData};
pub use declared::Declared;
pub use element::{ELEMENT_TYPES, ElementType, Flags, TypeVar, WrongNumber, is_element_type};
pub use fingerprint::{Digest, Fingerprint, digest};
pub use map::{Map, Set};
pub use name::{COMMON, NameError, check_item_name, check_op_name, is_unguarded_name, mangle_op_name};
#[doc(hidden)]
pub use name::{check_owner_name, is_bidi_control, visible};
pub use op::{ArgDef, AttrDef, Kind, List, OpDef, Part, Str};
pub use saved::{DataVersions, Deprecated, Revision, SavedKind};
pub use suggest::{did_you_mean, nearest};
pub use ty::{AttrType, ParseTypeError, ScalarType};
pub use value::{Scalar, Value, ValueError};
#[doc(hidden)]
pub use value::{write_toml_key, write_toml_string};
