//! What is said of saved models.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use oplock_interop::models::audit::Shard;

use super::ExplainFormat;

/// `cargo oplock model`
#[derive(Args)]
pub(crate) struct Model {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

/// What is done with a model.
#[derive(Subcommand)]
pub(crate) enum ModelCommand {
    /// Say whether a model loads by some definitions, and if not, why
    Check(ModelCheck),
    /// Print a model
    Show(ModelShow),
    /// Write a model without what a float or a quantised one does not need
    Export(ModelExport),
}

/// `cargo oplock model check`
#[derive(Args)]
pub(crate) struct ModelCheck {
    /// A graph of oplock, a PaddlePaddle program, an ONNX model, a TensorFlow graph or SavedModel
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) against: Against,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: ExplainFormat,
}

/// `cargo oplock model show`
#[derive(Args)]
pub(crate) struct ModelShow {
    /// The model
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// The definitions that give names to the operands of ONNX and TensorFlow, which have them by position
    #[arg(long, value_name = "LOCK|DEFS")]
    pub(crate) against: Option<PathBuf>,
    /// How to print it: for people, or as a graph of oplock
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: ExplainFormat,
}

/// `cargo oplock model export`
#[derive(Args)]
pub(crate) struct ModelExport {
    /// A graph of oplock, a PaddlePaddle program, an ONNX model, a TensorFlow graph or SavedModel
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// The new file: a program of a program, else a graph of oplock, as JSON where its name ends in `.json`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// For what kind of model
    #[arg(long = "for", value_enum, value_name = "KIND", default_value_t)]
    pub(crate) kind: ExportKind,
    /// Drop Quant items also where they are not at their defaults: they are applied already
    #[arg(long)]
    pub(crate) drop_quant: bool,
    #[command(flatten)]
    pub(crate) against: Against,
}

/// For what kind of model.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportKind {
    /// Without what is Extra.
    #[default]
    Float,
    /// Without what is Extra or Quant.
    Quantised,
}

/// What models are held against.
#[derive(Args)]
pub(crate) struct Against {
    /// An ops.lock, or the definitions of a release of PaddlePaddle, TensorFlow or ONNX
    #[arg(long = "against", value_name = "LOCK|DEFS")]
    pub(crate) definitions: PathBuf,
    /// The definitions of the release that wrote the models: what was Extra for it may be dropped
    #[arg(long, value_name = "LOCK|DEFS")]
    pub(crate) written_by: Option<PathBuf>,
    /// PaddlePaddle's registry of op versions that goes with `--against` (.opver.json)
    #[arg(long, value_name = "FILE")]
    pub(crate) op_versions: Option<PathBuf>,
    /// PaddlePaddle's registry of op versions that goes with `--written-by`: attributes at the default with which they came may be dropped
    #[arg(long, value_name = "FILE", requires = "written_by")]
    pub(crate) writer_op_versions: Option<PathBuf>,
}

/// `cargo oplock audit`
#[derive(Args)]
pub(crate) struct Audit {
    /// Models, and folders of them
    #[arg(value_name = "MODELS", required = true)]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) against: Against,
    /// As if the oldest writer that is read were this one: a data version, a version of TensorFlow's graphs or of ONNX's operators, a
    /// release of PaddlePaddle as its number (2006002)
    #[arg(long, value_name = "N")]
    pub(crate) if_min_producer: Option<i64>,
    /// Only the i-th of n parts of the files, for one of n machines
    #[arg(long, value_name = "i/n")]
    pub(crate) shard: Option<Shard>,
    /// How many models to look at at once; as many as there are cores where nothing is said
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Write the lines into this file and not to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Go on with the file of --output, where a run was stopped
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
}
