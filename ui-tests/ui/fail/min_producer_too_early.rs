// No release writes version 9 yet, and there is a window.
// oplock-ui: version = "2.0.0"
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        min_producer = 9;
        min_consumer = 4;
        bad_consumers = [6];
        version 4 = "first release";
        version 8 = "`inv` is deprecated";
        version 9 = "`inv` is gone";
    }
}

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
