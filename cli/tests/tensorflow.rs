//! `TensorFlow`'s definitions on the command line: what of a file is told, written again, and compared.

mod common;

use std::path::{Path, PathBuf};

use common::{folder, run_in};

fn interop() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../interop/tests/data")
}

const FILES: [&str; 3] =
    ["tensorflow_2.7.0_excerpt.json", "tensorflow_2.10.1_excerpt.json", "tensorflow_history_excerpt.json"];

#[test]
fn json_is_printed_as_it_was_read_and_text_holds_the_same() {
    for file in FILES {
        let json = run_in(&interop(), &["print", file, "--message-format", "tensorflow"]);
        assert_eq!(json.code, Some(0), "{}", json.stderr);
        assert!(json.stdout == std::fs::read_to_string(interop().join(file)).unwrap(), "{file}");
        let text = run_in(&interop(), &["print", file, "--message-format", "tensorflow-text"]).stdout;
        let (_keep, folder) = folder(&[("a.pbtxt", &text)]);
        let again = run_in(&folder, &["print", "a.pbtxt", "--message-format", "tensorflow-text"]);
        assert!(again.code == Some(0) && again.stdout == text, "{file}: {}", again.stderr);
    }
}

/// A release and the lock of it are the same operators; a file that leaves elements open says nothing of them.
#[test]
fn files_of_other_kinds_compare() {
    let file = interop().join(FILES[1]);
    let file = file.to_str().unwrap();
    let lock = run_in(&interop(), &["print", file, "--message-format", "lock", "--package-name", "tensorflow"]).stdout;
    let summary = "op { name: \"ImageSummary\" attr { name: \"bad_color\" type: \"tensor\" default_value { tensor { \
                   dtype: DT_UINT8 tensor_shape { dim { size: 4 } } int_val: [255, 0, 0, 255] } } } }";
    let unstated = "{\"ops\":[{\"name\":\"ImageSummary\",\"attr\":[{\"name\":\"bad_color\",\"type\":\"tensor\",\
                    \"default_value\":{\"tensor\":{\"dtype\":\"DT_UINT8\",\"shape\":{\"dims\":[4]},\"bytes\":16}}}]}]}";
    let (_keep, folder) = folder(&[
        ("ops.lock", &lock),
        ("stated.pbtxt", summary),
        ("unstated.json", unstated),
        ("other.json", &unstated.replace("[4]", "[5]")),
    ]);
    for (old, new, code) in [
        (file, "ops.lock", 0),
        ("ops.lock", file, 0),
        ("stated.pbtxt", "unstated.json", 0),
        ("unstated.json", "stated.pbtxt", 0),
        ("unstated.json", "other.json", 100),
    ] {
        for rules in ["oplock", "tensorflow"] {
            // A lock sorts its operands.
            if rules == "tensorflow" && [old, new].contains(&"ops.lock") {
                continue;
            }
            let run = run_in(&folder, &["diff", old, new, "--quiet", "--rules", rules]);
            assert_eq!(run.code, Some(code), "{rules} {old} {new}: {}{}", run.stdout, run.stderr);
        }
    }
}

#[test]
fn what_is_not_read_is_told() {
    let text = "op { name: \"A\" output_arg { name: \"x\" type: DT_INT8 experimental_full_type { type_id: TFT_TENSOR } } \
                control_output: \"c\" }";
    let (_keep, folder) = folder(&[("a.pbtxt", text)]);
    let run = run_in(&folder, &["print", "a.pbtxt", "--message-format", "short"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("operator `A`, output `x`: `experimental_full_type` is not read"), "{}", run.stderr);
    assert!(run.stderr.contains("1 more like it"), "{}", run.stderr);
}

#[test]
fn a_release_is_judged_by_the_rules_of_tensorflow() {
    let run = run_in(&interop(), &["diff", "--rules", "tensorflow", FILES[0], FILES[1]]);
    let finding = "XlaAllReduce.attr.mode: it is new and has no default, and older graphs do not state it \
                   [attr_added_without_default]\n";
    assert_eq!((run.code, run.stdout.as_str()), (Some(100), finding), "{}", run.stderr);
    // oplock's own rules find the same break, and no other.
    let run = run_in(&interop(), &["diff", FILES[0], FILES[1], "--breaks", "--message-format", "short", "--quiet"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stdout.starts_with("XlaAllReduce") && run.stdout.lines().count() == 1, "{}", run.stdout);
}
