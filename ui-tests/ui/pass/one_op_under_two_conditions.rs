// Two structs, of which each build has one; the lock holds both conditions.
use oplock::{Registry, Var, op};

oplock::lock!();

#[op("flash_attention", cfg(unix))]
pub struct FlashAttention {
    #[input]
    pub q: Var,
}

#[op("flash_attention", cfg(not(unix)))]
pub struct FlashAttention {
    #[input]
    pub q: Var,
}

fn main() {
    assert_eq!(Registry::global().unwrap().len(), 1);
    oplock::__private::assert_up_to_date(ops());
}
