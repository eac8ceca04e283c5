use oplock::{Var, op};

oplock::lock!();

#[op("clip")]
pub struct Clip {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = 0.0)]
    pub min: f32,
}

fn main() {}
