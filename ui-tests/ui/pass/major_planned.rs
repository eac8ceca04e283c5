// oplock-ui: version = "1.3.0"
// `cargo oplock plan major` says that one is on the way, whatever the package's version.
use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub x: Var,
    #[input]
    pub y: Var,
}

fn main() {}
