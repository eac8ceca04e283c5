use oplock::{Var, op};

#[op("conv2d", unlocked)]
pub struct Conv2d {
    #[input(name = "X")]
    pub x: Var,
    #[input(name = "X")]
    pub y: Var,
    #[output]
    pub out: Var,
    #[attr(default = 1)]
    pub groups: i32,
    #[attr(name = "groups", default = 1)]
    pub group_count: i32,
}

#[op("gather", inputs(x, x), rename_all = "UPPERCASE", unlocked)]
pub struct Gather {
    #[attr]
    pub a: i32,
    #[attr(name = "A")]
    pub b: i32,
}

fn main() {}
