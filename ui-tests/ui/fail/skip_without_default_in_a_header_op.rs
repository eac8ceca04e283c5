// There is no constructor here; the error is that of reading.

use oplock::op;

pub struct Plan {
    pub steps: fn(),
}

#[op("slice", inputs(x), outputs(out), unlocked)]
pub struct Slice(#[skip] pub Plan);

fn main() {}
