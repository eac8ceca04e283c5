//! The wires of an operator: which types a field of an input or output may have.

use std::fmt;

/// The name of a value in a graph: the usual type of an operand.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub String);

impl From<&str> for Var {
    fn from(name: &str) -> Self {
        Var(name.to_owned())
    }
}

impl From<String> for Var {
    fn from(name: String) -> Self {
        Var(name)
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A type that stands for one variable of a graph.
///
/// Fields of an operator's inputs and outputs may have any type; the operator converts to and from a
/// [`crate::Node`] where theirs are operands.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not stand for a variable of a graph, so this operator does not convert to and from a node",
    label = "does not implement `Operand`",
    note = "`impl oplock::Operand for {Self}`, or declare the field as `oplock::Var`"
)]
pub trait Operand: Sized {
    /// The value that stands for the variable of that name.
    fn from_variable(name: &str) -> Self;

    /// The name of the variable that this stands for.
    fn variable(&self) -> String;
}

impl Operand for Var {
    fn from_variable(name: &str) -> Self {
        Var(name.to_owned())
    }

    fn variable(&self) -> String {
        self.0.clone()
    }
}

/// A field of an input or output: `T`, `Option<T>` or `Vec<T>` of an [`Operand`] `T`.
///
/// The lifetime has no meaning; it lets generated code ask for the trait where it may not hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not stand for variables of a graph, so this operator does not convert to and from a node",
    label = "not an `Operand`, nor `Option` or `Vec` of one",
    note = "implement `oplock::Operand` for the type inside it"
)]
pub trait ArgField<'a> {
    /// Adds the names of the field's variables.
    fn variables(&self, names: &mut Vec<String>);

    /// The field of these variables; `None` when it cannot hold so many.
    fn from_variables(names: &[String]) -> Option<Self>
    where
        Self: Sized;
}

impl<T: Operand> ArgField<'_> for T {
    fn variables(&self, names: &mut Vec<String>) {
        names.push(self.variable());
    }

    fn from_variables(names: &[String]) -> Option<Self> {
        match names {
            [name] => Some(T::from_variable(name)),
            _ => None,
        }
    }
}

impl<T: Operand> ArgField<'_> for Option<T> {
    fn variables(&self, names: &mut Vec<String>) {
        names.extend(self.iter().map(Operand::variable));
    }

    fn from_variables(names: &[String]) -> Option<Self> {
        match names {
            [] => Some(None),
            [name] => Some(Some(T::from_variable(name))),
            _ => None,
        }
    }
}

impl<T: Operand> ArgField<'_> for Vec<T> {
    fn variables(&self, names: &mut Vec<String>) {
        names.extend(self.iter().map(Operand::variable));
    }

    fn from_variables(names: &[String]) -> Option<Self> {
        Some(names.iter().map(|name| T::from_variable(name)).collect())
    }
}
