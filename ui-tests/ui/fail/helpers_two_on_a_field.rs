use oplock::{Var, op};

#[op("slice", unlocked)]
pub struct Slice {
    #[input]
    #[output]
    pub x: Var,
    #[attr]
    #[skip]
    pub axis: i32,
}

fn main() {}
