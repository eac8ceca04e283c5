//! An operator that moves to another package, as its author goes about it.

use oplock_tests::{Folder, source};

#[test]
fn an_operator_moves_with_what_its_lock_said() {
    let folder = Folder::new();
    let owner = folder.package("vision-ops", "1.0.0", source::OPS).released("1.0.0");
    let heir = folder.package("math-ops", "1.0.0", &source::one_op("neg", "")).released("1.0.0");
    heir.set_version("1.1.0");
    let (start, end) = (source::OPS.find("/// Extracts"), source::OPS.find("/// Adds."));
    let slice = &source::OPS[start.unwrap()..end.unwrap()];
    let moved = slice.replacen("#[op(\"slice\")]", "#[op(\"slice\", moved_from = \"vision-ops\")]", 1);
    assert_ne!(moved, slice);
    heir.append("src/lib.rs", &moved);
    heir.check().fails().says("operator `slice` is said to come from the package `vision-ops`").says("moved_unknown");
    heir.oplock_update().exits(100).says("cargo oplock update --moved-from");
    let take = |path: &str| heir.oplock("update").args(["--moved-from", path]).run();
    take("../nowhere/ops.lock").exits(101).says("there is no such file");
    take("../vision-ops").succeeds().says("`slice` over from vision-ops 1.0.0");
    assert!(heir.lock_has("[moved.vision-ops.op]"), "{}", heir.lock());
    heir.check().succeeds().warns_of_nothing();
    heir.oplock("seal").run().succeeds();
    heir.oplock_check().succeeds();
    // What is another here was never the same operator.
    let other = folder.package("other-ops", "1.0.0", &source::one_op("neg", "")).released("1.0.0");
    other.set_version("1.1.0");
    let changed = moved.replacen("default = []", "default = [1]", 1);
    assert_ne!(changed, moved);
    other.append("src/lib.rs", &changed);
    let taken = other.oplock("update").args(["--moved-from", "../vision-ops/ops.lock"]).run();
    taken.exits(100).says("does not accept all that it did in the package `vision-ops`").says("moved_narrows");
    assert!(!other.lock_has("[moved.vision-ops.op]"), "{}", other.lock());
    drop(owner);
}

#[test]
fn a_new_package_takes_over_with_its_first_lock() {
    let folder = Folder::new();
    let owner = folder.package("vision-ops", "1.0.0", &source::one_op("neg", "")).released("1.0.0");
    let moved = source::one_op("neg", "").replacen("#[op(\"neg\")]", "#[op(\"neg\", moved_from = \"vision-ops\")]", 1);
    let heir = folder.package("math-ops", "0.1.0", &moved);
    // Each command that cannot do it names the one that can.
    heir.oplock("init").run().exits(100).says("moved_unknown").says("(`init --moved-from` where no lock is here yet)");
    let update = heir.oplock("update").args(["--moved-from", "../vision-ops/ops.lock"]).run();
    update.exits(101).says("`cargo oplock init --moved-from ../vision-ops/ops.lock` creates it");
    let init = |path: &str| heir.oplock("init").args(["--moved-from", path]).run();
    init("../nowhere/ops.lock").exits(101).says("there is no such file");
    assert!(!heir.has("ops.lock"));
    init("../vision-ops").succeeds().says("`neg` over from vision-ops 1.0.0");
    assert!(heir.lock_has("[moved.vision-ops.op]"), "{}", heir.lock());
    heir.check().succeeds().warns_of_nothing();
    heir.oplock_update().succeeds().says("Unchanged");
    heir.oplock("seal").run().succeeds();
    heir.oplock_check().succeeds();
    init("../vision-ops").exits(101).says("the lock is there already");
    drop(owner);
}

/// As docs/versions.md says, in both ways.
#[test]
fn the_earlier_owner_deletes_what_moved() {
    let folder = Folder::new();
    let (start, end) = (source::OPS.find("/// Extracts"), source::OPS.find("/// Adds."));
    let without = source::OPS.replacen(&source::OPS[start.unwrap()..end.unwrap()], "", 1);
    let declared = |lib: &str, versions: &str| {
        let lock = format!("oplock::lock! {{ saved graph {{ {versions} }} }}");
        assert!(lib.contains("oplock::lock!();"), "{lib}");
        lib.replacen("oplock::lock!();", &lock, 1)
    };
    // At once.
    let owner = folder.package("deleting-ops", "1.0.0", source::OPS);
    owner.edit("Cargo.toml", "version = \"0.1.0\" }", "version = \"0.1.0\", features = [\"graph\"] }");
    let owner = owner.released("1.0.0");
    let graph = r#"{"magic": "oplock graph", "format": 1, "blocks": [{"inputs": ["x"], "outputs": ["y"], "nodes": [
        {"op": "slice", "inputs": {"Input": ["x"]}, "outputs": {"Out": ["y"]}, "attrs": {"axes": {"i32s": [0]}}}]}]}"#;
    owner.write("sliced.json", graph);
    owner.oplock("seal").args(["--golden", "sliced.json"]).run().succeeds();
    let moved = format!("oplock::lock!();\n{}", &source::OPS[start.unwrap()..end.unwrap()]);
    let moved = moved.replacen("#[op(\"slice\")]", "#[op(\"slice\", moved_from = \"deleting-ops\")]", 1);
    let heir = folder.package("heir-ops", "1.0.0", &format!("//! Ops.\nuse oplock::{{Var, op}};\n{moved}"));
    heir.oplock("init").args(["--moved-from", "../deleting-ops"]).run().succeeds();
    heir.oplock("seal").run().succeeds();
    let without_it = declared(&without, "version 2 = \"slice lives in math-ops\";");
    owner.write("src/lib.rs", &without_it);
    owner.oplock("plan").arg("major").run().succeeds();
    let refused = owner.oplock_update().exits(100).says("break_not_covered");
    refused
        .says("or why nothing does")
        .says("`deprecated(version = 2, note = \"…\")`, and delete it in a later release");
    owner.append(
        "src/lib.rs",
        "
#[oplock::upgrade(op = \"slice\", before = 2)]
fn slice_moved(_: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError> {
    Err(oplock::graph::UpgradeError::new(\"it moved to math-ops: link that\"))
}
",
    );
    owner.oplock_update().succeeds();
    owner.check().succeeds().warns_of_nothing();
    owner.set_version("2.0.0");
    owner.oplock("seal").run().succeeds();
    owner.check().succeeds().warns_of_nothing();
    // Its golden graphs are loaded by a test that links the new owner.
    owner.test().fails().says("golden/1.0.0/sliced.json").says("it moved to math-ops: link that");
    let manifest = owner.read("Cargo.toml");
    owner.write("Cargo.toml", &format!("{manifest}\n[dev-dependencies]\nheir-ops = {{ path = \"../heir-ops\" }}\n"));
    owner.append("src/lib.rs", "\n#[cfg(test)]\nuse heir_ops as _;\n");
    owner.test().succeeds().says("golden_graphs_load ... ok");
    // Deprecated first.
    let owner = folder.package("leaving-ops", "1.0.0", source::OPS).released("1.0.0");
    let manifest = owner.read("Cargo.toml");
    owner.write("Cargo.toml", &format!("{manifest}\n[package.metadata.oplock]\nmin-producer-window = \"0 days\"\n"));
    let moved = "version 2 = \"slice moves to math-ops\";";
    let deprecated = "#[op(\"slice\", deprecated(version = 2, note = \"it moved to math-ops\"))]";
    let lib = declared(source::OPS, moved).replacen("#[op(\"slice\")]", deprecated, 1);
    assert!(lib.contains(deprecated));
    owner.write("src/lib.rs", &lib);
    owner.set_version("1.1.0");
    owner.oplock_update().succeeds();
    owner.oplock("seal").run().succeeds();
    let min_producer = format!("min_producer = 2; {moved} version 3 = \"slice lives in math-ops\";");
    owner.write("src/lib.rs", &declared(&without, &min_producer));
    owner.oplock("plan").arg("major").run().succeeds();
    owner.oplock_update().succeeds();
    owner.set_version("2.0.0");
    owner.oplock("seal").run().succeeds();
    owner.check().succeeds().warns_of_nothing();
}
