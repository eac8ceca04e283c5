use oplock::op;

oplock::lock!();

#[op("gather", inputs(input, indices, mask), outputs(output))]
pub struct Gather {
    #[attr]
    pub axis: usize,
}

fn main() {}
