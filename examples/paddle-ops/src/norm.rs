//! Normalisation layers, and dropout.

use oplock::{Var, op};

/// Normalises each channel over the batch, or with running statistics.
#[op("batch_norm")]
#[derive(Clone, Debug, PartialEq)]
pub struct BatchNorm {
    /// Tensor to normalise.
    #[input(name = "X")]
    pub x: Var,
    /// Learned factor, one if absent.
    #[input(name = "Scale", dispensable)]
    pub scale: Option<Var>,
    /// Learned shift, zero if absent.
    #[input(name = "Bias", dispensable)]
    pub bias: Option<Var>,
    /// Running mean per channel.
    #[input(name = "Mean")]
    pub mean: Var,
    /// Running variance per channel.
    #[input(name = "Variance")]
    pub variance: Var,
    /// Overrides `momentum`.
    #[input(name = "MomentumTensor", dispensable)]
    pub momentum_tensor: Option<Var>,
    /// Normalised tensor.
    #[output(name = "Y")]
    pub y: Var,
    /// Running mean after this batch.
    #[output(name = "MeanOut")]
    pub mean_out: Var,
    /// Running variance after this batch.
    #[output(name = "VarianceOut")]
    pub variance_out: Var,
    /// Mean of this batch, for the backward pass.
    #[output(name = "SavedMean", intermediate)]
    pub saved_mean: Var,
    /// Spread of this batch, for the backward pass.
    #[output(name = "SavedVariance", intermediate)]
    pub saved_variance: Var,
    /// Scratch memory that some GPU kernels hand to their backward pass.
    #[output(name = "ReserveSpace", dispensable, extra)]
    pub reserve_space: Option<Var>,
    /// Normalises with the running statistics.
    #[attr(default = false)]
    pub is_test: bool,
    /// Share of the old running statistics in the new ones.
    #[attr(default = 0.9)]
    pub momentum: f32,
    /// Added to the variance before dividing by its root.
    #[attr(default = 1e-5)]
    pub epsilon: f32,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_layout: String,
    /// Normalises with the running statistics in training too.
    #[attr(default = false)]
    pub use_global_stats: bool,
    /// Normalises with the batch's own statistics in inference too.
    #[attr(default = false)]
    pub trainable_statistics: bool,
}

/// Normalises each sample over its trailing dimensions.
#[op("layer_norm")]
#[derive(Clone, Debug, PartialEq)]
pub struct LayerNorm {
    /// Tensor to normalise.
    #[input(name = "X")]
    pub x: Var,
    /// Learned factor, one if absent.
    #[input(name = "Scale", dispensable)]
    pub scale: Option<Var>,
    /// Learned shift, zero if absent.
    #[input(name = "Bias", dispensable)]
    pub bias: Option<Var>,
    /// Normalised tensor.
    #[output(name = "Y")]
    pub y: Var,
    /// Mean of each sample.
    #[output(name = "Mean", intermediate)]
    pub mean: Var,
    /// Variance of each sample.
    #[output(name = "Variance", intermediate)]
    pub variance: Var,
    /// Added to the variance before dividing by its root.
    #[attr(default = 1e-5)]
    pub epsilon: f32,
    /// First of the dimensions to normalise over.
    #[attr(default = 1)]
    pub begin_norm_axis: i32,
}

/// Normalises each sample over groups of channels.
#[op("group_norm")]
#[derive(Clone, Debug, PartialEq)]
pub struct GroupNorm {
    /// Tensor to normalise.
    #[input(name = "X")]
    pub x: Var,
    /// Learned factor, one if absent.
    #[input(name = "Scale", dispensable)]
    pub scale: Option<Var>,
    /// Learned shift, zero if absent.
    #[input(name = "Bias", dispensable)]
    pub bias: Option<Var>,
    /// Normalised tensor.
    #[output(name = "Y")]
    pub y: Var,
    /// Mean of each group.
    #[output(name = "Mean", intermediate)]
    pub mean: Var,
    /// Variance of each group.
    #[output(name = "Variance", intermediate)]
    pub variance: Var,
    /// Added to the variance before dividing by its root.
    #[attr(default = 1e-5)]
    pub epsilon: f32,
    /// Number of groups that the channels fall into.
    #[attr(default = -1)]
    pub groups: i32,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_layout: String,
}

/// Normalises each channel of each sample.
#[op("instance_norm")]
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceNorm {
    /// Tensor to normalise.
    #[input(name = "X")]
    pub x: Var,
    /// Learned factor, one if absent.
    #[input(name = "Scale", dispensable)]
    pub scale: Option<Var>,
    /// Learned shift, zero if absent.
    #[input(name = "Bias", dispensable)]
    pub bias: Option<Var>,
    /// Normalised tensor.
    #[output(name = "Y")]
    pub y: Var,
    /// Mean of each channel, for the backward pass.
    #[output(name = "SavedMean", intermediate, extra)]
    pub saved_mean: Var,
    /// Spread of each channel, for the backward pass.
    #[output(name = "SavedVariance", intermediate, extra)]
    pub saved_variance: Var,
    /// Added to the variance before dividing by its root.
    #[attr(default = 1e-5)]
    pub epsilon: f32,
}

/// Divides by the Euclidean length along one dimension.
#[op("norm")]
#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    /// Tensor to normalise.
    #[input(name = "X")]
    pub x: Var,
    /// Tensor of unit length along `axis`.
    #[output(name = "Out")]
    pub out: Var,
    /// The lengths.
    #[output(name = "Norm", intermediate, extra)]
    pub norm: Var,
    /// Dimension along which length is measured.
    #[attr]
    pub axis: i32,
    /// Added to the squared length before its root is taken.
    #[attr(default = 1e-10)]
    pub epsilon: f32,
    /// Runs for inference.
    #[attr(default = false)]
    pub is_test: bool,
}

/// Computes the p-norm along one dimension.
#[op("p_norm")]
#[derive(Clone, Debug, PartialEq)]
pub struct PNorm {
    /// Tensor to measure.
    #[input(name = "X")]
    pub x: Var,
    /// The norms.
    #[output(name = "Out")]
    pub out: Var,
    /// The exponent p.
    #[attr(default = 2.0)]
    pub porder: f32,
    /// Dimension to measure along; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
    /// Keeps the gradient finite at zero.
    #[attr(default = 1e-12)]
    pub epsilon: f32,
    /// Keeps the measured dimension, with size one.
    #[attr(default = false)]
    pub keepdim: bool,
    /// Takes the whole tensor as one vector.
    #[attr(default = false)]
    pub asvector: bool,
}

/// Divides each element by the energy of the channels near it.
#[op("lrn")]
#[derive(Clone, Debug, PartialEq)]
pub struct Lrn {
    /// Tensor to normalise.
    #[input(name = "X")]
    pub x: Var,
    /// Normalised tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// The divisor before it is raised to `beta`.
    #[output(name = "MidOut")]
    pub mid_out: Var,
    /// Number of neighbouring channels.
    #[attr(default = 5)]
    pub n: i32,
    /// Constant part of the divisor.
    #[attr(default = 2.0)]
    pub k: f32,
    /// Weight of the neighbours' squares.
    #[attr(default = 1e-4)]
    pub alpha: f32,
    /// Exponent of the divisor.
    #[attr(default = 0.75)]
    pub beta: f32,
    /// Order of the dimensions of `X`.
    #[attr(default = "AnyLayout")]
    pub data_format: String,
}

/// Zeroes elements at random while training.
#[op("dropout")]
#[derive(Clone, Debug, PartialEq)]
pub struct Dropout {
    /// Tensor to thin out.
    #[input(name = "X")]
    pub x: Var,
    /// Seed of the random numbers, as a tensor.
    #[input(name = "Seed", dispensable, extra)]
    pub seed: Option<Var>,
    /// Tensor with elements dropped.
    #[output(name = "Out")]
    pub out: Var,
    /// Which elements were kept.
    #[output(name = "Mask", intermediate, extra)]
    pub mask: Var,
    /// Probability that an element is dropped.
    #[attr(default = 0.5)]
    pub dropout_prob: f32,
    /// Drops nothing.
    #[attr(default = false)]
    pub is_test: bool,
    /// When to rescale: `downgrade_in_infer` or `upscale_in_train`.
    #[attr(default = "downgrade_in_infer")]
    pub dropout_implementation: String,
}
