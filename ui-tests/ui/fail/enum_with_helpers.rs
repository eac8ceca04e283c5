// After the error nothing is said of the helper attributes.

use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub enum Relu {
    X {
        #[input]
        x: Var,
    },
}

fn main() {}
