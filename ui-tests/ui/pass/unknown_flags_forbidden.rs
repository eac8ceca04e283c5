// Without conditions nothing is said of flags that cargo does not know.
#![forbid(unexpected_cfgs)]
use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {}
