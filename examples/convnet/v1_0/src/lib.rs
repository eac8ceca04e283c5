//! Operators of a small convolutional network: release 1.0.

use convnet_kernels::{Kernel, KernelError, Tensor, Tensors, Window};
use oplock::{Var, op};

oplock::lock! {
    // What `Registry::build` makes of a node.
    object = dyn convnet_kernels::Kernel;
}

/// Convolves images with filters.
#[op("conv2d")]
pub struct Conv2d {
    /// Images: batch, channel, height, width.
    #[input]
    pub x: Var,
    /// Filters: output channel, channel, height, width.
    #[input]
    pub filter: Var,
    #[output]
    pub out: Var,
    #[attr(default = [1, 1])]
    pub strides: [usize; 2],
    #[attr(default = [0, 0])]
    pub paddings: [usize; 2],
}

impl Kernel for Conv2d {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        let (x, filter) = (tensors.get(&self.x.0)?, tensors.get(&self.filter.0)?);
        let Conv2d { strides, paddings, .. } = *self;
        let window = Window { size: [0, 0], strides, paddings, dilations: [1, 1] };
        convnet_kernels::conv2d(x, filter, window)
    }
}

/// Adds one number to each channel.
#[op("add_bias")]
pub struct AddBias {
    #[input]
    pub x: Var,
    /// A number for each channel.
    #[input]
    pub bias: Var,
    #[output]
    pub out: Var,
}

impl Kernel for AddBias {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        convnet_kernels::add_bias(tensors.get(&self.x.0)?, tensors.get(&self.bias.0)?)
    }
}

/// What is below zero becomes zero.
#[op("relu")]
pub struct Relu {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

impl Kernel for Relu {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        Ok(convnet_kernels::relu(tensors.get(&self.x.0)?))
    }
}

/// The greatest number under each place of a window.
#[op("max_pool")]
pub struct MaxPool {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    /// The height and width of the window.
    #[attr]
    pub size: [usize; 2],
    #[attr(default = [1, 1])]
    pub strides: [usize; 2],
    #[attr(default = [0, 0])]
    pub paddings: [usize; 2],
}

impl Kernel for MaxPool {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        let MaxPool { size, strides, paddings, .. } = *self;
        let window = Window { size, strides, paddings, dilations: [1, 1] };
        convnet_kernels::max_pool(tensors.get(&self.x.0)?, window)
    }
}

/// The mean under each place of a window.
#[op("avg_pool")]
pub struct AvgPool {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    /// The height and width of the window.
    #[attr]
    pub size: [usize; 2],
    #[attr(default = [1, 1])]
    pub strides: [usize; 2],
    #[attr(default = [0, 0])]
    pub paddings: [usize; 2],
    /// Whether padding does not count.
    #[attr(default = true)]
    pub exclusive: bool,
}

impl Kernel for AvgPool {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        let AvgPool { size, strides, paddings, exclusive, .. } = *self;
        let window = Window { size, strides, paddings, dilations: [1, 1] };
        convnet_kernels::avg_pool(tensors.get(&self.x.0)?, window, exclusive)
    }
}

/// Makes a matrix of `x` and multiplies it by `y`.
#[op("mul")]
pub struct Mul {
    #[input]
    pub x: Var,
    /// A matrix.
    #[input]
    pub y: Var,
    #[output]
    pub out: Var,
    /// How many axes of `x` become rows; the others become columns.
    #[attr(default = 1)]
    pub x_num_col_dims: usize,
}

impl Kernel for Mul {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        let x = convnet_kernels::flatten(tensors.get(&self.x.0)?, self.x_num_col_dims)?;
        convnet_kernels::matmul(&x, tensors.get(&self.y.0)?)
    }
}

/// To the nearest whole number; what lies half-way goes away from zero.
#[op("round")]
pub struct Round {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
}

impl Kernel for Round {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        Ok(convnet_kernels::round_half_away(tensors.get(&self.x.0)?))
    }
}
