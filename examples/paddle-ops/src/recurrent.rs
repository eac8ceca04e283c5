//! Recurrent layers and attention.

use oplock::{Var, op};

/// Long short-term memory over sequences of varying length.
#[op("lstm")]
#[derive(Clone, Debug, PartialEq)]
pub struct Lstm {
    /// Projected input of the four gates.
    #[input(name = "Input")]
    pub input: Var,
    /// Hidden state before the first step.
    #[input(name = "H0", dispensable)]
    pub h0: Option<Var>,
    /// Cell state before the first step.
    #[input(name = "C0", dispensable)]
    pub c0: Option<Var>,
    /// Recurrent weights.
    #[input(name = "Weight")]
    pub weight: Var,
    /// Bias of the gates, followed by the peephole weights.
    #[input(name = "Bias")]
    pub bias: Var,
    /// Hidden state of every step.
    #[output(name = "Hidden")]
    pub hidden: Var,
    /// Cell state of every step.
    #[output(name = "Cell")]
    pub cell: Var,
    /// The gates, reordered by step.
    #[output(name = "BatchGate", intermediate, extra)]
    pub batch_gate: Var,
    /// The cells before activation, reordered by step.
    #[output(name = "BatchCellPreAct", intermediate, extra)]
    pub batch_cell_pre_act: Var,
    /// Lets the gates see the cell.
    #[attr(default = true)]
    pub use_peepholes: bool,
    /// Runs from the last step to the first.
    #[attr(default = false)]
    pub is_reverse: bool,
    /// Runs for inference.
    #[attr(default = false)]
    pub is_test: bool,
    /// Activation of the gates.
    #[attr(default = "sigmoid")]
    pub gate_activation: String,
    /// Activation of the cell.
    #[attr(default = "tanh")]
    pub cell_activation: String,
    /// Activation of the candidate.
    #[attr(default = "tanh")]
    pub candidate_activation: String,
}

/// Gated recurrent unit over sequences of varying length.
#[op("gru")]
#[derive(Clone, Debug, PartialEq)]
pub struct Gru {
    /// Projected input of the gates and the candidate.
    #[input(name = "Input")]
    pub input: Var,
    /// Hidden state before the first step.
    #[input(name = "H0", dispensable)]
    pub h0: Option<Var>,
    /// Recurrent weights.
    #[input(name = "Weight")]
    pub weight: Var,
    /// Bias of the gates and the candidate.
    #[input(name = "Bias", dispensable)]
    pub bias: Option<Var>,
    /// The gates, reordered by step.
    #[output(name = "BatchGate", intermediate, extra)]
    pub batch_gate: Var,
    /// The hidden states after the reset gate, reordered by step.
    #[output(name = "BatchResetHiddenPrev", intermediate, extra)]
    pub batch_reset_hidden_prev: Var,
    /// The hidden states, reordered by step.
    #[output(name = "BatchHidden", intermediate, extra)]
    pub batch_hidden: Var,
    /// Hidden state of every step.
    #[output(name = "Hidden")]
    pub hidden: Var,
    /// Activation of the candidate.
    #[attr(default = "tanh")]
    pub activation: String,
    /// Activation of the gates.
    #[attr(default = "sigmoid")]
    pub gate_activation: String,
    /// Runs from the last step to the first.
    #[attr(default = false)]
    pub is_reverse: bool,
    /// Lets the update gate weigh the old state, as first published, and not the candidate.
    #[attr(default = false)]
    pub origin_mode: bool,
}

/// A stack of recurrent layers over a padded batch.
#[op("rnn")]
#[derive(Clone, Debug, PartialEq)]
pub struct Rnn {
    /// Padded sequences.
    #[input(name = "Input")]
    pub input: Var,
    /// States before the first step.
    #[input(name = "PreState", duplicable)]
    pub pre_state: Vec<Var>,
    /// Weights and biases of all layers.
    #[input(name = "WeightList", duplicable)]
    pub weight_list: Vec<Var>,
    /// True length of each sequence.
    #[input(name = "SequenceLength", dispensable)]
    pub sequence_length: Option<Var>,
    /// Output of the last layer.
    #[output(name = "Out")]
    pub out: Var,
    /// State of the random numbers of dropout.
    #[output(name = "DropoutState", dispensable)]
    pub dropout_state: Option<Var>,
    /// States after the last step.
    #[output(name = "State", duplicable)]
    pub state: Vec<Var>,
    /// Scratch memory for the backward pass.
    #[output(name = "Reserve", intermediate)]
    pub reserve: Var,
    /// Probability of dropout between layers.
    #[attr(default = 0.0)]
    pub dropout_prob: f32,
    /// Runs each layer in both directions.
    #[attr(default = false)]
    pub is_bidirec: bool,
    /// Width of the input.
    #[attr(default = 10)]
    pub input_size: i32,
    /// Width of the hidden state.
    #[attr(default = 100)]
    pub hidden_size: i32,
    /// Number of layers.
    #[attr(default = 1)]
    pub num_layers: i32,
    /// Kind of cell: `LSTM`, `GRU`, `RNN_RELU` or `RNN_TANH`.
    #[attr(default = "RNN_TANH")]
    pub mode: String,
    /// Seed of dropout.
    #[attr(default = 0)]
    pub seed: i32,
    /// Runs for inference.
    #[attr(default = false)]
    pub is_test: bool,
}

/// Attention that never holds the whole matrix of weights.
#[op("memory_efficient_attention")]
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryEfficientAttention {
    /// Queries.
    #[input]
    pub query: Var,
    /// Keys.
    #[input]
    pub key: Var,
    /// Values.
    #[input]
    pub value: Var,
    /// Added to the scores.
    #[input(dispensable)]
    pub bias: Option<Var>,
    /// Where each sequence of queries begins, if packed.
    #[input(dispensable)]
    pub cu_seqlens_q: Option<Var>,
    /// Where each sequence of keys begins, if packed.
    #[input(dispensable)]
    pub cu_seqlens_k: Option<Var>,
    /// Offset of the causal diagonal, per sequence.
    #[input(dispensable)]
    pub causal_diagonal: Option<Var>,
    /// True number of keys in each sequence.
    #[input(dispensable)]
    pub seqlen_k: Option<Var>,
    /// Overrides `max_seqlen_q`.
    #[input(name = "MaxSeqlenQTensor", dispensable)]
    pub max_seqlen_q_tensor: Option<Var>,
    /// Overrides `max_seqlen_k`.
    #[input(name = "MaxSeqlenKTensor", dispensable)]
    pub max_seqlen_k_tensor: Option<Var>,
    /// Weighted values.
    #[output]
    pub output: Var,
    /// Logarithm of each row's sum, for the backward pass.
    #[output]
    pub logsumexp: Var,
    /// State of the random numbers of dropout.
    #[output]
    pub seed_and_offset: Var,
    /// Length of the longest sequence of queries.
    #[attr]
    pub max_seqlen_q: f32,
    /// Length of the longest sequence of keys.
    #[attr]
    pub max_seqlen_k: f32,
    /// Hides later keys from earlier queries.
    #[attr]
    pub causal: bool,
    /// Probability that a weight is dropped.
    #[attr]
    pub dropout_p: f64,
    /// Factor of the scores before softmax.
    #[attr]
    pub scale: f32,
    /// Runs for inference, without dropout.
    #[attr]
    pub is_test: bool,
}
