//! A file of operators, whoever wrote it: a lock, or the definitions of `PaddlePaddle`, `TensorFlow` or ONNX.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use oplock_core::lock::expand_common;
use oplock_core::{COMMON, Finding, Lock, OpDef};

use crate::error::Error;
use crate::named::{Wanted, parse_lock, read_bytes, read_text, unreadable};
use crate::shell;
use oplock_graph::Limits;
use oplock_interop::import::Source;
use oplock_interop::models::AnyModel;
use oplock_interop::paddle::Unstated;
use oplock_interop::paddle::opver::OpVersions;
use oplock_interop::select::{SelectError, select};
use oplock_interop::tensorflow::op_list::OpListError;
use oplock_interop::{DefinitionError, DefinitionFile, Format, JsonError, Stated};

/// The operators of a file.
pub(crate) struct Definitions {
    /// By name.
    pub(crate) ops: BTreeMap<String, OpDef>,
    /// What the file leaves open; only a `.spec` leaves anything.
    pub(crate) unstated: Unstated,
    /// The lock itself, if that is what the file is.
    pub(crate) lock: Option<Lock>,
    /// What the file itself states, where it is another system's.
    pub(crate) stated: Option<Stated>,
}

impl Definitions {
    /// Reads a file. What it is is told by what it holds.
    ///
    /// # Errors
    ///
    /// When there is no such file, it cannot be read, or it is none of those.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let bytes = read_bytes(path, Wanted::Definitions)?;
        let model = || AnyModel::from_bytes(&bytes, Limits::default());
        Definitions::of_bytes(path, &bytes).map_err(|error| match model() {
            Ok(model) => Error::IsModel { path: path.to_owned(), format: model.format() },
            Err(_) => error,
        })
    }

    fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let format = match (Format::of(bytes), path.extension().and_then(OsStr::to_str)) {
            // A file that is named so and is damaged is told what it should be.
            (Format::Text, Some("spec" | "json")) => Format::Paddle,
            (Format::TensorFlowBinary, Some("lock")) => Format::Text,
            (format, _) => format,
        };
        if format == Format::Text {
            let text = std::str::from_utf8(bytes).map_err(|error| no_text(path, error))?;
            return parse_lock(path, text, Wanted::Definitions).map(Definitions::of_lock);
        }
        let file = DefinitionFile::read(bytes, format).map_err(|error| match error {
            DefinitionError::Spec(error) => Error::Spec { path: path.to_owned(), error },
            DefinitionError::Schemas(error) => wrong(path, "ONNX's schemas", error),
            DefinitionError::OpList(error) => wrong_op_list(path, error),
            error => no_text(path, error),
        })?;
        if let Stated::OpList(document) = &file.stated
            && let Some(first) = document.unread.first()
        {
            let more = document.unread.len() - 1;
            let more = if more == 0 { String::new() } else { format!(", nor are {more} more like it") };
            shell::warn(format_args!("{first}{more}"));
        }
        Ok(Definitions { ops: file.ops, unstated: file.unstated, lock: None, stated: Some(file.stated) })
    }

    /// The operators of a lock.
    pub(crate) fn of_lock(lock: Lock) -> Self {
        let ops = ops_of(&lock);
        Definitions { lock: Some(lock), ..Definitions::of_ops(ops) }
    }

    /// Operators of which nothing else is known.
    pub(crate) fn of_ops(ops: BTreeMap<String, OpDef>) -> Self {
        Definitions { ops, unstated: Unstated::new(), lock: None, stated: None }
    }

    /// The same with what all operators have in each of them, as systems have it that know no such thing.
    pub(crate) fn expanded(mut self) -> Self {
        expand_common(&mut self.ops);
        self.lock = self.lock.map(Lock::expanded);
        self
    }

    /// Only the operators of these names ([`choose`]), with what all have in common; all where none is named.
    ///
    /// # Errors
    ///
    /// When a name stands for no operator, or for several.
    pub(crate) fn only(mut self, names: &[String], file: Option<&Path>) -> Result<Self, Error> {
        if names.is_empty() {
            return Ok(self);
        }
        let chosen: BTreeSet<_> = choose(&self.ops, names, file)?.into_iter().map(str::to_owned).collect();
        self.ops.retain(|name, _| chosen.contains(name) || name == COMMON);
        if let Some(Stated::OpList(document)) = &mut self.stated {
            document.retain(|name| chosen.contains(name));
        }
        Ok(self)
    }

    /// Whose file of definitions it is; none of a lock.
    pub(crate) fn system(&self) -> Option<Source> {
        self.stated.as_ref().map(Stated::source)
    }

    /// The stamp of what a finding is about: of the item, or of the operator where the item is new.
    pub(crate) fn stamp(&self, finding: &Finding) -> Option<&oplock_core::lock::Stamp> {
        let entry = self.lock.as_ref()?.ops.get(&finding.op)?;
        let item = finding.item.as_ref().and_then(|(kind, name)| entry.item(*kind, name));
        Some(item.filter(|stamp| stamp.since.is_some()).unwrap_or(&entry.stamp))
    }
}

/// The operators that are asked for by these names, of the file where one was named.
///
/// # Errors
///
/// When a name stands for no operator, or for several.
pub(crate) fn choose<'a>(
    ops: &'a BTreeMap<String, OpDef>,
    names: &[String],
    file: Option<&Path>,
) -> Result<Vec<&'a str>, Error> {
    let mut chosen = Vec::new();
    for name in names {
        match select(ops, name) {
            Ok(found) => chosen.extend(found),
            Err(SelectError::Unknown { hint }) => {
                return Err(Error::NoOp { name: name.clone(), hint, file: file.map(Path::to_owned) });
            }
            Err(SelectError::Ambiguous { candidates }) => {
                return Err(Error::SeveralOps { name: name.clone(), candidates });
            }
        }
    }
    Ok(chosen)
}

/// The operators of a lock.
pub(crate) fn ops_of(lock: &Lock) -> BTreeMap<String, OpDef> {
    lock.ops.iter().map(|(name, entry)| (name.clone(), entry.def.clone())).collect()
}

fn no_text(path: &Path, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    unreadable(path, Wanted::Definitions, io::Error::new(io::ErrorKind::InvalidData, error))
}

/// What is wrong with a file of definitions, and as what it was read.
pub(crate) fn wrong(path: &Path, what: &'static str, error: JsonError) -> Error {
    Error::Definitions { path: path.to_owned(), what, error }
}

/// What is wrong with a list of `TensorFlow`'s definitions.
pub(crate) fn wrong_op_list(path: &Path, error: OpListError) -> Error {
    Error::OpList { path: path.to_owned(), error: Box::new(error) }
}

/// Reads `PaddlePaddle`'s registry of op versions.
///
/// # Errors
///
/// When there is no such file, or it is none.
pub(crate) fn read_op_versions(path: &Path) -> Result<OpVersions, Error> {
    let text = read_text(path, Wanted::Registry)?;
    OpVersions::parse(&text).map_err(|error| wrong(path, "a registry of op versions", error))
}
