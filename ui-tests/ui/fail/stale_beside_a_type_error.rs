// An addition only warns, also under `deny(warnings)`.
#![deny(warnings)]

use oplock::{Var, op};

oplock::lock!();

#[op("softmax")]
pub struct Softmax {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = -1)]
    pub axis: i64,
}

fn main() {
    let _: u8 = "no number";
}
