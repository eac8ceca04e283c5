// The length that is said is held against the field's own, and so changes with it.
use oplock::op;

const DIMS: usize = 13;

#[op("pool", unlocked)]
pub struct Pool {
    #[attr(as = "[[i64; 2]; 13]")]
    pub said: [[i64; 2]; DIMS],
    #[attr(as = "[[i64; 2]; 3]")]
    pub other: [[i64; 2]; DIMS],
    #[attr(as = "[i64]")]
    pub none: [i64; DIMS],
}

fn main() {}
