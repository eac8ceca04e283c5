//! The places of operands: the files of ONNX and `TensorFlow` state them by their order, a lock by numbers where its
//! package promises them, and a `.spec` does not.

use std::collections::BTreeMap;
use std::path::Path;

use oplock_core::{ArgDef, OpDef};
use oplock_interop::Stated;

use crate::definitions::Definitions;
use crate::shell;

impl Definitions {
    /// Whether the operands have places.
    pub(crate) fn has_places(&self) -> bool {
        match (&self.lock, &self.stated) {
            (Some(lock), _) => lock.positional,
            (None, Some(Stated::Schemas(_) | Stated::OpList(_))) => true,
            (None, None | Some(Stated::Spec(_))) => self.ops.values().any(|op| args(op).any(|arg| arg.at.is_some())),
        }
    }

    /// Each operand with its number, where they have places.
    pub(crate) fn numbered(mut self) -> Self {
        if self.has_places() {
            each(&mut self.ops, OpDef::numbered);
        }
        self
    }

    /// The operands in the order of their places, for a form that states them by it. The file is for a warning.
    pub(crate) fn in_order(mut self, file: Option<&Path>) -> Self {
        if !self.has_places() && self.ops.values().any(|op| op.inputs.len() > 1 || op.outputs.len() > 1) {
            let whose =
                file.map_or_else(|| "these operands".to_owned(), |file| format!("the operands of {}", file.display()));
            shell::warning(
                format_args!("{whose} have no places, and so stand in the order of their names"),
                "a package that says `lock! { operands = \"positional\"; }` promises their places",
            );
        }
        each(&mut self.ops, |op| op.in_order().unnumbered());
        self
    }
}

/// Places are compared where both files have them. Two locks say for themselves whether they promise them.
pub(crate) fn settle(old: &mut Definitions, new: &mut Definitions) {
    if old.lock.is_some() && new.lock.is_some() {
        return;
    }
    let both = old.has_places() && new.has_places();
    for definitions in [old, new] {
        each(&mut definitions.ops, if both { OpDef::numbered } else { OpDef::unnumbered });
    }
}

fn args(op: &OpDef) -> impl Iterator<Item = &ArgDef> {
    op.inputs.iter().chain(op.outputs.iter())
}

fn each(ops: &mut BTreeMap<String, OpDef>, change: impl Fn(OpDef) -> OpDef) {
    for op in ops.values_mut() {
        *op = change(std::mem::replace(op, OpDef::new("")));
    }
}
