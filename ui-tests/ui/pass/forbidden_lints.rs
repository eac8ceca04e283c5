//! A crate may forbid the lints of rustc: nothing that the macros emit sets them.
#![forbid(
    dead_code,
    deprecated,
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    private_bounds,
    unexpected_cfgs,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_imports,
    rust_2018_idioms
)]
// An operator may stand in a body and leaves its mark in the crate root; `inventory`, by which operators are found, allows the other.
#![deny(non_local_definitions, non_upper_case_globals)]

use oplock::{Bind, Var, op};

oplock::lock! { object = dyn crate::Named; }

/// What every operator of this crate is built into.
pub trait Named {
    /// Its name.
    fn name(&self) -> &'static str;
}

/// With another name, and names that are no names of Rust.
#[op("aten::relu.Out", alias("relu"))]
pub struct Relu {
    /// What is clipped.
    #[input(name = "X")]
    pub x: Var,
    /// From where on.
    #[attr(name = "Alpha", default = 0.0)]
    pub alpha: f32,
}

impl Named for Relu {
    fn name(&self) -> &'static str {
        "relu"
    }
}

mod inner {
    /// Nothing makes it but the registry.
    #[oplock::op("inner")]
    pub(crate) struct Inner {
        #[input]
        x: oplock::Var,
        #[attr(default = 1)]
        n: i32,
    }

    impl crate::Named for Inner {
        fn name(&self) -> &'static str {
            let Inner { x, n } = self;
            if x.0.len() > 1 && *n > 0 { "inner" } else { "Inner" }
        }
    }
}

fn main() {
    /// In a body.
    #[op("local")]
    struct Local {
        #[input]
        x: Var,
    }

    impl Named for Local {
        fn name(&self) -> &'static str {
            if self.x.0.is_empty() { "" } else { "local" }
        }
    }

    let _ = Relu::new("x".into()).into_node();
}
