// C33.

use oplock::{Var, op};

oplock::lock!();

#[op("flash_attention", cfg(unix))]
pub struct FlashAttention {
    #[input]
    pub q: Var,
}

fn main() {}
