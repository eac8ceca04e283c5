//! Definitions of other systems: whichever reader takes the bytes, what it read is written, and is read as the same.

use std::collections::BTreeMap;

use oplock_core::OpDef;
use oplock_interop::paddle::desc::OpDescs;
use oplock_interop::paddle::opver::OpVersions;
use oplock_interop::rules::tensorflow::judge_histories;
use oplock_interop::rules::{self, paddle_ci};
use oplock_interop::tensorflow::op_list::{Document, to_binary, to_text};
use oplock_interop::{onnx, paddle};

/// A file of definitions, tried as each kind.
pub fn definitions(bytes: &[u8]) {
    let _ = oplock_interop::Format::of(bytes);
    tensorflow(Document::read_binary(bytes));
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    tensorflow(Document::read_text(text));
    tensorflow(Document::read_json(text));
    match onnx::parse_schemas(text) {
        Err(error) => drop(error.to_string()),
        Ok(schemas) => {
            let written = onnx::to_text(&schemas);
            let read = onnx::parse_schemas(&written)
                .unwrap_or_else(|error| panic!("what was written is read: {error}\n{written}"));
            assert!(read == schemas, "{written}");
            let ops = onnx::ops_of(&schemas);
            let back =
                onnx::schemas_of(&ops).unwrap_or_else(|error| panic!("operators of schemas are schemas: {error}"));
            assert_eq!(onnx::ops_of(&back), ops);
            let itself = rules::onnx::judge(&schemas, &schemas);
            assert!(itself.is_clean(), "what is the same passes: {itself:?}");
            let _ = rules::onnx::judge(&schemas, &BTreeMap::new()).findings.iter().map(ToString::to_string).count();
        }
    }
    match paddle::parse(text) {
        Err(error) => drop(error.to_string()),
        Ok(spec) => {
            let written =
                paddle::to_text(&spec.ops).unwrap_or_else(|error| panic!("what was read is written: {error}"));
            let read =
                paddle::parse(&written).unwrap_or_else(|error| panic!("what was written is read: {error}\n{written}"));
            assert_eq!(read.ops, spec.ops, "{written}");
            let descs =
                |text| OpDescs::parse(text).unwrap_or_else(|error| panic!("what is read has this shape: {error}"));
            let (stated, written) = (descs(text), descs(&written));
            let announced = OpVersions::default();
            let itself = paddle_ci::judge(&stated, &stated, &announced);
            assert!(itself.is_clean(), "what is the same passes: {itself:?}");
            let _ = paddle_ci::judge(&stated, &written, &announced);
        }
    }
    match OpVersions::parse(text) {
        Err(error) => drop(error.to_string()),
        Ok(announced) => assert!(announced.ops.values().all(|op| op.checkpoints.len() == op.version as usize)),
    }
}

fn tensorflow(document: Result<Document, impl std::fmt::Display>) {
    let document = match document {
        Err(error) => return drop(error.to_string()),
        Ok(document) => document,
    };
    let told: Vec<_> = document.unread.iter().map(ToString::to_string).collect();
    // Both forms of protobuf hold the messages as they are, whether they mean something or not.
    let binary = to_binary(&document.list);
    for read in [Document::read_binary(&binary), Document::read_text(&to_text(&document.list))] {
        let read = read.unwrap_or_else(|error| panic!("what was written is read: {error}"));
        assert_eq!(to_binary(&read.list), binary);
        assert!(read.unread.is_empty() || !told.is_empty(), "what is written is all read");
    }
    let Ok(definitions) = document.definitions().map_err(|error| error.to_string()) else { return };
    for form in [Document::of(&definitions), Ok(document.clone())] {
        let form = form.unwrap_or_else(|error| panic!("what was read is written: {error}"));
        assert_eq!(form.definitions().as_ref(), Ok(&definitions));
        let json = form.to_json();
        let read =
            Document::read_json(&json).unwrap_or_else(|error| panic!("what was written is read: {error}\n{json}"));
        assert_eq!(read.definitions().as_ref(), Ok(&definitions), "{json}");
        assert_eq!(read.to_json(), json);
    }
    let Ok(histories) = document.histories() else { return };
    let itself = judge_histories(&histories, &histories);
    assert!(itself.is_clean(), "what is the same passes: {itself:?}");
    let _ = judge_histories(&Default::default(), &histories).findings.iter().map(ToString::to_string).count();
    lock(definitions);
}

/// A lock holds the last definition of each name, or says of one that it cannot.
fn lock(definitions: Vec<OpDef>) {
    use oplock_core::Lock;
    use oplock_core::lock::{OpEntry, Since};

    let mut lock = Lock::new("definitions");
    for op in definitions {
        lock.ops.insert(op.name.to_string(), OpEntry::new(op, &Since::Unreleased));
    }
    let written = lock.to_string();
    match Lock::parse(&written, None) {
        Err(error) => drop(error.to_string()),
        Ok(read) => assert_eq!(read.to_string(), written),
    }
}
