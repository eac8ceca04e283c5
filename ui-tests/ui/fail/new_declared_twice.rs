// A constructor of one's own stands where the generated one is refused.

use oplock::{Var, op};

#[op("relu", unlocked)]
pub struct Relu {
    #[input]
    pub x: Var,
}

impl Relu {
    pub fn new(x: Var) -> Self {
        Relu { x }
    }
}

fn main() {}
