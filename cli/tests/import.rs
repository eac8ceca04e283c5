//! `cargo oplock import`.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder, run_in};

const SPEC: &str = r#"{
"abs": {"Inputs": {"X": {"duplicable": false, "dispensable": false, "intermediate": false, "extra": false, "quant": false}}, "Outputs": {}, "Attrs": {}},
"scale": {"Inputs": {}, "Outputs": {}, "Attrs": {"bias": {"type": 1, "generated": false, "default_value": 0.10000000149011612, "extra": false, "quant": false}}},
"shape": {"Inputs": {}, "Outputs": {"Y": {"duplicable": false, "dispensable": false, "intermediate": false, "extra": true, "quant": false}}, "Attrs": {}}
}
"#;

const SCALE: &str = "\
use oplock::op;

/// PaddlePaddle's `scale`.
#[op(\"scale\")]
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Attribute `bias`, by default `0.1`.
    #[attr(default = 0.1)]
    pub bias: f32,
}
";

fn import(folder: &Path, args: &[&str]) -> Run {
    run_in(folder, &[&["import", "--from", "paddle", "x.spec"], args].concat())
}

/// Everything in a folder, by name.
fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn to_standard_output() {
    let (_root, folder) = folder(&[("x.spec", SPEC)]);
    let run = import(&folder, &["--op", "scale"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), SCALE, ""));
    let run = import(&folder, &["--op", "scale", "--derive", "", "--op", "abs"]);
    assert!(run.stdout.contains("pub struct Abs {") && !run.stdout.contains("derive"), "{}", run.stdout);
    let run = import(&folder, &["--op", "scale", "--derive", "serde::Serialize,Debug"]);
    assert!(run.stdout.contains("\n#[derive(serde::Serialize, Debug)]\n"), "{}", run.stdout);
    assert_eq!(import(&folder, &["--derive", "Clone)]"]).code, Some(2));
    assert_eq!(entries(&folder), ["x.spec"]);
}

#[test]
fn what_cannot_be_declared_is_left_out_aloud() {
    let (_root, folder) = folder(&[("x.spec", SPEC)]);
    let run = import(&folder, &[]);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stderr,
        "warning: left out: `shape`: output `Y` cannot be absent: an export removes what is `extra`, so such an output must be \
         `dispensable` or `intermediate`\n"
    );
    assert!(
        run.stdout.contains("struct Abs ") && run.stdout.contains("struct Scale ") && !run.stdout.contains("Shape")
    );
    // What was asked for by name cannot be left out.
    let run = import(&folder, &["--op", "abs", "--op", "shape", "--out", "ops.rs"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""));
    assert!(run.stderr.contains("error: `shape` cannot be declared as it is"), "{}", run.stderr);
    assert_eq!(entries(&folder), ["x.spec"]);
}

#[test]
fn into_a_new_file() {
    let (_root, folder) = folder(&[("x.spec", SPEC), ("src/lib.rs", "mod scale;\n")]);
    let run = import(&folder, &["--op", "scale", "--out", "src/scale.rs"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(run.stderr.contains("Created src/scale.rs (1 operator)"), "{}", run.stderr);
    assert!(run.stderr.contains("`mod scale;` in the crate, then `cargo oplock update`"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.join("src/scale.rs")).unwrap(), SCALE);
    assert_eq!(entries(&folder.join("src")), ["lib.rs", "scale.rs"]);
}

#[test]
fn into_a_new_crate() {
    let (_root, folder) = folder(&[("x.spec", SPEC)]);
    let run = import(&folder, &["--crate", "deep/x-ops", "--released", "2.6.2"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(run.stderr.contains("Created deep/x-ops (2 operators, 1 left out)"), "{}", run.stderr);
    assert_eq!(entries(&folder.join("deep")), ["x-ops"], "nothing is beside it");
    let made = folder.join("deep/x-ops");
    assert_eq!(entries(&made), ["Cargo.toml", "ops.lock", "src"]);
    assert_eq!(entries(&made.join("src")), ["lib.rs", "operators", "operators.rs"]);
    assert_eq!(entries(&made.join("src/operators")), ["abs.rs", "scale.rs"]);
    let read = |file: &str| fs::read_to_string(made.join(file)).unwrap();
    assert_eq!(read("src/operators/scale.rs"), SCALE);
    assert!(read("src/lib.rs").starts_with("//! 2 operators of PaddlePaddle, as `x.spec` describes them.\n"));
    assert!(read("src/lib.rs").contains("\n//! - `shape`: output `Y` cannot be absent: "));
    let manifest = read("Cargo.toml");
    for line in ["name = \"x-ops\"", "version = \"2.6.2\"", &format!("oplock = \"{}\"", env!("CARGO_PKG_VERSION"))] {
        assert!(manifest.lines().any(|found| found == line), "{line}: {manifest}");
    }
    let lock = read("ops.lock");
    assert!(lock.contains("\"2.6.2\" = { date = ") && lock.contains("scale.since = \"2.6.2\"\n"), "{lock}");
    assert!(
        lock.contains("scale.attr.bias = { type = \"f32\", default = 0.1 }\n") && !lock.contains("shape"),
        "{lock}"
    );

    let run = import(&folder, &["--crate", "second", "--name", "other-ops"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let read = |file: &str| fs::read_to_string(folder.join("second").join(file)).unwrap();
    assert!(
        read("Cargo.toml").contains("name = \"other-ops\"\n") && read("Cargo.toml").contains("version = \"0.1.0\"\n")
    );
    assert!(
        read("ops.lock").contains("package = \"other-ops\"\n") && read("ops.lock").contains("abs.unreleased = true\n")
    );
}

#[test]
fn nothing_is_overwritten() {
    let (_root, folder) = folder(&[("x.spec", SPEC), ("there/Cargo.toml", "mine"), ("there.rs", "mine")]);
    fs::create_dir(folder.join("empty")).unwrap();
    for args in [["--out", "there.rs"], ["--crate", "there"], ["--crate", "empty"], ["--out", "there"]] {
        let run = import(&folder, &args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""));
        let place = args[1];
        assert!(run.stderr.contains(&format!("error: {place}: there is something already")), "{}", run.stderr);
    }
    assert_eq!(entries(&folder), ["empty", "there", "there.rs", "x.spec"]);
    assert_eq!(fs::read_to_string(folder.join("there.rs")).unwrap(), "mine");
    assert_eq!(entries(&folder.join("there")), ["Cargo.toml"]);
}

#[test]
fn nothing_is_left_half_written() {
    let (_root, folder) = folder(&[("x.spec", SPEC), ("file", "")]);
    for (args, code, reason) in [
        (&["--crate", "file/x"][..], 101, "file"),
        (&["--crate", "x y"], 2, "\"x y\" is no name of a package"),
        (&["--crate", "1x"], 2, "is no name of a package"),
        (&["--crate", "oplock"], 2, "\"oplock\" is no name of a package of operators"),
        (
            &["--crate", "x", "--oplock", "nowhere"],
            101,
            "nowhere/Cargo.toml: there is no such file\n  help: name the folder of the crate `oplock`",
        ),
        (&["--out", "nowhere/y.rs"], 101, "cannot write nowhere/y.rs: No such file"),
        (&["--crate", "x", "--released", "1.0.0-rc.1"], 2, "a pre-release"),
        (&["--crate", "x", "--out", "y"], 2, "cannot be used with"),
        (&["--out", "y", "--name", "z"], 2, "cannot be used with"),
        (
            &["--op", "scael", "--out", "y"],
            2,
            "did you mean `scale`?\n  help: `cargo oplock print x.spec --message-format short` lists the operators",
        ),
    ] {
        let run = import(&folder, args);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(reason), "{args:?}: {}", run.stderr);
        assert_eq!(entries(&folder), ["file", "x.spec"], "{args:?}");
    }
    fs::write(folder.join("bad.spec"), "{\"o\": 1}").unwrap();
    let run = run_in(&folder, &["import", "--from", "paddle", "bad.spec", "--crate", "x"]);
    assert_eq!(run.code, Some(101));
    assert!(run.stderr.contains("bad.spec:1:7: operator `o`: an operator must be an object"), "{}", run.stderr);
    assert!(!folder.join("x").exists());
}
