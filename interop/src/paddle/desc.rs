//! An op description as it is written: the order of its operators, its keys, its values as Python has them.
//!
//! `read` makes operators of the same text. What another program does with the text, which knows no operators, is
//! judged by this form.

use crate::json::{self, Fault, JsonError, Node};

/// The text of a `.spec` and nothing made of it.
#[derive(Clone, Debug)]
pub struct OpDescs {
    pub(crate) ops: Vec<(String, OpDesc)>,
}

/// An operator: its items with what is said of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpDesc {
    pub(crate) inputs: Items,
    pub(crate) outputs: Items,
    pub(crate) attrs: Items,
}

/// Items by name, in the order of the file.
pub(crate) type Items = Vec<(String, Item)>;

/// What is said of an item, in the order of the file.
pub(crate) type Item = Vec<(String, Node)>;

impl OpDescs {
    /// Reads a `.spec`. What stands in it is not judged: that is [`parse`](super::parse)'s to do.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or not of operators with items.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let ops = json::parse(text).and_then(|node| {
            let op = |(name, op): &(String, Node)| {
                let desc = op_desc(op).map_err(|fault| fault.within(format!("operator `{name}`")))?;
                Ok((name.clone(), desc))
            };
            node.object()?.iter().map(op).collect()
        });
        ops.map(|ops| OpDescs { ops }).map_err(|fault: Fault| fault.locate(text))
    }
}

fn op_desc(op: &Node) -> Result<OpDesc, Fault> {
    let members = op.known(["Inputs", "Outputs", "Attrs"])?;
    let items = |key: &str| -> Result<Items, Fault> {
        let items = members.need(key)?.object()?.iter();
        items.map(|(name, item)| Ok((name.clone(), item.object()?.to_vec()))).collect()
    };
    Ok(OpDesc { inputs: items("Inputs")?, outputs: items("Outputs")?, attrs: items("Attrs")? })
}
