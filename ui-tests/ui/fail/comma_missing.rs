use oplock::{Var, op};

#[op("slice" unlocked)]
pub struct Slice {
    #[input(name = "Input" dispensable)]
    pub input: Option<Var>,
    #[attr(default = 1 extra)]
    pub axis: i32,
}

fn main() {}
