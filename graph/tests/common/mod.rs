//! Terse ways to say packages, nodes and graphs.

#![allow(dead_code, unreachable_pub)] // each test crate uses some of it

use std::collections::BTreeMap;

use oplock_core::{Lock, Value};
use oplock_graph::{
    Block, Graph, LoadOptions, Loaded, NodeProblem, OldestReader, Package, Problem, Program, Refused, Release, Stamp,
    UpgradeFn, VersionProblem,
};
use oplock_registry::Node;
use semver::Version;

pub fn v(text: &str) -> Version {
    Version::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The lock of a package.
pub fn lock(name: &str, text: &str) -> Lock {
    let text = format!("format = 1\npackage = \"{name}\"\n{text}");
    Lock::parse(&text, Some(name)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A sealed build of a package: it has what its lock says.
pub fn package(name: &str, version: &str, text: &str) -> Package {
    Package::of_lock(lock(name, text), v(version))
}

pub fn program(packages: impl IntoIterator<Item = Package>) -> Program {
    let packages = packages.into_iter().map(|package| (package.name.clone(), package)).collect();
    let mut program = Program::default();
    *program.packages_mut() = packages;
    program
}

/// A program of `vision-ops` alone.
pub fn vision(version: &str, text: &str) -> Program {
    program([package("vision-ops", version, text)])
}

pub fn node(op: &str) -> Node {
    Node::new(op)
}

/// Ways to build a node.
pub trait With {
    fn input(self, name: &str, variables: &[&str]) -> Self;
    fn output(self, name: &str, variables: &[&str]) -> Self;
    fn attr(self, name: &str, value: Value) -> Self;
    fn extra(self, name: &str, value: Value) -> Self;
}

impl With for Node {
    fn input(mut self, name: &str, variables: &[&str]) -> Self {
        self.inputs.insert(name.into(), variables.iter().map(ToString::to_string).collect());
        self
    }

    fn output(mut self, name: &str, variables: &[&str]) -> Self {
        self.outputs.insert(name.into(), variables.iter().map(ToString::to_string).collect());
        self
    }

    fn attr(mut self, name: &str, value: Value) -> Self {
        self.attrs.insert(name.into(), value);
        self
    }

    fn extra(mut self, name: &str, value: Value) -> Self {
        self.extra.insert(name.into(), value);
        self
    }
}

/// A graph of one block.
pub fn graph(nodes: impl IntoIterator<Item = Node>) -> Graph {
    blocks([nodes.into_iter().collect::<Vec<_>>()])
}

pub fn blocks(blocks: impl IntoIterator<Item = Vec<Node>>) -> Graph {
    let block = |nodes| Block { nodes, ..Block::default() };
    Graph { blocks: blocks.into_iter().map(block).collect(), ..Graph::default() }
}

/// A lock of releases 1.0.0 and 2.0.0, which write data versions 1 and 2, and of what else is said.
pub fn two_releases(text: &str) -> String {
    let releases = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
"#;
    format!("{releases}{}", text.trim_start())
}

/// A graph of the release of that major version, which writes the data version of that number, and of those before it.
pub fn of_major(producer: i64, graph: Graph) -> Graph {
    let mut stamp = stamp(producer, 1, &[]);
    stamp.releases = (1..=producer).map(|i| release(&format!("{i}.0.0"), i)).collect();
    written(graph, stamp)
}

/// A package in which `f.E` is Extra, was promised by 2.0.0 alone, and whose functions give it and take it away again; `more` is what
/// else its lock says of operators, and `rest` what stands behind its ledger.
pub fn promised_for_a_while(name: &str, more: &str, rest: &str) -> Package {
    let text = format!(
        r#"
[release]
"1.0.0" = {{ date = "2026-02-01" }}
"2.0.0" = {{ date = "2026-03-01", graph = 2 }}
"3.0.0" = {{ date = "2026-04-01", graph = 3 }}
[saved]
graph.version.2 = {{ text = "", since = "2.0.0" }}
graph.version.3 = {{ text = "", since = "3.0.0" }}
[op]
f.since = "1.0.0"
f.input.E = {{ dispensable = true, extra = true }}
{more}
[ledger]
f."2.0.0".input.E = {{ rule = "input_added_not_dispensable", version = 2, from = {{ dispensable = true, extra = true }}, to = {{}} }}
f."3.0.0".input.E = {{ rule = "input_deleted", version = 3, from = {{ since = "2.0.0" }}, to = {{ dispensable = true, extra = true }} }}
{rest}"#
    );
    let mut package = package(name, "3.0.0", &text);
    let give = UpgradeFn::new(|node| {
        if node.input("E").is_empty() {
            node.set_input("E", vec!["given".into()]);
        }
        Ok(())
    });
    let take = UpgradeFn::new(|node| {
        assert_eq!(node.remove_input("E"), ["given"]);
        Ok(())
    });
    package.upgrades.extend([(("f".into(), 2), give), (("f".into(), 3), take)]);
    package
}

/// The record of a writer whose only release is 1.0.0.
pub fn stamp(producer: i64, min_consumer: i64, bad_consumers: &[i64]) -> Stamp {
    Stamp {
        producer,
        min_consumer,
        bad_consumers: bad_consumers.to_vec(),
        releases: vec![release("1.0.0", producer)],
        oldest_reader: Some(OldestReader { version: v("1.0.0"), because: "f".into() }),
        unpromised: None,
    }
}

pub fn release(version: &str, data_version: i64) -> Release {
    Release { version: v(version), data_version, digest: None }
}

/// A graph as `vision-ops` wrote it.
pub fn written(mut graph: Graph, stamp: Stamp) -> Graph {
    let ops = graph.blocks.iter().flat_map(|block| &block.nodes).map(|node| node.op.clone());
    graph.owners = ops.map(|op| (op, "vision-ops".to_owned())).collect();
    graph.stamps = BTreeMap::from([("vision-ops".to_owned(), stamp)]);
    graph
}

pub fn load(program: &Program, graph: &Graph) -> Result<Loaded, Refused> {
    program.load(graph.clone(), LoadOptions::default())
}

pub fn save(program: &Program, graph: &Graph) -> Graph {
    program.save(graph).unwrap_or_else(|e| panic!("{e}")).graph
}

pub fn loaded(program: &Program, graph: &Graph) -> Loaded {
    load(program, graph).unwrap_or_else(|e| panic!("{e}"))
}

pub fn refused(program: &Program, graph: &Graph) -> Refused {
    load(program, graph).map_or_else(|refused| refused, |loaded| panic!("it loads: {:?}", loaded.graph))
}

/// The problems of versions, in order.
pub fn versions(refused: &Refused) -> Vec<&VersionProblem> {
    let mut problems = Vec::new();
    for problem in &refused.problems {
        if let Problem::Version(problem) = problem {
            problems.push(problem.as_ref());
        }
    }
    problems
}

/// The problems of nodes, in order.
pub fn nodes(refused: &Refused) -> Vec<&NodeProblem> {
    let mut problems = Vec::new();
    for problem in &refused.problems {
        if let Problem::Node { problem, .. } = problem {
            problems.push(problem.as_ref());
        }
    }
    problems
}

pub fn i32(value: i32) -> Value {
    Value::I32(value)
}

pub fn string(value: &str) -> Value {
    Value::String(value.to_owned().into())
}
