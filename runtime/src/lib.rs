//! Machine-learning operators whose signatures the compiler keeps.
//!
//! An operator is a struct with [`#[op]`](macro@op). The package's `ops.lock`, checked in beside its `Cargo.toml`,
//! remembers every signature; a change that would stop yesterday's saved graphs from loading does not compile.
//!
//! ```
//! use oplock::{Bind, Op, Var, op};
//!
//! /// Extracts a slice of `Input` along `axes`.
//! // In a crate with a lock: `oplock::lock!();` in the crate root, and no `unlocked` here.
//! #[op("slice", unlocked)]
//! pub struct Slice {
//!     /// Tensor to slice.
//!     #[input(name = "Input")]
//!     pub input: Var,
//!     /// Overrides `ends`.
//!     #[input(name = "EndsTensor", dispensable)]
//!     pub ends_tensor: Option<Var>,
//!     /// The slice.
//!     #[output(name = "Out")]
//!     pub out: Var,
//!     /// The axes to slice along.
//!     #[attr]
//!     pub axes: Vec<i32>,
//!     /// Where each slice begins.
//!     #[attr(default = [])]
//!     pub starts: Vec<i32>,
//! }
//!
//! assert_eq!(Slice::def().inputs[1].name, "EndsTensor");
//! let node = Slice::new("x".into(), "y".into(), vec![0]).with_starts(vec![2]).into_node().unwrap();
//! let back: Slice = node.bind().unwrap();
//! assert_eq!(back.starts, [2]);
//! ```
//!
//! | to | use |
//! |---|---|
//! | declare an operator | [`#[op]`](macro@op) |
//! | hold a crate to its lock | [`lock!`] in the crate root |
//! | see what is linked into a program | [`Registry`] |
//! | tell whether another process has the same operators | [`Registry::fingerprint`] |
//! | save a type of your own as an attribute | [`AttrValue`], [`attr_enum!`] |
//! | wire a type of your own | [`Operand`] |
//! | turn an operator into a node and back | [`Bind`], [`Node`] |
//! | save and load graphs of nodes | `graph`, with the feature of that name |

pub use oplock_registry::{
    ArgDef, ArgField, AttrDef, AttrType, AttrValue, Bind, BindError, Block, BuildError, Complex128, CrateOps, DType,
    Difference, Digest, ElementType, Fingerprint, Flags, Func, How, Kind, Map, Node, Op, OpDef, OpEntry, Operand, Part,
    Place, Registry, RegistryError, SavedKind, SavedVersions, Scalar, ScalarType, Shape, SparseTensor, Tensor,
    TensorData, TypeProto, TypeVar, Value, ValueError, Var,
};

/// Saved graphs: what was saved loads, and means what it meant. With the feature `graph`.
#[cfg(feature = "graph")]
pub use oplock_graph as graph;

/// What the macros' expansions name. Not for use by hand, and not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    pub use oplock_macros::lock_crate;
    pub use oplock_registry::__private::*;

    pub use crate::__oplock_golden as golden;
    pub use crate::__oplock_upgrade as upgrade;
}

/// The test that loads the golden graphs of a package.
#[cfg(feature = "graph")]
#[doc(hidden)]
#[macro_export]
macro_rules! __oplock_golden {
    ($table:expr, $package:literal) => {
        #[cfg(test)]
        #[test]
        fn golden_graphs_load() {
            $crate::graph::golden::assert_all($table, $package);
        }
    };
}

/// Without the feature nothing can load them.
#[cfg(not(feature = "graph"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __oplock_golden {
    ($($tokens:tt)*) => {};
}

/// The record of an upgrade function, which a loader finds.
#[cfg(feature = "graph")]
#[doc(hidden)]
#[macro_export]
macro_rules! __oplock_upgrade {
    (package: $package:literal, version: $version:literal, op: $op:literal, before: $before:literal, function: $function:ident) => {
        $crate::__private::inventory::submit! {
            $crate::graph::UpgradeRecord {
                package: $package,
                version: $version,
                op: $op,
                before: $before,
                function: $function,
            }
        }
    };
}

/// Without the feature there is no type that the function could take.
#[cfg(not(feature = "graph"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __oplock_upgrade {
    ($($tokens:tt)*) => {
        ::core::compile_error!(
            "an upgrade function edits a graph, for which oplock needs its feature `graph`: \
             `oplock = { version = \"…\", features = [\"graph\"] }` in Cargo.toml"
        );
    };
}

/// Says how graphs that were saved before a break are read: the function edits one node of the operator.
///
/// ```ignore
/// #[oplock::upgrade(op = "pad", before = 9)]
/// fn pad_without_mode(node: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError> {
///     node.remove_attr("mode");
///     Ok(())
/// }
/// ```
///
/// `op` is the saved name, also of an operator that is gone; `before` the data version that the break took. There is one
/// function for an operator and version; the lock remembers it (`[upgrade]`), and it stays until `min_producer` has reached the
/// version. The guide (`docs/versions.md`) tells when a break needs one.
pub use oplock_macros::upgrade;

/// Declares an operator.
///
/// The first argument is the saved name. `inputs(…)` and `outputs(…)` list the operands of a struct that holds no
/// wires; `rename_all = "PascalCase"` names all items; `cfg(…)` is the condition under which the operator exists;
/// `experimental` puts it outside the guarantee; `unlocked` keeps it out of the lock (for tests and examples);
/// `new` and `new = false` ask for a constructor or refuse it; `crate = ::path` says where this library is found.
///
/// `types(T = [f16, f32])` declares names that stand for element types, and `stateful`, `commutative`, `aggregate`, `communication` and
/// `uninitialized` promise something of its behaviour.
///
/// Each field is an `#[input]`, an `#[output]`, an `#[attr]` or `#[skip]`:
///
/// | on | marks |
/// |---|---|
/// | `#[input(…)]`, `#[output(…)]` | `name = "…"`, `dispensable`, `duplicable`, `intermediate`, `extra`, `quant`, `of = T`, `of = N * T`, `min = 2`, `heterogeneous`, `by_ref` |
/// | `#[attr(…)]` | `name = "…"`, `default = …`, `as = "[i64]"`, `values = ["…"]`, `generated`, `extra`, `quant` |
/// | `#[skip]` | never saved; `Default::default()` when read |
///
/// An operand's field is `T`, with `dispensable` `Option<T>`, with `duplicable` `Vec<T>`. The guide
/// (`docs/declaring.md`) has every detail.
pub use oplock_macros::op;

/// Holds the crate to its lock. Once, in the crate root: `oplock::lock!();`.
///
/// `object = dyn crate::MyTrait;` says into what [`Registry::build`] makes operators of nodes; each must then implement the trait.
///
/// Reports deleted operators and a missing or damaged lock, adds a test that fails while the lock is stale, and
/// defines `ops()`, the table of the crate's locked operators. In a crate that has an `ops` of its own it gets another name:
/// `oplock::lock! { ops = locked_ops; }`.
///
/// `common { #[attr(default = 0)] op_role: i32, }` declares attributes that all operators of the crate have beside their own, as the
/// fields of a struct; `ops().common()` has them.
///
/// `saved graph { … }` declares the data versions of graphs, with their history; `saved checkpoint { … }` those of
/// checkpoints. They are read back from `ops()`: `ops().graph.producer`. The guide (`docs/versions.md`) has every rule.
///
/// ```ignore
/// oplock::lock! {
///     saved graph {
///         min_producer = 4;
///         version 4 = "first release";
///         version 8 = "`inv` is deprecated: use `reciprocal`";
///     }
/// }
/// ```
#[macro_export]
macro_rules! lock {
    ($($tokens:tt)*) => {
        $crate::__private::lock_crate! { $crate $($tokens)* }
    };
}

/// Says how the values of an enum are saved, so that it can be the type of an attribute.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// pub enum PadMode {
///     Constant,
///     Reflect,
/// }
///
/// oplock::attr_enum!(PadMode { Constant = "constant", Reflect = "reflect" });
///
/// #[oplock::op("pad", unlocked)]
/// pub struct Pad {
///     #[attr(values = ["constant", "reflect"], default = "constant")]
///     pub mode: PadMode,
/// }
/// ```
#[macro_export]
macro_rules! attr_enum {
    ($type:ident { $($variant:ident = $value:literal),+ $(,)? }) => {
        impl $crate::AttrValue for $type {
            const TYPE: $crate::AttrType = $crate::AttrType::of($crate::ScalarType::String);
            const VALUES: &'static [&'static str] = &[$($value),+];

            fn to_value(&self) -> ::core::result::Result<$crate::Value, $crate::ValueError> {
                ::core::result::Result::Ok($crate::Value::String(::std::borrow::Cow::Borrowed(match self {
                    $(Self::$variant => $value),+
                })))
            }

            fn from_value(value: &$crate::Value) -> ::core::result::Result<Self, $crate::ValueError> {
                match $crate::__private::text(value) {
                    $(::core::option::Option::Some($value) => ::core::result::Result::Ok(Self::$variant),)+
                    _ => ::core::result::Result::Err($crate::__private::not_one_of(Self::VALUES, value)),
                }
            }
        }
    };
}
