// What a release wrote stays as it is.
// oplock-ui: version = "2.0.0"
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        min_producer = 3;
        min_consumer = 3;
        bad_consumers = [];
        version 7 = "late";
        version 8 = "`inv` works again";
    }
}

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
