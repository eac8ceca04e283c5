use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[input]
    pub ends: Var,
    #[output(dispensable)]
    pub out: Option<Var>,
    #[attr(default = [0])]
    pub axes: Vec<i64>,
    #[attr(default = 1)]
    pub steps: i32,
}

fn main() {}
