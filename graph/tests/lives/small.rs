//! Every life of three releases of one small operator, and every graph of one node of it.
//!
//! The operator has up to two inputs, one output and up to two attributes. By default a sample of the lives, evenly spread; so
//! many with `OPLOCK_SMALL=3000 cargo test --release -p oplock-graph --test lives small`, with `OPLOCK_SMALL=pairs` all in which at
//! most two of the items are ever other than the simplest, with `OPLOCK_SMALL=few` all of the operator with fewer kinds of attributes, and with
//! `OPLOCK_SMALL=all` all there are, which takes days.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

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

/// How many forms each of the operator's items has: two inputs and two attributes.
const FORMS: [usize; 4] = [2, 3, 8, 3];

/// The signatures in whose items a form is allowed, and none at all.
fn signatures(is_allowed: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let is_of = |number: usize| {
        let Some(mut rest) = number.checked_sub(1) else { return true };
        FORMS.iter().enumerate().all(|(item, forms)| {
            let form = rest % forms;
            rest /= forms;
            is_allowed(item, form)
        })
    };
    (0..SIGNATURES).filter(|number| is_of(*number)).collect()
}

/// Every life of three releases that have one of these signatures.
fn lives_of(signatures: &[usize]) -> impl Iterator<Item = [usize; 3]> + '_ {
    let of = move |first| {
        signatures.iter().flat_map(move |second| signatures.iter().map(move |third| [first, *second, *third]))
    };
    signatures.iter().flat_map(move |first| of(*first))
}

/// Every life of an operator with fewer kinds of attributes: not there, required, and with each of two defaults; and one that is added.
fn lives_of_few() -> Vec<[usize; 3]> {
    lives_of(&signatures(|item, form| form < [2, 3, 4, 2][item])).collect()
}

/// Every life in which only two of the operator's four items are ever other than the simplest, or the operator is not there.
///
/// Items are judged, upgraded and loaded each by itself; what one has to do with another shows in pairs of them.
fn lives_of_pairs() -> BTreeSet<[usize; 3]> {
    let mut lives = BTreeSet::new();
    for (a, b) in (0..FORMS.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
        lives.extend(lives_of(&signatures(|item, form| form == 0 || item == a || item == b)));
    }
    lives
}

/// Meets all releases of a life, and says what went wrong.
fn live(numbers: [usize; 3], counts: &mut Counts) -> Option<String> {
    let [first, second, third] = numbers.map(|number| change(Change::Set(number)));
    let steps = [first, release(0), second, release(300), third, release(300)];
    let life = Life::of(&steps, Without::Nothing);
    counts.lives += 1;
    counts.releases += life.releases.len();
    for writer in 0..life.releases.len() {
        let Some(def) = life.state(&life.releases[writer]).defs.get("f") else { continue };
        for (graph, how) in graphs(def).iter().flat_map(|graph| HOW.map(|how| (graph, how))) {
            if let Some((reader, failure)) = meet_graph(&life, writer, how, graph, counts) {
                let told: Vec<_> = numbers.map(|number| format!("{:?}", signature(number))).to_vec();
                let (told, blocks) = (told.join("\n"), &graph.blocks);
                return Some(format!("{told}\nof release {writer}, {how:?}, {blocks:?}\nread by {reader}: {failure}"));
            }
        }
    }
    None
}

#[test]
fn small_lives_keep_the_guarantee() {
    let all = SIGNATURES.pow(3);
    // A prime that does not divide their number, so that a sample is of all kinds.
    let of = |number: usize| [number % SIGNATURES, number / SIGNATURES % SIGNATURES, number / SIGNATURES.pow(2)];
    let sample = |count: usize| (0..count).map(|life| of(life * 104_729 % all)).collect();
    let lives: Vec<_> = match std::env::var("OPLOCK_SMALL").as_deref() {
        Ok("all") => (0..all).map(of).collect(),
        Ok("few") => lives_of_few(),
        Ok("pairs") => lives_of_pairs().into_iter().collect(),
        _ => sample(crate::number("OPLOCK_SMALL", 40)),
    };
    let (next, all_counts) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut counts = Counts::default();
                while let Some(numbers) = lives.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(failure) = live(*numbers, &mut counts) {
                        panic!("{failure}");
                    }
                }
                all_counts.lock().unwrap_or_else(PoisonError::into_inner).add(&counts);
            });
        }
    });
    let counts = all_counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{counts:?}");
    assert_eq!(counts.lives, lives.len());
    assert!(counts.accepted > counts.pairs / 3, "most of it is refused: {counts:?}");
}

#[test]
fn lives_of_pairs_are_all_lives_of_two_items() {
    let lives = lives_of_pairs();
    // No operator, or one of so many values of two items, three times; what fewer items give is of several pairs.
    let of_pair = |a: usize, b: usize| (1 + a * b).pow(3);
    let most = of_pair(2, 3) + of_pair(2, 8) + of_pair(2, 3) + of_pair(3, 8) + of_pair(3, 3) + of_pair(8, 3);
    assert!(lives.len() < most && lives.len() > most - 4_000, "{} of {most}", lives.len());
}

#[test]
fn lives_of_few_are_all_lives_of_four_items() {
    assert_eq!(lives_of_few().len(), (1_usize + 2 * 3 * 4 * 2).pow(3));
}
