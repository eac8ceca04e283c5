// Each mistake at its token, and all in one run.
use oplock::{Var, op};

oplock::lock! {
    saved graf { version 4 = "x"; }
    saved graph {
        min_produser = 4;
        min_consumer = 0;
        min_consumer = "four";
        bad_consumers = [6, 6, -1];
        version 8 = "first release";
        version 4 = "late";
        version 8 = "again";
        version 9 = "";
        version 10;
        min_producer = 4 5;
        4 = "x";
    }
    saved checkpoint { min_producer = 3; min_consumer = 4; bad_consumers = [1, 2, 2]; version 2 = "momentum"; }
    saved checkpoint { version 2 = "momentum"; }
    saved
}

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
}

fn main() {}
