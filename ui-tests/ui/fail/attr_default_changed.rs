use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[output]
    pub out: Var,
    #[attr(default = [1])]
    pub starts: Vec<i32>,
}

fn main() {}
