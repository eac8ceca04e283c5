use oplock::{Var, op};

oplock::lock!();

#[op("accuracy")]
pub struct Accuracy {
    #[input]
    pub x: Var,
    #[input(dispensable, name = "F1 score")]
    pub score: Option<Var>,
    #[output(name = "F1 score", duplicable)]
    pub out: Vec<Var>,
}

fn main() {}
