// The versions are read back from the crate's table.
// oplock-ui: version = "2.0.0"
use oplock::{SavedKind, Var, op};

oplock::lock! {
    saved graph {
        min_producer = 4;
        min_consumer = 4;
        bad_consumers = [6];
        version 4 = "first release";
        version 8 = "`inv` is deprecated";
        version 9 = "`pad` has no `mode`";
    }
    saved checkpoint { version 1 = "first release" }
    ops = table;
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

fn main() {
    let graph = table().graph;
    assert_eq!((graph.producer, graph.min_producer, graph.min_consumer), (9, 4, 4));
    assert_eq!(graph.bad_consumers, [6]);
    assert_eq!(graph.history[0], (4, "first release"));
    assert_eq!(table().versions(SavedKind::Checkpoint).history, [(1, "first release")]);
    let records: Vec<_> = oplock::__private::inventory::iter::<oplock::graph::UpgradeRecord>().collect();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].op, records[0].before), ("pad", 9));
}
