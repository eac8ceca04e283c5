use oplock::{Var, op};

oplock::lock!();

#[op(name = "relu")]
pub struct Relu {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

fn main() {}
