// The lock is the crate's, whatever module declares the operator.

pub mod nn {
    pub mod activation {
        use oplock::{Var, op};

        #[op("relu")]
        pub struct Relu {
            #[input(name = "x", dispensable)]
            pub x: Option<Var>,
        }
    }
}

oplock::lock!();

fn main() {
    use oplock::op;

    #[op("gelu")]
    struct Gelu {
        #[input]
        y: oplock::Var,
    }
}
