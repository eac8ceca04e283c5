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
pub mod fingerprint;
pub mod judge;
pub mod lock;
pub mod manifest;
pub mod model;
pub mod report;
mod suggest;
pub mod upgrade;
pub mod version;

pub use compare::{Finding, Forward, Options, Rule, compare_op, compare_sets};
pub use condition::Condition;
pub use fingerprint::{Digest, Fingerprint, digest};
pub use judge::{Context, Judged, OpJudgement, Remedy, Verdict, judge_op, judge_set};
pub use lock::{LOCK_FILE, Lock, LockError};
pub use model::*;
pub use suggest::{did_you_mean, nearest};
pub use version::Bump;
