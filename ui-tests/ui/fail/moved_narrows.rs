// oplock-ui: version = "1.3.0"
use oplock::{Var, op};

oplock::lock!();

// There, ties went away from zero.
#[op("round", moved_from = "vision-ops")]
pub struct Round {
    #[input]
    pub x: Var,
    #[attr(default = "even")]
    pub ties: String,
}

fn main() {}
