// oplock-ui: version = "1.5.0"
// C32: the ledger says that 2.0.0 was to delete the input; it is back, and so may the version be.
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        version 2 = "a break";
    }
}

/// What older graphs had is left away.
#[oplock::upgrade(op = "slice", before = 2)]
fn upgrade_slice(_node: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError> {
    Ok(())
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub x: Var,
    #[input(dispensable)]
    pub y: Option<Var>,
}

fn main() {}
