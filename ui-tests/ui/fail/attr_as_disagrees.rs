use oplock::op;

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(as = "i32")]
    pub low: i64,
    #[attr(as = "[i64]")]
    pub pads: Option<Vec<i32>>,
}

fn main() {}
