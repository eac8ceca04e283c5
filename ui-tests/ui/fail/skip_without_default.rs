use oplock::{Var, op};

pub struct Plan {
    pub steps: fn(),
}

#[op("slice", unlocked)]
pub struct Slice {
    #[input]
    pub input: Var,
    #[skip]
    pub plan: Plan,
}

fn main() {}
