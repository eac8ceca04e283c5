// oplock-ui: version = "2.0.0"
use oplock::op;

oplock::lock!();

#[op("rint", alias("round"))]
pub struct Rint;

#[op("round")]
pub struct Round;

#[op("trunc", alias("fix"))]
pub struct Trunc;

#[op("chop", alias("fix"))]
pub struct Chop;

// The lock knows neither.
#[op("ceil", alias("up"))]
pub struct Ceil;

#[op("up")]
pub struct Up;

fn main() {}
