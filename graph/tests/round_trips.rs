//! What is written is read back, bit for bit, and one graph is one text and one sequence of bytes.

mod support;

use oplock_graph::{Graph, ReadError, WriteError};
use oplock_registry::{Node, Value};
use proptest::prelude::*;

proptest! {
    #[test]
    fn graphs_read_back(graph in support::graph()) {
        let bytes = graph.to_bytes().unwrap();
        let read = Graph::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read, &graph);
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        let text = graph.to_json().unwrap();
        let read = Graph::from_json(&text).unwrap();
        prop_assert_eq!(&read, &graph);
        prop_assert_eq!(read.to_json().unwrap(), text);
    }

    /// Floats are shown with the fewest digits of their own width, and read at it.
    #[test]
    fn single_floats_survive_json(bits in any::<u32>()) {
        let float = f32::from_bits(bits);
        let read = Graph::from_json(&with_attr(Value::F32(float)).to_json().unwrap()).unwrap();
        let Value::F32(back) = read.blocks[0].nodes[0].attrs["a"] else { panic!("no f32: {read:?}") };
        prop_assert!(back.to_bits() == bits || (back.is_nan() && float.is_nan()));
    }
}

fn with_attr(value: Value) -> Graph {
    let mut graph = Graph::default();
    let mut node = Node::new("op");
    node.attrs.insert("a".into(), value);
    graph.blocks.push(oplock_graph::Block { nodes: vec![node], ..Default::default() });
    graph
}

/// The JSON is what people read in a review, so it is pinned here, with every kind of thing that a graph can hold.
/// `BLESS=1 cargo test -p oplock-graph --test round_trips` writes it anew.
#[test]
fn the_json_is_this() {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write("tests/full.json", support::full().to_json().unwrap()).unwrap();
        return;
    }
    let expected = include_str!("full.json");
    assert_eq!(support::full().to_json().unwrap(), expected);
    assert_eq!(Graph::from_json(expected).unwrap(), support::full());
}

/// The bytes, in the words of another program: `protoc --decode_raw` shows the same.
#[test]
fn the_bytes_begin_with_the_magic_and_end_with_the_end() {
    let bytes = Graph::default().to_bytes().unwrap();
    assert_eq!(bytes, b"\x0a\x0coplock graph\x10\x01\x78\x01");
}

/// The order of fields is free, and numbers may be unpacked, as other writers of protobuf may have it.
#[test]
fn other_writers_may_choose() {
    let graph = with_attr(Value::list(vec![Value::I32(1), Value::I32(-1)]));
    let bytes = graph.to_bytes().unwrap();
    let packed = b"\x0a\x02\x02\x01";
    let at = bytes.windows(packed.len()).position(|window| window == packed).unwrap();
    let mut unpacked = bytes.clone();
    unpacked.splice(at..at + packed.len(), *b"\x08\x02\x08\x01"); // the same length
    assert_eq!(Graph::from_bytes(&unpacked).unwrap(), graph);
    // `end` and the head swapped.
    let (head, rest) = bytes.split_at(16);
    let (rest, end) = rest.split_at(rest.len() - 2);
    assert_eq!(Graph::from_bytes(&[end, rest, head].concat()).unwrap(), graph);
    // Some editors put a byte order mark in front of a text.
    let marked = format!("\u{feff}{}", graph.to_json().unwrap());
    assert_eq!(Graph::from_json(&marked).unwrap(), graph);
}

#[test]
fn json_takes_whole_numbers_as_texts_and_floats_without_a_point() {
    let text = |value: &str| {
        format!(
            r#"{{"magic": "oplock graph", "format": 1, "blocks": [{{"nodes": [{{"op": "op", "attrs": {{"a": {value}}}}}]}}]}}"#
        )
    };
    for (value, expected) in [
        (r#"{"i64": "5"}"#, Value::I64(5)),
        (r#"{"i64": 9007199254740993}"#, Value::I64(9_007_199_254_740_993)),
        (r#"{"u64": 18446744073709551615}"#, Value::U64(u64::MAX)),
        (r#"{"f32": 1}"#, Value::F32(1.0)),
        (r#"{"f32": -0.0}"#, Value::F32(-0.0)),
        // By way of a binary64 number it would be rounded up to 1.00000012.
        (r#"{"f32": 1.00000005960464477539062499999999999}"#, Value::F32(1.0)),
        (r#"{"f64": 0.30000000000000004}"#, Value::F64(0.300_000_000_000_000_04)),
        (r#"{"bytes": "00fF"}"#, Value::Bytes(vec![0, 255].into())),
        (r#"{"list": []}"#, Value::list(vec![])),
        (r#"{"i32s": []}"#, Value::list(vec![])),
    ] {
        assert_eq!(Graph::from_json(&text(value)).unwrap(), with_attr(expected), "{value}");
    }
    for (value, error) in [
        (r#"{"i64": 1.0}"#, "1.0 is no value of type `i64`"),
        (r#"{"i64": "+1"}"#, "is no value of type `i64`"),
        (r#"{"i32": 2147483648}"#, "i32"),
        (r#"{"f32": 1e39}"#, "1e39 is no value of type `f32`"),
        (r#"{"f32": "1.0"}"#, "is no value of type `f32`"),
        (r#"{"f32": "NaN"}"#, r#""NaN" is no value of type `f32`: a text is "nan", "inf" or "-inf""#),
        (r#"{"i64": "ten"}"#, r#""ten" is no value of type `i64`: a text is one of digits"#),
        (r#"{"f64": null}"#, "null is no value of type `f64`"),
        (r#"{"bytes": "0"}"#, "\"0\" is not made of pairs of hexadecimal digits"),
        (r#"{"i16": 1}"#, "unknown variant `i16`, expected one of `bool`, `i32`"),
        (
            r#"{"i32": 1, "i64": 1}"#,
            r#"there is a second field, and a value is an object with one field, which names its type: {"i64": 1}"#,
        ),
        ("{}", r#"there is no field, and a value is an object with one field, which names its type: {"i64": 1}"#),
        ("1", "invalid type: integer `1`, expected an object with one field, which names its type"),
        (r#"{"scalar": {}}"#, "there is no field, and a value is an object with one field"),
        ("null", "blocks[0].nodes[0].attrs.a: there is no value"),
        (r#"{"list": [{"list": [{"list": []}]}]}"#, "blocks[0].nodes[0].attrs.a: lists are more than 2 deep"),
        (r#"{"scalar": {"i32": 1}}"#, "unknown variant `i32`, expected one of `bool`, `i64`, `f64`"),
    ] {
        let found = Graph::from_json(&text(value)).unwrap_err().to_string();
        assert!(found.contains(error), "{value}: {found}");
    }
}

#[test]
fn errors_of_json_name_line_and_column() {
    let error = |text: &str| Graph::from_json(text).unwrap_err();
    let text = support::full().to_json().unwrap();
    let damaged = text.replace("\"export\"", "\"exported\"");
    let line = damaged.lines().position(|line| line.contains("\"exported\"")).unwrap() + 1;
    let found = error(&damaged);
    assert!(matches!(found, ReadError::Json { line: at, column: 12, .. } if at == line), "{found}");
    assert!(found.to_string().contains("unknown field `exported`, expected one of `magic`"), "{found}");
    let twice = text.replace("\"EndsTensorList\"", "\"Input\"");
    let found = error(&twice);
    let at = twice.lines().position(|line| line.contains("\"Input\"")).unwrap();
    assert!(matches!(found, ReadError::Json { line, .. } if line > at), "{found}");
    assert!(found.to_string().ends_with("the name \"Input\" is there twice"), "{found}");
    for (from, to, expected) in [
        ("\"op\": \"slice\"", "\"op\": \"\"", "blocks[0].nodes[0]: the node has no operator"),
        ("\"Input\"", "\"\"", "blocks[0].nodes[0].inputs.\"\": the name is empty"),
        ("\"version\": \"1.0.0\"", "\"version\": \"1.0\"", "packages.vision-ops.releases[0]: \"1.0\" is no version"),
        ("\"quantised\"", "\"int8\"", "unknown variant `int8`, expected `float` or `quantised`"),
        ("oplock graph", "oplock", "this is no graph of oplock: its `magic` is \"oplock\""),
        ("\"format\": 1", "\"format\": 0", "this is no graph of oplock: it does not say its `format`"),
    ] {
        let found = error(&text.replacen(from, to, 1)).to_string();
        assert!(found.contains(expected), "{found}");
    }
    let newer = error(r#"{"magic": "oplock graph", "format": 7, "modules": []}"#);
    assert_eq!(newer, ReadError::NewerFormat { found: 7, known: 1 });
    assert!(newer.to_string().contains("cargo update -p oplock"), "{newer}");
}

#[test]
fn what_no_reader_would_take_is_not_written() {
    let error = |graph: &Graph| {
        let error = graph.to_bytes().unwrap_err();
        assert_eq!(graph.to_json().unwrap_err(), error);
        error.to_string()
    };
    let list = |item| Value::list(vec![item]);
    let deep = with_attr(list(list(list(Value::Bool(true)))));
    assert!(error(&deep).starts_with("blocks[0].nodes[0].attrs.a: lists are more than 2 deep"));
    let mut graph = with_attr(Value::Bool(true));
    graph.blocks[0].nodes[0].op.clear();
    assert_eq!(error(&graph), "blocks[0].nodes[0]: the node has no operator");
    let mut graph = with_attr(Value::Bool(true));
    graph.blocks[0].nodes[0].inputs.insert(String::new(), vec![]);
    assert_eq!(
        graph.to_bytes().unwrap_err(),
        WriteError::Content { path: "blocks[0].nodes[0].inputs.\"\"".into(), what: "the name is empty".into() }
    );
}
