// oplock-ui: version = "1.3.0"
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        min_producer = 8;
        min_consumer = 4;
        bad_consumers = [6];
        version 4 = "first release";
        version 8 = "`inv` is deprecated";
    }
}

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
