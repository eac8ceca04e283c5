// A type that is not there is one error wherever it is named, and none of what the macro makes of it.
#[oplock::op("relu", unlocked)]
pub struct Relu {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

fn main() {}
