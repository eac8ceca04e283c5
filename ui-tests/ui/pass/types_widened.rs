//! What becomes wider compiles; that the lock is stale is a warning.

use oplock::{DType, Var, op};

oplock::lock!();

#[op("conv", types(Each = [bf16, f16, f32]), commutative)]
pub struct Conv {
    #[input(of = Each)]
    pub x: Var,
    #[input(of = Each)]
    pub fixed: Var,
    #[input(of = D)]
    pub by_default: Var,
    #[input(duplicable)]
    pub several: Vec<Var>,
    #[input]
    pub reference: Var,
    #[output(of = Each)]
    pub out: Var,
    #[attr(name = "D", default = "i32")]
    pub d: DType,
}

fn main() {}
