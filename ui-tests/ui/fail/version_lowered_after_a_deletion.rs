// oplock-ui: version = "1.5.0"
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

fn main() {}
