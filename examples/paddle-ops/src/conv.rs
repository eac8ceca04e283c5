//! Convolutions and their transposes.

use oplock::{Var, op};

/// Convolves a batch of images with a set of kernels.
#[op("conv2d")]
#[derive(Clone, Debug, PartialEq)]
pub struct Conv2d {
    /// Images or feature maps, laid out as `data_format` says.
    #[input(name = "Input")]
    pub input: Var,
    /// Kernels.
    #[input(name = "Filter")]
    pub filter: Var,
    /// Feature maps.
    #[output(name = "Output")]
    pub output: Var,
    /// Step of the kernel, per spatial dimension.
    #[attr(default = [1, 1])]
    pub strides: Vec<i32>,
    /// Zeros around the input, one number per dimension or one per side.
    #[attr(default = [0, 0])]
    pub paddings: Vec<i32>,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Gap between kernel elements, per spatial dimension.
    #[attr(default = [1, 1])]
    pub dilations: Vec<i32>,
    /// Number of independent groups that the channels fall into.
    #[attr(default = 1)]
    pub groups: i32,
    /// Order of the dimensions of `Input`.
    #[attr(default = "NCHW")]
    pub data_format: String,
}

/// A two-dimensional convolution in which each input channel has kernels of its own.
#[op("depthwise_conv2d")]
#[derive(Clone, Debug, PartialEq)]
pub struct DepthwiseConv2d {
    /// Images or feature maps, laid out as `data_format` says.
    #[input(name = "Input")]
    pub input: Var,
    /// Kernels.
    #[input(name = "Filter")]
    pub filter: Var,
    /// Feature maps.
    #[output(name = "Output")]
    pub output: Var,
    /// Step of the kernel, per spatial dimension.
    #[attr(default = [1, 1])]
    pub strides: Vec<i32>,
    /// Zeros around the input, one number per dimension or one per side.
    #[attr(default = [0, 0])]
    pub paddings: Vec<i32>,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Number of independent groups that the channels fall into.
    #[attr(default = 1)]
    pub groups: i32,
    /// Gap between kernel elements, per spatial dimension.
    #[attr(default = [1, 1])]
    pub dilations: Vec<i32>,
    /// Order of the dimensions of `Input`.
    #[attr(default = "NCHW")]
    pub data_format: String,
}

/// The transpose of `conv2d`: spreads each input element over the output.
#[op("conv2d_transpose")]
#[derive(Clone, Debug, PartialEq)]
pub struct Conv2dTranspose {
    /// Images or feature maps, laid out as `data_format` says.
    #[input(name = "Input")]
    pub input: Var,
    /// Kernels.
    #[input(name = "Filter")]
    pub filter: Var,
    /// Bias per output channel, only for kernels that fuse it.
    #[input(name = "Bias", dispensable, extra)]
    pub bias: Option<Var>,
    /// Feature maps.
    #[output(name = "Output")]
    pub output: Var,
    /// Step of the kernel, per spatial dimension.
    #[attr(default = [1, 1])]
    pub strides: Vec<i32>,
    /// Zeros around the input, one number per dimension or one per side.
    #[attr(default = [0, 0])]
    pub paddings: Vec<i32>,
    /// Extra size at the far side of the output, where the stride leaves it open.
    #[attr(default = [])]
    pub output_padding: Vec<i32>,
    /// Size of the output, where the stride leaves it open; empty to derive it.
    #[attr(default = [])]
    pub output_size: Vec<i32>,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Number of independent groups that the channels fall into.
    #[attr(default = 1)]
    pub groups: i32,
    /// Gap between kernel elements, per spatial dimension.
    #[attr(default = [1, 1])]
    pub dilations: Vec<i32>,
    /// Order of the dimensions of `Input`.
    #[attr(default = "NCHW")]
    pub data_format: String,
}

/// The transpose of `depthwise_conv2d`.
#[op("depthwise_conv2d_transpose")]
#[derive(Clone, Debug, PartialEq)]
pub struct DepthwiseConv2dTranspose {
    /// Images or feature maps, laid out as `data_format` says.
    #[input(name = "Input")]
    pub input: Var,
    /// Kernels.
    #[input(name = "Filter")]
    pub filter: Var,
    /// Bias per output channel, only for kernels that fuse it.
    #[input(name = "Bias", dispensable, extra)]
    pub bias: Option<Var>,
    /// Feature maps.
    #[output(name = "Output")]
    pub output: Var,
    /// Step of the kernel, per spatial dimension.
    #[attr(default = [1, 1])]
    pub strides: Vec<i32>,
    /// Zeros around the input, one number per dimension or one per side.
    #[attr(default = [0, 0])]
    pub paddings: Vec<i32>,
    /// Extra size at the far side of the output, where the stride leaves it open.
    #[attr(default = [])]
    pub output_padding: Vec<i32>,
    /// Size of the output, where the stride leaves it open; empty to derive it.
    #[attr(default = [])]
    pub output_size: Vec<i32>,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Number of independent groups that the channels fall into.
    #[attr(default = 1)]
    pub groups: i32,
    /// Gap between kernel elements, per spatial dimension.
    #[attr(default = [1, 1])]
    pub dilations: Vec<i32>,
    /// Order of the dimensions of `Input`.
    #[attr(default = "NCHW")]
    pub data_format: String,
}

/// Convolves a batch of volumes with a set of kernels.
#[op("conv3d")]
#[derive(Clone, Debug, PartialEq)]
pub struct Conv3d {
    /// Images or feature maps, laid out as `data_format` says.
    #[input(name = "Input")]
    pub input: Var,
    /// Kernels.
    #[input(name = "Filter")]
    pub filter: Var,
    /// Feature maps.
    #[output(name = "Output")]
    pub output: Var,
    /// Step of the kernel, per spatial dimension.
    #[attr(default = [1, 1, 1])]
    pub strides: Vec<i32>,
    /// Zeros around the input, one number per dimension or one per side.
    #[attr(default = [0, 0, 0])]
    pub paddings: Vec<i32>,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Number of independent groups that the channels fall into.
    #[attr(default = 1)]
    pub groups: i32,
    /// Gap between kernel elements, per spatial dimension.
    #[attr(default = [1, 1, 1])]
    pub dilations: Vec<i32>,
    /// Order of the dimensions of `Input`.
    #[attr(default = "NCDHW")]
    pub data_format: String,
}

/// A convolution that samples its input at learned offsets.
#[op("deformable_conv")]
#[derive(Clone, Debug, PartialEq)]
pub struct DeformableConv {
    /// Feature maps in `NCHW` order.
    #[input(name = "Input")]
    pub input: Var,
    /// Displacement of each sampling point.
    #[input(name = "Offset")]
    pub offset: Var,
    /// Kernels.
    #[input(name = "Filter")]
    pub filter: Var,
    /// Weight of each sampling point.
    #[input(name = "Mask")]
    pub mask: Var,
    /// Feature maps.
    #[output(name = "Output")]
    pub output: Var,
    /// Step of the kernel, per spatial dimension.
    #[attr(default = [1, 1])]
    pub strides: Vec<i32>,
    /// Zeros around the input, per spatial dimension.
    #[attr(default = [0, 0])]
    pub paddings: Vec<i32>,
    /// Gap between kernel elements, per spatial dimension.
    #[attr(default = [1, 1])]
    pub dilations: Vec<i32>,
    /// Number of channel groups that share offsets.
    #[attr(default = 1)]
    pub deformable_groups: i32,
    /// Number of independent groups that the channels fall into.
    #[attr(default = 1)]
    pub groups: i32,
    /// At most how many images are unfolded at a time.
    #[attr(default = 64)]
    pub im2col_step: i32,
}
