// oplock-ui: version = "2.0.0"
use oplock::{Var, op};

oplock::lock! {
    saved graph {
        version 8 = "first release";
    }
}

#[op("round", deprecated(version = 8, note = "use rint"), revised(version = 3, note = "ties go to even"))]
pub struct Round {
    #[input(dispensable, deprecated(version = 8, note = "use y"))]
    pub x: Option<Var>,
    // Released with it.
    #[attr(default = 0, deprecated(version = 8, note = "use rint"))]
    pub mode: i32,
}

fn main() {}
