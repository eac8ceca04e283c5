//! How many variables an operand has: what says so, and who reads a graph after that changed.

mod common;

use std::collections::BTreeMap;

use common::*;
use oplock_core::approvals::Approvals;
use oplock_core::judge::{Context, Verdict, judge_set, seal, updated};
use oplock_core::{ArgDef, AttrDef, AttrType, ElementType, Lock, OpDef, Options, ScalarType, Value};
use oplock_graph::{NodeProblem, Package, Program};
use oplock_registry::Node;

const OPS: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
[op]
concat.since = "1.0.0"
concat.input.X = { duplicable = true, count = "N" }
concat.output.Out = {}
concat.attr.N = { type = "i64", default = 2 }
print.since = "1.0.0"
print.input.X = { duplicable = true, dispensable = true, of = "T" }
print.attr.T = { type = "[dtype]", default = [] }
stack.since = "1.0.0"
stack.input.X = { duplicable = true, min = 2 }
stack.output.Shapes = { duplicable = true, intermediate = true, count = "N" }
stack.attr.N = { type = "i64" }
"#;

fn concat(variables: &[&str], n: Option<i64>) -> Node {
    let node = node("concat").input("X", variables).output("Out", &["y"]);
    n.map_or(node.clone(), |n| node.attr("N", Value::I64(n)))
}

fn print(variables: &[&str], types: &[&str]) -> Node {
    let types = types.iter().map(|ty| Value::DType((*ty).to_owned().into())).collect();
    node("print").input("X", variables).attr("T", Value::list(types))
}

fn stack(variables: &[&str], shapes: &[&str], n: i64) -> Node {
    node("stack").input("X", variables).output("Shapes", shapes).attr("N", Value::I64(n))
}

fn numbered(program: &Program, node: Node) -> Result<(), String> {
    let graph = written(graph([node.clone()]), stamp(1, 1, &[]));
    let loaded = load(program, &graph);
    // Whoever saves it is told the same.
    let saved = program.save(&common::graph([node]));
    assert_eq!(loaded.is_ok(), saved.is_ok(), "{saved:?}");
    loaded.map(drop).map_err(|refused| {
        assert!(matches!(nodes(&refused)[..], [NodeProblem::Number { .. }]), "{refused}");
        refused.to_string()
    })
}

#[test]
fn a_node_has_as_many_variables_as_is_said() {
    let program = vision("1.0.0", OPS);
    let say = |node| numbered(&program, node);
    for node in [
        concat(&["a", "b"], None),
        concat(&["a", "b", "c"], Some(3)),
        print(&[], &[]),
        print(&["a", "b"], &["f32", "i64"]),
        stack(&["a", "b"], &["s", "t"], 2),
        stack(&["a", "b"], &[], 2), // an export removed what is intermediate
    ] {
        assert_eq!(say(node), Ok(()));
    }
    for (node, expected) in [
        (concat(&["a"], None), "input `X` of `concat` takes 2, as attribute `N` says, and 1 variable is connected"),
        (concat(&["a", "b"], Some(3)), "takes 3, as attribute `N` says, and 2 variables are connected"),
        (concat(&["a"], Some(-1)), "takes -1, as attribute `N` says"),
        (print(&["a"], &[]), "input `X` of `print` takes 0, as attribute `T` has types, and 1 variable is connected"),
        (print(&[], &["f32"]), "takes 1, as attribute `T` has types, and 0 variables are connected"),
        (stack(&["a"], &["s"], 1), "input `X` of `stack` takes at least 2, and 1 variable is connected"),
        (stack(&["a", "b"], &["s"], 2), "output `Shapes` of `stack` takes 2, as attribute `N` says"),
    ] {
        let error = say(node).expect_err(expected);
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("help: connect as many variables"), "{error}");
    }
}

#[test]
fn what_a_lowered_minimum_or_a_lost_count_allows_needs_its_release() {
    let text = OPS
        .replace("[op]", "\"1.1.0\" = { date = \"2026-02-01\" }\n[op]")
        .replace("duplicable = true, min = 2 }", "duplicable = true }")
        .replace("concat.input.X = { duplicable = true, count = \"N\" }", "concat.input.X = { duplicable = true }");
    let text = format!(
        "{text}[ledger]\nstack.\"1.1.0\".input.X = {{ rule = \"operand_minimum_lowered\", from = {{ duplicable = true, min = 2, \
         since = \"1.0.0\" }}, to = {{ duplicable = true }} }}\nconcat.\"1.1.0\".input.X = {{ rule = \"operand_count_relaxed\", \
         from = {{ duplicable = true, count = \"N\", since = \"1.0.0\" }}, to = {{ duplicable = true }} }}\n"
    );
    let program = vision("1.1.0", &text);
    let oldest = |node: Node| {
        let saved = save(&program, &graph([node]));
        saved.stamps["vision-ops"].oldest_reader.clone().map(|oldest| (oldest.version.to_string(), oldest.because))
    };
    let of = |version: &str, because: &str| Some((version.to_owned(), because.to_owned()));
    assert_eq!(oldest(stack(&["a", "b"], &["s", "t"], 2)), of("1.0.0", "stack"));
    assert_eq!(oldest(stack(&["a"], &["s"], 1)), of("1.1.0", "stack.X"));
    assert_eq!(oldest(concat(&["a", "b"], None)), of("1.0.0", "concat"));
    assert_eq!(oldest(concat(&["a"], None)), of("1.1.0", "concat.X"));
    assert_eq!(oldest(concat(&["a"], Some(1))), of("1.0.0", "concat"));
}

#[test]
fn an_operator_that_became_stateful_needs_its_release() {
    let text = "[release]\n\"1.0.0\" = { date = \"2026-01-01\" }\n\"1.1.0\" = { date = \"2026-02-01\" }\n[op]\n\
                f.since = \"1.0.0\"\nf.FLAG = true\n[ledger]\n\
                f.\"1.1.0\".op = { rule = \"op_flag_added\", from = { since = \"1.0.0\" }, to = { FLAG = true } }\n";
    for (flag, oldest) in [
        ("stateful", "1.1.0"),
        ("communication", "1.1.0"),
        ("uninitialized", "1.1.0"),
        ("commutative", "1.0.0"),
        ("aggregate", "1.0.0"),
    ] {
        let saved = save(&vision("1.1.0", &text.replace("FLAG", flag)), &graph([node("f")]));
        let found = saved.stamps["vision-ops"].oldest_reader.as_ref().map(|oldest| oldest.version.to_string());
        assert_eq!(found.as_deref(), Some(oldest), "{flag}");
    }
}

/// Operators whose one input differs in how many variables it has, and what says so.
fn numbers() -> Vec<OpDef> {
    let several = || ArgDef { duplicable: true, ..ArgDef::new("X") };
    let args = [
        ArgDef::new("X"),
        ArgDef { dispensable: true, ..ArgDef::new("X") },
        several(),
        ArgDef { dispensable: true, ..several() },
        ArgDef { min: Some(2), ..several() },
        ArgDef { min: Some(3), ..several() },
        ArgDef { count: Some("N".into()), ..several() },
        ArgDef { count: Some("N".into()), dispensable: true, ..several() },
        ArgDef { ty: Some(ElementType::Fixed("f32".into())), ..several() },
        ArgDef { ty: Some(ElementType::Fixed("f32".into())), ..ArgDef::new("X") },
        ArgDef { ty: Some(ElementType::Var("T".into())), ..several() },
    ];
    let mut defs = Vec::new();
    for arg in args {
        for default in [None, Some(1), Some(2)] {
            let mut def = OpDef { inputs: vec![arg.clone()].into(), ..OpDef::new("f") };
            if let Some(n) = default {
                let n = AttrDef { default: Some(Value::I64(n)), ..AttrDef::new("N", AttrType::of(ScalarType::I64)) };
                def.attrs.to_mut().push(n);
            }
            if arg.ty == Some(ElementType::Var("T".into())) {
                let types = vec![Value::DType("f32".into()); usize::try_from(default.unwrap_or(0)).unwrap()];
                let default = Some(Value::list(types));
                def.attrs.to_mut().push(AttrDef { default, ..AttrDef::new("T", AttrType::list(ScalarType::DType)) });
            }
            if arg.count.is_none() || default.is_some() {
                defs.push(def.sorted());
            }
        }
    }
    defs
}

fn nodes_of(def: &OpDef) -> Vec<Node> {
    let mut nodes = Vec::new();
    for variables in 0..=3 {
        let names: Vec<_> = ["a", "b", "c"].into_iter().take(variables).collect();
        let node = if variables > 0 { node("f").input("X", &names) } else { node("f") };
        for stated in [None, Some(0), Some(1), Some(2), Some(3)] {
            let mut node = node.clone();
            if let Some(n) = stated {
                let types = || vec![Value::DType("f32".into()); usize::try_from(n).unwrap()];
                let of = |name: &str| if name == "N" { Value::I64(n) } else { Value::list(types()) };
                let names = def.attrs.iter().map(|attr| attr.name.to_string());
                node.attrs.extend(names.map(|name| (name.clone(), of(&name))));
            }
            nodes.push(node);
        }
    }
    nodes
}

/// What the rules say of two definitions is what loading does: of every change between these that is no break, in every graph.
#[test]
fn every_graph_of_a_compatible_change_loads_and_its_oldest_reader_reads_it() {
    let (mut compatible, mut loaded, mut read_back) = (0, 0, 0);
    let context = |version: &str| Context {
        version: v(version),
        options: Options { relaxations_are_minor: true, ..Options::default() },
        features: None,
        approvals: Approvals::default(),
    };
    let build = |lock: &Lock, def: &OpDef, version: &str| {
        let mut package = Package::new(lock.clone(), v(version));
        package.ops.insert("f".to_owned(), def.clone());
        Program::of([package]).unwrap()
    };
    let defs = numbers();
    for old in &defs {
        let ops = |def: &OpDef| BTreeMap::from([("f".to_owned(), def.clone())]);
        let (first, second) = (context("1.0.0"), context("1.1.0"));
        let first = seal(&updated(&Lock::new("p"), &first, &ops(old), &|_| false), &first, "2026-01-01").unwrap();
        let older = build(&first, old, "1.0.0");
        for new in &defs {
            let judgement = judge_set(&first, &second, &ops(new));
            if judgement.findings.iter().any(|judged| judged.verdict != Verdict::Compatible) {
                continue;
            }
            compatible += 1;
            let lock = seal(&updated(&first, &second, &ops(new), &|_| false), &second, "2026-02-01");
            let newer = build(&lock.unwrap_or_else(|error| panic!("{error}\n{old:?}\n{new:?}")), new, "1.1.0");
            for node in nodes_of(old) {
                let Ok(saved) = older.save(&graph([node])) else { continue };
                load(&newer, &saved.graph).unwrap_or_else(|refused| panic!("{refused}\n{old:?}\n{new:?}"));
                loaded += 1;
            }
            for node in nodes_of(new) {
                let Ok(saved) = newer.save(&graph([node.clone()])) else { continue };
                let oldest = saved.graph.stamps["p"].oldest_reader.as_ref().map(|oldest| oldest.version.to_string());
                if oldest.as_deref() == Some("1.0.0") {
                    load(&older, &saved.graph)
                        .unwrap_or_else(|refused| panic!("{refused}\n{node:?}\n{old:?}\n{new:?}"));
                    read_back += 1;
                }
            }
        }
    }
    assert!(compatible > 100 && loaded > 500 && read_back > 500, "{compatible} {loaded} {read_back}");
}
