// oplock-ui: version = "2.0.0"
// A major version may break what is released: that only makes the lock stale.
use oplock::{Var, op};

oplock::lock!();

#[op("slice")]
pub struct Slice {
    #[input(dispensable)]
    pub input: Option<Var>,
    #[attr(default = [1])]
    pub starts: Vec<i64>,
    #[attr]
    pub added: i32,
}

#[op("experiment", experimental)]
pub struct Experiment;

fn main() {
    let panic = std::panic::catch_unwind(|| oplock::__private::assert_up_to_date(ops())).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains("operator `deleted` is deleted [op_deleted]"), "{text}");
    assert!(text.contains("the type of attribute `starts` of `slice` changed from `[i32]` to `[i64]`"), "{text}");
}
