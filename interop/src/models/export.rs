//! Models without what a float or a quantised model does not need, as files again.

use std::sync::PoisonError;

use oplock_graph::{Export, ExportOptions, Graph, LoadOptions, Refused, Report};
use thiserror::Error;

use super::reader::of_graph;
use super::{AnyModel, Foreign, ModelError, ModelProblem, Reader, Verdict};

/// An exported model.
#[derive(Clone, Debug)]
pub struct Exported {
    /// What it is.
    pub model: ExportedModel,
    /// How many items were removed, where they are counted.
    pub removed: Option<usize>,
    /// What was noticed.
    pub report: Report,
}

/// As what a model is exported.
#[derive(Clone, Debug)]
pub enum ExportedModel {
    /// A program of `PaddlePaddle`, as a file.
    Paddle(Vec<u8>),
    /// A graph of ours.
    Graph(Graph),
}

/// Why a model cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// It contradicts itself.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// It has operators that no package has.
    #[error("it defines operators itself, and a graph of oplock has none of its own: `{}`", .0.join("`, `"))]
    OwnOps(Vec<String>),
    /// An upgrade function has to run first, which a lock does not have.
    #[error("`{op}` was saved before data version {before}, and only its package has the function that upgrades it")]
    Function {
        /// The operator.
        op: String,
        /// The data version.
        before: u32,
    },
    /// It does not load by the definitions, or would lose what it needs.
    #[error("it may not be exported so")]
    Refused(Vec<ModelProblem>),
}

fn refusal(refused: &Refused, foreign: &Foreign) -> ExportError {
    ExportError::Refused(refused.problems.iter().map(|problem| ModelProblem::of_problem(problem, foreign)).collect())
}

impl Reader {
    /// The model without what an export removes, and how many items were removed. A program of `PaddlePaddle` stays one; everything else
    /// becomes a graph of ours.
    ///
    /// # Errors
    ///
    /// [`ExportError`], when the model contradicts itself, or may not be exported so.
    pub fn export(&self, model: &AnyModel, kind: Export, options: ExportOptions) -> Result<Exported, ExportError> {
        match model {
            AnyModel::Paddle(program) => {
                if let Some(other) = self.other_system(model) {
                    return Err(ExportError::Refused(vec![other]));
                }
                let saved = self.export_foreign(model, kind, options)?;
                let mut program = program.as_ref().clone();
                let removed = program.clip(self.ops(), kind);
                Ok(Exported {
                    model: ExportedModel::Paddle(program.to_bytes()),
                    removed: Some(removed),
                    report: saved.report,
                })
            }
            AnyModel::Oplock(graph) => {
                let foreign = of_graph(graph);
                let refused = |refused: Refused| refusal(&refused, &foreign);
                let loaded = self.program.load(graph.as_ref().clone(), LoadOptions::default()).map_err(refused)?;
                let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).first().cloned();
                if let Some((op, before)) = asked {
                    return Err(ExportError::Function { op, before });
                }
                let saved = self.program.export(&loaded.graph, kind, options).map_err(refused)?;
                Ok(Exported { model: ExportedModel::Graph(saved.graph), removed: None, report: saved.report })
            }
            AnyModel::Onnx(_) | AnyModel::GraphDef(_) | AnyModel::SavedModel(_) => {
                // What a graph does not say of it is judged before it becomes one.
                let held = self.hold(model)?;
                if held.verdict != Verdict::Loads {
                    return Err(ExportError::Refused(held.problems));
                }
                let saved = self.export_foreign(model, kind, options)?;
                Ok(Exported { model: ExportedModel::Graph(saved.graph), removed: None, report: saved.report })
            }
        }
    }

    fn export_foreign(
        &self,
        model: &AnyModel,
        kind: Export,
        options: ExportOptions,
    ) -> Result<oplock_graph::Saved, ExportError> {
        let mut foreign = self.graph(model)?;
        if !foreign.own_ops.is_empty() {
            return Err(ExportError::OwnOps(foreign.own_ops.into_keys().collect()));
        }
        self.set_extra_apart(&mut foreign.graph);
        self.read_texts(&mut foreign.graph);
        self.program.export(&foreign.graph, kind, options).map_err(|refused| {
            let mut refused = refusal(&refused, &foreign);
            if let ExportError::Refused(problems) = &mut refused {
                self.say_what_helps(model, problems);
            }
            refused
        })
    }
}
