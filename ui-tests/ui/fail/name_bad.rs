use oplock::{Var, op};

#[op("fused-attention", unlocked)]
pub struct Dash {
    #[input]
    pub x: Var,
}

#[op("2d_conv", unlocked)]
pub struct Digit {
    #[input]
    pub x: Var,
}

#[op("aten::", unlocked)]
pub struct Separator {
    #[input]
    pub x: Var,
}

#[op("", unlocked)]
pub struct Empty {
    #[input]
    pub x: Var,
}

fn main() {}
