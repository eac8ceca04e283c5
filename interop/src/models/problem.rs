//! Why a model does not load, for a report: the operator, the item, and both sides.

use oplock_core::Kind;
use oplock_graph::{NodeProblem, Place, Problem, VersionProblem};

use super::{Fault, Foreign};

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProblem {
    /// What kind of reason, as a word that does not change: `unknown_op`, `attribute_type`, ….
    pub code: &'static str,
    /// The operator.
    pub op: Option<String>,
    /// The item.
    pub item: Option<(Kind, String)>,
    /// The node.
    pub at: Option<Place>,
    /// The block of the node, as the file has it.
    pub block: Option<String>,
    /// What the model has.
    pub model: Option<String>,
    /// What the definitions say.
    pub definition: Option<String>,
    /// All of it as text, with what helps.
    pub message: String,
}

/// What many models may have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// What kind of reason.
    pub code: &'static str,
    /// The operator.
    pub op: Option<String>,
    /// The item.
    pub item: Option<String>,
}

impl ModelProblem {
    /// What it has in common with others.
    pub fn cause(&self) -> Cause {
        let item = self.item.as_ref().map(|(_, name)| name.clone());
        Cause { code: self.code, op: self.op.clone(), item }
    }

    /// A reason that is not of a node.
    pub(super) fn of_whole(code: &'static str, message: String) -> Self {
        ModelProblem { code, op: None, item: None, at: None, block: None, model: None, definition: None, message }
    }

    /// A reason that a graph does not show.
    pub(super) fn of_fault(fault: &Fault, foreign: &Foreign) -> Self {
        let message = format!("`{}` ({}): {}", fault.op, fault.at, fault.what);
        let block = foreign.blocks.get(fault.at.block).cloned();
        ModelProblem {
            op: Some(fault.op.clone()),
            at: Some(fault.at),
            block,
            model: fault.sides.as_ref().map(|(model, _)| model.clone()),
            definition: fault.sides.as_ref().map(|(_, definition)| definition.clone()),
            ..ModelProblem::of_whole(fault.code, message)
        }
    }

    /// What loading says.
    pub(super) fn of_problem(problem: &Problem, foreign: &Foreign) -> Self {
        let message = problem.to_string();
        match problem {
            Problem::Node { at, op, problem } => of_node(*at, op, problem, message, foreign),
            Problem::Version(problem) => ModelProblem::of_whole(version_code(problem), message),
            Problem::NoBlock => ModelProblem::of_whole("no_block", message),
            Problem::Ring { .. } => ModelProblem::of_whole("ring", message),
            Problem::NotLoaded { .. } => ModelProblem::of_whole("not_loaded", message),
            Problem::ExportedOtherwise { .. } => ModelProblem::of_whole("exported_otherwise", message),
        }
    }
}

fn version_code(problem: &VersionProblem) -> &'static str {
    match problem {
        VersionProblem::Malformed { .. } => "malformed_record",
        VersionProblem::Newer { .. } => "newer_writer",
        VersionProblem::TooOld { .. } => "too_old",
        VersionProblem::TooNew { .. } => "too_new",
        VersionProblem::BadConsumer { .. } => "bad_consumer",
        VersionProblem::NeedsRelease { .. } => "needs_release",
        VersionProblem::NothingShared { .. } => "nothing_shared",
        VersionProblem::Unpromised { .. } => "unpromised",
        VersionProblem::Unrecorded { .. } => "stale_reader",
        _ => "owner",
    }
}

/// What a node has under a name.
fn found(foreign: &Foreign, at: Place, kind: Kind, name: &str) -> Option<String> {
    let node = foreign.graph.blocks.get(at.block)?.nodes.get(at.node)?;
    match kind {
        Kind::Attr => node.attrs.get(name).or_else(|| node.extra.get(name)).map(|value| short(&value.to_string())),
        _ => node.args(kind).get(name).map(|variables| short(&variables.join(", "))),
    }
}

/// The beginning of a text.
fn short(text: &str) -> String {
    if text.chars().count() <= 120 { text.to_owned() } else { text.chars().take(120).chain(['…']).collect() }
}

fn of_node(at: Place, op: &str, problem: &NodeProblem, message: String, foreign: &Foreign) -> ModelProblem {
    if let NodeProblem::Made { problem, .. } = problem {
        return of_node(at, op, problem, message, foreign);
    }
    let mut told = ModelProblem {
        op: Some(op.to_owned()),
        at: Some(at),
        block: foreign.blocks.get(at.block).cloned(),
        ..ModelProblem::of_whole("refused", message)
    };
    let mut set = |code, item: Option<(Kind, &String)>, model: Option<String>, definition: Option<String>| {
        told.code = code;
        told.item = item.map(|(kind, name)| (kind, name.clone()));
        told.model = model;
        told.definition = definition;
    };
    let some = |text: &str| Some(text.to_owned());
    match problem {
        NodeProblem::UnknownOp { deleted, .. } => {
            let deleted = deleted.as_ref().map(|release| format!("deleted in {release}"));
            set("unknown_op", None, some("used"), deleted.or_else(|| some("not there")));
        }
        NodeProblem::UnknownItem { kind, name, is_extra, .. } => {
            let code = match kind {
                Kind::Input => "unknown_input",
                Kind::Output => "unknown_output",
                Kind::Attr => "unknown_attribute",
            };
            let definition = some(if *is_extra { "Extra" } else { "not there" });
            set(code, Some((*kind, name)), found(foreign, at, *kind, name), definition);
        }
        NodeProblem::NotConnected { kind, name } => {
            let code = if *kind == Kind::Input { "missing_input" } else { "missing_output" };
            set(code, Some((*kind, name)), some("not connected"), some("required"));
        }
        NodeProblem::TooMany { kind, name, found } => {
            set("operand_count", Some((*kind, name)), Some(format!("{found} variables")), some("one variable"));
        }
        NodeProblem::Number { kind, name, found, expected } => {
            set("operand_count", Some((*kind, name)), Some(format!("{found} variables")), Some(expected.clone()));
        }
        NodeProblem::OperandType { kind, name, found, expected, .. } => {
            set("operand_type", Some((*kind, name)), Some(found.clone()), Some(expected.clone()));
        }
        NodeProblem::MissingAttr { name } => {
            set("missing_attribute", Some((Kind::Attr, name)), some("not there"), some("required, without a default"));
        }
        NodeProblem::Type { name, expected, found: ty } | NodeProblem::NotExact { name, expected, found: ty, .. } => {
            let value = found(foreign, at, Kind::Attr, name);
            let model = value.map_or_else(|| ty.clone(), |value| format!("{value} of type {ty}"));
            set("attribute_type", Some((Kind::Attr, name)), Some(model), Some(expected.clone()));
        }
        NodeProblem::NotAllowed { name, value, allowed } => {
            set("attribute_value", Some((Kind::Attr, name)), Some(short(value)), Some(allowed.clone()));
        }
        NodeProblem::TooSmall { name, value, min, .. } => {
            set("attribute_value", Some((Kind::Attr, name)), Some(short(value)), Some(format!("at least {min}")));
        }
        NodeProblem::Deprecated { item, version, producer, .. } => {
            let item = item.as_ref().map(|(kind, name)| (*kind, name));
            let definition = Some(format!("deprecated since version {version}"));
            set("deprecated", item, Some(format!("used, at version {producer}")), definition);
        }
        NodeProblem::NoSuchBlock { name, block, blocks } => {
            let definition = Some(format!("{blocks} blocks"));
            set("no_such_block", Some((Kind::Attr, name)), Some(format!("block {block}")), definition);
        }
        NodeProblem::OutputIsRead { output, variable, .. } => {
            set("output_is_read", Some((Kind::Output, output)), Some(variable.clone()), some("removed"));
        }
        NodeProblem::QuantIsLost { kind, name, value } => {
            set("quant_is_lost", Some((*kind, name)), Some(short(value)), some("Quant"));
        }
        NodeProblem::Made { .. } => {}
        NodeProblem::Upgrade { version, reason, .. } => {
            set("upgrade", None, Some(reason.clone()), Some(format!("upgraded to data version {version}")));
        }
        NodeProblem::BothNames { kind, old, new, .. } => {
            set("both_names", Some((*kind, new)), Some(format!("{old} and {new}")), some("one of them"));
        }
        NodeProblem::NotExtra { name } => {
            set("not_extra", Some((Kind::Attr, name)), some("Extra"), some("not Extra"));
        }
    }
    told
}
