use oplock::{Var, op};

#[op("slice", experimental, experimental, unlocked)]
pub struct Slice {
    #[input(dispensable, dispensable)]
    pub input: Option<Var>,
    #[output(name = "Out", name = "out")]
    pub out: Var,
    #[attr(default = 1, default = 2)]
    pub axis: i32,
    #[attr(as = "i32", as = "i32", default = 1)]
    pub mode: i32,
}

#[op("gather", inputs(x), inputs(y), unlocked)]
pub struct Gather {}

#[op("cast", unlocked, "cast")]
pub struct Cast {}

fn main() {}
