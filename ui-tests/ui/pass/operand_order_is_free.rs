use oplock::{Var, op};

oplock::lock!();

#[op("sub")]
pub struct Sub {
    #[input]
    pub y: Var,
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

fn main() {}
