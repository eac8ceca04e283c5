//! `TensorFlow`'s graphs (`GraphDef`) and saved models (`SavedModel`).
//!
//! `messages` are the messages, `value` reads attributes, `connect` judges what inputs name, `graph` makes a graph of ours of one by the definitions of its operators, since
//! `TensorFlow` has operands by position.

mod connect;
mod graph;
pub mod messages;
mod value;

use messages::{GRAPH, GraphDef, MetaGraphDef, SAVED_MODEL, SavedModel};

use crate::models::{Format, ModelError, decode};

/// A saved graph, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TfGraph {
    /// The graph as it is saved.
    pub graph: GraphDef,
    /// The operators that it uses as its writer had them, where a `SavedModel` says them.
    pub written_by: Vec<super::proto::OpDef>,
    /// What it is for, in a `SavedModel`.
    pub tags: Vec<String>,
    /// The release that wrote it, in a `SavedModel`.
    pub release: String,
    format: Format,
}

impl TfGraph {
    /// Reads a `GraphDef`.
    ///
    /// # Errors
    ///
    /// [`ModelError`], which names the byte and the field.
    pub fn from_graph_def(bytes: &[u8]) -> Result<Self, ModelError> {
        let graph = decode(bytes, &GRAPH, Format::GraphDef)?;
        let (written_by, tags, release) = (Vec::new(), Vec::new(), String::new());
        Ok(TfGraph { graph, written_by, tags, release, format: Format::GraphDef })
    }

    /// Reads a `SavedModel`: the graph that is for serving, or else the first.
    ///
    /// # Errors
    ///
    /// As [`TfGraph::from_graph_def`]; and when it has no graph.
    pub fn from_saved_model(bytes: &[u8]) -> Result<Self, ModelError> {
        let SavedModel { meta_graphs, .. } = decode(bytes, &SAVED_MODEL, Format::SavedModel)?;
        let is_for_serving = |graph: &MetaGraphDef| {
            graph.meta_info_def.as_ref().is_some_and(|info| info.tags.iter().any(|tag| tag == "serve"))
        };
        let index = meta_graphs.iter().position(is_for_serving).unwrap_or(0);
        let meta = meta_graphs.into_iter().nth(index).and_then(|meta| Some((meta.graph_def?, meta.meta_info_def)));
        let Some((graph, info)) = meta else {
            let what = "it has no graph".to_owned();
            return Err(ModelError::Content { format: Format::SavedModel, path: "meta_graphs".to_owned(), what });
        };
        let info = info.unwrap_or_default();
        let written_by = info.stripped_op_list.unwrap_or_default().op;
        let format = Format::SavedModel;
        Ok(TfGraph { graph, written_by, tags: info.tags, release: info.tensorflow_version, format })
    }
}
