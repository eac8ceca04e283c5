//! What graphs of many nodes cost: to decode their protobuf, to read it into a graph, to load, save and export that.
//!
//! The times are those of the thread on a processor, so that what else the machine does falls out of them as far as it can.

use std::time::Duration;

use cpu_time::ThreadTime;
use oplock_core::{Lock, Value};
use oplock_graph::{Block, Export, ExportOptions, Graph, LoadOptions, Package, Program, decode_alone};
use oplock_registry::Node;
use semver::Version;

use crate::args::Graphs;
use crate::error::Error;
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

/// What is measured, in the order in which it is done and printed.
const STEPS: [&str; 6] = ["decode", "read", "load", "load older", "save", "export"];

/// The least time of each step.
type Times = [Duration; STEPS.len()];

/// Measures and prints.
///
/// # Errors
///
/// When a graph is refused.
pub(crate) fn measure(options: &Graphs) -> Result<Vec<Goal>, Error> {
    let program = program();
    let mut sizes: Vec<usize> = options.nodes.iter().map(|nodes| nodes.get()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let head = STEPS.map(|step| format!("{step:>12}")).join(" ");
    println!("nodes per second\n{:>9} {:>11} {head}", "nodes", "bytes");
    let (mut all, mut goals) = (Vec::new(), Vec::new());
    for nodes in sizes {
        let (bytes, runs) = one(&program, nodes, options.runs.get())?;
        let least = least(&runs);
        let row = least.map(|time| format!("{:>12.0}", rate(nodes, time))).join(" ");
        println!("{nodes:>9} {bytes:>11} {row}");
        let ratio = runs.iter().map(|[decode, _, load, ..]| load.as_secs_f64() / decode.as_secs_f64());
        goals.push(Goal::load(format!("load of {nodes} nodes, to decoding alone"), Spread::of(ratio)));
        let both = runs.iter().map(|[decode, read, load, ..]| (*read + *load).as_secs_f64() / decode.as_secs_f64());
        goals.push(Goal::reported(format!("read and load of {nodes} nodes, to decoding alone"), Spread::of(both)));
        all.push((nodes, least));
    }
    if let [(few, least), .., (many, most)] = all.as_slice() {
        for (i, step) in STEPS.iter().enumerate() {
            let ratio = Spread::of([rate(*few, least[i]) / rate(*many, most[i])]);
            goals.push(Goal::reported(format!("{step}: a node among {many}, to one among {few}"), ratio));
        }
    }
    Ok(goals)
}

pub(crate) fn program() -> Program {
    let lock = Lock::parse(LOCK.trim_start(), None).expect("the lock is sound");
    Program::of([Package::of_lock(lock, Version::new(2, 0, 0))]).expect("there is one package")
}

fn least(runs: &[Times]) -> Times {
    let mut least = [Duration::MAX; STEPS.len()];
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
fn one(program: &Program, nodes: usize, runs: usize) -> Result<(usize, Vec<Times>), Error> {
    let wrong = |action, error: &dyn ToString| Error::Graph { nodes, action, error: error.to_string() };
    let saved = program.save(&graph(nodes)).map_err(|error| wrong("saved", &error))?.graph;
    let bytes = saved.to_bytes().map_err(|error| wrong("written", &error))?;
    let mut older = saved;
    for stamp in older.stamps.values_mut() {
        (stamp.producer, stamp.min_consumer) = (1, 1);
        stamp.releases.truncate(1);
    }
    for node in &mut older.blocks[0].nodes {
        node.attrs.remove("axis");
    }
    let mut all = Vec::new();
    for _ in 0..runs {
        let (decode, messages) = timed(|| decode_alone(&bytes));
        drop(messages.map_err(|error| wrong("decoded", &error))?);
        let (read, graph) = timed(|| Graph::from_bytes(&bytes));
        let graph = graph.map_err(|error| wrong("read", &error))?;
        let (load, loaded) = timed(|| program.load(graph, LoadOptions::default()));
        let loaded = loaded.map_err(|error| wrong("loaded", &error))?.graph;
        let (save, saved) = timed(|| program.save(&loaded));
        drop(saved.map_err(|error| wrong("saved", &error))?);
        let (export, exported) = timed(|| program.export(&loaded, Export::Float, ExportOptions::default()));
        drop((exported.map_err(|error| wrong("exported", &error))?, loaded));
        let copy = older.clone();
        let (load_older, upgraded) = timed(|| program.load(copy, LoadOptions::default()));
        drop(upgraded.map_err(|error| wrong("upgraded", &error))?);
        all.push([decode, read, load, load_older, save, export]);
    }
    Ok((bytes.len(), all))
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
        let program = program();
        let (bytes, runs) = one(&program, 10, 2).unwrap();
        assert!(bytes > 100 && runs.len() == 2);
        let saved = program.save(&graph(10)).unwrap().graph;
        assert_eq!(saved.blocks[0].nodes[0].attrs["axis"], Value::I32(2), "its default changed, so it is written");
        assert!(!saved.blocks[0].nodes[0].attrs.contains_key("groups"), "its default never changed");
    }
}
