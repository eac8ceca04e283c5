oplock::lock!();

#[cfg(windows)]
#[oplock::op("flash_attention")]
pub struct FlashAttention {
    #[input]
    pub q: oplock::Var,
}

fn main() {}
