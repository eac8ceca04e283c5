//! The steps that a graph's upgrades took, taken by the values of its variables.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{COMMON, SavedKind, did_you_mean};

use super::{Checkpoint, CheckpointError, CheckpointOptions, Tensor};
use crate::check::{Level, names_after};
use crate::load::{Loaded, distinct_ops};
use crate::program::{Package, Program};
use crate::report::{Apart, Note, Report, Warning};
use crate::upgrade::{VariableChange, VariableStep};

impl Program {
    /// Judges a checkpoint as [`Program::check_checkpoint`] does, and makes it one of the graph that was loaded: what upgrades did to the
    /// graph's variables ([`Loaded::variables`]) is done to their values.
    ///
    /// Steps up to the data version of graphs that the checkpoint's writer had are left out, so a checkpoint that was carried over and
    /// written again is not carried over twice. One without a record (`allow_unrecorded`) is taken to be as old as the graph was.
    ///
    /// **A graph that was upgraded and saved again** asks for no steps any more, and its checkpoint should have been saved with it. One that
    /// is older than the graph may be weights that fit it as they are, so where functions of the package upgrade graphs in between
    /// there is a warning ([`Warning::Apart`]). It is an error where such a function is one of an operator of the graph, and the data versions of checkpoints
    /// (`min_consumer`) say that variables became others in between.
    ///
    /// Where something was changed, the checkpoint is this program's from then on, as after [`Program::stamp_checkpoint`]. On an error it is
    /// what it was.
    ///
    /// # Errors
    ///
    /// As [`Program::check_checkpoint`], and [`CheckpointError::NoVariable`], [`CheckpointError::NameTaken`] and
    /// [`CheckpointError::Apart`], when the checkpoint does not suit the graph.
    pub fn upgrade_checkpoint(
        &self,
        checkpoint: &mut Checkpoint<'_>,
        loaded: &Loaded,
        options: CheckpointOptions,
    ) -> Result<Report, CheckpointError> {
        let (mut report, levels) = self.judge(checkpoint, options)?;
        for (package, level) in &levels {
            if let Some(warning) = self.apart(package, *level, loaded)? {
                report.warn(warning, None, 1);
            }
        }
        let is_new = |step: &&VariableStep| levels.get(&step.package).is_none_or(|level| level.graph < step.version);
        let steps: Vec<_> = loaded.variables.iter().filter(is_new).collect();
        if steps.is_empty() {
            return Ok(report);
        }
        let values = carried(checkpoint, &steps)?;
        if checkpoint.stamps.is_some() {
            self.stamp_checkpoint(checkpoint, &loaded.graph)?;
        }
        let mut old = std::mem::take(&mut checkpoint.tensors);
        let mut value = |value| match value {
            Value::Of(name) => old.remove(&name),
            Value::New(tensor) => Some(tensor.clone()),
        };
        let tensors = values.into_iter().map(|(name, of)| (name, value(of)));
        checkpoint.tensors = tensors.filter_map(|(name, tensor)| Some((name, tensor?))).collect();
        for step in steps {
            report.note(Note::Variable { step: step.to_string() }, None, 1);
        }
        Ok(report)
    }

    /// What is to be said where functions of a package made the graph what it is after the checkpoint was saved.
    fn apart(&self, name: &str, level: Level, loaded: &Loaded) -> Result<Option<Warning>, CheckpointError> {
        let Some(graph) = loaded.levels.get(name).copied().filter(|graph| *graph > level.graph) else {
            return Ok(None);
        };
        let readers = self.readers(name);
        let between = readers.iter().flat_map(|(package, _)| {
            let functions = package.upgrades.keys().map(move |(op, version)| (*package, op, *version));
            functions.filter(|(_, _, version)| *version > level.graph && *version <= graph)
        });
        let between: Vec<_> = between.collect();
        let upgrades: BTreeSet<u32> = between.iter().map(|(_, _, version)| *version).collect();
        if upgrades.is_empty() {
            return Ok(None);
        }
        let upgrades = upgrades.into_iter().collect();
        let apart = Apart { package: name.to_owned(), checkpoint: level.graph, graph, upgrades };
        let ops = distinct_ops(&loaded.graph.blocks);
        let is_used = |package: &Package, op: &str| {
            op == COMMON || names_after(&package.lock, op).iter().any(|name| ops.contains(name.as_str()))
        };
        let mut used = between.iter().filter(|(package, op, _)| is_used(package, op));
        let other =
            used.find_map(|(package, ..)| others_since(package, graph).filter(|least| level.checkpoint < *least));
        match other {
            Some(min_consumer) => Err(CheckpointError::Apart { apart, checkpoint: level.checkpoint, min_consumer }),
            None => Ok(Some(Warning::Apart(apart))),
        }
    }
}

/// The least data version of checkpoints whose variables are those of graphs of a data version, where the package says it.
fn others_since(package: &Package, graph: u32) -> Option<u32> {
    let versions = |kind| package.lock.data_versions(kind);
    let min_consumer = versions(SavedKind::Checkpoint).min_consumer;
    let mut releases = package.lock.release_line().into_iter().map(|(_, release)| release);
    let first = releases.find(|release| release.version_of(SavedKind::Checkpoint) >= min_consumer);
    let since = first.map_or_else(|| versions(SavedKind::Graph).producer(), |first| first.version_of(SavedKind::Graph));
    (since <= graph).then_some(min_consumer)
}

/// Where a variable's value comes from.
enum Value<'s> {
    /// That of the variable of this name in the checkpoint.
    Of(String),
    /// One that an upgrade gave.
    New(&'s Tensor<'static>),
}

/// What each variable's value is after the steps.
fn carried<'s>(
    checkpoint: &Checkpoint<'_>,
    steps: &[&'s VariableStep],
) -> Result<BTreeMap<String, Value<'s>>, CheckpointError> {
    let mut values: BTreeMap<_, _> =
        checkpoint.tensors.keys().map(|name| (name.clone(), Value::Of(name.clone()))).collect();
    for step in steps {
        let missing = |name: &str, values: &BTreeMap<String, Value<'_>>| CheckpointError::NoVariable {
            step: step.to_string(),
            hint: did_you_mean(name, values.keys().map(String::as_str)),
        };
        let (name, value) = match &step.change {
            VariableChange::Rename { from, to } => (to, values.remove(from).ok_or_else(|| missing(from, &values))?),
            VariableChange::Add { name, tensor } => (name, Value::New(tensor)),
            VariableChange::Remove { name } => {
                values.remove(name).ok_or_else(|| missing(name, &values))?;
                continue;
            }
        };
        let there = values.get(name).and_then(|there| match there {
            Value::Of(name) => checkpoint.tensors.get(name),
            Value::New(tensor) => Some(*tensor),
        });
        if let Some(Tensor { dtype, shape, .. }) = there {
            let (step, name, dtype, shape) = (step.to_string(), name.clone(), *dtype, shape.clone());
            return Err(CheckpointError::NameTaken { step, name, dtype, shape });
        }
        values.insert(name.clone(), value);
    }
    Ok(values)
}
