//! Variables that outlive a run: what upgrades do to them in a graph, they do in a checkpoint that was written with it.
#![cfg(feature = "checkpoint")]

mod common;

use std::collections::BTreeMap;

use common::*;
use oplock_core::Value;
use oplock_graph::checkpoint::{Checkpoint, CheckpointError, CheckpointOptions, Dtype, Tensor};
use oplock_graph::{Block, Graph, LoadOptions, Loaded, Package, Program, Upgrade, UpgradeError, UpgradeFn, Warning};

/// Releases 1.0.0 to 3.0.0 at data versions 1 to 3 of graphs and 1 of checkpoints.
fn lock(releases: u32) -> String {
    let line = |i: u32| match i {
        1 => "\"1.0.0\" = { date = \"2026-01-01\" }\n".to_owned(),
        i => format!("\"{i}.0.0\" = {{ date = \"2026-0{i}-01\", graph = {i} }}\n"),
    };
    let version = |i: u32| format!("graph.version.{i} = {{ text = \"\", since = \"{i}.0.0\" }}\n");
    let saved = if releases > 1 { "[saved]\n" } else { "" };
    let parts: [String; 2] = [(1..=releases).map(line).collect(), (2..=releases).map(version).collect()];
    let op = "[op]\nnorm.since = \"1.0.0\"\nnorm.input.X = {}\nnorm.input.W = {}\nnorm.input.S = { dispensable = true }\n\
              norm.attr.body = { type = \"block?\" }\nnorm.attr.state = { type = \"var?\" }\nnorm.attr.states = { type = \"[var]\", default = [] }\nnorm.output.Out = {}\n";
    format!("[release]\n{}{saved}{}{op}", parts[0], parts[1])
}

fn writer() -> Program {
    program([package("vision-ops", "1.0.0", &lock(1))])
}

type Step = fn(&mut Upgrade<'_>) -> Result<(), UpgradeError>;

type Functions<'f> = &'f [(u32, Step)];

fn reader(functions: Functions<'_>) -> Program {
    let mut package: Package = package("vision-ops", "3.0.0", &lock(3));
    for (before, function) in functions {
        package.upgrades.insert(("norm".into(), *before), UpgradeFn::new(*function));
    }
    program([package])
}

fn floats(values: &[f32]) -> Tensor<'static> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Tensor { dtype: Dtype::F32, shape: vec![values.len()], data: data.into() }
}

fn norm(x: &str, w: &str, out: &str) -> oplock_registry::Node {
    node("norm").input("X", &[x]).input("W", &[w]).output("Out", &[out])
}

/// Two layers that share a weight, the second in a sub-graph, and one with a statistic of its own.
fn sample() -> (Graph, Checkpoint<'static>) {
    let mut graph = blocks([
        vec![
            norm("x", "w", "y")
                .input("S", &["stat"])
                .attr("body", Value::Block(1))
                .attr("state", Value::Var("w".into())),
        ],
        vec![norm("y", "w", "z")],
    ]);
    graph.blocks[0].inputs = ["x", "w", "stat"].map(str::to_owned).to_vec();
    graph.blocks[0].outputs = vec!["y".into(), "w".into()];
    let graph = save(&writer(), &graph);
    let tensors = BTreeMap::from([("w".to_owned(), floats(&[1.0, 2.0])), ("stat".to_owned(), floats(&[3.0]))]);
    let mut checkpoint = Checkpoint { tensors, ..Checkpoint::default() };
    writer().stamp_checkpoint(&mut checkpoint, &graph).unwrap();
    (graph, checkpoint)
}

fn rename(upgrade: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    let weight = upgrade.only_input("W")?.to_owned();
    upgrade.rename_variable(&weight, &format!("{weight}.gamma"))
}

/// From 3 on the statistic is two numbers under a name of its own.
fn replace(upgrade: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    let weight = upgrade.only_input("W")?.to_owned();
    let name = format!("{weight}.scale");
    upgrade.add_variable(&name, floats(&[0.5]))?;
    if let [old] = upgrade.set_input("S", vec![name]).as_slice() {
        upgrade.remove_variable(old)?;
    }
    Ok(())
}

fn upgrade(
    program: &Program,
    checkpoint: &Checkpoint<'static>,
    loaded: &Loaded,
) -> Result<Checkpoint<'static>, CheckpointError> {
    let mut upgraded = checkpoint.clone();
    program.upgrade_checkpoint(&mut upgraded, loaded, CheckpointOptions::default())?;
    Ok(upgraded)
}

fn names(checkpoint: &Checkpoint<'_>) -> Vec<String> {
    checkpoint.tensors.keys().cloned().collect()
}

#[test]
fn a_graph_and_its_checkpoint_are_upgraded_alike() {
    let (graph, checkpoint) = sample();
    let reader = reader(&[(2, rename), (3, replace)]);
    let loaded = loaded(&reader, &graph);
    let steps: Vec<_> = loaded.variables.iter().map(ToString::to_string).collect();
    let expected = [
        "the upgrade to data version 2 of vision-ops renames the variable `w` to `w.gamma`",
        "the upgrade to data version 3 of vision-ops removes the variable `stat`",
        "the upgrade to data version 3 of vision-ops adds the variable `w.gamma.scale` of type F32 and shape [1]",
    ];
    assert_eq!(steps, expected);
    let report = loaded.report.to_string();
    assert!(expected.iter().all(|step| report.contains(&format!("note: {step}\n"))), "{report}");
    let [main, body] = loaded.graph.blocks.as_slice() else { panic!("{:?}", loaded.graph) };
    assert_eq!(main.inputs, ["x", "w.gamma", "w.gamma.scale"]);
    assert_eq!(main.outputs, ["y", "w.gamma"]);
    assert_eq!(main.nodes[0].attrs["state"], Value::Var("w.gamma".into()));
    for node in [&main.nodes[0], &body.nodes[0]] {
        assert_eq!((&node.inputs["W"][0], &node.inputs["S"][0]), (&"w.gamma".to_owned(), &"w.gamma.scale".to_owned()));
    }

    let mut upgraded = checkpoint;
    let report = reader.upgrade_checkpoint(&mut upgraded, &loaded, CheckpointOptions::default()).unwrap();
    assert!(expected.iter().all(|step| report.to_string().contains(step)), "{report}");
    assert_eq!(upgraded.tensors["w.gamma"], floats(&[1.0, 2.0]));
    assert_eq!(upgraded.tensors["w.gamma.scale"], floats(&[0.5]));
    assert_eq!(names(&upgraded), ["w.gamma", "w.gamma.scale"]);
    assert_eq!(upgraded.stamps.as_ref().unwrap()["vision-ops"].releases.len(), 3);
}

/// A graph in which nothing changed is saved as it was, and is upgraded again each time; what was carried over is not.
#[test]
fn what_was_carried_over_is_not_carried_over_again() {
    let (graph, checkpoint) = sample();
    let reader = reader(&[(2, rename), (3, replace)]);
    let loaded = loaded(&reader, &graph);
    let upgraded = upgrade(&reader, &checkpoint, &loaded).unwrap();
    assert_eq!(upgrade(&reader, &upgraded, &loaded).unwrap(), upgraded);
    // Written between the two: by 2.0.0, which renamed the weight.
    let mut between = checkpoint.clone();
    let weight = between.tensors.remove("w").unwrap();
    between.tensors.insert("w.gamma".into(), weight);
    program([package("vision-ops", "2.0.0", &lock(2))]).stamp_checkpoint(&mut between, &loaded.graph).unwrap();
    assert_eq!(upgrade(&reader, &between, &loaded).unwrap(), upgraded);
    // By a build of today that is not sealed.
    let mut unsealed = self::reader(&[(2, rename), (3, replace)]);
    unsealed.packages_mut().get_mut("vision-ops").unwrap().version = v("3.1.0-alpha.1");
    let own = upgrade(&unsealed, &checkpoint, &loaded).unwrap();
    assert!(own.stamps.as_ref().unwrap()["vision-ops"].unpromised.is_some());
    assert_eq!(upgrade(&unsealed, &own, &loaded).unwrap(), own);
    // A graph of today has no steps, and a checkpoint beside it stays what it was.
    let today = save(&reader, &loaded.graph);
    let again = common::loaded(&reader, &today);
    assert_eq!(again.variables, []);
    assert_eq!(upgrade(&reader, &between, &again).unwrap(), between);
}

/// What was saved again is of today, and says nothing of what upgrades made of its variables before.
#[test]
fn a_checkpoint_older_than_its_graph_is_told() {
    let (graph, checkpoint) = sample();
    let sealed = |version: &str, lock: &str, functions: &[(&str, u32, Step)]| {
        let said = functions.iter().map(|(op, before, _)| format!("{op}.{before} = {{ since = \"{before}.0.0\" }}\n"));
        let mut package = package("vision-ops", version, &format!("{lock}[upgrade]\n{}", said.collect::<String>()));
        for (op, before, function) in functions {
            package.upgrades.insert(((*op).into(), *before), UpgradeFn::new(*function));
        }
        program([package])
    };
    let told = |reader: &Program, checkpoint: &Checkpoint<'_>| {
        let again = save(reader, &loaded(reader, &graph).graph);
        let mut checkpoint = checkpoint.clone();
        let before = checkpoint.clone();
        let options = CheckpointOptions { allow_unrecorded: true, load: LoadOptions::default() };
        let told = reader.upgrade_checkpoint(&mut checkpoint, &loaded(reader, &again), options);
        assert_eq!(checkpoint, before);
        told.map(|report| report.to_string()).map_err(|error| error.to_string())
    };
    let warning = "warning: the checkpoint was saved as of data version 1 of graphs of vision-ops, and the graph is as of 3: what the \
                   upgrades to 2, 3 made of variables was not done to the checkpoint; load it beside the graph with which it was saved\n";
    let today = sealed("3.0.0", &lock(3), &[("norm", 2, rename), ("norm", 3, replace)]);
    assert_eq!(told(&today, &checkpoint), Ok(warning.to_owned()));
    let one = warning.replace("upgrades to 2, 3 made", "upgrade to 3 made");
    assert_eq!(told(&sealed("3.0.0", &lock(3), &[("norm", 3, replace)]), &checkpoint), Ok(one));
    // Nothing was made of variables, or the checkpoint was saved with the graph, or its caller answers for it.
    assert_eq!(told(&sealed("3.0.0", &lock(3), &[]), &checkpoint), Ok(String::new()));
    let own = upgrade(&today, &checkpoint, &loaded(&today, &graph)).unwrap();
    assert_eq!(told(&today, &own), Ok(String::new()));
    assert_eq!(told(&today, &Checkpoint { stamps: None, ..checkpoint.clone() }), Ok(String::new()));
    // Where the package says that the variables of checkpoints are others since then, it is known to be wrong.
    let saved = "checkpoint.min_consumer = 2\ncheckpoint.version.2 = { text = \"\", since = \"2.0.0\" }\n[op]";
    let others = lock(3).replace(", graph =", ", checkpoint = 2, graph =").replace("[op]", saved);
    let says = |op: &str| sealed("3.0.0", &others, &[(op, 2, rename)]);
    let refused = told(&says("norm"), &checkpoint).unwrap_err();
    let expected = "the checkpoint was saved as of data version 1 of graphs of vision-ops, and the graph is as of 3: what the upgrade to 2 \
                    made of variables was not done to the checkpoint, and data version 2 of checkpoints says that its variables are \
                    others than those of version 1\n  help: load it beside the graph with which it was saved";
    assert!(refused.starts_with(expected), "{refused}");
    // The graph uses no operator whose function may have changed them.
    assert!(told(&says("other"), &checkpoint).unwrap().starts_with("warning: the checkpoint"));
    // Neither does it know where they became others only after the graph was saved.
    let later = others
        .replace("checkpoint = 2, graph = 2", "graph = 2")
        .replace("since = \"2.0.0\" }\n[op]", "since = \"3.0.0\" }\n[op]");
    let between = sealed("2.0.0", &lock(2), &[("norm", 2, rename)]);
    let between = save(&between, &loaded(&between, &graph).graph);
    let reader = sealed("3.0.0", &later, &[("norm", 2, rename)]);
    let report =
        reader.upgrade_checkpoint(&mut checkpoint.clone(), &loaded(&reader, &between), CheckpointOptions::default());
    let [Warning::Apart(apart)] = &report.unwrap().warnings.into_keys().collect::<Vec<_>>()[..] else {
        panic!("told otherwise")
    };
    assert_eq!((apart.checkpoint, apart.graph, &apart.upgrades[..]), (1, 2, &[2][..]));
}

#[test]
fn a_file_without_a_record_is_as_old_as_the_graph() {
    let (graph, checkpoint) = sample();
    let reader = reader(&[(2, rename)]);
    let loaded = loaded(&reader, &graph);
    let mut foreign = Checkpoint { stamps: None, ..checkpoint };
    let error = reader.upgrade_checkpoint(&mut foreign, &loaded, CheckpointOptions::default());
    assert_eq!(error, Err(CheckpointError::NoRecord));
    let options = CheckpointOptions { allow_unrecorded: true, load: LoadOptions::default() };
    reader.upgrade_checkpoint(&mut foreign, &loaded, options).unwrap();
    assert_eq!((names(&foreign), foreign.stamps), (vec!["stat".to_owned(), "w.gamma".to_owned()], None));
}

#[test]
fn a_checkpoint_that_does_not_suit_is_left_alone_and_says_why() {
    let (graph, checkpoint) = sample();
    let reader = reader(&[(2, rename), (3, replace)]);
    let loaded = loaded(&reader, &graph);
    let refused = |change: &dyn Fn(&mut BTreeMap<String, Tensor<'static>>)| {
        let mut other = checkpoint.clone();
        change(&mut other.tensors);
        let before = other.clone();
        let error = reader.upgrade_checkpoint(&mut other, &loaded, CheckpointOptions::default()).unwrap_err();
        assert_eq!(other, before);
        error.to_string()
    };
    let error = refused(&|tensors| {
        let weight = tensors.remove("w").unwrap();
        tensors.insert("w1".into(), weight);
    });
    let expected = "the upgrade to data version 2 of vision-ops renames the variable `w` to `w.gamma`, and the checkpoint has no such \
                    variable; did you mean `w1`?\n  help: load the graph beside which";
    assert!(error.starts_with(expected), "{error}");
    let error = refused(&|tensors| drop(tensors.remove("stat")));
    assert!(error.contains("removes the variable `stat`, and the checkpoint has no such variable"), "{error}");
    let error = refused(&|tensors| drop(tensors.insert("w.gamma".into(), floats(&[1.0, 2.0, 3.0]))));
    assert!(error.contains("has a variable `w.gamma` already, of type F32 and shape [3]\n"), "{error}");
    let error = refused(&|tensors| drop(tensors.insert("w.gamma.scale".into(), floats(&[]))));
    assert!(error.contains("has a variable `w.gamma.scale` already, of type F32 and shape [0]\n"), "{error}");
}

/// The first line of why a graph of two nodes is refused.
fn refusal(function: fn(&mut Upgrade<'_>) -> Result<(), UpgradeError>) -> String {
    let main = Block {
        inputs: vec!["x".into(), "w".into()],
        nodes: vec![norm("x", "w", "y"), norm("y", "v", "z")],
        ..Block::default()
    };
    let graph = save(&writer(), &Graph { blocks: vec![main], ..Graph::default() });
    let refused = refused(&reader(&[(2, function)]), &graph).to_string();
    refused.lines().next().unwrap().split_once("of vision-ops: ").unwrap().1.to_owned()
}

#[test]
fn what_contradicts_itself_is_refused_at_the_node() {
    assert_eq!(
        refusal(|node| node.rename_variable("q", "p")),
        "it renames the variable `q` to `p`, and the graph has no such variable"
    );
    assert_eq!(
        refusal(|node| node.rename_variable("w", "v")),
        "it renames the variable `w` to `v`, and the graph has a variable of that name already"
    );
    assert_eq!(refusal(|node| node.rename_variable("w", "")), "it gives a variable an empty name");
    assert_eq!(refusal(|node| node.add_variable("", floats(&[]))), "it gives a variable an empty name");
    assert_eq!(
        refusal(|node| node.remove_variable("q")),
        "it removes the variable `q`, and the graph has no such variable"
    );
    assert_eq!(
        refusal(|node| {
            let to = format!("{}.w", node.output("Out")[0]);
            node.rename_variable("w", &to)
        }),
        "it renames the variable `w` to `z.w`, and what was upgraded before it renames the variable `w` to `y.w`"
    );
    assert_eq!(
        refusal(|node| node.add_variable("v", floats(&[]))),
        "it adds the variable `v` of type F32 and shape [0], and the graph has a variable of that name already"
    );
    assert_eq!(
        refusal(|node| node.add_variable("s", Tensor { shape: vec![2], ..floats(&[1.0]) })),
        "the tensor `s` has 4 bytes, and its type F32 and shape [2] take 8"
    );
}

/// What two nodes share is removed when neither reads it.
#[test]
fn what_is_read_is_not_removed() {
    let remove = |node: &mut Upgrade<'_>| {
        let statistic = node.input("S").first().cloned();
        if node.output("Out")[0] == "y" {
            node.remove_input("S");
        }
        statistic.map_or(Ok(()), |name| node.remove_variable(&name))
    };
    let both =
        |node: &mut Upgrade<'_>| node.remove_input("S").first().map_or(Ok(()), |name| node.remove_variable(name));
    let nodes = vec![norm("x", "w", "y").input("S", &["stat"]), norm("y", "w", "z").input("S", &["stat"])];
    let main = Block { inputs: vec!["stat".into()], nodes, ..Block::default() };
    let graph = save(&writer(), &Graph { blocks: vec![main], ..Graph::default() });
    let shared = loaded(&reader(&[(2, remove)]), &graph);
    assert_eq!((shared.variables.len(), &*shared.graph.blocks[0].inputs), (0, &["stat".to_owned()][..]));
    let gone = loaded(&reader(&[(2, remove), (3, both)]), &graph);
    assert_eq!((gone.variables.len(), gone.variables[0].version, gone.graph.blocks[0].inputs.len()), (1, 3, 0));
}

/// A fresh name is free for a variable, and a name that became free is.
#[test]
fn names_are_free_when_nothing_has_them() {
    let first = |node: &mut Upgrade<'_>| {
        let name = node.fresh_variable("gamma");
        node.rename_variable("w", &name)?;
        node.rename_variable("w", "w")
    };
    let second = |node: &mut Upgrade<'_>| {
        let weight = node.only_input("W")?.to_owned();
        node.rename_variable(&weight, "w")
    };
    let graph = save(&writer(), &graph([norm("x", "w", "y")]));
    let loaded = loaded(&reader(&[(2, first), (3, second)]), &graph);
    assert_eq!(loaded.graph.blocks[0].nodes[0].inputs["W"], ["w"]);
    assert_eq!(loaded.variables.len(), 2);
}

/// An attribute names a variable as an input does, also in a list.
#[test]
fn variables_in_attributes_are_renamed_and_read() {
    let list = |names: &[&str]| Value::list(names.iter().map(|name| Value::Var((*name).to_owned().into())).collect());
    let of = |state: &str, states: &[&str]| {
        let node = norm("x", "w", "y").attr("state", Value::Var(state.to_owned().into())).attr("states", list(states));
        let inputs = ["w", "stat"].map(str::to_owned).to_vec();
        let main = Block { inputs, nodes: vec![node], ..Block::default() };
        save(&writer(), &Graph { blocks: vec![main], ..Graph::default() })
    };
    let renamed = loaded(&reader(&[(2, rename)]), &of("w", &["v", "w"]));
    let attrs = &renamed.graph.blocks[0].nodes[0].attrs;
    assert_eq!((&attrs["state"], &attrs["states"]), (&Value::Var("w.gamma".into()), &list(&["v", "w.gamma"])));
    let remove = |node: &mut Upgrade<'_>| node.remove_variable("stat");
    for (state, states, is_read) in [("stat", &["v"][..], true), ("v", &["stat"], true), ("v", &["w"], false)] {
        let loaded = loaded(&reader(&[(2, remove)]), &of(state, states));
        assert_eq!(loaded.variables.is_empty(), is_read, "{state}, {states:?}");
    }
    // And its name is none for another.
    let taken = |node: &mut Upgrade<'_>| node.rename_variable("w", "v");
    for (state, states) in [("v", &["w"][..]), ("w", &["v"])] {
        let told = refused(&reader(&[(2, taken)]), &of(state, states)).to_string();
        assert!(told.contains("the graph has a variable of that name already"), "{told}");
    }
}

/// So it is with the inputs and results of blocks, and with what was removed while a block has a variable of its own of that name.
#[test]
fn a_name_is_taken_while_anything_of_the_graph_has_it() {
    let with = |block: &dyn Fn(&mut Block)| {
        let mut main = Block { inputs: vec!["stat".into()], nodes: vec![norm("x", "w", "y")], ..Block::default() };
        block(&mut main);
        let below = Block { nodes: vec![norm("x", "w", "stat")], ..Block::default() };
        save(&writer(), &Graph { blocks: vec![main, below], ..Graph::default() })
    };
    let to_v = |node: &mut Upgrade<'_>| node.rename_variable("w", "v");
    let is_taken = |graph: &Graph, functions: Functions<'_>| match load(&reader(functions), graph) {
        Ok(_) => false,
        Err(refused) => {
            assert!(refused.to_string().contains("the graph has a variable of that name already"), "{refused}");
            true
        }
    };
    assert!(!is_taken(&with(&|_| {}), &[(2, to_v)]));
    assert!(is_taken(&with(&|main| main.inputs.push("v".into())), &[(2, to_v)]));
    assert!(is_taken(&with(&|main| main.outputs.push("v".into())), &[(2, to_v)]));
    let remove = |node: &mut Upgrade<'_>| node.remove_variable("stat");
    let to_stat = |node: &mut Upgrade<'_>| node.rename_variable("w", "stat");
    let alone = |graph: Graph| Graph { blocks: graph.blocks[..1].to_vec(), ..graph };
    assert!(!is_taken(&alone(with(&|_| {})), &[(2, remove), (3, to_stat)]));
    let own = with(&|main| main.nodes[0] = norm("x", "w", "y").attr("body", Value::Block(1)));
    assert!(is_taken(&own, &[(2, remove), (3, to_stat)]));
}
