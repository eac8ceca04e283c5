use oplock::{Var, op};

oplock::lock! {
    common {
        #[attr(default = 0)]
        op_role: i32,
    }
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[attr(default = 0)]
    pub op_role: i32,
}

fn main() {}
