use oplock::{Var, op};

#[derive(Clone)]
pub enum Mode {
    Constant,
    Reflect,
}

#[op("pad", unlocked)]
pub struct Pad {
    #[input]
    pub x: Var,
    #[attr(values = ["constant", "reflect"], default = "constant")]
    pub mode: Mode,
}

fn main() {}
