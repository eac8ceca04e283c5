//! Witnesses: for a break, a graph that it harms. It is made of the definitions, and shown to be harmed by loading it.
//!
//! Only the one change is made: a graph that two changes of an operator harm says nothing of either. The reader's lock knows
//! nothing of the break, as if it had been smuggled past the rules: what the lock and its data versions do about an announced
//! break is not what a witness shows.

mod candidates;
mod change;

use oplock_core::lock::{OpEntry, Release, Saved, Since};
use oplock_core::{DataVersions, Finding, Kind, Lock, Map, OpDef, Options, SavedKind, Value, compare_op};
use oplock_registry::Node;
use semver::Version;

use crate::load::convert::{Fit, fit};
use crate::{Block, Export, ExportOptions, Graph, LoadOptions, Loaded, Package, Program, Refused};

/// A graph that a break harms, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The release that saved the graph. The other one reads it.
    pub writer: Writer,
    /// The graph as that release saves it.
    pub graph: Graph,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// Which of two releases saved a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The one before the change.
    Older,
    /// The one with the change.
    Newer,
}

/// What becomes of a graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It does not load.
    Fails(Refused),
    /// It loads, and an attribute has another value.
    ChangesMeaning {
        /// The attribute.
        item: String,
        /// What the writer takes it for.
        was: Value,
        /// What the reader takes it for.
        is: Value,
    },
}

/// The two releases between which a break is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Releases {
    /// The package.
    pub package: String,
    /// The release before the change.
    pub older: Version,
    /// The release with the change.
    pub newer: Version,
}

impl Default for Releases {
    fn default() -> Self {
        Releases { package: "ops".to_owned(), older: Version::new(1, 0, 0), newer: Version::new(1, 1, 0) }
    }
}

/// A graph that a break harms, as small as the definitions allow. `old` and `new` are the definitions between which the finding is;
/// `new` is `None` where the operator is gone, and that of another name where it was renamed.
///
/// First a graph of the older release is sought that does not load in the newer one, or means something else there; then one of the
/// newer release for the older one. Where old graphs load by the rules, only the latter is. `None` where the finding is no break, and
/// where loading shows nothing: of behaviour that changed under an unchanged signature, of flags, of element types, which no graph
/// has, of `generated`, of an operator that became experimental, of what is Quant and has a default, and of what only data versions
/// are about.
///
/// Of a deleted name that came back as something else (`name_reused`), `old` is what was deleted.
pub fn witness(releases: &Releases, old: &OpDef, new: Option<&OpDef>, finding: &Finding) -> Option<Witness> {
    if finding.rule.name == "name_reused" {
        let breaks = compare_op(old, new?, Options::default());
        let is_of = |other: &&Finding| other.is_break() && (finding.item.is_none() || other.item == finding.item);
        return breaks.iter().filter(is_of).find_map(|other| witness_of(Writer::Older, releases, old, new, other));
    }
    let writers: &[_] = if finding.backward() { &[Writer::Newer] } else { &[Writer::Older, Writer::Newer] };
    writers.iter().copied().find_map(|writer| witness_of(writer, releases, old, new, finding))
}

/// A graph of one of two releases that the other one does not load, or takes for something else; as [`witness`].
pub fn witness_of(
    writer: Writer,
    releases: &Releases,
    old: &OpDef,
    new: Option<&OpDef>,
    finding: &Finding,
) -> Option<Witness> {
    if !finding.is_break() || !finding.is_of_signature() {
        return None;
    }
    let changed = new.map(|new| change::only(old, new, finding));
    Sides { releases, finding, old: change::plain(old, finding), new: changed }.seek(writer)
}

/// What a witness is sought between.
struct Sides<'a> {
    releases: &'a Releases,
    finding: &'a Finding,
    old: OpDef,
    new: Option<OpDef>,
}

impl Sides<'_> {
    fn seek(&self, writer: Writer) -> Option<Witness> {
        let (written, read) = match writer {
            Writer::Older => (self.writer_of_old(), self.new.as_ref()),
            // What became experimental is promised to no older release.
            Writer::Newer if self.finding.field == Some("experimental") => return None,
            Writer::Newer => (self.new.clone()?, Some(&self.old)),
        };
        let saves = Program::of([self.package(writer, Some(&written), true)]).ok()?;
        let other = if writer == Writer::Older { Writer::Newer } else { Writer::Older };
        let is_built = writer == Writer::Newer || self.finding.rule.name != "op_condition_narrowed";
        let mut packages = vec![self.package(other, read.or(Some(&self.old).filter(|_| !is_built)), is_built)];
        if let (Some(owner), Writer::Older) = (self.earlier_owner(), writer) {
            packages.push(Package::new(Lock::new(owner), self.releases.older.clone()));
        }
        let reads = Program::of(packages).ok()?;
        let export = (self.finding.field == Some("quant")).then_some(Export::Quantised);
        candidates::of(&written, self.finding, read, export).into_iter().find_map(|node| {
            let graph = save(&saves, &graph_of(&written, node), export)?;
            let outcome = harm(&saves, &reads, &graph, read)?;
            Some(Witness { writer, graph, outcome })
        })
    }

    /// The definition by which an old graph is written: where a name is no longer read, one that was saved under it.
    fn writer_of_old(&self) -> OpDef {
        match (self.finding.rule.name, &self.finding.from) {
            ("alias_removed", Some(alias)) => change::under_alias(&self.old, self.finding, alias),
            _ => self.old.clone(),
        }
    }

    /// The package whose graphs are no longer read.
    fn earlier_owner(&self) -> Option<&str> {
        self.finding.from.as_deref().filter(|_| self.finding.rule.name == "moved_from_changed")
    }

    /// The data version that both sides have: where a deprecation is about one, the first at which the new one refuses.
    fn data_version(&self) -> u32 {
        match (self.finding.rule.name, &self.new) {
            ("deprecation_advanced", Some(new)) => change::deprecation(new, self.finding).unwrap_or(1),
            _ => 1,
        }
    }

    /// A sealed build of one side, in whose lock there is no break.
    fn package(&self, side: Writer, def: Option<&OpDef>, is_built: bool) -> Package {
        let Releases { package, older, newer } = self.releases;
        let name = self.earlier_owner().filter(|_| side == Writer::Older).unwrap_or(package);
        let mut lock = Lock::new(name);
        let data = self.data_version();
        if data > 1 {
            let history = [1, data].into_iter().map(|version| (version, String::new())).collect();
            let versions = DataVersions { history, ..DataVersions::default() };
            lock.saved.insert(SavedKind::Graph, Saved { versions, ..Saved::default() });
        }
        let released: &[_] = if side == Writer::Older { &[older] } else { &[older, newer] };
        for (version, day) in released.iter().zip(["2000-01-01", "2000-01-02"]) {
            let versions = Map::from([(SavedKind::Graph, data)]);
            lock.releases.insert((*version).clone(), Release { versions, ..Release::new(day) });
        }
        if let Some(def) = def {
            let mut entry = OpEntry::new(def.clone(), &Since::Release(older.clone()));
            let is_known = |kind, item: &str| match kind {
                Kind::Attr => self.old.attr(item).is_some(),
                _ => self.old.arg(kind, item).is_some(),
            };
            if side == Writer::Newer {
                for ((kind, item), stamp) in &mut entry.items {
                    if stamp.since.is_some() && !is_known(*kind, item) {
                        stamp.since = Some(Since::Release(newer.clone()));
                    }
                }
            }
            lock.ops.insert(def.name.to_string(), entry);
        }
        let version = if side == Writer::Older { older } else { newer };
        let mut package = Package::new(lock, version.clone());
        if let Some(def) = def.filter(|_| is_built) {
            package.ops.insert(def.name.to_string(), def.clone().sorted());
        }
        package
    }
}

/// The graph of one node: what it reads is given, and where it needs a sub-graph, that is empty.
fn graph_of(def: &OpDef, node: Node) -> Graph {
    let inputs = node.inputs.values().flatten().cloned().collect();
    let mut blocks = vec![Block { inputs, outputs: Vec::new(), nodes: vec![node] }];
    if def.attrs.iter().any(|attr| attr.ty.scalar == oplock_core::ScalarType::Block) {
        blocks.push(Block::default());
    }
    Graph { blocks, ..Graph::default() }
}

/// The graph as the writer saves it, if it is one that the writer may save.
fn save(writes: &Program, graph: &Graph, export: Option<Export>) -> Option<Graph> {
    let saved = match export {
        Some(kind) => writes.export(graph, kind, ExportOptions { drop_quant: true }),
        None => writes.save(graph),
    };
    saved.ok().map(|saved| saved.graph)
}

/// What becomes of a graph that its writer loads.
fn harm(writes: &Program, reads: &Program, graph: &Graph, reader: Option<&OpDef>) -> Option<Outcome> {
    let load = |program: &Program| program.load(graph.clone(), LoadOptions::default());
    let was = load(writes).ok()?;
    match load(reads) {
        Err(refused) => Some(Outcome::Fails(refused)),
        Ok(is) => other_meaning(&was, &is, reader),
    }
}

/// The first attribute that both sides have, with another value.
fn other_meaning(was: &Loaded, is: &Loaded, reader: Option<&OpDef>) -> Option<Outcome> {
    let node = |loaded: &Loaded| loaded.graph.blocks.first().and_then(|block| block.nodes.first()).cloned();
    let (was, is) = (node(was)?, node(is)?);
    was.attrs.iter().find_map(|(item, was)| {
        let (is, ty) = (is.attrs.get(item)?, reader?.attr(item)?.ty);
        let is_same = match fit(was, ty) {
            Fit::Own => was == is,
            Fit::Exactly(converted) => converted == *is,
            _ => was.to_string() == is.to_string(), // a number whose type grew
        };
        (!is_same).then(|| Outcome::ChangesMeaning { item: item.clone(), was: was.clone(), is: is.clone() })
    })
}
