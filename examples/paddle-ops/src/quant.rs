//! Quantisation, simulated in training and for real.

use oplock::{Var, op};

/// Rounds to integers of a given scale.
#[op("quantize_linear")]
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizeLinear {
    /// Tensor to quantise.
    #[input(name = "X")]
    pub x: Var,
    /// Largest magnitude that is represented.
    #[input(name = "Scale")]
    pub scale: Var,
    /// What zero is stored as.
    #[input(name = "ZeroPoint")]
    pub zero_point: Var,
    /// Running sum of the scales.
    #[input(name = "InAccum", dispensable, extra)]
    pub in_accum: Option<Var>,
    /// Weight of the batches so far.
    #[input(name = "InState", dispensable, extra)]
    pub in_state: Option<Var>,
    /// The integers.
    #[output(name = "Y")]
    pub y: Var,
    /// Weight of the batches after this one.
    #[output(name = "OutState", dispensable, extra)]
    pub out_state: Option<Var>,
    /// Running sum after this batch.
    #[output(name = "OutAccum", dispensable, extra)]
    pub out_accum: Option<Var>,
    /// Scale after this batch.
    #[output(name = "OutScale", dispensable, extra)]
    pub out_scale: Option<Var>,
    /// Dimension whose slices have scales of their own; -1 for a single scale.
    #[attr(default = 0)]
    pub quant_axis: i32,
    /// Number of bits.
    #[attr(default = 8)]
    pub bit_length: i32,
    /// 0 rounds halves to even, 1 away from zero.
    #[attr(default = 0)]
    pub round_type: i32,
    /// Keeps the scale as it is.
    #[attr(default = true)]
    pub is_test: bool,
    /// Tracks the scale and passes `X` on unchanged.
    #[attr(default = false)]
    pub only_observer: bool,
}

/// Turns integers of a given scale back into numbers.
#[op("dequantize_linear")]
#[derive(Clone, Debug, PartialEq)]
pub struct DequantizeLinear {
    /// Integers.
    #[input(name = "X")]
    pub x: Var,
    /// Largest magnitude that is represented.
    #[input(name = "Scale")]
    pub scale: Var,
    /// What zero is stored as.
    #[input(name = "ZeroPoint")]
    pub zero_point: Var,
    /// Running sum of the scales.
    #[input(name = "InAccum", dispensable, extra)]
    pub in_accum: Option<Var>,
    /// Weight of the batches so far.
    #[input(name = "InState", dispensable, extra)]
    pub in_state: Option<Var>,
    /// The numbers.
    #[output(name = "Y")]
    pub y: Var,
    /// Weight of the batches after this one.
    #[output(name = "OutState", dispensable, extra)]
    pub out_state: Option<Var>,
    /// Running sum after this batch.
    #[output(name = "OutAccum", dispensable, extra)]
    pub out_accum: Option<Var>,
    /// Scale after this batch.
    #[output(name = "OutScale", dispensable, extra)]
    pub out_scale: Option<Var>,
    /// Dimension whose slices have scales of their own; -1 for a single scale.
    #[attr(default = 0)]
    pub quant_axis: i32,
    /// Number of bits.
    #[attr(default = 8)]
    pub bit_length: i32,
    /// 0 rounds halves to even, 1 away from zero.
    #[attr(default = 0)]
    pub round_type: i32,
    /// Keeps the scale as it is.
    #[attr(default = true)]
    pub is_test: bool,
    /// Tracks the scale and passes `X` on unchanged.
    #[attr(default = false)]
    pub only_observer: bool,
}

/// Rounds as quantisation would, with a scale that follows the data.
#[op("fake_quantize_dequantize_moving_average_abs_max")]
#[derive(Clone, Debug, PartialEq)]
pub struct FakeQuantizeDequantizeMovingAverageAbsMax {
    /// Tensor to round.
    #[input(name = "X")]
    pub x: Var,
    /// Scale before this batch.
    #[input(name = "InScale")]
    pub in_scale: Var,
    /// Running sum of the scales.
    #[input(name = "InAccum", dispensable)]
    pub in_accum: Option<Var>,
    /// Weight of the batches so far.
    #[input(name = "InState", dispensable)]
    pub in_state: Option<Var>,
    /// The rounded tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Scale after this batch.
    #[output(name = "OutScale")]
    pub out_scale: Var,
    /// Weight of the batches after this one.
    #[output(name = "OutState", dispensable)]
    pub out_state: Option<Var>,
    /// Running sum after this batch.
    #[output(name = "OutAccum", dispensable)]
    pub out_accum: Option<Var>,
    /// Share of the old scale in the new one.
    #[attr(default = 0.9)]
    pub moving_rate: f32,
    /// Number of bits.
    #[attr(default = 8)]
    pub bit_length: i32,
    /// Keeps the scale as it is.
    #[attr(default = false)]
    pub is_test: bool,
}
