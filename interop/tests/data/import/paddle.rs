use oplock::{Block, Scalar, Var, op};

/// PaddlePaddle's `bilinear_interp_v2`.
#[op("bilinear_interp_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct BilinearInterpV2 {
    /// Input `OutSize`, which may be absent.
    #[input(name = "OutSize", dispensable)]
    pub out_size: Option<Var>,
    /// Input `Scale`, which may be absent.
    #[input(name = "Scale", dispensable)]
    pub scale_tensor: Option<Var>,
    /// Inputs `SizeTensor`, any number.
    #[input(name = "SizeTensor", duplicable, dispensable)]
    pub size_tensor: Vec<Var>,
    /// Input `X`.
    #[input(name = "X")]
    pub x: Var,
    /// Output `Out`.
    #[output(name = "Out")]
    pub out: Var,
    /// Attribute `align_corners`, by default `true`.
    #[attr(default = true)]
    pub align_corners: bool,
    /// Attribute `align_mode`, by default `1`.
    #[attr(default = 1)]
    pub align_mode: i32,
    /// Attribute `data_layout`, by default `"NCHW"`.
    #[attr(default = "NCHW")]
    pub data_layout: String,
    /// Attribute `interp_method`, by default `"bilinear"`.
    #[attr(default = "bilinear")]
    pub interp_method: String,
    /// Attribute `out_d`, by default `0`.
    #[attr(default = 0)]
    pub out_d: i32,
    /// Attribute `out_h`, by default `0`.
    #[attr(default = 0)]
    pub out_h: i32,
    /// Attribute `out_w`, by default `0`.
    #[attr(default = 0)]
    pub out_w: i32,
    /// Attribute `scale`, by default `[]`.
    #[attr(default = [])]
    pub scale: Vec<f32>,
}

/// PaddlePaddle's `chunk_eval`.
#[op("chunk_eval")]
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkEval {
    /// Input `Inference`.
    #[input(name = "Inference")]
    pub inference: Var,
    /// Input `Label`.
    #[input(name = "Label")]
    pub label: Var,
    /// Input `SeqLength`, which may be absent.
    #[input(name = "SeqLength", dispensable)]
    pub seq_length: Option<Var>,
    /// Output `F1-Score`.
    #[output(name = "F1-Score")]
    pub f1_score: Var,
    /// Output `NumCorrectChunks`.
    #[output(name = "NumCorrectChunks")]
    pub num_correct_chunks: Var,
    /// Output `NumInferChunks`.
    #[output(name = "NumInferChunks")]
    pub num_infer_chunks: Var,
    /// Output `NumLabelChunks`.
    #[output(name = "NumLabelChunks")]
    pub num_label_chunks: Var,
    /// Output `Precision`.
    #[output(name = "Precision")]
    pub precision: Var,
    /// Output `Recall`.
    #[output(name = "Recall")]
    pub recall: Var,
    /// Attribute `chunk_scheme`, by default `"IOB"`.
    #[attr(default = "IOB")]
    pub chunk_scheme: String,
    /// Attribute `excluded_chunk_types`, by default `[]`.
    #[attr(default = [])]
    pub excluded_chunk_types: Vec<i32>,
    /// Attribute `num_chunk_types`.
    #[attr]
    pub num_chunk_types: i32,
}

/// PaddlePaddle's `fused_embedding_seq_pool`.
#[op("fused_embedding_seq_pool")]
#[derive(Clone, Debug, PartialEq)]
pub struct FusedEmbeddingSeqPool {
    /// Input `Ids`.
    #[input(name = "Ids")]
    pub ids: Var,
    /// Input `W`.
    #[input(name = "W")]
    pub w: Var,
    /// Output `Out`.
    #[output(name = "Out")]
    pub out: Var,
    /// Attribute `@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@`, by default `true`.
    #[attr(name = "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@", default = true)]
    pub all_kernels_must_compute_runtime_shape: bool,
    /// Attribute `combiner`, by default `"sum"`.
    #[attr(default = "sum")]
    pub combiner: String,
    /// Attribute `grad_inplace`, by default `false`.
    #[attr(default = false)]
    pub grad_inplace: bool,
    /// Attribute `is_sparse`, by default `false`.
    #[attr(default = false)]
    pub is_sparse: bool,
    /// Attribute `padding_idx`, by default `-1`.
    #[attr(default = -1)]
    pub padding_idx: i64,
}

/// PaddlePaddle's `logical_and`.
#[op("logical_and", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct LogicalAnd {
    /// Input `X`.
    #[input]
    pub x: Var,
    /// Input `Y`.
    #[input]
    pub y: Var,
    /// Output `Out`.
    #[output]
    pub out: Var,
}

/// PaddlePaddle's `lookup_table_v2`.
#[op("lookup_table_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTableV2 {
    /// Input `Ids`.
    #[input(name = "Ids")]
    pub ids: Var,
    /// Input `W`.
    #[input(name = "W")]
    pub w: Var,
    /// Output `Out`.
    #[output(name = "Out")]
    pub out: Var,
    /// Attribute `padding_idx`, by default `-1`.
    #[attr(default = -1)]
    pub padding_idx: i64,
}

/// PaddlePaddle's `put_along_axis`.
#[op("put_along_axis")]
#[derive(Clone, Debug, PartialEq)]
pub struct PutAlongAxis {
    /// Input `Index`.
    #[input(name = "Index")]
    pub index: Var,
    /// Input `Input`.
    #[input(name = "Input")]
    pub input: Var,
    /// Input `Value`.
    #[input(name = "Value")]
    pub value: Var,
    /// Output `Result`.
    #[output(name = "Result")]
    pub result: Var,
    /// Attribute `Axis`.
    #[attr(name = "Axis")]
    pub axis: i32,
    /// Attribute `Include_self`, by default `true`.
    #[attr(name = "Include_self", default = true)]
    pub include_self: bool,
    /// Attribute `Reduce`, by default `"assign"`.
    #[attr(name = "Reduce", default = "assign")]
    pub reduce: String,
}

/// PaddlePaddle's `quantize_linear`.
#[op("quantize_linear")]
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizeLinear {
    /// Input `InAccum`, which may be absent.
    #[input(name = "InAccum", dispensable, extra)]
    pub in_accum: Option<Var>,
    /// Input `InState`, which may be absent.
    #[input(name = "InState", dispensable, extra)]
    pub in_state: Option<Var>,
    /// Input `Scale`.
    #[input(name = "Scale")]
    pub scale: Var,
    /// Input `X`.
    #[input(name = "X")]
    pub x: Var,
    /// Input `ZeroPoint`.
    #[input(name = "ZeroPoint")]
    pub zero_point: Var,
    /// Output `OutAccum`, which may be absent.
    #[output(name = "OutAccum", dispensable, extra)]
    pub out_accum: Option<Var>,
    /// Output `OutScale`, which may be absent.
    #[output(name = "OutScale", dispensable, extra)]
    pub out_scale: Option<Var>,
    /// Output `OutState`, which may be absent.
    #[output(name = "OutState", dispensable, extra)]
    pub out_state: Option<Var>,
    /// Output `Y`.
    #[output(name = "Y")]
    pub y: Var,
    /// Attribute `bit_length`, by default `8`.
    #[attr(default = 8)]
    pub bit_length: i32,
    /// Attribute `is_test`, by default `true`.
    #[attr(default = true)]
    pub is_test: bool,
    /// Attribute `only_observer`, by default `false`.
    #[attr(default = false)]
    pub only_observer: bool,
    /// Attribute `quant_axis`, by default `0`.
    #[attr(default = 0)]
    pub quant_axis: i32,
    /// Attribute `round_type`, by default `0`.
    #[attr(default = 0)]
    pub round_type: i32,
}

/// PaddlePaddle's `set_value`.
#[op("set_value")]
#[derive(Clone, Debug, PartialEq)]
pub struct SetValue {
    /// Inputs `EndsTensorList`, any number.
    #[input(name = "EndsTensorList", duplicable, dispensable)]
    pub ends_tensor_list: Vec<Var>,
    /// Input `Input`.
    #[input(name = "Input")]
    pub input: Var,
    /// Inputs `StartsTensorList`, any number.
    #[input(name = "StartsTensorList", duplicable, dispensable)]
    pub starts_tensor_list: Vec<Var>,
    /// Inputs `StepsTensorList`, any number.
    #[input(name = "StepsTensorList", duplicable, dispensable)]
    pub steps_tensor_list: Vec<Var>,
    /// Input `ValueTensor`, which may be absent.
    #[input(name = "ValueTensor", dispensable)]
    pub value_tensor: Option<Var>,
    /// Output `Out`.
    #[output(name = "Out")]
    pub out: Var,
    /// Attribute `axes`.
    #[attr]
    pub axes: Vec<i64>,
    /// Attribute `decrease_axes`, by default `[]`.
    #[attr(default = [])]
    pub decrease_axes: Vec<i64>,
    /// Attribute `dtype`, by default `5`.
    #[attr(default = 5)]
    pub dtype: i32,
    /// Attribute `ends`, by default `[]`.
    #[attr(default = [])]
    pub ends: Vec<i64>,
    /// Attribute `none_axes`, by default `[]`.
    #[attr(default = [])]
    pub none_axes: Vec<i64>,
    /// Attribute `shape`, by default `[]`.
    #[attr(default = [])]
    pub shape: Vec<i64>,
    /// Attribute `starts`, by default `[]`.
    #[attr(default = [])]
    pub starts: Vec<i64>,
    /// Attribute `steps`, by default `[]`.
    #[attr(default = [])]
    pub steps: Vec<i64>,
    /// Attribute `values`, by default `[]`.
    #[attr(default = [])]
    pub values: Vec<Scalar>,
}

/// PaddlePaddle's `while`.
#[op("while")]
#[derive(Clone, Debug, PartialEq)]
pub struct While {
    /// Inputs `Condition`, one or more.
    #[input(name = "Condition", duplicable)]
    pub condition: Vec<Var>,
    /// Inputs `X`, one or more.
    #[input(name = "X", duplicable)]
    pub x: Vec<Var>,
    /// Outputs `Out`, one or more.
    #[output(name = "Out", duplicable)]
    pub out: Vec<Var>,
    /// Output `StepScopes`.
    #[output(name = "StepScopes")]
    pub step_scopes: Var,
    /// Attribute `is_test`, by default `false`.
    #[attr(default = false)]
    pub is_test: bool,
    /// Attribute `op_callstack`, by default `[]`.
    #[attr(default = [], extra)]
    pub op_callstack: Vec<String>,
    /// Attribute `op_device`, by default `""`.
    #[attr(default = "", extra)]
    pub op_device: String,
    /// Attribute `op_namescope`, by default `""`.
    #[attr(default = "", extra)]
    pub op_namescope: String,
    /// Attribute `op_role`, by default `4096`.
    #[attr(default = 4096, extra)]
    pub op_role: i32,
    /// Attribute `op_role_var`, by default `[]`.
    #[attr(default = [], extra)]
    pub op_role_var: Vec<String>,
    /// Attribute `sub_block`.
    #[attr]
    pub sub_block: Block,
    /// Attribute `with_quant_attr`, by default `false`.
    #[attr(default = false, extra)]
    pub with_quant_attr: bool,
}
