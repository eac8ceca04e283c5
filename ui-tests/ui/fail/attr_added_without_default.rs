use oplock::{Var, op};

oplock::lock!();

#[op("softmax")]
pub struct Softmax {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr]
    pub axis: i64,
}

fn main() {}
