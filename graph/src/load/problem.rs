//! What can be wrong with a node.

use std::fmt;

use oplock_core::Kind;
use semver::Version;

use crate::report::Place;

/// What is wrong with a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeProblem {
    /// No package of the program has the operator.
    UnknownOp {
        /// The package of which it should be.
        package: String,
        /// The release that deleted it, where one did.
        deleted: Option<Version>,
        /// `; did you mean …?`, or nothing.
        hint: String,
    },
    /// The operator has no such item.
    UnknownItem {
        /// Input, output or attribute.
        kind: Kind,
        /// Its name.
        name: String,
        /// Whether there is something Extra of that name, which promises nothing.
        is_extra: bool,
        /// `; did you mean …?`, or nothing.
        hint: String,
    },
    /// An attribute that the operator promises stands among the Extra ones.
    NotExtra {
        /// The attribute.
        name: String,
    },
    /// A required input or output is not connected.
    NotConnected {
        /// Input or output.
        kind: Kind,
        /// Its name.
        name: String,
    },
    /// Several variables where one is taken.
    TooMany {
        /// Input or output.
        kind: Kind,
        /// Its name.
        name: String,
        /// How many variables there are.
        found: usize,
    },
    /// Another number of variables than the operand must have.
    Number {
        /// Input or output.
        kind: Kind,
        /// Its name.
        name: String,
        /// How many there are.
        found: usize,
        /// How many there must be, and what says so.
        expected: String,
    },
    /// A variable of an operand is of another element type than the operand takes.
    OperandType {
        /// Input or output.
        kind: Kind,
        /// The operand.
        name: String,
        /// The variable.
        variable: String,
        /// Its type.
        found: String,
        /// The type that it must have, or the types that it may, and what says so.
        expected: String,
    },
    /// An attribute without a default is not there.
    MissingAttr {
        /// The attribute.
        name: String,
    },
    /// The value of an attribute is of another type.
    Type {
        /// The attribute.
        name: String,
        /// Its type.
        expected: String,
        /// The type of the value.
        found: String,
    },
    /// The value of an attribute is no value of its type.
    NotExact {
        /// The attribute.
        name: String,
        /// Its type.
        expected: String,
        /// The type of the value.
        found: String,
        /// The value.
        value: String,
    },
    /// The value of an enumeration is none of those allowed.
    NotAllowed {
        /// The attribute.
        name: String,
        /// The value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A number is below the minimum, or a list is shorter than it must be.
    TooSmall {
        /// The attribute.
        name: String,
        /// The value.
        value: String,
        /// The length of a list; `None` for a number.
        length: Option<usize>,
        /// The least value, or the least length.
        min: i64,
    },
    /// It uses what is deprecated.
    Deprecated {
        /// The package.
        package: String,
        /// The item; `None` for the operator.
        item: Option<(Kind, String)>,
        /// Since which data version.
        version: u32,
        /// The data version of the graph.
        producer: u32,
        /// What to use instead.
        note: String,
    },
    /// It has an item under its old name and under its new one.
    BothNames {
        /// Input, output or attribute.
        kind: Kind,
        /// The old name.
        old: String,
        /// The new name.
        new: String,
        /// Whether it has the old one only by the default of its time: the file has the new one alone.
        is_absent: bool,
    },
    /// It names a block that is not there.
    NoSuchBlock {
        /// The attribute.
        name: String,
        /// The block.
        block: u32,
        /// How many blocks there are.
        blocks: usize,
    },
    /// Its upgrade function refuses it.
    Upgrade {
        /// The package.
        package: String,
        /// The data version of the break.
        version: u32,
        /// Why.
        reason: String,
    },
    /// An upgrade function made it so: the fault is not the file's.
    Made {
        /// The package.
        package: String,
        /// The operator whose nodes the function upgrades.
        op: String,
        /// The data version of the break: the function upgrades what was saved before it.
        before: u32,
        /// What is wrong.
        problem: Box<NodeProblem>,
    },
    /// Its output is to be removed, and something reads it.
    OutputIsRead {
        /// The output.
        output: String,
        /// The variable.
        variable: String,
        /// The node that reads it, with its operator; `None` where it is a result of a block.
        reader: Option<(Place, String)>,
        /// Why it is removed, as a clause.
        because: &'static str,
    },
    /// An export would remove a Quant item that is not its default.
    QuantIsLost {
        /// Input, output or attribute.
        kind: Kind,
        /// The item.
        name: String,
        /// Its value or variables.
        value: String,
    },
}

/// A problem with where it is.
struct Told<'a> {
    problem: &'a NodeProblem,
    op: &'a str,
    at: Place,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.write(f, self.op, self.at)
    }
}

impl NodeProblem {
    /// What is wrong with the node, whoever made it so.
    pub(crate) fn cause(&self) -> &NodeProblem {
        match self {
            NodeProblem::Made { problem, .. } => problem.cause(),
            problem => problem,
        }
    }

    /// The item with which something is wrong; none where it is the operator.
    pub(crate) fn item(&self) -> Option<(Kind, &str)> {
        match self {
            NodeProblem::UnknownItem { kind, name, .. }
            | NodeProblem::NotConnected { kind, name }
            | NodeProblem::TooMany { kind, name, .. }
            | NodeProblem::Number { kind, name, .. }
            | NodeProblem::OperandType { kind, name, .. }
            | NodeProblem::QuantIsLost { kind, name, .. }
            | NodeProblem::BothNames { kind, new: name, .. } => Some((*kind, name)),
            NodeProblem::NotExtra { name }
            | NodeProblem::MissingAttr { name }
            | NodeProblem::Type { name, .. }
            | NodeProblem::NotExact { name, .. }
            | NodeProblem::NotAllowed { name, .. }
            | NodeProblem::TooSmall { name, .. }
            | NodeProblem::NoSuchBlock { name, .. } => Some((Kind::Attr, name)),
            NodeProblem::OutputIsRead { output, .. } => Some((Kind::Output, output)),
            NodeProblem::Deprecated { item, .. } => item.as_ref().map(|(kind, name)| (*kind, name.as_str())),
            NodeProblem::Made { problem, .. } => problem.item(),
            NodeProblem::UnknownOp { .. } | NodeProblem::Upgrade { .. } => None,
        }
    }

    /// Writes it as a sentence that names the operator and where the node is.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, op: &str, at: Place) -> fmt::Result {
        match self {
            NodeProblem::UnknownOp { package, deleted: Some(release), .. } => write!(
                f,
                "operator `{op}` ({at}) was deleted in {package} {release}\n  \
                 help: save the graph again without it, or use an older release of {package}"
            ),
            NodeProblem::UnknownOp { package, deleted: None, hint } => write!(
                f,
                "{package} has no operator `{op}` here{hint} ({at})\n  help: upgrade {package}, or save the graph without it"
            ),
            NodeProblem::UnknownItem { kind, name, is_extra: true, .. } => write!(
                f,
                "{kind} `{name}` of `{op}` ({at}) is promised by who saved it, and here it is Extra, which promises nothing\n  \
                 help: upgrade the package of `{op}`, or save the graph without `{name}`"
            ),
            NodeProblem::UnknownItem { kind, name, hint, .. } => write!(
                f,
                "`{op}` has no {kind} `{name}` here{hint} ({at})\n  \
                 help: upgrade the package of `{op}`, or save the graph without `{name}`"
            ),
            NodeProblem::NotExtra { name } => write!(
                f,
                "attribute `{name}` of `{op}` ({at}) is not Extra, and stands among the Extra ones\n  \
                 help: put it into `attrs`"
            ),
            NodeProblem::NotConnected { kind, name } => {
                write!(f, "{kind} `{name}` of `{op}` is required, and not connected ({at})\n  help: connect it")
            }
            NodeProblem::TooMany { kind, name, found } => write!(
                f,
                "{kind} `{name}` of `{op}` takes one variable, not {found} ({at})\n  help: connect only one variable to it"
            ),
            NodeProblem::Number { kind, name, found, expected } => write!(
                f,
                "{kind} `{name}` of `{op}` takes {expected}, and {found} {} connected ({at})\n  \
                 help: connect as many variables to it",
                if *found == 1 { "variable is" } else { "variables are" }
            ),
            NodeProblem::OperandType { kind, name, variable, found, expected } => {
                let (takes, convert) =
                    if *kind == Kind::Output { ("gives", "") } else { ("takes", "convert it before, or ") };
                write!(
                    f,
                    "{kind} `{name}` of `{op}` {takes} {expected}, and `{variable}` is {found} ({at})\n  \
                     help: {convert}hold it against a release whose `{op}` {takes} {found}"
                )
            }
            NodeProblem::MissingAttr { name } => {
                write!(f, "attribute `{name}` of `{op}` is missing, and has no default ({at})\n  help: state it")
            }
            NodeProblem::Type { name, expected, found } => write!(
                f,
                "attribute `{name}` of `{op}` is of type `{expected}`, and the graph has a value of type `{found}` ({at})\n  \
                 help: save it as `{expected}`"
            ),
            NodeProblem::NotExact { name, expected, found, value } => write!(
                f,
                "attribute `{name}` of `{op}` is of type `{expected}`, which has no value that is exactly the `{found}` {value} \
                 ({at})\n  help: save it as `{expected}`"
            ),
            NodeProblem::NotAllowed { name, value, allowed } => write!(
                f,
                "attribute `{name}` of `{op}` is {value}, and only {allowed} are allowed ({at})\n  \
                 help: set one of them, or upgrade the package of `{op}`"
            ),
            NodeProblem::TooSmall { name, value, length: None, min } => write!(
                f,
                "attribute `{name}` of `{op}` is {value}, and must be at least {min} ({at})\n  \
                 help: set it to {min} or more, or upgrade the package of `{op}`"
            ),
            NodeProblem::TooSmall { name, length: Some(length), min, .. } => write!(
                f,
                "attribute `{name}` of `{op}` is a list of length {length}, and its length must be at least {min} ({at})\n  \
                 help: give it as many elements, or upgrade the package of `{op}`"
            ),
            NodeProblem::Deprecated { package, item, version, producer, note } => {
                match item {
                    None => write!(f, "operator `{op}`")?,
                    Some((kind, name)) => write!(f, "{kind} `{name}` of `{op}`")?,
                }
                write!(
                    f,
                    " is deprecated since data version {version} of {package}, and this data is of version {producer} ({at})\n  \
                     help: {note}"
                )
            }
            NodeProblem::BothNames { kind, old, new, is_absent: true } => write!(
                f,
                "`{op}` ({at}) has {kind} `{new}`, and in data of its version the name of that is `{old}`, which it does not have\n  \
                 help: name it `{old}`, or save it with a release that has `{new}`"
            ),
            NodeProblem::BothNames { kind, old, new, .. } => write!(
                f,
                "`{op}` ({at}) has {kind} `{old}` and {kind} `{new}`, which are the old and the new name of one {kind}\n  \
                 help: keep only `{new}`"
            ),
            NodeProblem::NoSuchBlock { name, block, blocks } => write!(
                f,
                "attribute `{name}` of `{op}` names block {block}, and the graph has {blocks} ({at})\n  \
                 help: the file is damaged, or who made it counts blocks from 1"
            ),
            NodeProblem::Upgrade { package, version, reason } => write!(
                f,
                "`{op}` ({at}) cannot be upgraded to data version {version} of {package}: {reason}\n  \
                 help: load the graph with an older release of {package}, and save it without this"
            ),
            NodeProblem::Made { package, op: of, before, problem } => {
                let what = Told { problem, op, at }.to_string();
                let what = what.lines().next().unwrap_or_default();
                write!(
                    f,
                    "what the upgrade function of `{of}` before {before} made does not fit: {what}\n  \
                     help: mend the function, which is one of {package}; no file can be mended for it"
                )
            }
            NodeProblem::OutputIsRead { output, variable, reader, because } => {
                write!(f, "output `{output}` of `{op}` ({at}) {because}, and its variable `{variable}` is ")?;
                match reader {
                    Some((place, reader)) => write!(f, "read by `{reader}` ({place})")?,
                    None => f.write_str("a result of a block")?,
                }
                write!(f, "\n  help: remove what reads `{variable}` first")
            }
            NodeProblem::QuantIsLost { kind, name, value } => write!(
                f,
                "{kind} `{name}` of `{op}` serves quantisation and is {value}, which is not its default: a quantised model would lose \
                 it ({at})\n  help: if it is applied already, allow it to be dropped (`drop_quant`)"
            ),
        }
    }
}
