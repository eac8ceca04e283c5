use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = 1, extra)]
    pub groups: i32,
}

fn main() {}
