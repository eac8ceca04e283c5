use oplock::{DType, op};

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(values = ["1", "2"])]
    pub of_a_number: i32,
    #[attr(values = [1, 2])]
    pub numbers: i32,
    #[attr(values = [])]
    pub empty: String,
    #[attr(values = ["a", "b", "a"])]
    pub twice: String,
    #[attr(values = ["constant", "reflect"], default = "constent")]
    pub default: String,
    #[attr(values = ["sum", "mean"], default = ["sum", "max"])]
    pub list: Vec<String>,
    #[attr(values = "a")]
    pub no_list: String,
    #[attr(values = ["f32", "f16"], default = ["f32", "f64"])]
    pub types: Vec<DType>,
}

fn main() {}
