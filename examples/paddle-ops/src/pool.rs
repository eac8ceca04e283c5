//! Pooling over windows of images and volumes.

use oplock::{Var, op};

/// Takes the maximum or the mean of each window of an image.
#[op("pool2d")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pool2d {
    /// Feature maps, laid out as `data_format` says.
    #[input(name = "X")]
    pub x: Var,
    /// Pooled feature maps.
    #[output(name = "Out")]
    pub out: Var,
    /// Size of the window; with `adaptive`, size of the output.
    #[attr]
    pub ksize: Vec<i32>,
    /// Step of the window, per spatial dimension.
    #[attr(default = [1, 1])]
    pub strides: Vec<i32>,
    /// Margin around the input, one number per dimension or one per side.
    #[attr(default = [0, 0])]
    pub paddings: Vec<i32>,
    /// Rounds the output size up instead of down.
    #[attr(default = false)]
    pub ceil_mode: bool,
    /// Leaves the margin out of averages.
    #[attr(default = true)]
    pub exclusive: bool,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_format: String,
    /// `max` or `avg`.
    #[attr(default = "")]
    pub pooling_type: String,
    /// Pools over the whole input, whatever `ksize` says.
    #[attr(default = false)]
    pub global_pooling: bool,
    /// Chooses the windows so that the output has the size `ksize`.
    #[attr(default = false)]
    pub adaptive: bool,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Prefers the kernel of `cuDNN` on a GPU.
    #[attr(default = false)]
    pub use_cudnn: bool,
}

/// Takes the maximum or the mean of each window of a volume.
#[op("pool3d")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pool3d {
    /// Feature maps, laid out as `data_format` says.
    #[input(name = "X")]
    pub x: Var,
    /// Pooled feature maps.
    #[output(name = "Out")]
    pub out: Var,
    /// Size of the window; with `adaptive`, size of the output.
    #[attr]
    pub ksize: Vec<i32>,
    /// Step of the window, per spatial dimension.
    #[attr(default = [1, 1, 1])]
    pub strides: Vec<i32>,
    /// Margin around the input, one number per dimension or one per side.
    #[attr(default = [0, 0, 0])]
    pub paddings: Vec<i32>,
    /// Rounds the output size up instead of down.
    #[attr(default = false)]
    pub ceil_mode: bool,
    /// Leaves the margin out of averages.
    #[attr(default = true)]
    pub exclusive: bool,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCDHW")]
    pub data_format: String,
    /// `max` or `avg`.
    #[attr(default = "")]
    pub pooling_type: String,
    /// Pools over the whole input, whatever `ksize` says.
    #[attr(default = false)]
    pub global_pooling: bool,
    /// Chooses the windows so that the output has the size `ksize`.
    #[attr(default = false)]
    pub adaptive: bool,
    /// `EXPLICIT` follows `paddings`; `SAME` and `VALID` compute their own.
    #[attr(default = "EXPLICIT")]
    pub padding_algorithm: String,
    /// Prefers the kernel of `cuDNN` on a GPU.
    #[attr(default = false)]
    pub use_cudnn: bool,
}
