use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[input(duplicable)]
    pub ends: Vec<Var>,
    #[output]
    pub out: Var,
}

fn main() {}
