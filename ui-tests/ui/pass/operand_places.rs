use oplock::{Var, op};

oplock::lock! {
    operands = "positional";
}

#[op("sub")]
pub struct Sub {
    #[input]
    pub x: Var,
    #[input]
    pub y: Var,
    #[input(dispensable)]
    pub bias: Option<Var>,
    #[output]
    pub out: Var,
}

fn main() {}
