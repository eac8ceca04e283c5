use oplock::{Var, op};

oplock::lock!();

#[op("resize")]
pub struct Resize {
    #[input(deprecated(version = 8, note = "use sizes"))]
    pub scale: Var,
    #[output(deprecated(version = 8, note = "nothing reads it"))]
    pub mask: Var,
    #[attr(deprecated(version = 8, note = "use mode"))]
    pub align: bool,
    #[attr(default = false, extra, deprecated(version = 8, note = "nothing reads it"))]
    pub use_mkldnn: bool,
}

fn main() {}
