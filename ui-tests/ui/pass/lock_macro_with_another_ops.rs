// A crate with an `ops` of its own gives the table another name.
use oplock::{Var, op};

oplock::lock! { ops = locked_ops; }

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn ops() -> usize {
    locked_ops().len()
}

fn main() {
    assert_eq!(ops(), 1);
}
