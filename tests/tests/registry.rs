//! The registry of a program that is linked from several operator crates.

use oplock_tests::{Folder, line_of, source};

/// A workspace of two operator crates and a program that uses both, in a folder of that name: what tells packages of
/// one name apart in a target folder is where they lie in their workspaces.
#[track_caller]
fn program(name: &str, main: &str) -> Folder {
    let root = Folder::new();
    root.write("Cargo.toml", &format!("[workspace]\nresolver = \"3\"\nmembers = [\"{name}/*\"]\n"));
    root.copy_cargo_lock();
    let folder = root.sub(name);
    for (name, version, lib) in
        [("audio-ops", "0.2.0", source::one_op("mel", "")), ("vision-ops", "1.4.2", source::OPS.to_owned())]
    {
        let member = folder.sub(name);
        member.write("Cargo.toml", &source::member_manifest(name, version));
        member.write("src/lib.rs", &lib);
    }
    let app = folder.sub("app");
    let dependencies = "audio-ops = { path = \"../audio-ops\" }\nvision-ops = { path = \"../vision-ops\" }\n";
    app.write("Cargo.toml", &(source::member_manifest("app", "0.1.0") + dependencies));
    app.write("src/main.rs", main);
    for (member, version) in [("audio-ops", "0.2.0"), ("vision-ops", "1.4.2")] {
        let _ = folder.sub(member).released(version);
    }
    folder
}

/// Prints what is registered, a line an operator.
const LIST: &str = r#"
use oplock::Registry;

fn main() {
    // Naming the tables links the crates.
    let crates = [audio_ops::ops(), vision_ops::ops()];
    match Registry::global_with(&crates) {
        Ok(registry) => {
            for op in registry.iter() {
                println!("{} of {}", op.def.name, op.place);
            }
            println!("packages: {:?}", registry.packages().collect::<Vec<_>>());
            println!("get: {}", registry.get("slice").is_some_and(|op| op.def.attrs.len() == 3));
            println!("nearest: {:?}", registry.nearest("slize"));
        }
        Err(error) => {
            println!("{error}");
            std::process::exit(3);
        }
    }
    match Registry::of(&crates[..1]) {
        Ok(one) => println!("of: {:?}", one.iter().map(|op| &op.def.name).collect::<Vec<_>>()),
        Err(error) => println!("of: {error}"),
    }
}
"#;

#[test]
fn the_registry_has_every_operator_sorted() {
    let folder = program("sorted", LIST);
    // One that no lock has yet, and one that none shall have.
    folder.append("audio-ops/src/lib.rs", source::NEG);
    folder.append("app/src/main.rs", "\n#[oplock::op(\"probe\", unlocked)]\nstruct Probe;\n");
    let place = |file: &str, text: &str| format!("sorted/{}", line_of(&folder.place(file, text)));
    let output = folder.cargo("run").args(["--quiet", "-p", "app"]).run().succeeds();
    let expected = [
        format!("add of vision-ops 1.4.2 at {}", place("vision-ops/src/lib.rs", "\"add\"")),
        format!("mel of audio-ops 0.2.0 at {}", place("audio-ops/src/lib.rs", "\"mel\"")),
        format!("neg of audio-ops 0.2.0 at {}", place("audio-ops/src/lib.rs", "\"neg\"")),
        format!("probe of app 0.1.0 at {}", place("app/src/main.rs", "\"probe\"")),
        format!("slice of vision-ops 1.4.2 at {}", place("vision-ops/src/lib.rs", "\"slice\"")),
        "packages: [(\"audio-ops\", \"0.2.0\"), (\"vision-ops\", \"1.4.2\")]".to_owned(),
        "get: true".to_owned(),
        "nearest: Some(\"slice\")".to_owned(),
        "of: [\"mel\"]".to_owned(),
    ];
    assert_eq!(output.stdout.lines().collect::<Vec<_>>(), expected, "{output}");
}

/// C20, in two crates of one binary: each may have the name alone, and together they are refused with both places.
#[test]
fn an_operator_of_two_crates_is_refused_with_both_places() {
    let folder = program("duplicates", LIST);
    folder.append("audio-ops/src/lib.rs", &source::NEG.replace("neg", "slice"));
    folder.append("vision-ops/src/lib.rs", &source::NEG.replace("neg", "mel"));
    for member in ["audio-ops", "vision-ops"] {
        folder.oplock("update").args(["-p", member]).run().succeeds();
    }
    let line = |file: &str, text: &str| format!("duplicates/{}", line_of(&folder.place(file, text)));
    let output = folder
        .cargo("run")
        .args(["--quiet", "-p", "app"])
        .run()
        .exits(3)
        .says("`mel`")
        .says("`slice`")
        .says(&format!("audio-ops 0.2.0 at {}", line("audio-ops/src/lib.rs", "\"mel\"")))
        .says(&format!("vision-ops 1.4.2 at {}", line("vision-ops/src/lib.rs", "\"mel\"")))
        .says(&format!("audio-ops 0.2.0 at {}", line("audio-ops/src/lib.rs", "\"slice\"")))
        .says(&format!("vision-ops 1.4.2 at {}", line("vision-ops/src/lib.rs", "\"slice\"")));
    assert!(output.stdout.find("`mel`") < output.stdout.find("`slice`"), "in order of the names:\n{output}");
}

/// An operator as a node and back, with the names that were promised.
#[test]
fn an_operator_becomes_a_node_and_back() {
    let main = r#"
use oplock::{Bind, Node, Op};
use vision_ops::Slice;

fn main() {
    let slice = Slice::new("x".into(), "y".into(), vec![0, 2]).with_starts(vec![1]);
    let node: Node = slice.into_node().unwrap();
    println!("{} {:?} {:?}", node.op, node.inputs, node.outputs);
    let back: Slice = node.bind().unwrap();
    println!("{:?} {:?} {}", back.axes, back.starts, back.ends_tensor.is_none());
    println!("{}", Slice::DEF.attrs[0].name);
}
"#;
    let folder = program("nodes", main);
    let output = folder.cargo("run").args(["--quiet", "-p", "app"]).run().succeeds();
    let expected = "slice {\"Input\": [\"x\"]} {\"Out\": [\"y\"]}\n[0, 2] [1] true\naxes\n";
    assert_eq!(output.stdout, expected, "{output}");
}
