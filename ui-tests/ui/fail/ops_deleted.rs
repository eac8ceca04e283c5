use oplock::{Var, op};

oplock::lock!();

#[op("while")]
pub struct While {
    #[input(duplicable)]
    pub x: Vec<Var>,
    #[output(duplicable)]
    pub out: Vec<Var>,
}

fn main() {}
