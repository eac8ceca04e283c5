use oplock::{Var, op};

#[op("conv2d", unlocked)]
pub struct Conv2d {
    #[input]
    pub _workspace: Var,
    #[output(name = "_debug")]
    pub debug: Var,
    #[attr]
    pub _seed: i32,
}

fn main() {}
