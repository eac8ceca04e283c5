//! The heart of oplock: what an operator's signature is ([`model`]), how a lock remembers it ([`lock`]), what
//! a change of it means ([`compare`]), and whether a package may make that change now ([`judge`]).
//!
//! The macro, the command line and the run-time library all call this crate, so nothing is decided twice.
//! It reads and writes locks and does no other input or output.

// What only tools use is not compiled for authors; what serves it then stands idle.
#![cfg_attr(not(feature = "tools"), allow(dead_code))]

pub mod approvals;
pub mod collect;
pub mod compare;
pub mod condition;
pub mod day;
pub mod declare;
pub mod judge;
pub mod lock;
pub mod manifest;
pub mod report;
pub mod upgrade;
pub mod version;

#[cfg(feature = "tools")]
pub use compare::compare_sets;
pub use compare::{Finding, Forward, Options, Rule, compare_op};
pub use condition::Condition;
#[cfg(feature = "tools")]
pub use judge::judge_set;
pub use judge::{Context, Judged, OpJudgement, Remedy, Verdict, judge_op};
pub use lock::{LOCK_FILE, Lock, LockError};
pub use oplock_model as model;
pub use oplock_model::*;
pub use version::Bump;
