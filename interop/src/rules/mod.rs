//! Another system's own judgement of two sets of definitions: not what oplock promises, but what that system's
//! maintainers would be told.
//!
//! Each peer is a module with a `judge`, and all of them answer with a [`Judgement`].

pub mod onnx;
pub mod paddle_ci;
pub mod tensorflow;

use std::fmt;

use oplock_core::Kind;

/// What a peer says of two sets of definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Everything that the peer objects to, in the peer's own order.
    pub findings: Vec<PeerFinding>,
    /// What the peer itself prints, to the letter, where it prints more than the findings.
    pub report: Option<String>,
}

impl Judgement {
    /// Whether the peer lets the change pass.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.report.is_none()
    }
}

/// One objection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerFinding {
    /// A stable name of the kind of objection, in snake case.
    pub rule: &'static str,
    /// The operator as the file names it.
    pub op: String,
    /// The item, unless the operator as a whole is meant.
    pub item: Option<(Kind, String)>,
    /// The objection in the peer's words where it has some.
    pub text: String,
}

impl PeerFinding {
    /// An objection to the operator as a whole.
    pub fn of_op(rule: &'static str, op: impl Into<String>, text: impl Into<String>) -> Self {
        PeerFinding { rule, op: op.into(), item: None, text: text.into() }
    }

    /// An objection to an item.
    #[must_use]
    pub fn at(self, kind: Kind, item: impl Into<String>) -> Self {
        PeerFinding { item: Some((kind, item.into())), ..self }
    }
}

/// `slice.input.Input: the text [rule]`
impl fmt::Display for PeerFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.op)?;
        if let Some((kind, item)) = &self.item {
            write!(f, ".{}.{item}", kind.key())?;
        }
        write!(f, ": {} [{}]", self.text, self.rule)
    }
}
