//! The heart of oplock: what an operator's signature is ([`model`]), how a lock remembers it ([`lock`]), what
//! a change of it means ([`compare`]), and whether a package may make that change now ([`judge`]).
//!
//! The macro, the command line and the run-time library all call this crate, so nothing is decided twice.
//! It reads and writes locks and does no other input or output.

// What only tools use is not compiled for authors; what serves it then stands idle.
#![cfg_attr(not(feature = "tools"), allow(dead_code))]

#[cfg(feature = "lock")]
pub mod approvals;
#[cfg(feature = "lock")]
pub mod collect;
#[cfg(feature = "lock")]
pub mod compare;
#[cfg(feature = "lock")]
pub mod condition;
pub mod fingerprint;
#[cfg(feature = "lock")]
pub mod judge;
#[cfg(feature = "lock")]
pub mod lock;
#[cfg(feature = "lock")]
pub mod manifest;
pub mod model;
mod order;
#[cfg(feature = "lock")]
pub mod report;
mod suggest;
#[cfg(feature = "lock")]
pub mod upgrade;
#[cfg(feature = "lock")]
pub mod version;

#[cfg(feature = "tools")]
pub use compare::compare_sets;
#[cfg(feature = "lock")]
pub use compare::{Finding, Forward, Options, Rule, compare_op};
#[cfg(feature = "lock")]
pub use condition::Condition;
pub use fingerprint::{Digest, Fingerprint, digest};
#[cfg(feature = "tools")]
pub use judge::judge_set;
#[cfg(feature = "lock")]
pub use judge::{Context, Judged, OpJudgement, Remedy, Verdict, judge_op};
#[cfg(feature = "lock")]
pub use lock::{LOCK_FILE, Lock, LockError};
pub use model::*;
pub use suggest::{did_you_mean, nearest};
#[cfg(feature = "lock")]
pub use version::Bump;
