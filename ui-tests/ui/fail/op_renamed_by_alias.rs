use oplock::{Var, op};

oplock::lock!();

#[op("relu_v2", alias("relu"))]
pub struct Relu {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

fn main() {}
