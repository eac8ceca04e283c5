use oplock::{Var, op};

oplock::lock! { ops = table; }

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn table() {}

fn main() {}
