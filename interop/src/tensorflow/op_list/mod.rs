//! `OpList`: definitions of operators as `TensorFlow` has them.
//!
//! A file is JSON, protobuf text or protobuf binary, which its first bytes tell. All become the same [`Document`]: the
//! messages, with the places of all operators and items, so that what is wrong with a definition is said with its line. An
//! operator's history is a document that names it several times, oldest first.

mod binary;
mod error;
mod json;
mod messages;
mod model;
mod places;
mod schema;
mod text;

use std::collections::BTreeMap;

pub use error::{Context, OpListError, Place, Unread};
pub use json::write as to_json;
pub use messages::UnwritableError;
pub use text::write as to_text;

use oplock_core::{AttrDef, OpDef, Value};

use super::proto;
pub(crate) use super::value::{is_same, is_unstated};
use crate::Format;
use error::Result;
use places::OpPlaces;

/// The note of a deprecation without an explanation: a declaration has one.
const UNEXPLAINED: &str = "deprecated by TensorFlow";

/// What a file says.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where the definitions are from, as the file says.
    pub source: Option<String>,
    /// The definitions.
    pub list: proto::OpList,
    /// What oplock's definitions have no place for.
    pub unread: Vec<Unread>,
    /// Of tensors whose elements the JSON form does not state: the length of their message, by the index of the operator and
    /// of its attribute.
    pub unstated: BTreeMap<(usize, usize), u64>,
    places: Vec<OpPlaces>,
}

impl Document {
    /// Reads a file in whichever form it is.
    ///
    /// # Errors
    ///
    /// When it is in none of them, is damaged, or has a field or key that is not known.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let text = || {
            str::from_utf8(bytes).map_err(|error| OpListError {
                place: Place::Byte(error.valid_up_to()),
                context: Context::default(),
                reason: "a text that is not UTF-8".to_owned(),
            })
        };
        match Format::of(bytes) {
            Format::TensorFlowJson => Document::read_json(text()?),
            Format::TensorFlowText => Document::read_text(text()?),
            Format::TensorFlowBinary => Document::read_binary(bytes),
            Format::Paddle | Format::Onnx | Format::Text => {
                let reason = "this is no list of TensorFlow's definitions: as JSON it has a list of `ops`, as protobuf text it \
                              begins with `op {`";
                Err(OpListError {
                    place: Place::Text { line: 1, column: 1 },
                    context: Context::default(),
                    reason: reason.to_owned(),
                })
            }
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_json(text: &str) -> Result<Self> {
        let json::File { source, list, tracker, unstated } = json::read(text)?;
        let mut document = Document { source, list, unread: tracker.unread, unstated, places: tracker.ops };
        // Counting lines for every item would take a walk through the file for each.
        let mut line = Lines { text, at: 0, line: 1, line_start: 0 };
        document.places.iter_mut().flat_map(OpPlaces::in_order).for_each(|place| line.resolve(place));
        Ok(document)
    }

    /// Reads protobuf text.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_text(text: &str) -> Result<Self> {
        let (list, tracker) = text::read(text)?;
        Ok(Document { source: None, list, unread: tracker.unread, unstated: BTreeMap::new(), places: tracker.ops })
    }

    /// Reads protobuf binary.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_binary(bytes: &[u8]) -> Result<Self> {
        let (list, tracker) = binary::read(bytes)?;
        Ok(Document { source: None, list, unread: tracker.unread, unstated: BTreeMap::new(), places: tracker.ops })
    }

    /// The document of these definitions, each as `TensorFlow` would have it.
    ///
    /// # Errors
    ///
    /// When a definition says what `TensorFlow` has no place for.
    pub fn of<'a>(ops: impl IntoIterator<Item = &'a OpDef>) -> std::result::Result<Self, UnwritableError> {
        let mut document = Document {
            source: None,
            list: proto::OpList::default(),
            unread: Vec::new(),
            unstated: BTreeMap::new(),
            places: Vec::new(),
        };
        for op in ops {
            let (message, unstated) = messages::op(op)?;
            let index = document.list.op.len();
            document.unstated.extend(unstated.into_iter().map(|(attr, length)| ((index, attr), length)));
            document.list.op.push(message);
        }
        Ok(document)
    }

    /// The definitions, in the file's order.
    ///
    /// # Errors
    ///
    /// When one is not valid: a name, a type, a value that is not of its type, an attribute that is named and is not there.
    pub fn definitions(&self) -> Result<Vec<OpDef>> {
        (0..self.list.op.len()).map(|index| self.definition(index)).collect()
    }

    fn definition(&self, index: usize) -> Result<OpDef> {
        let unstated = |attr| self.unstated.get(&(index, attr)).copied();
        model::op(&self.list.op[index], self.places.get(index), unstated)
    }

    /// The definitions of each operator, oldest first.
    ///
    /// # Errors
    ///
    /// As [`definitions`](Self::definitions).
    pub fn histories(&self) -> Result<BTreeMap<String, Vec<OpDef>>> {
        let mut histories: BTreeMap<String, Vec<OpDef>> = BTreeMap::new();
        for op in self.definitions()? {
            histories.entry(op.name.to_string()).or_default().push(op);
        }
        Ok(histories)
    }

    /// Keeps the definitions of these operators only.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        let kept: Vec<usize> = (0..self.list.op.len()).filter(|index| keep(&self.list.op[*index].name)).collect();
        let place = |index: usize| kept.binary_search(&index).ok();
        self.unstated = std::mem::take(&mut self.unstated)
            .into_iter()
            .filter_map(|((op, attr), length)| Some(((place(op)?, attr), length)))
            .collect();
        let mut index = 0..;
        self.list.op.retain(|_| index.next().and_then(place).is_some());
        let mut index = 0..;
        self.places.retain(|_| index.next().and_then(place).is_some());
    }

    /// The text of the JSON form.
    pub fn to_json(&self) -> String {
        to_json(&self.list, self.source.as_deref(), &self.unstated)
    }
}

/// A definition as a message of another file has it.
pub(crate) fn definition(message: &proto::OpDef) -> Result<OpDef> {
    model::op(message, None, |_| None)
}

/// Turns places in bytes into lines, in the order in which they stand; a place before the last begins anew.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
}

impl Lines<'_> {
    fn resolve(&mut self, place: &mut Place) {
        let Place::Byte(at) = *place else { return };
        if at < self.at {
            *self = Lines { text: self.text, at: 0, line: 1, line_start: 0 };
        }
        for (i, byte) in self.text.as_bytes()[self.at..at.min(self.text.len())].iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.line_start = self.at + i + 1;
            }
        }
        self.at = at;
        *place = Place::Text { line: self.line, column: at - self.line_start + 1 };
    }
}

/// The elements of a tensor that one side does not state are taken from the side that does.
pub fn settle(old: &mut BTreeMap<String, OpDef>, new: &mut BTreeMap<String, OpDef>) {
    let fill = |ops: &mut BTreeMap<String, OpDef>, from: &BTreeMap<String, OpDef>| {
        for (name, op) in ops {
            // Few have any, and a definition is copied to be written.
            let unstated = |attr: &AttrDef| matches!(&attr.default, Some(Value::Tensor(tensor)) if is_unstated(tensor));
            if !op.attrs.iter().any(unstated) {
                continue;
            }
            for attr in op.attrs.to_mut().iter_mut().filter(|attr| unstated(attr)) {
                let known = from.get(name).and_then(|op| op.attr(&attr.name)).and_then(|attr| attr.default.as_ref());
                if let (Some(default), Some(known)) = (&attr.default, known)
                    && is_same(default, known)
                {
                    attr.default = Some(known.clone());
                }
            }
        }
    };
    fill(old, new);
    fill(new, old);
}

/// Protobuf binary of a list of definitions.
pub fn to_binary(list: &proto::OpList) -> Vec<u8> {
    binary::write(list)
}
