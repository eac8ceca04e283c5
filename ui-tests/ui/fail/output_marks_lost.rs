use oplock::{Var, op};

oplock::lock!();

#[op("split")]
pub struct Split {
    #[input]
    pub x: Var,
    #[output]
    pub was_dispensable: Var,
    #[output]
    pub was_duplicable: Var,
    #[output]
    pub was_intermediate: Var,
    #[output(dispensable)]
    pub was_quant: Option<Var>,
}

fn main() {}
