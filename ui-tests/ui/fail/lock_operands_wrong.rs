use oplock::{Var, op};

oplock::lock! {
    operands = "named";
    operands;
    operands = "positional";
    operands = "positional";
}

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {}
