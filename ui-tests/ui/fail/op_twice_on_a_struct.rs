use oplock::{Var, op};

#[op("relu", unlocked)]
#[op("gelu", unlocked)]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {}
