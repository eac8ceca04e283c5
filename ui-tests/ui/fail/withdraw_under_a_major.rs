// oplock-ui: version = "2.0.0"

use oplock::{Var, op};

oplock::lock!();

#[op("softmax")]
pub struct Softmax {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = 2)]
    pub axis: i64,
}

fn main() {}
