use oplock::{Var, op};

oplock::lock! {
    common {
        #[attr(default = 1)]
        op_role: i32,
        #[attr(default = [])]
        op_role_var: Vec<i32>,
        #[attr(default = "", extra)]
        device: String,
        #[attr]
        op_namescope: String,
    }
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
}

fn main() {}
