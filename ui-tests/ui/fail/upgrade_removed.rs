// Nothing needs it, but graphs that it upgraded would mean something else without it.
// oplock-ui: version = "2.1.0"
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

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
