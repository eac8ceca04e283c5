use oplock::{Var, op};

#[op("slice", rename_all, unlocked)]
pub struct Slice {
    #[input(name)]
    pub input: Var,
    #[output(name =)]
    pub out: Var,
    #[attr(default)]
    pub axis: i32,
    #[attr(values)]
    pub mode: String,
    #[attr(as = 1)]
    pub other: i32,
}

fn main() {}
