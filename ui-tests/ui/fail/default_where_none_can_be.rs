use oplock::{Block, op};

#[op("while", unlocked)]
pub struct While {
    #[attr(default = 0)]
    pub body: Block,
    #[attr(default = 1.0)]
    pub limit: Option<f32>,
    #[attr(default = None)]
    pub count: i32,
}

fn main() {}
