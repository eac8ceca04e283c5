//! Who reads and writes graphs, made of linked crates; and why there can be no such program.

use oplock_core::Lock;
use oplock_core::lock::Stamp;
use oplock_graph::{Package, Program, ProgramError, UpgradeFn};
use oplock_registry::{CrateOps, Registry, SavedVersions};
use semver::Version;

const LOCK: &str = "format = 1\npackage = \"nn-ops\"\n\n[release]\n\"1.0.0\" = { date = \"2026-03-01\" }\n";

const fn table(version: &'static str, lock: &'static str) -> CrateOps {
    let plain = SavedVersions::PLAIN;
    CrateOps { package: "nn-ops", version, lock, marks: &[], gone: &[], common: None, graph: plain, checkpoint: plain }
}

fn program(tables: &[&'static CrateOps]) -> Result<Program, ProgramError> {
    Program::of_registry(&Registry::of(tables).unwrap())
}

#[test]
fn a_crate_brings_its_lock() {
    static TABLE: CrateOps = table("1.0.1", LOCK);
    let program = program(&[&TABLE]).unwrap();
    let package = &program.packages()["nn-ops"];
    assert_eq!((&package.version, package.lock.releases.len()), (&Version::new(1, 0, 1), 1));
    assert_eq!(package.stale, None);
    // The tests' own operators, if there were any, would be packages without a lock.
    assert_eq!(program.packages().len(), 1);
    assert_eq!(program.fingerprint().to_string(), "");
}

#[test]
fn what_was_stale_is_known() {
    static TABLE: CrateOps = CrateOps { gone: &[("ops.lock is stale: because\nmore", None)], ..table("1.0.1", LOCK) };
    let program = program(&[&TABLE]).unwrap();
    assert_eq!(program.packages()["nn-ops"].stale.as_deref(), Some("ops.lock is stale: because"));
}

#[test]
fn each_fault_of_a_crate_is_named() {
    static GOOD: CrateOps = table("1.0.0", LOCK);
    static OTHER: CrateOps = table("2.0.0", LOCK);
    static WITHOUT: CrateOps = table("1.0.0", "");
    static DAMAGED: CrateOps = table("1.0.0", "format = 1\npackage = \"nn-ops\"\nwhat = 1\n");
    static NEWER: CrateOps = table("1.0.0", "format = 99\npackage = \"nn-ops\"\n");
    static NO_VERSION: CrateOps = table("one", LOCK);
    let cases: [(&[&'static CrateOps], &[&str]); 5] = [
        (&[&GOOD, &OTHER], &["nn-ops is linked twice, as 1.0.0 and as 2.0.0", "cargo tree --invert nn-ops"]),
        (&[&WITHOUT], &["nn-ops 1.0.0 was compiled without its ops.lock"]),
        (&[&DAMAGED], &["the ops.lock of nn-ops 1.0.0: ", "ops.lock:3: ", "`what`"]),
        (&[&NEWER], &["the ops.lock of nn-ops 1.0.0: ", "help: upgrade `oplock`"]),
        (&[&NO_VERSION], &["\"one\", the version of nn-ops, is no semantic version"]),
    ];
    for (tables, expected) in cases {
        let error = program(tables).unwrap_err().to_string();
        for text in expected {
            assert!(error.contains(text), "{text}: {error}");
        }
    }
}

#[test]
fn a_function_that_the_lock_counts_on_must_be_there() {
    let mut lock = Lock::new("nn-ops");
    lock.upgrades.insert(("pad".to_owned(), 9), Stamp::default());
    let mut package = Package::new(lock, Version::new(1, 0, 0));
    let error = Program::of([package.clone()]).unwrap_err();
    let expected = ProgramError::NoUpgrade { package: "nn-ops".into(), op: "pad".into(), before: 9 };
    assert_eq!(error, expected);
    assert!(
        error
            .to_string()
            .contains("the upgrade function of `pad` in nn-ops for what was saved before 9 did not arrive")
    );
    package.upgrades.insert(("pad".to_owned(), 9), UpgradeFn::new(|_| Ok(())));
    assert!(Program::of([package.clone()]).is_ok());
    let error = Program::of([package.clone(), package]).unwrap_err();
    assert!(matches!(error, ProgramError::TwoVersions { .. }), "{error}");
}
