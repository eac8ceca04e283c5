//! The steps that a graph's upgrades took, taken by the values of its variables.

use std::collections::BTreeMap;

use oplock_core::did_you_mean;

use super::{Checkpoint, CheckpointError, CheckpointOptions, Tensor};
use crate::load::Loaded;
use crate::program::Program;
use crate::report::{Note, Report};
use crate::upgrade::{VariableChange, VariableStep};

impl Program {
    /// Judges a checkpoint as [`Program::check_checkpoint`] does, and makes it one of the graph that was loaded: what upgrades did to the
    /// graph's variables ([`Loaded::variables`]) is done to their values.
    ///
    /// Steps up to the data version of graphs that the checkpoint's writer had are left out, so a checkpoint that was carried over and
    /// written again is not carried over twice. One without a record (`allow_unrecorded`) is taken to be as old as the graph was.
    ///
    /// Where something was changed, the checkpoint is this program's from then on, as after [`Program::stamp_checkpoint`]. On an error it is
    /// what it was.
    ///
    /// # Errors
    ///
    /// As [`Program::check_checkpoint`], and [`CheckpointError::NoVariable`] and [`CheckpointError::NameTaken`], when the checkpoint
    /// does not suit the graph.
    pub fn upgrade_checkpoint(
        &self,
        checkpoint: &mut Checkpoint<'_>,
        loaded: &Loaded,
        options: CheckpointOptions,
    ) -> Result<Report, CheckpointError> {
        let (mut report, levels) = self.judge(checkpoint, options)?;
        let is_new = |step: &&VariableStep| levels.get(&step.package).is_none_or(|level| *level < step.version);
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
