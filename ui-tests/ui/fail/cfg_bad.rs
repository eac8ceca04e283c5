use oplock::op;

#[op("a", cfg(), unlocked)]
pub struct A {}

#[op("b", cfg(feature = cuda), unlocked)]
pub struct B {}

#[op("c", cfg(not(unix, windows)), unlocked)]
pub struct C {}

#[op("d", cfg(either(unix, windows)), unlocked)]
pub struct D {}

#[op("e", cfg, unlocked)]
pub struct E {}

#[op("f", cfg(unix, windows), unlocked)]
pub struct F {}

#[op("g", cfg(,), unlocked)]
pub struct G {}

fn main() {}
