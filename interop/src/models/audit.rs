//! Many models, held against definitions on all cores.
//!
//! Each thread has one model at a time in memory, and what is told of models that are done waits for those before them, up to a bound. So
//! the results come in the order of the files, and memory does not grow with their number.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use oplock_graph::Limits;

use super::{AnyModel, HEAD, Held, ModelError, NamedAs, Reader, may_be_model};

/// A file that is to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Where it is.
    pub path: PathBuf,
    /// How it is called in reports: the path as it was given, and below it with `/`.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it was named itself and not found in a folder, so that it must be a model.
    pub is_named: bool,
    /// Why it cannot be looked at, where that is known already: a folder that cannot be read, or what is neither file nor folder.
    pub fault: Option<String>,
}

/// One of several parts of an audit, for several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl FromStr for Shard {
    type Err = String;

    /// `2/8`
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if index >= 1 && index <= count => Ok(Shard { index, count }),
            _ => Err(format!("{text:?} is no part: write `2/8` for the second of eight")),
        }
    }
}

impl Shard {
    /// Whether a file is of this part: by the hash (FNV-1a) of its path below the folder that was named, so that it is on every machine,
    /// wherever the folder is there.
    pub fn has(self, below: &str) -> bool {
        let hash = below
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        hash % self.count == self.index - 1
    }
}

/// A path that was named and cannot be found.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {error}", path.display())]
pub struct WalkError {
    /// The path.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// How a path that was named is called in reports.
pub fn name_of(path: &Path) -> String {
    let name = path.to_string_lossy();
    match name.trim_end_matches('/') {
        "" => name.into_owned(),
        name => name.to_owned(),
    }
}

/// By which two names of one path are told to be one, as far as their text shows it: without what `.`, `//` and a `/` at the end add.
pub fn key_of(name: &str) -> String {
    let is_rooted = name.starts_with(std::path::is_separator);
    let parts = name.split(std::path::is_separator).filter(|part| !matches!(*part, "" | "."));
    let key = parts.collect::<Vec<_>>().join("/");
    if is_rooted { format!("/{key}") } else { key }
}

/// All files at and below these paths, each once by the name that it was first given, in the order of their names; of a part, those of the part. A folder that is a link is followed only
/// where it is named. What cannot be looked at has a fault, which ends nothing; a folder that cannot be read is of every part, since it may
/// have files of each.
///
/// # Errors
///
/// When a path that is named is not there.
pub fn walk(paths: &[PathBuf], shard: Option<Shard>) -> Result<Vec<Job>, WalkError> {
    let mut jobs = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| WalkError { path: path.clone(), error })?;
        let name = name_of(path);
        if metadata.is_dir() {
            below(path, name.trim_end_matches('/'), "", shard, &mut jobs);
        } else {
            let below = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if shard.is_none_or(|shard| shard.has(&below)) {
                let (size, fault) = size_of(&metadata);
                jobs.push(Job { path: path.clone(), name, size, is_named: true, fault });
            }
        }
    }
    let mut known = HashSet::new();
    jobs.retain(|job| known.insert(key_of(&job.name)));
    jobs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(jobs)
}

/// The size of a file, or why there is nothing to read: to open a pipe would wait for its writer.
fn size_of(metadata: &fs::Metadata) -> (u64, Option<String>) {
    if metadata.is_file() {
        return (metadata.len(), None);
    }
    (0, Some("it is no regular file, but a pipe, a socket or a device".to_owned()))
}

/// The files of a folder. Its depth is that of the file system, which is bounded by the length of a path.
fn below(folder: &Path, root: &str, path: &str, shard: Option<Shard>, jobs: &mut Vec<Job>) {
    let failed = |error: io::Error| {
        let name = if path.is_empty() { root.to_owned() } else { format!("{root}/{path}") };
        // That of the file system's root is empty.
        let name = if name.is_empty() { "/".to_owned() } else { name };
        let fault = Some(format!("the folder cannot be read: {error}"));
        Job { path: folder.to_owned(), name, size: 0, is_named: false, fault }
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return jobs.push(failed(error)),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            // What comes after it is not known either.
            Err(error) => return jobs.push(failed(error)),
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if path.is_empty() { name } else { format!("{path}/{name}") };
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below(&entry.path(), root, &path, shard, jobs);
            continue;
        }
        let (size, fault) = match fs::metadata(entry.path()) {
            // A link to a folder.
            Ok(metadata) if metadata.is_dir() => continue,
            // A link to a file is as good as the file.
            Ok(metadata) => size_of(&metadata),
            // One to nothing is left out, unless a model should be there.
            Err(error) if error.kind() == io::ErrorKind::NotFound && NamedAs::of(&entry.path()) != NamedAs::Model => {
                continue;
            }
            Err(error) => (0, Some(error.to_string())),
        };
        if shard.is_none_or(|shard| shard.has(&path)) {
            let name = format!("{root}/{path}");
            jobs.push(Job { path: entry.path(), name, size, is_named: false, fault });
        }
    }
}

/// What became of a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is a model, and this is said of it.
    Held(Box<Held>),
    /// It cannot be read, or is damaged.
    Unreadable(String),
    /// It was found in a folder, is no model, and is not named like one.
    NoModel,
}

/// Looks at one file.
pub fn look(job: &Job, reader: &Reader, limits: Limits) -> Outcome {
    if let Some(fault) = &job.fault {
        return Outcome::Unreadable(fault.clone());
    }
    let named_as = if job.is_named { NamedAs::Model } else { NamedAs::of(&job.path) };
    if named_as == NamedAs::Other {
        return Outcome::NoModel;
    }
    let look = || -> Result<Outcome, String> {
        let mut file = File::open(&job.path).map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        // Weights and logs are not read whole.
        file.by_ref().take(HEAD as u64).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if !may_be_model(&bytes) && named_as == NamedAs::Nothing {
            return Ok(Outcome::NoModel);
        }
        let most = u64::try_from(limits.max_bytes).unwrap_or(u64::MAX);
        if job.size > most {
            let (bytes, limit) = (usize::try_from(job.size).unwrap_or(usize::MAX), limits.max_bytes);
            return Err(ModelError::TooLarge { bytes, limit }.to_string());
        }
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        match AnyModel::from_bytes(&bytes, limits) {
            Ok(model) => {
                drop(bytes);
                let held = reader.hold(&model).map_err(|error| error.to_string())?;
                Ok(Outcome::Held(Box::new(held)))
            }
            Err(ModelError::Unknown { .. }) if !named_as.is_damaged(&bytes) => Ok(Outcome::NoModel),
            Err(error) => Err(error.to_string()),
        }
    };
    // One file must not end the audit of all others.
    match catch_unwind(AssertUnwindSafe(look)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(what)) => Outcome::Unreadable(what),
        Err(_) => Outcome::Unreadable("oplock itself failed on it: please report this file".to_owned()),
    }
}

/// How far threads may be ahead of the first result that is not told yet.
const AHEAD: usize = 256;

struct Turn {
    next: usize,
    told: usize,
    is_over: bool,
}

/// Looks at all files, on so many threads. `make` makes on the same thread of what became of a file what is to be told, and `tell` tells it on
/// this one, in the order of the files; it says whether to go on.
pub fn run<T: Send>(
    jobs: &[Job],
    reader: &Reader,
    threads: NonZero<usize>,
    limits: Limits,
    make: impl Fn(&Job, Outcome) -> T + Sync,
    mut tell: impl FnMut(&Job, T) -> bool,
) {
    let (turn, moved) = (Mutex::new(Turn { next: 0, told: 0, is_over: false }), Condvar::new());
    let lock = || -> MutexGuard<'_, Turn> { turn.lock().unwrap_or_else(PoisonError::into_inner) };
    let (sender, results) = mpsc::sync_channel(threads.get());
    thread::scope(|scope| {
        for _ in 0..threads.get().min(jobs.len()) {
            let (sender, lock, moved, make) = (sender.clone(), &lock, &moved, &make);
            let work = move || loop {
                let mut turn = lock();
                while turn.next >= turn.told + AHEAD && !turn.is_over {
                    turn = moved.wait(turn).unwrap_or_else(PoisonError::into_inner);
                }
                let index = turn.next;
                if turn.is_over || index >= jobs.len() {
                    return;
                }
                turn.next += 1;
                drop(turn);
                let job = &jobs[index];
                if sender.send((index, make(job, look(job, reader, limits)))).is_err() {
                    return;
                }
            };
            // Messages may be deep within each other.
            if thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut told = 0;
        let mut goes_on = true;
        for (index, outcome) in &results {
            waiting.insert(index, outcome);
            while let Some(outcome) = waiting.remove(&told).filter(|_| goes_on) {
                goes_on = tell(&jobs[told], outcome);
                told += 1;
            }
            let mut turn = lock();
            (turn.told, turn.is_over) = (told, !goes_on);
            drop(turn);
            moved.notify_all();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_complete_and_stable() {
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, count: 8 }));
        for wrong in ["", "2", "0/8", "9/8", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        let names: Vec<_> = (0..1000).map(|i| format!("models/{i}.onnx")).collect();
        let shards: Vec<_> = (1..=4).map(|index| Shard { index, count: 4 }).collect();
        for name in &names {
            assert_eq!(shards.iter().filter(|shard| shard.has(name)).count(), 1, "{name}");
        }
        for shard in &shards {
            let count = names.iter().filter(|name| shard.has(name)).count();
            assert!((150..350).contains(&count), "{count}");
        }
        // As written down, so that a run that is resumed next year finds the same files.
        let first = Shard { index: 1, count: 2 };
        assert_eq!(
            ["a", "b", "c", "d/e.pdmodel"].map(|name| first.has(name)),
            [true, false, true, first.has("d/e.pdmodel")]
        );
    }

    /// What each file of a folder is, or what is wrong with it.
    fn walked(folder: &Path, shard: Option<Shard>) -> Vec<(String, Option<String>)> {
        let name = |job: &Job| job.path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        let jobs = walk(&[folder.to_owned()], shard).unwrap();
        jobs.iter().map(|job| (name(job), job.fault.clone())).collect()
    }

    #[test]
    fn what_is_gone_meanwhile_is_told() {
        let folder = tempfile::TempDir::new().unwrap();
        for name in ["a.onnx", "b.onnx"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let jobs = walk(&[folder.path().to_owned()], None).unwrap();
        fs::remove_file(folder.path().join("a.onnx")).unwrap();
        let reader = Reader::of_definitions("none", BTreeMap::new());
        let told = |job: &Job| match look(job, &reader, Limits::default()) {
            Outcome::Unreadable(error) => error,
            other => panic!("{other:?}"),
        };
        assert!(told(&jobs[0]).contains("No such file") || cfg!(windows), "{}", told(&jobs[0]));
        assert!(told(&jobs[1]).contains("the file is empty"), "{}", told(&jobs[1]));
        let named = walk(&[folder.path().join("a.onnx")], None);
        assert!(named.unwrap_err().to_string().starts_with("cannot read "));
    }

    /// A folder that is gone when it is its turn is as one that may not be read, which no test of the superuser can have.
    #[test]
    fn a_folder_that_cannot_be_read_is_told_in_each_part() {
        let folder = tempfile::TempDir::new().unwrap();
        let gone = folder.path().join("gone");
        for shard in [None, Some(Shard { index: 1, count: 2 }), Some(Shard { index: 2, count: 2 })] {
            let mut jobs = Vec::new();
            below(&gone, "zoo", "gone", shard, &mut jobs);
            let [job] = jobs.as_slice() else { panic!("{jobs:?}") };
            assert_eq!((job.name.as_str(), job.size), ("zoo/gone", 0));
            assert!(job.fault.as_ref().unwrap().starts_with("the folder cannot be read: "), "{job:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_told_and_not_waited_for() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        let folder = tempfile::TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "").unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/zero", at("device.onnx")).unwrap();
        symlink("round", at("round")).unwrap();
        symlink("lost", at("nowhere")).unwrap();
        symlink("lost", at("nowhere.onnx")).unwrap();
        symlink(".", at("folder.onnx")).unwrap();
        let found = walked(folder.path(), None);
        let names: Vec<_> = found.iter().map(|(name, fault)| (name.as_str(), fault.is_some())).collect();
        assert_eq!(
            names,
            [("device.onnx", true), ("nowhere.onnx", true), ("plain", false), ("round", true), ("socket", true)]
        );
        for index in [0, 4] {
            let fault = found[index].1.as_deref();
            assert_eq!(fault, Some("it is no regular file, but a pipe, a socket or a device"));
        }
        // Named itself, it is told as well.
        let given = walk(&[at("socket")], None).unwrap();
        assert_eq!((given.len(), &given[0].fault), (1, &found[4].1));
        let reader = Reader::of_definitions("none", BTreeMap::new());
        let told = look(&given[0], &reader, Limits::default());
        assert!(matches!(told, Outcome::Unreadable(error) if error.contains("no regular file")));
    }

    #[test]
    fn results_come_in_order_and_stop_when_told() {
        let folder = tempfile::TempDir::new().unwrap();
        for i in 0..600 {
            let text = if i % 3 == 0 { "no model" } else { "\u{8}\u{7}" };
            fs::write(folder.path().join(format!("{i:04}")), text).unwrap();
        }
        let jobs = walk(&[folder.path().to_owned()], None).unwrap();
        assert_eq!(jobs.len(), 600);
        let reader = Reader::of_definitions("none", BTreeMap::new());
        let threads = NonZero::new(3).unwrap();
        let mut seen = Vec::new();
        let name = |job: &Job, _: Outcome| job.name.clone();
        run(&jobs, &reader, threads, Limits::default(), name, |_, name| {
            seen.push(name);
            true
        });
        assert_eq!(seen, jobs.iter().map(|job| job.name.clone()).collect::<Vec<_>>());
        let mut count = 0;
        run(&jobs, &reader, threads, Limits::default(), name, |_, _| {
            count += 1;
            count < 10
        });
        assert_eq!(count, 10);
    }
}
