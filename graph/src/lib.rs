//! Saved graphs: what was saved loads, and means what it meant.
//!
//! [`Graph`] is the data. A [`Program`] is who reads and writes it: the operators of each linked package, and what each
//! package's lock remembers of its releases.

mod check;
mod error;
mod export;
mod faults;
mod history;
mod json;
mod load;
mod model;
mod needs;
mod program;
mod proto;
mod report;
mod save;
mod upgrade;

pub use check::{LoadOptions, Sides, VersionProblem};
pub use error::{ReadError, WriteError};
pub use export::ExportOptions;
#[doc(hidden)]
pub use faults::{Fault, Faults};
pub use load::{Loaded, NodeProblem};
pub use model::{Block, Export, Graph, OldestReader, Release, Stamp, Unpromised};
pub use program::{Package, Program, ProgramError};
pub use proto::Limits;
pub use report::{MOST_PROBLEMS, Note, Place, Problem, Refused, Report, Times, Warning};
pub use save::Saved;
pub use upgrade::{Upgrade, UpgradeError, UpgradeFn, UpgradeRecord};
