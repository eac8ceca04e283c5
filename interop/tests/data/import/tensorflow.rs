use oplock::{DType, Func, Shape, Tensor, Var, op};

/// TensorFlow's `AddN`.
#[op("AddN", commutative, aggregate)]
#[derive(Clone, Debug, PartialEq)]
pub struct AddN {
    /// Inputs `inputs`, one or more.
    #[input(of = N * T, duplicable)]
    pub inputs: Vec<Var>,
    /// Output `sum`.
    #[output(of = T)]
    pub sum: Var,
    /// Attribute `N`.
    #[attr(name = "N", min = 1)]
    pub n: i64,
    /// Attribute `T`.
    #[attr(
        name = "T",
        values = [
            "f32", "f64", "i32", "u8", "i16", "i8", "complex64", "i64", "qint8", "quint8", "qint32",
            "bf16", "u16", "complex128", "f16", "u32", "u64", "variant",
        ]
    )]
    pub t: DType,
}

/// TensorFlow's `AnonymousMultiDeviceIteratorV3`.
#[op("AnonymousMultiDeviceIteratorV3", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct AnonymousMultiDeviceIteratorV3 {
    /// Output `handle`.
    #[output(of = resource)]
    pub handle: Var,
    /// Attribute `devices`.
    #[attr(min = 1)]
    pub devices: Vec<String>,
    /// Attribute `output_types`.
    #[attr(min = 1)]
    pub output_types: Vec<DType>,
    /// Attribute `output_shapes`.
    #[attr(min = 1)]
    pub output_shapes: Vec<Shape>,
}

/// TensorFlow's `AnonymousMutableHashTableOfTensors`.
#[op("AnonymousMutableHashTableOfTensors", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct AnonymousMutableHashTableOfTensors {
    /// Output `table_handle`.
    #[output(of = resource)]
    pub table_handle: Var,
    /// Attribute `key_dtype`.
    #[attr]
    pub key_dtype: DType,
    /// Attribute `value_dtype`.
    #[attr]
    pub value_dtype: DType,
    /// Attribute `value_shape`, by default `[]`.
    #[attr(default = [])]
    pub value_shape: Shape,
}

/// TensorFlow's `ApproximateEqual`.
#[op("ApproximateEqual", commutative)]
#[derive(Clone, Debug, PartialEq)]
pub struct ApproximateEqual {
    /// Input `x`.
    #[input(of = T)]
    pub x: Var,
    /// Input `y`.
    #[input(of = T)]
    pub y: Var,
    /// Output `z`.
    #[output(of = bool)]
    pub z: Var,
    /// Attribute `T`.
    #[attr(
        name = "T",
        values = [
            "f32", "f64", "i32", "u8", "i16", "i8", "complex64", "i64", "qint8", "quint8", "qint32",
            "bf16", "u16", "complex128", "f16", "u32", "u64",
        ]
    )]
    pub t: DType,
    /// Attribute `tolerance`, by default `1e-5`.
    #[attr(default = 1e-5)]
    pub tolerance: f32,
}

/// TensorFlow's `Barrier`.
#[op("Barrier", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Output `handle`.
    #[output(of = string, by_ref)]
    pub handle: Var,
    /// Attribute `component_types`.
    #[attr(min = 1)]
    pub component_types: Vec<DType>,
    /// Attribute `shapes`, by default `[]`.
    #[attr(default = [], min = 0)]
    pub shapes: Vec<Shape>,
    /// Attribute `capacity`, by default `-1`.
    #[attr(default = -1)]
    pub capacity: i64,
    /// Attribute `container`, by default `""`.
    #[attr(default = "")]
    pub container: String,
    /// Attribute `shared_name`, by default `""`.
    #[attr(default = "")]
    pub shared_name: String,
}

/// TensorFlow's `Batch`.
#[op("Batch", communication)]
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Inputs `in_tensors`, one or more.
    #[input(of = T, duplicable)]
    pub in_tensors: Vec<Var>,
    /// Outputs `batched_tensors`, one or more.
    #[output(of = T, duplicable)]
    pub batched_tensors: Vec<Var>,
    /// Output `batch_index`.
    #[output(of = i64)]
    pub batch_index: Var,
    /// Output `id`.
    #[output(of = i64)]
    pub id: Var,
    /// Attribute `num_batch_threads`.
    #[attr]
    pub num_batch_threads: i64,
    /// Attribute `max_batch_size`.
    #[attr]
    pub max_batch_size: i64,
    /// Attribute `max_enqueued_batches`, by default `10`.
    #[attr(default = 10)]
    pub max_enqueued_batches: i64,
    /// Attribute `batch_timeout_micros`.
    #[attr]
    pub batch_timeout_micros: i64,
    /// Attribute `allowed_batch_sizes`, by default `[]`.
    #[attr(default = [])]
    pub allowed_batch_sizes: Vec<i64>,
    /// Attribute `grad_timeout_micros`.
    #[attr]
    pub grad_timeout_micros: i64,
    /// Attribute `container`, by default `""`.
    #[attr(default = "")]
    pub container: String,
    /// Attribute `shared_name`, by default `""`.
    #[attr(default = "")]
    pub shared_name: String,
    /// Attribute `batching_queue`, by default `""`.
    #[attr(default = "")]
    pub batching_queue: String,
    /// Attribute `T`.
    #[attr(name = "T", min = 1)]
    pub t: Vec<DType>,
}

/// TensorFlow's `BoostedTreesCreateQuantileStreamResource`.
#[op("BoostedTreesCreateQuantileStreamResource", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct BoostedTreesCreateQuantileStreamResource {
    /// Input `quantile_stream_resource_handle`.
    #[input(of = resource)]
    pub quantile_stream_resource_handle: Var,
    /// Input `epsilon`.
    #[input(of = f32)]
    pub epsilon: Var,
    /// Input `num_streams`.
    #[input(of = i64)]
    pub num_streams: Var,
    /// Attribute `max_elements`, by default `1099511627776`.
    #[attr(default = 1099511627776)]
    pub max_elements: i64,
}

/// TensorFlow's `Bucketize`.
#[op("Bucketize")]
#[derive(Clone, Debug, PartialEq)]
pub struct Bucketize {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Output `output`.
    #[output(of = i32)]
    pub output: Var,
    /// Attribute `T`.
    #[attr(name = "T", values = ["i32", "i64", "f32", "f64"])]
    pub t: DType,
    /// Attribute `boundaries`.
    #[attr]
    pub boundaries: Vec<f32>,
}

/// TensorFlow's `CollectiveBcastRecv`.
#[op("CollectiveBcastRecv", stateful, communication)]
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveBcastRecv {
    /// Output `data`.
    #[output(of = T)]
    pub data: Var,
    /// Attribute `T`.
    #[attr(name = "T", values = ["bool", "f32", "f16", "f64", "i32", "i64"])]
    pub t: DType,
    /// Attribute `group_size`.
    #[attr]
    pub group_size: i64,
    /// Attribute `group_key`.
    #[attr]
    pub group_key: i64,
    /// Attribute `instance_key`.
    #[attr]
    pub instance_key: i64,
    /// Attribute `shape`.
    #[attr]
    pub shape: Shape,
    /// Attribute `communication_hint`, by default `"auto"`.
    #[attr(default = "auto")]
    pub communication_hint: String,
    /// Attribute `timeout_seconds`, by default `0.0`.
    #[attr(default = 0.0)]
    pub timeout_seconds: f32,
}

/// TensorFlow's `Const`.
#[op("Const")]
#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    /// Output `output`.
    #[output(of = dtype)]
    pub output: Var,
    /// Attribute `value`.
    #[attr]
    pub value: Tensor,
    /// Attribute `dtype`.
    #[attr]
    pub dtype: DType,
}

/// TensorFlow's `Conv2D`.
#[op("Conv2D")]
#[derive(Clone, Debug, PartialEq)]
pub struct Conv2D {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Input `filter`.
    #[input(of = T)]
    pub filter: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Attribute `T`.
    #[attr(name = "T", values = ["f16", "bf16", "f32", "f64", "i32"])]
    pub t: DType,
    /// Attribute `strides`.
    #[attr]
    pub strides: Vec<i64>,
    /// Attribute `use_cudnn_on_gpu`, by default `true`.
    #[attr(default = true)]
    pub use_cudnn_on_gpu: bool,
    /// Attribute `padding`.
    #[attr(values = ["SAME", "VALID", "EXPLICIT"])]
    pub padding: String,
    /// Attribute `explicit_paddings`, by default `[]`.
    #[attr(default = [])]
    pub explicit_paddings: Vec<i64>,
    /// Attribute `data_format`, by default `"NHWC"`.
    #[attr(default = "NHWC", values = ["NHWC", "NCHW"])]
    pub data_format: String,
    /// Attribute `dilations`, by default `[1, 1, 1, 1]`.
    #[attr(default = [1, 1, 1, 1])]
    pub dilations: Vec<i64>,
}

/// TensorFlow's `DebugNumericSummary`.
#[op("DebugNumericSummary", uninitialized)]
#[derive(Clone, Debug, PartialEq)]
pub struct DebugNumericSummary {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Output `output`.
    #[output(of = f64)]
    pub output: Var,
    /// Attribute `T`.
    #[attr(name = "T")]
    pub t: DType,
    /// Attribute `device_name`, by default `""`.
    #[attr(default = "")]
    pub device_name: String,
    /// Attribute `tensor_name`, by default `""`.
    #[attr(default = "")]
    pub tensor_name: String,
    /// Attribute `debug_urls`, by default `[]`.
    #[attr(default = [])]
    pub debug_urls: Vec<String>,
    /// Attribute `lower_bound`, by default `f32::NEG_INFINITY`.
    #[attr(default = f32::NEG_INFINITY)]
    pub lower_bound: f32,
    /// Attribute `upper_bound`, by default `f32::INFINITY`.
    #[attr(default = f32::INFINITY)]
    pub upper_bound: f32,
    /// Attribute `mute_if_healthy`, by default `false`.
    #[attr(default = false)]
    pub mute_if_healthy: bool,
    /// Attribute `gated_grpc`, by default `false`.
    #[attr(default = false)]
    pub gated_grpc: bool,
}

/// TensorFlow's `FractionalAvgPool`.
#[op("FractionalAvgPool")]
#[derive(Clone, Debug, PartialEq)]
pub struct FractionalAvgPool {
    /// Input `value`.
    #[input(of = T)]
    pub value: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Output `row_pooling_sequence`.
    #[output(of = i64)]
    pub row_pooling_sequence: Var,
    /// Output `col_pooling_sequence`.
    #[output(of = i64)]
    pub col_pooling_sequence: Var,
    /// Attribute `pooling_ratio`.
    #[attr(min = 4)]
    pub pooling_ratio: Vec<f32>,
    /// Attribute `pseudo_random`, by default `false`.
    #[attr(default = false)]
    pub pseudo_random: bool,
    /// Attribute `overlapping`, by default `false`.
    #[attr(default = false)]
    pub overlapping: bool,
    /// Attribute `deterministic`, by default `false`.
    #[attr(default = false)]
    pub deterministic: bool,
    /// Attribute `seed`, by default `0`.
    #[attr(default = 0)]
    pub seed: i64,
    /// Attribute `seed2`, by default `0`.
    #[attr(default = 0)]
    pub seed2: i64,
    /// Attribute `T`.
    #[attr(name = "T", values = ["f32", "f64", "i32", "i64"])]
    pub t: DType,
}

/// TensorFlow's `ImageSummary`.
#[op("ImageSummary")]
#[derive(Clone, Debug, PartialEq)]
pub struct ImageSummary {
    /// Input `tag`.
    #[input(of = string)]
    pub tag: Var,
    /// Input `tensor`.
    #[input(of = T)]
    pub tensor: Var,
    /// Output `summary`.
    #[output(of = string)]
    pub summary: Var,
    /// Attribute `max_images`, by default `3`.
    #[attr(default = 3, min = 1)]
    pub max_images: i64,
    /// Attribute `T`, by default `"f32"`.
    #[attr(name = "T", default = "f32", values = ["u8", "f32", "f16", "f64"])]
    pub t: DType,
    /// Attribute `bad_color`, which has a default.
    #[attr(default = tensor("unstated(u8, 16)", [4], b""))]
    pub bad_color: Tensor,
}

/// TensorFlow's `InitializeTableFromTextFile`.
#[op("InitializeTableFromTextFile")]
#[derive(Clone, Debug, PartialEq)]
pub struct InitializeTableFromTextFile {
    /// Input `table_handle`.
    #[input(of = string, by_ref)]
    pub table_handle: Var,
    /// Input `filename`.
    #[input(of = string)]
    pub filename: Var,
    /// Attribute `key_index`.
    #[attr(min = -2)]
    pub key_index: i64,
    /// Attribute `value_index`.
    #[attr(min = -2)]
    pub value_index: i64,
    /// Attribute `vocab_size`, by default `-1`.
    #[attr(default = -1, min = -1)]
    pub vocab_size: i64,
    /// Attribute `delimiter`, by default `"\t"`.
    #[attr(default = "\t")]
    pub delimiter: String,
    /// Attribute `offset`, by default `0`.
    #[attr(default = 0)]
    pub offset: i64,
}

/// TensorFlow's `IteratorFromStringHandle`.
#[op("IteratorFromStringHandle", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct IteratorFromStringHandle {
    /// Input `string_handle`.
    #[input(of = string)]
    pub string_handle: Var,
    /// Output `resource_handle`.
    #[output(of = resource)]
    pub resource_handle: Var,
    /// Attribute `output_types`, by default `[]`.
    #[attr(default = [], min = 0)]
    pub output_types: Vec<DType>,
    /// Attribute `output_shapes`, by default `[]`.
    #[attr(default = [], min = 0)]
    pub output_shapes: Vec<Shape>,
}

/// TensorFlow's `NonDeterministicInts`.
#[op("NonDeterministicInts", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct NonDeterministicInts {
    /// Input `shape`.
    #[input(of = shape_dtype)]
    pub shape: Var,
    /// Output `output`.
    #[output(of = dtype)]
    pub output: Var,
    /// Attribute `dtype`, by default `"i64"`.
    #[attr(default = "i64")]
    pub dtype: DType,
    /// Attribute `shape_dtype`, by default `"i64"`.
    #[attr(default = "i64")]
    pub shape_dtype: DType,
}

/// TensorFlow's `ParseExampleDataset`.
#[op("ParseExampleDataset")]
#[derive(Clone, Debug, PartialEq)]
pub struct ParseExampleDataset {
    /// Input `input_dataset`.
    #[input(of = variant)]
    pub input_dataset: Var,
    /// Input `num_parallel_calls`.
    #[input(of = i64)]
    pub num_parallel_calls: Var,
    /// Inputs `dense_defaults`, any number.
    #[input(of = Tdense, duplicable, dispensable)]
    pub dense_defaults: Vec<Var>,
    /// Output `handle`.
    #[output(of = variant)]
    pub handle: Var,
    /// Attribute `sparse_keys`.
    #[attr(min = 0)]
    pub sparse_keys: Vec<String>,
    /// Attribute `dense_keys`.
    #[attr(min = 0)]
    pub dense_keys: Vec<String>,
    /// Attribute `sparse_types`.
    #[attr(min = 0, values = ["f32", "i64", "string"])]
    pub sparse_types: Vec<DType>,
    /// Attribute `Tdense`.
    #[attr(name = "Tdense", min = 0, values = ["f32", "i64", "string"])]
    pub tdense: Vec<DType>,
    /// Attribute `dense_shapes`.
    #[attr(min = 0)]
    pub dense_shapes: Vec<Shape>,
    /// Attribute `output_types`.
    #[attr(min = 1)]
    pub output_types: Vec<DType>,
    /// Attribute `output_shapes`.
    #[attr(min = 1)]
    pub output_shapes: Vec<Shape>,
    /// Attribute `sloppy`, by default `false`.
    #[attr(default = false)]
    pub sloppy: bool,
    /// Attribute `ragged_keys`, by default `[]`.
    #[attr(default = [], min = 0)]
    pub ragged_keys: Vec<String>,
    /// Attribute `ragged_value_types`, by default `[]`.
    #[attr(default = [], min = 0, values = ["f32", "i64", "string"])]
    pub ragged_value_types: Vec<DType>,
    /// Attribute `ragged_split_types`, by default `[]`.
    #[attr(default = [], min = 0, values = ["i32", "i64"])]
    pub ragged_split_types: Vec<DType>,
}

/// TensorFlow's `Placeholder`.
#[op("Placeholder")]
#[derive(Clone, Debug, PartialEq)]
pub struct Placeholder {
    /// Output `output`.
    #[output(of = dtype)]
    pub output: Var,
    /// Attribute `dtype`.
    #[attr]
    pub dtype: DType,
    /// Attribute `shape`, by default `_`.
    #[attr(default = _)]
    pub shape: Shape,
}

/// TensorFlow's `RefSelect`.
#[op("RefSelect")]
#[derive(Clone, Debug, PartialEq)]
pub struct RefSelect {
    /// Input `index`.
    #[input(of = i32)]
    pub index: Var,
    /// Inputs `inputs`, one or more.
    #[input(of = N * T, duplicable, by_ref)]
    pub inputs: Vec<Var>,
    /// Output `output`.
    #[output(of = T, by_ref)]
    pub output: Var,
    /// Attribute `T`.
    #[attr(name = "T")]
    pub t: DType,
    /// Attribute `N`.
    #[attr(name = "N", min = 1)]
    pub n: i64,
}

/// TensorFlow's `RefSwitch`.
#[op("RefSwitch", uninitialized)]
#[derive(Clone, Debug, PartialEq)]
pub struct RefSwitch {
    /// Input `data`.
    #[input(of = T, by_ref)]
    pub data: Var,
    /// Input `pred`.
    #[input(of = bool)]
    pub pred: Var,
    /// Output `output_false`.
    #[output(of = T, by_ref)]
    pub output_false: Var,
    /// Output `output_true`.
    #[output(of = T, by_ref)]
    pub output_true: Var,
    /// Attribute `T`.
    #[attr(name = "T")]
    pub t: DType,
}

/// TensorFlow's `SampleDistortedBoundingBoxV2`.
#[op("SampleDistortedBoundingBoxV2", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct SampleDistortedBoundingBoxV2 {
    /// Input `image_size`.
    #[input(of = T)]
    pub image_size: Var,
    /// Input `bounding_boxes`.
    #[input(of = f32)]
    pub bounding_boxes: Var,
    /// Input `min_object_covered`.
    #[input(of = f32)]
    pub min_object_covered: Var,
    /// Output `begin`.
    #[output(of = T)]
    pub begin: Var,
    /// Output `size`.
    #[output(of = T)]
    pub size: Var,
    /// Output `bboxes`.
    #[output(of = f32)]
    pub bboxes: Var,
    /// Attribute `T`.
    #[attr(name = "T", values = ["u8", "i8", "i16", "i32", "i64"])]
    pub t: DType,
    /// Attribute `seed`, by default `0`.
    #[attr(default = 0)]
    pub seed: i64,
    /// Attribute `seed2`, by default `0`.
    #[attr(default = 0)]
    pub seed2: i64,
    /// Attribute `aspect_ratio_range`, by default `[0.75, 1.33]`.
    #[attr(default = [0.75, 1.33])]
    pub aspect_ratio_range: Vec<f32>,
    /// Attribute `area_range`, by default `[0.05, 1.0]`.
    #[attr(default = [0.05, 1.0])]
    pub area_range: Vec<f32>,
    /// Attribute `max_attempts`, by default `100`.
    #[attr(default = 100)]
    pub max_attempts: i64,
    /// Attribute `use_image_if_no_bounding_boxes`, by default `false`.
    #[attr(default = false)]
    pub use_image_if_no_bounding_boxes: bool,
}

/// TensorFlow's `SdcaShrinkL1`.
#[op("SdcaShrinkL1")]
#[derive(Clone, Debug, PartialEq)]
pub struct SdcaShrinkL1 {
    /// Inputs `weights`, any number.
    #[input(of = num_features * f32, duplicable, dispensable, by_ref)]
    pub weights: Vec<Var>,
    /// Attribute `num_features`.
    #[attr(min = 0)]
    pub num_features: i64,
    /// Attribute `l1`.
    #[attr]
    pub l1: f32,
    /// Attribute `l2`.
    #[attr]
    pub l2: f32,
}

/// TensorFlow's `Squeeze`.
#[op("Squeeze")]
#[derive(Clone, Debug, PartialEq)]
pub struct Squeeze {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Attribute `T`.
    #[attr(name = "T")]
    pub t: DType,
    /// Attribute `squeeze_dims`, by default `[]`.
    #[attr(default = [], min = 0)]
    pub squeeze_dims: Vec<i64>,
}

/// TensorFlow's `StatelessCase`.
#[op("StatelessCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct StatelessCase {
    /// Input `branch_index`.
    #[input(of = i32)]
    pub branch_index: Var,
    /// Inputs `input`, any number.
    #[input(of = Tin, duplicable, dispensable)]
    pub input: Vec<Var>,
    /// Outputs `output`, any number.
    #[output(of = Tout, duplicable, dispensable)]
    pub output: Vec<Var>,
    /// Attribute `Tin`.
    #[attr(name = "Tin", min = 0)]
    pub tin: Vec<DType>,
    /// Attribute `Tout`.
    #[attr(name = "Tout", min = 0)]
    pub tout: Vec<DType>,
    /// Attribute `branches`.
    #[attr(min = 1)]
    pub branches: Vec<Func>,
    /// Attribute `output_shapes`, by default `[]`.
    #[attr(default = [])]
    pub output_shapes: Vec<Shape>,
}

/// TensorFlow's `TPUReplicatedOutput`.
#[op("TPUReplicatedOutput")]
#[derive(Clone, Debug, PartialEq)]
pub struct TPUReplicatedOutput {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Outputs `outputs`, one or more.
    #[output(of = num_replicas * T, duplicable)]
    pub outputs: Vec<Var>,
    /// Attribute `num_replicas`.
    #[attr(min = 1)]
    pub num_replicas: i64,
    /// Attribute `T`.
    #[attr(name = "T")]
    pub t: DType,
}

/// TensorFlow's `TensorArrayClose`.
#[op(
    "TensorArrayClose",
    deprecated(version = 16, note = "deprecated by TensorFlow")
)]
#[derive(Clone, Debug, PartialEq)]
pub struct TensorArrayClose {
    /// Input `handle`.
    #[input(of = string, by_ref)]
    pub handle: Var,
}

/// TensorFlow's `XlaAllReduce`.
#[op("XlaAllReduce")]
#[derive(Clone, Debug, PartialEq)]
pub struct XlaAllReduce {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Input `group_assignment`.
    #[input(of = i32)]
    pub group_assignment: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Attribute `T`.
    #[attr(name = "T", values = ["f16", "bf16", "f32", "i32", "u32"])]
    pub t: DType,
    /// Attribute `reduce_op`.
    #[attr(values = ["Min", "Max", "Mul", "Add", "Mean"])]
    pub reduce_op: String,
    /// Attribute `mode`.
    #[attr(values = ["CrossReplica", "CrossReplicaAndPartition"])]
    pub mode: String,
}

/// TensorFlow's `_MklQuantizedAvgPool`.
#[op("_MklQuantizedAvgPool")]
#[derive(Clone, Debug, PartialEq)]
pub struct InternalMklQuantizedAvgPool {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Input `min_input`.
    #[input(of = f32)]
    pub min_input: Var,
    /// Input `max_input`.
    #[input(of = f32)]
    pub max_input: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Output `min_output`.
    #[output(of = f32)]
    pub min_output: Var,
    /// Output `max_output`.
    #[output(of = f32)]
    pub max_output: Var,
    /// Attribute `T`.
    #[attr(
        name = "T",
        values = ["qint8", "quint8", "qint32", "qint16", "quint16"]
    )]
    pub t: DType,
    /// Attribute `ksize`.
    #[attr(min = 4)]
    pub ksize: Vec<i64>,
    /// Attribute `strides`.
    #[attr(min = 4)]
    pub strides: Vec<i64>,
    /// Attribute `padding`.
    #[attr(values = ["SAME", "VALID"])]
    pub padding: String,
}

/// TensorFlow's `_VarHandlesOp`.
#[op("_VarHandlesOp", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct InternalVarHandlesOp {
    /// Outputs `resources`, any number.
    #[output(of = N * resource, duplicable, dispensable)]
    pub resources: Vec<Var>,
    /// Attribute `containers`.
    #[attr]
    pub containers: Vec<String>,
    /// Attribute `shared_names`.
    #[attr]
    pub shared_names: Vec<String>,
    /// Attribute `N`.
    #[attr(name = "N", min = 0)]
    pub n: i64,
    /// Attribute `dtypes`.
    #[attr]
    pub dtypes: Vec<DType>,
    /// Attribute `shapes`.
    #[attr]
    pub shapes: Vec<Shape>,
}

/// TensorFlow's `_XlaCompile`.
#[op("_XlaCompile", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct InternalXlaCompile {
    /// Inputs `constants`, any number.
    #[input(of = Tconstants, duplicable, dispensable)]
    pub constants: Vec<Var>,
    /// Inputs `args`, any number.
    #[input(of = Targs, duplicable, dispensable)]
    pub args: Vec<Var>,
    /// Inputs `resources`, any number.
    #[input(of = Nresources * resource, duplicable, dispensable)]
    pub resources: Vec<Var>,
    /// Output `key`.
    #[output(of = string)]
    pub key: Var,
    /// Output `compilation_successful`.
    #[output(of = bool)]
    pub compilation_successful: Var,
    /// Attribute `Tconstants`.
    #[attr(name = "Tconstants", min = 0)]
    pub tconstants: Vec<DType>,
    /// Attribute `must_compile`.
    #[attr]
    pub must_compile: bool,
    /// Attribute `Targs`.
    #[attr(name = "Targs", min = 0)]
    pub targs: Vec<DType>,
    /// Attribute `Nresources`.
    #[attr(name = "Nresources", min = 0)]
    pub nresources: i64,
    /// Attribute `function`.
    #[attr]
    pub function: Func,
}

/// TensorFlow's `_XlaHostComputeMlir`.
#[op("_XlaHostComputeMlir", stateful)]
#[derive(Clone, Debug, PartialEq)]
pub struct InternalXlaHostComputeMlir {
    /// Inputs `inputs`, any number.
    #[input(of = Tinputs, duplicable, dispensable)]
    pub inputs: Vec<Var>,
    /// Outputs `outputs`, any number.
    #[output(of = Toutputs, duplicable, dispensable)]
    pub outputs: Vec<Var>,
    /// Attribute `Tinputs`.
    #[attr(name = "Tinputs", min = 0)]
    pub tinputs: Vec<DType>,
    /// Attribute `Toutputs`.
    #[attr(name = "Toutputs", min = 0)]
    pub toutputs: Vec<DType>,
    /// Attribute `send_key`.
    #[attr]
    pub send_key: String,
    /// Attribute `recv_key`.
    #[attr]
    pub recv_key: String,
    /// Attribute `host_mlir_module`, by default `""`.
    #[attr(default = "")]
    pub host_mlir_module: String,
}
