use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = 0, generated)]
    pub became: i32,
    #[attr(default = 0)]
    pub was: i32,
}

fn main() {}
