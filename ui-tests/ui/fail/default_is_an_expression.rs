use oplock::op;

const AXIS: i32 = 1;

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(default = 1 + 1)]
    pub sum: i32,
    #[attr(default = AXIS)]
    pub constant: i32,
    #[attr(default = vec![1])]
    pub macro_call: Vec<i32>,
    #[attr(default = Some(1))]
    pub some: Option<i32>,
    #[attr(default = Vec::new())]
    pub call: Vec<i32>,
    #[attr(default = (1, 2))]
    pub tuple: Vec<i32>,
    #[attr(default = 1 as f32)]
    pub cast: f32,
    #[attr(default = i32::BITS)]
    pub bits: i32,
    #[attr(default = usize::MAX)]
    pub platform: usize,
    #[attr(default = isize::MIN)]
    pub smallest: isize,
    #[attr(default = usize::MIN)]
    pub none: usize,
    #[attr(default = i64::MAX)]
    pub of_another_type: i32,
    #[attr(default = std::f32::consts::PI)]
    pub pi: f32,
    #[attr(default = [1, AXIS])]
    pub in_a_list: Vec<i32>,
    #[attr(default = { 1 })]
    pub block: i32,
}

fn main() {
    let _ = AXIS;
}
