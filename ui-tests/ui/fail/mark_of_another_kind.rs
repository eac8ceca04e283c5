use oplock::{Var, op};

#[op("slice", unlocked)]
pub struct Slice {
    #[input(generated)]
    pub input: Var,
    #[output(default = 1)]
    pub out: Var,
    #[attr(dispensable)]
    pub axis: i32,
    #[attr(duplicable)]
    pub axes: Vec<i32>,
}

fn main() {}
