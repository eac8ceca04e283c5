use oplock::op;

#[derive(Clone, Copy)]
pub enum Mode {
    Constant,
    Reflect,
}

oplock::attr_enum!(Mode { Constant = "constant", Reflect = "reflect" });

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(values = ["constant"], default = "constant")]
    pub one_missing: Mode,
    #[attr(values = ["constant", "reflect", "edge"])]
    pub one_more: Mode,
    #[attr(values = ["constant", "mirror"])]
    pub optional: Option<Mode>,
}

fn main() {}
