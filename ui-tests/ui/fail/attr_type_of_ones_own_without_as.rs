use oplock::op;

pub enum Mode {
    Constant,
    Reflect,
}

#[op("pad", unlocked)]
pub struct Pad {
    #[attr]
    pub mode: Mode,
}

fn main() {}
