//! Runs the built binary as cargo would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// What a run said, and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `cargo oplock …` in a folder.
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-oplock"))
        .arg("oplock")
        .args(args)
        .current_dir(folder)
        .env_remove("CARGO_TERM_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("the binary runs");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}

/// Runs `cargo oplock …` in the folder of the test data.
#[allow(dead_code, reason = "not every test binary uses it")]
pub(crate) fn run(args: &[&str]) -> Run {
    run_in(&data(), args)
}

/// The folder of the test data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A folder with a space and a letter beyond ASCII in its name, and these files in it.
#[allow(dead_code, reason = "not every test binary uses it")]
pub(crate) fn folder(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let root = TempDir::new().expect("a temporary folder");
    let folder = root.path().join("m\u{e4} p");
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    (root, folder)
}
