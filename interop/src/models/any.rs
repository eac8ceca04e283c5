//! A saved model of whichever kind, told by what is in the file.

use std::ffi::OsStr;
use std::path::Path;

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

/// Whether the name of a file says that it is a model, or at least protobuf that may be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedAs {
    /// It is a model: `x.onnx`, `x.pdmodel`, `__model__`, `x.graph`, `saved_model.pb`.
    Model,
    /// It is some protobuf: `x.pb` is a graph of `TensorFlow`, or a tensor that belongs to a model.
    Protobuf,
    /// It is none, though it may begin as one: what Keras keeps beside a `SavedModel`.
    Other,
    /// It says nothing.
    Nothing,
}

impl NamedAs {
    /// By the last part of a path.
    pub fn of(path: &Path) -> Self {
        let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match (text(path.file_name()).as_str(), text(path.extension()).as_str()) {
            ("__model__" | "saved_model.pb", _) | (_, "onnx" | "pdmodel" | "graph") => NamedAs::Model,
            ("keras_metadata.pb", _) => NamedAs::Other,
            (_, "pb") => NamedAs::Protobuf,
            _ => NamedAs::Nothing,
        }
    }

    /// Whether a file of such a name, which is none of the kinds, should be one and is damaged.
    pub fn is_damaged(self, bytes: &[u8]) -> bool {
        match self {
            NamedAs::Model => true,
            NamedAs::Protobuf => bytes.is_empty() || !is_whole(bytes),
            NamedAs::Other | NamedAs::Nothing => false,
        }
    }
}

/// Whether bytes are fields up to their end.
fn is_whole(bytes: &[u8]) -> bool {
    let mut fields = Fields { rest: bytes, is_cut: false };
    while !fields.rest.is_empty() {
        if fields.next().is_none() {
            return false;
        }
    }
    !fields.is_cut
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
    let mut fields = Fields { rest: bytes, is_cut: false };
    let (number, wire, content) = fields.next()?;
    match (number, wire) {
        // `ir_version` or `saved_model_schema_version`, which only the fields behind them tell apart.
        (1, 0) => {
            let is_onnx = |number| !matches!(number, 1 | 2);
            let rest: Vec<_> = fields.by_ref().take(64).map(|(number, wire, _)| (number, wire)).collect();
            // A tensor of ONNX has its type there, the fingerprint of a `SavedModel` a number.
            if rest.contains(&(2, 0)) {
                return None;
            }
            if rest.iter().any(|(number, _)| is_onnx(*number)) {
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
    /// Whether the last one is longer than what is there of it.
    is_cut: bool,
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
        self.is_cut = width > self.rest.len();
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
            // A tensor beside a model of ONNX, the fingerprint of a `SavedModel`.
            (b"\x08\x03\x10\x01\x42\x01x\x4a\x00", None),
            (b"\x08\x07\x10\x09\x18\x05", None),
            (b"\x00\x00\x00\x00", None),
        ] {
            assert_eq!(format_of(bytes), expected, "{bytes:?}");
            assert!(expected.is_none() || may_be_model(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn a_name_says_what_a_file_should_be() {
        for (name, expected) in [
            ("a/b.onnx", NamedAs::Model),
            ("a/B.ONNX", NamedAs::Model),
            ("x.pdmodel", NamedAs::Model),
            ("a/__model__", NamedAs::Model),
            ("x.graph", NamedAs::Model),
            ("tf/saved_model.pb", NamedAs::Model),
            ("tf/frozen.pb", NamedAs::Protobuf),
            ("tf/keras_metadata.pb", NamedAs::Other),
            ("a.onnx.data", NamedAs::Nothing),
            ("weights", NamedAs::Nothing),
            ("a.json", NamedAs::Nothing),
        ] {
            assert_eq!(NamedAs::of(Path::new(name)), expected, "{name}");
        }
        let tensor = b"\x08\x03\x10\x01\x4a\x02xy";
        for (bytes, expected) in
            [(&tensor[..], false), (&tensor[..7], true), (b"", true), (b"version 1", true), (b"\x0a\x80", true)]
        {
            assert_eq!(NamedAs::Protobuf.is_damaged(bytes), expected, "{bytes:?}");
        }
        assert!(NamedAs::Model.is_damaged(tensor) && !NamedAs::Nothing.is_damaged(b""));
    }
}
