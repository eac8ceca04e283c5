//! The golden graphs of each release are loaded and computed by it and by those that follow.

use std::fs;
use std::path::{Path, PathBuf};

use convnet::{Model, Runtime, model};
use oplock::graph::golden::{self, GoldenError};

fn release(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// How many golden graphs the folder of a release has, all of which compute what was recorded.
fn computed(runtime: &Runtime, package: &Path) -> Result<usize, GoldenError> {
    golden::check(runtime.program(), package, |sample| {
        let weights = runtime.weights(&sample.beside("safetensors"))?;
        let scores = model::scores(runtime, &Model { graph: sample.loaded.graph.clone(), weights })?;
        let expected = fs::read_to_string(sample.beside("scores"))?;
        if scores == expected { Ok(()) } else { Err(format!("expected\n{expected}and found\n{scores}").into()) }
    })
}

#[test]
fn every_release_computes_the_golden_graphs_of_those_before_it() {
    let releases = [("v1_0", Runtime::v1_0(), 1), ("v1_1", Runtime::v1_1(), 2), ("v2_0", Runtime::v2_0(), 2)];
    for (name, runtime, count) in releases {
        let found = computed(&runtime.unwrap(), &release(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found, count, "{name}");
    }
}

#[test]
fn what_is_not_as_it_was_is_told() {
    // What 1.1 recorded uses what 1.0 does not have.
    let refused = computed(&Runtime::v1_0().unwrap(), &release("v1_1")).unwrap_err();
    assert!(
        matches!(&refused, GoldenError::Refused { path, .. } if path.ends_with("golden/1.1.0/gaps.json")),
        "{refused}"
    );

    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::v2_0().unwrap();
    assert_eq!(computed(&runtime, folder.path()).unwrap(), 0);
    let golden = folder.path().join("golden/1.0.0");
    fs::create_dir_all(&golden).unwrap();
    for file in ["network.json", "network.safetensors", "network.scores"] {
        fs::copy(release("v1_0").join("golden/1.0.0").join(file), golden.join(file)).unwrap();
    }
    assert_eq!(computed(&runtime, folder.path()).unwrap(), 1);
    fs::write(golden.join("network.scores"), "image 1: 0\n").unwrap();
    let other = computed(&runtime, folder.path()).unwrap_err();
    assert!(matches!(&other, GoldenError::Evaluation { .. }), "{other}");
    fs::write(golden.join("network.json"), "{").unwrap();
    assert!(matches!(computed(&runtime, folder.path()).unwrap_err(), GoldenError::Unreadable { .. }));
    fs::create_dir(folder.path().join("golden/first")).unwrap();
    assert!(matches!(computed(&runtime, folder.path()).unwrap_err(), GoldenError::Folder { .. }));
}
