// A new data version, an upgrade that the lock has not yet: warnings.
// oplock-ui: version = "2.0.0"
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        min_producer = 4;
        min_consumer = 4;
        bad_consumers = [6];
        version 4 = "first release";
        version 8 = "`inv` is deprecated";
        version 9 = "`pad` has no `mode`";
    }
}

#[oplock::upgrade(op = "pad", before = 9)]
fn without_mode(_node: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError> {
    Ok(())
}

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
