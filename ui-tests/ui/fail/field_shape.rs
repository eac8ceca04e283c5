use oplock::{Var, op};

#[op("slice", unlocked)]
pub struct Slice {
    #[input]
    pub optional: Option<Var>,
    #[input]
    pub list: Vec<Var>,
    #[input(dispensable)]
    pub plain: Var,
    #[input(dispensable)]
    pub dispensable_list: Vec<Var>,
    #[output(duplicable)]
    pub duplicable: Var,
    #[output(dispensable, duplicable)]
    pub both: Option<Var>,
    #[output(dispensable, duplicable)]
    pub nested: Option<Vec<Var>>,
}

fn main() {}
