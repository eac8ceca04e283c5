use oplock::{Var, op};

#[op("relu", unlocked)]
pub struct Relu {
    #[input(name = "")]
    pub x: Var,
    #[output(name = "line\nbreak")]
    pub out: Var,
    #[attr(name = alpha)]
    pub alpha: f32,
}

fn main() {}
