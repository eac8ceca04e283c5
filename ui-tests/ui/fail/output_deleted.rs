use oplock::{Var, op};

oplock::lock!();

#[op("batch_norm")]
pub struct BatchNorm {
    #[input]
    pub x: Var,
    #[output]
    pub y: Var,
}

fn main() {}
