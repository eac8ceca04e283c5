//! File systems that do not take what is written.

use std::fs;
use std::path::Path;
use std::process::Command;

use oplock_core::lock::{read_file, write_file};
use oplock_tests::{Folder, source};

use crate::writes::{long, names};

/// What is mounted, as long as a test needs it.
struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// Mounts something there; `None` where this user may not.
fn mount<'a>(arguments: &[&str], at: &'a Path) -> Option<Mounted<'a>> {
    let output = Command::new("mount").args(arguments).arg(at).output();
    if output.as_ref().is_ok_and(|output| output.status.success()) {
        return Some(Mounted(at));
    }
    let why = output.map_or_else(|error| error.to_string(), |o| String::from_utf8_lossy(&o.stderr).trim().to_owned());
    println!("  skipped: nothing can be mounted here: {why}");
    None
}

pub(crate) fn full() {
    let folder = tempfile::tempdir().unwrap();
    let Some(_mounted) = mount(&["-t", "tmpfs", "-o", "size=64k", "oplock-test"], folder.path()) else { return };
    let path = folder.path().join("ops.lock");
    write_file(&path, "old\n").unwrap();
    let error = write_file(&path, &long()).unwrap_err();
    assert!(error.to_string().starts_with(&format!("cannot write {}: ", path.display())), "{error}");
    assert_eq!(read_file(&path).unwrap().unwrap(), "old\n");
    assert_eq!(names(folder.path()), ["ops.lock"]);
    // Not even an empty file has room beside it.
    fs::write(folder.path().join("filler"), vec![0; 56 * 1024]).unwrap();
    assert!(write_file(&path, &"new\n".repeat(4096)).is_err());
    assert_eq!(read_file(&path).unwrap().unwrap(), "old\n");
    assert_eq!(names(folder.path()), ["filler", "ops.lock"]);
    fs::remove_file(folder.path().join("filler")).unwrap();
    assert!(write_file(&path, "new\n").unwrap());
}

pub(crate) fn read_only() {
    let ops = Folder::released_ops("1.0.0");
    ops.append("src/lib.rs", source::NEG);
    let path = ops.path().to_owned();
    let folder = path.to_str().expect("a temporary folder has a plain name");
    let Some(_mounted) = mount(&["--bind", folder], &path) else { return };
    let Some(again) = mount(&["-o", "remount,bind,ro"], &path) else { return };
    std::mem::forget(again); // it is mounted once
    assert!(fs::write(path.join("probe"), "").is_err(), "the folder can be written");
    let state = ops.lock_state();
    ops.check().succeeds();
    ops.oplock_check().exits(1);
    ops.oplock_update().exits(101).says("cannot write").says("ops.lock");
    assert_eq!(ops.lock_state(), state);
    ops.oplock("plan").args(["major"]).run().exits(101).says("cannot write");
    assert_eq!(ops.lock_state(), state);
}
