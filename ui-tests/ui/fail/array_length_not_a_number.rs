// What the lock remembers must not move with a constant elsewhere.
use oplock::op;

const DIMS: usize = 3;

#[op("pool", unlocked)]
pub struct Pool {
    #[attr]
    pub unsaid: [i64; DIMS],
    #[attr(default = [[0, 0]])]
    pub pads: [[u32; 2]; 2],
}

fn main() {}
