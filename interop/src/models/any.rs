//! A saved model of whichever kind, told by what is in the file.

use oplock_graph::{Graph, Limits};

use super::{Format, ModelError};
use crate::onnx::model::Model;
use crate::paddle::program::Program;
use crate::tensorflow::graph_def::TfGraph;

/// A saved model.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// A graph of oplock.
    Oplock(Box<Graph>),
    /// A program of `PaddlePaddle`.
    Paddle(Box<Program>),
    /// A model of ONNX.
    Onnx(Box<Model>),
    /// A graph of `TensorFlow`.
    GraphDef(Box<TfGraph>),
    /// The graph of a `SavedModel` of `TensorFlow`.
    SavedModel(Box<TfGraph>),
}

impl AnyModel {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// [`ModelError`], when it is none of the kinds, larger than allowed, damaged, or contradicts itself.
    pub fn from_bytes(bytes: &[u8], limits: Limits) -> Result<Self, ModelError> {
        if bytes.len() > limits.max_bytes {
            return Err(ModelError::TooLarge { bytes: bytes.len(), limit: limits.max_bytes });
        }
        let Some(format) = format_of(bytes) else {
            let why = if bytes.is_empty() {
                "the file is empty"
            } else {
                "it is neither a protobuf of these nor a graph as JSON"
            };
            return Err(ModelError::Unknown { why: why.to_owned() });
        };
        Ok(match format {
            Format::Oplock if is_json(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                AnyModel::Oplock(Box::new(Graph::from_json(&text)?))
            }
            Format::Oplock => AnyModel::Oplock(Box::new(Graph::from_bytes(bytes)?)),
            Format::Paddle => AnyModel::Paddle(Box::new(Program::from_bytes(bytes)?)),
            Format::Onnx => AnyModel::Onnx(Box::new(Model::from_bytes(bytes)?)),
            Format::GraphDef => AnyModel::GraphDef(Box::new(TfGraph::from_graph_def(bytes)?)),
            Format::SavedModel => AnyModel::SavedModel(Box::new(TfGraph::from_saved_model(bytes)?)),
        })
    }

    /// What it is.
    pub fn format(&self) -> Format {
        match self {
            AnyModel::Oplock(_) => Format::Oplock,
            AnyModel::Paddle(_) => Format::Paddle,
            AnyModel::Onnx(_) => Format::Onnx,
            AnyModel::GraphDef(_) => Format::GraphDef,
            AnyModel::SavedModel(_) => Format::SavedModel,
        }
    }
}

/// How many bytes at the beginning of a file tell [`may_be_model`].
pub const HEAD: usize = 64;

/// Whether a file that begins so may be a model; one that may not is none.
pub fn may_be_model(head: &[u8]) -> bool {
    if is_json(head) {
        // The first field of a graph as JSON is its `magic`.
        return String::from_utf8_lossy(head).contains("magic");
    }
    // The kinds begin with a field 1 of one of two wire types; a program or graph without blocks or nodes, with field 4.
    matches!(head.first(), Some(0x0a | 0x08 | 0x22))
}

fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// What a file is by its outermost fields; whether it is whole is the reader's to say.
pub fn format_of(bytes: &[u8]) -> Option<Format> {
    if is_json(bytes) {
        // Definitions are JSON, too.
        let begin = &bytes[..bytes.len().min(4096)];
        return String::from_utf8_lossy(begin).contains("oplock graph").then_some(Format::Oplock);
    }
    if bytes.starts_with(b"\x0a\x0coplock graph") {
        return Some(Format::Oplock);
    }
    let mut fields = Fields { rest: bytes };
    let (number, wire, content) = fields.next()?;
    match (number, wire) {
        // `ir_version` or `saved_model_schema_version`, which only the fields behind them tell apart.
        (1, 0) => {
            let is_onnx = |number| !matches!(number, 1 | 2);
            let rest: Vec<_> = fields.by_ref().take(64).map(|(number, ..)| number).collect();
            if rest.iter().any(|number| is_onnx(*number)) {
                Some(Format::Onnx)
            } else {
                (!rest.is_empty()).then_some(Format::SavedModel)
            }
        }
        // A block begins with its index, a node with its name.
        (1, 2) => match content.first() {
            Some(0x08) => Some(Format::Paddle),
            Some(0x0a | 0x12 | 0x1a) => Some(Format::GraphDef),
            _ => None,
        },
        // Versions without a node: both systems have them there, and a program has a block.
        (4, 2) => Some(Format::GraphDef),
        _ => None,
    }
}

/// The outermost fields of a message, up to where it is none.
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.varint()?;
        let (number, wire) = (key >> 3, key & 7);
        let width = match wire {
            0 => {
                self.varint()?;
                0
            }
            1 => 8,
            2 => usize::try_from(self.varint()?).ok()?,
            5 => 4,
            _ => return None,
        };
        // A file that is cut off is told by what is there, so that its reader can say where it ends.
        let (content, rest) = self.rest.split_at(width.min(self.rest.len()));
        self.rest = rest;
        (number > 0).then_some((number, wire, content))
    }
}

impl Fields<'_> {
    fn varint(&mut self) -> Option<u64> {
        prost::encoding::decode_varint(&mut self.rest).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_told_by_what_is_in_the_file() {
        for (bytes, expected) in [
            (&b""[..], None),
            (b"hello", None),
            (b"{\"slice\": {}}", None),
            (b"\xef\xbb\xbf {\"magic\": \"oplock graph\"}", Some(Format::Oplock)),
            (b"\x0a\x0coplock graph\x10\x01", Some(Format::Oplock)),
            (b"\x0a\x04\x08\x00\x10\x01", Some(Format::Paddle)),
            (b"\x0a\x03\x0a\x01a", Some(Format::GraphDef)),
            (b"\x22\x02\x08\x01", Some(Format::GraphDef)),
            (b"\x08\x07\x3a\x00", Some(Format::Onnx)),
            (b"\x08\x07\x12\x01a\x42\x00", Some(Format::Onnx)),
            (b"\x08\x01\x12\x00", Some(Format::SavedModel)),
            (b"\x08\x01", None),
            (b"\x00\x00\x00\x00", None),
        ] {
            assert_eq!(format_of(bytes), expected, "{bytes:?}");
            assert!(expected.is_none() || may_be_model(bytes), "{bytes:?}");
        }
    }
}
