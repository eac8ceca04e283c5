// A plain `lock!()` declares version 1 alone.
use oplock::{Var, op};

oplock::lock!();

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
