use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {}
