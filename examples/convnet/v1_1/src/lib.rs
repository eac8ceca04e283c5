//! Operators of a small convolutional network: release 1.1, in which convolutions may have gaps.

use convnet_kernels::{Kernel, KernelError, Tensor, Tensors, Window};
use oplock::{Var, op};

oplock::lock! {
    // What `Registry::build` makes of a node.
    object = dyn convnet_kernels::Kernel;
    saved graph {
        version 2 = "`mul` is deprecated: use `flatten` and `matmul`";
    }
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
    /// The distance between two rows and between two columns of the filter; 1 leaves no gaps.
    #[attr(default = [1, 1])]
    pub dilations: [usize; 2],
}

impl Kernel for Conv2d {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        let (x, filter) = (tensors.get(&self.x.0)?, tensors.get(&self.filter.0)?);
        let Conv2d { strides, paddings, dilations, .. } = *self;
        let window = Window { size: [0, 0], strides, paddings, dilations };
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

/// Makes a matrix: the axes before `axis` become rows, the others columns.
#[op("flatten")]
pub struct Flatten {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(default = 1)]
    pub axis: usize,
}

impl Kernel for Flatten {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        convnet_kernels::flatten(tensors.get(&self.x.0)?, self.axis)
    }
}

/// The product of two matrices.
#[op("matmul")]
pub struct MatMul {
    #[input]
    pub x: Var,
    #[input]
    pub y: Var,
    #[output]
    pub out: Var,
}

impl Kernel for MatMul {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        convnet_kernels::matmul(tensors.get(&self.x.0)?, tensors.get(&self.y.0)?)
    }
}

/// Makes a matrix of `x` and multiplies it by `y`.
#[op("mul", deprecated(version = 2, note = "use `flatten` and `matmul`"))]
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
