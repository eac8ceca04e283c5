//! Operators of Paddle 2.6.2, as its CPU build describes them.
//!
//! Every input, output, attribute, marker and default is the real one, so a program that this release of
//! Paddle saved fits these declarations. Paddle adds six attributes to every operator (`op_role` and its
//! kin); they say nothing about any one of them and are left out.
//!
//! The operators, 172 of them, are grouped by theme:
//!
//! - [`activation`]: functions that bend each element of a tensor, and the two softmaxes.
//! - [`conv`]: convolutions and their transposes.
//! - [`pool`]: pooling over windows of images and volumes.
//! - [`norm`]: normalisation layers, and dropout.
//! - [`elementwise`]: arithmetic of two tensors, element by element.
//! - [`math`]: functions of one tensor, and sums of several.
//! - [`linalg`]: matrix products.
//! - [`shape`]: reshaping, joining, cutting, repeating and padding tensors.
//! - [`index`]: gathering, scattering, searching, sorting and embedding.
//! - [`create`]: tensors made from nothing, such as constants, ranges and random numbers.
//! - [`reduce`]: reductions of whole tensors or of some of their dimensions.
//! - [`logic`]: comparisons, and logic on their results.
//! - [`control_flow`]: loops, branches, copies, and the ends at which a program meets its caller.
//! - [`vision`]: resizing, boxes and regions for models of images.
//! - [`recurrent`]: recurrent layers and attention.
//! - [`loss`]: losses, and the measures by which models are compared.
//! - [`optimizer`]: steps of training, each for one parameter.
//! - [`quant`]: quantisation, simulated in training and for real.
//!
//! Three habits are worth a look:
//!
//! - Paddle writes operands as `CamelCase` and attributes as `snake_case`. A field keeps to Rust's names and
//!   gives the saved one with `name = "…"`; an op without attributes says `rename_all = "PascalCase"` once.
//! - An operand and an attribute of one op may differ only in case (`Shape` and `shape`). The operand's field
//!   then ends in `_tensor`.
//! - Element types are saved as Paddle's codes: 0 `bool`, 2 `i32`, 3 `i64`, 4 `f16`, 5 `f32`, 6 `f64`.

oplock::lock!();

pub mod activation;
pub mod control_flow;
pub mod conv;
pub mod create;
pub mod elementwise;
pub mod index;
pub mod linalg;
pub mod logic;
pub mod loss;
pub mod math;
pub mod norm;
pub mod optimizer;
pub mod pool;
pub mod quant;
pub mod recurrent;
pub mod reduce;
pub mod shape;
pub mod vision;
