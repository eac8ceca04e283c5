//! A program without what a float or a quantised model does not need.

use std::collections::BTreeMap;

use oplock_core::{Kind, OpDef, Part};
use oplock_graph::{Export, is_clipped};

use super::Program;
use super::messages::OpVar;
use crate::models::Kept;

impl Program {
    /// Removes what an export removes by the table of Def, Quant and Extra; how many items that were. Everything else stays as it was
    /// read, attributes at their defaults and blocks that nothing names any more among it.
    ///
    /// Whether a program may be exported so, `oplock_graph::Program::export` says.
    pub fn clip(&mut self, ops: &BTreeMap<String, OpDef>, export: Export) -> usize {
        let mut removed = 0;
        for op in self.desc.blocks.iter_mut().flat_map(|block| &mut block.ops) {
            let Some(def) = ops.get(&op.r#type) else { continue };
            let goes = |part: Option<Part>, name: &str| part.is_some_and(|part| is_clipped(part, name, export));
            let mut args = |kind: Kind, vars: &mut Vec<Kept<OpVar>>| {
                let before = vars.len();
                vars.retain(|var| !goes(def.arg(kind, &var.parameter).map(|arg| arg.part), &var.parameter));
                removed += before - vars.len();
            };
            let op = &mut op.message;
            args(Kind::Input, &mut op.inputs);
            args(Kind::Output, &mut op.outputs);
            let before = op.attrs.len();
            op.attrs.retain(|attr| !goes(def.attr(&attr.name).map(|attr| attr.part), &attr.name));
            removed += before - op.attrs.len();
        }
        removed
    }
}
