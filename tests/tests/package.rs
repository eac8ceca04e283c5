//! `cargo package` and what it verifies; no network is needed, since `oplock` comes from this workspace.

use oplock_tests::{Folder, source, workspace};

/// A package with a fresh lock that can be packaged. Packages of one name and version share a folder in the target
/// folder, so each test has a name of its own.
#[track_caller]
fn packageable(name: &str) -> Folder {
    let ops = Folder::new().package(name, "1.0.0", source::OPS);
    let runtime = workspace().join("runtime");
    ops.write(
        ".cargo/config.toml",
        &format!("[patch.crates-io]\noplock = {{ path = {:?} }}\n", runtime.to_string_lossy()),
    );
    ops.released("1.0.0")
}

#[test]
fn a_package_with_a_fresh_lock_passes_and_a_stale_one_is_refused() {
    let ops = packageable("packaged-ops");
    let package = || ops.cargo("package").arg("--allow-dirty").run();
    package().succeeds().says("Verifying");
    ops.append("src/lib.rs", source::NEG);
    ops.check().succeeds();
    package()
        .fails()
        .has_error_at(&ops.place("src/lib.rs", "\"neg\""), "ops.lock is stale: operator `neg` is added")
        .says("packaged");
    ops.cargo("package").arg("--allow-dirty").env("OPLOCK_LOCKED", "0").run().succeeds();
    ops.oplock_update().succeeds();
    package().succeeds();
}

/// Whoever depends on a package that was published with a stale lock (by another tool, or by force) can build.
#[test]
fn dependents_of_a_stale_package_build() {
    let folder = Folder::new();
    let ops = packageable("published-ops");
    ops.append("src/lib.rs", source::NEG);
    let listed = ops.cargo("package").args(["--allow-dirty", "--list"]).run().succeeds();
    let published = folder.sub("published-ops");
    for file in listed.stdout.lines().filter(|file| *file != "Cargo.toml.orig" && *file != "Cargo.lock") {
        published.write(file, &ops.read(file));
    }
    published.write("Cargo.toml.orig", &ops.read("Cargo.toml"));
    let app = folder.package("dependent-app", "0.1.0", "//! An application.\n");
    app.append("Cargo.toml", "[dependencies.published-ops]\npath = \"../published-ops\"\n");
    app.check().succeeds();
    // As the primary package, which is what `cargo publish` verifies, it is refused.
    published.copy_cargo_lock();
    published.check().fails().says("ops.lock is stale");
}

/// C26
#[test]
fn a_lock_left_out_of_the_package_is_told_early_and_late() {
    const WARNING: &str = "ops.lock would be left out of the package";
    let ops = packageable("incomplete-ops");
    let package = || ops.cargo("package").arg("--allow-dirty").run();
    let manifest = ops.read("Cargo.toml");
    ops.oplock_check().succeeds().says_nothing_of(WARNING);
    for line in ["include = [\"src\"]", "exclude = [\"*.lock\"]"] {
        ops.edit("Cargo.toml", "edition = \"2024\"\n", &format!("edition = \"2024\"\n{line}\n"));
        ops.oplock_check().succeeds().says(WARNING).says("`include`");
        package().fails().says("there is no ops.lock").says("`include` and `exclude`");
        ops.write("Cargo.toml", &manifest);
    }
    ops.edit("Cargo.toml", "edition = \"2024\"\n", "edition = \"2024\"\ninclude = [\"src\", \"ops.lock\"]\n");
    ops.oplock_check().succeeds().says_nothing_of(WARNING);
    package().succeeds();
    ops.write("Cargo.toml", &manifest);

    ops.write(".gitignore", "*.lock\n");
    ops.run("git").args(["init", "--quiet"]).run().succeeds();
    ops.run("git").args(["add", "."]).run().succeeds();
    ops.oplock_check().succeeds().says(WARNING).says(".gitignore");
    package().fails().says("there is no ops.lock");
    ops.write(".gitignore", "/target\n");
    package().succeeds();
    // What is never published has no need of it.
    ops.write(".gitignore", "*.lock\n");
    ops.edit("Cargo.toml", "edition = \"2024\"\n", "edition = \"2024\"\npublish = false\n");
    ops.oplock_check().succeeds().says_nothing_of(WARNING);
}
