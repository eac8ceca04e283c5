use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input(name = "Input")]
    pub input: Var,
    #[input(name = "EndTensor", dispensable)]
    pub end_tensor: Option<Var>,
    #[output(name = "Out")]
    pub out: Var,
}

fn main() {}
