//! Operators under conditions: features, sets of features, platforms.

use oplock_tests::{Folder, source};

/// One operator for everybody and one for a feature, in which way it is written is for the test to say.
#[track_caller]
fn package(name: &str, features: &str, more: &str) -> Folder {
    let ops = Folder::new().package(name, "1.0.0", &source::one_op("the_op", more));
    ops.append("Cargo.toml", &format!("\n[features]\n{features}\n"));
    ops
}

fn op(name: &str, arguments: &str, body: &str) -> String {
    let ty: String = name
        .split('_')
        .flat_map(|part| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)))
        .collect();
    format!("\n/// An operator.\n#[oplock::op(\"{name}\"{arguments})]\npub struct {ty} {{{body}}}\n")
}

const CUDA: &str = ", cfg(feature = \"cuda\")";
const CUDA_LINE: &str = "gpu.cfg = 'feature = \"cuda\"'";

#[track_caller]
fn both(ops: &Folder, features: &[&str]) {
    for feature in features {
        ops.cargo("check").args(["--features", feature]).run().succeeds().warns_of_nothing();
    }
}

/// C22
#[test]
fn an_operator_behind_a_feature() {
    let ops = package("cuda-ops", "cuda = []", &op("gpu", CUDA, "")).released("1.0.0");
    assert!(ops.lock().contains("gpu.cfg = ") && ops.lock().contains("cuda"), "{CUDA_LINE}\n{}", ops.lock());
    let state = ops.lock_state();
    both(&ops, &["", "cuda"]);
    for flags in [&[][..], &["--features", "cuda"], &["--all-features"], &["--no-default-features"]] {
        ops.oplock("check").args(flags).run().succeeds().prints_nothing();
        ops.oplock("update").args(flags).run().succeeds().prints_nothing();
        ops.cargo("test").args(flags).run().succeeds();
    }
    assert_eq!(ops.lock_state(), state);
    ops.oplock("check")
        .args(["--features", "rocm"])
        .run()
        .exits(101)
        .says("no selected package has the feature `rocm`");

    // Its signature is kept as that of any other, with and without the feature.
    ops.edit("src/lib.rs", "pub struct Gpu {}", "pub struct Gpu {\n    /// New.\n    #[input]\n    pub x: Var,\n}");
    for features in ["", "cuda"] {
        ops.cargo("check")
            .args(["--features", features])
            .run()
            .fails()
            .says("the added input `x` of `gpu` is not dispensable");
    }
    ops.oplock_check().exits(100);
    // Deleted, it is missed by every build that should have it; no other can tell.
    ops.write("src/lib.rs", &source::one_op("the_op", ""));
    ops.check().succeeds();
    ops.oplock_check().succeeds().prints_nothing().says("1 operator, left as the lock has them: feature = \"cuda\"");
    ops.cargo("check").args(["--features", "cuda"]).run().fails().says("operator `gpu` is deleted");
    ops.oplock("check").args(["--features", "cuda"]).run().exits(100).says("operator `gpu` is deleted");
    ops.oplock("update").args(["--features", "cuda"]).run().exits(100);
    assert_eq!(ops.lock_state(), state);
    ops.append("Cargo.toml", "\n[package.metadata.oplock]\nfeatures = [[\"cuda\"]]\n");
    ops.oplock_check().exits(100).says("operator `gpu` is deleted");
    ops.set_version("2.0.0");
    ops.refuses_older(2);
    ops.oplock_update().succeeds();
    assert!(!ops.lock().contains("gpu.cfg") && ops.lock().contains("gpu.unreleased.op"), "{}", ops.lock());
    // The row stays, though it has no entry any more.
    let state = ops.lock_state();
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock_state(), state);
}

/// A whole module that is only there with the feature: without it, nobody can see whether the operators are.
#[test]
fn a_module_behind_a_feature() {
    let module = format!("\n/// On the GPU.\n#[cfg(feature = \"cuda\")]\npub mod cuda {{{}}}\n", op("gpu", CUDA, ""));
    let ops = package("module-ops", "cuda = []", &module);
    ops.oplock("init").args(["--released", "1.0.0", "--features", "cuda"]).run().succeeds();
    assert!(ops.lock().contains("gpu.cfg = "), "{}", ops.lock());
    let state = ops.lock_state();
    both(&ops, &["", "cuda"]);
    for flags in [&[][..], &["--features", "cuda"]] {
        ops.oplock("check").args(flags).run().succeeds().prints_nothing();
        ops.oplock("update").args(flags).run().succeeds().prints_nothing();
    }
    assert_eq!(ops.lock_state(), state);
    // Another operator is taken in all the same.
    ops.append("src/lib.rs", source::NEG);
    ops.oplock("update").run().succeeds();
    assert!(ops.lock_has("neg.unreleased = true") && ops.lock().contains("gpu.cfg = "), "{}", ops.lock());
    // Under a major version too: what was not looked for is not deleted.
    ops.set_version("2.0.0");
    ops.oplock("update").run().succeeds();
    assert!(ops.lock().contains("gpu.cfg = "), "{}", ops.lock());
    // Deleted it is, once somebody looks.
    ops.set_version("1.0.1");
    ops.edit("src/lib.rs", "#[oplock::op(\"gpu\"", "#[oplock::op(\"gpu2\"");
    ops.oplock("check").args(["--features", "cuda"]).run().exits(100).says("operator `gpu` is deleted");
}

/// A macro sees no `#[cfg]`, so what stands under one and does not say so would be promised to every build.
#[test]
fn what_a_feature_hides_must_say_so() {
    let hidden = "\n/// Hidden.\n#[cfg(feature = \"cuda\")]\n#[oplock::op(\"gpu\")]\npub struct Gpu {}\n";
    let ops = package("hidden-ops", "cuda = []\nother = []", "").released("1.0.0");
    ops.append("Cargo.toml", "\n[package.metadata.oplock]\nfeatures = [[\"cuda\"], [\"other\"]]\n");
    let state = ops.lock_state();
    ops.append("src/lib.rs", hidden);
    let file = "src/lib.rs";
    let line = ops.read(file).lines().position(|line| line.contains("op(\"gpu")).unwrap_or_default() + 1;
    for command in ["update", "check", "seal"] {
        ops.oplock(command)
            .run()
            .exits(101)
            .says(&format!("operator `gpu` ({file}:{line}) is there with --features cuda"))
            .says("not with the default features")
            .says("#[op(\"gpu\", cfg(feature = \"cuda\"))]");
    }
    assert_eq!(ops.lock_state(), state);
    ops.edit("src/lib.rs", "op(\"gpu\")", "op(\"gpu\", cfg(feature = \"cuda\"))");
    ops.oplock_update().succeeds();
    assert!(ops.lock().contains("gpu.cfg = "), "{}", ops.lock());
    both(&ops, &["", "cuda"]);
    // A module is no different, and so are upgrade functions, for which the compiler asks in every build.
    ops.append(
        "src/lib.rs",
        &format!("\n/// More.\n#[cfg(feature = \"other\")]\npub mod more {{{}}}\n", op("in_module", "", "")),
    );
    ops.oplock_check().exits(101).says("operator `in_module`").says("cfg(feature = \"other\")");
}

/// C27: each of two features that exclude each other brings operators.
#[test]
fn sets_of_features_that_exclude_each_other() {
    let modules = format!(
        "\n#[cfg(all(feature = \"cuda\", feature = \"rocm\"))]\ncompile_error!(\"one of them\");\n\n/// One.\n#[cfg(feature = \"cuda\")]\npub mod cuda {{{}}}\n\n/// \
         The other.\n#[cfg(feature = \"rocm\")]\npub mod rocm;\n",
        op("nv_gemm", CUDA, "")
    );
    let ops = package("exclusive-ops", "cuda = []\nrocm = []", &modules);
    let rocm = format!("//! The other.\n{}", op("amd_gemm", ", cfg(feature = \"rocm\")", ""));
    ops.write("src/rocm.rs", &rocm);
    ops.append("Cargo.toml", "\n[package.metadata.oplock]\nfeatures = [[\"cuda\"], [\"rocm\"]]\n");
    let ops = ops.released("1.0.0");
    for name in ["the_op", "nv_gemm", "amd_gemm"] {
        assert!(ops.lock_has(&format!("{name}.since = \"1.0.0\"")), "{name}\n{}", ops.lock());
    }
    both(&ops, &["", "cuda", "rocm"]);
    let state = ops.lock_state();
    ops.oplock_check().succeeds().prints_nothing().says("--features cuda").says("--features rocm");
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock_state(), state);

    // A set that does not build here keeps its entries; the others are judged.
    ops.write("src/rocm.rs", &format!("{rocm}\ncompile_error!(\"no ROCm here\");\n"));
    ops.append("src/lib.rs", source::NEG);
    ops.oplock_check()
        .exits(1)
        .says("no ROCm here")
        .says("does not build with --features rocm")
        .says("operator `neg` is added")
        .says_nothing_of("deleted");
    ops.oplock_update().succeeds().says("does not build with --features rocm");
    assert!(ops.lock_has("amd_gemm.since = \"1.0.0\"") && ops.lock_has("neg.unreleased = true"), "{}", ops.lock());
    ops.edit("src/lib.rs", "#[oplock::op(\"nv_gemm\"", "#[oplock::op(\"nv_gemm2\"");
    ops.oplock_check().exits(100).says("operator `nv_gemm` is deleted").says_nothing_of("`amd_gemm`");
    ops.edit("src/lib.rs", "#[oplock::op(\"nv_gemm2\"", "#[oplock::op(\"nv_gemm\"");
    // What all builds show to be gone is gone.
    ops.write("src/rocm.rs", "//! Empty.\n");
    ops.oplock_check().exits(100).says("operator `amd_gemm` is deleted");
    ops.oplock_update().exits(100);
    // A set that names what is no feature does not build, and is told.
    ops.write("src/rocm.rs", &rocm);
    ops.edit("Cargo.toml", "[\"rocm\"]]", "[\"rocm\"], [\"metal\"]]");
    ops.oplock_check().succeeds().says("metal");
    // A wrong key is an error with its line.
    ops.edit("Cargo.toml", "features = [[", "feature = [[");
    ops.oplock_check().exits(101).says("Cargo.toml:").says("did you mean `features`?");
}

/// A feature that is gone from the manifest can never be switched on again.
#[test]
fn a_feature_that_is_gone_deletes_its_operators() {
    let ops = package("gone-ops", "cuda = []", &op("gpu", CUDA, "")).released("1.0.0");
    let manifest = ops.read("Cargo.toml");
    ops.check().succeeds();
    ops.edit("Cargo.toml", "cuda = []", "");
    ops.check().fails().says("operator `gpu` needs the feature `cuda`, which Cargo.toml does not define");
    ops.oplock_check().exits(100).says("operator `gpu` needs the feature `cuda`");
    ops.oplock_update().exits(100);
    ops.write("Cargo.toml", &manifest);
    ops.check().succeeds();
    // Under a major version the ledger has it, and the declaration may go too.
    let lock = ops.lock();
    ops.edit("Cargo.toml", "cuda = []", "");
    ops.set_version("2.0.0");
    let source = ops.read("src/lib.rs");
    ops.refuses_older(2);
    ops.oplock_update().succeeds().says("operator `gpu` needs the feature `cuda`");
    assert!(ops.lock().contains("gpu.unreleased.op = { rule = \"op_deleted\""), "{}", ops.lock());
    ops.oplock_check().exits(0);
    ops.cargo("check").run().succeeds().says_nothing_of("ops.lock is stale");
    ops.write("ops.lock", &lock);
    ops.write("Cargo.toml", &manifest);
    ops.write("src/lib.rs", &source);
    // A feature may also be an optional dependency.
    ops.edit("Cargo.toml", "cuda = []", "other = []");
    ops.edit("Cargo.toml", "oplock = {", "cuda = { path = \"../cuda\", optional = true }\noplock = {");
    let _ = Folder::sub(&ops, "../").package("cuda", "0.1.0", "//! Nothing.\n");
    both(&ops, &["", "cuda"]);
    ops.oplock_check().succeeds();
}

/// What no build has is not promised; the compiler and the command line say so before it is in the lock.
#[test]
fn a_feature_that_never_was_adds_no_operator() {
    const MISSING: &str = "the added operator `gpu` needs the feature `cuda`, which Cargo.toml does not define";
    let ops = package("never-ops", "cpu = []", "").released("1.0.0");
    let state = ops.lock_state();
    ops.append("src/lib.rs", &op("gpu", CUDA, ""));
    ops.check().fails().has_errors(1).has_error_at(&ops.place("src/lib.rs", "cfg(feature"), MISSING);
    ops.oplock_check().exits(100).says(MISSING);
    ops.oplock_update().exits(100).says(MISSING).says("define the feature `cuda` in Cargo.toml");
    assert_eq!(ops.lock_state(), state);
    ops.edit("Cargo.toml", "cpu = []", "cpu = []\ncuda = []");
    ops.oplock_update().succeeds();
    ops.oplock_check().exits(0);
}

/// A condition that the compiler does not know is warned of where it stands, and not at `lock!` as well.
#[test]
fn a_flag_that_cargo_does_not_know_is_told_once() {
    let ops = package("flag-ops", "", &op("special", ", cfg(special_build)", "")).released("1.0.0");
    let warnings = ops.check().succeeds().warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    ops.check().has_warning_at(&ops.place("src/lib.rs", "special_build"), "unexpected `cfg` condition name");
}

/// C33, and the way back.
#[test]
fn narrowing_is_a_break_and_widening_is_none() {
    let ops = package("narrow-ops", "cuda = []\nrocm = []", &op("gemm", "", "")).released("1.0.0");
    let state = ops.lock_state();
    ops.edit("src/lib.rs", "\"gemm\"", "\"gemm\", cfg(feature = \"cuda\")");
    for features in ["", "cuda"] {
        ops.cargo("check").args(["--features", features]).run().fails().says("gemm").says("cuda");
    }
    let output = ops.oplock("check").args(["--message-format", "json"]).run().exits(100);
    assert_eq!(output.json_lines()[0]["bump"], "major", "{output}");
    ops.oplock_update().exits(100);
    assert_eq!(ops.lock_state(), state);

    let wide = package("wide-ops", "cuda = []\nrocm = []", &op("gemm", CUDA, "")).released("1.0.0");
    wide.edit("src/lib.rs", "cfg(feature = \"cuda\")", "cfg(any(feature = \"rocm\", feature = \"cuda\"))");
    wide.oplock_check().exits(1);
    wide.oplock_update().succeeds();
    wide.edit("src/lib.rs", ", cfg(any(feature = \"rocm\", feature = \"cuda\"))", "");
    wide.oplock_check().exits(1);
    wide.oplock_update().succeeds();
    assert!(!wide.lock().contains("gemm.cfg"), "{}", wide.lock());
    both(&wide, &["", "cuda", "rocm"]);
}

/// One operator may be two structs, each under a condition of its own, if they agree.
#[test]
fn one_operator_under_two_conditions() {
    let one = op("gemm", CUDA, "");
    let other = op("gemm", ", cfg(feature = \"rocm\")", "").replace("struct Gemm", "struct AmdGemm");
    let ops = package("two-ops", "cuda = []\nrocm = []", &format!("{one}{other}")).released("1.0.0");
    let cfg = ops.lock().lines().find(|line| line.starts_with("gemm.cfg")).map(str::to_owned).unwrap_or_default();
    assert!(cfg.contains("cuda") && cfg.contains("rocm") && cfg.contains("any("), "{}", ops.lock());
    both(&ops, &["", "cuda", "rocm"]);
    let state = ops.lock_state();
    for features in ["", "cuda", "rocm"] {
        ops.oplock("check").args(["--features", features]).run().succeeds().prints_nothing();
        ops.cargo("test").args(["--features", features]).run().succeeds();
    }
    assert_eq!(ops.lock_state(), state);
    // Both at once are two.
    ops.cargo("check").args(["--features", "cuda,rocm"]).run().fails().says("duplicate definitions");

    ops.edit(
        "src/lib.rs",
        "struct AmdGemm {}",
        "struct AmdGemm {\n    /// New.\n    #[attr(default = 1)]\n    pub more: i32,\n}",
    );
    ops.oplock_check().exits(101).says("a name has one signature under all conditions").says("src/lib.rs:");
    ops.oplock_update().exits(101);
    assert_eq!(ops.lock_state(), state);
}

/// A condition on the platform is recorded as any other, wherever it is.
#[test]
fn a_condition_on_the_platform() {
    let both_platforms =
        op("here", ", cfg(not(target_os = \"none\"))", "") + &op("elsewhere", ", cfg(target_os = \"none\")", "");
    let ops = package("platform-ops", "", &both_platforms).released("1.0.0");
    assert!(ops.lock().contains("elsewhere.cfg") && ops.lock().contains("here.cfg"), "{}", ops.lock());
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().succeeds().prints_nothing();
    ops.test().succeeds();
    ops.write("src/lib.rs", &source::one_op("the_op", ""));
    ops.check().fails().says("operator `here` is deleted");
    ops.oplock_check().exits(100).says("operator `here` is deleted");
}

/// The same where each is in a module of its own, of which a build shows one.
#[test]
fn one_operator_in_two_modules_behind_features() {
    let module = |feature: &str| {
        format!(
            "\n/// One.\n#[cfg(feature = \"{feature}\")]\npub mod {feature} {{{}}}\n",
            op("gemm", &CUDA.replace("cuda", feature), "")
        )
    };
    let modules = format!("{}{}", module("cuda"), module("rocm"));
    let ops = package("two-module-ops", "cuda = []\nrocm = []", &modules);
    let manifest = ops.read("Cargo.toml");
    ops.append("Cargo.toml", "\n[package.metadata.oplock]\nfeatures = [[\"cuda\"], [\"rocm\"]]\n");
    let ops = ops.released("1.0.0");
    let state = ops.lock_state();
    ops.write("Cargo.toml", &manifest);
    for features in ["", "cuda", "rocm"] {
        ops.cargo("check").args(["--features", features]).run().succeeds().warns_of_nothing();
        ops.oplock("check").args(["--features", features]).run().succeeds().prints_nothing();
        ops.oplock("update").args(["--features", features]).run().succeeds().prints_nothing();
    }
    assert_eq!(ops.lock_state(), state);
    // One of them gone is a narrower condition, once its feature is on.
    ops.edit("src/lib.rs", &module("rocm"), "");
    ops.oplock("check")
        .args(["--features", "cuda"])
        .run()
        .succeeds()
        .says("Unseen")
        .says("1 operator, left as the lock has them: feature = \"rocm\"");
    ops.oplock("check").args(["--features", "cuda,rocm"]).run().exits(100).says("gemm");
    // A release does not promise what nobody looked for, unless it is asked to.
    ops.edit("Cargo.toml", "version = \"1.0.0\"", "version = \"1.0.1\"");
    let seal = |more: &[&str]| ops.oplock("seal").args(["--features", "cuda"]).args(more).run();
    for more in [&[] as &[_], &["--dry-run"]] {
        let run =
            seal(more).exits(100).says("1.0.1 is not sealed: no build showed the operators that the lock has under");
        run.says("feature = \"rocm\", so they may be gone").says("`--unseen`");
    }
    seal(&["--unseen"]).succeeds().says("Sealed");
}
