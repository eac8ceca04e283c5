//! Saved graphs: what was saved loads, and means what it meant.
//!
//! [`Graph`] is the data: blocks of nodes, as protobuf by the schema in `graph.proto` or as JSON. A [`Program`] is who reads and writes it:
//! the operators of each linked package, and what each package's lock remembers of its releases. It checks, upgrades, saves and exports.
//!
//! Who declares operators reaches this crate as `oplock::graph`, with the feature `graph` of `oplock`.
//!
//! ```
//! use oplock::graph::{Graph, GraphBuilder, LoadOptions, Program};
//! use oplock::{Var, op};
//!
//! // In a crate with a lock: `oplock::lock!();` in the crate root, and no `unlocked` here.
//! #[op("scale", unlocked)]
//! pub struct Scale {
//!     #[input]
//!     pub x: Var,
//!     #[output]
//!     pub out: Var,
//!     #[attr(default = 1.0)]
//!     pub by: f32,
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = GraphBuilder::new();
//! let x = builder.input("x");
//! let out = builder.fresh("scaled");
//! builder.push(Scale::new(x, out.clone()).with_by(0.5))?;
//! builder.output(&out);
//!
//! // Saving checks the graph, and puts down who wrote it and what may read it.
//! let program = Program::linked()?;
//! let saved = program.save(&builder.finish())?;
//! let bytes = saved.graph.to_bytes()?;
//!
//! // Loading checks whether it may be read, and makes of it what means the same today.
//! let loaded = program.load(Graph::from_bytes(&bytes)?, LoadOptions::default())?;
//! for (at, scale) in loaded.graph.all::<Scale>() {
//!     println!("{at} scales by {}", scale?.by);
//! }
//! # assert_eq!(loaded.graph.all::<Scale>().next().unwrap().1?.by, 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | produce a graph | [`GraphBuilder`], [`Program::save`], [`Graph::to_bytes`] |
//! | load one | [`Graph::from_bytes`], [`Program::load`], [`Graph::all`] |
//! | review one | [`Graph::to_json`], [`Graph::from_json`] |
//! | save and load the values of variables | `checkpoint`, with the feature of that name |
//! | export one for inference | [`Program::export`] |
//! | take bytes from whoever sends them | [`Graph::from_bytes_within`], [`Limits`] |
//! | see a graph that a break harms | [`witness::witness`] |
//! | ask whether another process knows the same operators | [`Program::fingerprint`] |

mod build;
mod check;
#[cfg(feature = "checkpoint")]
pub mod checkpoint;
mod error;
mod export;
mod faults;
pub mod golden;
mod history;
mod json;
mod load;
mod model;
mod needs;
mod program;
mod proto;
mod reach;
mod report;
mod save;
mod stale;
mod upgrade;
#[doc(hidden)]
pub mod wire;
pub mod witness;

pub use build::GraphBuilder;
pub use check::{LoadOptions, Sides, VersionProblem};
pub use error::{ReadError, WriteError};
pub use export::ExportOptions;
#[doc(hidden)]
pub use export::is_clipped;
#[doc(hidden)]
pub use faults::{Fault, Faults};
#[doc(hidden)]
pub use load::VariableTypes;
pub use load::{Loaded, NodeProblem};
pub use model::{Block, Export, Graph, OldestReader, Release, Stamp, Unpromised};
pub use needs::Cause;
pub use program::{Package, Program, ProgramError};
pub use proto::Limits;
#[doc(hidden)]
pub use proto::decode_alone;
pub use reach::{LastRelease, LockReach, PackageReach, ReleaseReach, reach_of_graph, reach_of_lock};
pub use report::{Apart, MOST_PROBLEMS, Note, Place, Problem, Refused, Report, Times, Warning};
pub use save::Saved;
pub use upgrade::{Upgrade, UpgradeError, UpgradeFn, UpgradeRecord, VariableChange, VariableStep};
