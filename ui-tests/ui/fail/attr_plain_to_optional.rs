use oplock::{Var, op};

oplock::lock!();

#[op("clip")]
pub struct Clip {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr]
    pub min: Option<f32>,
}

fn main() {}
