//! Comparisons, and logic on their results.

use oplock::{Var, op};

/// Whether `X` is below `Y`.
#[op("less_than")]
#[derive(Clone, Debug, PartialEq)]
pub struct LessThan {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// One boolean per pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Whether `X` is at most `Y`.
#[op("less_equal")]
#[derive(Clone, Debug, PartialEq)]
pub struct LessEqual {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// One boolean per pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Whether `X` is above `Y`.
#[op("greater_than")]
#[derive(Clone, Debug, PartialEq)]
pub struct GreaterThan {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// One boolean per pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Whether `X` is at least `Y`.
#[op("greater_equal")]
#[derive(Clone, Debug, PartialEq)]
pub struct GreaterEqual {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// One boolean per pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Whether `X` is `Y`.
#[op("equal")]
#[derive(Clone, Debug, PartialEq)]
pub struct Equal {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// One boolean per pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Whether `X` differs from `Y`.
#[op("not_equal")]
#[derive(Clone, Debug, PartialEq)]
pub struct NotEqual {
    /// Left operand.
    #[input(name = "X")]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input(name = "Y")]
    pub y: Var,
    /// One boolean per pair.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension of `X` at which those of `Y` begin; -1 aligns the trailing ones.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the result in main memory.
    #[attr(default = false)]
    pub force_cpu: bool,
}

/// Whether both hold.
#[op("logical_and", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalAnd {
    /// Left operand.
    #[input]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input]
    pub y: Var,
    /// One boolean per pair.
    #[output]
    pub out: Var,
}

/// Whether at least one holds.
#[op("logical_or", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalOr {
    /// Left operand.
    #[input]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input]
    pub y: Var,
    /// One boolean per pair.
    #[output]
    pub out: Var,
}

/// Whether exactly one holds.
#[op("logical_xor", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalXor {
    /// Left operand.
    #[input]
    pub x: Var,
    /// Right operand, broadcast where it is smaller.
    #[input]
    pub y: Var,
    /// One boolean per pair.
    #[output]
    pub out: Var,
}

/// Whether it does not hold.
#[op("logical_not", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalNot {
    /// Operand.
    #[input]
    pub x: Var,
    /// One boolean per element.
    #[output]
    pub out: Var,
}

/// Whether an element is neither infinite nor `NaN`.
#[op("isfinite_v2", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct IsfiniteV2 {
    /// Tensor to test.
    #[input]
    pub x: Var,
    /// One boolean per element.
    #[output]
    pub out: Var,
}
