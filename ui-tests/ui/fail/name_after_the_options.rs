use oplock::{Var, op};

oplock::lock!();

#[op(rename_all = "PascalCase", "relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {}
