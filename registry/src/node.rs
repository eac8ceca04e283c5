//! A node: an operator's values by the names under which they are saved.

use std::fmt;

use oplock_model::{ArgDef, AttrDef, Kind, Map, OpDef, Part, Value, ValueError};

use crate::__private::{Reader, Writer};
use crate::{Op, Registry};

/// One use of an operator: its operands and attributes by their saved names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The saved name of the operator.
    pub op: String,
    /// The names of the variables of each input; an input without variables may be left out.
    pub inputs: Map<String, Vec<String>>,
    /// The names of the variables of each output.
    pub outputs: Map<String, Vec<String>>,
    /// The attributes; one that is left out has its default.
    pub attrs: Map<String, Value>,
    /// The attributes that are Extra for who wrote the node, and of which nothing is promised.
    pub extra: Map<String, Value>,
}

impl Node {
    /// A node without operands and attributes.
    pub fn new(op: impl Into<String>) -> Self {
        Node { op: op.into(), ..Node::default() }
    }

    /// The node as an operator of the program.
    ///
    /// # Errors
    ///
    /// [`BindError`], when the node is not a well formed use of that operator.
    pub fn bind<T: Bind>(&self) -> Result<T, BindError> {
        let def = T::def();
        check(def, self)?;
        let reader = Reader::new(def, self);
        let op = T::read(&reader);
        match reader.into_error() {
            Some(error) => Err(error),
            None => Ok(op.unwrap_or_else(|| unreachable!("a reader says why it gives nothing"))),
        }
    }

    /// The variables of the inputs or outputs.
    pub fn args(&self, kind: Kind) -> &Map<String, Vec<String>> {
        if kind == Kind::Output { &self.outputs } else { &self.inputs }
    }

    /// The attributes among which one of that part stands.
    pub fn attrs_of(&self, part: Part) -> &Map<String, Value> {
        if part == Part::Extra { &self.extra } else { &self.attrs }
    }

    /// [`Node::attrs_of`], to change them.
    pub fn attrs_of_mut(&mut self, part: Part) -> &mut Map<String, Value> {
        if part == Part::Extra { &mut self.extra } else { &mut self.attrs }
    }
}

/// An operator that converts to and from a [`Node`].
///
/// `#[op]` implements it where the fields of all operands are [`crate::Operand`]s, and for operators that list
/// their operands in the header: those convert their attributes.
pub trait Bind: Op {
    /// Reads the fields.
    #[doc(hidden)]
    fn read(reader: &Reader<'_>) -> Option<Self>;

    /// Writes the fields.
    #[doc(hidden)]
    fn write(&self, writer: &mut Writer<'_>);

    /// The operator as a node; attributes that have their default are written too.
    ///
    /// # Errors
    ///
    /// When an attribute's value cannot be saved in its type, or is less than its minimum or none of those allowed. How many variables
    /// operands have is judged by who reads or saves the node.
    fn into_node(self) -> Result<Node, BindError> {
        let mut node = Node::new(Self::def().name.as_ref());
        let mut writer = Writer::new(Self::def(), &mut node);
        self.write(&mut writer);
        match writer.into_error() {
            None => Ok(node),
            Some(error) => Err(error),
        }
    }
}

/// Why a node is no well formed use of an operator, or an operator cannot be written as a node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindError {
    /// The node is of another operator.
    OtherOp {
        /// The operator that was asked for.
        expected: String,
        /// The operator of the node.
        found: String,
    },
    /// The operator has no such input, output or attribute.
    Unknown {
        /// The operator.
        op: String,
        /// Input, output or attribute.
        kind: Kind,
        /// Its name in the node.
        name: String,
    },
    /// An input or output has too many or too few variables.
    Count {
        /// The operator.
        op: String,
        /// Input or output.
        kind: Kind,
        /// Its name.
        name: String,
        /// How many it may have: `one`, `at most one`, `one or more`.
        expected: &'static str,
        /// How many it has.
        found: usize,
    },
    /// An input or output has not as many variables as it says itself or as an attribute says.
    Number {
        /// The operator.
        op: String,
        /// Input or output.
        kind: Kind,
        /// Its name.
        name: String,
        /// How many it must have, and what says so.
        expected: String,
        /// How many it has.
        found: usize,
    },
    /// An attribute stands among those of the other part.
    Place {
        /// The operator.
        op: String,
        /// The attribute.
        name: String,
        /// Whether it stands among the Extra ones; the operator has it as the opposite.
        extra: bool,
    },
    /// An attribute without a default is not there.
    Missing {
        /// The operator.
        op: String,
        /// The attribute.
        name: String,
    },
    /// An attribute has a value that it cannot have.
    Value {
        /// The operator.
        op: String,
        /// The attribute.
        name: String,
        /// What is wrong with the value.
        error: ValueError,
    },
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindError::OtherOp { expected, found } => write!(f, "the node is of operator `{found}`, not `{expected}`"),
            BindError::Unknown { op, kind, name } => write!(f, "operator `{op}` has no {kind} `{name}`"),
            BindError::Count { op, kind, name, expected, found } => {
                write!(f, "{kind} `{name}` of `{op}` takes {expected} variable, the node has {found}")
            }
            BindError::Number { op, kind, name, expected, found } => {
                write!(f, "the number of variables of {kind} `{name}` of `{op}` is {expected}, the node has {found}")
            }
            BindError::Place { op, name, extra: true } => {
                write!(
                    f,
                    "attribute `{name}` of `{op}` is not Extra, and the node has it among the Extra ones (`extra`)"
                )
            }
            BindError::Place { op, name, extra: false } => {
                write!(
                    f,
                    "attribute `{name}` of `{op}` is Extra, and the node has it among the promised ones (`attrs`)"
                )
            }
            BindError::Missing { op, name } => {
                write!(f, "attribute `{name}` of `{op}` is missing, and it has no default")
            }
            BindError::Value { op, name, error } => write!(f, "attribute `{name}` of `{op}`: {error}"),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BindError::Value { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// What every node must be, whatever the types of the fields.
fn check(def: &OpDef, node: &Node) -> Result<(), BindError> {
    let op = || def.name.to_string();
    if node.op != def.name {
        return Err(BindError::OtherOp { expected: op(), found: node.op.clone() });
    }
    let unknown = |kind, name: &str| Err(BindError::Unknown { op: op(), kind, name: name.to_owned() });
    for kind in [Kind::Input, Kind::Output] {
        if let Some(name) = node.args(kind).keys().find(|name| def.arg(kind, name).is_none()) {
            return unknown(kind, name);
        }
        for arg in def.args(kind) {
            let found = node.args(kind).get(arg.name.as_ref()).map_or(0, Vec::len);
            let expected = match (arg.duplicable, arg.dispensable) {
                (false, false) if found != 1 => "one",
                (false, true) if found > 1 => "at most one",
                (true, false) if found == 0 => "at least one",
                _ => match number(def, arg, found, node) {
                    None => continue,
                    Some(expected) => {
                        let name = arg.name.to_string();
                        return Err(BindError::Number { op: op(), kind, name, expected, found });
                    }
                },
            };
            return Err(BindError::Count { op: op(), kind, name: arg.name.to_string(), expected, found });
        }
    }
    let promised = node.attrs.iter().map(|attr| (attr, false));
    for ((name, value), extra) in promised.chain(node.extra.iter().map(|attr| (attr, true))) {
        // What all operators of the package have stays on the node.
        let of_all = || Registry::global().ok().and_then(|all| all.get(&def.name)?.common?.attr(name));
        let Some(attr) = def.attr(name).or_else(of_all) else { return unknown(Kind::Attr, name) };
        if extra != (attr.part == Part::Extra) {
            return Err(BindError::Place { op: op(), name: name.clone(), extra });
        }
        if !value.fits(attr.ty) {
            let error = ValueError { expected: attr.ty, found: value.describe() };
            return Err(BindError::Value { op: op(), name: name.clone(), error });
        }
        if let Some(error) = not_allowed(attr, value) {
            return Err(BindError::Value { op: op(), name: name.clone(), error });
        }
    }
    Ok(())
}

/// What is wrong with a value of an attribute's type that the attribute does not allow.
pub(crate) fn not_allowed(attr: &AttrDef, value: &Value) -> Option<ValueError> {
    let found = match attr.outside(value) {
        Some(other) => format!("{other:?}, which is none of {:?}", attr.values),
        None if attr.is_enough(value) => return None,
        None => format!("{value}, and at least {} is allowed", attr.min.unwrap_or_default()),
    };
    Some(ValueError { expected: attr.ty, found })
}

/// How many variables an operand must have that has another number; an absent attribute is its default.
fn number(def: &OpDef, arg: &ArgDef, found: usize, node: &Node) -> Option<String> {
    let value = |name: &str| {
        let stated = node.attrs.get(name).or_else(|| node.extra.get(name));
        stated.or_else(|| def.attr(name)?.default.as_ref())
    };
    def.wrong_number(arg, found, value).map(|wrong| wrong.to_string())
}
