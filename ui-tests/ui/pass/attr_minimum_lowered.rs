// What was allowed still is.
use oplock::{Op, op};

oplock::lock!();

#[op("split")]
pub struct Split {
    #[attr]
    pub axis: i64,
    #[attr(default = 1, min = 0)]
    pub n: i32,
    #[attr]
    pub sections: Vec<i64>,
}

fn main() {
    assert_eq!(Split::def().attr("n").unwrap().min, Some(0));
}
