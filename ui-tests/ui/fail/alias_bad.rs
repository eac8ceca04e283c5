use oplock::{Var, op};

oplock::lock!();

#[op("round", alias("round"), alias("rint", "rint"), alias("a b"), inputs(x(alias("z")), y(alias("x"))))]
pub struct Round {
    #[attr(alias("mode"))]
    pub mode: i32,
    #[attr(alias("of_both"), alias("mode"))]
    pub ties: i32,
    #[attr(alias("of_both"), alias(""))]
    pub digits: i32,
    #[attr(default = false, extra, alias("use_mkldnn"))]
    pub use_onednn: bool,
}

// An alias is of its kind: an attribute may have had the name of an input.
#[op("floor")]
pub struct Floor {
    #[input]
    pub x: Var,
    #[attr(alias("x"))]
    pub mode: i32,
}

fn main() {}
