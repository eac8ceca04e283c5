use oplock::op;

oplock::lock!();

#[derive(Clone)]
pub struct Pads(pub Vec<i64>);

#[op("pad", inputs(x), new)]
pub struct Pad {
    #[attr(as = "[i64]")]
    pub required: Pads,
    #[attr(as = "[i64]", default = [])]
    pub pads: Pads,
}

fn main() {}
