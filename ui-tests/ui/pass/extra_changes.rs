// Extra items carry no promise.
use oplock::{Var, op};

oplock::lock!();

#[op("conv2d")]
pub struct Conv2d {
    #[input]
    pub x: Var,
    #[input(dispensable)]
    pub was_extra: Option<Var>,
    #[input(dispensable, extra)]
    pub added: Option<Var>,
    #[output]
    pub out: Var,
    #[attr(default = "other", extra)]
    pub changed: String,
    #[attr(default = 1)]
    pub promoted: i32,
}

fn main() {
    let _ = Conv2d::new("x".into(), "y".into());
}
