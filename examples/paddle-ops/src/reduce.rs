//! Reductions of whole tensors or of some of their dimensions.

use oplock::{Var, op};

/// Averages all elements to a single one.
#[op("mean", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Mean {
    /// Tensor to reduce.
    #[input]
    pub x: Var,
    /// The average.
    #[output]
    pub out: Var,
}

/// Averages along some dimensions.
#[op("reduce_mean")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceMean {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i32>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}

/// Adds up along some dimensions.
#[op("reduce_sum")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceSum {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i32>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}

/// Finds the largest along some dimensions.
#[op("reduce_max")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceMax {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i32>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}

/// Finds the smallest along some dimensions.
#[op("reduce_min")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceMin {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i32>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}

/// Multiplies along some dimensions.
#[op("reduce_prod")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceProd {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i32>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}

/// Tells whether all are true along some dimensions.
#[op("reduce_all")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceAll {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `dim`.
    #[input(name = "AxisTensor", dispensable)]
    pub axis_tensor: Option<Var>,
    /// Overrides `dim`, with one tensor per dimension.
    #[input(name = "AxisTensorList", duplicable, dispensable)]
    pub axis_tensor_list: Vec<Var>,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i64>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}

/// Tells whether any is true along some dimensions.
#[op("reduce_any")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceAny {
    /// Tensor to reduce.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `dim`.
    #[input(name = "AxisTensor", dispensable)]
    pub axis_tensor: Option<Var>,
    /// Overrides `dim`, with one tensor per dimension.
    #[input(name = "AxisTensorList", duplicable, dispensable)]
    pub axis_tensor_list: Vec<Var>,
    /// The reduced tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reduce; negative counts from the end.
    #[attr(default = [0])]
    pub dim: Vec<i64>,
    /// Keeps the reduced dimensions, with size one.
    #[attr(default = false)]
    pub keep_dim: bool,
    /// Reduces every dimension, whatever `dim` says.
    #[attr(default = false)]
    pub reduce_all: bool,
    /// Code of the element type of `X`; -1 leaves it open.
    #[attr(default = -1)]
    pub in_dtype: i32,
    /// Code of the element type of the result; -1 keeps that of `X`.
    #[attr(default = -1)]
    pub out_dtype: i32,
}
