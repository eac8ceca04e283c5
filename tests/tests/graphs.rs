//! Graphs of a program that is linked from operator crates with locks: what the crates' own locks say goes into them.

use oplock_tests::{Folder, source};

/// A workspace of an operator crate that was released once and a program that saves and loads graphs of it.
fn program(main: &str) -> Folder {
    let root = Folder::new();
    root.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"ops\", \"app\"]\n");
    root.copy_cargo_lock();
    let ops = root.sub("ops");
    ops.write("Cargo.toml", &source::member_manifest("vision-ops", "1.0.0"));
    ops.write("src/lib.rs", source::OPS);
    let app = root.sub("app");
    let manifest = source::member_manifest("app", "0.1.0").replace(" }\n", ", features = [\"graph\"] }\n");
    app.write("Cargo.toml", &(manifest + "vision-ops = { path = \"../ops\" }\n"));
    app.write("src/main.rs", main);
    let _ = root.sub("ops").released("1.0.0");
    root
}

/// Saves a graph and loads it, and prints what it says of who wrote it.
const ROUND_TRIP: &str = r#"
use oplock::graph::{Graph, GraphBuilder, LoadOptions, Program};
use vision_ops::{Add, Slice};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Naming the table links the crate.
    let _ = vision_ops::ops();
    let program = Program::linked()?;
    let mut builder = GraphBuilder::new();
    let x = builder.input("x");
    let (part, sum) = (builder.fresh("part"), builder.fresh("sum"));
    builder.push(Slice::new(x.clone(), part.clone(), vec![0]).with_starts(vec![2]).with_use_mkldnn(true))?;
    builder.push(Add::new(x, part, sum.clone()))?;
    builder.output(&sum);
    let saved = program.save(&builder.finish())?.graph;
    let stamp = &saved.stamps["vision-ops"];
    println!("producer {}, releases {:?}", stamp.producer, stamp.releases.len());
    println!("oldest reader {:?}", stamp.oldest_reader.as_ref().map(|oldest| oldest.version.to_string()));
    println!("unpromised {:?}", stamp.unpromised.as_ref().map(|unpromised| &unpromised.reason));
    let bytes = saved.to_bytes()?;
    assert_eq!(Graph::from_json(&saved.to_json()?)?, saved);
    let loaded = program.load(Graph::from_bytes(&bytes)?, LoadOptions::default())?;
    for (at, slice) in loaded.graph.all::<Slice>() {
        let slice = slice?;
        println!("{at}: starts {:?}, mkldnn {}", slice.starts, slice.use_mkldnn);
    }
    println!("fingerprint {}", program.fingerprint().total());
    Ok(())
}
"#;

#[test]
fn what_a_crate_says_of_itself_goes_into_its_graphs() {
    let folder = program(ROUND_TRIP);
    let run = || folder.cargo("run").args(["--quiet", "-p", "app"]).run().succeeds().stdout;
    let first = run();
    let lines: Vec<_> = first.lines().collect();
    let expected = [
        "producer 1, releases 1",
        "oldest reader Some(\"1.0.0\")",
        "unpromised None",
        "node 0 of block 0: starts [2], mkldnn true",
    ];
    assert_eq!(lines[..4], expected, "{first}");

    // What no release has is said, and the fingerprint is another one.
    folder.edit("ops/src/lib.rs", "default = []", "default = [0]");
    folder.edit("ops/Cargo.toml", "version = \"1.0.0\"", "version = \"2.0.0-alpha.1\"");
    let second = run();
    let lines: Vec<_> = second.lines().collect();
    assert_eq!(lines[2], "unpromised Some(\"2.0.0-alpha.1 is a pre-release\")", "{second}");
    let fingerprint = |text: &str| text.lines().last().unwrap().to_owned();
    assert_ne!(fingerprint(&first), fingerprint(&second));
}

/// Nothing tells cargo that the folder of golden graphs came, so the test is there before it.
#[test]
fn golden_graphs_are_loaded_that_came_after_the_last_build() {
    let folder = Folder::new().sub("my ops").package("golden-ops", "1.0.0", source::OPS);
    folder.edit("Cargo.toml", "version = \"0.1.0\" }", "version = \"0.1.0\", features = [\"graph\"] }");
    let folder = folder.released("1.0.0");
    folder.test().succeeds().says("golden_graphs_load ... ok");
    let graph = r#"{"magic": "oplock graph", "format": 1, "blocks": [{"inputs": ["x", "y"], "outputs": ["z"], "nodes": [
        {"op": "add", "inputs": {"X": ["x"], "Y": ["y"]}, "outputs": {"Out": ["z"]}}]}]}"#;
    folder.write("sum.json", graph);
    folder
        .oplock("seal")
        .arg("--golden")
        .arg(folder.path().join("sum.json"))
        .run()
        .succeeds()
        .says("1 golden graph in");
    folder.test().succeeds().says("golden_graphs_load ... ok");
    // What is wrong with it is noticed without a change of the sources.
    let golden = "golden/1.0.0/sum.json";
    let recorded = folder.read(golden);
    folder.write(golden, &recorded.replace("\"add\"", "\"sub\""));
    folder.test().fails().says("what a release saved does not load any more").says("mend the operators");
    folder.write(golden, &recorded[..recorded.len() / 2]);
    let cut = folder.test().fails().says("a golden graph cannot be read");
    cut.says("help: bring it back as it was recorded: `git checkout -- '/").says_nothing_of("mend the operators");
    folder.write(golden, &recorded);
    folder.test().succeeds();
}
