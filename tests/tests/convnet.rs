//! The locks of the example `examples/convnet` are what the commands make of its sources, release by release.

use std::fs;
use std::path::{Path, PathBuf};

use oplock_tests::{Folder, workspace};

/// The releases in order, with the folder of each.
const RELEASES: [&str; 3] = ["v1_0", "v1_1", "v2_0"];

fn example(release: &str) -> PathBuf {
    workspace().join("examples/convnet").join(release)
}

/// Puts the sources of a release into the folder, in place of those that are there.
fn check_out(folder: &Folder, release: &str) {
    let from = example(release);
    let _ = fs::remove_dir_all(folder.path().join("src"));
    for entry in fs::read_dir(from.join("src")).expect("the example has sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        folder.write(&format!("src/{name}"), &read(&path));
    }
    let manifest = read(&from.join("Cargo.toml"));
    let absolute = |path: &str| workspace().join(path).display().to_string();
    let manifest = manifest
        .replace("\"../kernels\"", &format!("{:?}", absolute("examples/convnet/kernels")))
        .replace("\"../../../runtime\"", &format!("{:?}", absolute("runtime")));
    folder.write("Cargo.toml", &(manifest + "\n[workspace]\n"));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The day on which a release was sealed is another one today.
fn without_days(lock: &str) -> String {
    let line = |line: &str| match line.split_once("date = \"") {
        Some((before, rest)) => format!("{before}date = \"{}", rest.get(10..).unwrap_or_default()),
        None => line.to_owned(),
    };
    lock.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A release records its graphs; those of earlier ones are there already, and stay.
fn record_golden(folder: &Folder, release: &str) {
    let Some((version, name)) = [("v1_0", ("1.0.0", "network")), ("v1_1", ("1.1.0", "gaps"))]
        .into_iter()
        .find_map(|(of, golden)| (of == release).then_some(golden))
    else {
        return;
    };
    let golden = format!("golden/{version}");
    let graph = example(release).join(&golden).join(format!("{name}.json"));
    let seal = |graph: &Path| folder.oplock("seal").arg("--golden").arg(graph);
    seal(&graph).arg("--dry-run").run().succeeds();
    assert!(!folder.has(&golden));
    seal(&folder.path().join("ops.lock")).run().exits(101).says("this is a lock, and no graph");
    assert!(!folder.has(&golden));
    for _ in 0..2 {
        seal(&graph).run().succeeds().says("1 golden graph in");
        for file in ["json", "scores", "safetensors"].map(|extension| format!("{golden}/{name}.{extension}")) {
            let committed = fs::read(example(release).join(&file)).expect("the example has it");
            assert_eq!(fs::read(folder.path().join(&file)).ok(), Some(committed), "{file}");
        }
    }
    // Another graph of the same name is no such graph of the release.
    let other = folder.sub("other").path().join(format!("{name}.json"));
    let text = read(&graph).replace("\"image\"", "\"picture\"");
    fs::write(&other, text).expect("a file");
    seal(&other).run().exits(101).says("the release has another golden graph of this name");
}

#[test]
fn the_locks_are_what_the_commands_make() {
    let folder = Folder::new().sub("convnet-ops");
    for release in RELEASES {
        check_out(&folder, release);
        folder.copy_cargo_lock();
        folder.oplock(if release == RELEASES[0] { "init" } else { "update" }).run().succeeds();
        folder.oplock("seal").run().succeeds();
        folder.oplock_check().succeeds();
        let committed = read(&example(release).join("ops.lock"));
        assert_eq!(without_days(&folder.lock()), without_days(&committed), "{release}");
        record_golden(&folder, release);
    }
    // What an earlier release wrote is no sample of this one: as it is, it would be taken for today's data.
    let older = example("v1_0").join("golden/1.0.0/network.json");
    let refused = folder.oplock("seal").arg("--golden").arg(&older).run();
    refused.exits(101).says("the graph is data of convnet-ops of version 1").says("make it with this build");
    assert!(!folder.has("golden/2.0.0"));
    // The function of a release cannot be lost.
    let upgrades = folder.read("src/upgrades.rs");
    let (kept, _) = upgrades.split_once("/// Until then").expect("the function of `round` comes last");
    folder.write("src/upgrades.rs", kept);
    folder.check().fails().says("the upgrade of `round` nodes saved before data version 3 is gone [upgrade_removed]");
}
