//! The writing of a file itself.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oplock_core::lock::{read_file, replace_file, write_file};

use crate::number;
use crate::trace::{chosen, run, watch};

const CHILD: &str = "OPLOCK_CRASH_CHILD";
const OLD: &str = "old\n";

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A text that one call cannot write.
pub(crate) fn long() -> String {
    "a line of the lock\n".repeat(200_000)
}

pub(crate) fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Writes the file.
pub(crate) fn child() {
    let path = PathBuf::from(env::var_os(CHILD).expect("this is the child"));
    replace_file(&path, Some(OLD), &long()).expect("the file is written");
}

pub(crate) fn killed_at_each_system_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.lock");
    let mut command = Command::new(env::current_exe().unwrap());
    command.env(CHILD, &path);
    fs::write(&path, OLD).unwrap();
    let (whole, window) = watch(&command, &|| names(folder.path()).len() > 1);
    assert_eq!(whole.code, Some(0));
    let new = long();
    assert_eq!(read_file(&path).unwrap().unwrap(), new);
    let (mut seen_old, mut seen_new, mut seen_left) = (0, 0, 0);
    let stops = chosen(whole.stops, &window, number("OPLOCK_CRASH_RUNS", 60));
    for stop in &stops {
        fs::write(&path, OLD).unwrap();
        run(&command, *stop);
        let found = read_file(&path).unwrap().unwrap();
        assert!(found == OLD || found == new, "stop {stop}: {} bytes that nobody wrote", found.len());
        seen_old += usize::from(found == OLD);
        seen_new += usize::from(found == new);
        seen_left += names(folder.path()).len() - 1;
        write_file(&path, "next").unwrap();
        assert_eq!(names(folder.path()), ["ops.lock"], "stop {stop}: what was left is there after the next write");
    }
    println!(
        "  {} kills at {} stops: {seen_old} old, {seen_new} new, {seen_left} left a temporary file",
        stops.len(),
        whole.stops
    );
    assert!(seen_old > 0 && seen_new > 0 && seen_left > 0, "the kills miss the write");
}
