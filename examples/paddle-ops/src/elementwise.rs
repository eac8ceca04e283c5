//! Arithmetic of two tensors, element by element.

use oplock::{Var, op};

/// Adds `Y` to `X`.
#[op("elementwise_add")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseAdd {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Subtracts `Y` from `X`.
#[op("elementwise_sub")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseSub {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Multiplies `X` by `Y`.
#[op("elementwise_mul")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseMul {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Divides `X` by `Y`.
#[op("elementwise_div")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseDiv {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Takes the larger of each pair.
#[op("elementwise_max")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseMax {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Takes the smaller of each pair.
#[op("elementwise_min")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseMin {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Raises `X` to the power `Y`.
#[op("elementwise_pow")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwisePow {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Takes the remainder of `X` divided by `Y`.
#[op("elementwise_mod")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseMod {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Divides `X` by `Y` in whole numbers.
#[op("elementwise_floordiv")]
#[derive(Clone, Debug, PartialEq)]
pub struct ElementwiseFloordiv {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast to the shape of `X` where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// Result of each pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
}
