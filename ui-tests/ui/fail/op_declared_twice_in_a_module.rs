use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

#[op("relu")]
pub struct Relu2 {
    #[input]
    pub x: Var,
}

fn main() {}
