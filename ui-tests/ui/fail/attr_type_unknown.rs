use std::collections::HashMap;

use oplock::op;

#[op("conv2d", unlocked)]
pub struct Conv2d {
    #[attr]
    pub byte: u8,
    #[attr]
    pub wide: i128,
    #[attr]
    pub map: HashMap<String, i32>,
    #[attr]
    pub text: &'static str,
    #[attr]
    pub pair: (i32, i32),
    #[attr]
    pub nested_option: Option<Option<i32>>,
    #[attr]
    pub list_of_options: Vec<Option<i32>>,
    #[attr]
    pub deep: Vec<Vec<Vec<i32>>>,
    #[attr]
    pub boxed: Box<i32>,
    #[attr]
    pub letter: char,
    #[attr]
    pub call: fn(),
    #[attr]
    pub slice: Box<[i32]>,
}

fn main() {}
