// Experimental operators, and names that begin with `_`, change as they like.
use oplock::{Op, Var, op};

oplock::lock!();

#[op("experiment", experimental)]
pub struct Experiment {
    #[input]
    pub other: Var,
    #[attr]
    pub _required: i32,
}

#[op("_debug_print")]
pub struct DebugPrint {
    #[attr]
    pub format: String,
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub x: Var,
    #[input(dispensable, duplicable)]
    pub _trace: Vec<Var>,
    #[attr(default = 1.0)]
    pub _seed: f64,
}

fn main() {
    assert!(Experiment::def().experimental && !DebugPrint::def().is_guarded() && Slice::def().is_guarded());
}
