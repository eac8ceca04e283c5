//! Saved models of other systems: whichever kind they are, reading and judging them ends, and a program is written as it was.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use oplock_core::OpDef;
use oplock_graph::{Export, ExportOptions, Limits};
use oplock_interop::models::{AnyModel, ExportedModel, Reader, Verdict};
use oplock_interop::onnx::model::Model;
use oplock_interop::paddle::program::Program;
use oplock_interop::tensorflow::graph_def::TfGraph;
use oplock_interop::tensorflow::op_list::Document;
use oplock_interop::{onnx, paddle};

/// The definitions of the seeds: of one system each, since their names are not told apart.
static READERS: LazyLock<Vec<Reader>> = LazyLock::new(|| {
    let paddle = paddle::parse(include_str!("../corpus/definitions/paddle.spec")).expect("the seed is read").ops;
    let onnx = onnx::parse(include_str!("../corpus/definitions/onnx.json")).expect("the seed is read");
    let list = Document::read_json(include_str!("../corpus/definitions/tensorflow.json")).expect("the seed is read");
    let ops = list.definitions().expect("the seed is valid").into_iter();
    let tensorflow: BTreeMap<String, OpDef> = ops.map(|op| (op.name.to_string(), op)).collect();
    [paddle, onnx, tensorflow].into_iter().map(|ops| Reader::of_definitions("definitions", ops)).collect()
});

/// A file, tried as each kind.
pub fn models(bytes: &[u8]) {
    if let Ok(program) = Program::from_bytes(bytes) {
        let written = program.to_bytes();
        let read = Program::from_bytes(&written).unwrap_or_else(|error| panic!("what was written is read: {error}"));
        assert_eq!(read.to_bytes(), written, "what was written is written as it was");
        judge(&AnyModel::Paddle(Box::new(program)));
    }
    if let Ok(model) = Model::from_bytes(bytes) {
        judge(&AnyModel::Onnx(Box::new(model)));
    }
    for graph in [TfGraph::from_graph_def(bytes), TfGraph::from_saved_model(bytes)].into_iter().flatten() {
        judge(&AnyModel::GraphDef(Box::new(graph)));
    }
    match AnyModel::from_bytes(bytes, Limits { max_bytes: 1 << 20 }) {
        Err(error) => drop(error.to_string()),
        Ok(model) => judge(&model),
    }
}

fn judge(model: &AnyModel) {
    for reader in READERS.iter() {
        let _ = reader.graph(model).map_err(|error| error.to_string());
        match reader.hold(model) {
            Err(error) => drop(error.to_string()),
            Ok(held) => {
                let is_accused = !held.problems.is_empty();
                assert_eq!(held.verdict == Verdict::Refused, is_accused, "what is refused is told why: {held:?}");
            }
        }
        for kind in [Export::Float, Export::Quantised] {
            match reader.export(model, kind, ExportOptions { drop_quant: true }) {
                Err(error) => drop(error.to_string()),
                Ok(exported) => {
                    let bytes = match exported.model {
                        ExportedModel::Paddle(bytes) => bytes,
                        // A graph too large to be written is told so.
                        ExportedModel::Graph(graph) => graph.to_bytes().unwrap_or_default(),
                    };
                    let again = AnyModel::from_bytes(&bytes, Limits::default());
                    assert!(again.is_ok() || bytes.is_empty(), "what was exported is read");
                }
            }
        }
    }
}
