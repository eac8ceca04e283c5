// C21: three errors, each at its token, and no "deleted" beside them.

use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input(optional)]
    pub input: Option<Var>,
    #[output]
    pub out: Vec<Var>,
    #[attr(default = "0")]
    pub axis: i32,
}

fn main() {}
