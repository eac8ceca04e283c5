use oplock::{Var, op};

oplock::lock!();

#[op("flash_attention", cfg(all(unix, target_pointer_width = "64")))]
pub struct FlashAttention {
    #[input]
    pub q: Var,
}

fn main() {}
