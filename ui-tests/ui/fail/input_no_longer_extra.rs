use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub input: Var,
    #[input]
    pub residual: Var,
    #[output]
    pub output: Var,
}

fn main() {}
