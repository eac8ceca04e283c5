use oplock::op;

#[op("relu", unlocked)]
pub enum Relu {
    X(u8),
}

#[op("cast", unlocked)]
pub union Cast {
    x: u8,
}

fn main() {}
