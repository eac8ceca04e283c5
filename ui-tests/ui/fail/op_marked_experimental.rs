use oplock::{Var, op};

oplock::lock!();

#[op("slice", experimental)]
pub struct Slice {
    #[input]
    pub input: Var,
    #[output]
    pub out: Var,
}

fn main() {}
