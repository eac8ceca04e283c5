// Saved as before, but a negative one no longer loads.
use oplock::op;

oplock::lock!();

#[op("top_k")]
pub struct TopK {
    #[attr]
    pub k: usize,
    #[attr(default = [1])]
    pub axes: Vec<usize>,
}

fn main() {}
