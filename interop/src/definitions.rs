//! A file of operators' definitions, whoever's it is.

use std::collections::BTreeMap;
use std::str::Utf8Error;

use oplock_core::OpDef;
use thiserror::Error;

use crate::import::Source;
use crate::onnx::{self, Schema, SchemaKey};
use crate::paddle::{self, SpecError, Unstated};
use crate::tensorflow::op_list::{Document, OpListError};
use crate::{Format, JsonError};

/// The operators of a file.
#[derive(Clone, Debug)]
pub struct DefinitionFile {
    /// By name; of one that the file has several times, the newest.
    pub ops: BTreeMap<String, OpDef>,
    /// What the file leaves open; only a `.spec` leaves anything.
    pub unstated: Unstated,
    /// What the file itself states.
    pub stated: Stated,
}

/// What a file states, in its own order and words, by which the rules of its system judge.
#[derive(Clone, Debug)]
pub enum Stated {
    /// The text of a `.spec`.
    Spec(String),
    /// ONNX's schemas.
    Schemas(BTreeMap<SchemaKey, Schema>),
    /// `TensorFlow`'s definitions, each perhaps with older ones of the same operator.
    OpList(Box<Document>),
}

impl Stated {
    /// Whose definitions they are.
    pub const fn source(&self) -> Source {
        match self {
            Stated::Spec(_) => Source::Paddle,
            Stated::Schemas(_) => Source::Onnx,
            Stated::OpList(_) => Source::TensorFlow,
        }
    }
}

/// Why a file has no definitions that can be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// It should be text.
    #[error("{0}")]
    NotText(#[from] Utf8Error),
    /// It was read as a `.spec`.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// It was read as ONNX's schemas.
    #[error("{0}")]
    Schemas(#[from] JsonError),
    /// It was read as `TensorFlow`'s list.
    #[error("{0}")]
    OpList(#[from] OpListError),
    /// It is text of another kind.
    #[error("it has no definitions of PaddlePaddle, TensorFlow or ONNX")]
    Other,
}

impl DefinitionFile {
    /// Reads a file as that kind; which it looks like, [`Format::of`] tells.
    ///
    /// # Errors
    ///
    /// When it is damaged, says what cannot be, or is [`Format::Text`].
    pub fn read(bytes: &[u8], format: Format) -> Result<Self, DefinitionError> {
        let closed = |ops, stated| DefinitionFile { ops, unstated: Unstated::new(), stated };
        Ok(match format {
            Format::Paddle => {
                let text = str::from_utf8(bytes)?;
                let spec = paddle::parse(text)?;
                DefinitionFile { ops: spec.ops, unstated: spec.unstated, stated: Stated::Spec(text.to_owned()) }
            }
            Format::Onnx => {
                let schemas = onnx::parse_schemas(str::from_utf8(bytes)?)?;
                closed(onnx::ops_of(&schemas), Stated::Schemas(schemas))
            }
            Format::TensorFlowJson | Format::TensorFlowText | Format::TensorFlowBinary => {
                let document = Document::read(bytes)?;
                let ops = document.definitions()?.into_iter().map(|op| (op.name.to_string(), op)).collect();
                closed(ops, Stated::OpList(Box::new(document)))
            }
            Format::Text => return Err(DefinitionError::Other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_what_it_is() {
        for (text, source, ops) in [
            ("{\"f\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {}}}", Source::Paddle, &["f"][..]),
            ("{\"schemas\": []}", Source::Onnx, &[]),
            ("op { name: \"F\" }\nop { name: \"G\" }", Source::TensorFlow, &["F", "G"]),
            ("{\"ops\": [{\"name\": \"F\"}]}", Source::TensorFlow, &["F"]),
        ] {
            let file = DefinitionFile::read(text.as_bytes(), Format::of(text.as_bytes())).unwrap();
            assert_eq!(file.stated.source(), source, "{text}");
            assert_eq!(file.ops.keys().collect::<Vec<_>>(), ops, "{text}");
        }
        let error = |bytes: &[u8], format| DefinitionFile::read(bytes, format).unwrap_err();
        assert!(matches!(error(b"format = 1", Format::Text), DefinitionError::Other));
        assert!(matches!(error(b"{\"a\": \xff}", Format::Paddle), DefinitionError::NotText(_)));
        assert!(matches!(error(b"{\"a\": 1}", Format::Paddle), DefinitionError::Spec(_)));
        assert!(matches!(error(b"{}", Format::Onnx), DefinitionError::Schemas(_)));
        assert!(matches!(error(b"op { nam: 1 }", Format::TensorFlowText), DefinitionError::OpList(_)));
    }
}
