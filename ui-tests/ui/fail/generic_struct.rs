use oplock::op;

oplock::lock!();

#[op("cast")]
pub struct Cast<T> {
    #[input]
    pub x: T,
}

#[op("view")]
pub struct View<'a> {
    #[input]
    pub x: &'a str,
}

#[op("fill")]
pub struct Fill<const N: usize> {
    #[attr]
    pub shape: [i64; N],
}

fn main() {}
