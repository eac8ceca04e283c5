use oplock::{Var, op};

oplock::lock! {
    opps = table;
    ops;
    ops = first;
    ops = second;
    ops = 1;
}

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {}
