//! Gathering, scattering, searching, sorting and embedding.

use oplock::{Scalar, Var, op};

/// Picks slices of `X` along one dimension.
#[op("gather")]
#[derive(Clone, Debug, PartialEq)]
pub struct Gather {
    /// Tensor to look into.
    #[input(name = "X")]
    pub x: Var,
    /// Positions.
    #[input(name = "Index")]
    pub index: Var,
    /// Overrides `axis`.
    #[input(name = "Axis", dispensable)]
    pub axis_tensor: Option<Var>,
    /// What was found.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension that `Index` counts along.
    #[attr(default = 0)]
    pub axis: i32,
}

/// Picks elements or slices of `X` by full coordinates.
#[op("gather_nd", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct GatherNd {
    /// Tensor to look into.
    #[input]
    pub x: Var,
    /// Coordinates, along the last dimension.
    #[input]
    pub index: Var,
    /// What was found.
    #[output]
    pub out: Var,
}

/// Picks slices of `X` along one dimension by a flat list.
#[op("index_select")]
#[derive(Clone, Debug, PartialEq)]
pub struct IndexSelect {
    /// Tensor to look into.
    #[input(name = "X")]
    pub x: Var,
    /// Positions.
    #[input(name = "Index")]
    pub index: Var,
    /// What was found.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension that `Index` counts along.
    #[attr(default = 0)]
    pub dim: i32,
}

/// Writes rows of `Updates` over a copy of `X`.
#[op("scatter")]
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// Tensor to start from.
    #[input(name = "X")]
    pub x: Var,
    /// Row that each update goes to.
    #[input(name = "Ids")]
    pub ids: Var,
    /// The rows.
    #[input(name = "Updates")]
    pub updates: Var,
    /// The updated copy.
    #[output(name = "Out")]
    pub out: Var,
    /// Replaces rows; if false, adds the updates up.
    #[attr(default = true)]
    pub overwrite: bool,
}

/// Adds `Updates` to a copy of `X` at full coordinates.
#[op("scatter_nd_add", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterNdAdd {
    /// Tensor to start from.
    #[input]
    pub x: Var,
    /// Coordinates, along the last dimension.
    #[input]
    pub index: Var,
    /// What is added.
    #[input]
    pub updates: Var,
    /// The updated copy.
    #[output]
    pub out: Var,
}

/// Picks from `X` or `Y`, element by element.
#[op("where", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct Where {
    /// True takes `X`, false takes `Y`.
    #[input]
    pub condition: Var,
    /// Source where the condition holds.
    #[input]
    pub x: Var,
    /// Source elsewhere.
    #[input]
    pub y: Var,
    /// The mixture.
    #[output]
    pub out: Var,
}

/// Lists the coordinates of what is true.
#[op("where_index", rename_all = "PascalCase")]
#[derive(Clone, Debug, PartialEq)]
pub struct WhereIndex {
    /// Tensor to search.
    #[input]
    pub condition: Var,
    /// One row of coordinates per true element.
    #[output]
    pub out: Var,
}

/// Assigns to a strided box of a tensor.
#[op("set_value")]
#[derive(Clone, Debug, PartialEq)]
pub struct SetValue {
    /// Tensor to start from.
    #[input(name = "Input")]
    pub input: Var,
    /// What is assigned; overrides `values`.
    #[input(name = "ValueTensor", dispensable)]
    pub value_tensor: Option<Var>,
    /// Overrides `starts`, with one tensor per axis.
    #[input(name = "StartsTensorList", duplicable, dispensable)]
    pub starts_tensor_list: Vec<Var>,
    /// Overrides `ends`, with one tensor per axis.
    #[input(name = "EndsTensorList", duplicable, dispensable)]
    pub ends_tensor_list: Vec<Var>,
    /// Overrides `steps`, with one tensor per axis.
    #[input(name = "StepsTensorList", duplicable, dispensable)]
    pub steps_tensor_list: Vec<Var>,
    /// The tensor with the box replaced.
    #[output(name = "Out")]
    pub out: Var,
    /// Code of the element type.
    #[attr(default = 5)]
    pub dtype: i32,
    /// Dimensions that bound the box.
    #[attr]
    pub axes: Vec<i64>,
    /// First index per axis.
    #[attr(default = [])]
    pub starts: Vec<i64>,
    /// Index past the last, per axis.
    #[attr(default = [])]
    pub ends: Vec<i64>,
    /// Step per axis.
    #[attr(default = [])]
    pub steps: Vec<i64>,
    /// Dimensions that the assigned value lacks.
    #[attr(default = [])]
    pub decrease_axes: Vec<i64>,
    /// Dimensions of size one that the assigned value has in addition.
    #[attr(default = [])]
    pub none_axes: Vec<i64>,
    /// What is assigned, flattened.
    #[attr(default = [])]
    pub values: Vec<Scalar>,
    /// Shape of `values`.
    #[attr(default = [])]
    pub shape: Vec<i64>,
}

/// Finds the k largest or smallest elements along one dimension.
#[op("top_k_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct TopKV2 {
    /// Tensor to look into.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `k`.
    #[input(name = "K", dispensable)]
    pub k_tensor: Option<Var>,
    /// The elements.
    #[output(name = "Out")]
    pub out: Var,
    /// Where they were.
    #[output(name = "Indices")]
    pub indices: Var,
    /// How many to find.
    #[attr(default = 1)]
    pub k: i32,
    /// Dimension to search along; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
    /// Finds the largest; if false, the smallest.
    #[attr(default = true)]
    pub largest: bool,
    /// Returns them in order.
    #[attr(default = true)]
    pub sorted: bool,
}

/// Finds where the largest element is.
#[op("arg_max")]
#[derive(Clone, Debug, PartialEq)]
pub struct ArgMax {
    /// Tensor to look into.
    #[input(name = "X")]
    pub x: Var,
    /// Its index along `axis`.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension to search along.
    #[attr]
    pub axis: i64,
    /// Keeps the searched dimension, with size one.
    #[attr(default = false)]
    pub keepdims: bool,
    /// Searches the tensor as one row.
    #[attr(default = false)]
    pub flatten: bool,
    /// Code of the integer type of the result; 3 is 64-bit.
    #[attr(default = 3)]
    pub dtype: i32,
}

/// Finds where the smallest element is.
#[op("arg_min")]
#[derive(Clone, Debug, PartialEq)]
pub struct ArgMin {
    /// Tensor to look into.
    #[input(name = "X")]
    pub x: Var,
    /// Its index along `axis`.
    #[output(name = "Out")]
    pub out: Var,
    /// Dimension to search along.
    #[attr]
    pub axis: i64,
    /// Keeps the searched dimension, with size one.
    #[attr(default = false)]
    pub keepdims: bool,
    /// Searches the tensor as one row.
    #[attr(default = false)]
    pub flatten: bool,
    /// Code of the integer type of the result; 3 is 64-bit.
    #[attr(default = 3)]
    pub dtype: i32,
}

/// Sorts along one dimension and tells where each element came from.
#[op("argsort")]
#[derive(Clone, Debug, PartialEq)]
pub struct Argsort {
    /// Tensor to sort.
    #[input(name = "X")]
    pub x: Var,
    /// The sorted tensor.
    #[output(name = "Out")]
    pub out: Var,
    /// Former index of each element.
    #[output(name = "Indices")]
    pub indices: Var,
    /// Dimension to sort along; negative counts from the end.
    #[attr(default = -1)]
    pub axis: i32,
    /// Puts the largest first.
    #[attr(default = false)]
    pub descending: bool,
}

/// Turns class numbers into rows with a single one.
#[op("one_hot_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct OneHotV2 {
    /// Class numbers.
    #[input(name = "X")]
    pub x: Var,
    /// Overrides `depth`.
    #[input(dispensable)]
    pub depth_tensor: Option<Var>,
    /// The rows.
    #[output(name = "Out")]
    pub out: Var,
    /// Number of classes.
    #[attr(default = -1)]
    pub depth: i32,
    /// Code of the element type of the result; 5 is 32-bit float.
    #[attr(default = 5)]
    pub dtype: i32,
    /// Gives a row of zeros for a number that is no class, instead of failing.
    #[attr(default = false)]
    pub allow_out_of_range: bool,
}

/// Picks rows of an embedding.
#[op("lookup_table_v2")]
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTableV2 {
    /// Row numbers.
    #[input(name = "Ids")]
    pub ids: Var,
    /// The embedding, one row per id.
    #[input(name = "W")]
    pub w: Var,
    /// The rows.
    #[output(name = "Out")]
    pub out: Var,
    /// Row number that yields zeros; -1 for none.
    #[attr(default = -1)]
    pub padding_idx: i64,
}

/// The older lookup, whose ids end in a dimension of size one.
#[op("lookup_table")]
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTable {
    /// The embedding, one row per id.
    #[input(name = "W")]
    pub w: Var,
    /// Row numbers.
    #[input(name = "Ids")]
    pub ids: Var,
    /// The rows.
    #[output(name = "Out")]
    pub out: Var,
    /// Keeps the gradient as a set of rows.
    #[attr(default = false)]
    pub is_sparse: bool,
    /// The embedding lives on parameter servers.
    #[attr(default = false)]
    pub is_distributed: bool,
    /// Row number that yields zeros; -1 for none.
    #[attr(default = -1)]
    pub padding_idx: i64,
    /// Fetches rows from the servers ahead of use.
    #[attr(default = false)]
    pub remote_prefetch: bool,
    /// How the servers admit new rows.
    #[attr(default = "")]
    pub entry_config: String,
    /// Runs for inference.
    #[attr(default = false)]
    pub is_test: bool,
    /// Rule by which the servers admit new rows.
    #[attr(default = "none")]
    pub entry: String,
    /// Kind of table on the servers.
    #[attr(default = "none")]
    pub table_class: String,
    /// Names of the tables on the servers.
    #[attr(default = [])]
    pub table_names: Vec<String>,
    /// Number of this trainer.
    #[attr(default = 0)]
    pub trainer_id: i32,
    /// Feature slot that the ids belong to.
    #[attr(default = 0, extra)]
    pub slot: i32,
    /// Writes the gradient over the embedding's own.
    #[attr(default = false)]
    pub grad_inplace: bool,
    /// Addresses of the servers.
    #[attr(default = [])]
    pub epmap: Vec<String>,
    /// Number of rows on each server.
    #[attr(default = [])]
    pub height_sections: Vec<i64>,
}

/// Maps rows of ids to hash values.
#[op("hash")]
#[derive(Clone, Debug, PartialEq)]
pub struct Hash {
    /// The ids.
    #[input(name = "X")]
    pub x: Var,
    /// The hash values.
    #[output(name = "Out")]
    pub out: Var,
    /// How many hash functions are applied.
    #[attr(default = 1)]
    pub num_hash: i32,
    /// Hash values lie below this.
    #[attr(default = 100000)]
    pub mod_by: i64,
    /// Leaves the shape of the result to the kernel.
    #[attr(name = "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@", default = true)]
    pub runtime_shape: bool,
}
