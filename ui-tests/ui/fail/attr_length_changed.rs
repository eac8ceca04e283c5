// A list of another length is another type: what a graph holds does not fit any more.
use oplock::op;

oplock::lock!();

#[op("pad")]
pub struct Pad {
    #[attr]
    pub any: [i32; 4],
    #[attr]
    pub fixed: [f32; 3],
    #[attr]
    pub pads: Vec<[i64; 3]>,
}

fn main() {}
