// C10: no release carries the attribute yet, so it is taken back by `withdraw`.

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
