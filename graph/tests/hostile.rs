//! Whatever the bytes are, reading them ends with a graph or a clear error.

mod support;

use std::collections::HashMap;

use oplock_core::Lock;
use oplock_graph::{Block, Graph, Limits, Package, Program, ReadError, VariableTypes};
use oplock_registry::Node;

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let bytes = support::full().to_bytes().unwrap();
    for length in 0..bytes.len() {
        let error = Graph::from_bytes(&bytes[..length]).unwrap_err();
        // The head says what the file is; without it, it is nothing.
        let expected = if length < 16 {
            matches!(error, ReadError::NotAGraph { .. } | ReadError::Damaged { .. })
        } else {
            matches!(error, ReadError::Damaged { .. })
        };
        assert!(expected, "{length} bytes: {error}");
    }
    let at_a_border = &bytes[..bytes.len() - 2];
    let error = Graph::from_bytes(at_a_border).unwrap_err().to_string();
    let at = at_a_border.len();
    assert_eq!(error, format!("the graph is damaged at byte {at}: the last field is missing: the file is cut off"));
    let text = support::full().to_json().unwrap();
    for (length, _) in text.trim_end().char_indices() {
        let error = Graph::from_json(&text[..length]).unwrap_err();
        assert!(matches!(error, ReadError::Json { .. }), "{length} bytes: {error}");
    }
}

/// Random bytes are put in, taken out and changed: reading never panics, and what it accepts is a graph that is written and read back.
#[test]
fn changed_bytes_are_refused_or_are_another_graph() {
    let samples = [support::full().to_bytes().unwrap(), Graph::default().to_bytes().unwrap()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0_u32, 0_u32);
    for _ in 0..100_000 {
        let mut bytes = samples[random.below(4).min(1) ^ 1].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.byte(),
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.insert(at, random.byte()),
                _ => drop(bytes.remove(at)),
            }
        }
        match Graph::from_bytes(&bytes) {
            Ok(graph) => {
                accepted += 1;
                assert_eq!(Graph::from_bytes(&graph.to_bytes().unwrap()).unwrap(), graph);
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    // Both happen, else this tests nothing.
    assert!(accepted > 1_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn changed_json_is_refused_or_is_another_graph() {
    let sample = support::full().to_json().unwrap().into_bytes();
    let mut random = Random(1);
    let tokens: [&[u8]; 8] = [b"{", b"}", b"[", b"null", b"\"\"", b"1e999", b",", b"-"];
    for _ in 0..10_000 {
        let mut bytes = sample.clone();
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => drop(bytes.splice(at..at, tokens[random.below(8)].iter().copied())),
            1 => drop(bytes.remove(at)),
            _ => bytes[at] = random.byte() & 0x7f,
        }
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        if let Ok(graph) = Graph::from_json(text) {
            assert_eq!(Graph::from_json(&graph.to_json().unwrap()).unwrap(), graph);
        }
    }
}

/// xorshift64, by George Marsaglia.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % end
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

/// The head of a file, and then these bytes.
fn file(rest: &[u8]) -> Vec<u8> {
    [b"\x0a\x0coplock graph\x10\x01", rest].concat()
}

#[test]
fn each_fault_is_named_with_its_place() {
    let cases: [(&[u8], &str); 18] = [
        // A block of 2 GiB less one.
        (b"\x1a\xff\xff\xff\xff\x07", "byte 17, in blocks[0]: a length of 2147483647 where 0 bytes are left"),
        (b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a length of 18446744073709551615"),
        (b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "byte 17, in blocks[0]: a number of more than 64 bits"),
        (b"\x1a\x80", "byte 17, in blocks[0]: a number is cut off"),
        (b"\x48\x01", "byte 16: a `Graph` has no field 9"),
        (b"\x00", "a `Graph` has no field 0"),
        (b"\x1b\x1c", "blocks[0]: field `blocks` is not of the wire type 3"),
        (b"\x40\x01\x40\x01\x78\x01", "byte 18: field `export` is there twice"),
        (b"\x40\x03", "byte 17, in export: 3 is no value of the field"),
        (b"\x78\x00", "the last field is missing: the file is cut off"),
        (b"\x1a\x03\x0a\x01\xff", "byte 20, in blocks[0].inputs[0]: a text that is not UTF-8"),
        (b"\x1a\x09\x0a\x01a\x12\x00\x0a\x02b\xff", "byte 26, in blocks[0].inputs[1]: a text that is not UTF-8"),
        (
            b"\x1a\x05\x1a\x03\x0a\x01a\x1a\x09\x0a\x01x\x1a\x04\x0a\x02b\xff",
            "in blocks[1].nodes[0].op: a text that is not UTF-8",
        ),
        (b"\x1a\x02\x1a\x00", "blocks[0].nodes[0]: the field `op` is missing or empty"),
        (b"\x22\x03\x0a\x01a", "packages[0]: the field `stamp` is missing or empty"),
        (
            b"\x32\x0a\x0a\x01a\x12\x05\x0a\x01b\x12\x00",
            "added[0].attrs[0].value: a `Value` has exactly one field, this one has 0",
        ),
        (
            b"\x32\x0e\x0a\x01a\x12\x09\x0a\x01b\x12\x04\x08\x01\x10\x01",
            "a `Value` has exactly one field, this one has 2",
        ),
        (
            b"\x32\x10\x0a\x01a\x12\x0b\x0a\x01b\x12\x06\x10\xff\xff\xff\xff\x7f",
            "value.i32: 34359738367 is no value of the field",
        ),
    ];
    for (bytes, expected) in cases {
        let error = Graph::from_bytes(&file(bytes)).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let head = |bytes: &[u8]| Graph::from_bytes(bytes).unwrap_err();
    assert_eq!(head(b"\x0a\x0coplock graph\x10\x09\x18\x01"), ReadError::NewerFormat { found: 9, known: 1 });
    assert!(matches!(head(b""), ReadError::NotAGraph { .. }));
    assert!(matches!(head(b"{\"magic\": \"oplock graph\"}"), ReadError::NotAGraph { .. }));
    assert_eq!(
        head(b"\x0a\x03onx").to_string(),
        "this is no graph of oplock: its `magic` is \"onx\", and that of a graph is \"oplock graph\""
    );
}

#[test]
fn a_name_twice_is_refused() {
    let node = Node { inputs: [("X".to_owned(), vec![]), ("Y".to_owned(), vec![])].into(), ..Node::new("op") };
    let graph = Graph { blocks: vec![Block { nodes: vec![node], ..Block::default() }], ..Graph::default() };
    let mut bytes = graph.to_bytes().unwrap();
    let at = bytes.iter().position(|byte| *byte == b'Y').unwrap();
    bytes[at] = b'X';
    let error = Graph::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(error, "blocks[0].nodes[0].inputs.X: the name is there twice");
}

#[test]
fn nesting_is_bounded() {
    // A value within a list within a value, and so on.
    let mut value = b"\x08\x01".to_vec();
    for _ in 0..100_000 {
        for key in [0x0a_u8, 0xba] {
            let mut outer = vec![key];
            if key == 0xba {
                outer.push(0x01);
            }
            let mut length = value.len();
            while length >= 0x80 {
                outer.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
                length >>= 7;
            }
            outer.push(u8::try_from(length).unwrap());
            // In front, without moving all of it each time.
            outer.append(&mut value);
            value = outer;
        }
        if value.len() > 200_000 {
            break;
        }
    }
    let counted = |key: u8, content: &[u8]| {
        let mut bytes = vec![key];
        let mut length = content.len();
        while length >= 0x80 {
            bytes.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
            length >>= 7;
        }
        bytes.push(u8::try_from(length).unwrap());
        bytes.extend_from_slice(content);
        bytes
    };
    let attr = [b"\x0a\x01a".as_slice(), &counted(0x12, &value)].concat();
    let added = [b"\x0a\x01a".as_slice(), &counted(0x12, &attr)].concat();
    let error = Graph::from_bytes(&file(&counted(0x32, &added))).unwrap_err().to_string();
    assert!(error.contains("lists are more than 2 deep within each other"), "{error}");

    let json = format!("{{\"magic\": \"oplock graph\", \"format\": 1, \"blocks\": {}", "[".repeat(1_000_000));
    assert!(matches!(Graph::from_json(&json), Err(ReadError::Json { line: 1, .. })));
}

/// Functions are in the attributes of one another, and lists in those, as deep as may be and no deeper.
#[test]
fn functions_are_not_too_deep() {
    let counted = |key: &[u8], content: &[u8]| {
        let mut length = content.len();
        let mut bytes = key.to_vec();
        while length >= 0x80 {
            bytes.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
            length >>= 7;
        }
        bytes.push(u8::try_from(length).unwrap());
        [bytes.as_slice(), content].concat()
    };
    let list = |value: &[u8]| counted(&[0xba, 1], &counted(&[0x0a], value));
    let attr = |value: &[u8]| [b"\x0a\x01a".as_slice(), &counted(&[0x12], value)].concat();
    let func = |value: &[u8]| counted(&[0xe2, 1], &counted(&[0x12], &attr(value)));
    let read = |value: &[u8]| {
        let added = [b"\x0a\x01a".as_slice(), &counted(&[0x12], &attr(value))].concat();
        let whole = [counted(&[0x32], &added).as_slice(), b"\x78\x01"].concat();
        Graph::from_bytes(&file(&whole)).map_err(|error| error.to_string())
    };
    let mut value = b"\x08\x01".to_vec();
    for _ in 0..4 {
        value = func(&list(&list(&value)));
    }
    assert_eq!(read(&list(&list(&value))).unwrap().added["a"].len(), 1);
    let error = read(&func(&value)).unwrap_err();
    assert!(error.contains("funcs are more than 4 deep within each other"), "{error}");
    let error = read(&func(&list(&list(&list(b"\x08\x01"))))).unwrap_err();
    assert!(error.contains("lists are more than 2 deep within each other"), "{error}");

    let json = |value: &str| {
        let text = format!("{{\"magic\": \"oplock graph\", \"format\": 1, \"added\": {{\"f\": {{\"a\": {value}}}}}}}");
        Graph::from_json(&text).map_err(|error| error.to_string())
    };
    let nested = |depth: usize| {
        let open = "{\"func\": {\"name\": \"f\", \"attrs\": {\"a\": ".repeat(depth);
        format!("{open}{{\"bool\": true}}{}", "}}}".repeat(depth))
    };
    assert!(json(&nested(4)).is_ok());
    let error = json(&nested(5)).unwrap_err();
    assert!(error.contains("functions are more than 4 deep within each other"), "{error}");
    assert!(json(&nested(100_000)).is_err());
    let error = json("{\"func\": {\"name\": \"f\", \"attrs\": {\"a\": {\"var\": \"x\"}}}}").unwrap_err();
    assert!(error.contains("a value of type `var` cannot stand there"), "{error}");
    let tensor =
        "{\"tensor\": {\"dtype\": \"f32\", \"dims\": [\"18446744073709551615\", 2], \"data\": {\"raw\": \"\"}}}";
    let error = json(tensor).unwrap_err();
    assert!(error.contains("more elements than can be counted"), "{error}");
}

#[test]
fn a_million_inputs_load() {
    let names: Vec<_> = (0..1_000_000).map(|i| format!("v{i}")).collect();
    let node = Node { inputs: [("X".to_owned(), names)].into(), ..Node::new("sum") };
    let graph = Graph { blocks: vec![Block { nodes: vec![node], ..Block::default() }], ..Graph::default() };
    let bytes = graph.to_bytes().unwrap();
    assert_eq!(Graph::from_bytes(&bytes).unwrap(), graph);
    let limits = Limits { max_bytes: 1 << 20 };
    let error = Graph::from_bytes_within(&bytes, &limits).unwrap_err();
    assert_eq!(error, ReadError::TooLarge { bytes: bytes.len(), limit: 1 << 20 });
    assert!(error.to_string().contains("raise `Limits::max_bytes`"));
}

/// A field of bytes.
fn counted(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    prost::encoding::encode_varint(u64::try_from(content.len()).unwrap(), &mut bytes);
    [bytes.as_slice(), content].concat()
}

/// A node with many names, in the worst order, costs what sorting them costs: were each put where it belongs, or removed, by itself,
/// this would take minutes.
#[test]
fn many_names_in_any_order_are_read_and_removed_in_time() {
    const MANY: usize = 100_000;
    let names = || (0..MANY).rev().map(|i| format!("name{i:06}"));
    let mut node = counted(1, b"nop");
    names().for_each(|name| node.extend(counted(2, &[counted(1, name.as_bytes()), counted(2, b"v")].concat())));
    names().for_each(|name| node.extend(counted(5, &[counted(1, name.as_bytes()), counted(2, b"\x08\x01")].concat())));
    let mut bytes = file(&counted(3, &counted(3, &node)));
    let operands: Vec<u8> = names().flat_map(|name| counted(1, name.as_bytes())).collect();
    bytes.extend(counted(7, &[counted(1, b"nop"), counted(2, &operands)].concat()));
    bytes.extend(b"\x78\x01");
    let graph = Graph::from_bytes(&bytes).unwrap();
    let node = &graph.blocks[0].nodes[0];
    assert_eq!((node.inputs.len(), node.extra.len(), graph.extra["nop"].len()), (MANY, MANY, MANY));
    assert!(node.inputs.keys().is_sorted() && node.extra.keys().is_sorted());
    let program = Program::of([Package::of_lock(
        Lock::parse("format = 1\npackage = \"ops\"\n[op]\nnop.unreleased = true\n", None).unwrap(),
        semver::Version::new(1, 0, 0),
    )]);
    let loaded = program.unwrap().load_foreign(graph, "ops", &HashMap::new(), VariableTypes::default()).unwrap().graph;
    assert_eq!(loaded.blocks[0].nodes, [Node::new("nop")]);
}
