use oplock::{Var, op};

#[op("conv2d", unlocked)]
pub struct Conv2d {
    #[input(extra)]
    pub residual: Var,
    #[input(quant)]
    pub scale: Var,
    #[output(extra)]
    pub mask: Var,
    #[output(quant, duplicable)]
    pub scales: Vec<Var>,
    #[attr(extra)]
    pub use_mkldnn: bool,
    #[attr(quant)]
    pub bits: i32,
}

#[op("gather", inputs(x, indices(extra)), outputs(out, index(quant)), unlocked)]
pub struct Gather {}

fn main() {}
