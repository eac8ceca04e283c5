//! `TensorFlow`'s graphs and saved models: read, and held against definitions.

use std::collections::BTreeMap;

use oplock_core::{ArgDef, AttrDef, AttrType, Deprecated, ElementType, Func, Lock, OpDef, ScalarType, Value};
use oplock_graph::Limits;
use oplock_interop::models::{AnyModel, Format, Held, Reader, Verdict};
use oplock_interop::tensorflow::graph_def::TfGraph;
use oplock_interop::tensorflow::graph_def::messages::{
    FunctionDef, FunctionDefLibrary, GraphDef, MetaGraphDef, MetaInfoDef, NodeDef, SavedModel, VersionDef,
};
use oplock_interop::tensorflow::proto::attr_value::{ListValue, Value as Message};
use oplock_interop::tensorflow::proto::{self, AttrValue, NameAttrList, OpList, TensorProto};
use prost::Message as _;

const FLOAT: i32 = 1;

fn node(name: &str, op: &str, input: &[&str], attrs: &[(&str, Message)]) -> NodeDef {
    let attr = |(name, value): &(&str, Message)| ((*name).to_owned(), AttrValue { value: Some(value.clone()) });
    NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        input: input.iter().map(|input| (*input).to_owned()).collect(),
        attr: attrs.iter().map(attr).collect(),
    }
}

fn graph(node: Vec<NodeDef>) -> GraphDef {
    let versions = VersionDef { producer: 1087, min_consumer: 12, bad_consumers: vec![] };
    GraphDef { node, library: None, versions: Some(versions) }
}

/// `Placeholder`, `ConcatV2`, `Split`, `Call`, as `TensorFlow` has them in essence.
fn ops() -> BTreeMap<String, OpDef> {
    let of =
        |name: &'static str, var: &'static str| ArgDef { ty: Some(ElementType::Var(var.into())), ..ArgDef::new(name) };
    let many = |arg: ArgDef, count: &'static str| ArgDef {
        count: Some(count.into()),
        duplicable: true,
        dispensable: true,
        ..arg
    };
    let dtype = |name: &'static str| AttrDef::new(name, AttrType::of(ScalarType::DType));
    let count = |name: &'static str| AttrDef { min: Some(1), ..AttrDef::new(name, AttrType::of(ScalarType::I64)) };
    let mut placeholder = OpDef::new("Placeholder");
    placeholder.outputs = vec![of("output", "dtype")].into();
    placeholder.attrs = vec![dtype("dtype")].into();
    let mut concat = OpDef::new("ConcatV2");
    concat.inputs = vec![many(of("values", "T"), "N"), ArgDef::new("axis")].into();
    concat.outputs = vec![of("output", "T")].into();
    concat.attrs = vec![count("N"), dtype("T")].into();
    let mut split = OpDef::new("Split");
    split.inputs = vec![ArgDef::new("split_dim"), of("value", "T")].into();
    split.outputs = vec![many(of("output", "T"), "num_split")].into();
    split.attrs = vec![count("num_split"), dtype("T")].into();
    split.deprecated = Some(Deprecated { version: 1000, note: "use SplitV".into() });
    let mut call = OpDef::new("Call");
    let list = |name: &'static str| AttrDef::new(name, AttrType::list(ScalarType::DType));
    let all = |name: &'static str, var: &'static str| ArgDef { duplicable: true, dispensable: true, ..of(name, var) };
    call.inputs = vec![all("args", "Tin")].into();
    call.outputs = vec![all("output", "Tout")].into();
    let default = Some(Value::String("".into()));
    let config = AttrDef { default, ..AttrDef::new("config", AttrType::of(ScalarType::String)) };
    call.attrs = vec![list("Tin"), list("Tout"), AttrDef::new("f", AttrType::of(ScalarType::Func)), config].into();
    [placeholder, concat, split, call].into_iter().map(|op| (op.name.to_string(), op)).collect()
}

fn held(graph: &GraphDef) -> Held {
    let model = AnyModel::from_bytes(&graph.encode_to_vec(), Limits::default()).unwrap();
    assert_eq!(model.format(), Format::GraphDef);
    Reader::of_definitions("tf", ops()).hold(&model).unwrap_or_else(|error| panic!("{error}"))
}

fn codes(held: &Held) -> Vec<String> {
    let item = |p: &oplock_interop::models::ModelProblem| {
        p.item.as_ref().map_or_else(String::new, |(_, name)| format!(" {name}"))
    };
    held.problems.iter().map(|problem| format!("{}{}", problem.code, item(problem))).collect()
}

/// Nobody calls the graph itself, so nobody says what such an attribute is.
#[test]
fn outside_of_functions_an_attribute_that_a_caller_would_say_is_refused() {
    let graph = graph(vec![node("x", "Placeholder", &[], &[("dtype", Message::Placeholder("T".to_owned()))])]);
    let model = AnyModel::from_bytes(&graph.encode_to_vec(), Limits::default()).unwrap();
    let error = Reader::of_definitions("tf", ops()).hold(&model).unwrap_err();
    let expected = "the TensorFlow graph: graph.x.attr.dtype: the attribute `T` of no function says the value";
    assert_eq!(error.to_string(), expected);
}

fn concat(input: &[&str]) -> GraphDef {
    let x = node("x", "Placeholder", &[], &[("dtype", Message::Type(FLOAT)), ("_output_shapes", Message::I(1))]);
    let attrs = [("N", Message::I(2)), ("T", Message::Type(FLOAT))];
    graph(vec![x, node("c", "ConcatV2", input, &attrs)])
}

#[test]
fn operands_are_named_by_position_and_count() {
    let read = TfGraph::from_graph_def(&concat(&["x", "x:1", "axis", "^x"]).encode_to_vec()).unwrap();
    let read = read.to_graph(&ops()).unwrap();
    let found = &read.graph.blocks[0].nodes[1];
    assert_eq!(found.inputs["values"], ["x", "x:1"]);
    assert_eq!((&found.inputs["axis"], &found.outputs["output"]), (&vec!["axis".to_owned()], &vec!["c".to_owned()]));
    // What begins with `_` is no attribute of a definition, and what runs before is no input.
    assert_eq!((found.inputs.len(), read.graph.blocks[0].nodes[0].attrs.len()), (2, 1));
    assert_eq!(read.versions, BTreeMap::from([("GraphDef".to_owned(), 1087)]));
    let fine = held(&concat(&["x", "x:0", "axis"]));
    assert_eq!((fine.verdict, fine.writer.as_str()), (Verdict::Loads, "TensorFlow (graphs of version 1087)"));
    assert_eq!(codes(&held(&concat(&["x", "x", "axis", "more"]))), ["unknown_input 3"]);
    assert_eq!(codes(&held(&concat(&["x", "x"]))), ["missing_input axis"]);
    // Without definitions there are only numbers.
    let bare =
        TfGraph::from_graph_def(&concat(&["x", "y"]).encode_to_vec()).unwrap().to_graph(&BTreeMap::new()).unwrap();
    assert_eq!(bare.graph.blocks[0].nodes[1].inputs.keys().collect::<Vec<_>>(), ["0", "1"]);
}

#[test]
fn outputs_are_as_many_as_the_count_says() {
    let attrs = [("num_split", Message::I(3)), ("T", Message::Type(FLOAT))];
    let split = graph(vec![node("s", "Split", &["d", "x"], &attrs)]);
    let read = TfGraph::from_graph_def(&split.encode_to_vec()).unwrap().to_graph(&ops()).unwrap();
    assert_eq!(read.graph.blocks[0].nodes[0].outputs["output"], ["s", "s:1", "s:2"]);
    // It is deprecated since 1000, and the graph is of 1087; an older one may use it.
    assert_eq!(codes(&held(&split)), ["deprecated"]);
    let mut older = split.clone();
    older.versions = Some(VersionDef { producer: 999, ..VersionDef::default() });
    assert_eq!(held(&older).verdict, Verdict::Loads);
    // No number that a file claims makes many of it.
    let mut many = split;
    many.node[0].attr.insert("num_split".to_owned(), AttrValue { value: Some(Message::I(i64::MAX)) });
    let read = TfGraph::from_graph_def(&many.encode_to_vec()).unwrap().to_graph(&ops()).unwrap();
    assert_eq!(read.graph.blocks[0].nodes[0].outputs["output"].len(), 1 << 16);
}

fn messages(held: &Held) -> Vec<&str> {
    held.problems.iter().map(|problem| problem.message.as_str()).collect()
}

/// A list of element types.
fn list(types: &[i32]) -> Message {
    Message::List(ListValue { r#type: types.to_vec(), ..ListValue::default() })
}

fn placeholder(name: &str) -> NodeDef {
    node(name, "Placeholder", &[], &[("dtype", Message::Type(FLOAT))])
}

/// As many as the definition says, or an attribute that is there; of others nothing is said.
#[test]
fn an_output_that_is_read_must_be_there() {
    let reading = |from: NodeDef, input: &str| {
        let attrs = [("N", Message::I(1)), ("T", Message::Type(FLOAT))];
        let mut graph = graph(vec![node("c", "ConcatV2", &[input, "axis"], &attrs), from]);
        graph.versions = Some(VersionDef { producer: 999, ..VersionDef::default() });
        held(&graph)
    };
    let split = |count: Option<i64>| {
        let mut split = node("s", "Split", &["d", "x"], &[("T", Message::Type(FLOAT))]);
        split.attr.extend(count.map(|count| ("num_split".to_owned(), AttrValue { value: Some(Message::I(count)) })));
        split
    };
    let func = Message::Func(NameAttrList::default());
    let call =
        |types: &[i32]| node("f", "Call", &[], &[("Tin", list(&[])), ("Tout", list(types)), ("f", func.clone())]);
    for (from, input) in [
        (placeholder("x"), "x"),
        (placeholder("x"), "x:0"),
        (split(Some(3)), "s:2"),
        (call(&[FLOAT, FLOAT]), "f:1"),
        (node("q", "Queer", &[], &[]), "q:9"),
    ] {
        let codes = codes(&reading(from, input));
        assert!(!codes.contains(&"no_such_output".to_owned()), "{input}: {codes:?}");
    }
    for (from, input, expected) in [
        (placeholder("x"), "x:1", "`Placeholder` of node `x` has 1 output"),
        (placeholder("x"), "x:99999999999999999999999", "`Placeholder` of node `x` has 1 output"),
        (split(Some(3)), "s:3", "`Split` of node `s` has 3 outputs"),
        (call(&[FLOAT, FLOAT]), "f:2", "`Call` of node `f` has 2 outputs"),
        (call(&[]), "f", "`Call` of node `f` has no output"),
    ] {
        let held = reading(from, input);
        assert_eq!(codes(&held), ["no_such_output"], "{input}");
        let message = format!("`ConcatV2` (node 0 of block 0): node `c` reads `{input}`, and {expected}");
        assert_eq!(messages(&held), [message]);
        assert_eq!(held.problems[0].model.as_deref(), Some(input));
    }
    // How many there are is not said, and that is wrong enough.
    assert_eq!(codes(&reading(split(None), "s:5")), ["missing_attribute num_split"]);
    // What runs before is no input.
    assert_eq!(codes(&held(&concat(&["x", "x", "axis", "^x:7"]))), Vec::<String>::new());
}

#[test]
fn in_a_function_outputs_are_named() {
    let reading = |input: &str| {
        let mut graph = calling("twice");
        let function = &mut graph.library.as_mut().unwrap().function[0];
        function.node_def[0].input[1] = input.to_owned();
        let attrs = [("num_split", Message::I(2)), ("T", Message::Type(FLOAT))];
        function.node_def.push(node("s", "Split", &["d", "a"], &attrs));
        let attrs = [("num_split", Message::Placeholder("n".to_owned())), ("T", Message::Type(FLOAT))];
        function.node_def.push(node("open", "Split", &["d", "a"], &attrs));
        graph.versions = Some(VersionDef { producer: 999, ..VersionDef::default() });
        let held = held(&graph);
        let message = held.problems.iter().map(|problem| problem.message.clone()).next();
        (codes(&held), message)
    };
    for input in ["a", "s:output:1", "s:output", "open:output:7", "nobody:output:0"] {
        assert_eq!(reading(input), (vec![], None), "{input}");
    }
    for (input, expected) in [
        ("s:output:2", "node `c` reads `s:output:2`, and `Split` of node `s` has 2 variables as `output`"),
        ("s:zzz:0", "node `c` reads `s:zzz:0`, and `Split` of node `s` has only `output`"),
    ] {
        let (codes, message) = reading(input);
        assert_eq!(codes, ["no_such_output"], "{input}");
        assert_eq!(message.unwrap(), format!("`ConcatV2` (node 0 of block 1): {expected}"));
    }
}

/// A reference may stand for its value, and not the other way round.
#[test]
fn where_a_reference_is_taken_a_value_is_refused() {
    let of =
        |name: &'static str, by_ref| ArgDef { by_ref, ty: Some(ElementType::Var("T".into())), ..ArgDef::new(name) };
    let dtype = || vec![AttrDef::new("T", AttrType::of(ScalarType::DType))];
    let mut ops = ops();
    let mut variable = OpDef::new("Variable");
    variable.outputs = vec![of("ref", true)].into();
    variable.attrs = dtype().into();
    let mut assign = OpDef::new("Assign");
    assign.inputs = vec![of("ref", true), of("value", false)].into();
    assign.outputs = vec![of("output_ref", true)].into();
    assign.attrs = dtype().into();
    ops.extend([variable, assign].map(|op| (op.name.to_string(), op)));
    let reader = Reader::of_definitions("tf", ops);
    let t = || [("T", Message::Type(FLOAT))];
    let assigned = |to: &str, value: &str| {
        let nodes = vec![
            placeholder("x"),
            node("v", "Variable", &[], &t()),
            node("a", "Assign", &["v", "x"], &t()),
            node("y", "Assign", &[to, value], &t()),
        ];
        let model = AnyModel::from_bytes(&graph(nodes).encode_to_vec(), Limits::default()).unwrap();
        reader.hold(&model).unwrap()
    };
    for (to, value) in [("v", "x"), ("v", "v"), ("a", "a"), ("fed", "x")] {
        let held = assigned(to, value);
        assert_eq!(held.verdict, Verdict::Loads, "{to} {value}: {:?}", held.problems);
    }
    let refused = assigned("x", "x");
    let expected = "`Assign` (node 3 of block 0): input `ref` of node `y` takes a reference, as a variable is one, and `x`, the output \
                    `output` of a `Placeholder`, is a value";
    assert_eq!((codes(&refused), messages(&refused)), (vec!["not_a_reference".to_owned()], vec![expected]));
}

/// A graph that calls a function whose node takes its type from the caller.
fn calling(name: &str) -> GraphDef {
    let func = Message::Func(NameAttrList { name: name.to_owned(), attr: BTreeMap::new() });
    let config = Message::S(vec![0xff, 0xfe]);
    let call = node(
        "y",
        "Call",
        &["x"],
        &[("Tin", list(&[FLOAT])), ("Tout", list(&[FLOAT])), ("f", func), ("config", config)],
    );
    let arg = |name: &str| proto::ArgDef { name: name.to_owned(), r#type: FLOAT, ..proto::ArgDef::default() };
    let signature = proto::OpDef {
        name: "twice".to_owned(),
        input_arg: vec![arg("a")],
        output_arg: vec![arg("b")],
        ..proto::OpDef::default()
    };
    let attrs = [("N", Message::I(2)), ("T", Message::Placeholder("T".to_owned()))];
    let body = node("c", "ConcatV2", &["a", "a", "axis:output:0"], &attrs);
    let ret = BTreeMap::from([("b".to_owned(), "c:output:0".to_owned())]);
    let function = FunctionDef { signature: Some(signature), node_def: vec![body], ret };
    let mut graph = graph(vec![call]);
    graph.library = Some(FunctionDefLibrary { function: vec![function] });
    graph
}

#[test]
fn functions_are_blocks_and_operators() {
    let read = TfGraph::from_graph_def(&calling("twice").encode_to_vec()).unwrap().to_graph(&ops()).unwrap();
    assert_eq!(read.blocks, ["graph", "library.twice"]);
    assert_eq!(read.graph.blocks[0].nodes[0].attrs["f"], Value::Func(Box::new(Func::new("twice"))));
    assert_eq!(
        (&read.graph.blocks[1].inputs, &read.graph.blocks[1].outputs),
        (&vec!["a".to_owned()], &vec!["c:output:0".to_owned()])
    );
    // Bytes stand where a text is meant.
    assert_eq!(held(&calling("twice")).verdict, Verdict::Loads);
    let missing = held(&calling("thrice"));
    assert_eq!(codes(&missing), ["no_function"]);
    assert!(missing.problems[0].message.contains("names the function `thrice`, which the library lacks"));
    // A node may call a function by its name.
    let mut direct = calling("twice");
    direct.node.push(node("z", "twice", &["x"], &[]));
    assert_eq!(held(&direct).verdict, Verdict::Loads);
    direct.node.push(node("w", "twice", &["x", "x"], &[]));
    assert_eq!(codes(&held(&direct)), ["unknown_input 1"]);
}

#[test]
fn a_saved_model_says_what_its_writer_had() {
    // A newer Placeholder with an attribute that is not known here.
    let attr = |name: &str, ty: &str, default: Option<Message>| proto::AttrDef {
        name: name.to_owned(),
        r#type: ty.to_owned(),
        default_value: default.map(|value| AttrValue { value: Some(value) }),
        ..proto::AttrDef::default()
    };
    let placeholder = proto::OpDef {
        name: "Placeholder".to_owned(),
        output_arg: vec![proto::ArgDef {
            name: "output".to_owned(),
            type_attr: "dtype".to_owned(),
            ..proto::ArgDef::default()
        }],
        attr: vec![attr("dtype", "type", None), attr("new", "int", Some(Message::I(7)))],
        ..proto::OpDef::default()
    };
    let saved = |value: i64| {
        let attrs = [("dtype", Message::Type(FLOAT)), ("new", Message::I(value))];
        let info = |tag: &str, ops: Vec<proto::OpDef>| MetaInfoDef {
            stripped_op_list: Some(OpList { op: ops }),
            tags: vec![tag.to_owned()],
            tensorflow_version: "2.19.0".to_owned(),
        };
        let train = MetaGraphDef {
            meta_info_def: Some(info("train", vec![])),
            graph_def: Some(graph(vec![node("x", "Other", &[], &[])])),
        };
        let serve = MetaGraphDef {
            meta_info_def: Some(info("serve", vec![placeholder.clone()])),
            graph_def: Some(graph(vec![node("x", "Placeholder", &[], &attrs)])),
        };
        SavedModel { saved_model_schema_version: 1, meta_graphs: vec![train, serve] }.encode_to_vec()
    };
    let held = |value| {
        let model = AnyModel::from_bytes(&saved(value), Limits::default()).unwrap();
        assert_eq!(model.format(), Format::SavedModel);
        Reader::of_definitions("tf", ops()).hold(&model).unwrap()
    };
    let fine = held(7);
    assert_eq!((fine.verdict, fine.writer.as_str()), (Verdict::Loads, "TensorFlow 2.19.0 (graphs of version 1087)"));
    assert_eq!(codes(&held(8)), ["unknown_attribute new"]);
    let empty =
        SavedModel { saved_model_schema_version: 1, meta_graphs: vec![MetaGraphDef::default()] }.encode_to_vec();
    let error = AnyModel::from_bytes(&empty, Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "the TensorFlow SavedModel: meta_graphs: it has no graph");
}

#[test]
fn a_lock_with_data_versions_is_a_consumer_of_one() {
    let lock = |version: u32| {
        let text = format!(
            "format = 1\npackage = \"tf\"\n\n[release]\n\"2.10.0\" = {{ date = \"2022-09-06\", graph = {version} }}\n\n[saved]\n\
             graph.version.{version} = {{ text = \"2.10\", since = \"2.10.0\" }}\n"
        );
        let mut lock = Lock::parse(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut op = ops()["Placeholder"].clone().sorted();
        op.attrs.to_mut()[0].default = Some(Value::DType("f32".into()));
        let (stamp, items) = Default::default();
        lock.ops.insert("Placeholder".to_owned(), oplock_core::lock::OpEntry { def: op, stamp, items });
        lock
    };
    let held = |version: u32, versions: VersionDef| {
        let mut graph = graph(vec![node("x", "Placeholder", &[], &[])]);
        graph.versions = Some(versions);
        let model = AnyModel::from_bytes(&graph.encode_to_vec(), Limits::default()).unwrap();
        codes(&Reader::of_lock(lock(version)).hold(&model).unwrap())
    };
    let versions = |min_consumer, bad_consumers| VersionDef { producer: 1087, min_consumer, bad_consumers };
    assert_eq!(held(1087, versions(12, vec![])), Vec::<String>::new());
    assert_eq!(held(1087, versions(1088, vec![])), ["too_new"]);
    assert_eq!(held(1087, versions(12, vec![1087])), ["bad_consumer"]);
    // A lock has operands by name, and a graph by position.
    let mut positionless = lock(1087);
    let (stamp, items) = Default::default();
    let def = ops()["ConcatV2"].clone().sorted();
    positionless.ops.insert("ConcatV2".to_owned(), oplock_core::lock::OpEntry { def, stamp, items });
    let model = AnyModel::from_bytes(&concat(&["x", "x", "axis"]).encode_to_vec(), Limits::default()).unwrap();
    let error = Reader::of_lock(positionless).hold(&model).unwrap_err().to_string();
    assert!(
        error.starts_with("the TensorFlow graph has operands by position, and the lock of tf does not say"),
        "{error}"
    );
}

#[test]
fn what_contradicts_itself_is_refused_where_it_stands() {
    let refuse = |graph: GraphDef, expected: &str| {
        let read = TfGraph::from_graph_def(&graph.encode_to_vec()).unwrap();
        assert_eq!(read.to_graph(&ops()).unwrap_err().to_string(), format!("the TensorFlow graph: {expected}"));
    };
    let x = || node("x", "Placeholder", &[], &[("dtype", Message::Type(FLOAT))]);
    refuse(graph(vec![x(), x()]), "graph.x: two nodes have this name");
    let odd = node("x", "Placeholder", &[], &[("dtype", Message::Type(99))]);
    refuse(graph(vec![odd]), "graph.x.attr.dtype: 99 is the number of no element type");
    let shapeless = TensorProto { dtype: 77, ..TensorProto::default() };
    refuse(
        graph(vec![node("x", "Const", &[], &[("value", Message::Tensor(shapeless))])]),
        "graph.x.attr.value: 77 is the number of no element type",
    );
    let mut nothing = node("x", "Const", &[], &[]);
    nothing.attr.insert("value".to_owned(), AttrValue { value: None });
    refuse(graph(vec![nothing]), "graph.x.attr.value: it has no value");
}

#[test]
fn damaged_bytes_are_refused_and_never_panic() {
    let bytes = calling("twice").encode_to_vec();
    let ops = ops();
    for at in 0..bytes.len() {
        let _ = TfGraph::from_graph_def(&bytes[..at]);
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            if let Ok(graph) = TfGraph::from_graph_def(&bytes) {
                let _ = graph.to_graph(&ops);
            }
            if let Ok(graph) = TfGraph::from_saved_model(&bytes) {
                let _ = graph.to_graph(&ops);
            }
        }
    }
}
