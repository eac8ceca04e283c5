//! Functions that bend each element of a tensor, and the two softmaxes.

use oplock::{Var, op};

/// Keeps what is positive and puts zero for the rest.
#[op("relu", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Relu {
    /// Tensor to activate.
    #[input]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Clamps to the interval from zero to six.
#[op("relu6", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Relu6 {
    /// Tensor to activate.
    #[input]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Like `relu`, but lets a little of the negative side through.
#[op("leaky_relu")]
#[derive(Clone, Debug, PartialEq)]
pub struct LeakyRelu {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Slope left of zero.
    #[attr(default = 0.02)]
    pub alpha: f32,
}

/// Identity right of zero, a scaled `exp(x) - 1` left of it.
#[op("elu")]
#[derive(Clone, Debug, PartialEq)]
pub struct Elu {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Limit on the negative side, with its sign turned.
    #[attr(default = 1.0)]
    pub alpha: f32,
}

/// Weighs each element by the normal distribution function at it.
#[op("gelu")]
#[derive(Clone, Debug, PartialEq)]
pub struct Gelu {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Computes the distribution through `tanh` instead of `erf`.
    #[attr(default = false)]
    pub approximate: bool,
}

/// The logistic function.
#[op("sigmoid", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sigmoid {
    /// Tensor to activate.
    #[input]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output]
    pub out: Var,
}

/// The hyperbolic tangent.
#[op("tanh", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Tanh {
    /// Tensor to activate.
    #[input]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Multiplies each element by its own sigmoid; older programs save this name.
#[op("swish", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Swish {
    /// Tensor to activate.
    #[input]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Multiplies each element by its own sigmoid; newer programs save this name.
#[op("silu", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Silu {
    /// Tensor to activate.
    #[input]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Multiplies each element by the `tanh` of its softplus.
#[op("mish")]
#[derive(Clone, Debug, PartialEq)]
pub struct Mish {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Beyond this the softplus is taken to be the identity.
    #[attr(default = 20.0)]
    pub threshold: f32,
}

/// A piecewise polynomial stand-in for `swish`.
#[op("hard_swish")]
#[derive(Clone, Debug, PartialEq)]
pub struct HardSwish {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Upper clamp of the shifted element.
    #[attr(default = 6.0)]
    pub threshold: f32,
    /// What the product is divided by.
    #[attr(default = 6.0)]
    pub scale: f32,
    /// Shift before clamping.
    #[attr(default = 3.0)]
    pub offset: f32,
}

/// A straight line clamped to the interval from zero to one.
#[op("hard_sigmoid")]
#[derive(Clone, Debug, PartialEq)]
pub struct HardSigmoid {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Slope of the line.
    #[attr(default = 0.2)]
    pub slope: f32,
    /// Height of the line at zero.
    #[attr(default = 0.5)]
    pub offset: f32,
}

/// A smooth `relu`: `log(1 + exp(beta * x)) / beta`.
#[op("softplus")]
#[derive(Clone, Debug, PartialEq)]
pub struct Softplus {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Sharpness of the bend.
    #[attr(default = 1.0)]
    pub beta: f32,
    /// Where `beta * x` exceeds this, the result is `x` itself.
    #[attr(default = 20.0)]
    pub threshold: f32,
}

/// A leaky `relu` whose slopes are learned.
#[op("prelu")]
#[derive(Clone, Debug, PartialEq)]
pub struct Prelu {
    /// Tensor to activate.
    #[input(name = "X")]
    pub x: Var,
    /// Slopes left of zero: one, one per channel, or one per element.
    #[input(name = "Alpha")]
    pub alpha: Var,
    /// Activated tensor, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Where the channels lie, for `mode = "channel"`.
    #[attr(default = "NCHW")]
    pub data_format: String,
    /// What shares a slope: `all`, `channel` or `element`.
    #[attr(default = "all")]
    pub mode: String,
}

/// Turns scores into probabilities that add up to one along `axis`.
#[op("softmax")]
#[derive(Clone, Debug, PartialEq)]
pub struct Softmax {
    /// Scores.
    #[input(name = "X")]
    pub x: Var,
    /// Probabilities.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension to normalise along; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
}

/// The logarithm of `softmax`, computed without overflow.
#[op("log_softmax")]
#[derive(Clone, Debug, PartialEq)]
pub struct LogSoftmax {
    /// Scores.
    #[input(name = "X")]
    pub x: Var,
    /// Logarithms of the probabilities.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension to normalise along; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
}
