use oplock::op;

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(as = "int")]
    pub a: i64,
    #[attr(as = "i46")]
    pub b: i64,
    #[attr(as = "[i64")]
    pub c: Vec<i64>,
    #[attr(as = "[[[i64]]]")]
    pub d: Vec<i64>,
    #[attr(as = "Vec<i64>")]
    pub e: Vec<i64>,
    #[attr(as = "isize")]
    pub f: isize,
    #[attr(as = "")]
    pub g: i64,
}

fn main() {}
