use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = 1.0, quant)]
    pub became: f32,
    #[attr(default = 1.0)]
    pub was: f32,
}

fn main() {}
