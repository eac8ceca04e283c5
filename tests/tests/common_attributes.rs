//! Attributes that all operators have, through the life of a crate.

use oplock_tests::{Folder, source};

const PLAIN: &str = "oplock::lock!();";

fn with(fields: &str) -> String {
    format!("oplock::lock! {{\n    common {{\n{fields}    }}\n}}")
}

#[test]
fn they_live_as_those_of_an_operator_do() {
    let ops = Folder::released_ops("1.0.0");
    let role = with("        #[attr(default = 0)]\n        op_role: i32,\n");
    ops.edit("src/lib.rs", PLAIN, &role);
    ops.edit("Cargo.toml", "version = \"1.0.0\"", "version = \"1.1.0\"");
    ops.check().succeeds().says("attribute `op_role` of all operators is added");
    ops.oplock_update().succeeds().says("attribute `op_role` of all operators is added");
    assert!(ops.lock_has("\"*\".attr.op_role = { type = \"i32\", default = 0, unreleased = true }"), "{}", ops.lock());
    let output = ops.check().succeeds();
    assert!(output.warnings().is_empty(), "{output}");
    ops.oplock_check().succeeds().says("2 operators as the lock has them");
    ops.oplock("seal").run().succeeds();
    assert!(ops.lock_has("\"*\".attr.op_role = { type = \"i32\", default = 0, since = \"1.1.0\" }"), "{}", ops.lock());

    // A change is a break, once, where it stands.
    ops.edit("src/lib.rs", "default = 0", "default = 1");
    let place = ops.place("src/lib.rs", "1)]\n        op_role");
    ops.check().fails().has_error_at(&place, "the default of attribute `op_role` of all operators changed from 0 to 1");
    let state = ops.lock_state();
    ops.oplock_update().exits(100).says("op_role");
    assert_eq!(ops.lock_state(), state);
    ops.oplock("check")
        .args(["--witness"])
        .run()
        .exits(100)
        .says("witness: [{")
        .says("`op_role` is 0, and where the newer one loads it, 1");
    ops.edit("src/lib.rs", "default = 1", "default = 0");
    ops.check().succeeds();

    // So is leaving them out.
    ops.edit("src/lib.rs", &role, PLAIN);
    ops.check().fails().says("attribute `op_role` of all operators is deleted");
    ops.oplock_check().exits(100).says("attribute `op_role` of all operators is deleted");
    ops.edit("src/lib.rs", PLAIN, &role);

    // An operator that has one by itself is refused by the compiler and by each command.
    ops.write(
        "src/neg.rs",
        &source::NEG.replace("pub struct Neg {", "pub struct Neg {\n    #[attr(default = 0)]\n    pub op_role: i32,"),
    );
    ops.edit("src/lib.rs", "use oplock::{Var, op};", "use oplock::{Var, op};\n\nmod neg;");
    ops.edit("src/neg.rs", "\n/// Negates.", "use oplock::{Var, op};\n\n/// Negates.");
    ops.check().fails().says("attribute `op_role` of `neg` is one that all operators have");
    ops.oplock_update()
        .exits(100)
        .says("attribute `op_role` of `neg` is one that all operators have [attr_declared_twice]");
}

/// A first lock is judged as any other.
#[test]
fn a_first_lock_says_nothing_that_no_version_may() {
    let own = "    /// Where each slice begins.\n    #[attr(default = [])]\n    pub starts: Vec<i32>,\n";
    let ops = Folder::ops("1.0.0");
    ops.edit("src/lib.rs", PLAIN, &with("        #[attr(default = [])]\n        starts: Vec<i32>,\n"));
    for args in [&[][..], &["--released", "1.0.0"]] {
        ops.oplock("init")
            .args(args)
            .run()
            .exits(100)
            .says("attribute `starts` of `slice` is one that all operators have [attr_declared_twice]");
        assert!(!ops.has("ops.lock"));
    }
    ops.edit("src/lib.rs", &with("        #[attr(default = [])]\n        starts: Vec<i32>,\n"), PLAIN);
    let revised = own.replace("default = []", "default = [], deprecated(version = 70, note = \"use begin\")");
    ops.edit("src/lib.rs", own, &revised);
    ops.oplock("init")
        .args(["--released", "1.0.0"])
        .run()
        .exits(100)
        .says("attribute `starts` of `slice` is deprecated from data version 70, which is not declared")
        .says("1 declaration that no version may have; no lock was made");
    assert!(!ops.has("ops.lock"));
}

#[test]
fn an_unreleased_one_is_taken_back_and_a_first_lock_has_them() {
    let ops = Folder::ops("0.1.0");
    ops.edit("src/lib.rs", PLAIN, &with("        #[attr(default = 0)]\n        op_role: i32,\n"));
    ops.oplock("init").run().succeeds().says("2 operators");
    assert!(ops.lock_has("\"*\".attr.op_role = { type = \"i32\", default = 0, unreleased = true }"), "{}", ops.lock());
    ops.edit("src/lib.rs", "op_role: i32", "op_role: i64");
    ops.check().fails().says("`cargo oplock withdraw '*.op_role'`");
    ops.oplock("withdraw").args(["*.op_role"]).run().succeeds();
    ops.oplock_update().succeeds();
    ops.check().succeeds();
    let print = ops.oplock("print").run().succeeds().stdout;
    assert!(print.starts_with("*  of all operators\n  attr    op_role  i64 = 0  unreleased\n"), "{print}");
}

/// To move what each operator has is no change, whatever becomes of it later.
#[test]
fn an_attribute_of_each_becomes_one_of_all() {
    let ops = Folder::released_ops("1.0.0");
    let own = "    /// Where each slice begins.\n    #[attr(default = [])]\n    pub starts: Vec<i32>,\n";
    ops.edit("src/lib.rs", own, "");
    ops.edit("src/lib.rs", PLAIN, &with("        #[attr(default = [])]\n        starts: Vec<i32>,\n"));
    ops.edit("Cargo.toml", "version = \"1.0.0\"", "version = \"1.1.0\"");
    ops.oplock_update().succeeds();
    assert!(ops.lock_has("slice.attr.starts = { type = \"[i32]\", default = [] }"), "{}", ops.lock());
    let output = ops.check().succeeds();
    assert!(output.warnings().is_empty(), "{output}");
    ops.oplock("seal").run().succeeds();
}
