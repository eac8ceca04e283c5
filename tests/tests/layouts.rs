//! Where a crate lies, what it is made of and how it names `oplock`.

use oplock_tests::{Folder, source, workspace};

/// The whole life in short: init, an addition, update, a break.
#[track_caller]
fn lives(ops: &Folder, file: &str) {
    ops.oplock("init").run().succeeds();
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();
    let text = ops.read(file);
    ops.write(
        file,
        &text.replacen(
            "    pub x: Var,\n",
            "    pub x: Var,\n    /// More.\n    #[attr(default = 1)]\n    pub more: i32,\n",
            1,
        ),
    );
    ops.check().succeeds().says("attribute `more` of");
    ops.oplock_check().exits(1);
    ops.oplock_update().succeeds();
    assert!(ops.lock().contains("attr.more = { type = \"i32\", default = 1, unreleased = true }"), "{}", ops.lock());
    ops.test().succeeds().says("ops_lock_is_up_to_date ... ok");
    ops.edit(file, "default = 1", "default = 2");
    let errors = ops.check().fails().errors();
    assert!(errors.len() == 1 && errors[0].text.contains("changed from 1 to 2"), "{errors:?}");
    ops.oplock_update().exits(100);
}

#[test]
fn a_path_with_blanks_and_letters_of_all_kinds() {
    let folder = Folder::new().sub("mes opérateurs — 算子 'x' $HOME #1");
    lives(&folder.package("odd-path", "0.1.0", &source::one_op("the_op", "")), "src/lib.rs");
}

#[test]
fn edition_2021_and_strict_lints() {
    let strict = "#![forbid(unsafe_code)]\n#![deny(missing_docs, unreachable_pub, unused, rust_2018_idioms, future_incompatible)]\n\
                  #![deny(nonstandard_style, let_underscore_drop, unused_qualifications, unused_lifetimes)]\n\
                  #![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]\n\
                  #![allow(clippy::multiple_crate_versions)]\n";
    let folder = Folder::new();
    for edition in ["2021", "2024"] {
        let ops = folder.package(&format!("edition-{edition}"), "1.0.0", &format!("{strict}{}", source::OPS));
        ops.edit(
            "Cargo.toml",
            "edition = \"2024\"",
            &format!("edition = \"{edition}\"\nreadme = \"r.md\"\nkeywords = [\"a\"]\ncategories = [\"b\"]"),
        );
        ops.write("r.md", "");
        let ops = ops.released("1.0.0");
        ops.check().succeeds().warns_of_nothing();
        ops.test().succeeds().warns_of_nothing();
        if ops.cargo("clippy").arg("--version").run().is_success() {
            ops.cargo("clippy").args(["--all-targets"]).run().succeeds().warns_of_nothing();
        } else {
            eprintln!("clippy is not installed: its lints are not tried");
        }
        // And while the lock is stale.
        ops.append("src/lib.rs", source::NEG);
        ops.check().succeeds().says("ops.lock is stale");
    }
}

/// The name under which a crate knows `oplock` is its own affair.
#[test]
fn a_renamed_dependency() {
    let lib = source::one_op("the_op", "")
        .replace("use oplock::{Var, op};", "use ops::Var;")
        .replace("oplock::lock!", "ops::lock!");
    let ops = Folder::new().package("renaming-ops", "0.1.0", &lib.replace("#[op(", "#[ops::op("));
    ops.edit("Cargo.toml", "oplock = {", "ops = { package = \"oplock\",");
    lives(&ops, "src/lib.rs");
}

/// A framework with a macro that declares operators.
const FRAMEWORK: &str = r#"//! A framework.

pub use oplock;

/// Declares an operator of one input.
#[macro_export]
macro_rules! unary {
    ($name:literal, $type:ident $(, $field:ident: $of:ty)*) => {
        /// Of one input.
        #[$crate::oplock::op($name)]
        pub struct $type {
            /// The operand.
            #[input(name = "X")]
            pub x: $crate::oplock::Var,
            $(
                /// An attribute.
                #[attr]
                pub $field: $of,
            )*
        }
    };
}
"#;

/// Operators by way of the framework.
const FACADE_OPS: &str = r#"//! Operators.

use framework::{oplock, unary};

oplock::lock!();

unary!("neg", Neg);
unary!("scale", Scale, by: f32, axes: Vec<i32>);

/// By hand.
#[oplock::op("the_op")]
pub struct TheOp {
    /// The operand.
    #[input]
    pub x: oplock::Var,
}

/// In no lock.
#[oplock::op("probe", unlocked, crate = framework::oplock)]
pub struct Probe {}
"#;

/// A framework re-exports `oplock`, and its users depend on the framework alone.
#[test]
fn a_facade_and_a_macro_of_another_crate() {
    let folder = Folder::new();
    let _ = folder.package("framework", "0.1.0", FRAMEWORK);
    let ops = folder.package("facade-ops", "1.0.0", FACADE_OPS);
    let dependency = format!("oplock = {}", source::oplock_dependency());
    ops.edit("Cargo.toml", &dependency, "framework = { path = \"../framework\" }");
    let ops = ops.released("1.0.0");
    for line in ["neg.input.X = {}", "scale.attr.axes = { type = \"[i32]\" }", "the_op.input.x = {}"] {
        assert!(ops.lock_has(line), "{line}\n{}", ops.lock());
    }
    assert!(!ops.lock().contains("probe"), "{}", ops.lock());
    ops.check().succeeds().warns_of_nothing();
    ops.test().succeeds();
    // An error stands where the user can mend it.
    ops.edit("src/lib.rs", "by: f32", "by: f64");
    ops.check().fails().has_error_at(&ops.place("src/lib.rs", "f64"), "from `f32` to `f64`");
    ops.edit("src/lib.rs", "by: f64", "by: f32");
    ops.edit("src/lib.rs", "unary!(\"neg\", Neg);\n", "unary!(\"sign\", Sign);\n");
    ops.check().fails().says("operator `neg` is deleted");
    ops.oplock_check().exits(100);
}

/// A member in a folder of its own, one that declares nothing, and one whose lock is stale.
fn virtual_workspace(folder: &Folder) {
    folder.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n");
    folder.copy_cargo_lock();
    for name in ["audio-ops", "vision-ops"] {
        let member = folder.sub("crates").sub(name);
        member.write("Cargo.toml", &source::member_manifest(name, "1.0.0"));
        member.write("src/lib.rs", source::OPS);
    }
    let plain = folder.sub("crates").sub("plain");
    plain.write("Cargo.toml", "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    plain.write("src/lib.rs", "//! Nothing.\n");
}

#[test]
fn members_of_a_virtual_workspace() {
    let folder = Folder::new();
    virtual_workspace(&folder);
    let [audio, vision, plain] = ["audio-ops", "vision-ops", "plain"].map(|name| folder.sub("crates").sub(name));
    folder.oplock("check").run().exits(101).says("no package of the workspace has an ops.lock");
    folder.oplock("init").args(["-p", "vision-ops", "--released", "1.0.0"]).run().succeeds();
    assert!(vision.has("ops.lock") && !audio.has("ops.lock"));
    folder.oplock("check").args(["-p", "audio-ops"]).run().exits(101).says("package `audio-ops` has no ops.lock");
    folder.oplock("check").args(["-p", "vision-op"]).run().exits(101).says("did you mean `vision-ops`?");
    // The rest of the workspace; what has a lock keeps it.
    let state = vision.lock_state();
    folder.oplock("init").args(["--workspace", "--released", "1.0.0"]).run().succeeds().says("vision-ops");
    assert_eq!(vision.lock_state(), state);
    assert!(audio.has("ops.lock") && !plain.has("ops.lock"));
    folder.check().succeeds().warns_of_nothing();
    folder.oplock_check().succeeds().prints_nothing();

    // One is stale and one broken: both are told, and the worst decides.
    audio.append("src/lib.rs", source::NEG);
    vision.edit("src/lib.rs", "default = []", "default = [1]");
    folder.oplock("check").run().exits(100).says("operator `neg` is added").says("changed from [] to [1]");
    folder.oplock("check").arg("--workspace").run().exits(100);
    folder.oplock("check").args(["-p", "audio-ops"]).run().exits(1);
    folder.oplock("check").args(["--workspace", "--exclude", "vision-ops"]).run().exits(1);
    folder.oplock("check").args(["--manifest-path", "crates/audio-ops/Cargo.toml"]).run().exits(1);
    audio.oplock_check().exits(1).says_nothing_of("vision-ops:");
    audio.sub("src").oplock_check().exits(1);
    plain.oplock_check().exits(101).says("does not depend on `oplock`");
    // The compiler names the member's own file.
    folder.check().fails().says("--> crates/vision-ops/src/lib.rs:");
    // What can be updated is, though another member cannot.
    folder.oplock_update().exits(100);
    assert!(audio.lock_has("neg.unreleased = true"), "{}", audio.lock());
    assert_eq!(vision.lock_state(), state);
    folder.oplock("plan").arg("major").run().exits(101).says("-p NAME");
    folder.oplock("plan").args(["major", "-p", "vision-ops"]).run().succeeds();
    vision.takes_version(2);
    folder.oplock("update").run().succeeds();
    folder.oplock("check").run().succeeds();
    folder.check().succeeds();
    // A damaged lock does not hide what is said of the others.
    audio.append("ops.lock", "?\n");
    vision.append("src/lib.rs", source::NEG);
    folder.oplock("check").run().exits(101).says("audio-ops/ops.lock:").says("operator `neg` is added");
}

/// A package at the root of a workspace and a member below it.
#[test]
fn a_root_package_and_a_member() {
    let folder = Folder::new();
    folder.write(
        "Cargo.toml",
        &source::manifest("root-ops", "1.0.0", "")
            .replace("[workspace]", "[workspace]\nmembers = [\"sub/member-ops\"]"),
    );
    folder.write("src/lib.rs", source::OPS);
    folder.copy_cargo_lock();
    let member = folder.sub("sub/member-ops");
    member.write("Cargo.toml", &source::member_manifest("member-ops", "1.0.0"));
    member.write("src/lib.rs", &source::one_op("the_op", ""));
    folder.oplock("init").run().succeeds();
    assert!(folder.has("ops.lock") && !member.has("ops.lock"), "the root alone is at hand");
    member.oplock("init").run().succeeds();
    assert!(!member.lock().contains("slice") && !folder.lock().contains("the_op"));
    folder.cargo("check").arg("--workspace").run().succeeds().warns_of_nothing();
    member.edit(
        "src/lib.rs",
        "    pub x: Var,\n",
        "    pub x: Var,\n    /// More.\n    #[attr(default = 1)]\n    pub more: i32,\n",
    );
    folder.oplock_check().succeeds();
    folder.oplock("check").arg("--workspace").run().exits(1).says("attribute `more`");
    // A folder of the package below which there is no other manifest.
    folder.sub("src").oplock_check().succeeds();
}

/// Where there is no library, the binary holds the operators.
#[test]
fn a_package_with_only_a_binary() {
    let folder = Folder::new();
    let main = source::one_op("the_op", "\nfn main() {\n    println!(\"{} of {}\", ops().len(), ops().package);\n}\n");
    let ops = folder.package("only-a-bin", "0.1.0", "");
    ops.remove("src/lib.rs");
    ops.write("src/main.rs", &main);
    lives(&ops, "src/main.rs");
    ops.edit("src/main.rs", "default = 2", "default = 1");
    let output = ops.cargo("run").run().succeeds();
    assert_eq!(output.stdout, "1 of only-a-bin\n", "{output}");
}

/// A target that declares an operator for itself and prints what is registered.
fn target(probe: &str, function: &str) -> String {
    format!(
        r#"//! Another target.

use oplock::{{Registry, Var, op}};

/// A probe.
#[op("{probe}", unlocked)]
pub struct Probe {{
    /// The operand.
    #[input]
    pub x: Var,
}}

{function} {{
    let _ = ops_of_targets::ops();
    for op in Registry::global().unwrap().iter() {{
        println!("{{}}", op.def.name);
    }}
    assert_eq!(Registry::global().unwrap().len(), 3);
}}
"#
    )
}

const UNIT_TESTS: &str = r#"
#[cfg(test)]
mod tests {
    use oplock::{Registry, Var, op};

    #[op("unit_probe", unlocked)]
    pub struct Probe {
        #[input]
        pub x: Var,
    }

    #[test]
    fn unit() {
        assert_eq!(Registry::global().unwrap().len(), 3);
    }
}
"#;

/// A library with binaries, examples and tests: the library holds the locked operators, the others have some of their
/// own that are in no lock.
#[test]
fn other_targets_have_unlocked_operators() {
    let ops = Folder::new().package("ops-of-targets", "1.0.0", source::OPS).released("1.0.0");
    ops.write("src/main.rs", &target("bin_probe", "fn main()"));
    ops.write("examples/show.rs", &target("example_probe", "fn main()"));
    ops.write("tests/it.rs", &target("test_probe", "#[test]\nfn it()"));
    ops.append("src/lib.rs", UNIT_TESTS);
    let lock = ops.lock();
    ops.cargo("check").arg("--all-targets").run().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock(), lock);
    ops.test().succeeds().says("test it ... ok").says("test tests::unit ... ok");
    assert_eq!(ops.cargo("run").run().succeeds().stdout, "add\nbin_probe\nslice\n");
    assert_eq!(ops.cargo("run").args(["--example", "show"]).run().succeeds().stdout, "add\nexample_probe\nslice\n");

    // A second `lock!` would see all of the library's operators as deleted, so it is refused with what to do.
    let main = ops.read("src/main.rs");
    ops.write(
        "src/main.rs",
        &main.replace("/// A probe.", "oplock::lock!();\n\n/// A probe.").replace(", unlocked", ""),
    );
    ops.check()
        .fails()
        .has_error_at(
            &ops.place("src/main.rs", "oplock::lock!();"),
            "`lock!` belongs in the root of the library `ops_of_targets`",
        )
        .says("unlocked")
        .says_nothing_of("deleted");
}

/// Where an operator stands outside of the library, what helps is neither a `lock!` there nor an update.
#[test]
fn an_operator_outside_of_the_library_is_to_be_unlocked() {
    let ops = Folder::new().package("ops-and-others", "1.0.0", source::OPS).released("1.0.0");
    let unlocked = |name, main| target(name, main).replace("ops_of_targets", "ops_and_others");
    let locked = |name, main| unlocked(name, main).replace(", unlocked", "");
    for (file, name, main) in [
        ("src/main.rs", "bin_probe", "fn main()"),
        ("tests/it.rs", "test_probe", "#[test]\nfn it()"),
        ("examples/show.rs", "example_probe", "fn main()"),
    ] {
        ops.write(file, &locked(name, main));
        let message = format!("operator `{name}` stands outside of the library `ops_and_others`");
        ops.cargo("check")
            .arg("--all-targets")
            .run()
            .fails()
            .has_error_at(&ops.place(file, &format!("\"{name}\"")), &message)
            .says(&format!("`#[op(\"{name}\", unlocked)]`"))
            .says_nothing_of("add__oplock_lock__to_the_crate_root")
            .says_nothing_of("cargo oplock update");
        ops.write(file, &unlocked(name, main));
        ops.cargo("check").arg("--all-targets").run().succeeds().warns_of_nothing();
    }
}

/// An operator may stand anywhere, also in the body of a function, and its own documentation and derives stay.
#[test]
fn an_operator_in_a_function_body() {
    let more = r#"
/// Makes one.
pub fn make() -> usize {
    /// An inner operator.
    #[oplock::op("inner")]
    #[derive(Debug, Clone)]
    struct Inner {
        /// The operand.
        #[input(name = "Y")]
        y: Var,
    }
    format!("{:?}", Inner { y: "a".into() }.clone()).len()
}
"#;
    let ops = Folder::new().package("inner-ops", "1.0.0", &source::one_op("the_op", more)).released("1.0.0");
    assert!(ops.lock_has("inner.input.Y = {}"), "{}", ops.lock());
    ops.check().succeeds().warns_of_nothing();
    ops.test().succeeds();
    ops.edit("src/lib.rs", "    #[oplock::op(\"inner\")]\n", "    #[oplock::op(\"outer\")]\n");
    ops.check().fails().says("operator `inner` is deleted").says_nothing_of("non_local");
    ops.edit("src/lib.rs", "\"outer\"", "\"inner\"");
    ops.edit(
        "src/lib.rs",
        "\"Y\")]\n        y: Var,\n",
        "\"Y\")]\n        y: Var,\n        /// More.\n        #[attr(default = 1)]\n        more: i32,\n",
    );
    ops.edit("src/lib.rs", "{ y: \"a\".into() }", "{ y: \"a\".into(), more: 2 }");
    ops.check()
        .succeeds()
        .has_warning_at(&ops.place("src/lib.rs", "\"inner\""), "attribute `more` of `inner` is added");
    ops.test().fails().says("attribute `more` of `inner` is added");
}

/// Names that are no identifiers, or keywords, or alike.
#[test]
fn odd_names_of_operators() {
    let names = [
        "aten::add.Tensor",
        "aten_add_Tensor",
        "aten__add.Tensor",
        "while",
        "ai.onnx.ml.Scaler",
        "self",
        "a>b",
        "_private",
    ];
    let declaration = |i: usize, name: &str| format!("\n/// One.\n#[oplock::op(\"{name}\")]\npub struct Op{i};\n");
    let mut lib = String::from("//! Names.\n\noplock::lock!();\n");
    for (i, name) in names.iter().enumerate() {
        lib.push_str(&declaration(i, name));
    }
    let ops = Folder::new().package("odd-names", "1.0.0", &lib).released("1.0.0");
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds();
    ops.test().succeeds();
    for (i, name) in names.iter().enumerate() {
        let without = lib.replace(&declaration(i, name), "");
        ops.write("src/lib.rs", &without);
        if *name == "_private" {
            ops.check().succeeds();
        } else {
            let output = ops.check().fails().has_errors(1).says(&format!("operator `{name}` is deleted"));
            assert_eq!(output.stderr.matches(" is deleted").count(), 1, "{output}");
        }
    }
}

/// The library's target may have another name and another file.
#[test]
fn a_library_of_another_name() {
    let ops = Folder::new().package("other-lib", "0.1.0", "");
    ops.remove("src/lib.rs");
    ops.write("source/root.rs", &source::one_op("the_op", ""));
    ops.append("Cargo.toml", "\n[lib]\nname = \"something\"\npath = \"source/root.rs\"\n");
    lives(&ops, "source/root.rs");
}

/// The command of the README, on the example of this workspace.
#[test]
fn the_example_of_this_workspace_is_in_order() {
    let manifest = workspace().join("examples/paddle-ops/Cargo.toml");
    let folder = Folder::new();
    folder.oplock("check").arg("--manifest-path").arg(manifest).run().succeeds().prints_nothing();
}
