use oplock::{Var, op};

#[op("gather", inputs(x, indices), unlocked)]
pub struct Gather {
    #[output]
    pub out: Var,
    #[attr]
    pub axis: i64,
}

fn main() {}
