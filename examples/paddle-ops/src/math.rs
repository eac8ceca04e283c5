//! Functions of one tensor, and sums of several.

use oplock::{Var, op};

/// The exponential function.
#[op("exp", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Exp {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// The natural logarithm.
#[op("log", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// The square root.
#[op("sqrt", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sqrt {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// One over the square root.
#[op("rsqrt", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Rsqrt {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Each element times itself.
#[op("square", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// The absolute value.
#[op("abs", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Abs {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Minus one, zero or one, by the sign of each element.
#[op("sign", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Rounds down.
#[op("floor", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Rounds up.
#[op("ceil", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Ceil {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Rounds to the nearest whole number.
#[op("round", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// The sine.
#[op("sin", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sin {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// The cosine.
#[op("cos", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Cos {
    /// Argument.
    #[input]
    pub x: Var,
    /// Value of the function, shaped like `X`.
    #[output]
    pub out: Var,
}

/// Raises each element to one power.
#[op("pow")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pow {
    /// Argument.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `factor`.
    #[input(name = "FactorTensor", dispensable)]
    pub factor_tensor: Option<Var>,
    /// Value of the function, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// The exponent.
    #[attr(default = 1.0)]
    pub factor: f32,
}

/// Clamps each element to an interval.
#[op("clip")]
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Argument.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `min`.
    #[input(name = "Min", dispensable)]
    pub min_tensor: Option<Var>,
    /// Overrides `max`.
    #[input(name = "Max", dispensable)]
    pub max_tensor: Option<Var>,
    /// Value of the function, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// Lower end of the interval.
    #[attr]
    pub min: f32,
    /// Upper end of the interval.
    #[attr]
    pub max: f32,
}

/// Multiplies by one number and adds another.
#[op("scale")]
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Argument.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `scale`.
    #[input(name = "ScaleTensor", dispensable)]
    pub scale_tensor: Option<Var>,
    /// Value of the function, shaped like `X`.
    #[output(name = "Out")]
    pub out: Var,
    /// The factor.
    #[attr(default = 1.0)]
    pub scale: f32,
    /// The shift.
    #[attr(default = 0.0)]
    pub bias: f32,
    /// Multiplies first, then shifts; if false, the other way round.
    #[attr(default = true)]
    pub bias_after_scale: bool,
}

/// Adds `step` to a tensor of one element, such as a loop counter.
#[op("increment")]
#[derive(Clone, Debug, PartialEq)]
pub struct Increment {
    /// The counter.
    #[input(name = "X")]
    pub x: Var,
    /// The counter after the step.
    #[output(name = "Out")]
    pub out: Var,
    /// What is added.
    #[attr(default = 1.0)]
    pub step: f32,
}

/// Adds up a list of tensors.
#[op("sum")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The terms, all of one shape.
    #[input(name = "X", duplicable)]
    pub x: Vec<Var>,
    /// Their sum.
    #[output(name = "Out")]
    pub out: Var,
    /// Prefers the kernel of `oneDNN`.
    #[attr(default = false)]
    pub use_mkldnn: bool,
    /// Element type that the `oneDNN` kernel computes in.
    #[attr(default = "float32")]
    pub mkldnn_data_type: String,
}

/// Running sum along one dimension.
#[op("cumsum")]
#[derive(Clone, Debug, PartialEq)]
pub struct Cumsum {
    /// Argument.
    #[input(name = "X")]
    pub x: Var,
    /// The partial sums.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension to sum along; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
    /// Treats the tensor as one row.
    #[attr(default = false)]
    pub flatten: bool,
    /// Leaves each element out of its own sum.
    #[attr(default = false)]
    pub exclusive: bool,
    /// Sums from the far end.
    #[attr(default = false)]
    pub reverse: bool,
}
