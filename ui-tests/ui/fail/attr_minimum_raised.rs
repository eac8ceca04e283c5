use oplock::op;

oplock::lock!();

#[op("split")]
pub struct Split {
    #[attr(default = 1, min = 1)]
    pub n: i32,
    #[attr(min = 2)]
    pub sections: Vec<i64>,
}

fn main() {}
