// oplock-ui: version = "3.0.0"
use oplock::{Var, op};

oplock::lock!();

#[op("resize")]
pub struct Resize {
    #[input]
    pub x: Var,
    #[input(alias("scale"))]
    pub scales: Var,
    #[attr(default = "linear", alias("mode"))]
    pub method: String,
    #[attr(default = 1, alias("axis"))]
    pub dimension: i32,
}

#[op("crop", alias("slice"))]
pub struct Crop {
    #[input]
    pub x: Var,
    #[attr]
    pub axes: Vec<i32>,
}

fn main() {}
