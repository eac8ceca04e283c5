use oplock::{Var, op};

#[op("slice", unlocked)]
pub struct Slice {
    #[input]
    pub x: Var,
    pub out: Var,
    /// Axes.
    axes: Vec<i32>,
}

fn main() {}
