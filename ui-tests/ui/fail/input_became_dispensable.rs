use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input(dispensable)]
    pub input: Option<Var>,
    #[output]
    pub out: Var,
}

fn main() {}
