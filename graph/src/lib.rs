//! Saved graphs: what was saved loads, and means what it meant.
//!
//! [`Graph`] is the data. A [`Program`] is who reads and writes it: the operators of each linked package, and what each
//! package's lock remembers of its releases.

mod model;
mod program;

pub use model::{Block, Export, Graph, OldestReader, Release, Stamp, Unpromised};
pub use program::{Package, Program};
