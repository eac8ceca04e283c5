use oplock::{Var, op};

oplock::lock!();

#[op("split")]
pub struct Split {
    #[input]
    pub x: Var,
    #[output(dispensable)]
    pub dispensable: Option<Var>,
    #[output(duplicable)]
    pub duplicable: Vec<Var>,
    #[output(intermediate)]
    pub intermediate: Var,
    #[output(dispensable, quant)]
    pub quant: Option<Var>,
    #[output(dispensable, extra)]
    pub extra: Option<Var>,
}

fn main() {}
