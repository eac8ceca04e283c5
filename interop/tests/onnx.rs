//! ONNX's schemas: that nothing of them is lost, and what ONNX's rule says of real releases.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::{Kind, Options, compare_sets};
use oplock_interop::onnx::{self, parse_schemas};
use oplock_interop::rules::{self, PeerFinding};
use serde_json::{Map, Value, json};

fn excerpts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/onnx")
}

fn read(folder: &Path, version: &str) -> String {
    let path = folder.join(format!("onnx_{version}.json"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The schemas of a file as JSON, by key, with what is part of the signature.
fn signatures(text: &str) -> BTreeMap<String, Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    let schemas = file["schemas"].as_array().unwrap().iter();
    schemas.map(|schema| (key(schema), signature(schema))).collect()
}

fn key(schema: &Value) -> String {
    format!("{} {} {}", schema["domain"], schema["name"], schema["since_version"])
}

fn signature(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let has_min_arity = schema.pointer("/inputs/0/min_arity").or(schema.pointer("/outputs/0/min_arity")).is_some();
    let object = schema.as_object_mut().unwrap();
    object.retain(|key, _| !key.starts_with("has_"));
    for (list, least) in [("inputs", "min_input"), ("outputs", "min_output")] {
        let least = object[least].as_u64().unwrap();
        for (at, operand) in object[list].as_array_mut().unwrap().iter_mut().enumerate() {
            let operand = operand.as_object_mut().unwrap();
            operand.remove("differentiation");
            if !has_min_arity {
                let is_variadic = operand["option"] == "Variadic";
                operand.insert("min_arity".to_owned(), json!(if is_variadic { least - at as u64 } else { 1 }));
            }
        }
    }
    // A constraint's place tells nothing.
    let constraints = object["type_constraints"].as_array_mut().unwrap();
    constraints.sort_by_key(|constraint| constraint["name"].to_string());
    let sorted: Map<String, Value> = BTreeMap::from_iter(object.clone()).into_iter().collect();
    Value::Object(sorted)
}

/// Reads a file, makes operators of the schemas, schemas of the operators, and writes them: nothing is lost on the way.
fn assert_kept(folder: &Path, version: &str) -> usize {
    let text = read(folder, version);
    let schemas = parse_schemas(&text).unwrap();
    assert_eq!(signatures(&onnx::to_text(&schemas)), signatures(&text), "{version}");
    let mut expected = schemas.clone();
    // A type that a constraint names twice stands in it once.
    expected.values_mut().flat_map(|schema| &mut schema.type_constraints).for_each(|it| it.allowed.dedup());
    let ops = onnx::parse(&text).unwrap();
    assert_eq!(onnx::schemas_of(&ops).unwrap(), expected, "{version}");
    ops.len()
}

fn judge(folder: &Path, old: &str, new: &str) -> Vec<PeerFinding> {
    let schemas = |version: &str| parse_schemas(&read(folder, version)).unwrap();
    rules::onnx::judge(&schemas(old), &schemas(new)).findings
}

#[test]
fn nothing_is_lost_of_some_schemas() {
    assert_eq!(assert_kept(&excerpts(), "1.12.0"), 16);
    assert_eq!(assert_kept(&excerpts(), "1.17.0"), 18);
}

#[test]
fn schemas_that_were_changed_in_place() {
    let finding = |op: &str, text: &str| PeerFinding::of_op("changed_in_place", op, text);
    let global_lp_pool =
        finding("GlobalLpPool.v2", "the type constraint `T` allows `tensor(bfloat16)`, which it did not");
    let conv = finding("Conv.v11", "the type constraint `T` names `tensor(float16)` twice, and named it once");
    let grid = [
        finding("GridSample.v16", "the type of input `grid` changed from `T1` to `T2`").at(Kind::Input, "grid"),
        finding("GridSample.v16", "the type of output `Y` changed from `T2` to `T1`").at(Kind::Output, "Y"),
    ];
    let [first, second] = grid;
    assert_eq!(judge(&excerpts(), "1.12.0", "1.17.0"), [conv, global_lp_pool, first, second]);
    assert_eq!(judge(&excerpts(), "1.17.0", "1.17.0"), []);
}

#[test]
fn a_schema_that_is_gone_or_late() {
    let deleted = |op: &str| PeerFinding::of_op("deleted", op, "the schema is gone");
    let newer = judge(&excerpts(), "1.17.0", "1.13.1");
    assert!(newer.contains(&deleted("Acos.v22")) && newer.contains(&deleted("ai.onnx.ml.Scaler.v1")), "{newer:?}");
    let older = judge(&excerpts(), "1.13.1", "1.17.0");
    let text = "the schema is new, and version 7 of its domain was published without it";
    assert!(older.contains(&PeerFinding::of_op("added_to_published_version", "Acos.v7", text)), "{older:?}");
    // A version that no schema had, and a domain that was not there, are how ONNX grows.
    assert!(!older.iter().any(|finding| finding.op == "Acos.v22" || finding.op.starts_with("ai.onnx.ml")), "{older:?}");
}

fn data() -> Option<PathBuf> {
    Some(Path::new(&std::env::var_os("OPLOCK_DATA")?).join("onnx"))
}

const VERSIONS: [(&str, usize); 4] = [("1.12.0", 444), ("1.13.1", 469), ("1.16.2", 523), ("1.17.0", 571)];

/// With `OPLOCK_DATA` set to the folder that holds the whole of the real data.
#[test]
fn nothing_is_lost_of_any_schema() {
    let Some(folder) = data() else { return };
    for (version, number) in VERSIONS {
        assert_eq!(assert_kept(&folder, version), number, "{version}");
    }
}

/// With `OPLOCK_DATA` set: what is found is exactly what the texts show.
#[test]
fn all_schemas_that_were_changed_in_place() {
    let Some(folder) = data() else { return };
    let mut all = BTreeSet::new();
    for (old, _) in VERSIONS {
        for (new, _) in VERSIONS.into_iter().skip_while(|(new, _)| *new != old).skip(1) {
            let (was, is) = (signatures(&read(&folder, old)), signatures(&read(&folder, new)));
            let changed = was.iter().filter(|(key, schema)| is.get(*key).is_some_and(|other| other != *schema));
            let expected: BTreeSet<_> = changed.map(|(key, _)| key.clone()).collect();
            let findings = judge(&folder, old, new);
            let found: BTreeSet<_> = findings.iter().map(|finding| key_of(&finding.op)).collect();
            assert_eq!(found, expected, "{old} {new}");
            assert!(findings.iter().all(|finding| finding.rule == "changed_in_place"), "{findings:#?}");
            all.extend(findings.into_iter().map(|finding| finding.op));
        }
    }
    assert_eq!(all.into_iter().collect::<Vec<_>>(), ["Conv.v11", "GlobalLpPool.v2", "GridSample.v16"]);
}

fn key_of(op: &str) -> String {
    let key = onnx::SchemaKey::of_op_name(op).unwrap();
    format!("{} {} {}", json!(key.domain), json!(key.name), key.since_version)
}

#[test]
fn our_own_rules_judge_schemas_too() {
    let ops = |version: &str| onnx::parse(&read(&excerpts(), version)).unwrap();
    let findings = compare_sets(&ops("1.12.0"), &ops("1.17.0"), Options::default());
    let breaks: BTreeSet<_> = findings.iter().filter(|finding| finding.is_break()).map(|it| it.op.as_str()).collect();
    assert_eq!(breaks.into_iter().collect::<Vec<_>>(), ["GridSample.v16"], "{findings:#?}");
}
