use oplock::op;

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(default = 2147483648)]
    pub above_i32: i32,
    #[attr(default = -1)]
    pub below_u32: u32,
    #[attr(default = 1e39)]
    pub above_f32: f32,
    #[attr(default = 9223372036854775808)]
    pub above_i64: i64,
    #[attr(default = -1)]
    pub below_usize: usize,
    #[attr(default = -u32::MAX)]
    pub negative_constant: u32,
}

fn main() {}
