//! What is wrong with a file of definitions, and where.

use std::fmt;

use oplock_core::Kind;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In text: line and byte in that line, from 1.
    Text {
        /// The line.
        line: usize,
        /// The byte.
        column: usize,
    },
    /// In binary: how many bytes come before it.
    Byte(usize),
}

/// `3:17`, `byte 120`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column } => write!(f, "{line}:{column}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// The operator and the item in which something is, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The operator.
    pub op: Option<String>,
    /// The item.
    pub item: Option<(Kind, String)>,
}

/// ``operator `X`, attribute `T`: ``, or nothing.
impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = &self.op {
            write!(f, "operator `{op}`")?;
            if let Some((kind, item)) = &self.item {
                write!(f, ", {kind} `{item}`")?;
            }
            f.write_str(": ")?;
        }
        Ok(())
    }
}

/// What is wrong with a file of definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpListError {
    /// Where.
    pub place: Place,
    /// In which operator and item.
    pub context: Context,
    /// What.
    pub reason: String,
}

/// ``3:17: operator `Abs`, attribute `T`: …``
impl fmt::Display for OpListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpListError { place, context, reason } = self;
        write!(f, "{place}: {context}{reason}")
    }
}

impl std::error::Error for OpListError {}

/// Something of a file that oplock's definitions have no place for: told, so that nothing is lost unnoticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where.
    pub place: Place,
    /// In which operator and item.
    pub context: Context,
    /// What: `experimental_full_type`, `field 99 of OpDef`.
    pub what: String,
}

/// ``3:17: operator `Abs`: `control_output` is not read``
impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unread { place, context, what } = self;
        write!(f, "{place}: {context}{what} is not read")
    }
}

pub(super) type Result<T> = std::result::Result<T, OpListError>;
