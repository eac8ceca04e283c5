//! Saved graphs: what was saved loads, and means what it meant.
//!
//! [`Graph`] is the data. A [`Program`] is who reads and writes it: the operators of each linked package, and what each
//! package's lock remembers of its releases.

mod faults;
mod model;
mod program;
mod upgrade;

#[doc(hidden)]
pub use faults::{Fault, Faults};
pub use model::{Block, Export, Graph, OldestReader, Release, Stamp, Unpromised};
pub use program::{Package, Program};
pub use upgrade::{Upgrade, UpgradeError, UpgradeFn, UpgradeRecord};
