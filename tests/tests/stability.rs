//! What goes wrong around the command line: crates that do not build, sixteen updates at once, a kill at any moment.

use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use oplock_tests::{Folder, source};

/// What does not compile tells nothing, so nothing is compared and nothing taken for deleted.
#[test]
fn a_crate_that_does_not_build_is_not_judged() {
    let ops = Folder::released_ops("1.0.0");
    let state = ops.lock_state();
    ops.append("src/lib.rs", "\npub mod gone;\n");
    ops.set_version("2.0.0");
    for command in ["check", "update"] {
        let output = ops.oplock(command).run().exits(101).prints_nothing().says("does not build").says("gone");
        assert!(!output.stderr.contains("deleted"), "{output}");
    }
    ops.oplock("print").arg("--source").run().exits(101);
    assert_eq!(ops.lock_state(), state);
    // The same before there is a lock.
    ops.remove("ops.lock");
    ops.oplock("init").run().exits(101).says("does not build");
    assert!(!ops.has("ops.lock"));
}

/// Without `lock!`, or where it is not expanded, nobody has spoken of any operator.
#[test]
fn a_crate_without_lock_is_told_to_add_it() {
    let ops = Folder::released_ops("1.0.0");
    let state = ops.lock_state();
    let source = ops.read("src/lib.rs");
    ops.set_version("2.0.0");
    ops.write("src/lib.rs", "//! Nothing at all.\n");
    for command in ["check", "update"] {
        ops.oplock(command)
            .run()
            .exits(101)
            .prints_nothing()
            .says("src/lib.rs does not call `oplock::lock!();`")
            .says("add `oplock::lock!();` to the crate root");
    }
    assert_eq!(ops.lock_state(), state);
    // With operators, it is the compiler that says so, once at each.
    ops.write("src/lib.rs", &source.replace("oplock::lock!();\n", ""));
    ops.check().fails().has_errors(2).has_error_at(&ops.place("src/lib.rs", "\"add\""), "lock").says("crate_root");
    ops.oplock_check().exits(101).prints_nothing();
    assert_eq!(ops.lock_state(), state);
    // A package that has nothing to do with oplock, and a folder without any.
    let plain = Folder::sub(&ops, "plain");
    plain.write("Cargo.toml", "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n");
    plain.write("src/lib.rs", "//! Nothing.\n");
    plain.oplock_check().exits(101).says("does not depend on `oplock`");
    plain.oplock("init").run().exits(101).says("oplock::lock!();");
    plain.oplock("check").args(["--manifest-path", "nowhere/Cargo.toml"]).run().exits(101);
    plain.write("Cargo.toml", "[package\n");
    plain.oplock_check().exits(101).says("Cargo.toml");
}

/// An old lock, the new lock that an update makes of it, and a source that asks for one; the lock is large, so that
/// writing it takes a while.
#[track_caller]
fn about_to_update() -> (Folder, String, String) {
    use std::fmt::Write as _;

    let ops = Folder::released_ops("9999.0.0");
    let mut releases = String::new();
    for i in 0..20_000 {
        let _ = writeln!(releases, "\"{}.{}.{}\" = {{ date = \"2026-01-01\" }}", i / 100, i / 10 % 10, i % 10);
    }
    ops.edit("ops.lock", "[release]\n", &format!("[release]\n{releases}"));
    ops.oplock_update().succeeds();
    let old = ops.lock();
    ops.append("src/lib.rs", source::NEG);
    ops.oplock_update().succeeds();
    let new = ops.lock();
    assert_ne!(old, new);
    ops.write("ops.lock", &old);
    (ops, old, new)
}

fn temporary_files(ops: &Folder) -> Vec<String> {
    ops.files().into_iter().filter(|name| name.contains("ops.lock") && name != "ops.lock").collect()
}

#[test]
fn sixteen_updates_at_once_leave_a_whole_lock() {
    let (ops, old, new) = about_to_update();
    let mut updates: Vec<Child> =
        (0..16).map(|_| ops.oplock_alone("update").spawn().expect("the command was built")).collect();
    // Whoever reads meanwhile sees the one or the other.
    let mut ended = Vec::new();
    while ended.len() < 16 {
        let lock = ops.lock();
        assert!(lock == old || lock == new, "a torn lock of {} bytes", lock.len());
        updates.retain_mut(|update| match update.try_wait().expect("a child can be waited for") {
            Some(status) => {
                ended.push(status.code());
                false
            }
            None => true,
        });
        thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(ended, [Some(0); 16]);
    assert_eq!(ops.lock(), new);
    assert_eq!(temporary_files(&ops), [""; 0]);
    ops.oplock_check().succeeds();
}

/// Kills an update after a while, or as soon as it has begun to write.
fn kill_update(ops: &Folder, delay: Option<Duration>) {
    let mut update = ops.oplock_alone("update").stderr(Stdio::null()).spawn().expect("the command was built");
    let begun = Instant::now();
    loop {
        let is_time = match delay {
            Some(delay) => begun.elapsed() >= delay,
            None => !temporary_files(ops).is_empty(),
        };
        if is_time || update.try_wait().expect("a child can be waited for").is_some() {
            break;
        }
        match delay {
            Some(delay) => thread::sleep(delay.saturating_sub(begun.elapsed()).min(Duration::from_millis(5))),
            None => thread::yield_now(),
        }
    }
    let _ = update.kill(); // it may have ended by itself
    update.wait().expect("a child can be waited for");
}

#[test]
fn an_update_killed_at_any_moment_leaves_a_whole_lock() {
    const ROUNDS: u32 = 32;
    let (ops, old, new) = about_to_update();
    let begun = Instant::now();
    ops.oplock_update().succeeds();
    let whole = begun.elapsed();
    let (mut seen_old, mut seen_new) = (0, 0);
    for round in 0..ROUNDS {
        ops.write("ops.lock", &old);
        // The first rounds are spread over the time that an update takes, the others wait for the writing itself.
        kill_update(&ops, (round < ROUNDS / 2).then(|| whole * round * 2 / ROUNDS * 5 / 4));
        let lock = ops.lock();
        seen_old += u32::from(lock == old);
        seen_new += u32::from(lock == new);
        assert_eq!(seen_old + seen_new, round + 1, "a torn lock of {} bytes in round {round}", lock.len());
        for file in temporary_files(&ops) {
            ops.remove(&file);
        }
    }
    assert!(seen_old > 0, "no kill came in time");
    // Nothing that a killed update leaves behind is in the way of the next one.
    ops.write("ops.lock", &old);
    ops.oplock_update().succeeds();
    assert_eq!(ops.lock(), new);
    assert_eq!(temporary_files(&ops), [""; 0]);
}

/// A folder that cannot be written: the compiler does not mind, `check` does not either, and `update` says so.
#[cfg(unix)]
#[test]
fn read_only_sources() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let ops = Folder::released_ops("1.0.0");
    ops.append("src/lib.rs", source::NEG);
    ops.check().succeeds();
    let allow = |mode| fs::set_permissions(ops.path(), PermissionsExt::from_mode(mode)).expect("the folder is ours");
    allow(0o555);
    let is_root = fs::write(ops.path().join("probe"), "").is_ok();
    if is_root {
        eprintln!("skipped: this user can write where writing is not allowed");
    } else {
        let state = ops.lock_state();
        ops.check().succeeds();
        ops.oplock_check().exits(1);
        ops.oplock_update().exits(101).says("cannot write").says("ops.lock");
        assert_eq!(ops.lock_state(), state);
    }
    allow(0o755);
}

/// Where the target folder cannot be made, as with sources on a read-only medium, operators are collected elsewhere.
#[test]
fn a_target_folder_that_cannot_be_made() {
    let ops = Folder::released_ops("1.0.0");
    ops.append("src/lib.rs", source::NEG);
    ops.write("no-folder", "a file\n");
    let target = ops.path().join("no-folder");
    ops.oplock("check").env("CARGO_TARGET_DIR", &target).run().exits(1).says("operator `neg` is added");
}
