use oplock::{Var, op};

oplock::lock!();

#[op("sub")]
pub struct Sub {
    #[input]
    pub x: Var,
    #[input]
    pub y: Var,
    #[output]
    pub out: Var,
}

fn main() {}
