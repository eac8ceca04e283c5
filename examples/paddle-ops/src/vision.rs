//! Resizing, boxes and regions for models of images.

use oplock::{Var, op};

/// Resizes images by mixing the four nearest pixels.
#[op("bilinear_interp_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct BilinearInterpV2 {
    /// Images.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides the sizes, as one tensor.
    #[input(name = "OutSize", dispensable)]
    pub out_size: Option<Var>,
    /// Overrides the sizes, with one tensor per dimension.
    #[input(name = "SizeTensor", duplicable, dispensable)]
    pub size_tensor: Vec<Var>,
    /// Overrides `scale`.
    #[input(name = "Scale", dispensable)]
    pub scale_tensor: Option<Var>,
    /// The resized images.
    #[output(name = "Out")]
    pub out: Var,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_layout: String,
    /// Depth of the result; 0 derives it from `scale`.
    #[attr(default = 0)]
    pub out_d: i32,
    /// Height of the result; 0 derives it from `scale`.
    #[attr(default = 0)]
    pub out_h: i32,
    /// Width of the result; 0 derives it from `scale`.
    #[attr(default = 0)]
    pub out_w: i32,
    /// Factor of the sizes, one for all or one per dimension.
    #[attr(default = [])]
    pub scale: Vec<f32>,
    /// Name of the method of interpolation.
    #[attr(default = "bilinear")]
    pub interp_method: String,
    /// Maps the centres of the corner pixels onto each other.
    #[attr(default = true)]
    pub align_corners: bool,
    /// Without `align_corners`, 0 aligns the centres of pixels and 1 their edges.
    #[attr(default = 1)]
    pub align_mode: i32,
}

/// Resizes images by taking the nearest pixel.
#[op("nearest_interp_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct NearestInterpV2 {
    /// Images.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides the sizes, as one tensor.
    #[input(name = "OutSize", dispensable)]
    pub out_size: Option<Var>,
    /// Overrides the sizes, with one tensor per dimension.
    #[input(name = "SizeTensor", duplicable, dispensable)]
    pub size_tensor: Vec<Var>,
    /// Overrides `scale`.
    #[input(name = "Scale", dispensable)]
    pub scale_tensor: Option<Var>,
    /// The resized images.
    #[output(name = "Out")]
    pub out: Var,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_layout: String,
    /// Depth of the result; 0 derives it from `scale`.
    #[attr(default = 0)]
    pub out_d: i32,
    /// Height of the result; 0 derives it from `scale`.
    #[attr(default = 0)]
    pub out_h: i32,
    /// Width of the result; 0 derives it from `scale`.
    #[attr(default = 0)]
    pub out_w: i32,
    /// Factor of the sizes, one for all or one per dimension.
    #[attr(default = [])]
    pub scale: Vec<f32>,
    /// Name of the method of interpolation.
    #[attr(default = "bilinear")]
    pub interp_method: String,
    /// Maps the centres of the corner pixels onto each other.
    #[attr(default = true)]
    pub align_corners: bool,
    /// Without `align_corners`, 0 aligns the centres of pixels and 1 their edges.
    #[attr(default = 1)]
    pub align_mode: i32,
}

/// Samples images at given coordinates.
#[op("grid_sampler")]
#[derive(Clone, Debug, PartialEq)]
pub struct GridSampler {
    /// Images.
    #[input(name = "X")]
    pub x: Var,
    /// Coordinates, from -1 to 1 across the image.
    #[input(name = "Grid")]
    pub grid: Var,
    /// The samples.
    #[output(name = "Output")]
    pub output: Var,
    /// `bilinear` or `nearest`.
    #[attr(default = "bilinear")]
    pub mode: String,
    /// What lies outside: `zeros`, `border` or `reflection`.
    #[attr(default = "zeros")]
    pub padding_mode: String,
    /// Maps the centres of the corner pixels onto each other.
    #[attr(default = true)]
    pub align_corners: bool,
}

/// Moves channels into space, so that images grow and channels become fewer.
#[op("pixel_shuffle")]
#[derive(Clone, Debug, PartialEq)]
pub struct PixelShuffle {
    /// Images.
    #[input(name = "X")]
    pub x: Var,
    /// The larger images.
    #[output(name = "Out")]
    pub out: Var,
    /// By how much each side grows.
    #[attr(default = 1)]
    pub upscale_factor: i32,
    /// Order of the dimensions of `X`.
    #[attr(default = "NCHW")]
    pub data_format: String,
}

/// Scales and shifts each channel.
#[op("affine_channel")]
#[derive(Clone, Debug, PartialEq)]
pub struct AffineChannel {
    /// Feature maps.
    #[input(name = "X")]
    pub x: Var,
    /// Factor per channel.
    #[input(name = "Scale")]
    pub scale: Var,
    /// Shift per channel.
    #[input(name = "Bias")]
    pub bias: Var,
    /// The scaled and shifted feature maps.
    #[output(name = "Out")]
    pub out: Var,
    /// Order of the dimensions of `X`.
    #[attr(default = "AnyLayout")]
    pub data_layout: String,
}

/// Samples a grid of fixed size from each region of interest.
#[op("roi_align")]
#[derive(Clone, Debug, PartialEq)]
pub struct RoiAlign {
    /// Feature maps.
    #[input(name = "X")]
    pub x: Var,
    /// Corners of the regions.
    #[input(name = "ROIs")]
    pub rois: Var,
    /// Number of regions in each image.
    #[input(name = "RoisNum", dispensable)]
    pub rois_num: Option<Var>,
    /// One small feature map per region.
    #[output(name = "Out")]
    pub out: Var,
    /// Height of the grid.
    #[attr(default = 1)]
    pub pooled_height: i32,
    /// Width of the grid.
    #[attr(default = 1)]
    pub pooled_width: i32,
    /// From coordinates of the regions to those of `X`.
    #[attr(default = 1.0)]
    pub spatial_scale: f32,
    /// Samples per cell and side; -1 chooses by the size of the region.
    #[attr(default = -1)]
    pub sampling_ratio: i32,
    /// Shifts the regions by half a pixel.
    #[attr(default = false)]
    pub aligned: bool,
}

/// Places default boxes over a feature map.
#[op("prior_box")]
#[derive(Clone, Debug, PartialEq)]
pub struct PriorBox {
    /// The feature map.
    #[input(name = "Input")]
    pub input: Var,
    /// The image that it came from.
    #[input(name = "Image")]
    pub image: Var,
    /// The boxes.
    #[output(name = "Boxes")]
    pub boxes: Var,
    /// Scale of each coordinate of each box.
    #[output(name = "Variances")]
    pub variances_tensor: Var,
    /// Side of the small square box, per size.
    #[attr]
    pub min_sizes: Vec<f32>,
    /// Upper size, per size, for one more square between the two.
    #[attr(default = [])]
    pub max_sizes: Vec<f32>,
    /// Ratios of width to height.
    #[attr(default = [])]
    pub aspect_ratios: Vec<f32>,
    /// Scale of the four coordinates.
    #[attr(default = [])]
    pub variances: Vec<f32>,
    /// Adds the inverse of each ratio.
    #[attr(default = true)]
    pub flip: bool,
    /// Cuts the boxes at the border of the image.
    #[attr(default = true)]
    pub clip: bool,
    /// Horizontal distance of boxes; 0 derives it.
    #[attr(default = 0.0)]
    pub step_w: f32,
    /// Vertical distance of boxes; 0 derives it.
    #[attr(default = 0.0)]
    pub step_h: f32,
    /// Position of a box's centre within its cell.
    #[attr(default = 0.5)]
    pub offset: f32,
    /// Lists the square of `max_sizes` before the ratios.
    #[attr(default = false)]
    pub min_max_aspect_ratios_order: bool,
}

/// Translates boxes to and from offsets against default boxes.
#[op("box_coder")]
#[derive(Clone, Debug, PartialEq)]
pub struct BoxCoder {
    /// The default boxes.
    #[input(name = "PriorBox")]
    pub prior_box: Var,
    /// Scale of their coordinates, as a tensor.
    #[input(name = "PriorBoxVar", dispensable)]
    pub prior_box_var: Option<Var>,
    /// Boxes to encode, or offsets to decode.
    #[input(name = "TargetBox")]
    pub target_box: Var,
    /// Offsets, or boxes.
    #[output(name = "OutputBox")]
    pub output_box: Var,
    /// `encode_center_size` or `decode_center_size`.
    #[attr(default = "encode_center_size")]
    pub code_type: String,
    /// Coordinates run from zero to one, so that sides need no extra pixel.
    #[attr(default = true)]
    pub box_normalized: bool,
    /// Dimension of `TargetBox` along which the default boxes are broadcast.
    #[attr(default = 0)]
    pub axis: i32,
    /// Scale of the four coordinates, where `PriorBoxVar` is absent.
    #[attr(default = [])]
    pub variance: Vec<f32>,
}

/// Decodes the output of a YOLO head into boxes and scores.
#[op("yolo_box")]
#[derive(Clone, Debug, PartialEq)]
pub struct YoloBox {
    /// Output of the head.
    #[input(name = "X")]
    pub x: Var,
    /// Height and width of each image.
    #[input(name = "ImgSize")]
    pub img_size: Var,
    /// Corners of each box.
    #[output(name = "Boxes")]
    pub boxes: Var,
    /// Score of each class for each box.
    #[output(name = "Scores")]
    pub scores: Var,
    /// Width and height of each anchor.
    #[attr(default = [])]
    pub anchors: Vec<i32>,
    /// Number of classes.
    #[attr(default = 1)]
    pub class_num: i32,
    /// Boxes below this confidence become zero.
    #[attr(default = 0.01)]
    pub conf_thresh: f32,
    /// Pixels of the input image per cell.
    #[attr(default = 32)]
    pub downsample_ratio: i32,
    /// Cuts the boxes at the border of the image.
    #[attr(default = true)]
    pub clip_bbox: bool,
    /// Stretches the reach of a box's centre.
    #[attr(default = 1.0)]
    pub scale_x_y: f32,
    /// The head predicts how well each box fits.
    #[attr(default = false)]
    pub iou_aware: bool,
    /// Weight of that prediction in the confidence.
    #[attr(default = 0.5)]
    pub iou_aware_factor: f32,
}

/// Keeps the best of the boxes that overlap, class by class.
#[op("multiclass_nms3")]
#[derive(Clone, Debug, PartialEq)]
pub struct MulticlassNms3 {
    /// Candidate boxes.
    #[input(name = "BBoxes")]
    pub bboxes: Var,
    /// Score of each class for each box.
    #[input(name = "Scores")]
    pub scores: Var,
    /// Number of regions in each image.
    #[input(name = "RoisNum", dispensable)]
    pub rois_num: Option<Var>,
    /// The boxes that are kept, with class and score.
    #[output(name = "Out")]
    pub out: Var,
    /// Where each was among the candidates.
    #[output(name = "Index")]
    pub index: Var,
    /// Number of boxes kept in each image.
    #[output(name = "NmsRoisNum", dispensable)]
    pub nms_rois_num: Option<Var>,
    /// Candidates below this score are ignored.
    #[attr]
    pub score_threshold: f32,
    /// At most how many candidates per class are compared; -1 for all.
    #[attr]
    pub nms_top_k: i32,
    /// At most how many boxes per image are kept; -1 for all.
    #[attr]
    pub keep_top_k: i32,
    /// Overlap from which the weaker box is dropped.
    #[attr(default = 0.3)]
    pub nms_threshold: f32,
    /// Coordinates run from zero to one, so that sides need no extra pixel.
    #[attr(default = true)]
    pub normalized: bool,
    /// Below one, lowers the threshold as boxes are kept.
    #[attr(default = 1.0)]
    pub nms_eta: f32,
    /// Class that is ignored; -1 for none.
    #[attr(default = 0)]
    pub background_label: i32,
}
