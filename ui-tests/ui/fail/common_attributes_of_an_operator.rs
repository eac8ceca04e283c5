use oplock::{Var, op};

// The lock does not know the common attributes yet, so each operator is held against its own.
oplock::lock! {
    common {
        #[attr(default = 0)]
        op_role: i32,
        #[attr(default = 0)]
        stage: i32,
        #[attr(default = false, alias("fast"))]
        is_fast: bool,
        #[attr(default = "")]
        op_device: String,
    }
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[attr(default = 0)]
    pub op_role: i32,
    // Not in the lock either.
    #[attr(default = 1)]
    pub stage: i32,
}

#[op("scale")]
pub struct Scale {
    #[attr(default = false)]
    pub fast: bool,
    #[attr(default = "op_device")]
    pub by: String,
}

#[op("relu")]
pub struct Relu {
    #[input(name = "op_role")]
    pub input: Var,
}

fn main() {}
