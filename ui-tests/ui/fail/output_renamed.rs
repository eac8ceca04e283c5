use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
    #[output]
    pub y: Var,
}

fn main() {}
