use oplock::{Var, op};

pub trait TypedOp {}

oplock::lock! {
    object;
    object = crate::TypedOp;
    object = dyn crate::TypedOp;
    object = dyn crate::TypedOp;
}

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

impl TypedOp for Relu {}

fn main() {}
