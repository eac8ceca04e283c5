//! What graphs of many nodes cost: to decode their protobuf, to read it into a graph, to load, save and export that.
//!
//! The times are those of the thread on a processor, so that what else the machine does falls out of them as far as it can.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use cpu_time::ThreadTime;
use oplock_core::{Lock, Value};
use oplock_graph::{Block, Export, ExportOptions, Graph, LoadOptions, Package, Program, decode_alone};
use oplock_registry::Node;
use semver::Version;

use crate::args::Graphs;
use crate::cargo::{beside_this_program, output};
use crate::error::{Error, file};
use crate::statistics::Spread;
use crate::summary::Goal;

/// Two releases; the second changed the default of `conv2d.axis`, so what the first wrote is upgraded.
const LOCK: &str = r#"
format = 1
package = "vision-ops"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
[saved]
graph.version.2 = { text = "`axis` of `conv2d` is 2 where nothing is said", since = "2.0.0" }
[op]
conv2d.since = "1.0.0"
conv2d.input.Bias = { dispensable = true }
conv2d.input.Filter = {}
conv2d.input.Input = {}
conv2d.output.Output = {}
conv2d.attr.axis = { type = "i32", default = 2 }
conv2d.attr.data_format = { type = "string", default = "NCHW" }
conv2d.attr.dilations = { type = "[i32]", default = [1, 1] }
conv2d.attr.groups = { type = "i32", default = 1 }
conv2d.attr.paddings = { type = "[i32]", default = [0, 0] }
conv2d.attr.strides = { type = "[i32]", default = [1, 1] }
relu.since = "1.0.0"
relu.input.X = {}
relu.output.Out = {}
[ledger]
conv2d."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#;

/// Names the step that a call of this program does once, and takes the time of.
const DO: &str = "OPLOCK_BENCHMARK_GRAPH_STEP";

/// The file of the graph with which it does it.
const WITH: &str = "OPLOCK_BENCHMARK_GRAPH";

/// What is measured, in the order in which it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Decode,
    Read,
    Load,
    LoadOlder,
    Save,
    Export,
}

impl Step {
    const ALL: [Step; 6] = [Step::Decode, Step::Read, Step::Load, Step::LoadOlder, Step::Save, Step::Export];

    const fn name(self) -> &'static str {
        match self {
            Step::Decode => "decode",
            Step::Read => "read",
            Step::Load => "load",
            Step::LoadOlder => "load older",
            Step::Save => "save",
            Step::Export => "export",
        }
    }

    /// Does it with the file of a graph.
    fn run(self, bytes: &[u8]) -> Result<Duration, Error> {
        let program = program();
        let wrong = |action, error: &dyn ToString| Error::Graph { action, error: error.to_string() };
        if self == Step::Decode {
            let (time, messages) = timed(|| decode_alone(bytes));
            return messages.map(|_| time).map_err(|error| wrong("decoded", &error));
        }
        let (time, graph) = timed(|| Graph::from_bytes(bytes));
        let graph = graph.map_err(|error| wrong("read", &error))?;
        if self == Step::Read {
            return Ok(time);
        }
        let (time, loaded) = timed(|| program.load(graph, LoadOptions::default()));
        let loaded = loaded.map_err(|error| wrong("loaded", &error))?.graph;
        match self {
            Step::Save => {
                let (time, saved) = timed(|| program.save(&loaded));
                saved.map(|_| time).map_err(|error| wrong("saved", &error))
            }
            Step::Export => {
                let (time, exported) = timed(|| program.export(&loaded, Export::Float, ExportOptions::default()));
                exported.map(|_| time).map_err(|error| wrong("exported", &error))
            }
            _ => Ok(time),
        }
    }
}

/// A call of this program for one step: it prints how many nanoseconds that takes.
pub(crate) fn asked_for() -> Option<Result<(), Error>> {
    let name = env::var(DO).ok()?;
    let path = PathBuf::from(env::var_os(WITH)?);
    let step = Step::ALL.into_iter().find(|step| step.name() == name)?;
    let bytes = fs::read(&path).map_err(file("read", &path));
    Some(bytes.and_then(|bytes| step.run(&bytes)).map(|time| println!("{}", time.as_nanos())))
}

/// The time of each step.
type Times = [Duration; Step::ALL.len()];

/// Measures and prints.
///
/// # Errors
///
/// When a graph is refused, or this program cannot be run again.
pub(crate) fn measure(options: &Graphs) -> Result<Vec<Goal>, Error> {
    let mut sizes: Vec<usize> = options.nodes.iter().map(|nodes| nodes.get()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let head = Step::ALL.map(|step| format!("{:>12}", step.name())).join(" ");
    println!("nodes per second\n{:>9} {:>11} {head}", "nodes", "bytes");
    let (mut all, mut goals) = (Vec::new(), Vec::new());
    for nodes in sizes {
        let (bytes, runs) = one(nodes, options.runs.get())?;
        let least = least(&runs);
        let row = least.map(|time| format!("{:>12.0}", rate(nodes, time))).join(" ");
        println!("{nodes:>9} {bytes:>11} {row}");
        let ratio = runs.iter().map(|[decode, _, load, ..]| load.as_secs_f64() / decode.as_secs_f64());
        goals.push(Goal::load(format!("load of {nodes} nodes, to decoding alone"), Spread::of(ratio)));
        let both = runs.iter().map(|[decode, read, load, ..]| (*read + *load).as_secs_f64() / decode.as_secs_f64());
        goals.push(Goal::load(format!("read and load of {nodes} nodes, to decoding alone"), Spread::of(both)));
        all.push((nodes, least));
    }
    if let [(few, least), .., (many, most)] = all.as_slice() {
        for (i, step) in Step::ALL.iter().enumerate() {
            let ratio = Spread::of([rate(*few, least[i]) / rate(*many, most[i])]);
            goals.push(Goal::reported(format!("{}: a node among {many}, to one among {few}", step.name()), ratio));
        }
    }
    Ok(goals)
}

pub(crate) fn program() -> Program {
    let lock = Lock::parse(LOCK.trim_start(), None).expect("the lock is sound");
    Program::of([Package::of_lock(lock, Version::new(2, 0, 0))]).expect("there is one package")
}

fn least(runs: &[Times]) -> Times {
    let mut least = [Duration::MAX; Step::ALL.len()];
    for times in runs {
        for (least, time) in least.iter_mut().zip(times) {
            *least = (*least).min(*time);
        }
    }
    least
}

#[expect(clippy::cast_precision_loss, reason = "no graph has so many nodes")]
fn rate(nodes: usize, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64()
}

/// The size of the graph's file, and the times of each run.
///
/// Each step has a process of its own: what an earlier one freed would be put in order in the time of the next, which in a graph of many nodes
/// takes as long as the step itself.
fn one(nodes: usize, runs: usize) -> Result<(usize, Vec<Times>), Error> {
    let folder = beside_this_program()?.join("benchmarks/graphs");
    fs::create_dir_all(&folder).map_err(file("make", &folder))?;
    let (current, older) = (folder.join(format!("{nodes}.graph")), folder.join(format!("{nodes}-older.graph")));
    let size = {
        let bytes = saved(nodes);
        fs::write(&current, &bytes).map_err(file("write", &current))?;
        fs::write(&older, saved_earlier(nodes)).map_err(file("write", &older))?;
        bytes.len()
    };
    let mut all = Vec::new();
    for _ in 0..runs {
        let mut times = [Duration::ZERO; Step::ALL.len()];
        for (time, step) in times.iter_mut().zip(Step::ALL) {
            *time = process(step, if step == Step::LoadOlder { &older } else { &current })?;
        }
        all.push(times);
    }
    Ok((size, all))
}

/// The time that a step says which a process of its own does.
fn process(step: Step, path: &Path) -> Result<Duration, Error> {
    let program = env::current_exe().map_err(|error| Error::Unplaced(error.to_string()))?;
    let mut command = Command::new(program);
    command.env(DO, step.name()).env(WITH, path);
    let said = String::from_utf8_lossy(&output(command)?.stdout).into_owned();
    let nanoseconds = said.trim().parse().map_err(|_| Error::Unreadable {
        program: format!("{} of {}", step.name(), path.display()),
        expected: "how long it took",
        found: said.trim().to_owned(),
    });
    nanoseconds.map(Duration::from_nanos)
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = ThreadTime::now();
    let done = work();
    (start.elapsed(), done)
}

/// The file of a graph of so many nodes.
///
/// # Panics
///
/// When the graph is not saved, which is tested.
pub(crate) fn saved(nodes: usize) -> Vec<u8> {
    program().save(&graph(nodes)).expect("the graph is sound").graph.to_bytes().expect("the graph is small")
}

/// The file of the same graph as the first release would have saved it.
fn saved_earlier(nodes: usize) -> Vec<u8> {
    let mut older = program().save(&graph(nodes)).expect("the graph is sound").graph;
    for stamp in older.stamps.values_mut() {
        (stamp.producer, stamp.min_consumer) = (1, 1);
        stamp.releases.truncate(1);
    }
    for node in &mut older.blocks[0].nodes {
        node.attrs.remove("axis");
    }
    older.to_bytes().expect("the graph is small")
}

/// A chain of convolutions, each with two attributes that it states and four that it leaves out, and of activations.
fn graph(nodes: usize) -> Graph {
    let pair = |value| Value::list(vec![Value::I32(value), Value::I32(value)]);
    let node = |i: usize| {
        let is_convolution = i.is_multiple_of(2);
        let (op, input, output) = if is_convolution { ("conv2d", "Input", "Output") } else { ("relu", "X", "Out") };
        let mut node = Node::new(op);
        node.inputs.insert(input.to_owned(), vec![format!("v{i}")]);
        node.outputs.insert(output.to_owned(), vec![format!("v{}", i + 1)]);
        if is_convolution {
            node.inputs.insert("Filter".to_owned(), vec![format!("w{i}")]);
            node.attrs.insert("strides".to_owned(), pair(2));
            node.attrs.insert("paddings".to_owned(), pair(1));
        }
        node
    };
    let block = Block { nodes: (0..nodes).map(node).collect(), ..Block::default() };
    Graph { blocks: vec![block], ..Graph::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each step does what it is named for; the older graph is upgraded.
    #[test]
    fn every_step_runs() {
        for step in Step::ALL {
            let bytes = if step == Step::LoadOlder { saved_earlier(10) } else { saved(10) };
            assert!(step.run(&bytes).is_ok_and(|time| !time.is_zero()), "{step:?}");
        }
        let saved = program().save(&graph(10)).unwrap().graph;
        assert_eq!(saved.blocks[0].nodes[0].attrs["axis"], Value::I32(2), "its default changed, so it is written");
        assert!(!saved.blocks[0].nodes[0].attrs.contains_key("groups"), "its default never changed");
        let older = Graph::from_bytes(&saved_earlier(10)).unwrap();
        let loaded = program().load(older, LoadOptions::default()).unwrap();
        assert_eq!(loaded.graph.blocks[0].nodes[0].attrs["axis"], Value::I32(1), "the default of its time");
    }
}
