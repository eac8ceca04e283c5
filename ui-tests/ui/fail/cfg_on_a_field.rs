use oplock::{Var, op};

#[op("a", unlocked)]
pub struct A {
    #[input]
    pub x: Var,
    #[cfg(unix)]
    #[input]
    pub y: Var,
    #[cfg_attr(unix, attr)]
    pub z: i32,
}

fn main() {}
