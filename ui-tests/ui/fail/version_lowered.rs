// C28: what 2.0.0 may break, 1.5.0 may not; the lock's ledger remembers it.
// oplock-ui: version = "1.5.0"

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
    #[input(name = "Input")]
    pub input: Var,
    #[output(name = "Out")]
    pub out: Var,
}

fn main() {}
