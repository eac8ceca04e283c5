//! ONNX's models, read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oplock_core::{ArgDef, AttrDef, AttrType, Map, OpDef, ScalarType, Value};
use oplock_graph::Limits;
use oplock_interop::models::{AnyModel, Foreign, Reader};
use oplock_interop::onnx::model::messages::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, ValueInfoProto,
};
use oplock_interop::onnx::model::{Model, Schemas};
use prost::Message as _;
use serde_json::{Value as Json, json};

#[allow(clippy::unnecessary_wraps, reason = "what the fields of a message take")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn node(op: &str, input: &[&str], output: &[&str]) -> NodeProto {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: text(op), input: list(input), output: list(output), ..NodeProto::default() }
}

fn attr(name: &str, ty: i32) -> AttributeProto {
    AttributeProto { name: text(name), r#type: Some(ty), ..AttributeProto::default() }
}

fn model(version: i64, nodes: Vec<NodeProto>) -> ModelProto {
    let value = |name: &str| ValueInfoProto { name: text(name), ..ValueInfoProto::default() };
    let graph = GraphProto { node: nodes, input: vec![value("x")], output: vec![value("y")], ..GraphProto::default() };
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![OperatorSetIdProto { domain: None, version: Some(version) }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// `Clip` by two of its schemas, and one that takes any number of inputs.
fn ops() -> BTreeMap<String, OpDef> {
    let arg = |name: &'static str| ArgDef::new(name);
    let optional = |name: &'static str| ArgDef { dispensable: true, ..ArgDef::new(name) };
    let mut old = OpDef::new("Clip.v6");
    old.inputs = vec![arg("input")].into();
    old.outputs = vec![arg("output")].into();
    old.attrs = vec![AttrDef::new("min", AttrType::of(ScalarType::F32).optional())].into();
    let mut new = OpDef::new("Clip.v11");
    new.inputs = vec![arg("input"), optional("min"), optional("max")].into();
    new.outputs = vec![arg("output")].into();
    let mut concat = OpDef::new("Concat.v1");
    concat.inputs = vec![ArgDef { duplicable: true, ..ArgDef::new("inputs") }].into();
    concat.outputs = vec![arg("concat_result")].into();
    let mut branch = OpDef::new("If.v1");
    branch.inputs = vec![arg("cond")].into();
    branch.outputs = vec![ArgDef { duplicable: true, ..ArgDef::new("outputs") }].into();
    branch.attrs =
        ["else_branch", "then_branch"].map(|name| AttrDef::new(name, AttrType::of(ScalarType::Block))).to_vec().into();
    [old, new, concat, branch].into_iter().map(|def| (def.name.to_string(), def)).collect()
}

fn read(model: &ModelProto) -> Foreign {
    let ops = ops();
    let schemas = Schemas::of(ops.keys().map(String::as_str));
    let model = Model::from_bytes(&model.encode_to_vec()).unwrap();
    model.to_graph(&ops, &schemas).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_version_of_the_set_says_which_schema_is_meant() {
    let clip = || vec![node("Clip", &["x", "", "most"], &["y"])];
    let read_11 = read(&model(13, clip()));
    let found = &read_11.graph.blocks[0].nodes[0];
    assert_eq!(found.op, "Clip.v11");
    // An empty name is an input that is left out.
    assert_eq!(
        found.inputs,
        Map::from([("input".to_owned(), vec!["x".to_owned()]), ("max".to_owned(), vec!["most".to_owned()])])
    );
    assert_eq!(read_11.levels["Clip.v11"], 13);
    assert_eq!(read_11.versions, BTreeMap::from([("ai.onnx".to_owned(), 13)]));
    let read_6 = read(&model(10, clip()));
    let found = &read_6.graph.blocks[0].nodes[0];
    // The schema of that time has one input, so the third is named by its position.
    assert_eq!((found.op.as_str(), &found.inputs["2"]), ("Clip.v6", &vec!["most".to_owned()]));
    let early = read(&model(5, clip()));
    assert_eq!(early.graph.blocks[0].nodes[0].op, "Clip");
    assert_eq!(early.faults[0].what, "it is since version 6 of ai.onnx, and the model means version 5");
    let mut other = model(13, clip());
    other.opset_import[0].domain = text("com.example");
    assert_eq!(read(&other).faults[0].what, "the model does not say which version of ai.onnx it means");
}

/// Only the first two formats had no field for it; a later model that says nothing means nothing in particular.
#[test]
fn a_model_that_names_no_set_means_the_first_version_in_the_first_formats_only() {
    let silent = |ir_version| {
        let mut model = model(13, vec![node("Concat", &["a"], &["y"])]);
        model.opset_import.clear();
        model.ir_version = ir_version;
        read(&model)
    };
    for ir_version in [None, Some(2)] {
        let read = silent(ir_version);
        assert_eq!((read.graph.blocks[0].nodes[0].op.as_str(), read.faults.len()), ("Concat.v1", 0), "{ir_version:?}");
    }
    let read = silent(Some(3));
    assert_eq!(read.faults[0].what, "the model does not say which version of ai.onnx it means");
}

/// A function may mean other versions than its model; those of sets that none of its nodes is of are not looked at.
#[test]
fn a_function_that_means_a_version_beyond_all_schemas_is_refused() {
    let ops = ops();
    let reader = Reader::of_definitions("onnx", ops);
    let codes = |version| {
        let import = |domain, version| OperatorSetIdProto { domain, version: Some(version) };
        let function = FunctionProto {
            name: text("Mine"),
            domain: text("com.example"),
            input: vec!["X".to_owned()],
            output: vec!["Y".to_owned()],
            node: vec![node("Clip", &["X"], &["Y"])],
            opset_import: vec![import(None, version), import(text("com.other"), 99)],
            ..FunctionProto::default()
        };
        let mut call = node("Mine", &["x"], &["y"]);
        call.domain = text("com.example");
        let mut model = model(11, vec![call]);
        model.opset_import.push(import(text("com.example"), 1));
        model.functions.push(function);
        let model = AnyModel::from_bytes(&model.encode_to_vec(), Limits::default()).unwrap();
        let held = reader.hold(&model).unwrap();
        held.problems.iter().map(|problem| problem.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(11), [""; 0]);
    assert_eq!(codes(12), ["too_new"]);
}

/// Which of two versions is meant nobody can say; one that is said twice is one.
#[test]
fn a_set_that_is_imported_at_several_versions_is_refused() {
    let reader = Reader::of_definitions("onnx", ops());
    let import = |(domain, version): &(&str, i64)| OperatorSetIdProto {
        domain: (!domain.is_empty()).then(|| (*domain).to_owned()),
        version: Some(*version),
    };
    let problems = |imports: &[(&str, i64)], of_function: &[(&str, i64)]| {
        let mut call = node("Mine", &["x"], &["y"]);
        call.domain = text("com.example");
        let mut model = model(11, vec![call]);
        model.opset_import = imports.iter().chain(&[("com.example", 1)]).map(import).collect();
        model.functions.push(FunctionProto {
            name: text("Mine"),
            domain: text("com.example"),
            input: vec!["X".to_owned()],
            output: vec!["Y".to_owned()],
            node: vec![node("Clip", &["X"], &["Y"])],
            opset_import: of_function.iter().map(import).collect(),
            ..FunctionProto::default()
        });
        let model = AnyModel::from_bytes(&model.encode_to_vec(), Limits::default()).unwrap();
        let held = reader.hold(&model).unwrap();
        held.problems.into_iter().map(|problem| (problem.code, problem.message)).collect::<Vec<_>>()
    };
    assert_eq!(problems(&[("", 11), ("ai.onnx", 11)], &[("", 6)]), []);
    for (imports, of_function, expected) in [
        (&[("", 11), ("", 6)][..], &[("", 11)][..], "the model imports ai.onnx at versions 6 and 11, and"),
        (&[("", 6), ("ai.onnx", 11)], &[], "the model imports ai.onnx at versions 6 and 11, and"),
        (
            &[("", 11)],
            &[("", 6), ("", 11)],
            "the function `com.example.Mine` imports ai.onnx at versions 6 and 11, and",
        ),
    ] {
        let [(code, message)] = &problems(imports, of_function)[..] else { panic!("{imports:?} {of_function:?}") };
        assert_eq!(*code, "several_opsets");
        assert!(message.starts_with(expected), "{message}");
    }
}

/// A function is of a set, as other operators are.
#[test]
fn a_function_of_a_set_that_is_not_imported_is_refused() {
    let mine = || {
        let mut call = node("Mine", &["x"], &["y"]);
        call.domain = text("com.example");
        call
    };
    let function = |name: &str, node: NodeProto| FunctionProto {
        name: text(name),
        domain: text("com.example"),
        input: vec!["x".to_owned()],
        output: vec!["y".to_owned()],
        node: vec![node],
        opset_import: vec![OperatorSetIdProto { domain: None, version: Some(11) }],
        ..FunctionProto::default()
    };
    let mut model = model(11, vec![mine()]);
    model.functions = vec![function("Mine", node("Clip", &["x"], &["y"]))];
    let expected = "the model does not say which version of com.example it means";
    let told = |model: &ModelProto| {
        read(model).faults.into_iter().map(|fault| (fault.code, fault.op, fault.what)).collect::<Vec<_>>()
    };
    assert_eq!(told(&model), [("no_opset", "com.example.Mine".to_owned(), expected.to_owned())]);
    model.opset_import.push(OperatorSetIdProto { domain: text("com.example"), version: Some(1) });
    assert_eq!(told(&model), []);
    // A function that calls another imports its set itself.
    model.functions.push(function("Outer", mine()));
    assert_eq!(told(&model), [("no_opset", "com.example.Mine".to_owned(), expected.to_owned())]);
    model.functions[1].opset_import.push(OperatorSetIdProto { domain: text("com.example"), version: Some(1) });
    assert_eq!(told(&model), []);
}

/// A position that no input has is like no name.
#[test]
fn an_input_too_many_is_no_misspelt_one() {
    let model = model(11, vec![node("Clip", &["x", "", "", "x"], &["y"])]);
    let model = AnyModel::from_bytes(&model.encode_to_vec(), Limits::default()).unwrap();
    let mut ops = ops();
    ops.get_mut("Clip.v11").unwrap().inputs =
        ["A", "B", "C"].map(|name| ArgDef { dispensable: true, ..ArgDef::new(name) }).to_vec().into();
    let held = Reader::of_definitions("onnx", ops).hold(&model).unwrap();
    let message = &held.problems[0].message;
    assert!(message.starts_with("`Clip.v11` has no input `3` here (node 0 of block 0)"), "{message}");
}

#[test]
fn the_last_input_that_takes_several_takes_the_rest() {
    let read = read(&model(13, vec![node("Concat", &["a", "b", "c"], &["y"])]));
    assert_eq!(read.graph.blocks[0].nodes[0].inputs["inputs"], ["a", "b", "c"]);
}

#[test]
fn graphs_within_are_blocks() {
    let mut branch = node("If", &["x"], &["y"]);
    for name in ["then_branch", "else_branch"] {
        let inner = GraphProto { node: vec![node("Clip", &["x"], &["z"])], ..GraphProto::default() };
        branch.attribute.push(AttributeProto { g: Some(Box::new(inner)), ..attr(name, 5) });
    }
    let read = read(&model(13, vec![branch]));
    assert_eq!(read.blocks, ["graph", "graph.node[0].then_branch", "graph.node[0].else_branch"]);
    let attrs = &read.graph.blocks[0].nodes[0].attrs;
    assert_eq!((&attrs["then_branch"], &attrs["else_branch"]), (&Value::Block(1), &Value::Block(2)));
    assert_eq!(read.graph.blocks[2].nodes[0].op, "Clip.v11");
}

#[test]
fn a_function_of_the_model_is_an_operator_of_its_own() {
    let mut inner = node("Clip", &["X"], &["Y"]);
    inner.attribute.push(AttributeProto { ref_attr_name: text("least"), ..attr("min", 1) });
    let function = FunctionProto {
        name: text("Mine"),
        domain: text("com.example"),
        input: vec!["X".to_owned()],
        output: vec!["Y".to_owned()],
        attribute: vec!["least".to_owned()],
        node: vec![inner],
        opset_import: vec![OperatorSetIdProto { domain: None, version: Some(6) }],
        ..FunctionProto::default()
    };
    let mut call = node("Mine", &["x"], &["y"]);
    call.domain = text("com.example");
    call.attribute.push(AttributeProto { f: Some(0.5), ..attr("least", 1) });
    let mut model = model(13, vec![call]);
    model.functions.push(function);
    let read = read(&model);
    assert_eq!(read.blocks, ["graph", "functions.com.example.Mine"]);
    assert_eq!(read.graph.blocks[0].nodes[0].op, "com.example.Mine");
    let def = &read.own_ops["com.example.Mine"];
    assert_eq!((def.inputs[0].name.as_ref(), def.attr("least").unwrap().ty.to_string()), ("X", "f32".to_owned()));
    // By the version that the function means, and with some value in the place of the caller's.
    let inner = &read.graph.blocks[1].nodes[0];
    assert_eq!((inner.op.as_str(), &inner.attrs["min"]), ("Clip.v6", &Value::F32(0.0)));
}

#[test]
fn values_of_every_type() {
    let mut all = node("Clip", &["x"], &["y"]);
    let tensor = |data: TensorProto| TensorProto { dims: vec![2], ..data };
    all.attribute = vec![
        AttributeProto { f: Some(-0.0), ..attr("f", 1) },
        AttributeProto { i: Some(i64::MIN), ..attr("i", 2) },
        AttributeProto { s: Some(b"text".to_vec()), ..attr("s", 3) },
        AttributeProto { s: Some(vec![0xff]), ..attr("bytes", 3) },
        AttributeProto { ints: vec![1, -1], ..attr("ints", 7) },
        AttributeProto {
            t: Some(Box::new(tensor(TensorProto {
                data_type: Some(1),
                float_data: vec![1.0, 2.0],
                ..TensorProto::default()
            }))),
            ..attr("t", 4)
        },
        AttributeProto {
            t: Some(Box::new(tensor(TensorProto {
                data_type: Some(10),
                int32_data: vec![0x3c00, 0],
                ..TensorProto::default()
            }))),
            ..attr("half", 4)
        },
        // In the first format the type is that of the field which is there.
        AttributeProto { r#type: None, ints: vec![3], ..attr("untyped", 0) },
        attr("none", 7),
    ];
    let read = read(&model(13, vec![all]));
    let attrs = &read.graph.blocks[0].nodes[0].attrs;
    let texts: Vec<_> = attrs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    assert_eq!(
        texts[1..4],
        ["f = -0.0", "half = { dtype = \"f16\", dims = [2], bytes = \"003c0000\" }", "i = -9223372036854775808"]
    );
    assert_eq!(attrs["bytes"], Value::Bytes(vec![0xff].into()));
    assert_eq!(attrs["untyped"], Value::list(vec![Value::I64(3)]));
    assert_eq!(read.empty[0].ty.to_string(), "[i64]");
}

#[test]
fn damaged_bytes_are_refused_and_never_panic() {
    let mut branch = node("If", &["x"], &["y"]);
    let inner = GraphProto { node: vec![node("Clip", &["x"], &["z"])], ..GraphProto::default() };
    branch.attribute.push(AttributeProto { g: Some(Box::new(inner)), ..attr("then_branch", 5) });
    let bytes = model(13, vec![branch]).encode_to_vec();
    let (ops, schemas) = (ops(), Schemas::default());
    for at in 0..bytes.len() {
        let _ = Model::from_bytes(&bytes[..at]);
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            if let Ok(model) = Model::from_bytes(&bytes) {
                let _ = model.to_graph(&ops, &schemas);
            }
        }
    }
    // Graphs within graphs, deeper than any that is meant.
    let mut deep = GraphProto::default();
    for _ in 0..60 {
        let mut branch = node("If", &["x"], &["y"]);
        branch.attribute.push(AttributeProto { g: Some(Box::new(deep)), ..attr("then_branch", 5) });
        deep = GraphProto { node: vec![branch], ..GraphProto::default() };
    }
    let bytes = ModelProto { graph: Some(deep), ..ModelProto::default() }.encode_to_vec();
    let error = Model::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.ends_with("messages are more than 100 deep within each other"), "{error}");
    let error = Model::from_bytes(&[0x08, 0x08]).unwrap_err().to_string();
    assert_eq!(error, "the ONNX model is damaged at byte 0: the field `graph` is missing");
}

/// Numbers as the `f32` that they are in the model, since not every reader of JSON reads the last bit of an `f64`.
#[allow(clippy::cast_possible_truncation)]
fn narrowed(fact: &Json) -> Json {
    match fact {
        Json::Number(x) if x.is_f64() => json!((x.as_f64().unwrap() as f32).to_string()),
        Json::Array(items) => items.iter().map(narrowed).collect(),
        Json::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), narrowed(value))).collect(),
        other => other.clone(),
    }
}

fn fact_of(value: &Value) -> Json {
    match value {
        Value::I64(x) => json!(x),
        Value::F32(x) => json!(f64::from(*x)),
        Value::String(x) => json!(x),
        Value::List(items) => items.iter().map(fact_of).collect(),
        _ => Json::Null,
    }
}

/// What a correct reader finds in a node, those of graphs within it first.
fn node_facts(read: &Foreign, block: usize, protos: &[NodeProto], facts: &mut Vec<Json>) {
    const NAMES: [&str; 15] = [
        "",
        "FLOAT",
        "INT",
        "STRING",
        "TENSOR",
        "GRAPH",
        "FLOATS",
        "INTS",
        "STRINGS",
        "TENSORS",
        "GRAPHS",
        "SPARSE_TENSOR",
        "SPARSE_TENSORS",
        "TYPE_PROTO",
        "TYPE_PROTOS",
    ];
    for (proto, node) in protos.iter().zip(&read.graph.blocks[block].nodes) {
        let mut attrs = serde_json::Map::new();
        for attr in &proto.attribute {
            let name = attr.name.clone().unwrap();
            let mut fact = json!({ "type": NAMES[usize::try_from(attr.r#type.unwrap()).unwrap()] });
            let value = &node.attrs[&name];
            if let (Value::Block(block), Some(graph)) = (value, &attr.g) {
                node_facts(read, *block as usize, &graph.node, facts);
            }
            let value = fact_of(value);
            if !value.is_null() {
                fact["value"] = value;
            }
            attrs.insert(name, fact);
        }
        // The reader has by its position what stands there.
        for (position, input) in proto.input.iter().enumerate().filter(|(_, input)| !input.is_empty()) {
            assert_eq!(node.inputs[&position.to_string()], std::slice::from_ref(input));
        }
        let domain = proto.domain.clone().unwrap_or_default();
        let (inputs, outputs) = (&proto.input, &proto.output);
        facts.push(
            json!({ "op_type": proto.op_type, "domain": domain, "inputs": inputs, "outputs": outputs, "attrs": attrs }),
        );
    }
}

fn facts(model: &Model) -> Json {
    let read = model.to_graph(&BTreeMap::new(), &Schemas::default()).unwrap_or_else(|error| panic!("{error}"));
    let proto = &model.proto;
    let mut nodes = Vec::new();
    node_facts(&read, 0, &proto.graph.as_ref().unwrap().node, &mut nodes);
    let opset = |import: &OperatorSetIdProto| (import.domain.clone().unwrap_or_default(), json!(import.version));
    json!({
        "ir_version": proto.ir_version,
        "producer": proto.producer_name.clone().unwrap_or_default(),
        "producer_version": proto.producer_version.clone().unwrap_or_default(),
        "opset_import": proto.opset_import.iter().map(opset).collect::<serde_json::Map<_, _>>(),
        "functions": proto.functions.len(),
        "nodes": nodes,
    })
}

fn hold(folder: &Path, expected: &str) -> usize {
    let expected: BTreeMap<String, Json> = serde_json::from_str(expected).unwrap();
    for (name, expected) in &expected {
        let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let model = Model::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (found, expected) = (narrowed(&facts(&model)), narrowed(expected));
        let nodes = |facts: &Json| facts["nodes"].as_array().unwrap().clone();
        for (found, expected) in nodes(&found).iter().zip(nodes(&expected)) {
            assert_eq!(*found, expected, "{name}");
        }
        assert!(found == expected, "{name}");
    }
    expected.len()
}

#[test]
fn real_models_are_read_as_they_are() {
    let Some(data) = std::env::var_os("OPLOCK_DATA").map(PathBuf::from) else {
        return eprintln!("OPLOCK_DATA is not set: skipped");
    };
    let models = data.join("models");
    assert!(hold(&models, &fs::read_to_string(models.join("facts_onnx.json")).unwrap()) > 0);
    let folder = tempfile::TempDir::new().unwrap();
    let onnx = models.join("onnx");
    let status = Command::new("tar")
        .arg("-xzf")
        .arg(onnx.join("backend_node_even.tar.gz"))
        .arg("-C")
        .arg(folder.path())
        .status();
    assert!(status.unwrap().success());
    let facts = Command::new("gzip").arg("-dc").arg(onnx.join("facts_backend_node_even.json.gz")).output().unwrap();
    assert!(hold(folder.path(), &String::from_utf8(facts.stdout).unwrap()) > 600);
}
