//! `cargo oplock import`: what it makes compiles, agrees with its lock, and says what was imported.

use std::fs;
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
    // A model has operands by position, and the lock says where each stands: `X`, `W`, `B`.
    onnx_conv(&made, "three.onnx", &["x", "w", "b"], FLOAT);
    onnx_conv(&made, "four.onnx", &["x", "w", "", "z"], FLOAT);
    onnx_conv(&made, "ints.onnx", &["x", "w"], ONNX_INT64);
    let checked = |model: &str| made.oplock("model").args(["check", model, "--against", "ops.lock"]).run();
    checked("three.onnx").succeeds();
    checked("four.onnx").exits(100).says("`Conv.v11` has no input `3` here").says("[unknown_input]");
    let told = checked("ints.onnx").exits(100);
    told.says("input `X` of `Conv.v11` takes one of f16, f32, f64 (`T`), and `x` is i64").says("[operand_type]");
    // A lock that does not promise places has operands by name alone.
    let by_name = (1..=9).fold(made.lock().replace("operands = \"positional\"\n", ""), |lock, at| {
        lock.replace(&format!("at = {at}, "), "").replace(&format!("{{ at = {at} }}"), "{}")
    });
    made.write("by_name.lock", &by_name);
    let told = made.oplock("model").args(["check", "three.onnx", "--against", "by_name.lock"]).run().exits(101);
    told.says("the lock of imported-onnx does not say where those of `Conv.v11` stand").says("promise the places");
    // One more at the end, in the next release.
    made.edit(
        "src/operators/conv.rs",
        "    /// Output `Y`.",
        "    /// What is added.\n    #[input(of = T, dispensable)]\n    pub z: Option<Var>,\n    /// Output `Y`.",
    );
    made.set_version("1.18.0");
    made.oplock_update().succeeds();
    checked("four.onnx").succeeds();
    made.oplock("seal").run().succeeds();
    for model in ["three.onnx", "four.onnx"] {
        checked(model).succeeds();
    }
    checked("ints.onnx").exits(100);
    let json = made.oplock("model").args(["check", "four.onnx", "--against", "ops.lock", "--message-format", "json"]);
    json.run().succeeds().says("\"release\":\"1.18.0\"").says("\"because\":\"Conv.v11.z\"");
}

#[test]
fn tensorflow_operators() {
    let definitions = data("../tensorflow_2.10.1_excerpt.json");
    let made = imported("tensorflow", &definitions, "imported-tensorflow", &[]);
    is_faithful(&made, &definitions, "lock", &[]);
    // `input` stands before `filter`, which has the lesser name.
    tensorflow_conv(&made, "floats.pb", &["x", "w"], FLOAT, FLOAT);
    tensorflow_conv(&made, "mixed.pb", &["x", "w"], FLOAT, TENSORFLOW_DOUBLE);
    tensorflow_conv(&made, "strings.pb", &["x", "w"], TENSORFLOW_STRING, FLOAT);
    tensorflow_conv(&made, "three.pb", &["x", "w", "w"], FLOAT, FLOAT);
    let checked = |model: &str| made.oplock("model").args(["check", model, "--against", "ops.lock"]).run();
    checked("floats.pb").succeeds();
    checked("three.pb").exits(100).says("`Conv2D` has no input `2` here");
    checked("mixed.pb").exits(100).says("input `filter` of `Conv2D` takes f32, by the attribute `T`, and `w` is f64");
    checked("strings.pb").exits(100).says("attribute `T` of `Conv2D`").says("[attribute_value]");
    made.oplock("seal").run().succeeds();
    checked("floats.pb").succeeds();
    checked("mixed.pb").exits(100);
}

/// The number of `FLOAT` in both systems, and others of each.
const FLOAT: u8 = 1;
const ONNX_INT64: u8 = 7;
const TENSORFLOW_DOUBLE: u8 = 2;
const TENSORFLOW_STRING: u8 = 7;

/// A field of a protobuf message that has a length.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let byte = |part: usize| u8::try_from(part).expect("two bytes say the length");
    let (low, high) = (byte(content.len() % 128), byte(content.len() / 128));
    let length = if high == 0 { vec![low] } else { vec![low | 128, high] };
    [&[number << 3 | 2][..], &length, content].concat()
}

/// A field that is a small number.
fn number(number: u8, value: u8) -> Vec<u8> {
    assert!(value < 128, "one byte says it");
    vec![number << 3, value]
}

/// A model of one `Conv` at version 11, which reads `x` of that type.
fn onnx_conv(made: &Folder, file: &str, inputs: &[&str], x: u8) {
    let inputs: Vec<u8> = inputs.iter().flat_map(|input| field(1, input.as_bytes())).collect();
    let node = [inputs, field(2, b"y"), field(4, b"Conv")].concat();
    let ty = field(1, &number(1, x));
    let graph = [field(1, &node), field(2, b"g"), field(11, &[field(1, b"x"), field(2, &ty)].concat())].concat();
    let model = [number(1, 8), field(7, &graph), field(8, &number(2, 11))].concat();
    fs::write(made.path().join(file), model).unwrap();
}

/// A graph of one `Conv2D` of type `t`, which reads `x` of type f32 and `w` of another.
fn tensorflow_conv(made: &Folder, file: &str, inputs: &[&str], t: u8, w: u8) {
    let attr = |name: &str, value: Vec<u8>| field(5, &[field(1, name.as_bytes()), field(2, &value)].concat());
    let ty = |ty: u8| number(6, ty);
    let given = |name: &str, of: u8| {
        field(1, &[field(1, name.as_bytes()), field(2, b"Placeholder"), attr("dtype", ty(of))].concat())
    };
    let read: Vec<u8> = inputs.iter().flat_map(|input| field(3, input.as_bytes())).collect();
    let strides = field(1, &field(3, &[1, 1, 1, 1]));
    let attrs = [attr("T", ty(t)), attr("strides", strides), attr("padding", field(2, b"SAME"))].concat();
    let conv = field(1, &[field(1, b"c"), field(2, b"Conv2D"), read, attrs].concat());
    // What the graph is of comes last, as in any order.
    fs::write(made.path().join(file), [given("x", FLOAT), given("w", w), conv, field(4, &number(1, 100))].concat())
        .unwrap();
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
        ("tensorflow", "tensorflow/tf_2.10.1.json", "imported-tensorflow-2-10", "lock", &[]),
        ("onnx", "onnx/onnx_1.17.0.json", "imported-onnx-1-17", "lock", &[]),
    ];
    for (from, file, name, format, left_out) in releases {
        let definitions = data.join(file);
        let made = imported(from, &definitions, name, &["--released", "1.0.0"]);
        is_faithful(&made, &definitions, format, left_out);
    }
}
