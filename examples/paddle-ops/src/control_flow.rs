//! Loops, branches, copies, and the ends at which a program meets its caller.

use oplock::{Block, Var, op};

/// Runs a block for as long as a condition holds.
#[op("while")]
#[derive(Clone, Debug, PartialEq)]
pub struct While {
    /// Outer variables that the body reads.
    #[input(name = "X", duplicable)]
    pub x: Vec<Var>,
    /// Checked before each round; the body updates it.
    #[input(name = "Condition", duplicable)]
    pub condition: Vec<Var>,
    /// Outer variables that the body writes.
    #[output(name = "Out", duplicable)]
    pub out: Vec<Var>,
    /// The scopes of the rounds, for the backward pass.
    #[output(name = "StepScopes")]
    pub step_scopes: Var,
    /// The body.
    #[attr]
    pub sub_block: Block,
    /// Keeps no scopes, since there is no backward pass.
    #[attr(default = false)]
    pub is_test: bool,
}

/// Runs a block if a condition holds.
#[op("conditional_block")]
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionalBlock {
    /// The condition.
    #[input(name = "Cond", duplicable)]
    pub cond: Vec<Var>,
    /// Outer variables that the block reads.
    #[input(name = "Input", duplicable)]
    pub input: Vec<Var>,
    /// Outer variables that the block writes.
    #[output(name = "Out", duplicable)]
    pub out: Vec<Var>,
    /// The scope of the block, for the backward pass.
    #[output(name = "Scope")]
    pub scope: Var,
    /// Block that is run.
    #[attr]
    pub sub_block: Block,
    /// The condition is one boolean; if false, it holds where its tensors are not empty.
    #[attr(default = false)]
    pub is_scalar_condition: bool,
}

/// Runs a block once per step of a sequence.
#[op("recurrent")]
#[derive(Clone, Debug, PartialEq)]
pub struct Recurrent {
    /// Sequences that are cut into steps.
    #[input(duplicable)]
    pub inputs: Vec<Var>,
    /// States before the first step.
    #[input(duplicable)]
    pub initial_states: Vec<Var>,
    /// Outer variables that every step reads.
    #[input(duplicable)]
    pub parameters: Vec<Var>,
    /// Sequences put together from the steps.
    #[output(duplicable)]
    pub outputs: Vec<Var>,
    /// The scopes of the steps.
    #[output]
    pub step_scopes: Var,
    /// Whether steps hand states on.
    #[attr(default = false)]
    pub has_states: bool,
    /// Names that the previous step's states have in the block.
    #[attr]
    pub ex_states: Vec<String>,
    /// Names that the new states have in the block.
    #[attr]
    pub states: Vec<String>,
    /// The step.
    #[attr]
    pub sub_block: Block,
    /// Runs from the last step to the first.
    #[attr(default = false)]
    pub reverse: bool,
    /// Keeps what the backward pass needs.
    #[attr(default = true)]
    pub is_train: bool,
    /// Variables that the memory collector leaves alone.
    #[attr(default = [])]
    pub skip_eager_deletion_vars: Vec<String>,
}

/// Runs a block whose backward pass is a block of its own.
#[op("pylayer")]
#[derive(Clone, Debug, PartialEq)]
pub struct Pylayer {
    /// Variables that the forward block reads.
    #[input(name = "Input", duplicable)]
    pub input: Vec<Var>,
    /// Variables that the forward block writes.
    #[output(name = "Out", duplicable)]
    pub out: Vec<Var>,
    /// The scope of the blocks.
    #[output(name = "Scope")]
    pub scope: Var,
    /// The forward block, then the backward one if there is one.
    #[attr]
    pub blocks: Vec<Block>,
}

/// Passes on one of several inputs.
#[op("select_input", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct SelectInput {
    /// The candidates.
    #[input(duplicable)]
    pub x: Vec<Var>,
    /// Number of the one that is passed on.
    #[input]
    pub mask: Var,
    /// The one.
    #[output]
    pub out: Var,
}

/// Passes its input on to one of several outputs.
#[op("select_output", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct SelectOutput {
    /// What is passed on.
    #[input]
    pub x: Var,
    /// Number of the output that gets it.
    #[input]
    pub mask: Var,
    /// The candidates.
    #[output(duplicable)]
    pub out: Vec<Var>,
}

/// Takes a tensor from what the caller fed.
#[op("feed")]
#[derive(Clone, Debug, PartialEq)]
pub struct Feed {
    /// List that the caller fed.
    #[input(name = "X")]
    pub x: Var,
    /// The tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Its place in the list.
    #[attr]
    pub col: i32,
}

/// Hands a tensor to the caller.
#[op("fetch")]
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// The tensor.
    #[input(name = "X")]
    pub x: Var,
    /// List that the caller gets.
    #[output(name = "Out")]
    pub out: Var,
    /// Its place in the list.
    #[attr]
    pub col: i32,
}

/// Copies a variable.
#[op("assign", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// Variable to copy; absent leaves the target as it is.
    #[input(dispensable)]
    pub x: Option<Var>,
    /// The copy.
    #[output]
    pub out: Var,
}

/// Lets outputs use the memory of inputs.
#[op("share_buffer")]
#[derive(Clone, Debug, PartialEq)]
pub struct ShareBuffer {
    /// Tensors that own the memory.
    #[input(name = "X", duplicable)]
    pub x: Vec<Var>,
    /// Tensors that share it.
    #[output(name = "Out", duplicable)]
    pub out: Vec<Var>,
    /// The inputs again, so that an order is kept.
    #[output(name = "XOut", duplicable)]
    pub x_out: Vec<Var>,
    /// Per pair, whether shape and element type are shared too.
    #[attr(default = [])]
    pub share_dims_and_dtype: Vec<bool>,
}

/// Converts the elements to another type.
#[op("cast")]
#[derive(Clone, Debug, PartialEq)]
pub struct Cast {
    /// Tensor to convert.
    #[input(name = "X")]
    pub x: Var,
    /// The converted tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Code of the type to convert to.
    #[attr]
    pub out_dtype: i32,
    /// Code of the type to convert from.
    #[attr]
    pub in_dtype: i32,
    /// Prefers the kernel of `oneDNN`.
    #[attr(default = false)]
    pub use_mkldnn: bool,
}

/// Stores a tensor in an array of tensors.
#[op("write_to_array")]
#[derive(Clone, Debug, PartialEq)]
pub struct WriteToArray {
    /// The tensor.
    #[input(name = "X")]
    pub x: Var,
    /// Its place in the array.
    #[input(name = "I")]
    pub index: Var,
    /// The array.
    #[output(name = "Out")]
    pub out: Var,
}

/// Loads a tensor from an array of tensors.
#[op("read_from_array")]
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFromArray {
    /// The array.
    #[input(name = "X")]
    pub x: Var,
    /// The place to read.
    #[input(name = "I")]
    pub index: Var,
    /// The array as last written, which fixes the order of the two.
    #[input(name = "X_W", dispensable)]
    pub written: Option<Var>,
    /// The tensor.
    #[output(name = "Out")]
    pub out: Var,
}

/// Tells how many tensors an array holds.
#[op("lod_array_length", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct LodArrayLength {
    /// The array.
    #[input]
    pub x: Var,
    /// Its length.
    #[output]
    pub out: Var,
}
