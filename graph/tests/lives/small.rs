//! Every life of three releases of one small operator, and every graph of one node of it.
//!
//! The operator has up to two inputs, one output and up to two attributes. By default a sample of the lives, evenly spread;
//! all of them with `OPLOCK_SMALL=all cargo test --release -p oplock-graph --test lives small`, and so many with a number.

use oplock_core::{AttrDef, AttrType, Kind, OpDef, Part, ScalarType, Value};
use oplock_graph::{Block, Graph};
use oplock_registry::Node;

use crate::life::Life;
use crate::meet::{Counts, HOW, meet_graph};
use crate::rules::Without;
use crate::step::{Change, change, release};
use crate::transform::is_required;

/// The attributes of one name that an operator can have, `None` for none.
fn attrs(which: usize) -> Option<AttrDef> {
    let (i32, i64) = (AttrType::of(ScalarType::I32), AttrType::of(ScalarType::I64));
    let of = |name: &'static str, ty, default| AttrDef { default, ..AttrDef::new(name, ty) };
    Some(match which {
        0 => return None,
        1 => of("a", i32, None),
        2 => of("a", i32, Some(Value::I32(0))),
        3 => of("a", i32, Some(Value::I32(1))),
        4 => of("a", i64, Some(Value::I64(0))),
        5 => AttrDef { part: Part::Extra, ..of("a", i32, Some(Value::I32(0))) },
        6 => AttrDef { part: Part::Quant, ..of("a", i32, Some(Value::I32(0))) },
        _ => AttrDef { aliases: vec!["a".into()].into(), ..of("a2", i32, Some(Value::I32(0))) },
    })
}

/// How many signatures there are; the first is none at all.
pub(crate) const SIGNATURES: usize = 1 + 2 * 3 * 8 * 3;

/// The operator of that number.
pub(crate) fn signature(number: usize) -> Option<OpDef> {
    let mut rest = number.checked_sub(1)?;
    let mut choose = |of: usize| {
        let which = rest % of;
        rest /= of;
        which
    };
    let mut def = OpDef::new("f");
    let arg = |name: &'static str, dispensable| oplock_core::ArgDef { dispensable, ..oplock_core::ArgDef::new(name) };
    def.inputs.to_mut().push(arg("X", choose(2) == 1));
    match choose(3) {
        0 => {}
        y => def.inputs.to_mut().push(arg("Y", y == 1)),
    }
    def.outputs.to_mut().push(arg("Out", false));
    def.attrs.to_mut().extend(attrs(choose(8)));
    let k =
        |default| AttrDef { default: Some(Value::I64(default)), ..AttrDef::new("k", AttrType::of(ScalarType::I64)) };
    match choose(3) {
        0 => {}
        which => def.attrs.to_mut().push(k(if which == 1 { 0 } else { 2 })),
    }
    Some(def)
}

/// Every graph of one node of an operator, with a few values for each attribute.
fn graphs(def: &OpDef) -> Vec<Graph> {
    let mut nodes = vec![Node::new("f")];
    for node in &mut nodes {
        node.outputs.insert("Out".to_owned(), vec!["y".to_owned()]);
    }
    for arg in def.inputs.iter() {
        let without = if is_required(arg) { Vec::new() } else { nodes.clone() };
        for node in &mut nodes {
            node.inputs.insert(arg.name.to_string(), vec!["x".to_owned()]);
        }
        nodes.extend(without);
    }
    for attr in def.attrs.iter() {
        let values = match attr.ty.scalar {
            ScalarType::I32 => [Value::I32(0), Value::I32(1), Value::I32(5)],
            _ => [Value::I64(0), Value::I64(2), Value::I64(1 << 40)],
        };
        let mut all = if attr.default.is_some() { nodes.clone() } else { Vec::new() };
        for value in values {
            all.extend(nodes.iter().cloned().map(|mut node| {
                node.attrs_of_mut(attr.part).insert(attr.name.to_string(), value.clone());
                node
            }));
        }
        nodes = all;
    }
    let graph = |node: Node| {
        let main = Block { inputs: vec!["x".to_owned()], outputs: vec!["y".to_owned()], nodes: vec![node] };
        Graph { blocks: vec![main], ..Graph::default() }
    };
    debug_assert!(def.args(Kind::Output).len() == 1);
    nodes.into_iter().map(graph).collect()
}

#[test]
fn small_lives_keep_the_guarantee() {
    let all = SIGNATURES.pow(3);
    let lives = match std::env::var("OPLOCK_SMALL") {
        Ok(text) if text == "all" => all,
        _ => crate::number("OPLOCK_SMALL", 40),
    };
    let mut counts = Counts::default();
    for life in 0..lives {
        // A prime that does not divide their number, so that a sample is of all kinds.
        let number = if lives == all { life } else { life * 104_729 % all };
        let numbers = [number % SIGNATURES, number / SIGNATURES % SIGNATURES, number / SIGNATURES.pow(2)];
        let [first, second, third] = numbers.map(|number| change(Change::Set(number)));
        let steps = [first, release(0), second, release(300), third, release(300)];
        let life = Life::of(&steps, Without::Nothing);
        counts.lives += 1;
        counts.releases += life.releases.len();
        for writer in 0..life.releases.len() {
            let Some(def) = life.state(&life.releases[writer]).defs.get("f") else { continue };
            for (graph, how) in graphs(def).iter().flat_map(|graph| HOW.map(|how| (graph, how))) {
                if let Some((reader, failure)) = meet_graph(&life, writer, how, graph, &mut counts) {
                    let told: Vec<_> = numbers.map(|number| format!("{:?}", signature(number))).to_vec();
                    panic!(
                        "{}\nof release {writer}, {how:?}, {:?}\nread by {reader}: {failure}",
                        told.join("\n"),
                        graph.blocks
                    );
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.accepted > counts.pairs / 3, "most of it is refused: {counts:?}");
}
