use oplock::{Var, op};

oplock::lock!();

#[op]
pub struct Bare {
    #[input]
    pub x: Var,
}

#[op()]
pub struct Empty {
    #[input]
    pub x: Var,
}

#[op(unlocked)]
pub struct OnlyOptions {
    #[input]
    pub x: Var,
}

fn main() {}
