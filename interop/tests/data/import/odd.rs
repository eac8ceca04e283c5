use oplock::{Block, Scalar, Var, op};

/// PaddlePaddle's `Slice`.
#[op("Slice")]
#[derive(Clone, Debug, PartialEq)]
pub struct Slice;

/// PaddlePaddle's `_hidden`.
#[op("_hidden")]
#[derive(Clone, Debug, PartialEq)]
pub struct InternalHidden {
    /// Input `_x`.
    #[input(name = "_x")]
    pub x: Var,
}

/// PaddlePaddle's `an_operator_whose_name_takes_more_than_the_line_that_there_is_for_options_of_attributes`.
#[op("an_operator_whose_name_takes_more_than_the_line_that_there_is_for_options_of_attributes")]
#[derive(Clone, Debug, PartialEq)]
pub struct AnOperatorWhoseNameTakesMoreThanTheLineThatThereIsForOptionsOfAttributes;

/// PaddlePaddle's `defaults`.
#[op("defaults")]
#[derive(Clone, Debug, PartialEq)]
pub struct Defaults {
    /// Attribute `An_Attribute_With_A_Name_That_Fills_The_Line`, by default `false`.
    #[attr(
        name = "An_Attribute_With_A_Name_That_Fills_The_Line",
        default = false,
        extra
    )]
    pub an_attribute_with_a_name_that_fills_the_line: bool,
    /// Attribute `An_Attribute_With_A_Name_That_Is_1_Over_The_Line`, by default `false`.
    #[attr(
        name = "An_Attribute_With_A_Name_That_Is_1_Over_The_Line",
        default = false,
        extra
    )]
    pub an_attribute_with_a_name_that_is_1_over_the_line: bool,
    /// Attribute `an_attribute_with_a_name_that_fills_the_line_x`, by default `false`.
    #[attr(default = false, extra)]
    pub an_attribute_with_a_name_that_fills_the_line_x: bool,
    /// Attribute `an_attribute_with_a_name_that_leaves_no_room_in_the_line`, by default `"and a default"`.
    #[attr(default = "and a default", extra)]
    pub an_attribute_with_a_name_that_leaves_no_room_in_the_line: String,
    /// Attribute `bools`, by default `[true, false]`.
    #[attr(default = [true, false])]
    pub bools: Vec<bool>,
    /// Attribute `doubles`, by default `[1.0, 1e300]`.
    #[attr(default = [1.0, 1e300])]
    pub doubles: Vec<f64>,
    /// Attribute `f64`, by default `0.1`.
    #[attr(default = 0.1)]
    pub f64: f64,
    /// Attribute `inf`, by default `f64::INFINITY`.
    #[attr(default = f64::INFINITY)]
    pub inf: f64,
    /// Attribute `just_large`, by default `2147483647`.
    #[attr(default = 2147483647)]
    pub just_large: i64,
    /// Attribute `longs`, by default `[i64::MIN]`.
    #[attr(default = [i64::MIN])]
    pub longs: Vec<i64>,
    /// Attribute `many`, which has a default.
    #[attr(
        default = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
            24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45,
            46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67,
            68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89,
            90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
        ]
    )]
    pub many: Vec<i32>,
    /// Attribute `max`, by default `i64::MAX`.
    #[attr(default = i64::MAX)]
    pub max: i64,
    /// Attribute `min`, by default `i32::MIN`.
    #[attr(default = i32::MIN)]
    pub min: i32,
    /// Attribute `minus_zero`, by default `-0.0`.
    #[attr(default = -0.0)]
    pub minus_zero: f32,
    /// Attribute `nan`, by default `f32::NAN`.
    #[attr(default = f32::NAN)]
    pub nan: f32,
    /// Attribute `neg_inf`, by default `f32::NEG_INFINITY`.
    #[attr(default = f32::NEG_INFINITY)]
    pub neg_inf: f32,
    /// Attribute `no_floats`, by default `[]`.
    #[attr(default = [])]
    pub no_floats: Vec<f32>,
    /// Attribute `scalar`, by default `-2`.
    #[attr(default = -2)]
    pub scalar: Scalar,
    /// Attribute `scalars`, by default `[true, 1, 1.5]`.
    #[attr(default = [true, 1, 1.5])]
    pub scalars: Vec<Scalar>,
    /// Attribute `text`, by default `"a\"\\b\n\t\u{7}\u{202e}é"`.
    #[attr(default = "a\"\\b\n\t\u{7}\u{202e}é")]
    pub text: String,
    /// Attribute `texts`, by default `["", "it's", "[1, 2]", "x, y"]`.
    #[attr(default = ["", "it's", "[1, 2]", "x, y"])]
    pub texts: Vec<String>,
    /// Attribute `tiny`, by default `1e-45`.
    #[attr(default = 1e-45)]
    pub tiny: f32,
    /// Attribute `var`, by default `"x"`.
    #[attr(default = "x")]
    pub var: Var,
    /// Attribute `vars`, by default `[]`.
    #[attr(default = [])]
    pub vars: Vec<Var>,
    /// Attribute `widened`, by default `0.1`.
    #[attr(default = 0.1)]
    pub widened: f32,
}

/// PaddlePaddle's `option`.
#[op("option")]
#[derive(Clone, Debug, PartialEq)]
pub struct OptionOp {
    /// Input `X_y`.
    #[input(name = "X_y")]
    pub x_y: Var,
    /// Input `Xs`.
    #[input(name = "Xs")]
    pub xs: Var,
}

/// PaddlePaddle's `slice`.
#[op("slice")]
#[derive(Clone, Debug, PartialEq)]
pub struct Slice2 {
    /// Inputs `0`, one or more.
    #[input(name = "0", duplicable)]
    pub input_0: Vec<Var>,
    /// Input `X`.
    #[input(name = "X")]
    pub x_tensor: Var,
    /// Input `X@GRAD`.
    #[input(name = "X@GRAD")]
    pub x_grad: Var,
    /// Inputs `self`, any number.
    #[input(name = "self", duplicable, dispensable)]
    pub self_: Vec<Var>,
    /// Input `type`, which may be absent.
    #[input(dispensable)]
    pub r#type: Option<Var>,
    /// Output `--`, which may be absent.
    #[output(name = "--", dispensable, quant)]
    pub output: Option<Var>,
    /// Output `Out`.
    #[output(name = "Out")]
    pub out_out: Var,
    /// Output `X`; for the backward pass only.
    #[output(name = "X", intermediate, extra)]
    pub x_out: Var,
    /// Attribute `gen`, by default `[]`.
    #[attr(default = [])]
    pub r#gen: Vec<Block>,
    /// Attribute `loop`.
    #[attr]
    pub r#loop: Block,
    /// Attribute `out`, by default `true`.
    #[attr(default = true, generated)]
    pub out: bool,
    /// Attribute `x`, by default `1`.
    #[attr(default = 1)]
    pub x: i32,
}
