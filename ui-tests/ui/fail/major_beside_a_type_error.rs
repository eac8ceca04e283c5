// oplock-ui: version = "2.0.0"

use oplock::{Var, op};

oplock::lock!();

#[op("softmax")]
pub struct Softmax {
    #[input]
    pub x: Var,
}

fn main() {
    let _: u8 = "no number";
}
