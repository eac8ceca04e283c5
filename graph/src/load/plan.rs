//! What is to be checked of each node of an operator, found out once.

use std::collections::{BTreeSet, HashMap};

use oplock_core::lock::Since;
use oplock_core::{ArgDef, AttrDef, Deprecated, Kind, OpDef, Part, ScalarType, did_you_mean};

use super::problem::NodeProblem;
use crate::model::Export;
use crate::program::{Package, Program};
use crate::report::Place;

/// How often something was done, and where first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) first: Option<Place>,
    pub(crate) count: usize,
}

impl Tally {
    pub(crate) fn hit(&mut self, at: Place) {
        self.first.get_or_insert(at);
        self.count += 1;
    }
}

/// An input or output.
pub(crate) struct ArgPlan<'p> {
    pub(crate) def: &'p ArgDef,
    /// Whether a node must connect it.
    pub(crate) is_required: bool,
    /// Whether it was Extra for the writer.
    pub(crate) was_extra: bool,
    pub(crate) deprecated: Tally,
    pub(crate) dropped: Tally,
}

/// An attribute.
pub(crate) struct AttrPlan<'p> {
    pub(crate) def: &'p AttrDef,
    pub(crate) has_blocks: bool,
    pub(crate) filled: Tally,
    pub(crate) deprecated: Tally,
    pub(crate) dropped: Tally,
}

/// An operator of the program.
pub(crate) struct Plan<'p> {
    pub(crate) package: &'p Package,
    pub(crate) def: &'p OpDef,
    /// As of which data version its nodes must not use what is deprecated; `None` where they may, or where it was refused before.
    pub(crate) level: Option<u32>,
    /// Sorted by name, as the items of a node are.
    pub(crate) inputs: Vec<ArgPlan<'p>>,
    pub(crate) outputs: Vec<ArgPlan<'p>>,
    pub(crate) attrs: Vec<AttrPlan<'p>>,
    /// Whether it says of an operand how many variables that has.
    pub(crate) has_numbers: bool,
    /// The inputs and outputs that were Extra for the writer.
    pub(crate) was_extra: BTreeSet<(Kind, String)>,
    pub(crate) deprecated: Tally,
}

impl<'p> Plan<'p> {
    pub(crate) fn new(
        package: &'p Package,
        def: &'p OpDef,
        level: Option<u32>,
        export: Option<Export>,
        was_extra: BTreeSet<(Kind, String)>,
    ) -> Self {
        let args = |kind: Kind| {
            let arg = |def: &'p ArgDef| ArgPlan {
                def,
                is_required: is_required(def, export),
                was_extra: was_extra.contains(&(kind, def.name.to_string())),
                deprecated: Tally::default(),
                dropped: Tally::default(),
            };
            let mut args: Vec<_> = def.args(kind).iter().map(arg).collect();
            args.sort_by(|a, b| a.def.name.cmp(&b.def.name));
            args
        };
        let attr = |def: &'p AttrDef| AttrPlan {
            def,
            has_blocks: def.ty.scalar == ScalarType::Block,
            filled: Tally::default(),
            deprecated: Tally::default(),
            dropped: Tally::default(),
        };
        let mut attrs: Vec<_> = def.attrs.iter().map(attr).collect();
        attrs.sort_by(|a, b| a.def.name.cmp(&b.def.name));
        let (inputs, outputs) = (args(Kind::Input), args(Kind::Output));
        let says_number =
            |arg: &ArgDef| arg.duplicable && (arg.min.is_some() || arg.count.is_some() || arg.ty.is_some());
        let has_numbers = def.inputs.iter().chain(def.outputs.iter()).any(says_number);
        let deprecated = Tally::default();
        Plan { package, def, level, inputs, outputs, attrs, has_numbers, was_extra, deprecated }
    }

    /// The problem of an item that the operator does not have.
    pub(crate) fn unknown_item(&self, kind: Kind, name: &str, is_told: bool) -> NodeProblem {
        let is_extra = match kind {
            Kind::Attr => self.def.attr(name).is_some(),
            _ => self.def.arg(kind, name).is_some(),
        };
        let names = self.def.item_names().filter(|(other, _)| *other == kind).map(|(_, name)| name);
        // A number is the place of an operand of another system that the definition has no name for, and no misspelt name.
        let is_place = name.bytes().all(|byte| byte.is_ascii_digit());
        let hint = if is_place || !is_told { String::new() } else { did_you_mean(name, names) };
        NodeProblem::UnknownItem { kind, name: name.to_owned(), is_extra, hint }
    }

    /// The problem of using what is deprecated, where the data is too young for it.
    pub(crate) fn deprecated(&self, deprecated: &Deprecated, item: Option<(Kind, &str)>) -> Option<NodeProblem> {
        let producer = self.level.filter(|level| *level >= deprecated.version)?;
        Some(NodeProblem::Deprecated {
            package: self.package.name.clone(),
            item: item.map(|(kind, name)| (kind, name.to_owned())),
            version: deprecated.version,
            producer,
            note: deprecated.note.to_string(),
        })
    }
}

/// Whether a node must connect an operand: what is Extra never, what is Quant not after a quantised export.
pub(crate) fn is_required(arg: &ArgDef, export: Option<Export>) -> bool {
    let is_there = match arg.part {
        Part::Def => true,
        Part::Quant => export != Some(Export::Quantised),
        Part::Extra => false,
    };
    is_there && !arg.dispensable && !arg.intermediate
}

/// The plans of all operators of a graph.
pub(crate) struct Plans<'p> {
    program: &'p Program,
    index: HashMap<String, usize>,
    pub(crate) list: Vec<Result<Plan<'p>, NodeProblem>>,
}

impl<'p> Plans<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Plans { program, index: HashMap::new(), list: Vec::new() }
    }

    /// The plan of an operator; `make` is asked once for each.
    pub(crate) fn get(
        &mut self,
        op: &str,
        make: impl FnOnce(&'p Program, &str) -> Result<Plan<'p>, NodeProblem>,
    ) -> &mut Result<Plan<'p>, NodeProblem> {
        let index = if let Some(index) = self.index.get(op) {
            *index
        } else {
            self.list.push(make(self.program, op));
            self.index.insert(op.to_owned(), self.list.len() - 1);
            self.list.len() - 1
        };
        &mut self.list[index]
    }

    /// The plan of an operator that was asked for before.
    pub(crate) fn known(&self, op: &str) -> Option<&Result<Plan<'p>, NodeProblem>> {
        self.index.get(op).map(|index| &self.list[*index])
    }
}

/// The problem of an operator that no package of the program has.
///
/// Names that are near are sought only where they are told.
pub(crate) fn unknown_op(package: &Package, op: &str, is_told: bool) -> NodeProblem {
    let rows = package.lock.rows_of(op).filter(|(_, row)| row.rule == "op_deleted");
    let deleted = rows.filter_map(|(key, _)| key.release.clone()).last();
    let hint = if is_told { did_you_mean(op, package.ops.keys().map(String::as_str)) } else { String::new() };
    NodeProblem::UnknownOp { package: package.name.clone(), deleted: deleted.filter(|_| !is_locked(package, op)), hint }
}

fn is_locked(package: &Package, op: &str) -> bool {
    package.lock.ops.get(op).is_some_and(|entry| matches!(entry.stamp.since, Some(Since::Release(_))))
}
