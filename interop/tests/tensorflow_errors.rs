//! What is wrong with TensorFlow's definitions is said with its place, operator and item; nothing that a file holds makes the
//! readers panic or take more memory than the file.

use oplock_interop::tensorflow::op_list::{Document, OpListError, to_binary, to_text};

const EXCERPT: &str = include_str!("data/tensorflow_2.10.1_excerpt.json");

fn error(bytes: &[u8]) -> OpListError {
    match Document::read(bytes) {
        Err(error) => error,
        Ok(document) => document.definitions().expect_err(&String::from_utf8_lossy(bytes)),
    }
}

/// Each text, and how its error begins and what it says.
fn check(cases: &[(&str, &str, &str)]) {
    let wrong = |(text, start, reason): &(&str, &str, &str)| {
        let error = error(text.as_bytes()).to_string();
        let is_right = error.starts_with(start) && error.contains(reason);
        (!is_right).then(|| format!("{text}\n  {error}\n"))
    };
    let wrong: String = cases.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn json_that_is_not_understood() {
    check(&[
        ("{\"ops\":[", "1:9: ", "not JSON"),
        ("{\"ops\":[]} x", "1:12: ", "not JSON"),
        ("{\"ops\":[],\"opps\":[]}", "1:18: ", "did you mean `ops`?"),
        ("{\"source\":\"x\"}", "1:1: ", "it has a list of `ops`"),
        ("{\"ops\":[1]}", "1:9: ", "this must be an object, not the number 1"),
        ("{\"ops\":[\n {\"name\":\"A\",\"name\":\"A\"}]}", "2:21: ", "a second time"),
        ("{\"ops\":[{\"name\":\"A\",\"is_statefull\":true}]}", "1:36: operator `A`: ", "did you mean `is_stateful`?"),
        (
            "{\"ops\":[{\"name\":\"A\",\"input_arg\":[{\"name\":\"x\",\"type\":\"DT_FLAOT\"}]}]}",
            "1:53: operator `A`, input `x`: ",
            "\"DT_FLAOT\" is not a type",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"name\":\"n\",\"type\":\"int\",\"default_value\":{\"i\":1.5}}]}]}",
            "1:75: operator `A`, attribute `n`: ",
            "this must be an integer, not the number 1.5",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"name\":\"n\",\"type\":\"int\",\"default_value\":{}}]}]}",
            "1:70: operator `A`, attribute `n`: ",
            "a value is of one kind",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"name\":\"n\",\"type\":\"int\",\"default_value\":{\"i\":1,\"b\":true}}]}]}",
            "1:70: operator `A`, attribute `n`: ",
            "a value is of one kind",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"type\":\"int\",\"minimum\":\"1\"}]}]}",
            "1:53: operator `A`, attribute `#1`: ",
            "this must be an integer, not the string",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"name\":\"f\",\"type\":\"float\",\"default_value\":{\"f\":1e39}}]}]}",
            "1:77: operator `A`, attribute `f`: ",
            "1e39 does not fit in 32 bits",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"name\":\"f\",\"type\":\"float\",\"default_value\":{\"f\":\"Inf\"}}]}]}",
            "1:77: operator `A`, attribute `f`: ",
            "\"Inf\" is no number",
        ),
        (
            "{\"ops\":[{\"name\":\"A\",\"attr\":[{\"name\":\"t\",\"type\":\"tensor\",\"default_value\":{\"tensor\":\
             {\"dtype\":\"DT_UINT8\",\"shape\":{\"dims\":[2]},\"content\":\"ff\"}}}]}]}",
            "1:83: operator `A`, attribute `t`: ",
            "has 2 bytes, not 1",
        ),
    ]);
}

#[test]
fn text_that_is_not_understood() {
    check(&[
        ("op {", "1:5: ", "a field of `OpDef` must stand here, not the end of the file"),
        ("op { name: \"A\" } }", "1:18: ", "a field of `OpList` must stand here, not `}`"),
        (
            "op {\n  name: \"A\"\n  nmae: \"B\"\n}",
            "3:3: operator `A`: ",
            "`OpDef` has no field `nmae`; did you mean `name`?",
        ),
        ("op { name: \"A\" name: \"B\" }", "1:16: operator `A`: ", "stands here a second time"),
        ("op { name \"A\" }", "1:11: ", "`:` after `name` must stand here, not a string"),
        ("op { name: A }", "1:12: ", "a string must stand here, not `A`"),
        (
            "op { name: \"A\" input_arg { name: \"x\" type: DT_FLAOT } }",
            "1:44: operator `A`, input `x`: ",
            "`DT_FLAOT`",
        ),
        (
            "op { name: \"A\" is_stateful: 2 }",
            "1:29: operator `A`: ",
            "true or false must stand here, not the number 2",
        ),
        (
            "op { name: \"A\" attr { name: \"n\" type: \"int\" minimum: 9223372036854775808 } }",
            "1:54: operator `A`, attribute `n`: ",
            "9223372036854775808 is not an integer from -9223372036854775808",
        ),
        (
            "op { name: \"A\" attr { name: \"n\" type: \"int\" default_value { i: 1 b: true } } }",
            "1:66: operator `A`, attribute `n`: ",
            "`AttrValue` has `i` already",
        ),
        (
            "op { name: \"A\" attr { name: \"n\" type: \"float\" default_value { f: 1e39 } } }",
            "1:66: operator `A`, attribute `n`: ",
            "1e39 is not a number",
        ),
        ("op { name: \"A\" attr { name: \"\\xff\" } }", "1:29: operator `A`, attribute `#1`: ", "`name` is not UTF-8"),
        ("op { name: \"A\" attr { experimental_full_type { a: } }", "1:23: operator `A`, attribute `#1`: ", "no field"),
        ("op { name: \"A\" input_arg { experimental_full_type { a ]", "", "closes nothing"),
    ]);
}

#[test]
fn definitions_that_are_not_valid() {
    let op = |rest: &str| format!("op {{\n  name: \"A\"\n  {rest}\n}}\n");
    for (rest, item, reason) in [
        ("input_arg { name: \"x\" }", "input `x`", "one of `type`, `type_attr` and `type_list_attr` must stand"),
        ("input_arg { name: \"x\" type: DT_INT8 type_attr: \"T\" }", "input `x`", "and one only"),
        ("output_arg { name: \"x\" type_attr: \"T\" }", "output `x`", "`type_attr`: there is no attribute `T`"),
        (
            "attr { name: \"T\" type: \"int\" } output_arg { name: \"x\" type_attr: \"T\" }",
            "output `x`",
            "`type_attr`: the attribute `T` is of type `int`, not `type`",
        ),
        (
            "attr { name: \"T\" type: \"type\" } output_arg { name: \"x\" type_list_attr: \"T\" }",
            "output `x`",
            "is of type `type`, not `list(type)`",
        ),
        (
            "input_arg { name: \"x\" type: DT_INT8 number_attr: \"N\" }",
            "input `x`",
            "`number_attr`: there is no attribute",
        ),
        (
            "attr { name: \"T\" type: \"list(type)\" } input_arg { name: \"x\" type_list_attr: \"T\" number_attr: \"N\" }",
            "input `x`",
            "cannot stand both",
        ),
        ("input_arg { name: \"x\" type: 77 }", "input `x`", "77 is not the number of an element type"),
        ("input_arg { type: DT_INT8 }", "input `#1`", ""),
        ("input_arg { name: \"x\" type: DT_INT8 } input_arg { name: \"x\" type: DT_INT8 }", "input `x`", "two inputs"),
        ("attr { name: \"a\" type: \"int\" } attr { name: \"a\" type: \"int\" }", "attribute `a`", "two attributes"),
        ("attr { name: \"a\" type: \"integer\" }", "attribute `a`", "`integer` is not the type"),
        ("attr { name: \"a\" type: \"list(list(int))\" }", "attribute `a`", "is not the type"),
        ("attr { name: \"a\" type: \"int\" minimum: 1 }", "attribute `a`", "`has_minimum` is not set"),
        ("attr { name: \"a\" type: \"bool\" has_minimum: true }", "attribute `a`", "`minimum`: "),
        (
            "attr { name: \"a\" type: \"int\" has_minimum: true minimum: 1 default_value { i: 0 } }",
            "attribute `a`",
            "the default 0 is below 1",
        ),
        ("attr { name: \"a\" type: \"int\" default_value { b: true } }", "attribute `a`", "not of the type `int`"),
        ("attr { name: \"a\" type: \"list(int)\" default_value { list { f: 1 } } }", "attribute `a`", "`list(int)`"),
        (
            "attr { name: \"a\" type: \"list(int)\" default_value { list { i: 1 f: 1 } } }",
            "attribute `a`",
            "the values of a list are of one kind",
        ),
        ("attr { name: \"a\" type: \"int\" default_value { } }", "attribute `a`", "the value is missing"),
        (
            "attr { name: \"a\" type: \"int\" default_value { placeholder: \"b\" } }",
            "attribute `a`",
            "`b` of a function",
        ),
        (
            "attr { name: \"a\" type: \"string\" default_value { s: \"\\xff\" } }",
            "attribute `a`",
            "not UTF-8: its bytes are ff",
        ),
        (
            "attr { name: \"a\" type: \"string\" allowed_values { s: \"b\" } }",
            "attribute `a`",
            "`allowed_values` is not a list",
        ),
        ("attr { name: \"a\" type: \"string\" allowed_values { list { } } }", "attribute `a`", "no value is allowed"),
        (
            "attr { name: \"a\" type: \"string\" allowed_values { list { i: 1 } } }",
            "attribute `a`",
            "`allowed_values`: ",
        ),
        ("attr { name: \"a\" type: \"int\" allowed_values { list { i: 1 } } }", "attribute `a`", "cannot be said of"),
        (
            "attr { name: \"a\" type: \"string\" allowed_values { list { s: \"b\" } } default_value { s: \"c\" } }",
            "attribute `a`",
            "the default \"c\" is none of the allowed values",
        ),
        (
            "attr { name: \"a\" type: \"shape\" default_value { shape { unknown_rank: true dim { size: 1 } } } }",
            "attribute `a`",
            "a shape of unknown rank has no dimensions",
        ),
        (
            "attr { name: \"a\" type: \"shape\" default_value { shape { dim { size: -2 } } } }",
            "attribute `a`",
            "-2 is not the size",
        ),
        (
            "attr { name: \"a\" type: \"tensor\" default_value { tensor { dtype: DT_STRING } } }",
            "attribute `a`",
            "`DT_STRING` are not read",
        ),
        ("deprecation { version: -1 }", "", "has the version -1"),
    ] {
        let text = op(rest);
        let found = error(text.as_bytes()).to_string();
        let start = if item.is_empty() { "1:1: operator `A`: ".to_owned() } else { format!(", {item}: ") };
        assert!(found.contains(&start) && found.contains(reason), "{rest}\n{found}");
        // The binary form has the place of the same item.
        let Ok(document) = Document::read(text.as_bytes()) else { continue };
        let binary = error(&to_binary(&document.list)).to_string();
        assert!(binary.starts_with("byte ") && binary.contains(reason), "{rest}\n{binary}");
    }
    let nameless = error(b"op { name: \"\" }").to_string();
    assert!(nameless.starts_with("1:1: "), "{nameless}");
}

#[test]
fn what_has_no_place_is_told_and_the_rest_read() {
    let text = "op { name: \"A\" output_arg { name: \"x\" type: DT_INT8 experimental_full_type { type_id: TFT_TENSOR \
                args { type_id: TFT_INT8 } s: \"a\" \"b\" } handle_data: [{ dtype: DT_INT8 }, {}] } control_output: \"c\" \
                attr { name: \"s\" type: \"shape\" default_value { shape { dim { size: 2 name: \"n\" } } } } }";
    let document = Document::read(text.as_bytes()).unwrap();
    let told: Vec<_> = document.unread.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "1:53: operator `A`, output `x`: `experimental_full_type` is not read",
            "1:138: operator `A`, output `x`: `handle_data` is not read",
            "1:178: operator `A`: `control_output` is not read",
            "1:267: operator `A`, attribute `s`: `name` is not read",
        ]
    );
    assert_eq!(document.definitions().unwrap()[0].outputs[0].name, "x");
    // A field of a later version of the messages.
    let mut binary = to_binary(&document.list);
    let length = u8::try_from(binary.len() - 2 + 3).unwrap();
    binary[1] = length;
    binary.extend([0xf8, 0x06, 1]);
    let document = Document::read(&binary).unwrap();
    let told: Vec<_> = document.unread.iter().map(ToString::to_string).collect();
    let expected =
        format!("byte {}: operator `A`: field 111 of `OpDef`, which is not known, is not read", binary.len() - 3);
    assert!(told.contains(&expected), "{told:?}");
}

#[test]
fn nothing_else_is_taken_for_definitions() {
    for (bytes, reason) in [
        (&b""[..], "no list of TensorFlow's definitions"),
        (b"{}", "no list of TensorFlow's definitions"),
        (b"{\"slice\": {\"Inputs\": {}}}", "no list of TensorFlow's definitions"),
        (b"{\"schemas\": []}", "no list of TensorFlow's definitions"),
        (b"# Generated by `cargo oplock`.\nformat = 1\n", "no list of TensorFlow's definitions"),
        (b"[op]\n", "no list of TensorFlow's definitions"),
        (b"\x08\x01", "`op` is not of the kind"),
        (b"\x12\x01\x00", "`OpList` has no field 2"),
        // A graph: its first node has a text where a definition has an input.
        (b"\x0a\x09\x0a\x01a\x12\x04Relu", "damaged or cut off"),
        (b"\xff\xfe", "damaged or cut off"),
    ] {
        let error = Document::read(bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn depth_and_length_are_bounded() {
    let deep = 100_000;
    let open = "op { attr { name: \"a\" type: \"func\" default_value { ";
    let nested = |open: &str| format!("op {{ name: \"A\" attr {{ default_value {{ {}", open.repeat(deep));
    for text in [
        nested("func { attr { key: \"a\" value { "),
        nested("list < func { attr { value { "),
        format!("op {{ input_arg {{ experimental_full_type {}", "{ a ".repeat(deep)),
        format!("op {{ input_arg {{ handle_data {}", "[".repeat(deep)),
    ] {
        let error = error(text.as_bytes()).to_string();
        assert!(error.contains("nest more than 100 deep"), "{open}: {error}");
    }
    let json = |open: &str| format!("{{\"ops\":[{{\"name\":\"A\",\"attr\":[{{\"default_value\":{}", open.repeat(deep));
    for text in [json("{\"func\":{\"attr\":{\"a\":"), json("["), format!("{{\"ops\":[{}", "[".repeat(deep))] {
        error(text.as_bytes());
    }
    // Functions in functions, as deep as messages may be: the model's own bound is lower.
    let text = format!(
        "op {{ name: \"A\" attr {{ name: \"a\" type: \"func\" default_value {{ {} {} }} }} }}",
        "func { name: \"f\" attr { key: \"a\" value { ".repeat(8),
        "} } }".repeat(8)
    );
    let found = error(text.as_bytes()).to_string();
    assert!(found.contains("deep within each other"), "{found}");
    // Lengths that the file does not have.
    for length in [&[0xff; 9][..], &[0xff, 0xff, 0xff, 0xff, 0x0f], &[0x7f]] {
        let bytes = [&[0x0a], length, &[0x01, 0x0a, 0x01, b'A']].concat();
        let document = Document::read_binary(&bytes);
        assert!(document.unwrap_err().reason.contains("damaged or cut off"));
    }
    // Groups in groups.
    let bytes = [&[0x0a, 0xff, 0xff, 0xff, 0x07, 0x0a, 0x01, b'A'][..], &[0xfb, 0x06].repeat(deep)].concat();
    assert!(Document::read_binary(&bytes).is_err());
    let mut groups = vec![0x0a];
    prost::encoding::encode_varint(2 * deep as u64, &mut groups);
    groups.extend([0xfb, 0x06].repeat(deep));
    assert!(Document::read_binary(&groups).unwrap_err().reason.contains("nest more than 100 deep"));
}

#[test]
fn no_cut_and_no_flipped_bit_makes_a_reader_panic() {
    let mut document = Document::read_json(EXCERPT).unwrap();
    document.retain(|name| ["ImageSummary", "Conv2D"].contains(&name) || name.starts_with('_'));
    assert!(document.list.op.len() > 2);
    let forms = [document.to_json().into_bytes(), to_text(&document.list).into_bytes(), to_binary(&document.list)];
    let try_all = |bytes: &[u8]| {
        let readers = [
            Document::read_binary(bytes),
            Document::read_text(&String::from_utf8_lossy(bytes)),
            Document::read_json(&String::from_utf8_lossy(bytes)),
        ];
        readers.into_iter().flatten().map(|document| drop(document.definitions())).count()
    };
    let mut random = 1_u32;
    for form in forms {
        assert_eq!(try_all(&form), 1);
        for cut in (0..form.len()).step_by(7) {
            try_all(&form[..cut]);
        }
        for _ in 0..1_000 {
            let mut bytes = form.clone();
            for _ in 0..3 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = random as usize % bytes.len();
                bytes[at] ^= 1 << (random >> 29);
            }
            try_all(&bytes);
        }
    }
}
