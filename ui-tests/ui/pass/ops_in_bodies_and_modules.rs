use oplock::{Registry, op};

pub mod nn {
    pub(crate) mod activation {
        #[oplock::op("relu")]
        pub(super) struct Relu {
            #[input]
            x: oplock::Var,
        }
    }

    pub fn name() -> &'static str {
        <activation::Relu as oplock::Op>::def().name.as_ref()
    }
}

mod private {
    use oplock::op;

    #[op("gelu")]
    struct Gelu;
}

oplock::lock!();

fn main() {
    #[op("local")]
    struct Local;

    let closure = || {
        #[op("deeper", unlocked)]
        struct Deeper;
    };
    closure();
    assert_eq!(nn::name(), "relu");
    let names: Vec<_> = Registry::global().unwrap().iter().map(|entry| entry.def.name.as_ref()).collect();
    assert_eq!(names, ["deeper", "gelu", "local", "relu"]);
    assert_eq!(ops().len(), 3);
}
