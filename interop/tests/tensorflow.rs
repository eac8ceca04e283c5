//! TensorFlow's definitions as they are: excerpts of three files, and the whole of them where `OPLOCK_DATA` says in which
//! folder they are.

use std::path::PathBuf;

use oplock_core::lock::{OpEntry, Since};
use oplock_core::{ArgDef, Lock};
use oplock_interop::Format;
use oplock_interop::tensorflow::op_list::{Document, to_binary, to_json, to_text};

/// A file, and its text.
fn files() -> Vec<(String, String)> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    let mut files = vec![
        own.join("tensorflow_2.7.0_excerpt.json"),
        own.join("tensorflow_2.10.1_excerpt.json"),
        own.join("tensorflow_history_excerpt.json"),
    ];
    if let Some(data) = std::env::var_os("OPLOCK_DATA") {
        let whole = ["tf_2.4.4.json", "tf_2.7.0.json", "tf_2.10.1.json", "tf_ops_history_v1.json"];
        files.extend(whole.map(|name| PathBuf::from(&data).join("tensorflow").join(name)));
    }
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read_to_string(&path).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn json_is_written_as_it_was_read() {
    for (name, text) in files() {
        assert_eq!(Format::of(text.as_bytes()), Format::TensorFlowJson, "{name}");
        let document = Document::read(text.as_bytes()).unwrap();
        assert_eq!(document.unread, [], "{name}");
        let written = to_json(&document.list, document.source.as_deref(), &document.unstated);
        assert!(written == text, "{name}");
    }
}

#[test]
fn the_forms_of_protobuf_hold_the_same() {
    for (name, json) in files() {
        let list = Document::read_json(&json).unwrap().list;
        let text = to_text(&list);
        assert_eq!(Format::of(text.as_bytes()), Format::TensorFlowText, "{name}");
        let document = Document::read(text.as_bytes()).unwrap();
        assert!(document.list == list, "{name}");
        assert_eq!(document.unread, [], "{name}");
        let binary = to_binary(&list);
        assert_eq!(Format::of(&binary), Format::TensorFlowBinary, "{name}");
        let document = Document::read(&binary).unwrap();
        assert!(document.list == list, "{name}");
        assert_eq!(document.unread, [], "{name}");
    }
}

/// The definitions say all that the messages say, but for values that real files allow twice, which mean nothing.
#[test]
fn definitions_become_the_same_messages() {
    for (name, json) in files() {
        let document = Document::read_json(&json).unwrap();
        let definitions = document.definitions().unwrap();
        let mut back = Document::of(&definitions).unwrap();
        assert_eq!(back.unstated, document.unstated, "{name}");
        back.source.clone_from(&document.source);
        let (written, read) = (back.to_json(), document.to_json());
        let differing: Vec<_> = written.lines().zip(read.lines()).filter(|(a, b)| a != b).collect();
        for (a, b) in &differing {
            assert!(b.starts_with("{\"name\":\"Mod\"") || b.starts_with("{\"name\":\"ResizeBilinear\""), "{a}\n{b}");
        }
        assert_eq!(written.lines().count(), read.lines().count(), "{name}");
        // And these become the same definitions again.
        assert_eq!(back.definitions().unwrap(), definitions, "{name}");
    }
}

/// A lock holds every definition, and reads back as the same.
#[test]
fn a_lock_holds_what_was_read() {
    for (name, json) in files() {
        let mut lock = Lock::new("tensorflow");
        for op in Document::read_json(&json).unwrap().definitions().unwrap() {
            lock.ops.insert(op.name.to_string(), OpEntry::new(op, &Since::Unreleased));
        }
        let read = Lock::parse(&lock.to_string(), None).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (op, entry) in &lock.ops {
            assert_eq!(read.ops[op].def, entry.def.clone().sorted(), "{name}");
        }
    }
}

/// An operand is as many variables as its attribute says, and may be none where the attribute may say so.
#[test]
fn operands_of_several_variables() {
    let text = "op { name: \"A\" \
        attr { name: \"N\" type: \"int\" has_minimum: true minimum: 1 } attr { name: \"M\" type: \"int\" has_minimum: true } \
        attr { name: \"K\" type: \"int\" } attr { name: \"Ts\" type: \"list(type)\" } \
        attr { name: \"Us\" type: \"list(type)\" has_minimum: true minimum: 2 } \
        input_arg { name: \"one\" type: DT_INT8 } input_arg { name: \"n\" type: DT_INT8 number_attr: \"N\" } \
        input_arg { name: \"m\" type: DT_INT8 number_attr: \"M\" } input_arg { name: \"k\" type: DT_INT8 number_attr: \"K\" } \
        input_arg { name: \"ts\" type_list_attr: \"Ts\" } input_arg { name: \"us\" type_list_attr: \"Us\" } }";
    let ops = Document::read(text.as_bytes()).unwrap().definitions().unwrap();
    let of = |arg: &ArgDef| {
        (arg.name.to_string(), arg.duplicable, arg.dispensable, arg.count.as_ref().map(ToString::to_string))
    };
    let found: Vec<_> = ops[0].inputs.iter().map(of).collect();
    let count = |name: &str| Some(name.to_owned());
    let expected = [
        ("one", false, false, None),
        ("n", true, false, count("N")),
        ("m", true, true, count("M")),
        ("k", true, true, count("K")),
        ("ts", true, true, None),
        ("us", true, false, None),
    ];
    assert_eq!(
        found,
        expected.map(|(name, duplicable, dispensable, count)| (name.to_owned(), duplicable, dispensable, count))
    );
    ops[0].inputs.iter().for_each(|arg| arg.check_number().unwrap());
}
