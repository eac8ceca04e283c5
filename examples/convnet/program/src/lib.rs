//! A small convolutional network, saved by one release of its operators and run by the ones that follow.
//!
//! [`Runtime`] is what a program of one release is: it saves, loads and runs models. In life a program has one, of the release that it
//! depends on; here there are three, so that they can be held against each other. [`model`] makes the network.

pub mod model;
mod weights;

use std::error::Error;
use std::fs;
use std::path::Path;

use convnet_kernels::{Kernel, Tensor, Tensors};
use oplock::graph::checkpoint::{Checkpoint, CheckpointOptions};
use oplock::graph::{Graph, LoadOptions, Program, Report};
use oplock::{CrateOps, Registry};

/// Whatever goes wrong: each error says itself what to do.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A program of one release of the operators.
#[derive(Debug)]
pub struct Runtime {
    registry: Registry,
    program: Program,
}

/// A network: what is computed, and with which weights.
#[derive(Clone, Debug)]
pub struct Model {
    /// What is computed, from the variable `image` to the variable that is the graph's output.
    pub graph: Graph,
    /// The weights by the names of their variables.
    pub weights: Tensors,
}

/// A model that was loaded, and what was done to it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What was noticed and done.
    pub report: Report,
}

impl Runtime {
    /// A program of the release 1.0.
    ///
    /// # Errors
    ///
    /// When the operators make no program, which here would be a bug.
    pub fn v1_0() -> Result<Self> {
        Runtime::of(v1_0::ops())
    }

    /// A program of the release 1.1.
    ///
    /// # Errors
    ///
    /// As [`Runtime::v1_0`].
    pub fn v1_1() -> Result<Self> {
        Runtime::of(v1_1::ops())
    }

    /// A program of the release 2.0.
    ///
    /// # Errors
    ///
    /// As [`Runtime::v1_0`].
    pub fn v2_0() -> Result<Self> {
        Runtime::of(v2_0::ops())
    }

    /// In life there is one release, and these two lines are `Registry::global()` and `Program::linked()`.
    fn of(ops: &'static CrateOps) -> Result<Self> {
        let registry = Registry::of(&[ops])?;
        let program = Program::of_registry(&registry)?;
        Ok(Runtime { registry, program })
    }

    /// What saves and loads graphs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Saves a model as `model.graph`, `model.json` (the same, to be read by people) and `model.safetensors` in a folder.
    ///
    /// # Errors
    ///
    /// When the graph is not one of this release, or a file cannot be written.
    pub fn save(&self, model: &Model, folder: &Path) -> Result<()> {
        let graph = self.program.save(&model.graph)?.graph;
        let mut checkpoint = Checkpoint { tensors: weights::to_checkpoint(&model.weights), ..Checkpoint::default() };
        self.program.stamp_checkpoint(&mut checkpoint, &graph)?;
        fs::create_dir_all(folder)?;
        fs::write(folder.join("model.graph"), graph.to_bytes()?)?;
        fs::write(folder.join("model.json"), graph.to_json()?)?;
        fs::write(folder.join("model.safetensors"), checkpoint.to_bytes()?)?;
        Ok(())
    }

    /// Loads what was saved into a folder, by this or any other release.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or this release must not read it.
    pub fn load(&self, folder: &Path) -> Result<Loaded> {
        let graph = Graph::from_bytes(&fs::read(folder.join("model.graph"))?)?;
        let loaded = self.program.load(graph, LoadOptions::default())?;
        let weights = self.weights(&folder.join("model.safetensors"))?;
        Ok(Loaded { model: Model { graph: loaded.graph, weights }, report: loaded.report })
    }

    /// Loads weights.
    ///
    /// # Errors
    ///
    /// As [`Runtime::load`].
    pub fn weights(&self, path: &Path) -> Result<Tensors> {
        let bytes = fs::read(path)?;
        let checkpoint = Checkpoint::from_bytes(&bytes)?;
        self.program.check_checkpoint(&checkpoint, CheckpointOptions::default())?;
        weights::from_checkpoint(&checkpoint)
    }

    /// Runs a model: each node is built into what computes it, and computed.
    ///
    /// # Errors
    ///
    /// When a node is of no operator of this release, or cannot be computed.
    pub fn run(&self, model: &Model, image: &Tensor) -> Result<Tensor> {
        let mut tensors = model.weights.clone();
        tensors.set("image", image.clone());
        let block = model.graph.blocks.first().ok_or("a graph has a main block")?;
        for node in &block.nodes {
            let kernel = self.registry.build::<dyn Kernel>(node)?;
            let result = kernel.compute(&tensors).map_err(|error| format!("`{}`: {error}", node.op))?;
            let out = node.outputs.values().flatten().next().ok_or("each operator here has an output")?;
            tensors.set(out, result);
        }
        let output = block.outputs.first().ok_or("the graph has no output")?;
        Ok(tensors.get(output)?.clone())
    }
}
