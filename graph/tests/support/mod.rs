//! Graphs to test with.
#![allow(dead_code)] // each test uses a part

use std::collections::{BTreeMap, BTreeSet};

use oplock_graph::{Block, Export, Graph, OldestReader, Release, Stamp, Unpromised};
use oplock_registry::{Complex128, Func, Kind, Map, Node, Scalar, Shape, SparseTensor, Tensor, TensorData, Value};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

/// A number, or one of those at the ends.
fn integer<T: Arbitrary + Clone + 'static>(ends: &'static [T]) -> impl Strategy<Value = T> {
    prop_oneof![any::<T>(), proptest::sample::select(ends)]
}

fn float32() -> impl Strategy<Value = f32> {
    let special =
        [0.0, -0.0, 0.1, 1e-5, f32::MAX, f32::MIN_POSITIVE, 1e-45, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    prop_oneof![any::<u32>().prop_map(f32::from_bits), proptest::sample::select(special.to_vec())]
}

fn float64() -> impl Strategy<Value = f64> {
    let special = [0.0, -0.0, 0.1, 1e300, f64::MAX, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 9e15, 1e16];
    prop_oneof![any::<u64>().prop_map(f64::from_bits), proptest::sample::select(special.to_vec())]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just("\u{0}\"\\\n\u{2028}é".to_owned()), "[a-zA-Z_.:]{1,8}", ".{0,4}"]
}

/// A name that can stand in a graph.
fn name() -> impl Strategy<Value = String> {
    text().prop_filter("a name is not empty", |name| !name.is_empty())
}

fn single() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Absent),
        any::<bool>().prop_map(Value::Bool),
        integer(&[i32::MIN, -1, 0, i32::MAX]).prop_map(Value::I32),
        integer(&[i64::MIN, -1, 0, (1 << 53) - 1, 1 << 53, -(1 << 53), i64::MAX]).prop_map(Value::I64),
        integer(&[0, u32::MAX]).prop_map(Value::U32),
        integer(&[0, (1 << 53) - 1, 1 << 53, u64::MAX]).prop_map(Value::U64),
        float32().prop_map(Value::F32),
        float64().prop_map(Value::F64),
        text().prop_map(|x| Value::String(x.into())),
        vec(any::<u8>(), 0..4).prop_map(|x| Value::Bytes(x.into())),
        text().prop_map(|x| Value::DType(x.into())),
        any::<u32>().prop_map(Value::Block),
        text().prop_map(|x| Value::Var(x.into())),
        any::<bool>().prop_map(|x| Value::Scalar(Scalar::Bool(x))),
        any::<i64>().prop_map(|x| Value::Scalar(Scalar::I64(x))),
        float64().prop_map(|x| Value::Scalar(Scalar::F64(x))),
        complex().prop_map(|x| Value::Scalar(Scalar::Complex128(x))),
        complex().prop_map(Value::Complex128),
        shape().prop_map(Value::Shape),
        tensor().prop_map(|x| Value::Tensor(Box::new(x))),
        tensor().prop_map(|x| Value::SparseTensor(Box::new(sparse(x)))),
        func().prop_map(|x| Value::Func(Box::new(x))),
        text().prop_map(|x| Value::TypeProto(x.into())),
    ]
}

fn complex() -> impl Strategy<Value = Complex128> {
    (float64(), float64()).prop_map(|(re, im)| Complex128 { re, im })
}

fn shape() -> impl Strategy<Value = Shape> {
    let dim = proptest::option::of(integer(&[0, (1 << 53) - 1, 1 << 53, u64::MAX]));
    proptest::option::of(vec(dim, 0..4)).prop_map(|dims| Shape { dims })
}

fn tensor() -> impl Strategy<Value = Tensor> {
    let sizes = [("f32", 4), ("bool", 1), ("complex128", 16), ("of \"mine\"", 3), ("", 1)];
    (vec(0..3_u64, 0..3), proptest::option::of(proptest::sample::select(sizes.to_vec()))).prop_flat_map(|(dims, ty)| {
        let count = usize::try_from(dims.iter().product::<u64>()).unwrap();
        let data = match ty {
            Some((_, size)) => vec(any::<u8>(), count * size).prop_map(TensorData::Raw).boxed(),
            None => vec(vec(any::<u8>(), 0..3), count).prop_map(TensorData::Strings).boxed(),
        };
        let ty = ty.map_or("string", |(ty, _)| ty);
        data.prop_map(move |data| Tensor { ty: ty.into(), dims: dims.clone(), data })
    })
}

/// The tensor as the values of a sparse one, in a row.
fn sparse(mut values: Tensor) -> SparseTensor {
    let count = values.dims.iter().product();
    values.dims = vec![count];
    let data = TensorData::Raw((0..count).flat_map(u64::to_le_bytes).collect());
    SparseTensor { dims: vec![u64::MAX], indices: Tensor { ty: "i64".into(), dims: vec![count], data }, values }
}

/// A function whose attributes are of some types, and functions and lists as deep as they may be.
fn func() -> impl Strategy<Value = Func> {
    let constant = prop_oneof![
        float32().prop_map(Value::F32),
        text().prop_map(|x| Value::DType(x.into())),
        shape().prop_map(Value::Shape),
        tensor().prop_map(|x| Value::Tensor(Box::new(x))),
        vec(float64().prop_map(Value::F64), 0..3).prop_map(Value::list),
        Just(Value::list(vec![Value::list(vec![Value::I64(1)]), Value::list(vec![])])),
    ];
    (text(), btree_map(name(), constant, 0..3), 1..=Func::MAX_DEPTH).prop_map(|(name, attrs, depth)| {
        let func = Func { name: name.into(), attrs: attrs.into_iter().collect() };
        (1..depth).fold(func, |inner, _| {
            let inner = Value::list(vec![Value::list(vec![Value::Func(Box::new(inner))])]);
            Func { attrs: [("f".to_owned(), inner)].into(), ..Func::new("g") }
        })
    })
}

/// A list of values of any types, or of one.
fn list(item: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let of_one_type = |kind: &Value| std::mem::discriminant(kind);
    prop_oneof![
        vec(item.clone(), 0..4).prop_map(Value::list),
        vec(item, 1..12).prop_map(move |mut items| {
            let first = of_one_type(&items[0]);
            items.retain(|item| of_one_type(item) == first);
            Value::list(items)
        }),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = Value> {
    let flat = list(single().boxed()).boxed();
    let mixed = prop_oneof![single(), flat.clone()].boxed();
    prop_oneof![3 => single(), 2 => flat, 1 => list(mixed)]
}

fn node() -> impl Strategy<Value = Node> {
    let operands = || btree_map(name(), vec(text(), 0..3), 0..3);
    let attrs = || btree_map(name(), value(), 0..3);
    (name(), operands(), operands(), attrs(), attrs()).prop_map(|(op, inputs, outputs, attrs, extra)| Node {
        op,
        inputs: inputs.into_iter().collect(),
        outputs: outputs.into_iter().collect(),
        attrs: attrs.into_iter().collect(),
        extra: extra.into_iter().collect(),
    })
}

fn block() -> impl Strategy<Value = Block> {
    (vec(text(), 0..3), vec(text(), 0..3), vec(node(), 0..4)).prop_map(|(inputs, outputs, nodes)| Block {
        inputs,
        outputs,
        nodes,
    })
}

fn version() -> impl Strategy<Value = semver::Version> {
    let version = ("[0-9]|[1-9][0-9]{1,9}", 0..9_u64, 0..9_u64, proptest::option::of("[a-z]{1,3}"));
    version.prop_map(|(major, minor, patch, pre)| {
        let pre = pre.map(|pre| format!("-{pre}.1+build")).unwrap_or_default();
        format!("{major}.{minor}.{patch}{pre}").parse().unwrap()
    })
}

fn stamp() -> impl Strategy<Value = Stamp> {
    let release = (version(), any::<i64>(), proptest::option::of(text()))
        .prop_map(|(version, data_version, digest)| Release { version, data_version, digest });
    let oldest = (version(), text()).prop_map(|(version, because)| OldestReader { version, because });
    let unpromised =
        (text(), btree_map(name(), text(), 0..3)).prop_map(|(reason, digests)| Unpromised { reason, digests });
    let numbers = (any::<i64>(), any::<i64>(), vec(any::<i64>(), 0..3));
    let lists = (vec(release, 0..3), proptest::option::of(oldest), proptest::option::of(unpromised));
    (numbers, lists).prop_map(|((producer, min_consumer, bad_consumers), (releases, oldest_reader, unpromised))| {
        Stamp { producer, min_consumer, bad_consumers, releases, oldest_reader, unpromised }
    })
}

pub(crate) fn graph() -> impl Strategy<Value = Graph> {
    let export = proptest::option::of(prop_oneof![Just(Export::Float), Just(Export::Quantised)]);
    let operand = (prop_oneof![Just(Kind::Input), Just(Kind::Output)], name());
    let extra = btree_map(name(), btree_set(operand, 0..3), 0..2);
    (
        vec(block(), 0..3),
        btree_map(name(), stamp(), 0..3),
        btree_map(name(), text(), 0..3),
        btree_map(name(), btree_map(name(), value(), 0..3), 0..3),
        extra,
        export,
    )
        .prop_map(|(blocks, stamps, owners, added, extra, export)| Graph {
            blocks,
            stamps,
            owners,
            added: added.into_iter().map(|(op, attrs)| (op, attrs.into_iter().collect())).collect(),
            extra,
            export,
        })
}

fn ones() -> Tensor {
    Tensor { ty: "f32".into(), dims: vec![2], data: TensorData::Raw([1_f32.to_le_bytes(); 2].concat()) }
}

/// A graph in which everything that a graph can have is there.
pub(crate) fn full() -> Graph {
    let (var, vars) = (|name: &str| name.to_owned(), |names: &[&str]| names.iter().map(ToString::to_string).collect());
    let mut slice = Node::new("slice");
    slice.inputs.insert(var("Input"), vars(&["x"]));
    slice.inputs.insert(var("EndsTensorList"), vars(&["e0", "e1"]));
    slice.outputs.insert(var("Out"), vars(&["y"]));
    let nested = Value::list(vec![Value::list(vec![]), Value::list(vec![Value::I64(1), Value::I64(-1)])]);
    for (name, value) in [
        ("axes", Value::list(vec![Value::I32(0), Value::I32(-1)])),
        ("scale", Value::F32(0.1)),
        ("nested", nested),
        ("empty", Value::list(vec![])),
        ("body", Value::Block(1)),
        ("big", Value::U64(u64::MAX)),
        ("weights", Value::Bytes(vec![0, 255].into())),
        ("limit", Value::Scalar(Scalar::F64(f64::INFINITY))),
        ("none", Value::Absent),
        ("phase", Value::Complex128(Complex128 { re: -0.0, im: 0.5 })),
        ("shape", Value::Shape(Shape::of([Some(1), None]))),
        ("any_shape", Value::Shape(Shape::default())),
        ("value", Value::Tensor(Box::new(ones()))),
        ("places", Value::SparseTensor(Box::new(sparse(ones())))),
        (
            "body_of",
            Value::Func(Box::new(Func {
                attrs: [("T".to_owned(), Value::DType("f32".into()))].into(),
                ..Func::new("f")
            })),
        ),
        ("type", Value::TypeProto("seq(f32)".into())),
    ] {
        slice.attrs.insert(var(name), value);
    }
    slice.extra.insert(var("use_mkldnn"), Value::Bool(false));
    let main = Block { inputs: vars(&["x", "e0", "e1"]), outputs: vars(&["y"]), nodes: vec![slice] };
    let stamp = Stamp {
        producer: 8,
        min_consumer: 4,
        bad_consumers: vec![6],
        releases: vec![Release { version: semver::Version::new(1, 0, 0), data_version: 4, digest: Some(var("c0de")) }],
        oldest_reader: Some(OldestReader { version: semver::Version::new(1, 0, 0), because: var("slice.scale") }),
        unpromised: Some(Unpromised {
            reason: var("its lock was stale"),
            digests: BTreeMap::from([(var("slice"), var("0f"))]),
        }),
    };
    Graph {
        blocks: vec![main, Block { nodes: vec![Node::new("nop")], ..Block::default() }],
        stamps: BTreeMap::from([(var("vision-ops"), stamp)]),
        owners: BTreeMap::from([(var("slice"), var("vision-ops"))]),
        added: BTreeMap::from([(var("slice"), Map::from([(var("scale"), Value::F32(1.0))]))]),
        extra: BTreeMap::from([(var("slice"), BTreeSet::from([(Kind::Input, var("EndsTensorList"))]))]),
        export: Some(Export::Quantised),
    }
}
