use oplock::{Var, op};

oplock::lock! {
    common;
    comon;
    common {
        #[attr(default = 0)]
        op_role: i32,
        #[attr(defualt = 1)]
        rest: i32,
        #[input]
        x: Var,
        #[attr(default = 0)]
        op_role: i64,
        bare: i32,
        #[attr(default = 300)]
        small: u8,
        #[attr(extra)]
        no_default: i32,
    }
    common {}
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
}

fn main() {}
