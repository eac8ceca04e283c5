// oplock-ui: version = "0.4.0"
// C17: of 0.3.1 that is a major version.
use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub x: Var,
}

fn main() {}
