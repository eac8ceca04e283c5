// C9 and C13: the lock decides, whatever was built in between.

use oplock::{Var, op};

oplock::lock!();

#[op("embedding")]
pub struct Embedding {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr]
    pub f1: i32,
    #[attr]
    pub f2: String,
}

fn main() {}
