use oplock::{Var, op};

#[op("conv2d", unlocked)]
pub struct Conv2d {
    #[input(dispensable, extra, quant)]
    pub x: Option<Var>,
    #[attr(default = 1.0, quant, extra)]
    pub scale: f32,
}

fn main() {}
