use oplock::op;

#[op("relu", unlocked)]
fn relu() {}

#[op("gelu", unlocked)]
mod gelu {}

#[op("tanh", unlocked)]
pub trait Tanh {}

pub struct Sigmoid;

#[op("sigmoid", unlocked)]
impl Sigmoid {}

fn main() {}
