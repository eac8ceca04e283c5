use oplock::{Var, op};

#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
}

pub mod nested {
    use oplock::{Var, op};

    #[op("gelu")]
    pub struct Gelu {
        #[input]
        pub x: Var,
    }

    // A mistake beside it.
    #[op("tanh")]
    pub struct Tanh {
        #[input(optional)]
        pub x: Var,
    }
}

fn main() {}
