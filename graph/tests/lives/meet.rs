//! Written graphs meet readers.

use std::fmt;

use oplock_core::{Kind, Part, Value, digest};
use oplock_graph::{Export, ExportOptions, Graph, LoadOptions, Problem};

use crate::dice::Dice;
use crate::graphs;
use crate::identity::State;
use crate::life::Life;
use crate::meaning::{Defs, Meaning, Plain, Use};
use crate::package::Release;

/// How a graph is written.
pub(crate) const HOW: [Option<Export>; 3] = [None, Some(Export::Float), Some(Export::Quantised)];

/// How often what happened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) lives: usize,
    pub(crate) releases: usize,
    pub(crate) pairs: usize,
    pub(crate) accepted: usize,
    /// Accepted, where writer and reader are of different releases.
    pub(crate) accepted_of_others: usize,
    /// That had to be accepted, and were.
    pub(crate) had_to_be: usize,
    pub(crate) unpromised: usize,
    /// How often the trunk took the maintenance line over.
    pub(crate) absorbed: usize,
}

impl Counts {
    /// Those of another search too.
    pub(crate) fn add(&mut self, other: &Counts) {
        let Counts { lives, releases, pairs, accepted, accepted_of_others, had_to_be, unpromised, absorbed } = other;
        self.lives += lives;
        self.releases += releases;
        self.pairs += pairs;
        self.accepted += accepted;
        self.accepted_of_others += accepted_of_others;
        self.had_to_be += had_to_be;
        self.unpromised += unpromised;
        self.absorbed += absorbed;
    }
}

/// Why something is a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A well formed graph is not written.
    NotWritten(String),
    /// The version check accepts, and the graph does not load.
    NotLoaded(String),
    /// It loads, and means something else.
    MeansAnother(String),
    /// It states what no release knows, and loads without that.
    Ignored,
    /// Accepted though the writer knows that this reader misreads it.
    Misread,
    /// Refused, though it had to be accepted.
    Refused(&'static str, String),
}

/// A graph that refutes the guarantee.
pub(crate) struct Counterexample {
    pub(crate) writer: usize,
    pub(crate) reader: usize,
    pub(crate) how: Option<Export>,
    pub(crate) graph: Graph,
    pub(crate) failure: Failure,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotWritten(why) => write!(f, "is not written: {why}"),
            Failure::NotLoaded(why) => write!(f, "is accepted and does not load: {why}"),
            Failure::MeansAnother(what) => write!(f, "loads and means something else: {what}"),
            Failure::Ignored => {
                f.write_str("loads with the attribute `misspelled = 5`, which another program added to its first node")
            }
            Failure::Misread => f.write_str("is accepted by a reader that is known to misread it"),
            Failure::Refused(why, problem) => write!(f, "is refused, though {why}: {problem}"),
        }
    }
}

/// What every reader makes of random graphs of every writer.
pub(crate) fn meet(life: &Life, seed: u64, graphs: usize, counts: &mut Counts) -> Option<Counterexample> {
    let mut dice = Dice::new(seed);
    counts.lives += 1;
    counts.releases += life.releases.len();
    counts.absorbed += life.absorbed;
    for (writer, release) in life.releases.iter().enumerate() {
        for _ in 0..graphs {
            let graph = graphs::random(&mut dice, &life.state(release).defs, life.without.uses_deprecated());
            for how in HOW {
                let found = meet_graph(life, writer, how, &graph, counts);
                if let Some((reader, failure)) = found {
                    return Some(Counterexample { writer, reader, how, graph, failure });
                }
            }
        }
    }
    None
}

/// What every reader makes of one graph: the first that refutes the guarantee.
pub(crate) fn meet_graph(
    life: &Life,
    writer: usize,
    how: Option<Export>,
    graph: &Graph,
    counts: &mut Counts,
) -> Option<(usize, Failure)> {
    let release = &life.releases[writer];
    let state = life.state(release);
    if how.is_some() && graphs::uses_extra_output(graph, &state.defs) {
        return None; // an export refuses to remove what is read
    }
    let program = &release.program;
    let saved = match how {
        None => program.save(graph),
        Some(kind) => program.export(graph, kind, ExportOptions { drop_quant: true }),
    };
    let saved = match saved {
        Ok(saved) => saved.graph,
        Err(refused) => return Some((writer, Failure::NotWritten(refused.problems[0].to_string()))),
    };
    if let Some(failure) = foreign(release, &saved) {
        return Some((writer, failure));
    }
    let meant = without_quant(graph, how, &state.defs);
    let meaning = Meaning::of(meant.as_ref().unwrap_or(graph), &state.defs, &state.names);
    // On the trunk, and on the branch.
    let mut carried = [None, None];
    for (number, reader) in life.releases.iter().enumerate() {
        let to_branch = life.is_on_branch(release, reader);
        let expected =
            carried[usize::from(to_branch)].get_or_insert_with(|| life.carried(meaning.clone(), release, to_branch));
        let pair = Pair { life, writer: release, reader, raw: meant.as_ref().unwrap_or(graph), meaning: &meaning };
        if let Err(failure) = pair.judge(&saved, expected, to_branch, counts) {
            return Some((number, failure));
        }
    }
    None
}

/// The same graph as another program might change it, which its writer must not take for less than it says.
fn foreign(release: &Release, saved: &Graph) -> Option<Failure> {
    let mut changed = saved.clone();
    let node = changed.blocks.iter_mut().flat_map(|block| &mut block.nodes).next()?;
    node.attrs.insert("misspelled".to_owned(), Value::I64(5));
    release.program.load(changed, LoadOptions::default()).ok().map(|_| Failure::Ignored)
}

/// What a graph is without what a quantised model does not have.
fn without_quant(graph: &Graph, how: Option<Export>, defs: &Defs) -> Option<Graph> {
    if how != Some(Export::Quantised) {
        return None;
    }
    let mut graph = graph.clone();
    for node in graph.blocks.iter_mut().flat_map(|block| &mut block.nodes) {
        let def = &defs[&node.op];
        for arg in def.inputs.iter().filter(|arg| arg.part == Part::Quant) {
            node.inputs.remove(arg.name.as_ref());
        }
        for attr in def.attrs.iter().filter(|attr| attr.part == Part::Quant) {
            node.attrs.remove(attr.name.as_ref());
        }
    }
    Some(graph)
}

struct Pair<'a> {
    life: &'a Life,
    writer: &'a Release,
    reader: &'a Release,
    raw: &'a Graph,
    meaning: &'a Meaning,
}

impl Pair<'_> {
    fn judge(&self, saved: &Graph, expected: &Meaning, to_branch: bool, counts: &mut Counts) -> Result<(), Failure> {
        counts.pairs += 1;
        let Pair { life, writer, reader, .. } = self;
        let is_unpromised = saved.stamps.values().any(|stamp| stamp.unpromised.is_some());
        let options = LoadOptions::default();
        let loaded = match reader.program.load(saved.clone(), options) {
            Ok(loaded) => loaded,
            Err(refused) => {
                // The first may only say that the writer is newer.
                let told = || refused.problems[refused.problems.len() - 1].to_string();
                if !matches!(refused.problems[0], Problem::Version(_)) {
                    counts.accepted += 1;
                    return Err(Failure::NotLoaded(refused.problems[0].to_string()));
                }
                return match self.must_be_accepted().filter(|_| !is_unpromised) {
                    Some(why) => Err(Failure::Refused(why, told())),
                    None => Ok(()),
                };
            }
        };
        counts.accepted += 1;
        counts.accepted_of_others += usize::from(!std::ptr::eq(*writer, *reader));
        let common = self.state_in_common();
        let is_same_line = writer.is_branch == reader.is_branch;
        let is_bad = is_same_line && writer.data.bad_consumers.contains(&reader.data.producer());
        let is_ours = !saved.stamps.is_empty();
        if is_ours && (is_bad || common.producer.min(reader.data.producer()) < writer.data.min_consumer) {
            return Err(Failure::Misread);
        }
        if is_unpromised {
            counts.unpromised += 1;
            let (here, there) = (&life.state(reader).defs, &life.state(writer).defs);
            let mut ops = self.raw.blocks.iter().flat_map(|block| &block.nodes).map(|node| &node.op);
            if ops.all(|op| here.get(op).map(digest) == there.get(op).map(digest)) {
                return Ok(());
            }
        } else {
            counts.had_to_be += usize::from(self.must_be_accepted().is_some());
        }
        let state = life.state(reader);
        let actual = life.carried(Meaning::of(&loaded.graph, &state.defs, &state.names), reader, to_branch);
        if actual != *expected {
            return Err(Failure::MeansAnother(difference(life, expected, &actual)));
        }
        Ok(())
    }

    fn state_in_common(&self) -> &State {
        let line = if self.reader.is_branch { &self.life.branch } else { &self.life.trunk };
        &line[self.life.common(self.writer, self.reader)]
    }

    /// Why a graph must be accepted.
    fn must_be_accepted(&self) -> Option<&'static str> {
        let Pair { life, writer, reader, .. } = self;
        if std::ptr::eq(*writer, *reader) {
            return Some("its own writer reads it");
        }
        if is_past_window(life, writer, reader) && life.common(writer, reader) == writer.state {
            return Some("half a year before, it was the newest release");
        }
        let is_of_its_past = (writer.is_branch == reader.is_branch || (!writer.is_branch && writer.state <= life.fork))
            && writer.state <= reader.state;
        let common = self.state_in_common();
        if common.producer < reader.data.min_producer {
            return None;
        }
        if is_of_its_past {
            return Some("it is older, and within the window");
        }
        let is_bad = writer.data.bad_consumers.contains(&reader.data.producer());
        if is_bad || writer.data.min_consumer > common.producer {
            return None;
        }
        let line = if writer.is_branch { &life.branch } else { &life.trunk };
        let since = &line[life.common(writer, reader)..=writer.state];
        let changed = |op: &String| since[1..].iter().any(|state| state.changed.contains(op));
        let nodes = self.raw.blocks.iter().zip(&self.meaning.blocks).flat_map(|(b, m)| b.nodes.iter().zip(m));
        let neutral = &life.state(writer).neutral;
        for (node, meaning) in nodes {
            let names = common.names.ops.get(&node.op).filter(|names| names.behaviour == meaning.behaviour)?;
            let knows = |item: &u32| names.items.values().any(|number| number == item);
            let allows = |item: &u32, value: &Plain| {
                let key = names.items.iter().find(|(_, number)| *number == item);
                let attr =
                    key.and_then(|((kind, name), _)| common.defs[&node.op].attr(name).filter(|_| *kind == Kind::Attr));
                match (attr, value) {
                    (Some(attr), Plain::Text(text)) => attr.values.is_empty() || attr.values.iter().any(|v| v == text),
                    _ => true,
                }
            };
            let is_unused = !changed(&node.op)
                && !since.iter().any(|state| deprecates(state, meaning))
                && meaning.operands.keys().all(knows)
                && meaning.attrs.iter().all(|(item, value)| {
                    if knows(item) { allows(item, value) } else { neutral.get(item) == Some(value) }
                });
            if !is_unused {
                return None;
            }
        }
        Some("it uses nothing that came later")
    }
}

/// Whether a release deprecates what a node uses: it would refuse it in graphs of its own, so what is no longer deprecated is promised
/// anew. An attribute at its default is not used.
fn deprecates(state: &State, node: &Use) -> bool {
    let mut ops = state.names.ops.iter().filter(|(_, names)| names.behaviour == node.behaviour);
    ops.any(|(op, names)| {
        let def = &state.defs[op];
        let is_used = |((kind, name), number): (&(Kind, String), &u32)| match (kind, def.attr(name)) {
            (Kind::Attr, Some(attr)) if attr.deprecated.is_some() => {
                let default = attr.default.as_ref().map(Plain::of);
                node.attrs.get(number).is_some_and(|value| Some(value) != default.as_ref())
            }
            (Kind::Attr, _) => false,
            _ => {
                let arg = def.arg(*kind, name).filter(|arg| arg.deprecated.is_some());
                arg.is_some() && node.operands.contains_key(number)
            }
        };
        def.deprecated.is_some() || names.items.iter().any(is_used)
    })
}

/// Whether `writer` was the newest release of the line of `reader` at some time in the half year before that.
fn is_past_window(life: &Life, writer: &Release, reader: &Release) -> bool {
    // In the calendar of these lives, in which a month has four weeks.
    const HALF_A_YEAR: u32 = 160;
    let is_of_line = |release: &&Release| {
        release.is_branch == reader.is_branch || (!release.is_branch && release.state <= life.fork)
    };
    let releases = life.releases.iter().filter(is_of_line);
    let next = releases.filter(|release| release.state > writer.state && release.state <= reader.state);
    let next = next.min_by_key(|release| release.state);
    is_of_line(&writer) && next.is_some_and(|next| next.day + HALF_A_YEAR >= reader.day)
}

/// The first thing in which two meanings differ.
fn difference(life: &Life, expected: &Meaning, actual: &Meaning) -> String {
    let nodes = |meaning: &Meaning| meaning.blocks.iter().flatten().cloned().collect::<Vec<_>>();
    let (expected_nodes, actual_nodes) = (nodes(expected), nodes(actual));
    if expected_nodes.len() != actual_nodes.len() {
        return format!("it has {} nodes instead of {}", actual_nodes.len(), expected_nodes.len());
    }
    for (expected, actual) in expected_nodes.iter().zip(&actual_nodes) {
        if expected.behaviour != actual.behaviour {
            return format!("it is {} instead of {}", life.name(actual.behaviour), life.name(expected.behaviour));
        }
        let show = |value: Option<String>| value.unwrap_or_else(|| "not there".to_owned());
        for item in expected.operands.keys().chain(actual.operands.keys()) {
            let [is, was] = [actual, expected].map(|node| node.operands.get(item).map(|variables| variables.join(" ")));
            if is != was {
                return format!("{} is {} instead of {}", life.name(*item), show(is), show(was));
            }
        }
        for item in expected.attrs.keys().chain(actual.attrs.keys()) {
            let [is, was] = [actual, expected].map(|node| node.attrs.get(item).map(ToString::to_string));
            if is != was {
                return format!("{} is {} instead of {}", life.name(*item), show(is), show(was));
            }
        }
    }
    format!("its results are {:?} instead of {:?}", actual.results, expected.results)
}
