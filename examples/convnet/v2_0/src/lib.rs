//! Operators of a small convolutional network: release 2.0, which breaks three things and still reads all that was saved.

use convnet_kernels::{Kernel, KernelError, Tensor, Tensors, Window};
use oplock::{Var, op};

mod upgrades;

oplock::lock! {
    // What `Registry::build` makes of a node.
    object = dyn convnet_kernels::Kernel;
    saved graph {
        version 2 = "`mul` is deprecated: use `flatten` and `matmul`";
        version 3 = "`mul` is gone, padding counts in `avg_pool`, `round` goes to the even number";
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
    #[attr(default = false)]
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

/// To the nearest whole number.
#[op("round", revised(version = 3, note = "what lies half-way goes to the even number, unless `ties` says otherwise"))]
pub struct Round {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    /// Where what lies half-way goes: to the even number, or away from zero.
    #[attr(values = ["even", "away"], default = "even")]
    pub ties: Ties,
}

/// Where [`Round`] lets go what lies half-way between two whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// To the even one.
    Even,
    /// Away from zero.
    Away,
}

oplock::attr_enum!(Ties { Even = "even", Away = "away" });

impl Kernel for Round {
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError> {
        let x = tensors.get(&self.x.0)?;
        Ok(match self.ties {
            Ties::Even => convnet_kernels::round_half_even(x),
            Ties::Away => convnet_kernels::round_half_away(x),
        })
    }
}
