use oplock::{Var, op};

oplock::lock! {
    saved graph {
        version 9 = "first release";
    }
}

#[op("resize", revised(version = 5, note = "corners are sampled at their centres"))]
pub struct Resize {
    #[input]
    pub x: Var,
    // The only one that is declared.
    #[attr(default = 0, deprecated(version = 9, note = "use sizes"))]
    pub mode: i32,
    #[attr(default = 1.0, deprecated(version = 70, note = "use sizes"))]
    pub scale: f32,
}

fn main() {}
