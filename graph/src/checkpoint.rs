//! Checkpoints: the values of variables, with the records of the packages whose operators use them.
//!
//! A checkpoint is a [safetensors](https://github.com/huggingface/safetensors) file, which every framework reads. Who wrote it stands in
//! its metadata, under the key `oplock`: `{"format": 1, "packages": {…}}`, each package with the record that a graph has of it, but of the
//! data versions of checkpoints (`lock! { saved checkpoint { … } }`). It is judged as a graph's is.
//!
//! **Files without that record**, such as those that other tools wrote, say nothing of what they mean. They are read as data,
//! and [`Program::check_checkpoint`] refuses them unless [`CheckpointOptions::allow_unrecorded`] is set: the caller then answers for them.
//!
//! **Upgrades** of a graph may rename, add and remove variables ([`Upgrade::rename_variable`](crate::Upgrade::rename_variable) and its
//! neighbours). [`Program::upgrade_checkpoint`] judges a checkpoint and does the same to it, so load both together:
//!
//! ```no_run
//! # use oplock::graph::checkpoint::{Checkpoint, CheckpointOptions};
//! # use oplock::graph::{Graph, LoadOptions, Program};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let program = Program::linked()?;
//! let loaded = program.load(Graph::from_bytes(&std::fs::read("model.graph")?)?, LoadOptions::default())?;
//! let bytes = std::fs::read("model.safetensors")?;
//! let mut checkpoint = Checkpoint::from_bytes(&bytes)?;
//! program.upgrade_checkpoint(&mut checkpoint, &loaded, CheckpointOptions::default())?;
//! # Ok(())
//! # }
//! ```
//!
//! # Example
//!
//! ```
//! use oplock::graph::checkpoint::{Checkpoint, CheckpointOptions, Dtype, Tensor};
//! use oplock::graph::{Graph, GraphBuilder, Program};
//! use oplock::{Var, op};
//!
//! #[op("bias", unlocked)]
//! pub struct Bias {
//!     #[input]
//!     pub x: Var,
//!     #[input]
//!     pub bias: Var,
//!     #[output]
//!     pub out: Var,
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = GraphBuilder::new();
//! let (x, bias) = (builder.input("x"), builder.input("bias"));
//! let out = builder.fresh("out");
//! builder.push(Bias::new(x, bias, out))?;
//!
//! let program = Program::linked()?;
//! let mut checkpoint = Checkpoint::default();
//! let ones = Tensor { dtype: Dtype::F32, shape: vec![2], data: [1.0_f32, 1.0].map(f32::to_le_bytes).concat().into() };
//! checkpoint.tensors.insert("bias".to_owned(), ones);
//! program.stamp_checkpoint(&mut checkpoint, &builder.finish())?;
//! let bytes = checkpoint.to_bytes()?;
//!
//! // The tensors are views into the bytes, which may be those of a mapped file.
//! let read = Checkpoint::from_bytes(&bytes)?;
//! program.check_checkpoint(&read, CheckpointOptions::default())?;
//! assert_eq!(read.tensors["bias"].shape, [2]);
//! # Ok(())
//! # }
//! ```

mod upgrade;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use oplock_core::SavedKind;
use safetensors::tensor::{SafeTensors, View, serialize};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use safetensors::Dtype;

use crate::check::{CheckpointLevels, LoadOptions, judge_checkpoint, releases};
use crate::json::by_name;
use crate::model::{Graph, OldestReader, Stamp, Unpromised};
use crate::program::{Package, Program};
use crate::proto::messages;
use crate::proto::{from_stamps, to_stamps};
use crate::report::{Apart, Refused, Report};

/// The key of the record in a file's metadata.
pub const METADATA_KEY: &str = "oplock";

/// The newest format of the record that this version reads and writes.
const FORMAT: u32 = 1;

/// The values of variables, and who wrote them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint<'a> {
    /// The values by the names of their variables.
    pub tensors: BTreeMap<String, Tensor<'a>>,
    /// The record of each package whose operators use the variables; `None` in a file that has no record.
    pub stamps: Option<BTreeMap<String, Stamp>>,
    /// What else the metadata of the file says.
    pub metadata: BTreeMap<String, String>,
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor<'a> {
    /// The type of the elements.
    pub dtype: Dtype,
    /// How many elements there are in each dimension; none for a single one.
    pub shape: Vec<usize>,
    /// The elements in row-major order, little-endian.
    pub data: Cow<'a, [u8]>,
}

impl View for &Tensor<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.data)
    }

    fn data_len(&self) -> usize {
        self.data.len()
    }
}

/// Why a checkpoint cannot be read or written, or is refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The bytes are no safetensors file, or the tensors make none.
    #[error("this is no safetensors file: {0}")]
    NotSafetensors(String),
    /// The bytes of a tensor are not as many as its type and shape say.
    #[error("the tensor `{name}` has {found} bytes, and its type {dtype} and shape {shape:?} take {}", taken(*expected))]
    Size {
        /// Its name.
        name: String,
        /// Its type.
        dtype: Dtype,
        /// Its shape.
        shape: Vec<usize>,
        /// How many bytes it has.
        found: usize,
        /// How many it should have; `None` for no whole number, or one too large.
        expected: Option<usize>,
    },
    /// A name that the format or oplock keeps for itself.
    #[error("{what} cannot have the name `{name}`, which {owner} keeps for itself")]
    Reserved {
        /// `a tensor`, or `an entry of the metadata`.
        what: &'static str,
        /// The name.
        name: &'static str,
        /// Who keeps it.
        owner: &'static str,
    },
    /// What the metadata says of its writers cannot be understood.
    #[error("the record `{METADATA_KEY}` in the metadata: {0}")]
    Record(String),
    /// The record is of a format that did not exist when this version was made.
    #[error(
        "the record `{METADATA_KEY}` in the metadata is in format {found}, and this build of oplock reads formats up to {known}\n  \
         help: build with a newer oplock: `cargo update -p oplock`"
    )]
    NewerFormat {
        /// The format of the record.
        found: u32,
        /// The newest format that this version reads.
        known: u32,
    },
    /// The file does not say who wrote it.
    #[error(
        "the checkpoint has no record of who wrote it, so nothing is known of what it means\n  \
         help: write it with `Program::stamp_checkpoint`; if you know what it is, set `CheckpointOptions::allow_unrecorded`"
    )]
    NoRecord,
    /// A package that wrote it is not linked.
    #[error(
        "the checkpoint was written by package {package}, which is not linked into this program, and no operator here moved from it\n  \
         help: depend on {package}, and name it in the code, or nothing of it is linked: `use {} as _;`", package.replace('-', "_")
    )]
    NotLinked {
        /// The package.
        package: String,
    },
    /// The graph that goes with it uses an operator that the program does not have.
    #[error(
        "the graph uses the operator `{op}`, which this program does not have{hint}\n  \
         help: a graph that was read from a file is loaded first (`Program::load`), which upgrades it"
    )]
    UnknownOp {
        /// The operator.
        op: String,
        /// Which one may be meant.
        hint: String,
    },
    /// An upgrade changes a variable that the checkpoint does not have.
    #[error("{step}, and the checkpoint has no such variable{hint}\n  help: {BESIDE}")]
    NoVariable {
        /// The step.
        step: String,
        /// Which one may be meant.
        hint: String,
    },
    /// An upgrade gives a variable the name of one that the checkpoint has.
    #[error(
        "{step}, and the checkpoint has a variable `{name}` already, of type {dtype} and shape {shape:?}\n  help: {BESIDE}"
    )]
    NameTaken {
        /// The step.
        step: String,
        /// The name.
        name: String,
        /// The type of the one that it has.
        dtype: Dtype,
        /// Its shape.
        shape: Vec<usize>,
    },
    /// The graph that goes with it was upgraded elsewhere and saved again, and the checkpoint is of variables as they were before.
    #[error(
        "{apart}, and data version {min_consumer} of checkpoints says that its variables are others than those of version {checkpoint}\n  \
         help: load it beside the graph with which it was saved, and save both; if you know that its variables are what the graph \
         means, take its record away (`Checkpoint::stamps`), and set `CheckpointOptions::allow_unrecorded`"
    )]
    Apart {
        /// As of which data versions of graphs the two are.
        apart: Apart,
        /// The data version of checkpoints that it is of.
        checkpoint: u32,
        /// The least one that suits the graph.
        min_consumer: u32,
    },
    /// Its writers' records say that this program may not read it.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// What to do where the steps of a graph do not suit a checkpoint.
const BESIDE: &str = "load the graph beside which the checkpoint was saved, with the tensors of all files of one model in one `Checkpoint`";

fn taken(expected: Option<usize>) -> String {
    expected.map_or_else(|| "no whole number of bytes that there can be".to_owned(), |bytes| bytes.to_string())
}

/// The value of the metadata's key [`METADATA_KEY`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    format: u32,
    #[serde(default, with = "by_name")]
    packages: Vec<messages::Package>,
}

/// What every format of the record has.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

impl<'a> Checkpoint<'a> {
    /// The checkpoint as a safetensors file. Equal checkpoints give equal bytes.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`], which names the tensor at fault.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        const OWN: &str = "__metadata__";
        for (name, tensor) in &self.tensors {
            check_size(name, tensor)?;
            if name == OWN {
                return Err(CheckpointError::Reserved { what: "a tensor", name: OWN, owner: "safetensors" });
            }
        }
        let mut metadata = self.metadata.clone();
        if metadata.contains_key(METADATA_KEY) {
            let what = "an entry of the metadata";
            return Err(CheckpointError::Reserved { what, name: METADATA_KEY, owner: "oplock" });
        }
        if let Some(stamps) = &self.stamps {
            let packages = from_stamps(stamps).map_err(|error| CheckpointError::Record(error.to_string()))?;
            let record = serde_json::to_string(&Record { format: FORMAT, packages });
            metadata
                .insert(METADATA_KEY.to_owned(), record.map_err(|error| CheckpointError::Record(error.to_string()))?);
        }
        let unordered: HashMap<_, _> = metadata.clone().into_iter().collect();
        let is_empty = unordered.is_empty();
        let mut bytes = serialize(&self.tensors, (!is_empty).then_some(unordered))
            .map_err(|error| CheckpointError::NotSafetensors(error.to_string()))?;
        if !is_empty {
            order(&mut bytes, OWN, &metadata);
        }
        Ok(bytes)
    }

    /// Reads a safetensors file; the tensors are views into it. Nothing is judged: [`Program::check_checkpoint`] says whether it may be used.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`], when the bytes are no such file, or have a record that cannot be understood.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, CheckpointError> {
        let wrong = |error: safetensors::SafeTensorError| CheckpointError::NotSafetensors(error.to_string());
        let (_, head) = SafeTensors::read_metadata(bytes).map_err(wrong)?;
        let file = SafeTensors::deserialize(bytes).map_err(wrong)?;
        let tensors = file.iter().map(|(name, view)| {
            let (dtype, shape, data) = (view.dtype(), view.shape().to_vec(), Cow::Borrowed(view.data()));
            (name.to_owned(), Tensor { dtype, shape, data })
        });
        let tensors = tensors.collect();
        let mut metadata: BTreeMap<_, _> =
            head.metadata().iter().flatten().map(|(a, b)| (a.clone(), b.clone())).collect();
        let stamps = metadata.remove(METADATA_KEY).map(|record| read_record(&record)).transpose()?;
        Ok(Checkpoint { tensors, stamps, metadata })
    }
}

pub(crate) fn check_size(name: &str, tensor: &Tensor<'_>) -> Result<(), CheckpointError> {
    let Tensor { dtype, shape, data } = tensor;
    let bits = shape.iter().try_fold(dtype.bitsize(), |bits, length| bits.checked_mul(*length));
    let expected = bits.filter(|bits| bits % 8 == 0).map(|bits| bits / 8);
    if expected == Some(data.len()) {
        return Ok(());
    }
    let (name, dtype, shape, found) = (name.to_owned(), *dtype, shape.clone(), data.len());
    Err(CheckpointError::Size { name, dtype, shape, found, expected })
}

/// Puts the entries of the metadata in order: `safetensors` writes a hash map, whose order is another in each run.
fn order(bytes: &mut [u8], own: &str, metadata: &BTreeMap<String, String>) {
    // After the length of the header, 8 bytes, it begins with the metadata, which takes the same bytes in any order.
    let Ok(text) = serde_json::to_string(metadata) else { return };
    let start = format!("{{\"{own}\":");
    let Some(header) = bytes.get_mut(8..) else { return };
    let Some(entries) = header.get_mut(start.len()..start.len() + text.len()) else { return };
    let found = serde_json::from_slice::<BTreeMap<String, String>>(entries);
    if found.is_ok_and(|found| found == *metadata) {
        entries.copy_from_slice(text.as_bytes());
    }
}

fn read_record(text: &str) -> Result<BTreeMap<String, Stamp>, CheckpointError> {
    let wrong = |error: serde_json::Error| CheckpointError::Record(error.to_string());
    let Head { format: found } = serde_json::from_str(text).map_err(wrong)?;
    if found > FORMAT {
        return Err(CheckpointError::NewerFormat { found, known: FORMAT });
    }
    let record: Record = serde_json::from_str(text).map_err(wrong)?;
    if found == 0 {
        return Err(CheckpointError::Record("there is no format 0".to_owned()));
    }
    to_stamps(record.packages).map_err(|error| CheckpointError::Record(error.to_string()))
}

/// How a checkpoint is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckpointOptions {
    /// Whether a file that does not say who wrote it is taken: the caller answers for what it means.
    pub allow_unrecorded: bool,
    /// How the records are judged.
    pub load: LoadOptions,
}

impl Program {
    /// Puts down who writes a checkpoint: the packages whose operators the graph uses, since they say what its variables mean.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::UnknownOp`], when the graph is none of this program's: load it first.
    pub fn stamp_checkpoint(&self, checkpoint: &mut Checkpoint<'_>, graph: &Graph) -> Result<(), CheckpointError> {
        let mut writers: BTreeMap<&str, (&Package, BTreeMap<String, String>)> = BTreeMap::new();
        let ops: BTreeSet<_> = graph.nodes().map(|(_, node)| node.op.as_str()).collect();
        for op in ops {
            let Some(package) = self.owner_in(&graph.owners, op) else {
                let known = self.packages.values().flat_map(|package| package.ops.keys());
                let hint = oplock_core::did_you_mean(op, known.map(String::as_str));
                return Err(CheckpointError::UnknownOp { op: op.to_owned(), hint });
            };
            let digest = oplock_core::digest(&package.ops[op]).to_string();
            let (_, digests) = writers.entry(&package.name).or_insert_with(|| (package, BTreeMap::new()));
            digests.insert(op.to_owned(), digest);
        }
        let stamp = |(name, (package, digests)): (&str, _)| {
            let unsealed = self.unsealed(name, SavedKind::Checkpoint).cloned();
            (name.to_owned(), stamp(package, unsealed, digests))
        };
        checkpoint.stamps = Some(writers.into_iter().map(stamp).collect());
        Ok(())
    }

    /// Whether this program may read a checkpoint: the version check of graphs, by the data versions of checkpoints.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::NoRecord`], [`CheckpointError::NotLinked`] and [`CheckpointError::Refused`].
    pub fn check_checkpoint(
        &self,
        checkpoint: &Checkpoint<'_>,
        options: CheckpointOptions,
    ) -> Result<Report, CheckpointError> {
        Ok(self.judge(checkpoint, options)?.0)
    }

    /// What is to be noticed of a checkpoint, and as of which data versions each package takes it.
    fn judge(
        &self,
        checkpoint: &Checkpoint<'_>,
        options: CheckpointOptions,
    ) -> Result<(Report, CheckpointLevels), CheckpointError> {
        let Some(stamps) = &checkpoint.stamps else {
            return if options.allow_unrecorded { Ok(Default::default()) } else { Err(CheckpointError::NoRecord) };
        };
        if let Some(package) = stamps.keys().find(|package| self.readers(package).is_empty()) {
            return Err(CheckpointError::NotLinked { package: package.clone() });
        }
        Ok(judge_checkpoint(self, stamps, options.load)?)
    }
}

/// What a package says of a checkpoint that it writes.
fn stamp(package: &Package, unsealed: Option<String>, digests: BTreeMap<String, String>) -> Stamp {
    let versions = package.lock.data_versions(SavedKind::Checkpoint);
    let min_consumer = i64::from(versions.min_consumer);
    let releases = releases(package, SavedKind::Checkpoint);
    let oldest_reader = releases.iter().find(|release| release.data_version >= min_consumer);
    let oldest_reader = oldest_reader.map(|release| OldestReader {
        version: release.version.clone(),
        because: format!("data version {min_consumer} of checkpoints"),
    });
    let reason = unsealed.or_else(|| oldest_reader.is_none().then(|| "no release of it could read it".to_owned()));
    Stamp {
        producer: versions.producer().into(),
        min_consumer,
        bad_consumers: versions.bad_consumers.iter().map(|version| i64::from(*version)).collect(),
        releases,
        oldest_reader,
        unpromised: reason.map(|reason| Unpromised { reason, digests }),
    }
}
