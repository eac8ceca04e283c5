use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[output]
    pub out: Var,
}

#[op("relu")]
pub struct Relu {
    #[input(dispensable)]
    pub x: Option<Var>,
    #[output]
    pub out: Var,
}

#[op("gelu")]
pub struct Gelu {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

fn main() {
    let _: u8 = "no number";
}
