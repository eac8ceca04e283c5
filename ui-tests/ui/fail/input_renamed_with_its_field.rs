use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub struct Relu {
    #[input]
    pub input: Var,
    #[output]
    pub out: Var,
}

fn main() {}
