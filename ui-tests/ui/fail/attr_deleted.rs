use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[output]
    pub out: Var,
    #[attr]
    pub axes: Vec<i32>,
}

fn main() {}
