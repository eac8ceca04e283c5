use oplock::{Var, op};

oplock::lock!();

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

fn main() {
    oplock::__private::assert_up_to_date(ops());
}
