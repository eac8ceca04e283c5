use oplock::{Var, op};

#[op("relu", unlocked)]
pub struct Relu(#[input] pub Var, #[output(name = "Out")] pub Var);

fn main() {}
