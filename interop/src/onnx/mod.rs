//! ONNX: its operator schemas as oplock's definitions, and its models.
//!
//! - [`Schema`]: a schema as ONNX states it, read from JSON and written as such.
//! - [`def`]: a schema as an operator and back. ONNX keeps each version of a schema for good, so the schema of a domain, a
//!   name and a version is an operator of its own, `Conv.v11` or `ai.onnx.ml.Scaler.v1`.
//! - [`model`]: saved models (`ModelProto`).
//! - [`types`]: the names of element types.

pub mod def;
pub mod model;
mod read;
mod schema;
pub mod types;
mod write;

use std::collections::BTreeMap;

use oplock_core::OpDef;

pub use def::UnfitError;
pub use read::parse_schemas;
pub use schema::{Attribute, AttributeType, Constraint, Occurrence, Operand, Schema, SchemaKey};
pub use write::to_text;

use crate::JsonError;

/// Reads a file of schemas as operators, by name.
///
/// # Errors
///
/// When the text is not JSON, is of another shape, or has a schema twice.
pub fn parse(text: &str) -> Result<BTreeMap<String, OpDef>, JsonError> {
    parse_schemas(text).map(|schemas| ops_of(&schemas))
}

/// The operators that these schemas are, by name.
pub fn ops_of(schemas: &BTreeMap<SchemaKey, Schema>) -> BTreeMap<String, OpDef> {
    schemas.iter().map(|(key, schema)| (key.to_string(), def::to_op(key, schema))).collect()
}

/// The schemas that these operators are.
///
/// # Errors
///
/// When one of them states what ONNX has no place for.
pub fn schemas_of(ops: &BTreeMap<String, OpDef>) -> Result<BTreeMap<SchemaKey, Schema>, UnfitError> {
    ops.values().map(def::from_op).collect()
}
