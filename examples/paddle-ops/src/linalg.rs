//! Matrix products.

use oplock::{Var, op};

/// Multiplies matrices, or stacks of them with broadcasting.
#[op("matmul_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct MatmulV2 {
    /// Left factor.
    #[input(name = "X")]
    pub x: Var,
    /// Right factor.
    #[input(name = "Y")]
    pub y: Var,
    /// The product.
    #[output(name = "Out")]
    pub out: Var,
    /// Transposes the last two dimensions of `X`.
    #[attr(default = false)]
    pub trans_x: bool,
    /// Transposes the last two dimensions of `Y`.
    #[attr(default = false)]
    pub trans_y: bool,
}

/// The older matrix product, which also scales its result.
#[op("matmul")]
#[derive(Clone, Debug, PartialEq)]
pub struct Matmul {
    /// Left factor.
    #[input(name = "X")]
    pub x: Var,
    /// Right factor.
    #[input(name = "Y")]
    pub y: Var,
    /// The product.
    #[output(name = "Out")]
    pub out: Var,
    /// Transposes the last two dimensions of `X`.
    #[attr(name = "transpose_X", default = false)]
    pub transpose_x: bool,
    /// Transposes the last two dimensions of `Y`.
    #[attr(name = "transpose_Y", default = false)]
    pub transpose_y: bool,
    /// Factor of the product.
    #[attr(default = 1.0)]
    pub alpha: f32,
    /// Prefers the kernel of `oneDNN`.
    #[attr(default = false, extra)]
    pub use_mkldnn: bool,
    /// Marks the op for eight-bit quantisation.
    #[attr(default = false, extra)]
    pub use_quantizer: bool,
    /// Element type that the `oneDNN` kernel computes in.
    #[attr(default = "float32", extra)]
    pub mkldnn_data_type: String,
    /// Quantisation scale of `X`.
    #[attr(name = "Scale_x", default = 1.0, extra)]
    pub scale_x: f32,
    /// Quantisation scale of `Y`.
    #[attr(name = "Scale_y", default = 1.0, extra)]
    pub scale_y: f32,
    /// Quantisation scale of `Out`.
    #[attr(name = "Scale_out", default = 1.0, extra)]
    pub scale_out: f32,
    /// Returns `f32` although the factors are quantised.
    #[attr(default = false, extra)]
    pub force_fp32_output: bool,
    /// Number of attention heads that the columns fall into.
    #[attr(default = 1)]
    pub head_number: i32,
}

/// Flattens both factors to matrices and multiplies them.
#[op("mul")]
#[derive(Clone, Debug, PartialEq)]
pub struct Mul {
    /// Left factor.
    #[input(name = "X")]
    pub x: Var,
    /// Right factor.
    #[input(name = "Y")]
    pub y: Var,
    /// The product.
    #[output(name = "Out")]
    pub out: Var,
    /// How many leading dimensions of `X` form the rows.
    #[attr(default = 1)]
    pub x_num_col_dims: i32,
    /// How many leading dimensions of `Y` form the rows.
    #[attr(default = 1)]
    pub y_num_col_dims: i32,
}

/// Multiplies two stacks of matrices pair by pair.
#[op("bmm", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Bmm {
    /// Left factor.
    #[input]
    pub x: Var,
    /// Right factor.
    #[input]
    pub y: Var,
    /// The product.
    #[output]
    pub out: Var,
}

/// Inner product along the last dimension.
#[op("dot", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Left factor.
    #[input]
    pub x: Var,
    /// Right factor.
    #[input]
    pub y: Var,
    /// The product.
    #[output]
    pub out: Var,
}
