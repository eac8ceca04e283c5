//! `cargo oplock import`: what it makes compiles, agrees with its lock, and says what was imported.

use std::path::{Path, PathBuf};

use oplock_tests::{Folder, workspace};

/// The definitions of a framework, imported as a crate of that name.
#[track_caller]
fn imported(from: &str, definitions: &Path, name: &str, more: &[&str]) -> Folder {
    let folder = Folder::new();
    let definitions = definitions.to_string_lossy();
    let oplock = workspace().join("runtime");
    folder
        .oplock("import")
        .args(["--from", from, &definitions, "--crate", name, "--oplock", &oplock.to_string_lossy()])
        .args(more)
        .run()
        .succeeds();
    let made = folder.sub(name);
    made.copy_cargo_lock();
    made
}

/// It compiles without a warning, its lock is as `update` would write it, and its source prints as the definitions do.
#[track_caller]
fn is_faithful(made: &Folder, definitions: &Path, format: &str, left_out: &[&str]) {
    made.check().succeeds().warns_of_nothing();
    let lock = made.lock_state();
    made.oplock_check().succeeds().prints_nothing();
    made.oplock_update().succeeds();
    assert_eq!(made.lock_state(), lock);
    let print = |what: &str| {
        let output =
            made.oplock("print").args([what, "--message-format", format, "--package-name", "x"]).run().succeeds();
        // The lock's lines each name their operator, and a `.spec` has one a line.
        let is_there = |line: &&str| !left_out.iter().any(|op| line.contains(op));
        output.stdout.lines().filter(is_there).map(|line| line.trim_end_matches(',').to_owned()).collect::<Vec<_>>()
    };
    let (declared, given) = (print("--source"), print(&definitions.to_string_lossy()));
    let differs = declared.iter().zip(&given).find(|(a, b)| a != b);
    assert!(declared == given, "{} and {} lines: {differs:#?}", declared.len(), given.len());
}

fn data(name: &str) -> PathBuf {
    workspace().join("interop/tests/data/import").join(name)
}

#[test]
fn paddle_operators() {
    let definitions = data("paddle.spec");
    let made = imported("paddle", &definitions, "imported-paddle", &["--released", "2.6.2"]);
    is_faithful(&made, &definitions, "lock", &[]);
    // From here on it is a crate like any other.
    made.edit("src/operators/logical_and.rs", "#[input]\n    pub y: Var", "#[input(name = \"Z\")]\n    pub y: Var");
    made.check().fails().says("input `Y` of `logical_and`");
}

#[test]
fn odd_names_and_defaults() {
    let definitions = data("odd.spec");
    let made = imported("paddle", &definitions, "imported-odd", &[]);
    is_faithful(&made, &definitions, "lock", &["extra_output", "extra_without_default"]);
    if made.cargo("clippy").arg("--version").run().is_success() {
        made.cargo("clippy").args(["--", "-D", "warnings", "-D", "missing-docs"]).run().succeeds();
    }
}

#[test]
fn onnx_operators() {
    let definitions = data("../onnx/onnx_1.17.0.json");
    let made = imported("onnx", &definitions, "imported-onnx", &["--released", "1.17.0"]);
    is_faithful(&made, &definitions, "lock", &[]);
}

#[test]
fn tensorflow_operators() {
    let definitions = data("../tensorflow_2.10.1_excerpt.json");
    let made = imported("tensorflow", &definitions, "imported-tensorflow", &[]);
    is_faithful(&made, &definitions, "lock", &["ImageSummary"]);
}

/// All can stand in one module as well.
#[test]
fn one_module() {
    let definitions = data("odd.spec");
    let made = imported("paddle", &definitions, "imported-module", &["--op", "slice"]);
    made.remove("ops.lock");
    let text = definitions.to_string_lossy();
    made.oplock("import").args(["--from", "paddle", &text, "--out", "src/all.rs"]).run().succeeds();
    made.write("src/lib.rs", "//! All in one.\n\noplock::lock!();\n\npub mod all;\n");
    made.oplock("init").run().succeeds();
    is_faithful(&made, &definitions, "lock", &["extra_output", "extra_without_default"]);
}

/// With `OPLOCK_DATA`: the whole of a release.
#[test]
fn whole_releases() {
    let Some(data) = std::env::var_os("OPLOCK_DATA").map(PathBuf::from) else { return };
    let releases = [
        ("paddle", "paddle/paddle_cpu_2.6.2.spec", "imported-paddle-2-6", "paddle", &[][..]),
        ("tensorflow", "tensorflow/tf_2.10.1.json", "imported-tensorflow-2-10", "lock", &["ImageSummary"]),
        ("onnx", "onnx/onnx_1.17.0.json", "imported-onnx-1-17", "lock", &[]),
    ];
    for (from, file, name, format, left_out) in releases {
        let definitions = data.join(file);
        let made = imported(from, &definitions, name, &["--released", "1.0.0"]);
        is_faithful(&made, &definitions, format, left_out);
    }
}
