use oplock::{Var, op};

oplock::lock!();

const NAME: &str = "relu";

#[op(NAME)]
pub struct Relu {
    #[input]
    pub x: Var,
}

#[op(concat!("re", "lu"))]
pub struct Relu2 {
    #[input]
    pub x: Var,
}

fn main() {
    let _ = NAME;
}
