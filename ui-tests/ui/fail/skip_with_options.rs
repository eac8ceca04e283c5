use oplock::op;

#[op("slice", unlocked)]
pub struct Slice {
    #[skip(default = 1)]
    pub cache: i32,
}

fn main() {}
