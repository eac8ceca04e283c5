use oplock::{Var, op};

oplock::lock!();

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(values = ["constant", "reflect"], default = "constant")]
    pub mode: String,
}

fn main() {}
