use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub input: Var,
    #[input(dispensable, quant)]
    pub became: Option<Var>,
    #[input(dispensable)]
    pub was: Option<Var>,
    #[output]
    pub output: Var,
}

fn main() {}
