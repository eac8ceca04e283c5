use oplock::op;

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
}

fn main() {}
