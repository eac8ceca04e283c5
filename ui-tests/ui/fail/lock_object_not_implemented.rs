use oplock::{Var, op};

pub trait TypedOp {}

oplock::lock! { object = dyn crate::TypedOp; }

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
    #[attr(default = 0.0)]
    pub limit: f32,
}

fn main() {}
