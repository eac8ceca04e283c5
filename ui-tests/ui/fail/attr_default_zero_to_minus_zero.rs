use oplock::{Var, op};

oplock::lock!();

#[op("scale")]
pub struct Scale {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = -0.0)]
    pub bias: f32,
}

fn main() {}
