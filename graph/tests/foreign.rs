//! The types that a model of another system says of its variables, held against today's definitions.

mod common;

use std::collections::HashMap;

use common::*;
use oplock_core::Kind;
use oplock_graph::{Block, NodeProblem, Place, Program, VariableTypes};
use oplock_registry::Node;

const OPS: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
[op]
fixed.since = "1.0.0"
fixed.input.X = { type = "f32" }
fixed.output.Y = { type = "i32" }
alike.since = "1.0.0"
alike.types.T = { allowed = ["f16", "f32"] }
alike.input.X = { of = "T" }
alike.input.Z = { of = "T" }
alike.output.Y = { of = "T" }
only.since = "1.0.0"
only.types.T = { allowed = ["f32"] }
only.input.X = { of = "T" }
gives.since = "1.0.0"
gives.types.T = { allowed = ["f32"] }
gives.output.Y = { of = "T" }
"#;

/// What is wrong with the types of blocks of nodes: the operand, and what it has and should have.
fn wrong(blocks: Vec<Vec<Node>>, types: VariableTypes) -> Vec<(Kind, String, String, String)> {
    let program: Program = vision("1.0.0", OPS);
    let blocks = blocks.into_iter().map(|nodes| Block { nodes, ..Block::default() }).collect();
    let graph = oplock_graph::Graph { blocks, ..Default::default() };
    let Err(refused) = program.load_foreign(graph, "vision-ops", &HashMap::new(), types) else { return Vec::new() };
    let problems = nodes(&refused).into_iter().map(|problem| match problem {
        NodeProblem::OperandType { kind, name, found, expected, .. } => {
            (*kind, name.clone(), found.clone(), expected.clone())
        }
        other => panic!("{other:?}"),
    });
    problems.collect()
}

fn types(said: &[(usize, &str, &str)]) -> VariableTypes {
    let mut types = VariableTypes::default();
    assert!(types.is_empty());
    for (block, variable, ty) in said {
        types.say(*block, variable, ty);
    }
    assert_eq!(types.is_empty(), said.is_empty());
    types
}

fn fixed() -> Node {
    node("fixed").input("X", &["x"]).output("Y", &["y"])
}

fn alike() -> Node {
    node("alike").input("X", &["x"]).input("Z", &["z"]).output("Y", &["y"])
}

fn problem(kind: Kind, name: &str, found: &str, expected: &str) -> (Kind, String, String, String) {
    (kind, name.to_owned(), found.to_owned(), expected.to_owned())
}

#[test]
fn a_fixed_type_is_that_one() {
    assert_eq!(wrong(vec![vec![fixed()]], types(&[])), []);
    assert_eq!(wrong(vec![vec![fixed()]], types(&[(0, "x", "f32"), (0, "y", "i32")])), []);
    // A reference is taken for what it refers to.
    assert_eq!(wrong(vec![vec![fixed()]], types(&[(0, "x", "ref(f32)")])), []);
    assert_eq!(
        wrong(vec![vec![fixed()]], types(&[(0, "x", "ref(f64)"), (0, "y", "f32")])),
        [problem(Kind::Input, "X", "ref(f64)", "f32"), problem(Kind::Output, "Y", "f32", "i32")]
    );
    // What is said first holds.
    assert_eq!(wrong(vec![vec![fixed()]], types(&[(0, "x", "f32"), (0, "x", "f64")])), []);
}

#[test]
fn operands_of_one_variable_are_alike() {
    assert_eq!(wrong(vec![vec![alike()]], types(&[(0, "x", "f16"), (0, "z", "f16"), (0, "y", "f16")])), []);
    assert_eq!(
        wrong(vec![vec![alike()]], types(&[(0, "x", "f16"), (0, "z", "f32"), (0, "y", "f64")])),
        [
            problem(Kind::Input, "Z", "f32", "f16, as `X` has it (`T`)"),
            problem(Kind::Output, "Y", "f64", "f16, as `X` has it (`T`)")
        ]
    );
    assert_eq!(
        wrong(vec![vec![alike()]], types(&[(0, "x", "i8"), (0, "z", "i8")])),
        [problem(Kind::Input, "X", "i8", "one of f16, f32 (`T`)")]
    );
}

#[test]
fn what_follows_is_known_to_the_nodes_that_read_it() {
    // `y` is an i32, whichever node comes first.
    let reads = node("fixed").input("X", &["y"]).output("Y", &["w"]);
    for nodes in [vec![fixed(), reads.clone()], vec![reads, fixed()]] {
        assert_eq!(wrong(vec![nodes], types(&[])), [problem(Kind::Input, "X", "i32", "f32")]);
    }
    // That of `alike` follows from what it reads.
    let reads = node("fixed").input("X", &["y"]).output("Y", &["w"]);
    assert_eq!(wrong(vec![vec![alike(), reads]], types(&[(0, "x", "f16")])), [problem(Kind::Input, "X", "f16", "f32")]);
}

#[test]
fn a_block_sees_the_variables_of_those_around_it() {
    let within = |outer: Option<usize>| {
        let mut types = types(&[(0, "x", "f64")]);
        if let Some(outer) = outer {
            types.within(1, outer);
        }
        wrong(vec![vec![], vec![fixed()]], types)
    };
    assert_eq!(within(None), []);
    assert_eq!(within(Some(0)), [problem(Kind::Input, "X", "f64", "f32")]);
    // No block is around itself.
    assert_eq!(within(Some(1)), []);
    // What a block writes is its own.
    let mut outer = types(&[(0, "y", "f64")]);
    outer.within(1, 0);
    assert_eq!(wrong(vec![vec![], vec![fixed()]], outer), []);
}

#[test]
fn what_is_left_open_is_not_judged() {
    let mut open = types(&[(0, "x", "f64")]);
    open.leave_open(Place { block: 0, node: 0 });
    let reads = node("fixed").input("X", &["y"]);
    assert_eq!(wrong(vec![vec![fixed(), reads.output("Y", &["w"])]], open), []);
}

/// A type variable that allows one type says it.
#[test]
fn the_only_type_that_is_allowed_is_that_one() {
    let only = node("only").input("X", &["x"]);
    assert_eq!(wrong(vec![vec![only]], types(&[(0, "x", "i8")])), [problem(Kind::Input, "X", "i8", "f32 (`T`)")]);
    // So it is that of an output, whichever node comes first.
    let reads = node("alike").input("X", &["y"]).input("Z", &["z"]).output("Y", &["w"]);
    let gives = node("gives").output("Y", &["y"]);
    assert_eq!(
        wrong(vec![vec![reads, gives]], types(&[(0, "z", "f16")])),
        [problem(Kind::Input, "Z", "f16", "f32, as `X` has it (`T`)")]
    );
}

#[test]
fn what_takes_and_what_gives_another_type_are_told_in_their_own_words() {
    let blocks = vec![Block { nodes: vec![fixed()], ..Block::default() }];
    let graph = oplock_graph::Graph { blocks, ..Default::default() };
    let types = types(&[(0, "x", "f64"), (0, "y", "f32")]);
    let refused = vision("1.0.0", OPS).load_foreign(graph, "vision-ops", &HashMap::new(), types).unwrap_err();
    let expected = "\
input `X` of `fixed` takes f32, and `x` is f64 (node 0 of block 0)
  help: convert it before, or hold it against a release whose `fixed` takes f64
output `Y` of `fixed` gives i32, and `y` is f32 (node 0 of block 0)
  help: hold it against a release whose `fixed` gives f32";
    assert_eq!(refused.to_string(), expected);
}

/// Its lock has it again, so it was not the deletion that took it away.
#[test]
fn an_operator_that_came_back_and_is_not_in_this_build_is_not_told_as_deleted() {
    let text = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"3.0.0" = { date = "2026-03-01", graph = 2 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
[op]
f.since = "3.0.0"
f.cfg = "unix"
[ledger]
f."2.0.0".op = { rule = "op_deleted", version = 2, from = { since = "1.0.0" } }
"#;
    let told = |text: &str| {
        let mut program = vision("3.0.0", text);
        program.packages_mut().get_mut("vision-ops").unwrap().ops.clear();
        let loaded = program.load_foreign(graph([node("f")]), "vision-ops", &HashMap::new(), VariableTypes::default());
        loaded.unwrap_err().to_string()
    };
    assert!(told(text).starts_with("vision-ops has no operator `f` here (node 0 of block 0)"), "{}", told(text));
    let gone = text.replace("f.since = \"3.0.0\"\nf.cfg = \"unix\"\n", "");
    assert!(
        told(&gone).starts_with("operator `f` (node 0 of block 0) was deleted in vision-ops 2.0.0"),
        "{}",
        told(&gone)
    );
}
