//! The programs under test, and where things lie.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The root of this workspace.
pub fn workspace() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// The target folder of the build that runs the tests, of which this executable is a part.
fn target_directory() -> PathBuf {
    let executable = env::current_exe().expect("the path of the test itself");
    // `<target>/<profile>/deps/<test>`, with the triple in between where one was asked for.
    let target = executable.ancestors().nth(3).expect("a test lies in a target folder");
    target.to_owned()
}

/// Where the crates of all tests build.
pub(crate) fn crates_target_directory() -> PathBuf {
    target_directory().join("e2e")
}

/// The cargo that runs the tests, or else the one on the path.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The compiler.
pub fn rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The command line of this workspace, as it is now.
pub(crate) fn cargo_oplock() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let output = Command::new(cargo())
            .args(["build", "--package", "cargo-oplock", "--message-format", "json", "--manifest-path"])
            .arg(workspace().join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target_directory())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut executables = messages.lines().filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            message["executable"].as_str().map(PathBuf::from)
        });
        executables.next_back().expect("cargo tells of the executable that it built")
    })
}

/// Takes away what cargo sets for a test, and what the person who runs the tests has set for builds of their own:
/// what remains is a user's shell.
pub(crate) fn clean(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let is_of_builds = ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "OPLOCK_"].iter().any(|p| text.starts_with(p));
        if is_of_builds && text != "CARGO_HOME" {
            command.env_remove(&name);
        }
    }
}
