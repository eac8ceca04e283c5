//! `PaddlePaddle`'s programs, read and written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::Value;
use oplock_graph::{Block, Graph};
use oplock_interop::models::ModelError;
use oplock_interop::paddle::program::Program;
use oplock_interop::paddle::program::messages::OpAttr;
use oplock_registry::Node;
use serde_json::{Value as Json, json};

/// The folder of real files, where it is given.
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("OPLOCK_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("OPLOCK_DATA is not set: skipped");
    }
    folder
}

/// A program of two blocks with an attribute of each type.
fn graph() -> Graph {
    let mut node = Node::new("while");
    node.inputs.insert("X".to_owned(), vec!["x".to_owned(), "w".to_owned()]);
    node.inputs.insert("Condition".to_owned(), vec![]);
    node.outputs.insert("Out".to_owned(), vec!["y".to_owned()]);
    let texts =
        |texts: &[&str]| Value::list(texts.iter().map(|text| Value::String((*text).to_owned().into())).collect());
    let values = [
        ("bool", Value::Bool(false)),
        ("bools", Value::list(vec![Value::Bool(true), Value::Bool(false)])),
        ("i32", Value::I32(-7)),
        ("i32s", Value::list(vec![Value::I32(i32::MIN), Value::I32(0)])),
        ("i64", Value::I64(i64::MIN)),
        ("i64s", Value::list(vec![Value::I64(-1)])),
        ("f32", Value::F32(-0.0)),
        ("f32s", Value::list(vec![Value::F32(f32::NAN), Value::F32(f32::INFINITY)])),
        ("f64", Value::F64(0.1)),
        ("f64s", Value::list(vec![Value::F64(1e300)])),
        ("text", Value::String(String::new().into())),
        ("texts", texts(&["", "\u{e4}"])),
        ("engine", Value::Bytes(vec![0xff, 0].into())),
        ("var", Value::Var("x".into())),
        ("vars", Value::list(vec![Value::Var("x".into())])),
        ("sub_block", Value::Block(1)),
        ("blocks", Value::list(vec![Value::Block(1)])),
        ("scalar", Value::Scalar(oplock_core::Scalar::I64(3))),
        ("scalars", Value::list(vec![Value::Scalar(oplock_core::Scalar::F64(0.5))])),
    ];
    node.attrs = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let main = Block { inputs: vec!["x".to_owned(), "w".to_owned()], outputs: vec![], nodes: vec![node] };
    Graph { blocks: vec![main, Block::default()], ..Graph::default() }
}

fn program() -> Program {
    let versions = BTreeMap::from([("while".to_owned(), 2)]);
    Program::of_graph(&graph(), &BTreeMap::new(), 2_006_002, &versions).unwrap()
}

#[test]
fn a_program_has_every_type_of_value() {
    let bytes = program().to_bytes();
    let read = Program::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.release_number(), Some(2_006_002));
    assert_eq!(read.op_versions(), BTreeMap::from([("while".to_owned(), 2)]));
    let (back, empty) = read.to_graph().unwrap();
    assert_eq!((back, empty), (graph(), vec![]));
}

#[test]
fn what_is_not_known_is_kept() {
    let mut program = program();
    // A field of each wire type, in a message of each depth, as a newer release could have added them.
    let added = [
        0xf8, 0x07, 0x96, 0x01, 0xfa, 0x07, 0x02, 0xff, 0x00, 0xf9, 0x07, 1, 2, 3, 4, 5, 6, 7, 8, 0xfd, 0x07, 1, 2, 3,
        4,
    ];
    program.desc.unknown = added.to_vec();
    let block = &mut program.desc.blocks[0];
    block.unknown = added.to_vec();
    block.ops[0].unknown = added.to_vec();
    block.ops[0].attrs[0].unknown = added.to_vec();
    let bytes = program.to_bytes();
    let read = Program::from_bytes(&bytes).unwrap();
    assert_eq!(read.desc.blocks[0].ops[0].attrs[0].unknown, added);
    // Compared as bytes, since a `NaN` among the values is equal to nothing.
    assert_eq!(read.to_bytes(), bytes);
}

#[test]
fn an_attribute_that_is_empty_keeps_its_type() {
    let mut program = program();
    let attr = OpAttr { name: "none".to_owned(), r#type: 11, ..OpAttr::default() };
    program.desc.blocks[0].ops[0].attrs.push(attr.into());
    let (graph, empty) = program.to_graph().unwrap();
    assert_eq!(graph.blocks[0].nodes[0].attrs["none"], Value::list(vec![]));
    assert_eq!((empty[0].name.as_str(), empty[0].ty.to_string().as_str()), ("none", "[i64]"));
}

#[test]
fn what_contradicts_itself_is_refused_where_it_stands() {
    let refuse = |change: &dyn Fn(&mut Program), expected: &str| {
        let mut program = program();
        change(&mut program);
        let program = Program::from_bytes(&program.to_bytes()).unwrap();
        assert_eq!(program.to_graph().unwrap_err().to_string(), format!("the PaddlePaddle program: {expected}"));
    };
    refuse(&|p| p.desc.blocks[1].idx = 2, "blocks[1]: its `idx` is 2, and it stands at 1");
    let twice = |p: &mut Program| {
        let first = p.desc.blocks[0].ops[0].inputs[0].clone();
        p.desc.blocks[0].ops[0].inputs.push(first);
    };
    refuse(&twice, "blocks[0].ops[0].inputs.Condition: it is there twice");
    let attr = |p: &mut Program, f: &dyn Fn(&mut OpAttr)| f(&mut p.desc.blocks[0].ops[0].attrs[0]);
    refuse(&|p| attr(p, &|a| a.r#type = 18), "blocks[0].ops[0].attrs.blocks: 18 is the number of no type");
    refuse(&|p| attr(p, &|a| a.r#type = 1), "blocks[0].ops[0].attrs.blocks: it is of type 1, and has no `f`");
    refuse(&|p| attr(p, &|a| a.blocks_idx = vec![-1]), "blocks[0].ops[0].attrs.blocks: -1 is no index of a block");
    let again = |p: &mut Program| {
        let first = p.desc.blocks[0].ops[0].attrs[0].clone();
        p.desc.blocks[0].ops[0].attrs.push(first);
    };
    refuse(&again, "blocks[0].ops[0].attrs.blocks: the attribute is there twice");
}

#[test]
fn damaged_bytes_are_refused_and_never_panic() {
    let bytes = program().to_bytes();
    for length in 1..bytes.len() {
        // Where a whole field ends, what is left may be a program.
        if let Err(error) = Program::from_bytes(&bytes[..length]) {
            assert!(matches!(error, ModelError::Damaged { .. }), "{error}");
        }
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            if let Ok(program) = Program::from_bytes(&bytes) {
                let _ = program.to_graph();
                let written = program.to_bytes();
                assert_eq!(Program::from_bytes(&written).unwrap().to_bytes(), written);
            }
        }
    }
    let error = Program::from_bytes(&[0x0a, 0x05, 0x08, 0x00]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the PaddlePaddle program is damaged at byte 1, in blocks[0]: a length of 5 where 2 bytes are left: the file is cut off, or damaged"
    );
    // A group, which nothing here has.
    let error = Program::from_bytes(&[0xfb, 0x07]).unwrap_err().to_string();
    assert_eq!(error, "the PaddlePaddle program is damaged at byte 0: there is no field of the wire type 3 here");
}

fn attr_of(value: &Value, ty: i32) -> Json {
    const NAMES: [&str; 12] = [
        "INT", "FLOAT", "STRING", "INTS", "FLOATS", "STRINGS", "BOOLEAN", "BOOLEANS", "BLOCK", "LONG", "BLOCKS",
        "LONGS",
    ];
    json!({ "type": NAMES[usize::try_from(ty).unwrap()], "value": json_of(value) })
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Bool(x) => json!(x),
        Value::I32(x) => json!(x),
        Value::I64(x) => json!(x),
        Value::F32(x) => json!(f64::from(*x)),
        Value::String(x) => json!(x),
        Value::Block(x) => json!(x),
        Value::List(items) => items.iter().map(json_of).collect(),
        other => panic!("{other:?}"),
    }
}

/// Numbers as the `f32` that they are in the program, since not every reader of JSON reads the last bit of an `f64`.
#[allow(clippy::cast_possible_truncation)]
fn narrowed(fact: &Json) -> Json {
    match fact {
        Json::Number(x) if x.is_f64() => json!((x.as_f64().unwrap() as f32).to_string()),
        Json::Array(items) => items.iter().map(narrowed).collect(),
        Json::Object(fields) => {
            Json::Object(fields.iter().map(|(key, value)| (key.clone(), narrowed(value))).collect())
        }
        other => other.clone(),
    }
}

/// What a correct reader finds in a program.
fn facts(program: &Program) -> Json {
    let (graph, _) = program.to_graph().unwrap();
    let blocks = program.desc.blocks.iter().zip(&graph.blocks).map(|(desc, block)| {
        let ops = desc.ops.iter().zip(&block.nodes).map(|(op, node)| {
            let attrs: serde_json::Map<_, _> = op
                .attrs
                .iter()
                .map(|attr| {
                    let dropped = attr.name == "op_callstack";
                    let fact = attr_of(&node.attrs[&attr.name], attr.r#type);
                    let fact = if dropped { json!({ "type": fact["type"], "value": "(dropped)" }) } else { fact };
                    (attr.name.clone(), fact)
                })
                .collect();
            let target = op.is_target.unwrap_or(false);
            let [inputs, outputs] = [&node.inputs, &node.outputs].map(|args| args.iter().collect::<BTreeMap<_, _>>());
            json!({ "type": node.op, "inputs": inputs, "outputs": outputs, "attrs": attrs, "is_target": target })
        });
        let (ops, vars) = (ops.collect::<Vec<_>>(), desc.vars.len());
        json!({ "idx": desc.idx, "parent_idx": desc.parent_idx, "n_vars": vars, "ops": ops })
    });
    json!({
        "program_version": program.release_number(),
        "op_version_map": program.op_versions(),
        "blocks": blocks.collect::<Vec<_>>(),
    })
}

#[test]
fn real_programs_are_read_and_written_as_they_are() {
    let Some(data) = data() else { return };
    let models = data.join("models");
    let expected: BTreeMap<String, Json> =
        serde_json::from_str(&fs::read_to_string(models.join("facts_paddle.json")).unwrap()).unwrap();
    for (name, expected) in expected {
        let bytes = fs::read(models.join(Path::new(&name))).unwrap();
        let program = Program::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(program.to_bytes() == bytes, "{name} is not written as it was");
        let (found, expected) = (narrowed(&facts(&program)), narrowed(&expected));
        assert!(found == expected, "{name}");
    }
}
