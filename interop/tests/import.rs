//! What `import` writes, held against files that a person has read, and against rustfmt.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oplock_core::{AttrDef, AttrType, OpDef, ScalarType, Value};
use oplock_interop::import::{Import, Options, Package, Source};
use oplock_interop::select::select;
use oplock_interop::tensorflow::op_list::Document;
use oplock_interop::{onnx, paddle};

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
            "`extra_output`: output `Y` cannot be absent: an export removes what is `extra`, so such an output must be `dispensable` or \
             `intermediate`",
            "`extra_without_default`: attribute `a` cannot be absent: an export removes what is `extra`, so such an attribute must have a \
             `default`",
        ]
    );
    is_golden("odd.rs", &import.module());
    is_formatted(&import.module());
}

fn tensorflow(path: &Path) -> BTreeMap<String, OpDef> {
    let document = Document::read_json(&read(path)).unwrap();
    document.definitions().unwrap().into_iter().map(|op| (op.name.to_string(), op)).collect()
}

#[test]
fn tensorflow_operators() {
    let import = import(&tensorflow(&data().join("../tensorflow_2.10.1_excerpt.json")), Source::TensorFlow);
    assert_eq!(import.refused, []);
    assert_eq!(import.unstated(), ["ImageSummary.bad_color"]);
    is_golden("tensorflow.rs", &import.module());
    is_formatted(&import.module());
}

#[test]
fn a_tensor_is_a_default_with_its_elements() {
    let text = "op { name: \"ImageSummary\" attr { name: \"bad_color\" type: \"tensor\" default_value { tensor { \
                dtype: DT_UINT8 tensor_shape { dim { size: 4 } } int_val: [255, 0, 0, 255] } } } }";
    let document = Document::read(text.as_bytes()).unwrap();
    let ops = document.definitions().unwrap().into_iter().map(|op| (op.name.to_string(), op)).collect();
    let import = import(&ops, Source::TensorFlow);
    assert!(import.refused.is_empty() && import.unstated().is_empty(), "{:?}", import.refused);
    let module = import.module();
    assert!(module.contains("    #[attr(default = tensor(u8, [4], b\"\\xff\\x00\\x00\\xff\"))]\n"), "{module}");
    is_formatted(&module);
}

#[test]
fn onnx_operators() {
    let ops = onnx::parse(&read(&data().join("../onnx/onnx_1.17.0.json"))).unwrap();
    let import = import(&ops, Source::Onnx);
    assert_eq!(import.refused, []);
    is_golden("onnx.rs", &import.module());
    is_formatted(&import.module());
    // All versions of an operator are chosen by its name, or one by its own.
    let name = ops.keys().next().unwrap().rsplit_once(".v").unwrap().0;
    let of_name: Vec<_> = ops.keys().filter(|op| op.rsplit_once(".v").unwrap().0 == name).collect();
    assert_eq!(select(&ops, name).unwrap(), of_name);
    assert_eq!(select(&ops, of_name[0]).unwrap(), [of_name[0]]);
    assert!(select(&ops, "nothing").is_err());
}

#[test]
fn what_all_operators_have_is_said_once() {
    let attr = AttrDef { default: Some(Value::I32(0)), ..AttrDef::new("op_role", AttrType::of(ScalarType::I32)) };
    let ops = |count: usize, odd: Option<Value>| -> BTreeMap<String, OpDef> {
        let op = |i: usize| {
            let default = if i == 1 { odd.clone().or_else(|| attr.default.clone()) } else { attr.default.clone() };
            let own = AttrDef::new(format!("own_{i}"), AttrType::of(ScalarType::Bool));
            let attrs = vec![AttrDef { default, ..attr.clone() }, own];
            (format!("op_{i}"), OpDef { attrs: attrs.into(), ..OpDef::new(format!("op_{i}")) })
        };
        (0..count).map(op).collect()
    };
    // Of one that is chosen nothing follows: the whole file tells what all have.
    let options = Options { source: Source::Paddle, derives: Vec::new() };
    let one = Import::new(&ops(16, None), options.clone(), |op| op == "op_3");
    assert_eq!(one.common.attrs.as_ref(), std::slice::from_ref(&attr));
    assert!(one.module().contains("op_role"), "a module alone has it in each operator");
    let without = one.without_common();
    assert!(!without.module().contains("op_role") && without.module().contains("own_3"));
    let package = Package {
        name: "x".to_owned(),
        version: semver::Version::new(0, 1, 0),
        oplock: "\"0.1\"".to_owned(),
        file: "x".to_owned(),
    };
    let root = &without.package(&package)[Path::new("src/lib.rs")];
    let block = "    common {\n        /// Attribute `op_role`, by default `0`.\n        #[attr(default = 0)]\n        op_role: i32,\n    }\n";
    assert!(root.contains(block), "{root}");
    // Fewer may have it by chance, and one that differs is enough.
    assert!(Import::new(&ops(15, None), options.clone(), |_| true).common.attrs.is_empty());
    assert!(Import::new(&ops(16, Some(Value::I32(1))), options, |_| true).common.attrs.is_empty());
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
    assert!(root.contains("//! - `extra_output`: output `Y` cannot be absent"), "{root}");
    let manifest = &files[Path::new("Cargo.toml")];
    assert!(manifest.contains("name = \"odd-ops\"\n") && manifest.contains("version = \"2.6.2\"\n"), "{manifest}");
}

/// With `OPLOCK_DATA` all operators of each release: all can be declared but those of which it is known, and all is formatted.
#[test]
fn whole_releases() {
    let Some(data) = std::env::var_os("OPLOCK_DATA").map(PathBuf::from) else { return };
    for (folder, source, most) in
        [("paddle", Source::Paddle, 2), ("tensorflow", Source::TensorFlow, 0), ("onnx", Source::Onnx, 0)]
    {
        let mut files: Vec<_> = fs::read_dir(data.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.ends_with(".spec") || (name.ends_with(".json") && source != Source::Paddle)
        });
        assert!(!files.is_empty());
        for path in files {
            let ops = match source {
                Source::Paddle => spec(&path),
                Source::TensorFlow => tensorflow(&path),
                Source::Onnx => onnx::parse(&read(&path)).unwrap(),
            };
            let import = import(&ops, source);
            is_formatted(&import.module());
            println!("{}: {} operators, left out: {:?}", path.display(), import.ops.len(), import.refused);
            assert!(import.refused.len() <= most, "more than is known of");
        }
    }
}
