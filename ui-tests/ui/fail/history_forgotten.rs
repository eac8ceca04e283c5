use oplock::{Var, op};

oplock::lock! {
    saved graph {
        version 7 = "ties go away from zero";
        version 8 = "first release";
        version 12 = "use rint";
    }
}

#[op("round", revised(version = 9, note = "ties go to even"), moved_from = "image-ops")]
pub struct Round {
    #[input]
    pub x: Var,
    #[attr(default = 0, deprecated(version = 10, note = "use rint"))]
    pub mode: i32,
}

#[op("floor")]
pub struct Floor {
    // Renamed: old graphs load, and new ones do not in older releases.
    #[input(name = "X", alias("x"))]
    pub x: Var,
}

fn main() {}
