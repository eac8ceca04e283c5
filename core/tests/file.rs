//! The lock on disk: whoever reads it, and whatever happens to its writer, it is whole.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use oplock_core::lock::{read_file, replace_file, write_file};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_that_is_not_there_is_nothing_and_a_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(read_file(&folder.path().join("ops.lock")).unwrap(), None);
    assert_eq!(read_file(&folder.path().join("no/folder/ops.lock")).unwrap(), None);
    let error = read_file(folder.path()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot read {}: ", folder.path().display())), "{error}");
    let error = read_file(folder.path()).unwrap_err();
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), error.error.to_string());
}

#[test]
fn a_text_is_written_once_and_its_file_is_not_touched_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b \u{e4}").join("ops.lock");
    fs::create_dir(path.parent().unwrap()).unwrap();
    assert!(write_file(&path, "one\n").unwrap());
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    assert!(!write_file(&path, "one\n").unwrap());
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
    assert!(write_file(&path, "one").unwrap(), "a final newline is part of the text");
    assert_ne!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
    assert_eq!(read_file(&path).unwrap().as_deref(), Some("one"));
    assert_eq!(names(path.parent().unwrap()), ["ops.lock"]);
}

#[test]
fn a_file_that_is_no_text_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.lock");
    fs::write(&path, [0xff; 100]).unwrap();
    assert!(write_file(&path, "text").unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"text");
}

/// Sixteen writers, each with texts of its own lengths, and readers beside them.
#[test]
fn whoever_reads_while_many_write_sees_one_whole_text() {
    const ROUNDS: u32 = 40;
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("ops.lock");
    let text = |writer: u32, round: u32| {
        let line = format!("{writer} {round}\n");
        line.repeat(1 + usize::try_from((writer * 7919 + round * 104_729) % 3000).unwrap())
    };
    let is_whole = |found: &str| {
        let line = found.lines().next().unwrap_or_default();
        let (writer, round) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?}"));
        found == text(writer.parse().unwrap(), round.parse().unwrap())
    };
    write_file(path, &text(0, 0)).unwrap();
    let done = &AtomicBool::new(false);
    let reads = thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(move || {
                    let mut reads = 0;
                    while !done.load(Ordering::Relaxed) {
                        let found = read_file(path).unwrap().expect("a file that was there stays there");
                        assert!(is_whole(&found), "{} bytes that nobody wrote", found.len());
                        reads += 1;
                    }
                    reads
                })
            })
            .collect();
        let writers: Vec<_> = (0..16)
            .map(|writer| {
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        write_file(path, &text(writer, round)).unwrap();
                    }
                })
            })
            .collect();
        let results: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        for result in results {
            result.unwrap();
        }
        readers.into_iter().map(|reader| reader.join().unwrap()).sum::<u32>()
    });
    assert!(reads > 0);
    assert!(is_whole(&read_file(path).unwrap().unwrap()));
    assert_eq!(names(folder.path()), ["ops.lock"], "a temporary file is left");
}

#[test]
fn where_a_file_cannot_be_made_the_error_names_the_path_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("ops.lock");
    let error = write_file(&path, "text").unwrap_err();
    assert_eq!(error.path, path);
    assert!(error.to_string().starts_with(&format!("cannot write {}: ", path.display())), "{error}");
    assert_eq!(error.error.kind(), std::io::ErrorKind::NotFound, "as the system said it");
    assert!(names(folder.path()).is_empty());
}

/// Not even a superuser can put a file in the place of a folder.
#[test]
fn where_a_file_cannot_be_replaced_the_old_one_stays_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.lock");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), "x").unwrap();
    let error = write_file(&path, "text").unwrap_err();
    assert_eq!(error.path, path);
    assert!(error.to_string().contains("cannot replace"), "{error}");
    assert_eq!(names(folder.path()), ["ops.lock"]);
    assert_eq!(names(&path), ["inside"]);
}

#[test]
fn what_a_killed_writer_left_hinders_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.lock");
    for count in 0..2000 {
        fs::write(folder.path().join(format!(".ops.lock.{}-{count}.tmp", std::process::id())), "half").unwrap();
    }
    let others = [
        ".ops.lock.-2.tmp",
        ".ops.lock.1-.tmp",
        ".ops.lock.1-x.tmp",
        ".ops.lock.12.tmp",
        ".ops.lock.tmp",
        ".other.1-2.tmp",
        "ops.lock.1-2.tmp",
    ];
    for name in others {
        fs::write(folder.path().join(name), "not ours").unwrap();
    }
    // What somebody is writing at this moment is locked.
    let busy = folder.path().join(".ops.lock.1-7.tmp");
    let writing = fs::File::create(&busy).unwrap();
    writing.lock().unwrap();
    for round in 0..5 {
        assert!(write_file(&path, &format!("text {round}")).unwrap());
    }
    assert_eq!(read_file(&path).unwrap().as_deref(), Some("text 4"));
    let left = [&[".ops.lock.1-7.tmp", "ops.lock"][..], &others].concat();
    let mut left: Vec<_> = left.into_iter().map(str::to_owned).collect();
    left.sort();
    assert_eq!(names(folder.path()), left, "what was left is gone, and nothing else");
    drop(writing);
    assert!(!write_file(&path, "text 4").unwrap());
    assert!(!busy.exists(), "also where there is nothing to write");
}

/// Names that are taken, and by what cannot be removed as what a killed writer left can.
#[test]
fn a_name_that_is_taken_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.lock");
    for count in (0..4000).step_by(2) {
        fs::create_dir(folder.path().join(format!(".ops.lock.{}-{count}.tmp", std::process::id()))).unwrap();
    }
    for round in 0..8 {
        let text = format!("text {round}");
        assert!(write_file(&path, &text).unwrap());
        assert_eq!(read_file(&path).unwrap(), Some(text));
    }
    assert_eq!(names(folder.path()).len(), 2001, "each stays");
}

/// Sixteen processes read, think and write: what one of them wrote is never lost.
#[test]
fn what_another_wrote_meanwhile_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("ops.lock");
    assert!(replace_file(path, None, "").unwrap());
    let error = replace_file(path, Some("other"), "text").unwrap_err();
    assert!(error.to_string().contains("another process wrote it meanwhile: run the command again"), "{error}");
    assert!(!replace_file(path, Some("other"), "").unwrap(), "it is what was to be written");
    thread::scope(|scope| {
        for writer in 0..16 {
            scope.spawn(move || {
                let mut written = 0;
                while written < 10 {
                    let old = read_file(path).unwrap().unwrap();
                    written += u32::from(replace_file(path, Some(&old), &format!("{old}{writer} {written}\n")).is_ok());
                }
            });
        }
    });
    let text = read_file(path).unwrap().unwrap();
    assert_eq!(text.lines().count(), 160);
    for writer in 0..16 {
        let own: Vec<_> = text.lines().filter(|line| line.starts_with(&format!("{writer} "))).collect();
        assert_eq!(own, (0..10).map(|n| format!("{writer} {n}")).collect::<Vec<_>>());
    }
    assert_eq!(names(folder.path()), ["ops.lock"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::{Path, fs, names, read_file, write_file};

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_permissions_of_a_file_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ops.lock");
        for mode in [0o600, 0o644, 0o664, 0o755] {
            write_file(&path, &format!("before {mode}")).unwrap();
            set_mode(&path, mode);
            assert!(write_file(&path, &format!("{mode}")).unwrap());
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_link_stays_a_link_and_its_target_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        fs::create_dir(&real).unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        // One that is relative and one that is not; the target is there only after the first round.
        symlink("real/ops.lock", &first).unwrap();
        symlink(&first, &second).unwrap();
        for text in ["one", "two"] {
            assert!(write_file(&second, text).unwrap());
            assert_eq!(read_file(&real.join("ops.lock")).unwrap().as_deref(), Some(text));
            assert!(fs::symlink_metadata(&first).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&second).unwrap().is_symlink());
        }
        assert_eq!(names(&real), ["ops.lock"]);
        assert_eq!(names(folder.path()), ["first", "real", "second"]);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_an_error_to_read_and_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ops.lock");
        symlink("gone/ops.lock", &path).unwrap();
        let error = read_file(&path).unwrap_err().to_string();
        let expected = format!("cannot read {}: it is a link to gone/ops.lock, which is not there", path.display());
        assert_eq!(error, expected);
        fs::create_dir(folder.path().join("gone")).unwrap();
        assert!(write_file(&path, "text").unwrap());
        assert_eq!(read_file(&path).unwrap().as_deref(), Some("text"));
        assert!(path.is_symlink());
    }

    #[test]
    fn a_ring_of_links_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        symlink(&a, &b).unwrap();
        symlink(&b, &a).unwrap();
        assert_eq!(read_file(&a).unwrap_err().path, a);
        assert_eq!(write_file(&a, "text").unwrap_err().path, a);
        assert!(fs::symlink_metadata(&a).unwrap().is_symlink());
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    /// Vendored sources, or a file system that is mounted so.
    #[test]
    fn a_folder_that_cannot_be_written_keeps_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ops.lock");
        fs::write(&path, "old").unwrap();
        set_mode(folder.path(), 0o555);
        let is_superuser = fs::write(folder.path().join("probe"), "").is_ok();
        let result = write_file(&path, "new");
        let same = write_file(&path, &read_file(&path).unwrap().unwrap());
        set_mode(folder.path(), 0o755);
        assert!(!same.unwrap(), "a text that is there needs no writing");
        if is_superuser {
            return; // who may write everywhere cannot see the rule
        }
        assert_eq!(result.unwrap_err().path, path);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["ops.lock"]);
    }
}
