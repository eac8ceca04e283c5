// oplock-ui: relaxations = "minor"
// C12: what the published table calls a break, lifted by the package's own choice.
use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input(dispensable)]
    pub x: Option<Var>,
    #[input(duplicable)]
    pub list: Vec<Var>,
    #[output(dispensable, duplicable)]
    pub out: Vec<Var>,
    #[attr(default = 0)]
    pub axis: i32,
}

fn main() {}
