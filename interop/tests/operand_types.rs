//! Types of operands: what a model says of its values, held against what definitions take.

use std::collections::BTreeMap;

use oplock_core::{ArgDef, AttrDef, AttrType, ElementType, OpDef, ScalarType, TypeVar};
use oplock_graph::Limits;
use oplock_interop::models::{AnyModel, Reader, Verdict};
use oplock_interop::onnx::model::messages::{
    AttributeProto, GraphProto, Initializer, ModelProto, NodeProto, OperatorSetIdProto, SparseInitializer, TypeProto,
    ValueInfoProto, type_proto,
};
use oplock_interop::tensorflow::graph_def::messages::{FunctionDef, FunctionDefLibrary, GraphDef, NodeDef};
use oplock_interop::tensorflow::proto::attr_value::{ListValue, Value as Message};
use oplock_interop::tensorflow::proto::{self, AttrValue};
use prost::Message as _;

/// What is told: the item, what the model has, and what the definition says.
fn told(ops: &[OpDef], bytes: &[u8]) -> Vec<String> {
    let ops = ops.iter().map(|op| (op.name.to_string(), op.clone())).collect();
    let model = AnyModel::from_bytes(bytes, Limits::default()).unwrap();
    let held = Reader::of_definitions("here", ops).hold(&model).unwrap_or_else(|error| panic!("{error}"));
    let problem = |problem: &oplock_interop::models::ModelProblem| {
        let (kind, item) = problem.item.clone().unwrap();
        let side = |side: &Option<String>| side.clone().unwrap_or_default();
        let (op, code) = (problem.op.clone().unwrap(), problem.code);
        format!("{code} {op} {kind} {item}: {} | {}", side(&problem.model), side(&problem.definition))
    };
    let told: Vec<_> = held.problems.iter().map(problem).collect();
    assert_eq!(held.verdict == Verdict::Loads, told.is_empty());
    told
}

fn of(name: &'static str, var: &'static str) -> ArgDef {
    ArgDef { ty: Some(ElementType::Var(var.into())), ..ArgDef::new(name) }
}

fn fixed(name: &'static str, ty: &'static str) -> ArgDef {
    ArgDef { ty: Some(ElementType::Fixed(ty.into())), ..ArgDef::new(name) }
}

fn var(name: &'static str, allowed: &[&'static str]) -> TypeVar {
    TypeVar { name: name.into(), allowed: allowed.iter().map(|ty| (*ty).into()).collect::<Vec<_>>().into() }
}

fn op(name: &'static str, inputs: Vec<ArgDef>, outputs: Vec<ArgDef>, types: Vec<TypeVar>) -> OpDef {
    let mut op = OpDef::new(name);
    (op.inputs, op.outputs, op.types) = (inputs.into(), outputs.into(), types.into());
    op
}

/// `Add` of floats, `Shape` of anything, `Loop` with its body, `Mix` of inputs that need not be alike.
fn onnx() -> Vec<OpDef> {
    let float = || var("T", &["f16", "f32"]);
    let mut body = op("Loop.v1", vec![of("M", "I")], vec![], vec![var("I", &["i64"])]);
    body.attrs = vec![AttrDef::new("body", AttrType::of(ScalarType::Block))].into();
    let many = |arg: ArgDef| ArgDef { duplicable: true, ..arg };
    vec![
        op("Add.v1", vec![of("A", "T"), of("B", "T")], vec![of("C", "T")], vec![float()]),
        op("Shape.v1", vec![of("data", "T")], vec![of("shape", "T1")], vec![var("T", &[]), var("T1", &["i64"])]),
        op(
            "Seq.v1",
            vec![many(of("inputs", "T"))],
            vec![of("seq", "S")],
            vec![float(), var("S", &["seq(f16)", "seq(f32)"])],
        ),
        op(
            "Mix.v1",
            vec![ArgDef { heterogeneous: true, ..many(of("inputs", "V")) }],
            vec![],
            vec![var("V", &["f32", "i64"])],
        ),
        body,
    ]
}

fn node(op: &str, input: &[&str], output: &[&str]) -> NodeProto {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: Some(op.to_owned()), input: list(input), output: list(output), ..NodeProto::default() }
}

fn tensor(number: i32) -> TypeProto {
    let dim = |dim_value| type_proto::Dim { dim_value: Some(dim_value), dim_param: None };
    let shape = Some(type_proto::Shape { dim: vec![dim(2)] });
    TypeProto { value: Some(type_proto::Value::Tensor(type_proto::Tensor { elem_type: Some(number), shape })) }
}

fn value(name: &str, ty: TypeProto) -> ValueInfoProto {
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(ty) }
}

const F32: i32 = 1;
const I64: i32 = 7;
const F16: i32 = 10;

/// `x` is f32, `h` f16, `n` i64.
fn model(nodes: Vec<NodeProto>, change: impl FnOnce(&mut GraphProto)) -> Vec<u8> {
    let input = vec![value("x", tensor(F32)), value("h", tensor(F16)), value("n", tensor(I64))];
    let mut graph = GraphProto { node: nodes, input, ..GraphProto::default() };
    change(&mut graph);
    let opset_import = vec![OperatorSetIdProto { domain: None, version: Some(1) }];
    ModelProto { ir_version: Some(8), opset_import, graph: Some(graph), ..ModelProto::default() }.encode_to_vec()
}

#[test]
fn a_type_that_is_not_allowed_is_told_once() {
    assert_eq!(told(&onnx(), &model(vec![node("Add", &["x", "x"], &["y"])], |_| {})), [""; 0]);
    let ints = model(vec![node("Add", &["n", "n"], &["y"])], |_| {});
    assert_eq!(told(&onnx(), &ints), ["operand_type Add.v1 input A: i64 | one of f16, f32 (`T`)"]);
}

#[test]
fn operands_of_one_variable_are_alike() {
    let mixed = model(vec![node("Add", &["x", "h"], &["y"])], |_| {});
    assert_eq!(told(&onnx(), &mixed), ["operand_type Add.v1 input B: f16 | f32, as `A` has it (`T`)"]);
    let said = model(vec![node("Add", &["x", "x"], &["y"])], |graph| graph.value_info.push(value("y", tensor(F16))));
    assert_eq!(told(&onnx(), &said), ["operand_type Add.v1 output C: f16 | f32, as `A` has it (`T`)"]);
    let several = model(vec![node("Seq", &["x", "h"], &["s"])], |_| {});
    assert_eq!(told(&onnx(), &several), ["operand_type Seq.v1 input inputs: f16 | f32, as `inputs` has it (`T`)"]);
    assert_eq!(told(&onnx(), &model(vec![node("Mix", &["x", "n"], &[])], |_| {})), [""; 0]);
    let other = model(vec![node("Mix", &["x", "h"], &[])], |_| {});
    assert_eq!(told(&onnx(), &other), ["operand_type Mix.v1 input inputs: f16 | one of f32, i64 (`V`)"]);
}

#[test]
fn types_follow_from_node_to_node() {
    // What the model does not say of `y` and `s` follows from the nodes that write them.
    let chain = |last: &str| {
        model(
            vec![node("Add", &["x", "x"], &["y"]), node("Shape", &["y"], &["s"]), node("Add", &["y", last], &["z"])],
            |_| {},
        )
    };
    assert_eq!(told(&onnx(), &chain("x")), [""; 0]);
    assert_eq!(told(&onnx(), &chain("s")), ["operand_type Add.v1 input B: i64 | f32, as `A` has it (`T`)"]);
    // Of what nobody says nothing is judged.
    let unknown = model(vec![node("Add", &["u", "x"], &["y"])], |_| {});
    assert_eq!(told(&onnx(), &unknown), [""; 0]);
    let nameless = model(vec![node("Add", &["x", "w"], &["y"])], |graph| graph.value_info.push(value("w", tensor(99))));
    assert_eq!(told(&onnx(), &nameless), [""; 0]);
}

#[test]
fn constants_and_sequences_have_types() {
    let constant = |data_type| Initializer { data_type: Some(data_type), name: Some("c".to_owned()) };
    let add = || vec![node("Add", &["x", "c"], &["y"])];
    let with = |number| model(add(), |graph| graph.initializer.push(constant(number)));
    assert_eq!(told(&onnx(), &with(F32)), [""; 0]);
    assert_eq!(told(&onnx(), &with(I64)), ["operand_type Add.v1 input B: i64 | f32, as `A` has it (`T`)"]);
    let sparse = model(add(), |graph| graph.sparse_initializer.push(SparseInitializer { values: Some(constant(F32)) }));
    assert_eq!(told(&onnx(), &sparse), ["operand_type Add.v1 input B: sparse(f32) | f32, as `A` has it (`T`)"]);
    let sequence = |of| {
        let of = type_proto::Of { elem_type: Some(Box::new(of)) };
        TypeProto { value: Some(type_proto::Value::Sequence(Box::new(of))) }
    };
    let seq = |of| model(vec![node("Seq", &["x"], &["s"])], |graph| graph.output.push(value("s", sequence(of))));
    assert_eq!(told(&onnx(), &seq(tensor(F16))), [""; 0]);
    assert_eq!(
        told(&onnx(), &seq(tensor(I64))),
        ["operand_type Seq.v1 output seq: seq(i64) | one of seq(f16), seq(f32) (`S`)"]
    );
}

#[test]
fn a_graph_within_sees_what_is_around_it() {
    let inner = GraphProto {
        node: vec![node("Add", &["x", "own"], &["y"])],
        input: vec![value("own", tensor(I64))],
        ..GraphProto::default()
    };
    let mut body = node("Loop", &["n"], &[]);
    body.attribute = vec![AttributeProto {
        name: Some("body".to_owned()),
        r#type: Some(5),
        g: Some(Box::new(inner)),
        ..AttributeProto::default()
    }];
    assert_eq!(
        told(&onnx(), &model(vec![body], |_| {})),
        ["operand_type Add.v1 input B: i64 | f32, as `A` has it (`T`)"]
    );
}

/// `Const`, `AddV2`, `Pack` of any number, `Pair` of a list of types, `Assign` of a reference, `Floor` of f32.
fn tensorflow() -> Vec<OpDef> {
    let dtype = |name: &'static str| AttrDef::new(name, AttrType::of(ScalarType::DType));
    let with = |mut op: OpDef, attrs: Vec<AttrDef>| {
        op.attrs = attrs.into();
        op
    };
    let many =
        |arg: ArgDef, count: Option<&'static str>| ArgDef { duplicable: true, count: count.map(Into::into), ..arg };
    vec![
        with(op("Const", vec![], vec![of("output", "dtype")], vec![]), vec![dtype("dtype")]),
        with(op("AddV2", vec![of("x", "T"), of("y", "T")], vec![of("z", "T")], vec![]), vec![dtype("T")]),
        with(
            op("Pack", vec![many(of("values", "T"), Some("N"))], vec![of("output", "T")], vec![]),
            vec![AttrDef::new("N", AttrType::of(ScalarType::I64)), dtype("T")],
        ),
        with(
            op("Pair", vec![many(of("args", "Ts"), None)], vec![], vec![]),
            vec![AttrDef::new("Ts", AttrType::list(ScalarType::DType))],
        ),
        op("Floor", vec![fixed("x", "f32")], vec![fixed("y", "f32")], vec![]),
    ]
}

fn tf_node(name: &str, op: &str, input: &[&str], attrs: &[(&str, Message)]) -> NodeDef {
    let attr = |(name, value): &(&str, Message)| ((*name).to_owned(), AttrValue { value: Some(value.clone()) });
    let input = input.iter().map(|input| (*input).to_owned()).collect();
    NodeDef { name: name.to_owned(), op: op.to_owned(), input, attr: attrs.iter().map(attr).collect() }
}

const TF_FLOAT: i32 = 1;
const TF_INT: i32 = 3;

fn graph(mut nodes: Vec<NodeDef>, library: Vec<FunctionDef>) -> Vec<u8> {
    // What is read may stand behind what reads it.
    nodes.push(tf_node("f", "Const", &[], &[("dtype", Message::Type(TF_FLOAT))]));
    nodes.push(tf_node("i", "Const", &[], &[("dtype", Message::Type(TF_INT))]));
    nodes.push(tf_node("r", "Const", &[], &[("dtype", Message::Type(TF_FLOAT + 100))]));
    let library = Some(FunctionDefLibrary { function: library });
    GraphDef { node: nodes, library, versions: None }.encode_to_vec()
}

#[test]
fn attributes_say_the_types_of_operands() {
    let ty = |number| Message::Type(number);
    let add = |input: &[&str], number| graph(vec![tf_node("a", "AddV2", input, &[("T", ty(number))])], vec![]);
    assert_eq!(told(&tensorflow(), &add(&["f", "f:0"], TF_FLOAT)), [""; 0]);
    assert_eq!(told(&tensorflow(), &add(&["f", "r"], TF_FLOAT)), [""; 0], "a reference is taken for its value");
    assert_eq!(
        told(&tensorflow(), &add(&["f", "i"], TF_FLOAT)),
        ["operand_type AddV2 input y: i32 | f32, by the attribute `T`"]
    );
    assert_eq!(told(&tensorflow(), &add(&["f", "f"], TF_INT)).len(), 2);
    let pack = [("N", Message::I(2)), ("T", ty(TF_FLOAT))];
    let pack = graph(vec![tf_node("p", "Pack", &["f", "i:0"], &pack)], vec![]);
    assert_eq!(told(&tensorflow(), &pack), ["operand_type Pack input values: i32 | f32, by the attribute `T`"]);
    let pair = |types: [i32; 2]| {
        let list = ListValue { r#type: types.to_vec(), ..ListValue::default() };
        graph(vec![tf_node("p", "Pair", &["f", "i"], &[("Ts", Message::List(list))])], vec![])
    };
    assert_eq!(told(&tensorflow(), &pair([TF_FLOAT, TF_INT])), [""; 0]);
    assert_eq!(
        told(&tensorflow(), &pair([TF_FLOAT, TF_FLOAT])),
        ["operand_type Pair input args: i32 | f32, by the attribute `Ts`"]
    );
    let floor = graph(vec![tf_node("l", "Floor", &["i"], &[])], vec![]);
    assert_eq!(told(&tensorflow(), &floor), ["operand_type Floor input x: i32 | f32"]);
}

#[test]
fn functions_have_types_where_their_callers_do_not_say_them() {
    let arg = |name: &str, number| proto::ArgDef { name: name.to_owned(), r#type: number, ..proto::ArgDef::default() };
    let function = |nodes: Vec<NodeDef>| FunctionDef {
        signature: Some(proto::OpDef {
            name: "Inner".to_owned(),
            input_arg: vec![arg("given", TF_INT)],
            ..proto::OpDef::default()
        }),
        node_def: nodes,
        ret: BTreeMap::new(),
    };
    let floor = |input| tf_node("l", "Floor", &[input], &[]);
    let add = |input, ty| tf_node("a", "AddV2", &[input, input], &[("T", ty)]);
    let held = |nodes| told(&tensorflow(), &graph(vec![], vec![function(nodes)]));
    assert_eq!(held(vec![floor("given")]), ["operand_type Floor input x: i32 | f32"]);
    assert_eq!(
        held(vec![add("given", Message::Type(TF_INT)), floor("a:z:0")]),
        ["operand_type Floor input x: i32 | f32"]
    );
    // The caller says `T`.
    assert_eq!(held(vec![add("given", Message::Placeholder("T".to_owned())), floor("a:z:0")]), [""; 0]);
}
