// What the test that `lock!` generates says of a stale lock.
use std::panic::catch_unwind;

use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input]
    pub x: Var,
    #[input(dispensable)]
    pub y: Option<Var>,
}

#[op("added")]
pub struct Added;

fn main() {
    let panic = catch_unwind(|| oplock::__private::assert_up_to_date(ops())).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    for part in ["`cargo oplock update`", "input `y` of `slice` is added", "operator `added` is added", "test.rs:"] {
        assert!(text.contains(&part.replace("test", "stale_fails_the_test")), "{text}");
    }
}
