use oplock::{Var, op};

oplock::lock!();

#[op("softmax")]
pub struct Softmax {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = -1)]
    pub dim: i64,
}

fn main() {}
