// Derives above and below, and attributes of others on the struct and its fields.
use std::collections::HashSet;

use oplock::{Var, op};

#[derive(Clone, Debug)]
#[op("above", unlocked)]
#[derive(PartialEq, Eq, Hash)]
#[must_use]
pub struct Both {
    /// Documented.
    #[input]
    #[allow(dead_code)]
    pub x: Var,
    #[attr(default = 1)]
    #[doc(hidden)]
    pub axis: i32,
}

#[op("default", unlocked)]
#[derive(Default, Debug, Clone, Copy, PartialOrd, PartialEq)]
#[repr(C)]
#[non_exhaustive]
#[cfg_attr(unix, derive(Eq, Ord, Hash))]
pub struct WithDefault {
    #[attr]
    pub axis: i32,
}

fn main() {
    let both = Both::new("x".into()).with_axis(2);
    assert_eq!(HashSet::from([both.clone()]).len(), 1);
    assert_eq!(format!("{both:?}"), "Both { x: Var(\"x\"), axis: 2 }");
    assert_eq!(WithDefault::default(), WithDefault::new(0));
}
