use oplock::{Var, op};

oplock::lock!();

#[op("concat")]
pub struct Concat {
    #[input(duplicable)]
    pub x: Vec<Var>,
    #[output]
    pub out: Var,
}

fn main() {}
