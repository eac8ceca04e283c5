//! What [`oplock`] is without its macros: operators as types, their conversions to and from nodes, and the registry.
//!
//! A library about operators depends on this crate; it is built beside the macros, and does not wait for them. Who
//! declares operators depends on [`oplock`], which exports all of it.
//!
//! [`oplock`]: https://docs.rs/oplock

#[doc(hidden)]
pub mod __private;
mod attr;
mod checks;
mod node;
mod operand;
mod record;
mod registry;

pub use attr::{AttrValue, Block, DType, TypeProto};
pub use node::{Bind, BindError, Node};
pub use operand::{ArgField, Operand, Var};
pub use oplock_model::fingerprint::{Difference, Digest, Fingerprint, How};
pub use oplock_model::{
    ArgDef, AttrDef, AttrType, Complex128, ElementType, Flags, Func, Kind, Map, OpDef, Part, SavedKind, Scalar,
    ScalarType, Shape, SparseTensor, Tensor, TensorData, TypeVar, Value, ValueError,
};
pub use registry::{BuildError, CrateOps, OpEntry, Place, Registry, RegistryError, SavedVersions};

/// An operator: a type that `#[op]` declares.
pub trait Op: Sized + 'static {
    #[doc(hidden)]
    const RECORD: __private::Record;

    /// The signature.
    fn def() -> &'static OpDef {
        Self::RECORD.def()
    }
}
