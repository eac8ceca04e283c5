//! Places of operands through the commands and the compiler: `lock! { operands = "positional"; }`.

use oplock_tests::Folder;

const BY_NAME: &str = "oplock::lock!();";
const POSITIONAL: &str = "oplock::lock! { operands = \"positional\"; }";

fn source(lock: &str, fields: &str) -> String {
    format!(
        "use oplock::{{Var, op}};\n\n{lock}\n\n#[op(\"sub\")]\npub struct Sub {{\n{fields}    #[output]\n    pub out: Var,\n}}\n"
    )
}

fn inputs(names: &[&str]) -> String {
    names.iter().map(|name| ["    #[input]\n    pub ", name, ": Var,\n"].concat()).collect()
}

#[test]
fn places_are_promised_enforced_and_dropped() {
    let folder = Folder::ops("1.0.0");
    folder.write("src/lib.rs", &source(BY_NAME, &inputs(&["x", "y"])));
    folder.oplock("init").run().succeeds();
    assert!(folder.lock_has("sub.input.x = { unreleased = true }"), "{}", folder.lock());
    // The order means nothing yet.
    folder.write("src/lib.rs", &source(BY_NAME, &inputs(&["y", "x"])));
    folder.oplock("check").run().succeeds();

    folder.write("src/lib.rs", &source(POSITIONAL, &inputs(&["x", "y"])));
    folder.check().succeeds().says("the lock does not say yet that the places of operands are promised");
    folder.oplock("check").run().exits(1).says("operand_place_promised");
    folder.oplock_update().succeeds();
    assert!(folder.lock_has("operands = \"positional\""), "{}", folder.lock());
    assert!(folder.lock_has("sub.input.y = { at = 2, unreleased = true }"), "{}", folder.lock());
    folder.check().succeeds().warns_of_nothing();
    folder.oplock("seal").run().succeeds();

    folder.write("src/lib.rs", &source(POSITIONAL, &inputs(&["y", "x"])));
    folder.check().fails().says("inputs `x` and `y` of `sub` are swapped");
    folder.oplock("check").run().exits(100).says("inputs `x` and `y` of `sub` are swapped");
    folder.write("src/lib.rs", &source(BY_NAME, &inputs(&["x", "y"])));
    folder.check().fails().says("the places of operands are no longer promised");
    folder.oplock("check").run().exits(100).says("operand_place_dropped");

    folder.set_version("2.0.0");
    folder.takes_version(2);
    folder.oplock_update().succeeds();
    assert!(!folder.lock().contains("operands"), "{}", folder.lock());
    folder.check().succeeds();
}
