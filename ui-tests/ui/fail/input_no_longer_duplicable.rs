use oplock::{Var, op};

oplock::lock!();

#[op("concat")]
pub struct Concat {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

fn main() {}
