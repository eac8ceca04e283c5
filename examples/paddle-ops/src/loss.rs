//! Losses, and the measures by which models are compared.

use oplock::{Var, op};

/// Softmax and cross entropy in one, which is stable and cheap.
#[op("softmax_with_cross_entropy")]
#[derive(Clone, Debug, PartialEq)]
pub struct SoftmaxWithCrossEntropy {
    /// Scores.
    #[input(name = "Logits")]
    pub logits: Var,
    /// Class numbers, or probabilities with `soft_label`.
    #[input(name = "Label")]
    pub label: Var,
    /// Probabilities.
    #[output(name = "Softmax")]
    pub softmax: Var,
    /// Loss of each sample.
    #[output(name = "Loss")]
    pub loss: Var,
    /// The labels are probabilities.
    #[attr(default = false)]
    pub soft_label: bool,
    /// The scores still need softmax; if false, they have been through it.
    #[attr(default = true)]
    pub use_softmax: bool,
    /// Subtracts the largest score first.
    #[attr(default = true)]
    pub numeric_stable_mode: bool,
    /// Label that counts for nothing.
    #[attr(default = -100)]
    pub ignore_index: i32,
    /// Dimension of the classes; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
}

/// Cross entropy of probabilities and class numbers.
#[op("cross_entropy2")]
#[derive(Clone, Debug, PartialEq)]
pub struct CrossEntropy2 {
    /// Probabilities.
    #[input(name = "X")]
    pub x: Var,
    /// Class numbers.
    #[input(name = "Label")]
    pub label: Var,
    /// Loss of each sample.
    #[output(name = "Y")]
    pub y: Var,
    /// Shape of `X`, for the backward pass.
    #[output(name = "XShape")]
    pub x_shape: Var,
    /// Probability of the true class.
    #[output(name = "MatchX")]
    pub match_x: Var,
    /// Label that counts for nothing.
    #[attr(default = -100)]
    pub ignore_index: i32,
}

/// Sigmoid and cross entropy in one, for labels that do not exclude each other.
#[op("sigmoid_cross_entropy_with_logits")]
#[derive(Clone, Debug, PartialEq)]
pub struct SigmoidCrossEntropyWithLogits {
    /// Scores.
    #[input(name = "X")]
    pub x: Var,
    /// Probability of each label.
    #[input(name = "Label")]
    pub label: Var,
    /// Weight of positive labels.
    #[input(dispensable)]
    pub pos_weight: Option<Var>,
    /// Loss of each element.
    #[output(name = "Out")]
    pub out: Var,
    /// Divides by the number of labels that count.
    #[attr(default = false)]
    pub normalize: bool,
    /// Label that counts for nothing.
    #[attr(default = -100)]
    pub ignore_index: i32,
}

/// Cross entropy of two classes.
#[op("bce_loss", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct BceLoss {
    /// Probabilities.
    #[input]
    pub x: Var,
    /// True probabilities.
    #[input]
    pub label: Var,
    /// Loss of each element.
    #[output]
    pub out: Var,
}

/// Squared for small errors, linear for large ones.
#[op("huber_loss")]
#[derive(Clone, Debug, PartialEq)]
pub struct HuberLoss {
    /// Predictions.
    #[input(name = "X")]
    pub x: Var,
    /// Targets.
    #[input(name = "Y")]
    pub y: Var,
    /// Loss of each sample.
    #[output(name = "Out")]
    pub out: Var,
    /// Target less prediction.
    #[output(name = "Residual", intermediate)]
    pub residual: Var,
    /// Error at which it turns linear.
    #[attr]
    pub delta: f32,
}

/// Share of samples whose class is among the best k.
#[op("accuracy", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// The best k scores.
    #[input]
    pub out: Var,
    /// Their classes.
    #[input]
    pub indices: Var,
    /// True classes.
    #[input]
    pub label: Var,
    /// The share.
    #[output]
    pub accuracy: Var,
    /// How many were right.
    #[output]
    pub correct: Var,
    /// How many there were.
    #[output]
    pub total: Var,
}

/// Area under a curve that is kept up from batch to batch.
#[op("auc")]
#[derive(Clone, Debug, PartialEq)]
pub struct Auc {
    /// Predicted probabilities.
    #[input(name = "Predict")]
    pub predict: Var,
    /// True classes.
    #[input(name = "Label")]
    pub label: Var,
    /// Histogram of positive samples so far.
    #[input(name = "StatPos")]
    pub stat_pos: Var,
    /// Histogram of negative samples so far.
    #[input(name = "StatNeg")]
    pub stat_neg: Var,
    /// Weight of each sample.
    #[input(name = "InsTagWeight", dispensable)]
    pub ins_tag_weight: Option<Var>,
    /// The area.
    #[output(name = "AUC")]
    pub auc: Var,
    /// Histogram of positive samples after this batch.
    #[output(name = "StatPosOut")]
    pub stat_pos_out: Var,
    /// Histogram of negative samples after this batch.
    #[output(name = "StatNegOut")]
    pub stat_neg_out: Var,
    /// `ROC` or `PR`.
    #[attr(default = "ROC")]
    pub curve: String,
    /// Number of steps of the histograms.
    #[attr(default = 8191)]
    pub num_thresholds: i32,
    /// How many batches are kept; 0 keeps all.
    #[attr(default = 1)]
    pub slide_steps: i32,
}

/// Precision and recall of labelled chunks of text.
#[op("chunk_eval")]
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkEval {
    /// Predicted tags.
    #[input(name = "Inference")]
    pub inference: Var,
    /// True tags.
    #[input(name = "Label")]
    pub label: Var,
    /// True length of each sequence, if padded.
    #[input(name = "SeqLength", dispensable)]
    pub seq_length: Option<Var>,
    /// Share of the predicted chunks that are true.
    #[output(name = "Precision")]
    pub precision: Var,
    /// Share of the true chunks that were predicted.
    #[output(name = "Recall")]
    pub recall: Var,
    /// Harmonic mean of the two.
    #[output(name = "F1-Score")]
    pub f1_score: Var,
    /// Number of predicted chunks.
    #[output(name = "NumInferChunks")]
    pub num_infer_chunks: Var,
    /// Number of true chunks.
    #[output(name = "NumLabelChunks")]
    pub num_label_chunks: Var,
    /// Number of chunks in both.
    #[output(name = "NumCorrectChunks")]
    pub num_correct_chunks: Var,
    /// Number of kinds of chunk.
    #[attr]
    pub num_chunk_types: i32,
    /// How tags mark chunks: `IOB`, `IOE`, `IOBES` or `plain`.
    #[attr(default = "IOB")]
    pub chunk_scheme: String,
    /// Kinds that count for nothing.
    #[attr(default = [])]
    pub excluded_chunk_types: Vec<i32>,
}
