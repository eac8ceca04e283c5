use oplock::{Var, op};

oplock::lock!();

#[op("dropout")]
pub struct Dropout {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[output(intermediate)]
    pub mask: Var,
}

fn main() {}
