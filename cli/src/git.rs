//! What is asked of git. Without git, or outside a repository, it has nothing.

use std::path::Path;
use std::process::{Command, Stdio};

use oplock_core::LOCK_FILE;

/// What git prints, if it succeeds.
fn ask(folder: &Path, args: &[&str]) -> Option<Vec<u8>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(args)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(output.stdout)
}

fn ask_text(folder: &Path, args: &[&str]) -> Option<String> {
    ask(folder, args).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn ask_line(folder: &Path, args: &[&str]) -> Option<String> {
    ask_text(folder, args).map(|text| text.trim_end_matches(['\n', '\r']).to_owned())
}

/// A file as an argument of a command that is shown, for a shell that runs it where this one runs.
pub(crate) fn argument(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let text = path.strip_prefix(here).unwrap_or(path).display().to_string();
    oplock_core::report::shell_word(&text)
}

/// Whether git's HEAD has a lock in that folder.
pub(crate) fn head_has_lock(folder: &Path) -> bool {
    ask(folder, &["cat-file", "-e", &format!("HEAD:./{LOCK_FILE}")]).is_some()
}

/// Where the folder is in its repository: `crates/vision/`, or nothing for the root.
pub(crate) fn prefix(folder: &Path) -> Option<String> {
    ask_line(folder, &["rev-parse", "--show-prefix"])
}

/// The commit of a revision.
pub(crate) fn commit(folder: &Path, revision: &str) -> Option<String> {
    let revision = format!("{revision}^{{commit}}");
    ask_line(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])
}

/// Whether the repository has only the newest part of its history.
pub(crate) fn is_shallow(folder: &Path) -> bool {
    ask_line(folder, &["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true")
}

/// A file of a commit, by its path from the root of the repository.
pub(crate) fn file(folder: &Path, commit: &str, path: &str) -> Option<String> {
    ask_text(folder, &["cat-file", "blob", &format!("{commit}:{path}")])
}

/// The files below a folder of a commit with the ids of what they hold; both paths are from the root of the repository.
pub(crate) fn files(folder: &Path, commit: &str, below: &str) -> Vec<(String, String)> {
    let all = ask_text(folder, &["ls-tree", "-r", "-z", "--full-tree", commit, "--", below]).unwrap_or_default();
    let file = |line: &str| {
        let (head, path) = line.split_once('\t')?;
        Some((path.to_owned(), head.rsplit(' ').next()?.to_owned()))
    };
    all.split('\0').filter_map(file).collect()
}

/// The id that git would give to what a file holds.
pub(crate) fn id(folder: &Path, path: &Path) -> Option<String> {
    ask_line(folder, &["hash-object", "--", &path.to_string_lossy()])
}

/// The commits that this repository has beyond that one, on any branch, and that touched one of the files; their paths
/// are from the root of the repository. The newest is first.
pub(crate) fn commits_since(folder: &Path, commit: &str, paths: &[String]) -> Vec<String> {
    let paths: Vec<_> = paths.iter().map(|path| format!(":(top,literal){path}")).collect();
    // A file that a branch added and took away again is no difference to where it was merged.
    let mut args = vec!["rev-list", "--full-history", "HEAD", "--all", "--not", commit, "--"];
    args.extend(paths.iter().map(String::as_str));
    ask_text(folder, &args).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The paths of all locks of a commit, from the root of the repository.
pub(crate) fn locks(folder: &Path, commit: &str) -> Vec<String> {
    let all = ask_text(folder, &["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit]).unwrap_or_default();
    let is_lock = |path: &&str| path.rsplit('/').next() == Some(LOCK_FILE);
    all.split('\0').filter(is_lock).map(str::to_owned).collect()
}

/// A side of the conflict in which a file of the folder is: 1 the base, 2 ours, 3 theirs.
pub(crate) fn stage(folder: &Path, file: &str, stage: u8) -> Option<String> {
    ask_text(folder, &["cat-file", "blob", &format!(":{stage}:./{file}")])
}

/// Whether git holds a file of the folder for unmerged.
pub(crate) fn is_unmerged(folder: &Path, file: &str) -> bool {
    ask(folder, &["ls-files", "--unmerged", "-z", "--", file]).is_some_and(|listed| !listed.is_empty())
}

/// Git's user: `A. Person <a@example.com>`.
pub(crate) fn user(folder: &Path) -> Option<String> {
    let of = |key: &str| ask_line(folder, &["config", "--get", key]).filter(|value| !value.trim().is_empty());
    let name = of("user.name")?;
    Some(of("user.email").map_or_else(|| name.clone(), |email| format!("{name} <{email}>")))
}
