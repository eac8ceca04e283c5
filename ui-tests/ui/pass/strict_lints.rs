//! A crate with strict lints, and a lock that is stale: that is a warning, whatever is denied.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations, unreachable_pub, unused, warnings)]
#![deny(non_camel_case_types, non_snake_case, non_upper_case_globals, rust_2018_idioms)]

use oplock::{Bind, Var, op};

oplock::lock!();

/// Stale: the lock lacks the attribute.
#[op("softmax")]
#[derive(Debug)]
pub struct Softmax {
    /// The logits.
    #[input]
    pub x: Var,
    /// The probabilities.
    #[output]
    pub out: Var,
    /// Along which axis.
    #[attr(default = -1)]
    pub axis: i64,
}

/// Not in the lock at all.
#[op("relu")]
#[derive(Debug)]
pub struct Relu {
    /// Text with a | bar, `code` and a [`Softmax`] link.
    #[input(name = "In | Out")]
    pub x: Var,
}

fn main() {
    let _ = Softmax::new("x".into(), "y".into()).with_axis(0).into_node();
    let _ = Relu::new("x".into());
}
