use oplock::{Var, op};

#[op("relu", unlocked, crate = ::oplok)]
pub struct Relu {
    #[input]
    pub x: Var,
}

#[op("gelu", unlocked, crate = "::oplock::nn")]
pub struct Gelu {
    #[input]
    pub x: Var,
}

fn main() {}
