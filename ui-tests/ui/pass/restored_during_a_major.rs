// oplock-ui: version = "1.5.0"
// C32: the ledger says that 2.0.0 was to delete the input; it is back, and so may the version be.
use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub x: Var,
    #[input(dispensable)]
    pub y: Option<Var>,
}

fn main() {}
