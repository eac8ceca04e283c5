//! Each break of types, numbers and flags is told at the token that says it.

use oplock::{Var, op};

oplock::lock!();

#[op("conv", types(T = [f32], U))]
pub struct Conv {
    #[input(of = T)]
    pub x: Var,
    #[input(of = f64)]
    pub fixed: Var,
    #[input(of = i32)]
    pub untyped: Var,
    #[input(of = U, duplicable)]
    pub one_type: Vec<Var>,
    #[input(duplicable, min = 2)]
    pub two: Vec<Var>,
    #[input(of = M * f32, duplicable)]
    pub counted: Vec<Var>,
    #[input(by_ref)]
    pub reference: Var,
    #[output(of = U)]
    pub out: Var,
    #[attr(name = "M", default = 1)]
    pub m: i64,
    #[attr(name = "N")]
    pub n: i64,
}

fn main() {}
