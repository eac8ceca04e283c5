//! What the author deprecated is used by what is emitted, which says nothing of it.
#![deny(deprecated)]

use oplock::{Var, op};

#[op("old", unlocked)]
#[deprecated = "use `new`"]
pub struct Old {
    #[input]
    pub x: Var,
}

#[op("field", unlocked)]
pub struct Field {
    #[deprecated]
    #[input]
    pub x: Var,
    #[attr(default = 1)]
    #[deprecated]
    pub n: i32,
}

fn main() {}
