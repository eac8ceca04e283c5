use oplock::{Var, op};

oplock::lock!();

#[op("reshape2")]
pub struct Reshape2 {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[output]
    pub x_shape: Var,
}

fn main() {}
