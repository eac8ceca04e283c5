use oplock::{Var, op};

oplock::lock!();

#[op("softmax")]
pub struct Softmax {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr]
    pub use_cudnn: bool,
}

fn main() {}
