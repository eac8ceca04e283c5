use oplock::{Var, op};

#[op("pad", rename_all = "Pascal", unlocked)]
pub struct Pad {
    #[input]
    pub x: Var,
}

#[op("pad2", rename_all = "snakecase", unlocked)]
pub struct Pad2 {
    #[input]
    pub x: Var,
}

#[op("pad3", rename_all = PascalCase, unlocked)]
pub struct Pad3 {
    #[input]
    pub x: Var,
}

fn main() {}
