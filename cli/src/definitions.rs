//! A file of operators, whoever wrote it: a lock, or the definitions of `PaddlePaddle`, `TensorFlow` or ONNX.

use std::collections::BTreeMap;
use std::path::Path;

use oplock_core::lock::read_file;
use oplock_core::{Finding, Lock, OpDef, did_you_mean};

use crate::error::Error;
use oplock_interop::onnx::{self, Schema, SchemaKey};
use oplock_interop::paddle::{self, Unstated};
use oplock_interop::{Format, JsonError};

/// The operators of a file.
pub(crate) struct Definitions {
    /// By name.
    pub(crate) ops: BTreeMap<String, OpDef>,
    /// What the file leaves open; only a `.spec` leaves anything.
    pub(crate) unstated: Unstated,
    /// The lock itself, if that is what the file is.
    pub(crate) lock: Option<Lock>,
    /// What the file itself states, where another system's rules ask for it.
    pub(crate) stated: Stated,
}

/// A file before it is made into operators, which are not all that it is.
pub(crate) enum Stated {
    /// No such file.
    Nothing,
    /// A `.spec`, in its own order and words.
    Spec(String),
    /// ONNX's schemas.
    Schemas(BTreeMap<SchemaKey, Schema>),
}

impl Definitions {
    /// Reads a file. What it is is told by what it holds.
    ///
    /// # Errors
    ///
    /// When there is no such file, it cannot be read, or it is none of those.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = read_file(path)?.ok_or_else(|| Error::NoFile(path.to_owned()))?;
        // A file that is named so and is no JSON is told what it should be.
        let is_named_so = path.extension().is_some_and(|ext| ext == "spec" || ext == "json");
        let format = Format::of(text.as_bytes());
        match if format == Format::Text && is_named_so { Format::Paddle } else { format } {
            Format::Paddle => {
                let spec = paddle::parse(&text).map_err(|error| Error::Spec { path: path.to_owned(), error })?;
                let (ops, unstated) = (spec.ops, spec.unstated);
                Ok(Definitions { ops, unstated, lock: None, stated: Stated::Spec(text) })
            }
            Format::Onnx => {
                let schemas = onnx::parse_schemas(&text).map_err(|error| wrong(path, "ONNX's schemas", error))?;
                let stated = Stated::Schemas(schemas.clone());
                Ok(Definitions { stated, ..Definitions::of_ops(onnx::ops_of(&schemas)) })
            }
            _ => {
                let lock = Lock::parse(&text, None).map_err(|error| Error::Lock { path: path.to_owned(), error })?;
                Ok(Definitions::of_lock(lock))
            }
        }
    }

    /// The operators of a lock.
    pub(crate) fn of_lock(lock: Lock) -> Self {
        let ops = lock.ops.iter().map(|(name, entry)| (name.clone(), entry.def.clone())).collect();
        Definitions { lock: Some(lock), ..Definitions::of_ops(ops) }
    }

    /// Operators of which nothing else is known.
    pub(crate) fn of_ops(ops: BTreeMap<String, OpDef>) -> Self {
        Definitions { ops, unstated: Unstated::new(), lock: None, stated: Stated::Nothing }
    }

    /// Only the operators of these names; all where none is named.
    ///
    /// # Errors
    ///
    /// When there is none of that name.
    pub(crate) fn only(mut self, names: &[String]) -> Result<Self, Error> {
        if names.is_empty() {
            return Ok(self);
        }
        if let Some(name) = names.iter().find(|name| !self.ops.contains_key(*name)) {
            let hint = did_you_mean(name, self.ops.keys().map(String::as_str));
            return Err(Error::NoOp { name: name.clone(), hint });
        }
        self.ops.retain(|name, _| names.contains(name));
        Ok(self)
    }

    /// The stamp of what a finding is about: of the item, or of the operator where the item is new.
    pub(crate) fn stamp(&self, finding: &Finding) -> Option<&oplock_core::lock::Stamp> {
        let entry = self.lock.as_ref()?.ops.get(&finding.op)?;
        let item = finding.item.as_ref().and_then(|(kind, name)| entry.item(*kind, name));
        Some(item.filter(|stamp| stamp.since.is_some()).unwrap_or(&entry.stamp))
    }
}

/// What is wrong with a file of definitions, and as what it was read.
pub(crate) fn wrong(path: &Path, what: &'static str, error: JsonError) -> Error {
    Error::Definitions { path: path.to_owned(), what, error }
}
