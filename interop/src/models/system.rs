//! Whose definitions and models are held against each other: a system's models mean nothing by another's definitions.

use super::{AnyModel, Format, ModelProblem, Reader};
use crate::import::Source;

impl Format {
    /// The system that writes such files; none of a graph of our own.
    pub const fn system(self) -> Option<Source> {
        match self {
            Format::Oplock => None,
            Format::Paddle => Some(Source::Paddle),
            Format::Onnx => Some(Source::Onnx),
            Format::GraphDef | Format::SavedModel => Some(Source::TensorFlow),
        }
    }
}

impl Reader {
    /// Says whose the definitions are. A model of another system is then refused as a whole.
    #[must_use]
    pub fn with_system(mut self, system: Option<Source>) -> Self {
        self.system = system;
        self
    }

    /// Why a model means nothing by these definitions, where they or those of its writer are another system's.
    pub(super) fn other_system(&self, model: &AnyModel) -> Option<ModelProblem> {
        let own = model.format().system()?;
        let is_other = |of: &Source| *of != own;
        let (other, whose) = match (self.system.filter(is_other), self.written_by.as_ref()) {
            (Some(other), _) => (other, format!("the definitions {}", self.home)),
            (None, writer) => (writer?.system.filter(is_other)?, "those of its writer".to_owned()),
        };
        let (own, other, what) = (own.framework(), other.framework(), model.format());
        let message =
            format!("{what} is of {own}, and {whose} are {other}'s\n  help: hold it against definitions of {own}");
        Some(ModelProblem {
            model: Some(own.to_owned()),
            definition: Some(other.to_owned()),
            ..ModelProblem::of_whole("other_system", message)
        })
    }
}
