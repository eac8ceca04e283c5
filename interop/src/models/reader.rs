//! Models held against definitions: which load, and why others do not.
//!
//! What a node must be is decided by `oplock_graph`, which loads graphs of our own by the same checks. Here a model of another system is
//! made ready for them, and judged by the versions that such a system has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use oplock_core::lock::{Bound, Saved};
use oplock_core::{ArgDef, DataVersions, Kind, Lock, Map, OpDef, Part, SavedKind, ScalarType, Value};
use oplock_graph::{Graph, LoadOptions, Package, Program, Refused, Report, UpgradeFn};
use semver::Version;

use super::{AnyModel, Cause, Foreign, Format, ModelError, ModelProblem};
use crate::import::Source;
use crate::onnx::model::Schemas;
use crate::paddle::opver::{OpVersions, UpdateKind};
use crate::paddle::program::release_text;

/// What models are held against.
#[derive(Debug)]
pub struct Reader {
    pub(super) program: Program,
    /// The package of the definitions.
    pub(super) home: String,
    is_lock: bool,
    /// Whose they are, where that is known.
    pub(super) system: Option<Source>,
    schemas: Schemas,
    /// The oldest version of a writer that is read, where it is not the definitions that say so.
    min_producer: Option<i64>,
    pub(super) written_by: Option<Writer>,
    op_versions: Option<OpVersions>,
    /// Upgrade functions that the lock counts on and only the package's own code has: those that were asked for.
    pub(super) asked: Arc<Mutex<BTreeSet<(String, u32)>>>,
}

/// What is known of who wrote models, beside what they say.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    /// Its definitions.
    pub ops: BTreeMap<String, OpDef>,
    /// Whose they are, where that is known.
    pub system: Option<Source>,
    /// Its registry of op versions.
    pub op_versions: Option<OpVersions>,
}

/// Whether a model loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Loads,
    /// It does not.
    Refused,
    /// The upgrade functions of its package decide, which a lock does not have.
    Undecided,
}

impl Verdict {
    /// The word of machine-readable reports.
    pub const fn key(self) -> &'static str {
        match self {
            Verdict::Loads => "loads",
            Verdict::Refused => "refused",
            Verdict::Undecided => "undecided",
        }
    }
}

/// What is said of a model.
#[derive(Clone, Debug)]
pub struct Held {
    /// What it is.
    pub format: Format,
    /// Who wrote it, as far as it says.
    pub writer: String,
    /// How many nodes it has.
    pub nodes: usize,
    /// The operators that it uses, each with the version that it means, where it says one.
    pub ops: BTreeMap<String, Option<i64>>,
    /// Whether it loads.
    pub verdict: Verdict,
    /// Why not, at most [`oplock_graph::MOST_PROBLEMS`] of the nodes.
    pub problems: Vec<ModelProblem>,
    /// How many more reasons there are.
    pub more: usize,
    /// What those are that [`Held::problems`] have nothing of.
    pub more_causes: BTreeSet<Cause>,
    /// What was noticed and done.
    pub report: Report,
    /// What each package, system or set of operators must have.
    pub needs: Vec<Need>,
    /// Upgrade functions that loading asks for, as operator and data version; what they do is not known from a lock.
    pub functions: Vec<(String, u32)>,
}

/// What a reader of a model must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Of which package, system or set of operators.
    pub of: String,
    /// The release, where one is known.
    pub release: Option<String>,
    /// The data version, or that of the set of operators.
    pub version: Option<i64>,
    /// The operator or attribute that needs it.
    pub because: Option<String>,
}

impl Reader {
    /// Holds models against definitions that are not a lock's. Their name is for messages.
    pub fn of_definitions(name: &str, ops: BTreeMap<String, OpDef>) -> Self {
        let mut package = Package::new(Lock::new(name), Version::new(0, 0, 0));
        package.ops = ops;
        Reader::new(package, false)
    }

    /// Holds models against what a lock's package has, as of its last release.
    pub fn of_lock(lock: Lock) -> Self {
        let version = lock.last_release().cloned().unwrap_or(Version::new(0, 0, 0));
        let mut package = Package::of_lock(lock, version);
        for op in package.ops.values_mut() {
            *op = op.clone().in_order();
        }
        Reader::new(package, true)
    }

    fn new(mut package: Package, is_lock: bool) -> Self {
        let asked = Arc::new(Mutex::new(BTreeSet::new()));
        for (op, before) in package.lock.upgrades.keys() {
            let (asked, key) = (Arc::clone(&asked), (op.clone(), *before));
            let note = move |_: &mut oplock_graph::Upgrade<'_>| {
                asked.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
                Ok(())
            };
            package.upgrades.insert((op.clone(), *before), UpgradeFn::new(note).standing_in());
        }
        let schemas = Schemas::of(package.ops.keys().map(String::as_str));
        let home = package.name.clone();
        let mut program = Program::default();
        program.packages_mut().insert(home.clone(), package);
        Reader {
            program,
            home,
            is_lock,
            system: None,
            schemas,
            min_producer: None,
            written_by: None,
            op_versions: None,
            asked,
        }
    }

    /// As if the oldest writer that is read were this one: a data version, a release of `PaddlePaddle` as its number, a version of a set
    /// of ONNX's operators, a version of `TensorFlow`'s graphs.
    #[must_use]
    pub fn with_min_producer(mut self, version: i64) -> Self {
        self.min_producer = Some(version);
        if let Some(package) = self.program.packages_mut().get_mut(&self.home) {
            let min_producer = u32::try_from(version).unwrap_or(0);
            if let Some(saved) = package.lock.saved.get_mut(&SavedKind::Graph) {
                saved.versions.min_producer = min_producer;
            } else {
                let saved = Saved {
                    versions: DataVersions { min_producer, ..DataVersions::default() },
                    since: Map::new(),
                    bad_since: Map::new(),
                    min_producer: Bound::default(),
                    min_consumer: Bound::default(),
                    line: 0,
                };
                package.lock.saved.insert(SavedKind::Graph, saved);
            }
        }
        self
    }

    /// Says who wrote the models, so that what was Extra for them is not taken for what they promised.
    #[must_use]
    pub fn with_writer(mut self, writer: Writer) -> Self {
        self.written_by = Some(writer);
        self
    }

    /// The registry of op versions that goes with the definitions (`.opver.json`).
    #[must_use]
    pub fn with_op_versions(mut self, versions: OpVersions) -> Self {
        self.op_versions = Some(versions);
        self
    }

    /// The definitions.
    pub fn ops(&self) -> &BTreeMap<String, OpDef> {
        &self.program.packages()[&self.home].ops
    }

    /// The model as a graph by these definitions.
    ///
    /// # Errors
    ///
    /// [`ModelError`], where the model contradicts itself.
    pub fn graph(&self, model: &AnyModel) -> Result<Foreign, ModelError> {
        Ok(match model {
            AnyModel::Oplock(graph) => of_graph(graph),
            AnyModel::Paddle(program) => {
                let (graph, empty) = program.to_graph()?;
                let blocks = (0..graph.blocks.len()).map(|index| format!("blocks[{index}]")).collect();
                let versions = program.release_number().map(|number| ("PaddlePaddle".to_owned(), number));
                Foreign { graph, blocks, empty, versions: versions.into_iter().collect(), ..Foreign::default() }
            }
            AnyModel::Onnx(of) => self.with_positions(model, of.to_graph(self.ops(), &self.schemas)?)?,
            AnyModel::GraphDef(of) | AnyModel::SavedModel(of) => {
                self.with_positions(model, of.to_graph(self.ops())?)?
            }
        })
    }

    /// A lock has operands by name; what stands at which position it says only where its package promises places.
    fn with_positions(&self, model: &AnyModel, foreign: Foreign) -> Result<Foreign, ModelError> {
        let mut nodes = foreign.graph.blocks.iter().flat_map(|block| &block.nodes).filter(|_| self.is_lock);
        let is_open = |args: &[ArgDef]| args.len() > 1 && args.iter().any(|arg| arg.at.is_none());
        let is_open = |def: &OpDef| is_open(&def.inputs) || is_open(&def.outputs);
        let open = nodes.find(|node| self.ops().get(&node.op).is_some_and(is_open));
        if let Some(node) = open {
            let (format, package, op) = (model.format(), self.home.clone(), node.op.clone());
            return Err(ModelError::NoPositions { format, package, op });
        }
        Ok(foreign)
    }

    /// Whether a model loads, and if not, why.
    ///
    /// # Errors
    ///
    /// As [`Reader::graph`].
    pub fn hold(&self, model: &AnyModel) -> Result<Held, ModelError> {
        let other = self.other_system(model);
        let foreign = match other {
            None => self.graph(model)?,
            Some(_) => Reader::of_definitions(&self.home, BTreeMap::new()).graph(model)?,
        };
        let mut held = Held {
            format: model.format(),
            writer: writer(model, &foreign),
            nodes: foreign.graph.blocks.iter().map(|block| block.nodes.len()).sum(),
            ops: ops_of(model, &foreign),
            verdict: Verdict::Loads,
            problems: Vec::new(),
            more: 0,
            more_causes: BTreeSet::new(),
            report: Report::default(),
            needs: Vec::new(),
            functions: Vec::new(),
        };
        if let Some(other) = other {
            // What any node is said to lack would be said of all of them.
            held.problems.push(other);
            held.verdict = Verdict::Refused;
            return Ok(held);
        }
        match model {
            AnyModel::Oplock(graph) if self.is_lock => self.hold_own(graph, &foreign, &mut held),
            _ => self.hold_foreign(model, foreign, &mut held),
        }
        Ok(held)
    }

    /// A graph of ours, against the lock of a package that may have written it.
    fn hold_own(&self, graph: &Graph, foreign: &Foreign, held: &mut Held) {
        // Each graph notes for itself which functions it asks for.
        let own;
        let home = &self.program.packages()[&self.home];
        let reader = if home.upgrades.is_empty() {
            self
        } else {
            own = Reader::new(home.clone(), true);
            &own
        };
        let result = reader.program.load(graph.clone(), LoadOptions::default());
        held.functions = reader.asked.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        match result {
            Ok(loaded) => {
                held.needs = self.needs(graph, &loaded.graph);
                held.report = loaded.report;
            }
            Err(refused) => {
                held.needs = needs_of_stamps(graph);
                refuse(held, &refused, foreign);
                let asks = |op: &str| held.functions.iter().any(|(of, _)| of == op || of == "*");
                let by_function = held.problems.iter().all(|problem| problem.op.as_deref().is_some_and(asks));
                if by_function && held.more == 0 {
                    held.verdict = Verdict::Undecided;
                }
            }
        }
    }

    fn hold_foreign(&self, model: &AnyModel, mut foreign: Foreign, held: &mut Held) {
        self.judge_versions(model, &foreign, held);
        held.problems.extend(foreign.faults.iter().map(|fault| ModelProblem::of_fault(fault, &foreign)));
        self.set_extra_apart(&mut foreign.graph);
        self.add_defaults(&mut foreign.graph);
        self.read_texts(&mut foreign.graph);
        self.judge_empty_lists(&foreign, held);
        let result = if foreign.own_ops.is_empty() {
            self.program.load_foreign(
                foreign.graph.clone(),
                &self.home,
                &foreign.levels,
                std::mem::take(&mut foreign.types),
            )
        } else {
            let mut program = self.program.clone();
            if let Some(home) = program.packages_mut().get_mut(&self.home) {
                home.ops.retain(|name, _| !foreign.own_ops.contains_key(name));
            }
            let mut own = Package::new(Lock::new("the model itself"), Version::new(0, 0, 0));
            own.ops.clone_from(&foreign.own_ops);
            program.packages_mut().insert(own.name.clone(), own);
            program.load_foreign(foreign.graph.clone(), &self.home, &foreign.levels, std::mem::take(&mut foreign.types))
        };
        match result {
            Ok(loaded) => {
                if self.is_lock && foreign.own_ops.is_empty() {
                    held.needs.extend(self.needs(&foreign.graph, &loaded.graph));
                }
                held.report = loaded.report;
            }
            Err(refused) => refuse(held, &refused, &foreign),
        }
        self.say_what_helps(model, &mut held.problems);
        if !held.problems.is_empty() {
            held.verdict = Verdict::Refused;
        }
    }

    /// No package of ours is there to be upgraded for a model of another system.
    pub(super) fn say_what_helps(&self, model: &AnyModel, problems: &mut [ModelProblem]) {
        if model.format() == Format::Oplock {
            return;
        }
        // Only PaddlePaddle's definitions say what is Extra.
        let may_be_extra = model.format() == Format::Paddle && self.written_by.is_none();
        for problem in problems {
            let (Some(op), Some((_, item))) = (&problem.op, &problem.item) else { continue };
            if !matches!(problem.code, "unknown_input" | "unknown_output" | "unknown_attribute") {
                continue;
            }
            let end = problem.message.find("\n  help: ").unwrap_or(problem.message.len());
            let has = if problem.definition.as_deref() == Some("Extra") { "promises" } else { "has" };
            let help = if may_be_extra {
                format!(
                    "name its writer's definitions by `--written-by DEFS`: what was Extra for it may be dropped; or save the model \
                     without `{item}`"
                )
            } else {
                format!("hold it against a release whose `{op}` {has} `{item}`, or save the model without it")
            };
            problem.message.replace_range(end.., &format!("\n  help: {help}"));
        }
    }

    /// What another system says of versions.
    fn judge_versions(&self, model: &AnyModel, foreign: &Foreign, held: &mut Held) {
        for (of, version) in &foreign.versions {
            held.needs.push(Need { of: of.clone(), release: None, version: Some(*version), because: None });
            if self.min_producer.is_some_and(|least| *version < least) {
                let least = self.min_producer.unwrap_or_default();
                let message = format!(
                    "written at version {version} of {of}, and versions from {least} on are read\n  \
                     help: save it again with version {least} or later"
                );
                let told = ModelProblem {
                    model: Some(version.to_string()),
                    definition: Some(format!("from {least} on")),
                    ..ModelProblem::of_whole("too_old", message)
                };
                held.problems.push(told);
            }
        }
        match model {
            AnyModel::Onnx(of) => {
                for (who, set, versions) in of.opsets_at_odds() {
                    let versions: Vec<_> = versions.iter().map(i64::to_string).collect();
                    let message = format!(
                        "{who} imports {set} at versions {}, and can mean only one of them\n  \
                         help: save it again with the version that its nodes mean",
                        versions.join(" and ")
                    );
                    held.problems.push(ModelProblem::of_whole("several_opsets", message));
                }
                self.judge_opsets(foreign, held);
            }
            AnyModel::Paddle(_) => self.judge_op_versions(held),
            AnyModel::GraphDef(graph) | AnyModel::SavedModel(graph) => {
                let versions = graph.graph.versions.clone().unwrap_or_default();
                self.judge_graph_def(&versions, held);
            }
            AnyModel::Oplock(_) => {}
        }
    }

    /// A set of operators that is newer than all of its schemas here may mean others.
    fn judge_opsets(&self, foreign: &Foreign, held: &mut Held) {
        for (set, version) in &foreign.used_versions {
            let domain = if set == "ai.onnx" { "" } else { set };
            let Some(newest) = self.schemas.newest(domain) else { continue };
            if *version > i64::from(newest) {
                let message = format!(
                    "the model means version {version} of {set}, and {} has schemas up to version {newest}\n  \
                     help: hold it against definitions that have version {version}",
                    self.home
                );
                let told = ModelProblem {
                    model: Some(format!("version {version}")),
                    definition: Some(format!("up to version {newest}")),
                    ..ModelProblem::of_whole("too_new", message)
                };
                held.problems.push(told);
            }
        }
    }

    /// An operator of a newer version means what this registry does not know.
    fn judge_op_versions(&self, held: &mut Held) {
        let Some(known) = &self.op_versions else { return };
        for (op, version) in &held.ops {
            let Some(version) = version else { continue };
            let here = known.ops.get(op).map_or(0, |op| i64::from(op.version));
            if *version <= here {
                continue;
            }
            let message = format!(
                "operator `{op}` was saved at its version {version}, and {} has it at version {here}\n  \
                 help: hold it against a release that has version {version} of `{op}`",
                self.home
            );
            let told = ModelProblem {
                op: Some(op.clone()),
                model: Some(format!("version {version}")),
                definition: Some(format!("version {here}")),
                ..ModelProblem::of_whole("newer_op_version", message)
            };
            held.problems.push(told);
        }
    }

    /// `min_consumer` and `bad_consumers`, where a lock says which version of graphs the reader is.
    fn judge_graph_def(&self, versions: &crate::tensorflow::graph_def::messages::VersionDef, held: &mut Held) {
        let data = self.program.packages()[&self.home].lock.data_versions(SavedKind::Graph);
        let consumer = i64::from(data.producer());
        // Definitions do not say it, and a lock without data versions has none of TensorFlow's.
        if !self.is_lock || consumer <= 1 {
            return;
        }
        let mut push = |code, message| held.problems.push(ModelProblem::of_whole(code, message));
        let least = i64::from(versions.min_consumer);
        if least > consumer {
            push("too_new", format!("the graph needs a reader of version {least}, and {} is at {consumer}", self.home));
        }
        if versions.bad_consumers.iter().any(|version| i64::from(*version) == consumer) {
            push(
                "bad_consumer",
                format!("the graph names {consumer}, the version of {}, as one that misreads it", self.home),
            );
        }
    }

    /// The part of an item: as its writer had it, where that is known, else as the definitions have it.
    fn part(&self, op: &str, kind: Kind, name: &str) -> Option<Part> {
        let part = |ops: &BTreeMap<String, OpDef>| {
            let def = ops.get(op)?;
            match kind {
                Kind::Attr => def.attr(name).map(|attr| attr.part),
                _ => def.arg(kind, name).map(|arg| arg.part),
            }
        };
        let written = self.written_by.as_ref().and_then(|writer| part(&writer.ops));
        written.or_else(|| part(self.ops()))
    }

    /// Puts what is Extra where graphs of ours have it.
    pub(super) fn set_extra_apart(&self, graph: &mut Graph) {
        for node in graph.blocks.iter_mut().flat_map(|block| &mut block.nodes) {
            let is_extra = |kind, name: &str| self.part(&node.op, kind, name) == Some(Part::Extra);
            let extra: Vec<_> = node.attrs.keys().filter(|name| is_extra(Kind::Attr, name)).cloned().collect();
            for name in extra {
                if let Some(value) = node.attrs.remove(&name) {
                    node.extra.insert(name, value);
                }
            }
            for kind in [Kind::Input, Kind::Output] {
                let connected = node.args(kind).iter().filter(|(_, variables)| !variables.is_empty());
                for (name, _) in connected.filter(|(name, _)| is_extra(kind, name)) {
                    graph.extra.entry(node.op.clone()).or_default().insert((kind, name.clone()));
                }
            }
        }
    }

    /// The defaults with which the writer's registry says attributes were added, as its definitions have them.
    fn add_defaults(&self, graph: &mut Graph) {
        let Some(Writer { ops, op_versions: Some(versions), .. }) = &self.written_by else { return };
        for (op, version) in &versions.ops {
            let Some(def) = ops.get(op) else { continue };
            for update in version.checkpoints.iter().flatten().filter(|update| update.kind == UpdateKind::NewAttr) {
                let attr = update.item.as_deref().and_then(|name| def.attr(name));
                if let Some((name, default)) = attr.and_then(|attr| Some((&attr.name, attr.default.clone()?))) {
                    graph.added.entry(op.clone()).or_default().insert(name.to_string(), default);
                }
            }
        }
    }

    /// What a definition has as a text may be bytes in a file; here it counts as the text that it was meant to be.
    pub(super) fn read_texts(&self, graph: &mut Graph) {
        for node in graph.blocks.iter_mut().flat_map(|block| &mut block.nodes) {
            let Some(def) = self.ops().get(&node.op) else { continue };
            for (name, value) in node.attrs.iter_mut().chain(&mut node.extra) {
                if def.attr(name).is_some_and(|attr| attr.ty.scalar == ScalarType::String) {
                    as_text(value);
                }
            }
        }
    }

    /// A list without elements is of every list's type in a graph, and of one type in a file.
    fn judge_empty_lists(&self, foreign: &Foreign, held: &mut Held) {
        for empty in &foreign.empty {
            let Some(node) = foreign.graph.blocks.get(empty.at.block).and_then(|block| block.nodes.get(empty.at.node))
            else {
                continue;
            };
            let def = foreign.own_ops.get(&node.op).or_else(|| self.ops().get(&node.op));
            let Some(attr) = def.and_then(|def| def.attr(&empty.name)) else { continue };
            let is_same = attr.ty.scalar == empty.ty.scalar || attr.ty.depth != empty.ty.depth;
            if is_same || node.extra.contains_key(&empty.name) {
                continue;
            }
            let problem = oplock_graph::NodeProblem::Type {
                name: empty.name.clone(),
                expected: attr.ty.to_string(),
                found: empty.ty.to_string(),
            };
            let (at, op) = (empty.at, node.op.clone());
            let problem = oplock_graph::Problem::Node { at, op, problem: Box::new(problem) };
            held.problems.push(ModelProblem::of_problem(&problem, foreign));
        }
    }

    /// What readers of a graph that loads must have, by the lock.
    fn needs(&self, graph: &Graph, loaded: &Graph) -> Vec<Need> {
        match self.program.save(loaded) {
            Ok(saved) => needs_of_stamps(&saved.graph),
            Err(_) => needs_of_stamps(graph),
        }
    }
}

/// A graph of ours as if another system had written it.
pub(super) fn of_graph(graph: &Graph) -> Foreign {
    let blocks = (0..graph.blocks.len()).map(|index| format!("blocks[{index}]")).collect();
    let versions = graph.stamps.iter().map(|(package, stamp)| (package.clone(), stamp.producer)).collect();
    Foreign { graph: graph.clone(), blocks, versions, ..Foreign::default() }
}

fn refuse(held: &mut Held, refused: &Refused, foreign: &Foreign) {
    held.verdict = Verdict::Refused;
    held.problems.extend(refused.problems.iter().map(|problem| ModelProblem::of_problem(problem, foreign)));
    held.more = refused.more;
    let told: BTreeSet<_> = held.problems.iter().map(ModelProblem::cause).collect();
    let beyond = refused.beyond().map(|problem| ModelProblem::of_problem(problem, foreign).cause());
    held.more_causes = beyond.filter(|cause| !told.contains(cause)).collect();
}

fn needs_of_stamps(graph: &Graph) -> Vec<Need> {
    let need = |(package, stamp): (&String, &oplock_graph::Stamp)| Need {
        of: package.clone(),
        release: stamp.oldest_reader.as_ref().map(|oldest| oldest.version.to_string()),
        version: Some(stamp.min_consumer),
        because: stamp.oldest_reader.as_ref().map(|oldest| oldest.because.clone()),
    };
    graph.stamps.iter().map(need).collect()
}

fn as_text(value: &mut Value) {
    match value {
        Value::Bytes(bytes) => *value = Value::String(String::from_utf8_lossy(bytes).into_owned().into()),
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Bytes(_))) => {
            items.to_mut().iter_mut().for_each(as_text);
        }
        _ => {}
    }
}

/// Who wrote a model, as far as it says.
fn writer(model: &AnyModel, foreign: &Foreign) -> String {
    match model {
        AnyModel::Oplock(graph) => {
            let package = |(name, stamp): (&String, &oplock_graph::Stamp)| match stamp.releases.last() {
                Some(release) => format!("{name} {}", release.version),
                None => name.clone(),
            };
            graph.stamps.iter().map(package).collect::<Vec<_>>().join(", ")
        }
        AnyModel::Paddle(program) => match program.release_number() {
            None | Some(0) => "PaddlePaddle".to_owned(),
            Some(number) => format!("PaddlePaddle {}", release_text(number)),
        },
        AnyModel::Onnx(model) => {
            let name = model.proto.producer_name.as_deref().unwrap_or_default();
            let sets: Vec<_> = foreign.versions.iter().map(|(set, version)| format!("{set} {version}")).collect();
            format!("{name} ({})", sets.join(", ")).trim().to_owned()
        }
        AnyModel::GraphDef(graph) | AnyModel::SavedModel(graph) => {
            let producer = graph.graph.versions.as_ref().map_or(0, |versions| versions.producer);
            format!("TensorFlow {} (graphs of version {producer})", graph.release).replace("  ", " ")
        }
    }
}

/// The operators that a model uses, each with the version that it means.
fn ops_of(model: &AnyModel, foreign: &Foreign) -> BTreeMap<String, Option<i64>> {
    let versions = match model {
        AnyModel::Paddle(program) => program.op_versions(),
        _ => BTreeMap::new(),
    };
    let nodes = foreign.graph.blocks.iter().flat_map(|block| &block.nodes);
    nodes.map(|node| (node.op.clone(), versions.get(&node.op).map(|version| i64::from(*version)))).collect()
}
