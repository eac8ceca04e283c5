//! Checkpoints: read back, the same bytes every time, judged by their own data version.
#![cfg(feature = "checkpoint")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use oplock_core::lock::{Bound, OpEntry, Release, Saved, Since, Stamp as LockStamp};
use oplock_core::{DataVersions, Lock, Map, OpDef, SavedKind, Set};
use oplock_graph::checkpoint::{Checkpoint, CheckpointError, CheckpointOptions, Dtype, Tensor};
use oplock_graph::{Block, Graph, LoadOptions, Loaded, Package, Program};
use oplock_registry::Node;
use semver::Version;

/// A package whose releases wrote checkpoints at those data versions.
fn package(releases: &[(u64, u32)], min_producer: u32, min_consumer: u32) -> Package {
    let mut lock = Lock::new("nn-ops");
    for (major, version) in releases {
        let mut release = Release::new(format!("2026-0{major}-01"));
        release.versions.insert(SavedKind::Checkpoint, *version);
        lock.releases.insert(Version::new(*major, 0, 0), release);
    }
    let (last, producer) = *releases.last().unwrap();
    let since = |version: u32| {
        let first = releases.iter().find(|(_, of)| *of >= version).map(|(major, _)| Version::new(*major, 0, 0));
        LockStamp { since: first.map(Since::Release), line: 0 }
    };
    let history = Map::from([(producer, String::new())]);
    let versions = DataVersions { min_producer, min_consumer, bad_consumers: Set::new(), history };
    let saved = Saved {
        versions,
        since: Map::from([(producer, since(producer))]),
        bad_since: Map::new(),
        min_producer: Bound::default(),
        min_consumer: Bound::default(),
        line: 0,
    };
    lock.saved.insert(SavedKind::Checkpoint, saved);
    let def = OpDef::new("dense");
    lock.ops.insert("dense".to_owned(), OpEntry::new(def.clone(), &Since::Release(Version::new(1, 0, 0))));
    let mut package = Package::new(lock, Version::new(last, 0, 0));
    package.ops.insert("dense".to_owned(), def);
    package
}

fn graph() -> Graph {
    Graph { blocks: vec![Block { nodes: vec![Node::new("dense")], ..Block::default() }], ..Graph::default() }
}

fn program(package: Package) -> Program {
    Program::of([package]).unwrap()
}

fn tensor(dtype: Dtype, shape: &[usize], data: &[u8]) -> Tensor<'static> {
    Tensor { dtype, shape: shape.to_vec(), data: Cow::Owned(data.to_vec()) }
}

fn sample(program: &Program) -> Checkpoint<'static> {
    let mut checkpoint = Checkpoint::default();
    checkpoint.tensors.insert("w".into(), tensor(Dtype::F32, &[2, 1], &[0, 0, 128, 63, 0, 0, 192, 127]));
    checkpoint.tensors.insert("empty".into(), tensor(Dtype::I64, &[0, 3], &[]));
    checkpoint.tensors.insert("step".into(), tensor(Dtype::U8, &[], &[7]));
    for key in ["format", "author", "zoo", "note", "\"quoted\""] {
        checkpoint.metadata.insert(key.to_owned(), format!("{key}: \u{e9}\n"));
    }
    program.stamp_checkpoint(&mut checkpoint, &graph()).unwrap();
    checkpoint
}

#[test]
fn checkpoints_read_back_and_are_the_same_bytes_every_time() {
    let checkpoint = sample(&program(package(&[(1, 1), (2, 3)], 1, 2)));
    let bytes = checkpoint.to_bytes().unwrap();
    assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), checkpoint);
    // A hash map has another order in each instance.
    for _ in 0..20 {
        assert_eq!(checkpoint.to_bytes().unwrap(), bytes);
    }
    let header = String::from_utf8_lossy(&bytes[8..400]).into_owned();
    assert!(header.starts_with(r#"{"__metadata__":{"\"quoted\"":"#), "{header}");
    // Any other reader takes it.
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.tensor("w").unwrap().shape(), [2, 1]);
}

#[test]
fn the_stamp_is_of_the_data_versions_of_checkpoints() {
    let checkpoint = sample(&program(package(&[(1, 1), (2, 3)], 1, 2)));
    let stamp = &checkpoint.stamps.as_ref().unwrap()["nn-ops"];
    assert_eq!((stamp.producer, stamp.min_consumer), (3, 2));
    assert_eq!(stamp.releases.iter().map(|release| release.data_version).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(stamp.oldest_reader.as_ref().unwrap().version, Version::new(2, 0, 0));
    assert_eq!(stamp.unpromised, None);
}

#[test]
fn each_condition_of_the_version_check_is_judged() {
    let writer = program(package(&[(1, 1), (2, 3)], 1, 2));
    let checkpoint = sample(&writer);
    let options = CheckpointOptions::default();
    assert!(writer.check_checkpoint(&checkpoint, options).is_ok());
    let older = program(package(&[(1, 1)], 1, 1));
    let error = older.check_checkpoint(&checkpoint, options).unwrap_err().to_string();
    let expected = "written by nn-ops 2.0.0 at data version 3; this is 1.0.0 at data version 1\n  help: upgrade nn-ops\n\
                    written by nn-ops 2.0.0, needs data version 2; this is 1.0.0, at data version 1\n  \
                    help: upgrade nn-ops to a release of data version 2 or later";
    assert_eq!(error, expected);
    let newer = program(package(&[(1, 1), (2, 3), (3, 9)], 4, 4));
    let error = newer.check_checkpoint(&checkpoint, options).unwrap_err().to_string();
    assert!(error.contains("taken as of data version 3; this is 3.0.0, which reads data from version 4 on"), "{error}");
    let mut elsewhere = package(&[(1, 1)], 1, 1);
    elsewhere.name = "other-ops".into();
    let error = program(elsewhere.clone()).check_checkpoint(&checkpoint, options).unwrap_err();
    assert_eq!(error, CheckpointError::NotLinked { package: "nn-ops".into() });
    assert!(error.to_string().contains("no operator here moved from it"), "{error}");
    // An operator that moved brings its checkpoints along, as it does its graphs: judged by what was taken over.
    let moved = |taken: &Package| {
        let mut heir = package(&[(7, 1)], 1, 1).lock;
        heir.package = "other-ops".into();
        let mut of = taken.lock.clone();
        let def = |moved_from: Option<&'static str>| OpDef {
            moved_from: moved_from.map(Into::into),
            ..taken.ops["dense"].clone()
        };
        let since = |major| Since::Release(Version::new(major, 0, 0));
        of.ops.insert("dense".to_owned(), OpEntry::new(def(None), &since(1)));
        heir.ops.insert("dense".to_owned(), OpEntry::new(def(Some("nn-ops")), &since(7)));
        heir.moved.insert("nn-ops".to_owned(), of);
        program(Package::of_lock(heir, Version::new(7, 0, 0)))
    };
    let continued = moved(&package(&[(1, 1), (2, 3), (3, 3)], 1, 2));
    assert!(continued.check_checkpoint(&checkpoint, options).is_ok());
    let mut carried = checkpoint.clone();
    assert!(continued.upgrade_checkpoint(&mut carried, &loaded(&continued), options).is_ok());
    let error = moved(&package(&[(5, 1)], 1, 1)).check_checkpoint(&checkpoint, options).unwrap_err().to_string();
    assert!(error.contains("their lists of releases have no common beginning"), "{error}");
    let older = moved(&package(&[(1, 1)], 1, 1)).check_checkpoint(&checkpoint, options);
    assert!(older.is_err(), "it is older");
}

fn loaded(program: &Program) -> Loaded {
    program.load(program.save(&graph()).unwrap().graph, LoadOptions::default()).unwrap()
}

/// Of what an unsealed build writes nothing is promised: it is taken where the operators are the same.
#[test]
fn unpromised_checkpoints_are_taken_where_the_operators_are_the_same() {
    let mut unsealed = package(&[(1, 1)], 1, 1);
    unsealed.version = "1.1.0-alpha.1".parse().unwrap();
    let same = program(unsealed.clone());
    let checkpoint = sample(&same);
    assert!(checkpoint.stamps.as_ref().unwrap()["nn-ops"].unpromised.is_some());
    assert!(same.check_checkpoint(&checkpoint, CheckpointOptions::default()).is_ok());
    let mut changed = unsealed;
    let def = OpDef { inputs: vec![oplock_core::ArgDef::new("X")].into(), ..OpDef::new("dense") };
    changed.ops.insert("dense".into(), def);
    let changed = program(changed);
    let error = changed.check_checkpoint(&checkpoint, CheckpointOptions::default()).unwrap_err().to_string();
    assert!(error.contains("1.1.0-alpha.1 is a pre-release"), "{error}");
    assert!(error.contains("the definition of `dense` is another"), "{error}");
    let allowed = CheckpointOptions { load: LoadOptions { allow_unpromised: true }, ..CheckpointOptions::default() };
    assert!(changed.check_checkpoint(&checkpoint, allowed).is_ok());
}

#[test]
fn a_file_without_a_record_is_refused_unless_the_caller_answers_for_it() {
    let program = program(package(&[(1, 1)], 1, 1));
    let foreign = Checkpoint { stamps: None, ..sample(&program) };
    let bytes = foreign.to_bytes().unwrap();
    let read = Checkpoint::from_bytes(&bytes).unwrap();
    assert_eq!(read, foreign);
    let error = program.check_checkpoint(&read, CheckpointOptions::default()).unwrap_err();
    assert_eq!(error, CheckpointError::NoRecord);
    assert!(error.to_string().contains("allow_unrecorded"), "{error}");
    let options = CheckpointOptions { allow_unrecorded: true, ..CheckpointOptions::default() };
    assert!(program.check_checkpoint(&read, options).is_ok());
}

#[test]
fn what_is_wrong_is_named() {
    let program = program(package(&[(1, 1)], 1, 1));
    let sample = sample(&program);
    let write = |change: &dyn Fn(&mut Checkpoint<'static>)| {
        let mut checkpoint = sample.clone();
        change(&mut checkpoint);
        checkpoint.to_bytes().unwrap_err().to_string()
    };
    let error = write(&|c| drop(c.tensors.insert("b".into(), tensor(Dtype::F32, &[2], &[0; 7]))));
    assert_eq!(error, "the tensor `b` has 7 bytes, and its type F32 and shape [2] take 8");
    let error = write(&|c| drop(c.tensors.insert("b".into(), tensor(Dtype::F64, &[usize::MAX, 2], &[]))));
    assert!(error.ends_with("take no whole number of bytes that there can be"), "{error}");
    let error = write(&|c| drop(c.tensors.insert("__metadata__".into(), tensor(Dtype::U8, &[], &[0]))));
    assert_eq!(error, "a tensor cannot have the name `__metadata__`, which safetensors keeps for itself");
    let error = write(&|c| drop(c.metadata.insert("oplock".into(), String::new())));
    assert_eq!(error, "an entry of the metadata cannot have the name `oplock`, which oplock keeps for itself");

    let read = |record: &str| {
        let metadata = BTreeMap::from([("oplock_".to_owned(), record.to_owned())]);
        let mut bytes = Checkpoint { metadata, ..Checkpoint::default() }.to_bytes().unwrap();
        let at = bytes.windows(9).position(|window| window == b"\"oplock_\"").unwrap();
        bytes[at..at + 9].copy_from_slice(b" \"oplock\"");
        Checkpoint::from_bytes(&bytes).unwrap_err().to_string()
    };
    for (record, expected) in [
        ("{}", "the record `oplock` in the metadata: missing field `format`"),
        ("{\"format\": 0}", "there is no format 0"),
        ("{\"format\": 1, \"package\": {}}", "unknown field `package`"),
        ("{\"format\": 2, \"package\": {}}", "is in format 2, and this build of oplock reads formats up to 1"),
        ("{\"format\": 1, \"packages\": {\"a\": {\"producer\": 1}}}", "missing field `min_consumer`"),
        ("{\"format\": 1, \"packages\": {\"a\": null}}", "packages.a: there is no stamp"),
    ] {
        let error = read(record);
        assert!(error.contains(expected), "{error}");
    }
    let mut unknown = graph();
    unknown.blocks[0].nodes[0].op = "dens".into();
    let error = program.stamp_checkpoint(&mut sample.clone(), &unknown).unwrap_err().to_string();
    assert!(error.starts_with("the graph uses the operator `dens`, which this program does not have"), "{error}");
    assert!(error.contains("`dense`"), "{error}");
    assert!(error.ends_with("is loaded first (`Program::load`), which upgrades it"), "{error}");
}

#[test]
fn bytes_that_are_cut_off_are_refused() {
    let bytes = sample(&program(package(&[(1, 1)], 1, 1))).to_bytes().unwrap();
    for length in 0..bytes.len() {
        let error = Checkpoint::from_bytes(&bytes[..length]).unwrap_err();
        assert!(matches!(error, CheckpointError::NotSafetensors(_)), "{length}: {error}");
    }
    let huge = [u64::MAX.to_le_bytes().as_slice(), b"{}"].concat();
    assert!(matches!(Checkpoint::from_bytes(&huge), Err(CheckpointError::NotSafetensors(_))));
}
