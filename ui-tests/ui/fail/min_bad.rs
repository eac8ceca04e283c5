use oplock::op;

#[op("clip", unlocked)]
pub struct Clip {
    #[attr(min = 0)]
    pub float: f32,
    #[attr(min = 2, default = 1)]
    pub default: i64,
    #[attr(min = 1, default = [])]
    pub list: Vec<f32>,
    #[attr(min = -1)]
    pub length: Vec<f32>,
    #[attr(min = 1)]
    pub array: [f32; 2],
    #[attr(min = "1")]
    pub text: i32,
    #[attr(min)]
    pub nothing: i32,
    #[attr(default = -1)]
    pub size: usize,
    #[attr(default = [1, -2])]
    pub sizes: Vec<usize>,
}

fn main() {}
