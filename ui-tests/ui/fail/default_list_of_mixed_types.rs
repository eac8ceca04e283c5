use oplock::op;

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(default = [1, "2"])]
    pub mixed: Vec<i32>,
    #[attr(default = [1.0, 2])]
    pub mostly_floats: Vec<f32>,
    #[attr(default = [[1], 2])]
    pub nested: Vec<Vec<i32>>,
    #[attr(default = [[[1]]])]
    pub deep: Vec<Vec<i32>>,
    #[attr(default = [1, 2, 3])]
    pub array: [i32; 2],
}

fn main() {}
