use oplock::op;

#[op("gather", inputs(x indices), unlocked)]
pub struct Gather {}

#[op("scatter", inputs(x, 5), unlocked)]
pub struct Scatter {}

#[op("concat", inputs(x(variadic)), outputs("Out" dispensable), unlocked)]
pub struct Concat {}

#[op("split", inputs(x(name = "Y"), Y), outputs(), unlocked)]
pub struct Split {}

fn main() {}
