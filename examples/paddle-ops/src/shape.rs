//! Reshaping, joining, cutting, repeating and padding tensors.

use oplock::{Var, op};

/// Gives the same elements another shape.
#[op("reshape2")]
#[derive(Clone, Debug, PartialEq)]
pub struct Reshape2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `shape`.
    #[input(name = "Shape", dispensable)]
    pub shape_tensor: Option<Var>,
    /// Overrides `shape` and `Shape`, with one tensor per dimension.
    #[input(name = "ShapeTensor", duplicable, dispensable)]
    pub shape_tensors: Vec<Var>,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape", intermediate)]
    pub x_shape: Var,
    /// New shape; -1 is inferred, 0 copies the dimension of `X`.
    #[attr(default = [])]
    pub shape: Vec<i32>,
    /// Prefers the kernel of `oneDNN`.
    #[attr(default = false, extra)]
    pub use_mkldnn: bool,
    /// Marks the op for eight-bit quantisation.
    #[attr(default = false)]
    pub use_quantizer: bool,
    /// Element type that the `oneDNN` kernel computes in.
    #[attr(default = "float32", extra)]
    pub mkldnn_data_type: String,
}

/// Permutes the dimensions.
#[op("transpose2")]
#[derive(Clone, Debug, PartialEq)]
pub struct Transpose2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape", intermediate, extra)]
    pub x_shape: Var,
    /// For each dimension of the result, the one of `X` that it comes from.
    #[attr]
    pub axis: Vec<i32>,
}

/// Drops dimensions of size one.
#[op("squeeze2")]
#[derive(Clone, Debug, PartialEq)]
pub struct Squeeze2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape", intermediate, extra)]
    pub x_shape: Var,
    /// Which to drop; empty drops all.
    #[attr(default = [])]
    pub axes: Vec<i32>,
}

/// Inserts dimensions of size one.
#[op("unsqueeze2")]
#[derive(Clone, Debug, PartialEq)]
pub struct Unsqueeze2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `axes`.
    #[input(name = "AxesTensor", dispensable)]
    pub axes_tensor: Option<Var>,
    /// Overrides `axes`, with one tensor per dimension.
    #[input(name = "AxesTensorList", duplicable, dispensable)]
    pub axes_tensor_list: Vec<Var>,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape", intermediate, extra)]
    pub x_shape: Var,
    /// Where they stand in the result.
    #[attr(default = [])]
    pub axes: Vec<i32>,
}

/// Merges a run of neighbouring dimensions into one.
#[op("flatten_contiguous_range")]
#[derive(Clone, Debug, PartialEq)]
pub struct FlattenContiguousRange {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape", intermediate, extra)]
    pub x_shape: Var,
    /// First dimension of the run.
    #[attr(default = 1)]
    pub start_axis: i32,
    /// Last dimension of the run.
    #[attr(default = 1)]
    pub stop_axis: i32,
}

/// Flattens to a matrix.
#[op("flatten2")]
#[derive(Clone, Debug, PartialEq)]
pub struct Flatten2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape", intermediate, extra)]
    pub x_shape: Var,
    /// How many leading dimensions form the rows.
    #[attr(default = 1)]
    pub axis: i32,
    /// Prefers the kernel of `oneDNN`.
    #[attr(default = false, extra)]
    pub use_mkldnn: bool,
    /// Element type that the `oneDNN` kernel computes in.
    #[attr(default = "float32", extra)]
    pub mkldnn_data_type: String,
}

/// Joins tensors along an existing dimension.
#[op("concat")]
#[derive(Clone, Debug, PartialEq)]
pub struct Concat {
    /// Tensors to join.
    #[input(name = "X", duplicable)]
    pub x: Vec<Var>,
    /// Overrides `axis`.
    #[input(name = "AxisTensor", dispensable)]
    pub axis_tensor: Option<Var>,
    /// The joined tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension to join along.
    #[attr(default = 0)]
    pub axis: i32,
}

/// Cuts a tensor into pieces along one dimension.
#[op("split")]
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Tensor to cut.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `axis`.
    #[input(name = "AxisTensor", dispensable)]
    pub axis_tensor: Option<Var>,
    /// Overrides `sections`, with one tensor per piece.
    #[input(name = "SectionsTensorList", duplicable, dispensable)]
    pub sections_tensor_list: Vec<Var>,
    /// The pieces, in order.
    #[output(name = "Out", duplicable)]
    pub out: Vec<Var>,
    /// Size of each piece; one of them may be -1.
    #[attr(default = [])]
    pub sections: Vec<i32>,
    /// Number of equal pieces, where `sections` is empty.
    #[attr(default = 0)]
    pub num: i32,
    /// Dimension to cut along.
    #[attr(default = 0)]
    pub axis: i32,
    /// Prefers the kernel of `oneDNN`.
    #[attr(default = false)]
    pub use_mkldnn: bool,
    /// Element type that the `oneDNN` kernel computes in.
    #[attr(default = "float32")]
    pub mkldnn_data_type: String,
}

/// Joins tensors along a new dimension.
#[op("stack")]
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Tensors of one shape.
    #[input(name = "X", duplicable)]
    pub x: Vec<Var>,
    /// The stack.
    #[output(name = "Y")]
    pub y: Var,
    /// Where the new dimension stands.
    #[attr(default = 0)]
    pub axis: i32,
}

/// Takes a tensor apart along one dimension, which disappears.
#[op("unstack")]
#[derive(Clone, Debug, PartialEq)]
pub struct Unstack {
    /// The stack.
    #[input(name = "X")]
    pub x: Var,
    /// The slices, in order.
    #[output(name = "Y", duplicable)]
    pub y: Vec<Var>,
    /// Dimension to take apart.
    #[attr(default = 0)]
    pub axis: i32,
    /// How many slices there are.
    #[attr(default = 0)]
    pub num: i32,
}

/// Broadcasts to a larger shape.
#[op("expand_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct ExpandV2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `shape`.
    #[input(name = "Shape", dispensable)]
    pub shape_tensor: Option<Var>,
    /// Overrides `shape`, with one tensor per dimension.
    #[input(duplicable, dispensable)]
    pub expand_shapes_tensor: Vec<Var>,
    /// The broadcast tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// New shape; -1 keeps the dimension.
    #[attr(default = [])]
    pub shape: Vec<i32>,
}

/// Broadcasts to the shape of another tensor.
#[op("expand_as_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct ExpandAsV2 {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// Tensor whose shape is wanted.
    #[input(name = "Y", dispensable)]
    pub y: Option<Var>,
    /// The broadcast tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Shape that is wanted, where `Y` is absent.
    #[attr(default = [])]
    pub target_shape: Vec<i32>,
}

/// Repeats the whole tensor along each dimension.
#[op("tile")]
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `repeat_times`.
    #[input(name = "RepeatTimes", dispensable)]
    pub repeat_times_tensor: Option<Var>,
    /// Overrides `repeat_times`, with one tensor per dimension.
    #[input(name = "repeat_times_tensor", duplicable, dispensable)]
    pub repeat_times_tensors: Vec<Var>,
    /// The repeated tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// How often, per dimension.
    #[attr(default = [])]
    pub repeat_times: Vec<i32>,
}

/// Reverses the order along some dimensions.
#[op("flip")]
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions to reverse.
    #[attr]
    pub axis: Vec<i32>,
}

/// Shifts elements along a dimension; what falls off the end comes in at the start.
#[op("roll")]
#[derive(Clone, Debug, PartialEq)]
pub struct Roll {
    /// Tensor to rearrange.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `shifts`.
    #[input(name = "ShiftsTensor", dispensable)]
    pub shifts_tensor: Option<Var>,
    /// The rearranged tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// By how many places, per entry of `axis`.
    #[attr(default = [])]
    pub shifts: Vec<i64>,
    /// Dimensions to shift along; empty shifts the flattened tensor.
    #[attr(default = [])]
    pub axis: Vec<i64>,
}

/// Reads the shape of a tensor as a tensor.
#[op("shape", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Tensor to measure.
    #[input]
    pub input: Var,
    /// Its dimensions.
    #[output]
    pub out: Var,
}

/// Cuts a box out of `Input` along `axes`.
#[op("slice")]
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Tensor to slice.
    #[input(name = "Input")]
    pub input: Var,
    /// Overrides `starts`.
    #[input(name = "StartsTensor", dispensable)]
    pub starts_tensor: Option<Var>,
    /// Overrides `ends`.
    #[input(name = "EndsTensor", dispensable)]
    pub ends_tensor: Option<Var>,
    /// Overrides `starts`, with one tensor per axis.
    #[input(name = "StartsTensorList", duplicable, dispensable)]
    pub starts_tensor_list: Vec<Var>,
    /// Overrides `ends`, with one tensor per axis.
    #[input(name = "EndsTensorList", duplicable, dispensable)]
    pub ends_tensor_list: Vec<Var>,
    /// The box.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions that are cut; the others stay whole.
    #[attr]
    pub axes: Vec<i32>,
    /// First index per axis; negative counts from the end.
    #[attr(default = [])]
    pub starts: Vec<i32>,
    /// Index past the last, per axis; negative counts from the end.
    #[attr(default = [])]
    pub ends: Vec<i32>,
    /// Per axis, 1 where the bounds are known before the run and -1 where they are not.
    #[attr(default = [])]
    pub infer_flags: Vec<i32>,
    /// Dimensions of size one that the result drops.
    #[attr(default = [])]
    pub decrease_axis: Vec<i32>,
}

/// Like `slice`, taking every n-th index.
#[op("strided_slice")]
#[derive(Clone, Debug, PartialEq)]
pub struct StridedSlice {
    /// Tensor to slice.
    #[input(name = "Input")]
    pub input: Var,
    /// Overrides `starts`.
    #[input(name = "StartsTensor", dispensable)]
    pub starts_tensor: Option<Var>,
    /// Overrides `starts`, with one tensor per axis.
    #[input(name = "StartsTensorList", duplicable, dispensable)]
    pub starts_tensor_list: Vec<Var>,
    /// Overrides `ends`.
    #[input(name = "EndsTensor", dispensable)]
    pub ends_tensor: Option<Var>,
    /// Overrides `ends`, with one tensor per axis.
    #[input(name = "EndsTensorList", duplicable, dispensable)]
    pub ends_tensor_list: Vec<Var>,
    /// Overrides `strides`.
    #[input(name = "StridesTensor", dispensable)]
    pub strides_tensor: Option<Var>,
    /// Overrides `strides`, with one tensor per axis.
    #[input(name = "StridesTensorList", duplicable, dispensable)]
    pub strides_tensor_list: Vec<Var>,
    /// What was selected.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimensions that are cut; the others stay whole.
    #[attr]
    pub axes: Vec<i32>,
    /// First index per axis; negative counts from the end.
    #[attr(default = [])]
    pub starts: Vec<i32>,
    /// Index past the last, per axis; negative counts from the end.
    #[attr(default = [])]
    pub ends: Vec<i32>,
    /// Step per axis; negative walks backwards.
    #[attr(default = [])]
    pub strides: Vec<i32>,
    /// Per axis, 1 where the bounds are known before the run and -1 where they are not.
    #[attr(default = [])]
    pub infer_flags: Vec<i32>,
    /// Dimensions of size one that the result drops.
    #[attr(default = [])]
    pub decrease_axis: Vec<i32>,
}

/// Surrounds a tensor of any rank with a constant.
#[op("pad")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pad {
    /// Tensor to pad.
    #[input(name = "X")]
    pub x: Var,
    /// The padded tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Two numbers per dimension: before and after.
    #[attr]
    pub paddings: Vec<i32>,
    /// The constant.
    #[attr(default = 0.0)]
    pub pad_value: f32,
}

/// Surrounds images with a margin.
#[op("pad2d")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pad2d {
    /// Images.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `paddings`.
    #[input(name = "Paddings", dispensable)]
    pub paddings_tensor: Option<Var>,
    /// The padded images.
    #[output(name = "Out")]
    pub out: Var,
    /// Width of the margin: top, bottom, left, right.
    #[attr]
    pub paddings: Vec<i32>,
    /// What a constant margin holds.
    #[attr(default = 0.0)]
    pub pad_value: f32,
    /// What fills the margin: `constant`, `reflect` or `edge`.
    #[attr(default = "constant")]
    pub mode: String,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_format: String,
}

/// Surrounds volumes with a margin.
#[op("pad3d")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pad3d {
    /// Volumes.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `paddings`.
    #[input(name = "Paddings", dispensable)]
    pub paddings_tensor: Option<Var>,
    /// The padded volumes.
    #[output(name = "Out")]
    pub out: Var,
    /// Width of the margin: left, right, top, bottom, front, back.
    #[attr]
    pub paddings: Vec<i32>,
    /// What fills the margin: `constant`, `reflect`, `replicate` or `circular`.
    #[attr(default = "constant")]
    pub mode: String,
    /// What a constant margin holds.
    #[attr(default = 0.0)]
    pub value: f32,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCDHW")]
    pub data_format: String,
}
