//! Steps of training, each for one parameter.

use oplock::{Var, op};

/// Plain gradient descent.
#[op("sgd")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sgd {
    /// The parameter.
    #[input(name = "Param")]
    pub param: Var,
    /// Size of the step.
    #[input(name = "LearningRate")]
    pub learning_rate: Var,
    /// Its gradient.
    #[input(name = "Grad")]
    pub grad: Var,
    /// The parameter in full precision, for `multi_precision`.
    #[input(name = "MasterParam", dispensable)]
    pub master_param: Option<Var>,
    /// The parameter after the step.
    #[output(name = "ParamOut")]
    pub param_out: Var,
    /// The parameter after the step, in full precision.
    #[output(name = "MasterParamOut", dispensable)]
    pub master_param_out: Option<Var>,
    /// Keeps a copy in full precision and rounds from it.
    #[attr(default = false)]
    pub multi_precision: bool,
}

/// Gradient descent with momentum.
#[op("momentum")]
#[derive(Clone, Debug, PartialEq)]
pub struct Momentum {
    /// The parameter.
    #[input(name = "Param")]
    pub param: Var,
    /// Its gradient.
    #[input(name = "Grad")]
    pub grad: Var,
    /// Running sum of steps.
    #[input(name = "Velocity")]
    pub velocity: Var,
    /// Size of the step.
    #[input(name = "LearningRate")]
    pub learning_rate: Var,
    /// The parameter in full precision, for `multi_precision`.
    #[input(name = "MasterParam", dispensable)]
    pub master_param: Option<Var>,
    /// The parameter after the step.
    #[output(name = "ParamOut")]
    pub param_out: Var,
    /// `Velocity` after the step.
    #[output(name = "VelocityOut")]
    pub velocity_out: Var,
    /// The parameter after the step, in full precision.
    #[output(name = "MasterParamOut", dispensable)]
    pub master_param_out: Option<Var>,
    /// Share of the old velocity in the new one.
    #[attr]
    pub mu: f32,
    /// Looks ahead, as Nesterov does.
    #[attr(default = false)]
    pub use_nesterov: bool,
    /// `l2_decay`, or empty for none.
    #[attr(default = "")]
    pub regularization_method: String,
    /// Strength of the decay.
    #[attr(default = 0.0)]
    pub regularization_coeff: f32,
    /// Keeps a copy in full precision and rounds from it.
    #[attr(default = false)]
    pub multi_precision: bool,
    /// Factor of the gradient.
    #[attr(default = 1.0)]
    pub rescale_grad: f32,
}

/// Steps scaled by running means of the gradient and of its square.
#[op("adam")]
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The parameter.
    #[input(name = "Param")]
    pub param: Var,
    /// Its gradient.
    #[input(name = "Grad")]
    pub grad: Var,
    /// Size of the step.
    #[input(name = "LearningRate")]
    pub learning_rate: Var,
    /// Running mean of the gradient.
    #[input(name = "Moment1")]
    pub moment1: Var,
    /// Running mean of its square.
    #[input(name = "Moment2")]
    pub moment2: Var,
    /// `beta1` to the power of the number of steps.
    #[input(name = "Beta1Pow")]
    pub beta1_pow: Var,
    /// `beta2` to the power of the number of steps.
    #[input(name = "Beta2Pow")]
    pub beta2_pow: Var,
    /// The parameter in full precision, for `multi_precision`.
    #[input(name = "MasterParam", dispensable)]
    pub master_param: Option<Var>,
    /// True leaves everything as it was.
    #[input(name = "SkipUpdate", dispensable)]
    pub skip_update: Option<Var>,
    /// Overrides `beta1`.
    #[input(name = "Beta1Tensor", dispensable)]
    pub beta1_tensor: Option<Var>,
    /// Overrides `beta2`.
    #[input(name = "Beta2Tensor", dispensable)]
    pub beta2_tensor: Option<Var>,
    /// Overrides `epsilon`.
    #[input(name = "EpsilonTensor", dispensable)]
    pub epsilon_tensor: Option<Var>,
    /// The parameter after the step.
    #[output(name = "ParamOut")]
    pub param_out: Var,
    /// `Moment1` after the step.
    #[output(name = "Moment1Out")]
    pub moment1_out: Var,
    /// `Moment2` after the step.
    #[output(name = "Moment2Out")]
    pub moment2_out: Var,
    /// `Beta1Pow` after the step.
    #[output(name = "Beta1PowOut")]
    pub beta1_pow_out: Var,
    /// `Beta2Pow` after the step.
    #[output(name = "Beta2PowOut")]
    pub beta2_pow_out: Var,
    /// The parameter after the step, in full precision.
    #[output(name = "MasterParamOut", dispensable)]
    pub master_param_out: Option<Var>,
    /// Share of the old mean in the new one.
    #[attr(default = 0.9)]
    pub beta1: f32,
    /// Share of the old mean of squares in the new one.
    #[attr(default = 0.999)]
    pub beta2: f32,
    /// Keeps the divisor away from zero.
    #[attr(default = 1e-8)]
    pub epsilon: f32,
    /// Touches only the rows that a sparse gradient names.
    #[attr(default = false)]
    pub lazy_mode: bool,
    /// Sparse gradients of more rows than this are split over threads.
    #[attr(default = 1000)]
    pub min_row_size_to_use_multithread: i64,
    /// Keeps a copy in full precision and rounds from it.
    #[attr(default = false)]
    pub multi_precision: bool,
    /// The powers are kept up outside of this op.
    #[attr(default = false)]
    pub use_global_beta_pow: bool,
}

/// Adam with weight decay that bypasses the running means.
#[op("adamw")]
#[derive(Clone, Debug, PartialEq)]
pub struct Adamw {
    /// The parameter.
    #[input(name = "Param")]
    pub param: Var,
    /// Its gradient.
    #[input(name = "Grad")]
    pub grad: Var,
    /// Size of the step.
    #[input(name = "LearningRate")]
    pub learning_rate: Var,
    /// Running mean of the gradient.
    #[input(name = "Moment1")]
    pub moment1: Var,
    /// Running mean of its square.
    #[input(name = "Moment2")]
    pub moment2: Var,
    /// `beta1` to the power of the number of steps.
    #[input(name = "Beta1Pow")]
    pub beta1_pow: Var,
    /// `beta2` to the power of the number of steps.
    #[input(name = "Beta2Pow")]
    pub beta2_pow: Var,
    /// The parameter in full precision, for `multi_precision`.
    #[input(name = "MasterParam", dispensable)]
    pub master_param: Option<Var>,
    /// True leaves everything as it was.
    #[input(name = "SkipUpdate", dispensable)]
    pub skip_update: Option<Var>,
    /// Overrides `beta1`.
    #[input(name = "Beta1Tensor", dispensable)]
    pub beta1_tensor: Option<Var>,
    /// Overrides `beta2`.
    #[input(name = "Beta2Tensor", dispensable)]
    pub beta2_tensor: Option<Var>,
    /// Overrides `epsilon`.
    #[input(name = "EpsilonTensor", dispensable)]
    pub epsilon_tensor: Option<Var>,
    /// The parameter after the step.
    #[output(name = "ParamOut")]
    pub param_out: Var,
    /// `Moment1` after the step.
    #[output(name = "Moment1Out")]
    pub moment1_out: Var,
    /// `Moment2` after the step.
    #[output(name = "Moment2Out")]
    pub moment2_out: Var,
    /// `Beta1Pow` after the step.
    #[output(name = "Beta1PowOut")]
    pub beta1_pow_out: Var,
    /// `Beta2Pow` after the step.
    #[output(name = "Beta2PowOut")]
    pub beta2_pow_out: Var,
    /// The parameter after the step, in full precision.
    #[output(name = "MasterParamOut", dispensable)]
    pub master_param_out: Option<Var>,
    /// Share of the old mean in the new one.
    #[attr(default = 0.9)]
    pub beta1: f32,
    /// Share of the old mean of squares in the new one.
    #[attr(default = 0.999)]
    pub beta2: f32,
    /// Keeps the divisor away from zero.
    #[attr(default = 1e-8)]
    pub epsilon: f32,
    /// Factor of the learning rate for this parameter.
    #[attr(default = 1.0)]
    pub lr_ratio: f32,
    /// Strength of the decay.
    #[attr(default = 0.01)]
    pub coeff: f32,
    /// Whether this parameter decays.
    #[attr(default = false)]
    pub with_decay: bool,
    /// Touches only the rows that a sparse gradient names.
    #[attr(default = false)]
    pub lazy_mode: bool,
    /// Sparse gradients of more rows than this are split over threads.
    #[attr(default = 1000)]
    pub min_row_size_to_use_multithread: i64,
    /// Keeps a copy in full precision and rounds from it.
    #[attr(default = false)]
    pub multi_precision: bool,
    /// The powers are kept up outside of this op.
    #[attr(default = false)]
    pub use_global_beta_pow: bool,
}
