//! Models held against definitions: which load, and why others do not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::{ArgDef, AttrDef, AttrType, Deprecated, Kind, Lock, OpDef, Part, ScalarType, Value};
use oplock_graph::{Block, ExportOptions, Graph, Limits};
use oplock_interop::models::{AnyModel, ExportError, ExportedModel, Held, ModelProblem, Reader, Verdict, Writer};
use oplock_interop::paddle::opver::OpVersions;
use oplock_interop::paddle::program::Program;
use oplock_interop::paddle::{self, program};
use oplock_registry::Node;
use serde_json::Value as Json;

fn attr(name: &'static str, ty: AttrType, default: Option<Value>) -> AttrDef {
    AttrDef { default, ..AttrDef::new(name, ty) }
}

const I32: AttrType = AttrType::of(ScalarType::I32);

/// A convolution as a release has it.
fn conv() -> OpDef {
    let mut op = OpDef::new("conv");
    op.inputs = vec![ArgDef::new("Input"), ArgDef { dispensable: true, ..ArgDef::new("Bias") }].into();
    op.outputs = vec![ArgDef::new("Output")].into();
    op.attrs = vec![
        attr("groups", I32, Some(Value::I32(1))),
        attr("strides", AttrType::list(ScalarType::I32), None),
        AttrDef { part: Part::Extra, ..attr("use_fast", AttrType::of(ScalarType::Bool), Some(Value::Bool(false))) },
        AttrDef { part: Part::Quant, ..attr("scale", AttrType::of(ScalarType::F32), Some(Value::F32(1.0))) },
        attr("name", AttrType::of(ScalarType::String), Some(Value::String("".into()))),
    ]
    .into();
    op
}

fn ops(op: OpDef) -> BTreeMap<String, OpDef> {
    BTreeMap::from([(op.name.to_string(), op)])
}

/// A program of one convolution.
fn node() -> Node {
    let mut node = Node::new("conv");
    node.inputs.insert("Input".to_owned(), vec!["x".to_owned()]);
    node.inputs.insert("Bias".to_owned(), vec![]);
    node.outputs.insert("Output".to_owned(), vec!["y".to_owned()]);
    node.attrs.insert("strides".to_owned(), Value::list(vec![Value::I32(1)]));
    node.attrs.insert("use_fast".to_owned(), Value::Bool(true));
    node
}

fn program(node: Node) -> AnyModel {
    let graph = Graph { blocks: vec![Block { nodes: vec![node], ..Block::default() }], ..Graph::default() };
    let versions = BTreeMap::from([("conv".to_owned(), 1)]);
    let program = Program::of_graph(&graph, &ops(conv()), 2_002_002, &versions).unwrap();
    AnyModel::from_bytes(&program.to_bytes(), Limits::default()).unwrap()
}

fn held(reader: &Reader, model: &AnyModel) -> Held {
    reader.hold(model).unwrap_or_else(|error| panic!("{error}"))
}

fn told(held: &Held) -> Vec<String> {
    let side = |side: &Option<String>| side.clone().unwrap_or_default();
    let item = |problem: &ModelProblem| problem.item.as_ref().map_or_else(String::new, |(_, name)| format!(".{name}"));
    let problem = |p: &ModelProblem| {
        let op = p.op.clone().unwrap_or_default();
        format!("{} {op}{}: {} | {}", p.code, item(p), side(&p.model), side(&p.definition))
    };
    held.problems.iter().map(problem).collect()
}

#[test]
fn each_reason_names_operator_item_and_both_sides() {
    let here = || Reader::of_definitions("here", ops(conv()));
    let fine = held(&here(), &program(node()));
    assert_eq!((fine.verdict, told(&fine)), (Verdict::Loads, vec![]));
    assert_eq!((fine.writer.as_str(), fine.ops["conv"]), ("PaddlePaddle 2.2.2", Some(1)));
    let refuse = |change: &dyn Fn(&mut Node), define: &dyn Fn(&mut OpDef), expected: &[&str]| {
        let (mut node, mut op) = (node(), conv());
        change(&mut node);
        define(&mut op);
        let held = held(&Reader::of_definitions("here", ops(op)), &program(node));
        assert_eq!(told(&held), expected);
        assert_eq!(held.verdict, Verdict::Refused);
    };
    let same = |_: &mut OpDef| {};
    refuse(&|n| n.op = "conw".to_owned(), &same, &["unknown_op conw: used | not there"]);
    refuse(
        &|n| drop(n.attrs.remove("strides")),
        &same,
        &["missing_attribute conv.strides: not there | required, without a default"],
    );
    refuse(
        &|n| drop(n.attrs.insert("groups".into(), Value::F32(1.5))),
        &same,
        &["attribute_type conv.groups: 1.5 of type f32 | i32"],
    );
    refuse(
        &|n| drop(n.attrs.insert("pad".into(), Value::I32(1))),
        &same,
        &["unknown_attribute conv.pad: 1 | not there"],
    );
    refuse(
        &|n| drop(n.inputs.insert("Inpit".into(), vec!["x".into()])),
        &same,
        &["unknown_input conv.Inpit: x | not there"],
    );
    refuse(&|n| drop(n.inputs.remove("Input")), &same, &["missing_input conv.Input: not connected | required"]);
    refuse(
        &|n| drop(n.inputs.insert("Bias".into(), vec!["a".into(), "b".into()])),
        &same,
        &["operand_count conv.Bias: 2 variables | one variable"],
    );
    refuse(&|n| n.outputs.clear(), &same, &["missing_output conv.Output: not connected | required"]);
    // A list without elements is of one type in the file.
    let longs = |op: &mut OpDef| op.attrs.to_mut()[1].ty = AttrType::list(ScalarType::I64);
    refuse(
        &|n| drop(n.attrs.insert("strides".into(), Value::list(vec![]))),
        &longs,
        &["attribute_type conv.strides: [] of type [i32] | [i64]"],
    );
}

#[test]
fn bytes_where_a_text_is_meant_are_taken() {
    let mut node = node();
    node.attrs.insert("name".to_owned(), Value::Bytes(vec![0xff].into()));
    assert_eq!(held(&Reader::of_definitions("here", ops(conv())), &program(node)).verdict, Verdict::Loads);
}

#[test]
fn what_was_extra_for_its_writer_goes() {
    let mut later = conv();
    later.attrs.to_mut().retain(|attr| attr.name != "use_fast");
    let reader = || Reader::of_definitions("later", ops(later.clone()));
    // A program does not say what was Extra; its writer's definitions do.
    assert_eq!(told(&held(&reader(), &program(node()))), ["unknown_attribute conv.use_fast: true | not there"]);
    let writer = Writer { ops: ops(conv()), op_versions: None, system: None };
    let knowing = held(&reader().with_writer(writer), &program(node()));
    assert_eq!(knowing.verdict, Verdict::Loads);
    assert!(knowing.report.to_string().contains("`conv.use_fast` is Extra"), "{}", knowing.report);
    // What the writer promised is not taken for Extra because it is here.
    let mut promised = conv();
    promised.attrs.to_mut()[2].part = Part::Def;
    let writer = Writer { ops: ops(promised), op_versions: None, system: None };
    let reader = Reader::of_definitions("here", ops(conv())).with_writer(writer);
    assert_eq!(told(&held(&reader, &program(node()))), ["unknown_attribute conv.use_fast: true | Extra"]);
}

#[test]
fn op_versions_count_where_the_registry_is_given() {
    let registry = |version: u32, attr: &str| {
        let checkpoint = format!(r#"[{{"type": "kNewAttr", "name": "{attr}", "default_value": 1}}]"#);
        let checkpoints = vec![checkpoint; version as usize].join(", ");
        OpVersions::parse(&format!(r#"{{"conv": {{"version": {version}, "checkpoints": [{checkpoints}]}}}}"#)).unwrap()
    };
    let reader = || Reader::of_definitions("here", ops(conv()));
    assert_eq!(held(&reader().with_op_versions(registry(1, "groups")), &program(node())).verdict, Verdict::Loads);
    let older = held(&reader().with_op_versions(registry(0, "groups")), &program(node()));
    assert_eq!(told(&older), ["newer_op_version conv: version 1 | version 0"]);
    // An attribute at the default with which it came means nothing to a reader that lacks it.
    let mut before = conv();
    before.attrs.to_mut().retain(|attr| attr.name != "groups");
    let writer = Writer { ops: ops(conv()), op_versions: Some(registry(1, "groups")), system: None };
    let reader = Reader::of_definitions("before", ops(before)).with_writer(writer);
    for (groups, verdict) in [(1, Verdict::Loads), (2, Verdict::Refused)] {
        let mut node = node();
        node.attrs.insert("groups".to_owned(), Value::I32(groups));
        assert_eq!(held(&reader, &program(node)).verdict, verdict, "{groups}");
    }
}

#[test]
fn the_oldest_writer_may_be_raised() {
    let reader = |least| Reader::of_definitions("here", ops(conv())).with_min_producer(least);
    assert_eq!(held(&reader(2_002_002), &program(node())).verdict, Verdict::Loads);
    let raised = held(&reader(2_003_000), &program(node()));
    assert_eq!(told(&raised), ["too_old : 2002002 | from 2003000 on"]);
}

/// A lock of three data versions, of which the second changed a default and the third was upgraded by a function.
const LOCK: &str = r#"format = 1
package = "vision-ops"

[release]
"1.0.0" = { date = "2026-03-01" }
"2.0.0" = { date = "2026-07-01", graph = 2 }

[saved]
graph.version.2 = { text = "the axis is 2 where nothing is said", since = "2.0.0" }

[op]
gather.since = "1.0.0"
gather.attr.axis = { type = "i32", default = 2 }
relu.since = "1.0.0"
relu.input.X = {}

[ledger]
gather."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#;

#[test]
fn graphs_of_ours_are_held_against_a_lock() {
    let lock = || Lock::parse(LOCK, None).unwrap();
    let version = "2.0.0".parse().unwrap();
    let mut package = oplock_graph::Package::new(lock(), version);
    package.ops = package.lock.ops.iter().map(|(name, entry)| (name.clone(), entry.def.clone())).collect();
    let program = oplock_graph::Program::of([package]).unwrap();
    let nodes = vec![Node::new("gather")];
    let graph = Graph { blocks: vec![Block { nodes, ..Block::default() }], ..Graph::default() };
    let saved = program.save(&graph).unwrap().graph;
    let model = AnyModel::from_bytes(&saved.to_bytes().unwrap(), Limits::default()).unwrap();
    let loads = held(&Reader::of_lock(lock()), &model);
    assert_eq!((loads.verdict, loads.writer.as_str()), (Verdict::Loads, "vision-ops 2.0.0"));
    let need = &loads.needs[0];
    assert_eq!((need.of.as_str(), need.release.as_deref(), need.version), ("vision-ops", Some("1.0.0"), Some(2)));
    let raised = held(&Reader::of_lock(lock()).with_min_producer(3), &model);
    assert_eq!((raised.verdict, raised.problems[0].code), (Verdict::Refused, "too_old"));
    // JSON is as good.
    let model = AnyModel::from_bytes(saved.to_json().unwrap().as_bytes(), Limits::default()).unwrap();
    assert_eq!(held(&Reader::of_lock(lock()), &model).verdict, Verdict::Loads);
}

#[test]
fn what_only_a_function_can_upgrade_is_left_open() {
    let gone = |item: &str| {
        format!("gone.\"2.0.0\".{item} = {{ rule = \"op_deleted\", version = 2, from = {{ since = \"1.0.0\" }} }}\n")
    };
    let text = format!("{LOCK}{}{}\n[upgrade]\ngone.2 = {{ since = \"2.0.0\" }}\n", gone("op"), gone("input.X"));
    let reader = Reader::of_lock(Lock::parse(&text, None).unwrap_or_else(|error| panic!("{error}")));
    let graph = |nodes: &[&str]| {
        let nodes = nodes.iter().map(|op| {
            let mut node = Node::new(*op);
            node.inputs.insert("X".to_owned(), vec!["x".to_owned()]);
            node
        });
        let release = oplock_graph::Release { version: "1.0.0".parse().unwrap(), data_version: 1, digest: None };
        let oldest = oplock_graph::OldestReader { version: release.version.clone(), because: "relu".to_owned() };
        let (releases, oldest_reader) = (vec![release], Some(oldest));
        let stamp = oplock_graph::Stamp { producer: 1, min_consumer: 1, releases, oldest_reader, ..Default::default() };
        let nodes: Vec<_> = nodes.collect();
        let owners = nodes.iter().map(|node| (node.op.clone(), "vision-ops".to_owned())).collect();
        let stamps = BTreeMap::from([("vision-ops".to_owned(), stamp)]);
        AnyModel::Oplock(Box::new(Graph {
            blocks: vec![Block { nodes, ..Block::default() }],
            stamps,
            owners,
            ..Graph::default()
        }))
    };
    assert_eq!(held(&reader, &graph(&["relu"])).verdict, Verdict::Loads);
    let open = held(&reader, &graph(&["gone", "relu"]));
    assert_eq!((open.verdict, open.functions), (Verdict::Undecided, vec![("gone".to_owned(), 2)]));
    // Another reason stands whatever the function does.
    assert_eq!(held(&reader, &graph(&["gone", "nothing"])).verdict, Verdict::Refused);
}

#[test]
fn a_program_is_clipped_by_the_table() {
    let reader = Reader::of_definitions("here", ops(conv()));
    let clipped = |node: Node, kind, options| {
        let exported = reader.export(&program(node), kind, options)?;
        let ExportedModel::Paddle(bytes) = exported.model else { panic!("{:?}", exported.model) };
        let graph = Program::from_bytes(&bytes).unwrap().to_graph().unwrap().0;
        Ok::<_, ExportError>((exported.removed, graph.blocks[0].nodes[0].attrs.keys().cloned().collect::<Vec<_>>()))
    };
    let mut scaled = node();
    scaled.attrs.insert("scale".to_owned(), Value::F32(0.5));
    let all = ExportOptions { drop_quant: true };
    let float = clipped(scaled.clone(), oplock_graph::Export::Float, ExportOptions::default()).unwrap();
    assert_eq!(float, (Some(1), vec!["scale".to_owned(), "strides".to_owned()]));
    let lost = clipped(scaled.clone(), oplock_graph::Export::Quantised, ExportOptions::default()).unwrap_err();
    let ExportError::Refused(problems) = lost else { panic!("{lost}") };
    assert_eq!((problems[0].code, problems[0].model.as_deref()), ("quant_is_lost", Some("0.5")));
    let quantised = clipped(scaled, oplock_graph::Export::Quantised, all).unwrap();
    assert_eq!(quantised, (Some(2), vec!["strides".to_owned()]));
    let mut wrong = node();
    wrong.attrs.clear();
    assert!(matches!(clipped(wrong, oplock_graph::Export::Float, all), Err(ExportError::Refused(_))));
}

#[test]
fn what_is_deprecated_is_refused_from_its_version_on() {
    // ONNX deprecates an operator by a schema of its own.
    let mut op = OpDef::new("Upsample.v10");
    op.inputs = vec![ArgDef::new("X")].into();
    op.outputs = vec![ArgDef::new("Y")].into();
    op.deprecated = Some(Deprecated { version: 10, note: "use Resize".into() });
    let mut old = op.clone();
    old.name = "Upsample.v9".into();
    old.deprecated = None;
    let reader = Reader::of_definitions("onnx", [op, old].into_iter().map(|op| (op.name.to_string(), op)).collect());
    // ModelProto { ir_version: 8, graph { node { input: x, output: y, op_type: Upsample } }, opset_import { version } }
    let model = |version: u8| {
        let node = b"\x0a\x01x\x12\x01y\x22\x08Upsample";
        let mut bytes = vec![0x08, 0x08, 0x3a, 18, 0x0a, 16];
        bytes.extend(node);
        bytes.extend([0x42, 0x02, 0x10, version]);
        AnyModel::from_bytes(&bytes, Limits::default()).unwrap()
    };
    assert_eq!(held(&reader, &model(9)).verdict, Verdict::Loads);
    assert_eq!(
        told(&held(&reader, &model(10))),
        ["deprecated Upsample.v10: used, at version 10 | deprecated since version 10"]
    );
    // A version beyond all schemas may mean others.
    let codes: Vec<_> = held(&reader, &model(11)).problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["too_new", "deprecated"]);
}

/// What a `.spec` implies for a program, found from the facts alone: rule, operator and item.
fn implied(facts: &Json, spec: &Json) -> BTreeSet<(String, String, String)> {
    const TYPES: [&str; 12] = [
        "INT", "FLOAT", "STRING", "INTS", "FLOATS", "STRINGS", "BOOLEAN", "BOOLEANS", "BLOCK", "LONG", "BLOCKS",
        "LONGS",
    ];
    let mut found = BTreeSet::new();
    let is = |json: &Json, key: &str| json[key].as_bool() == Some(true);
    for op in facts["blocks"].as_array().unwrap().iter().flat_map(|block| block["ops"].as_array().unwrap()) {
        let name = op["type"].as_str().unwrap();
        let mut push = |rule: &str, item: &str| found.insert((rule.to_owned(), name.to_owned(), item.to_owned()));
        let Some(def) = spec.get(name) else {
            push("unknown_op", "");
            continue;
        };
        for (kind, unknown, missing) in
            [("input", "unknown_input", "missing_input"), ("output", "unknown_output", "missing_output")]
        {
            let (own, defs) = (
                op[format!("{kind}s")].as_object().unwrap(),
                def[if kind == "input" { "Inputs" } else { "Outputs" }].as_object().unwrap(),
            );
            for (item, variables) in own.iter().filter(|(_, variables)| !variables.as_array().unwrap().is_empty()) {
                match defs.get(item) {
                    None => {
                        push(unknown, item);
                    }
                    Some(def) if variables.as_array().unwrap().len() > 1 && !is(def, "duplicable") => {
                        push("operand_count", item);
                    }
                    Some(_) => {}
                }
            }
            for (item, def) in defs {
                let is_there = own.get(item).is_some_and(|variables| !variables.as_array().unwrap().is_empty());
                let may_lack = ["dispensable", "intermediate", "extra"].iter().any(|key| is(def, key));
                if !is_there && !may_lack {
                    push(missing, item);
                }
            }
        }
        let (own, defs) = (op["attrs"].as_object().unwrap(), def["Attrs"].as_object().unwrap());
        for (item, attr) in own {
            match defs.get(item) {
                None => {
                    push("unknown_attribute", item);
                }
                Some(def)
                    if !is(def, "extra")
                        && TYPES[usize::try_from(def["type"].as_u64().unwrap()).unwrap()] != attr["type"] =>
                {
                    push("attribute_type", item);
                }
                Some(_) => {}
            }
        }
        for (item, def) in defs {
            if def["default_value"].is_null() && !is(def, "extra") && !own.contains_key(item) {
                push("missing_attribute", item);
            }
        }
    }
    found
}

#[test]
fn real_programs_load_where_the_definitions_imply_it() {
    let Some(data) = std::env::var_os("OPLOCK_DATA").map(PathBuf::from) else {
        return eprintln!("OPLOCK_DATA is not set: skipped");
    };
    let models = data.join("models");
    let facts: BTreeMap<String, Json> =
        serde_json::from_str(&fs::read_to_string(models.join("facts_paddle.json")).unwrap()).unwrap();
    let mut table = BTreeMap::new();
    for entry in fs::read_dir(data.join("paddle")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "spec") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let spec: Json =
            serde_json::from_str(&text.replace("Infinity", "1e999").replace("NaN", "null")).unwrap_or(Json::Null);
        let reader = Reader::of_definitions("spec", paddle::parse(&text).unwrap().ops);
        for (name, facts) in &facts {
            let bytes = fs::read(models.join(Path::new(name))).unwrap();
            let model = AnyModel::from_bytes(&bytes, Limits::default()).unwrap();
            let held = held(&reader, &model);
            let item =
                |problem: &ModelProblem| problem.item.as_ref().map_or_else(String::new, |(_, name)| name.clone());
            let found: BTreeSet<_> =
                held.problems.iter().map(|p| (p.code.to_owned(), p.op.clone().unwrap_or_default(), item(p))).collect();
            let release = path.file_stem().unwrap().to_string_lossy().into_owned();
            let expected = implied(facts, &spec);
            // Of many problems of nodes only the first are told one by one.
            let is_same = found == expected || (held.more > 0 && found.is_subset(&expected));
            assert!(is_same, "{name} {release}\n{found:?}\n{expected:?}");
            table.insert((name.clone(), release), (held.verdict, found.len()));
        }
    }
    for ((name, release), (verdict, problems)) in &table {
        println!("{name} {release}: {} {problems}", verdict.key());
    }
    assert!(!table.is_empty());
}

#[test]
fn releases_are_written_as_numbers() {
    assert_eq!(
        (program::release_text(2_006_002), program::release_text(1_008_005)),
        ("2.6.2".to_owned(), "1.8.5".to_owned())
    );
    assert_eq!(Kind::Attr.key(), "attr");
}
