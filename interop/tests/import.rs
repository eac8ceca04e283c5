//! What `import` writes, held against files that a person has read, and against rustfmt.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oplock_core::OpDef;
use oplock_interop::import::{Import, Options, Package, Source};
use oplock_interop::paddle;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn spec(path: &Path) -> BTreeMap<String, OpDef> {
    paddle::parse(&read(path)).unwrap_or_else(|error| panic!("{}:{error}", path.display())).ops
}

fn import(ops: &BTreeMap<String, OpDef>, source: Source) -> Import {
    let derives = ["Clone", "Debug", "PartialEq"].map(str::to_owned).to_vec();
    Import::new(ops, Options { source, derives }, |_| true)
}

/// `BLESS=1 cargo test -p oplock-interop --test import` writes it anew.
#[track_caller]
fn is_golden(name: &str, text: &str) {
    let path = data().join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert!(read(&path) == text, "{} is another text now: BLESS=1 writes it anew", path.display());
}

/// The text as rustfmt writes it in its default style.
fn rustfmt(text: &str) -> String {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is installed with the toolchain");
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn is_formatted(text: &str) {
    let formatted = rustfmt(text);
    let first = text.lines().zip(formatted.lines()).find(|(ours, theirs)| ours != theirs);
    assert!(text == formatted, "rustfmt writes it otherwise: {first:?}");
}

#[test]
fn paddle_operators() {
    let import = import(&spec(&data().join("paddle.spec")), Source::Paddle);
    assert_eq!(import.refused, []);
    is_golden("paddle.rs", &import.module());
    is_formatted(&import.module());
}

#[test]
fn odd_names_and_defaults() {
    let import = import(&spec(&data().join("odd.spec")), Source::Paddle);
    let refused: Vec<_> = import.refused.iter().map(ToString::to_string).collect();
    assert_eq!(
        refused,
        [
            "`extra_output`: output `Y` is extra, and is neither dispensable nor intermediate",
            "`extra_without_default`: attribute `a` is extra, and has no default",
        ]
    );
    is_golden("odd.rs", &import.module());
    is_formatted(&import.module());
}

#[test]
fn a_name_does_not_depend_on_what_is_chosen() {
    let ops = spec(&data().join("odd.spec"));
    let options = Options { source: Source::Paddle, derives: Vec::new() };
    let both = Import::new(&ops, options.clone(), |_| true);
    let one = Import::new(&ops, options, |name| name == "slice");
    assert_eq!(one.ops.len(), 1);
    assert_eq!(one.ops["slice"], both.ops["slice"]);
    assert_eq!(one.ops["slice"].0.ty, "Slice2");
    assert!(!one.module().contains("derive"));
}

#[test]
fn the_files_of_a_crate() {
    let import = import(&spec(&data().join("odd.spec")), Source::Paddle);
    let package = Package {
        name: "odd-ops".to_owned(),
        version: semver::Version::new(2, 6, 2),
        oplock: "\"0.1\"".to_owned(),
        file: "odd.spec".to_owned(),
    };
    let files = import.package(&package);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import-odd-ops");
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in &files {
        assert!(text.lines().count() < 200, "{}", path.display());
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let root = folder.join("src/lib.rs");
    let output = Command::new("rustfmt")
        .args(["--check", "--edition", "2024", "--config-path", "/dev/null"])
        .arg(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(files.len(), 3 + import.ops.len());
    let root = &files[Path::new("src/lib.rs")];
    assert!(root.contains("//! - `extra_output`: output `Y` is extra"), "{root}");
    let manifest = &files[Path::new("Cargo.toml")];
    assert!(manifest.contains("name = \"odd-ops\"\n") && manifest.contains("version = \"2.6.2\"\n"), "{manifest}");
}

/// With `OPLOCK_DATA` all operators of each release: all can be declared but those of which it is known, and all is formatted.
#[test]
fn whole_releases() {
    let Some(data) = std::env::var_os("OPLOCK_DATA").map(PathBuf::from) else { return };
    let mut files: Vec<_> = fs::read_dir(data.join("paddle")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "spec"));
    assert!(!files.is_empty());
    for path in files {
        let import = import(&spec(&path), Source::Paddle);
        is_formatted(&import.module());
        println!("{}: {} operators, left out: {:?}", path.display(), import.ops.len(), import.refused);
        assert!(import.refused.len() <= 2, "more than is known of");
    }
}
