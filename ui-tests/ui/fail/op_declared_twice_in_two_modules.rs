pub mod a {
    use oplock::{Var, op};

    #[op("aten::relu")]
    pub struct Relu {
        #[input]
        pub x: Var,
    }
}

pub mod b {
    use oplock::{Var, op};

    #[op("aten::relu")]
    pub struct Relu {
        #[input]
        pub x: Var,
    }
}

oplock::lock!();

fn main() {}
