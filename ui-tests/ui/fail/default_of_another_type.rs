use oplock::op;

#[op("pad", unlocked)]
pub struct Pad {
    #[attr(default = "1")]
    pub text_for_int: i32,
    #[attr(default = 1)]
    pub int_for_float: f32,
    #[attr(default = 1.0)]
    pub float_for_int: i32,
    #[attr(default = 0)]
    pub int_for_bool: bool,
    #[attr(default = true)]
    pub bool_for_int: i64,
    #[attr(default = 'a')]
    pub char_for_string: String,
    #[attr(default = "ab")]
    pub string_for_bytes: Vec<u8>,
    #[attr(default = b"ab")]
    pub bytes_for_string: String,
    #[attr(default = 1u8)]
    pub suffix: i32,
    #[attr(default = -"a")]
    pub negative_text: String,
    #[attr(default = 1)]
    pub no_list: Vec<i32>,
    #[attr(default = [1])]
    pub a_list: i32,
}

fn main() {}
