//! The declarations are the real ones.
//!
//! `paddle_cpu_2.6.2.json` holds facts only (names, markers, types, defaults): the entries of these operators in
//! the op descriptions that Paddle's own check script dumps from the released CPU wheel of 2.6.2. Left out
//! are the six attributes that Paddle adds to every operator: `op_role`, `op_role_var`, `op_namescope`,
//! `op_callstack`, `op_device` and `with_quant_attr`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

type Object = Map<String, Value>;

const EXPECTED: &str = include_str!("paddle_cpu_2.6.2.json");

/// What `cargo oplock print --message-format paddle` says about this crate.
fn printed() -> Object {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies two folders deep");
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["run", "--quiet", "--package", "cargo-oplock", "--"])
        .args(["oplock", "print", "--message-format", "paddle", "--manifest-path"])
        .arg(&manifest)
        .output()
        .expect("cargo runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "`cargo oplock print` failed with {}:\n{stderr}", output.status);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("not JSON: {error}\n{stderr}"))
}

/// Writes floating-point defaults in one way, so that `1` and `1.0` are the same `f32`.
fn normalise(op: &Value) -> Value {
    let mut op = op.clone();
    for attr in op["Attrs"].as_object_mut().expect("an op has `Attrs`").values_mut() {
        // The codes of `f32`, `[f32]`, `[f64]` and `f64`.
        if matches!(attr["type"].as_u64(), Some(1 | 4 | 12 | 15)) {
            match &mut attr["default_value"] {
                Value::Array(elements) => elements.iter_mut().for_each(widen),
                default => widen(default),
            }
        }
    }
    op
}

fn widen(number: &mut Value) {
    if let Some(float) = number.as_f64() {
        *number = float.into();
    }
}

fn names(ops: &Object) -> BTreeSet<&str> {
    ops.keys().map(String::as_str).collect()
}

/// Each item of an op that differs, with what is expected and what is declared.
fn differences(name: &str, expected: &Value, declared: &Value) -> Vec<String> {
    let empty = Object::new();
    let mut found = Vec::new();
    for section in ["Inputs", "Outputs", "Attrs"] {
        let expected = expected[section].as_object().unwrap_or(&empty);
        let declared = declared[section].as_object().unwrap_or(&empty);
        for item in names(expected).union(&names(declared)) {
            let [expected, declared] = [expected, declared].map(|items| items.get(*item).unwrap_or(&Value::Null));
            if expected != declared {
                found.push(format!("{name} {section} {item}: expected {expected}, declared {declared}"));
            }
        }
    }
    found
}

#[test]
fn every_signature_is_the_real_one() {
    let expected: Object = serde_json::from_str(EXPECTED).expect("the copy is JSON");
    let declared = printed();

    let (expected_names, declared_names) = (names(&expected), names(&declared));
    assert!(expected_names.len() >= 60, "only {} operators", expected_names.len());
    assert_eq!(declared_names, expected_names);

    let mut found = Vec::new();
    for (name, expected) in &expected {
        let (expected, declared) = (normalise(expected), normalise(&declared[name]));
        if expected != declared {
            let items = differences(name, &expected, &declared);
            if items.is_empty() {
                found.push(format!("{name}: expected {expected}, declared {declared}"));
            }
            found.extend(items);
        }
    }
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_six_common_attributes_are_left_out() {
    let expected: Object = serde_json::from_str(EXPECTED).expect("the copy is JSON");
    for (name, op) in &expected {
        for attr in ["op_role", "op_role_var", "op_namescope", "op_callstack", "op_device", "with_quant_attr"] {
            assert!(op["Attrs"].get(attr).is_none(), "{name} has {attr}");
        }
    }
}
