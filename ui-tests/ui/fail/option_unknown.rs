use oplock::{Var, op};

#[op("slice", experimantal, unlocked)]
pub struct Slice {
    #[input(optional)]
    pub input: Option<Var>,
    #[input(variadic)]
    pub ends: Vec<Var>,
    #[output(dispensible)]
    pub out: Option<Var>,
    #[attr(default_value = 1)]
    pub axis: i32,
    #[attr(zzz)]
    pub other: i32,
}

fn main() {}
