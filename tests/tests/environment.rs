//! `OPLOCK_LOCKED`, sources that are not the user's own, denied warnings, wrappers, other build systems.

use std::path::Path;

use oplock_tests::{Folder, Output, rustc, source};

const STALE: &str = "ops.lock is stale: operator `neg` is added [op_added]. Run `cargo oplock update`";

/// Adds an operator that the lock has not.
fn make_stale(ops: &Folder) {
    ops.append("src/lib.rs", source::NEG);
}

/// Each switch is seen by a build that has nothing else to do.
#[test]
fn oplock_locked_makes_a_stale_lock_an_error() {
    let ops = Folder::released_ops("1.0.0");
    let check = |value: &str| ops.cargo("check").env("OPLOCK_LOCKED", value).run();
    check("1").succeeds().warns_of_nothing();
    make_stale(&ops);
    let place = ops.place("src/lib.rs", "\"neg\"");
    for _ in 0..2 {
        ops.check().succeeds().has_warning_at(&place, STALE);
        check("1").fails().has_errors(1).has_error_at(&place, STALE).says("OPLOCK_LOCKED=1");
        for off in ["0", "false", "False", "off", "no", ""] {
            check(off).succeeds().has_warning_at(&place, STALE);
        }
        check("1").fails();
    }
    ops.cargo("test").env("OPLOCK_LOCKED", "1").run().fails().has_error_at(&place, STALE);
    // The command line says the same with and without it.
    ops.oplock("check").env("OPLOCK_LOCKED", "1").run().exits(1);
    ops.oplock("update").env("OPLOCK_LOCKED", "1").run().succeeds();
    check("1").succeeds().warns_of_nothing();
}

/// A break that the major version on the way allows makes the lock stale too, be it a deletion.
#[test]
fn oplock_locked_and_a_major_version() {
    let ops = Folder::released_ops("1.0.0");
    let (rest, _) = source::OPS.split_once("\n/// Adds.").unwrap_or_default();
    ops.write("src/lib.rs", &rest.replace("default = []", "default = [1]"));
    ops.set_version("2.0.0");
    ops.check().succeeds();
    ops.cargo("check")
        .env("OPLOCK_LOCKED", "1")
        .run()
        .fails()
        .has_errors(3)
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!();"), "the package is at 2.0.0")
        .has_error_at(&ops.place("src/lib.rs", "\"slice\""), "ops.lock is stale")
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!();"), "operator `add` is deleted");
    ops.refuses_older(2);
    ops.oplock_update().succeeds();
    ops.cargo("check").env("OPLOCK_LOCKED", "1").run().succeeds();
}

/// A crate of one's own is held to its lock wherever it stands in the build; what came from elsewhere is not.
#[test]
fn only_own_sources_must_be_locked() {
    let folder = Folder::new();
    let app = |name: &str, dependency: &str| {
        let app = folder.package(name, "0.1.0", "//! An application.\n");
        app.append("Cargo.toml", &format!("[dependencies.{dependency}]\npath = \"../{dependency}\"\n"));
        move || app.cargo("check").env("OPLOCK_LOCKED", "1").run()
    };
    let own = folder.package("own-ops", "1.0.0", source::OPS).released("1.0.0");
    make_stale(&own);
    app("own-app", "own-ops")().fails().says(STALE);
    for mark in [".cargo-checksum.json", ".cargo-ok"] {
        let name = format!("foreign{}", mark.trim_end_matches(".json").replace('.', "-"));
        let ops = folder.package(&name, "1.0.0", source::OPS).released("1.0.0");
        make_stale(&ops);
        ops.write(mark, "{\"files\":{}}");
        app(&format!("app-of-{name}"), &name)().succeeds();
        // A break is one for everybody.
        ops.edit("src/lib.rs", "default = []", "default = [1]");
        app(&format!("app-of-{name}"), &name)().fails().says("changed from [] to [1]");
    }
}

/// An addition must not break the build of somebody who denies warnings.
#[test]
fn a_stale_lock_builds_where_warnings_are_denied() {
    let ops = Folder::new().package(
        "denying-ops",
        "1.0.0",
        &source::OPS.replacen("//! Operators", "#![deny(warnings)]\n#![forbid(unsafe_code)]\n//! Operators", 1),
    );
    let ops = ops.released("1.0.0");
    ops.check().succeeds().warns_of_nothing();
    make_stale(&ops);
    let is_only_stale = |output: Output| {
        let output = output.succeeds().says(STALE);
        assert_eq!(output.warnings().len(), 1, "{output}");
    };
    is_only_stale(ops.check());
    // Flags are part of what cargo's cache is keyed by, so these builds get a folder of their own.
    let denied =
        |command: &str| ops.cargo(command).target_directory("denied-warnings").env("RUSTFLAGS", "-Dwarnings").run();
    is_only_stale(denied("check"));
    // A deletion that the major version on the way allows is no broken build either.
    let (rest, _) =
        ops.read("src/lib.rs").split_once("\n/// Adds.").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap_or_default();
    ops.write("src/lib.rs", &rest);
    ops.set_version("2.0.0");
    denied("check").succeeds().says("operator `add` is deleted");
    ops.check().succeeds().says("operator `add` is deleted");
    // And when all is in order, nothing is said.
    ops.refuses_older(2);
    ops.oplock_update().succeeds();
    denied("check").succeeds().warns_of_nothing();
}

/// A compiler wrapper that answers from a cache of its own, or cannot run, does not come between the macros and the
/// command line.
#[cfg(unix)]
#[test]
fn a_wrapper_of_the_compiler_is_left_out() {
    use std::os::unix::fs::PermissionsExt;

    let ops = Folder::released_ops("1.0.0");
    make_stale(&ops);
    // It says that all is compiled, and compiles nothing.
    let name = ops.crate_name();
    ops.write("wrapper", &format!("#!/bin/sh\ncase \"$*\" in *--crate-name\\ {name}*) exit 0;; esac\nexec \"$@\"\n"));
    let wrapper = ops.path().join("wrapper");
    std::fs::set_permissions(&wrapper, PermissionsExt::from_mode(0o755)).expect("the file was just written");
    for variable in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
        ops.oplock("check").env(variable, &wrapper).run().exits(1).says("operator `neg` is added");
    }
    ops.write(".cargo/config.toml", &format!("[build]\nrustc-wrapper = {:?}\n", wrapper.to_string_lossy()));
    ops.oplock_check().exits(1).says("operator `neg` is added");
    ops.oplock_update().succeeds();
    assert!(ops.lock_has("neg.unreleased = true"), "{}", ops.lock());
}

/// Without cargo the macros say which variables they need, and with those they work.
#[test]
fn another_build_system_is_told_what_to_set() {
    let ops = Folder::released_ops("1.0.0");
    let built = ops.cargo("check").args(["--message-format", "json"]).run().succeeds();
    let library = built.json_lines().into_iter().find(|message| message["target"]["name"] == "oplock");
    let message = library.expect("it was checked");
    let mut files =
        message["filenames"].as_array().into_iter().flatten().filter_map(|file| file.as_str()).map(Path::new);
    let file = files.next().expect("cargo tells where the library is");
    let folder = file.parent().expect("a file lies in a folder");
    let compile = |variables: &[(&str, &str)]| {
        ops.run(rustc())
            .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "src/lib.rs", "--extern"])
            .arg(format!("oplock={}", file.display()))
            .arg("-L")
            .arg(format!("dependency={}", folder.display()))
            .envs(variables)
            .run()
    };
    compile(&[]).fails().does_not_panic().says("CARGO_MANIFEST_DIR is not set").says("CARGO_PKG_VERSION");
    let manifest_dir = ops.path().to_string_lossy().into_owned();
    compile(&[("CARGO_MANIFEST_DIR", &manifest_dir)]).fails().does_not_panic().says("CARGO_PKG_NAME is not set");
    let name = ops.name();
    let variables = [
        ("CARGO_MANIFEST_DIR", manifest_dir.as_str()),
        ("CARGO_PKG_NAME", name.as_str()),
        ("CARGO_PKG_VERSION", "1.0.0"),
    ];
    compile(&variables).succeeds();
    ops.edit("src/lib.rs", "default = []", "default = [1]");
    compile(&variables).fails().has_error_at(&ops.place("src/lib.rs", "[1]"), "changed from [] to [1]");
    // There may be no manifest at all.
    ops.remove("Cargo.toml");
    compile(&variables).fails().has_error_at(&ops.place("src/lib.rs", "[1]"), "changed from [] to [1]");
    ops.edit("src/lib.rs", "default = [1]", "default = []");
    compile(&variables).succeeds();
}
