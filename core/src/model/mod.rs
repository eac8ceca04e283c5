//! What an operator is: its inputs, outputs and attributes, and how they are marked.
//!
//! The same types describe an operator declared in source (tables of `'static` data), one remembered
//! in a lock, and one read from another system. Nothing here knows of files or of Rust syntax.

mod declared;
mod name;
mod op;
mod saved;
mod ty;
mod value;

pub use declared::Declared;
pub use name::{NameError, check_item_name, check_op_name, is_unguarded_name, mangle_op_name};
#[cfg(feature = "lock")]
pub(crate) use name::{is_bidi_control, visible};
pub use op::{ArgDef, AttrDef, Kind, List, OpDef, Part, Str};
pub use saved::{DataVersions, Deprecated, Revision, SavedKind};
pub use ty::{AttrType, ParseTypeError, ScalarType};
#[cfg(feature = "lock")]
pub(crate) use value::write_toml_string;
pub use value::{Scalar, Value, ValueError};
