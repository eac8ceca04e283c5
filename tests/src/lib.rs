//! What the end-to-end tests have in common: folders, crates in them, and cargo as a user calls it.
//!
//! A test takes a [`Folder`] of its own, puts crates into it, edits them and runs commands, whose [`Output`] it
//! asserts on. All crates build into one target folder, so that `oplock` itself is compiled once for all of them.

#![expect(
    clippy::return_self_not_must_use,
    clippy::missing_panics_doc,
    reason = "assertions are there to panic, and a chain of them may end anywhere"
)]

mod diagnostics;
mod folder;
mod output;
pub mod page;
pub mod source;
mod tools;

pub use diagnostics::{Diagnostic, Level, line_of};
pub use folder::{Folder, Run};
pub use output::Output;
pub use tools::{rustc, workspace};
