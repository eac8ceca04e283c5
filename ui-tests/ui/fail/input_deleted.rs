use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input(name = "Input")]
    pub input: Var,
    #[output(name = "Out")]
    pub out: Var,
}

fn main() {}
