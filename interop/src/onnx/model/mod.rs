//! ONNX's saved models (`ModelProto`).
//!
//! `messages` are the messages of `onnx.proto`, `value` reads attributes, `schemas` says which schema a node means, `graph` makes a graph
//! of a model by them: ONNX names operands by position, so without schemas they have only numbers.

mod elements;
mod graph;
pub mod messages;
mod schemas;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use messages::{MODEL, ModelProto, OperatorSetIdProto};
pub use schemas::Schemas;

use crate::models::{Format, ModelError, decode};

/// A saved model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The model as it is saved.
    pub proto: ModelProto,
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// [`ModelError`], which names the byte and the field.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Ok(Model { proto: decode(bytes, &MODEL, Format::Onnx)? })
    }

    /// Which version of each set of operators it means, by domain; ONNX's own has the empty name.
    pub fn opsets(&self) -> BTreeMap<String, i64> {
        let imports = &self.proto.opset_import;
        if imports.is_empty() && self.proto.ir_version.unwrap_or_default() < 3 {
            // Models of the first formats have no such field.
            return BTreeMap::from([(String::new(), 1)]);
        }
        opsets(imports)
    }

    /// Who imports a set of operators at several versions: the model or a function of it; the set, and the versions.
    pub fn opsets_at_odds(&self) -> Vec<(String, String, Vec<i64>)> {
        let functions = self.proto.functions.iter();
        let functions =
            functions.map(|function| (format!("the function `{}`", graph::key_of(function)), &function.opset_import));
        let all = std::iter::once(("the model".to_owned(), &self.proto.opset_import)).chain(functions);
        let mut odd = Vec::new();
        for (who, imports) in all {
            let mut versions: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
            for (domain, version) in imports.iter().map(meant) {
                versions.entry(domain).or_default().insert(version);
            }
            let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
            odd.extend(
                several.map(|(domain, versions)| (who.clone(), graph::set(domain), versions.into_iter().collect())),
            );
        }
        odd
    }
}

/// ONNX's own operators have the empty domain, which some models write out.
fn domain(name: Option<&str>) -> &str {
    match name {
        None | Some("ai.onnx") => "",
        Some(name) => name,
    }
}

fn opsets(imports: &[OperatorSetIdProto]) -> BTreeMap<String, i64> {
    imports.iter().map(meant).map(|(domain, version)| (domain.to_owned(), version)).collect()
}

/// The set of operators that an import is of, and its version.
fn meant(import: &OperatorSetIdProto) -> (&str, i64) {
    (domain(import.domain.as_deref()), import.version.unwrap_or(1))
}
