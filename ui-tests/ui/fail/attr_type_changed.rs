// C4: the element type of a list.

use oplock::{Var, op};

oplock::lock!();

#[op("split")]
pub struct Split {
    #[input]
    pub x: Var,
    #[output(duplicable)]
    pub out: Vec<Var>,
    #[attr(default = [])]
    pub height_sections: Vec<i64>,
}

fn main() {}
