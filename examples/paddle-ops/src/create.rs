//! Tensors made from nothing, such as constants, ranges and random numbers.

use oplock::{Var, op};

/// Fills a tensor with one value.
#[op("fill_constant")]
#[derive(Clone, Debug, PartialEq)]
pub struct FillConstant {
    /// Overrides `value`.
    #[input(name = "ValueTensor", dispensable)]
    pub value_tensor: Option<Var>,
    /// Overrides `shape`.
    #[input(name = "ShapeTensor", dispensable)]
    pub shape_tensor: Option<Var>,
    /// Overrides `shape`, with one tensor per dimension.
    #[input(name = "ShapeTensorList", duplicable, dispensable)]
    pub shape_tensor_list: Vec<Var>,
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Code of the element type; 5 is 32-bit float.
    #[attr(default = 5)]
    pub dtype: i32,
    /// Shape of the result.
    #[attr(default = [])]
    pub shape: Vec<i64>,
    /// What every element is.
    #[attr(default = 0.0)]
    pub value: f32,
    /// The value as text, for what an `f32` cannot hold; empty to use `value`.
    #[attr(default = "")]
    pub str_value: String,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
    /// Code of the device that holds the result; -1 leaves it to the executor.
    #[attr(default = -1)]
    pub place_type: i32,
}

/// Fills a tensor shaped like another with one value.
#[op("fill_any_like")]
#[derive(Clone, Debug, PartialEq)]
pub struct FillAnyLike {
    /// Tensor whose shape is wanted.
    #[input(name = "X")]
    pub x: Var,
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// What every element is.
    #[attr(default = 0.0)]
    pub value: f32,
    /// Code of the element type; -1 takes that of `X`.
    #[attr(default = -1)]
    pub dtype: i32,
}

/// Fills a tensor whose batch size is read from another.
#[op("fill_constant_batch_size_like")]
#[derive(Clone, Debug, PartialEq)]
pub struct FillConstantBatchSizeLike {
    /// Tensor whose batch size is wanted.
    #[input(name = "Input")]
    pub input: Var,
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of the result, save for the batch size.
    #[attr]
    pub shape: Vec<i32>,
    /// Dimension of `Input` that is the batch.
    #[attr(default = 0)]
    pub input_dim_idx: i32,
    /// Dimension of the result that is the batch.
    #[attr(default = 0)]
    pub output_dim_idx: i32,
    /// Code of the element type; 5 is 32-bit float.
    #[attr(default = 5)]
    pub dtype: i32,
    /// What every element is.
    #[attr(default = 0.0)]
    pub value: f32,
    /// The value as text, for what an `f32` cannot hold; empty to use `value`.
    #[attr(default = "")]
    pub str_value: String,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Holds a constant tensor in the program itself.
#[op("assign_value")]
#[derive(Clone, Debug, PartialEq)]
pub struct AssignValue {
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of the result.
    #[attr]
    pub shape: Vec<i32>,
    /// Code of the element type, which says where the values are.
    #[attr]
    pub dtype: i32,
    /// The values, if boolean.
    #[attr(default = [])]
    pub bool_values: Vec<i32>,
    /// The values, if 32-bit floats.
    #[attr(default = [])]
    pub fp32_values: Vec<f32>,
    /// The values, if 64-bit floats.
    #[attr(default = [])]
    pub fp64_values: Vec<f64>,
    /// The values, if 32-bit integers.
    #[attr(default = [])]
    pub int32_values: Vec<i32>,
    /// The values, if 64-bit integers.
    #[attr(default = [])]
    pub int64_values: Vec<i64>,
}

/// Counts from `Start` up to, but not including, `End`.
#[op("range", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// First number.
    #[input]
    pub start: Var,
    /// Bound that is not reached.
    #[input]
    pub end: Var,
    /// Distance of neighbours.
    #[input]
    pub step: Var,
    /// The new tensor.
    #[output]
    pub out: Var,
}

/// Spaces numbers evenly from `Start` to `Stop`.
#[op("linspace")]
#[derive(Clone, Debug, PartialEq)]
pub struct Linspace {
    /// First number.
    #[input(name = "Start")]
    pub start: Var,
    /// Last number.
    #[input(name = "Stop")]
    pub stop: Var,
    /// How many numbers.
    #[input(name = "Num")]
    pub num: Var,
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Code of the element type.
    #[attr]
    pub dtype: i32,
}

/// The identity matrix.
#[op("eye")]
#[derive(Clone, Debug, PartialEq)]
pub struct Eye {
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Number of rows.
    #[attr]
    pub num_rows: i64,
    /// Number of columns; -1 for as many as rows.
    #[attr(default = -1)]
    pub num_columns: i64,
    /// Code of the element type; 5 is 32-bit float.
    #[attr(default = 5)]
    pub dtype: i32,
}

/// Draws from a uniform distribution.
#[op("uniform_random")]
#[derive(Clone, Debug, PartialEq)]
pub struct UniformRandom {
    /// Overrides `shape`.
    #[input(name = "ShapeTensor", dispensable)]
    pub shape_tensor: Option<Var>,
    /// Overrides `shape`, with one tensor per dimension.
    #[input(name = "ShapeTensorList", duplicable, dispensable)]
    pub shape_tensor_list: Vec<Var>,
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of the result.
    #[attr(default = [])]
    pub shape: Vec<i64>,
    /// Code of the element type; 5 is 32-bit float.
    #[attr(default = 5)]
    pub dtype: i32,
    /// Lower end of the interval.
    #[attr(default = -1.0)]
    pub min: f32,
    /// Upper end of the interval.
    #[attr(default = 1.0)]
    pub max: f32,
    /// Seed of the random numbers; 0 draws one.
    #[attr(default = 0)]
    pub seed: i32,
    /// How many elements of the diagonal are overwritten.
    #[attr(default = 0)]
    pub diag_num: i32,
    /// Offset between one overwritten element and the next.
    #[attr(default = 0)]
    pub diag_step: i32,
    /// What they are overwritten with.
    #[attr(default = 1.0)]
    pub diag_val: f32,
}

/// Draws from a normal distribution.
#[op("gaussian_random")]
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianRandom {
    /// Overrides `shape`.
    #[input(name = "ShapeTensor", dispensable)]
    pub shape_tensor: Option<Var>,
    /// Overrides `shape`, with one tensor per dimension.
    #[input(name = "ShapeTensorList", duplicable, dispensable)]
    pub shape_tensor_list: Vec<Var>,
    /// The new tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of the result.
    #[attr(default = [])]
    pub shape: Vec<i64>,
    /// Mean of the distribution.
    #[attr(default = 0.0)]
    pub mean: f32,
    /// Standard deviation of the distribution.
    #[attr(default = 1.0)]
    pub std: f32,
    /// Seed of the random numbers; 0 draws one.
    #[attr(default = 0)]
    pub seed: i32,
    /// Code of the element type; 5 is 32-bit float.
    #[attr(default = 5)]
    pub dtype: i32,
}
