// Each only makes the lock stale: C1, C2, C3, C34 and C35.
use oplock::{Var, op};

oplock::lock!();

#[op("conv")]
pub struct Conv {
    #[input]
    pub x: Var,
    #[input(dispensable)]
    pub y: Option<Var>,
    #[input(dispensable, duplicable)]
    pub z: Vec<Var>,
    #[input(dispensable, quant)]
    pub scale: Option<Var>,
    #[output]
    pub out: Var,
    #[output(dispensable)]
    pub mask: Option<Var>,
    #[attr(default = "NHWC")]
    pub data_format: String,
    #[attr(default = false)]
    pub falsy: bool,
    #[attr(default = 0)]
    pub zero: i32,
    #[attr(default = "")]
    pub empty: String,
    #[attr(default = [])]
    pub list: Vec<i64>,
    #[attr]
    pub optional: Option<f32>,
    #[attr(values = ["a", "b", "c"], default = "a")]
    pub mode: String,
    #[attr(default = "a")]
    pub any: String,
}

#[op("added")]
pub struct Added {
    #[attr]
    pub required: i32,
}

#[op("unmarked")]
pub struct Unmarked;

#[op("everywhere")]
pub struct Everywhere;

#[op("widened", cfg(any(unix, windows)))]
pub struct Widened;

fn main() {}
