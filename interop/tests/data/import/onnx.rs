use oplock::{Block, SparseTensor, Tensor, TypeProto, Var, op};

/// ONNX's `Acos` of version 7.
#[op("Acos.v7", types(T = [f16, f32, f64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct AcosV7 {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
}

/// ONNX's `Acos` of version 22.
#[op("Acos.v22", types(T = [bf16, f16, f32, f64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct AcosV22 {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
}

/// ONNX's `Clip` of version 1.
#[op("Clip.v1", types(T = [f16, f32, f64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct ClipV1 {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Attribute `consumed_inputs`, which may be absent.
    #[attr]
    pub consumed_inputs: Option<Vec<i64>>,
    /// Attribute `max`, which may be absent.
    #[attr]
    pub max: Option<f32>,
    /// Attribute `min`, which may be absent.
    #[attr]
    pub min: Option<f32>,
}

/// ONNX's `Constant` of version 13.
#[op(
    "Constant.v13",
    types(
        T = [
            bf16, bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, string, u16, u32,
            u64, u8,
        ]
    )
)]
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantV13 {
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
    /// Attribute `sparse_value`, which may be absent.
    #[attr]
    pub sparse_value: Option<SparseTensor>,
    /// Attribute `value`, which may be absent.
    #[attr]
    pub value: Option<Tensor>,
    /// Attribute `value_float`, which may be absent.
    #[attr]
    pub value_float: Option<f32>,
    /// Attribute `value_floats`, which may be absent.
    #[attr]
    pub value_floats: Option<Vec<f32>>,
    /// Attribute `value_int`, which may be absent.
    #[attr]
    pub value_int: Option<i64>,
    /// Attribute `value_ints`, which may be absent.
    #[attr]
    pub value_ints: Option<Vec<i64>>,
    /// Attribute `value_string`, which may be absent.
    #[attr]
    pub value_string: Option<String>,
    /// Attribute `value_strings`, which may be absent.
    #[attr]
    pub value_strings: Option<Vec<String>>,
}

/// ONNX's `Conv` of version 11.
#[op("Conv.v11", types(T = [f16, f32, f64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct ConvV11 {
    /// Input `X`.
    #[input(name = "X", of = T)]
    pub x: Var,
    /// Input `W`.
    #[input(name = "W", of = T)]
    pub w: Var,
    /// Input `B`, which may be absent.
    #[input(name = "B", of = T, dispensable)]
    pub b: Option<Var>,
    /// Output `Y`.
    #[output(name = "Y", of = T)]
    pub y: Var,
    /// Attribute `auto_pad`, by default `"NOTSET"`.
    #[attr(default = "NOTSET")]
    pub auto_pad: String,
    /// Attribute `dilations`, which may be absent.
    #[attr]
    pub dilations: Option<Vec<i64>>,
    /// Attribute `group`, by default `1`.
    #[attr(default = 1)]
    pub group: i64,
    /// Attribute `kernel_shape`, which may be absent.
    #[attr]
    pub kernel_shape: Option<Vec<i64>>,
    /// Attribute `pads`, which may be absent.
    #[attr]
    pub pads: Option<Vec<i64>>,
    /// Attribute `strides`, which may be absent.
    #[attr]
    pub strides: Option<Vec<i64>>,
}

/// ONNX's `GlobalLpPool` of version 2.
#[op("GlobalLpPool.v2", types(T = [bf16, f16, f32, f64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalLpPoolV2 {
    /// Input `X`.
    #[input(name = "X", of = T)]
    pub x: Var,
    /// Output `Y`.
    #[output(name = "Y", of = T)]
    pub y: Var,
    /// Attribute `p`, by default `2`.
    #[attr(default = 2)]
    pub p: i64,
}

/// ONNX's `GridSample` of version 16.
#[op(
    "GridSample.v16",
    types(
        T1 = [
            bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, string, u16, u32, u64,
            u8,
        ],
        T2 = [f16, f32, f64]
    )
)]
#[derive(Clone, Debug, PartialEq)]
pub struct GridSampleV16 {
    /// Input `X`.
    #[input(name = "X", of = T1)]
    pub x: Var,
    /// Input `grid`.
    #[input(of = T2)]
    pub grid: Var,
    /// Output `Y`.
    #[output(name = "Y", of = T1)]
    pub y: Var,
    /// Attribute `align_corners`, by default `0`.
    #[attr(default = 0)]
    pub align_corners: i64,
    /// Attribute `mode`, by default `"bilinear"`.
    #[attr(default = "bilinear")]
    pub mode: String,
    /// Attribute `padding_mode`, by default `"zeros"`.
    #[attr(default = "zeros")]
    pub padding_mode: String,
}

/// ONNX's `LSTM` of version 1.
#[op("LSTM.v1", types(T = [f16, f32, f64], T1 = [i32]))]
#[derive(Clone, Debug, PartialEq)]
pub struct LSTMV1 {
    /// Input `X`.
    #[input(name = "X", of = T)]
    pub x: Var,
    /// Input `W`.
    #[input(name = "W", of = T)]
    pub w: Var,
    /// Input `R`.
    #[input(name = "R", of = T)]
    pub r: Var,
    /// Input `B`, which may be absent.
    #[input(name = "B", of = T, dispensable)]
    pub b: Option<Var>,
    /// Input `sequence_lens`, which may be absent.
    #[input(of = T1, dispensable)]
    pub sequence_lens: Option<Var>,
    /// Input `initial_h`, which may be absent.
    #[input(of = T, dispensable)]
    pub initial_h: Option<Var>,
    /// Input `initial_c`, which may be absent.
    #[input(of = T, dispensable)]
    pub initial_c: Option<Var>,
    /// Input `P`, which may be absent.
    #[input(name = "P", of = T, dispensable)]
    pub p: Option<Var>,
    /// Output `Y`, which may be absent.
    #[output(name = "Y", of = T, dispensable)]
    pub y: Option<Var>,
    /// Output `Y_h`, which may be absent.
    #[output(name = "Y_h", of = T, dispensable)]
    pub y_h: Option<Var>,
    /// Output `Y_c`, which may be absent.
    #[output(name = "Y_c", of = T, dispensable)]
    pub y_c: Option<Var>,
    /// Attribute `activation_alpha`, which may be absent.
    #[attr]
    pub activation_alpha: Option<Vec<f32>>,
    /// Attribute `activation_beta`, which may be absent.
    #[attr]
    pub activation_beta: Option<Vec<f32>>,
    /// Attribute `activations`, which may be absent.
    #[attr]
    pub activations: Option<Vec<String>>,
    /// Attribute `clip`, which may be absent.
    #[attr]
    pub clip: Option<f32>,
    /// Attribute `direction`, by default `"forward"`.
    #[attr(default = "forward")]
    pub direction: String,
    /// Attribute `hidden_size`, which may be absent.
    #[attr]
    pub hidden_size: Option<i64>,
    /// Attribute `input_forget`, by default `0`.
    #[attr(default = 0)]
    pub input_forget: i64,
    /// Attribute `output_sequence`, by default `0`.
    #[attr(default = 0)]
    pub output_sequence: i64,
}

/// ONNX's `Loop` of version 11.
#[op(
    "Loop.v11",
    types(
        B = [bool],
        I = [i64],
        V = [
            bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, string, u16, u32, u64,
            u8,
        ]
    )
)]
#[derive(Clone, Debug, PartialEq)]
pub struct LoopV11 {
    /// Input `M`, which may be absent.
    #[input(name = "M", of = I, dispensable)]
    pub m: Option<Var>,
    /// Input `cond`, which may be absent.
    #[input(of = B, dispensable)]
    pub cond: Option<Var>,
    /// Inputs `v_initial`, any number.
    #[input(of = V, duplicable, heterogeneous, dispensable)]
    pub v_initial: Vec<Var>,
    /// Outputs `v_final_and_scan_outputs`, one or more.
    #[output(of = V, duplicable, heterogeneous)]
    pub v_final_and_scan_outputs: Vec<Var>,
    /// Attribute `body`.
    #[attr]
    pub body: Block,
}

/// ONNX's `Loop` of version 13.
#[op(
    "Loop.v13",
    types(
        B = [bool],
        I = [i64],
        V = [
            bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, "seq(bool)",
            "seq(complex128)", "seq(complex64)", "seq(f16)", "seq(f32)", "seq(f64)", "seq(i16)",
            "seq(i32)", "seq(i64)", "seq(i8)", "seq(string)", "seq(u16)", "seq(u32)", "seq(u64)",
            "seq(u8)", string, u16, u32, u64, u8,
        ]
    )
)]
#[derive(Clone, Debug, PartialEq)]
pub struct LoopV13 {
    /// Input `M`, which may be absent.
    #[input(name = "M", of = I, dispensable)]
    pub m: Option<Var>,
    /// Input `cond`, which may be absent.
    #[input(of = B, dispensable)]
    pub cond: Option<Var>,
    /// Inputs `v_initial`, any number.
    #[input(of = V, duplicable, heterogeneous, dispensable)]
    pub v_initial: Vec<Var>,
    /// Outputs `v_final_and_scan_outputs`, one or more.
    #[output(of = V, duplicable, heterogeneous)]
    pub v_final_and_scan_outputs: Vec<Var>,
    /// Attribute `body`.
    #[attr]
    pub body: Block,
}

/// ONNX's `Optional` of version 15.
#[op(
    "Optional.v15",
    types(
        O = [
            "optional(bool)", "optional(complex128)", "optional(complex64)", "optional(f16)",
            "optional(f32)", "optional(f64)", "optional(i16)", "optional(i32)", "optional(i64)",
            "optional(i8)", "optional(seq(bool))", "optional(seq(complex128))",
            "optional(seq(complex64))", "optional(seq(f16))", "optional(seq(f32))",
            "optional(seq(f64))", "optional(seq(i16))", "optional(seq(i32))", "optional(seq(i64))",
            "optional(seq(i8))", "optional(seq(string))", "optional(seq(u16))",
            "optional(seq(u32))", "optional(seq(u64))", "optional(seq(u8))", "optional(string)",
            "optional(u16)", "optional(u32)", "optional(u64)", "optional(u8)",
        ],
        V = [
            bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, "seq(bool)",
            "seq(complex128)", "seq(complex64)", "seq(f16)", "seq(f32)", "seq(f64)", "seq(i16)",
            "seq(i32)", "seq(i64)", "seq(i8)", "seq(string)", "seq(u16)", "seq(u32)", "seq(u64)",
            "seq(u8)", string, u16, u32, u64, u8,
        ]
    )
)]
#[derive(Clone, Debug, PartialEq)]
pub struct OptionalV15 {
    /// Input `input`, which may be absent.
    #[input(of = V, dispensable)]
    pub input: Option<Var>,
    /// Output `output`.
    #[output(of = O)]
    pub output: Var,
    /// Attribute `type`, which may be absent.
    #[attr]
    pub r#type: Option<TypeProto>,
}

/// ONNX's `ReduceMean` of version 18.
#[op("ReduceMean.v18", types(T = [bf16, f16, f32, f64, i32, i64, u32, u64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceMeanV18 {
    /// Input `data`.
    #[input(of = T)]
    pub data: Var,
    /// Input `axes`, which may be absent.
    #[input(of = i64, dispensable)]
    pub axes: Option<Var>,
    /// Output `reduced`.
    #[output(of = T)]
    pub reduced: Var,
    /// Attribute `keepdims`, by default `1`.
    #[attr(default = 1)]
    pub keepdims: i64,
    /// Attribute `noop_with_empty_axes`, by default `0`.
    #[attr(default = 0)]
    pub noop_with_empty_axes: i64,
}

/// ONNX's `SequenceMap` of version 17.
#[op(
    "SequenceMap.v17",
    types(
        S = [
            "seq(bool)", "seq(complex128)", "seq(complex64)", "seq(f16)", "seq(f32)", "seq(f64)",
            "seq(i16)", "seq(i32)", "seq(i64)", "seq(i8)", "seq(string)", "seq(u16)", "seq(u32)",
            "seq(u64)", "seq(u8)",
        ],
        V = [
            bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, "seq(bool)",
            "seq(complex128)", "seq(complex64)", "seq(f16)", "seq(f32)", "seq(f64)", "seq(i16)",
            "seq(i32)", "seq(i64)", "seq(i8)", "seq(string)", "seq(u16)", "seq(u32)", "seq(u64)",
            "seq(u8)", string, u16, u32, u64, u8,
        ]
    )
)]
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceMapV17 {
    /// Input `input_sequence`.
    #[input(of = S)]
    pub input_sequence: Var,
    /// Inputs `additional_inputs`, any number.
    #[input(of = V, duplicable, heterogeneous, dispensable)]
    pub additional_inputs: Vec<Var>,
    /// Outputs `out_sequence`, one or more.
    #[output(of = S, duplicable, heterogeneous)]
    pub out_sequence: Vec<Var>,
    /// Attribute `body`.
    #[attr]
    pub body: Block,
}

/// ONNX's `Tile` of version 1.
#[op("Tile.v1", types(T = [f16, f32, f64], T1 = [i64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct TileV1 {
    /// Input `input`.
    #[input(of = T)]
    pub input: Var,
    /// Input `tiles`.
    #[input(of = T)]
    pub tiles: Var,
    /// Input `axis`.
    #[input(of = T)]
    pub axis: Var,
    /// Output `output`.
    #[output(of = T)]
    pub output: Var,
}

/// ONNX's `Upsample` of version 1.
#[op(
    "Upsample.v1",
    types(T = [bool, f16, f32, f64, i32, i64]),
    experimental
)]
#[derive(Clone, Debug, PartialEq)]
pub struct UpsampleV1 {
    /// Input `X`.
    #[input(name = "X", of = T)]
    pub x: Var,
    /// Output `Y`.
    #[output(name = "Y", of = T)]
    pub y: Var,
    /// Attribute `height_scale`.
    #[attr]
    pub height_scale: f32,
    /// Attribute `mode`, by default `"nearest"`.
    #[attr(default = "nearest")]
    pub mode: String,
    /// Attribute `width_scale`.
    #[attr]
    pub width_scale: f32,
}

/// ONNX's `Upsample` of version 10.
#[op(
    "Upsample.v10",
    types(
        T = [
            bool, complex128, complex64, f16, f32, f64, i16, i32, i64, i8, string, u16, u32, u64,
            u8,
        ]
    ),
    deprecated(version = 10, note = "deprecated by version 10 of the operator set")
)]
#[derive(Clone, Debug, PartialEq)]
pub struct UpsampleV10 {
    /// Input `X`.
    #[input(name = "X", of = T)]
    pub x: Var,
    /// Input `scales`.
    #[input(of = f32)]
    pub scales: Var,
    /// Output `Y`.
    #[output(name = "Y", of = T)]
    pub y: Var,
    /// Attribute `mode`, by default `"nearest"`.
    #[attr(default = "nearest")]
    pub mode: String,
}

/// ONNX's `ai.onnx.ml.Scaler` of version 1.
#[op("ai.onnx.ml.Scaler.v1", types(T = [f32, f64, i32, i64]))]
#[derive(Clone, Debug, PartialEq)]
pub struct MlScalerV1 {
    /// Input `X`.
    #[input(name = "X", of = T)]
    pub x: Var,
    /// Output `Y`.
    #[output(name = "Y", of = f32)]
    pub y: Var,
    /// Attribute `offset`, which may be absent.
    #[attr]
    pub offset: Option<Vec<f32>>,
    /// Attribute `scale`, which may be absent.
    #[attr]
    pub scale: Option<Vec<f32>>,
}

/// ONNX's `ai.onnx.preview.training.Momentum` of version 1.
#[op(
    "ai.onnx.preview.training.Momentum.v1",
    types(T1 = [f32, f64], T2 = [i64], T3 = [f32, f64])
)]
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewTrainingMomentumV1 {
    /// Input `R`.
    #[input(name = "R", of = T1)]
    pub r: Var,
    /// Input `T`.
    #[input(name = "T", of = T2)]
    pub t: Var,
    /// Inputs `inputs`, one or more.
    #[input(of = T3, duplicable, heterogeneous)]
    pub inputs: Vec<Var>,
    /// Outputs `outputs`, one or more.
    #[output(of = T3, duplicable, heterogeneous)]
    pub outputs: Vec<Var>,
    /// Attribute `alpha`.
    #[attr]
    pub alpha: f32,
    /// Attribute `beta`.
    #[attr]
    pub beta: f32,
    /// Attribute `mode`.
    #[attr]
    pub mode: String,
    /// Attribute `norm_coefficient`.
    #[attr]
    pub norm_coefficient: f32,
}
