use oplock::{Var, op};

#[op("relu", unlocked)]
pub struct Relu {
    #[input("X")]
    pub x: Var,
    #[output = "Out"]
    pub out: Var,
    #[attr("alpha", default = 1.0)]
    pub alpha: f32,
}

fn main() {}
