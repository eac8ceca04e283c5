// The struct's name tells which operator is meant, so that it is not reported as deleted too.

use oplock::{Var, op};

oplock::lock!();

#[op]
pub struct BatchNorm {
    #[input]
    pub x: Var,
}

fn main() {}
