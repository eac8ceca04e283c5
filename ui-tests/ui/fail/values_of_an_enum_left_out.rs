use oplock::op;

#[derive(Clone, Copy)]
pub enum Mode {
    Constant,
    Reflect,
}

oplock::attr_enum!(Mode { Constant = "constant", Reflect = "reflect" });

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(as = "string", default = "constant")]
    pub mode: Mode,
}

fn main() {}
