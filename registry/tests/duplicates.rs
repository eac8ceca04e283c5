//! Operators that a program has twice, and what helps.

use oplock_model::{Declared, OpDef};
use oplock_registry::__private::{Marked, Record};
use oplock_registry::{CrateOps, Registry, SavedVersions};

/// The table of a crate with one operator, as one that is linked into a program has it.
fn linked(package: &'static str, def: OpDef) -> &'static CrateOps {
    let declared = Declared { def, file: "src/lib.rs".into(), line: 1, stale: "".into() };
    let mark = Some(Marked { record: Record(declared.to_text().leak()), build: None });
    Box::leak(Box::new(CrateOps {
        package,
        version: "1.0.0",
        lock: "",
        marks: vec![mark].leak(),
        gone: &[],
        common: None,
        graph: SavedVersions::PLAIN,
        checkpoint: SavedVersions::PLAIN,
    }))
}

#[test]
fn an_operator_of_its_old_and_its_new_owner_is_told_as_that() {
    let moved = |from: &'static str| OpDef { moved_from: Some(from.into()), ..OpDef::new("nms") };
    let told = |from| {
        let tables = [linked("box-ops", moved(from)), linked("vision-ops", OpDef::new("nms"))];
        Registry::of(&tables).unwrap_err().to_string()
    };
    let twice =
        "operator `nms` is declared twice: in box-ops 1.0.0 at src/lib.rs:1, and in vision-ops 1.0.0 at src/lib.rs:1";
    let help = "help: `nms` moved: link a release of vision-ops that no longer has it";
    assert_eq!(told("vision-ops"), format!("{twice}\n  {help}"));
    let help = "help: rename one of them, or link only one of the packages and versions";
    assert_eq!(told("other-ops"), format!("{twice}\n  {help}"));
}
