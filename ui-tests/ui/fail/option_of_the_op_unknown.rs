use oplock::{Var, op};

#[op("slice", feature = "cuda", unlocked)]
pub struct Slice {
    #[input]
    pub input: Var,
}

#[op("slice2", input(x), unlocked)]
pub struct Slice2 {}

#[op("slice3", inputs = [x], unlocked)]
pub struct Slice3 {}

fn main() {}
