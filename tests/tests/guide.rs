//! Runs every command of the guide as it is written: what stands in blocks of `sh`. Blocks of `text` and `console` are
//! there to be read.
//!
//! Comments before the blocks say in which crate, which a reader of the page does not see:
//!
//! | comment | meaning |
//! |---|---|
//! | `<!-- crate: released -->` | the next block and those after it run in a new crate: the operator of the README's tutorial, released as 0.1.0, or without a lock for a block that makes it |
//! | `<!-- crate: with an addition -->` | the same, with one more attribute that is in the lock |
//! | `<!-- crate: with a break -->` | the same as released, with another default in the source, and a data version for that |
//! | `<!-- crate: conflicted -->` | the same as released, in a repository that merges two branches which do not agree |
//! | `<!-- version: X -->` | the package has that version from the next block on |

use std::fs;

use oplock_tests::page::{self, Part, parts, tutorial};
use oplock_tests::{Folder, workspace};

const PAGES: [&str; 6] = ["adopting", "releasing", "breaking", "branches", "monorepos", "ci"];

const BRANCHES: [&str; 2] = ["ours", "theirs"];

#[test]
fn adopting() {
    follow("adopting", &Folder::new());
}

#[test]
fn releasing() {
    let folder = follow("releasing", &Folder::new());
    assert!(folder.lock_has(r#"slice.attr.decrease_axis = { type = "[i32]", default = [], since = "0.1.1" }"#));
}

#[test]
fn breaking() {
    follow("breaking", &Folder::new());
}

#[test]
fn branches() {
    let folder = follow("branches", &Folder::new());
    // What is left to do, as the page and the command say.
    assert!(!folder.lock().contains("<<<<<<<"), "{}", folder.lock());
    git(&folder, &["checkout", "--quiet", "--ours", "src/lib.rs"]);
    folder.oplock_update().succeeds();
    folder.oplock_check().succeeds();
    git(&folder, &["add", "ops.lock", "src/lib.rs"]);
    git(&folder, &["commit", "--quiet", "--message", "Merge"]);
}

#[test]
fn monorepos() {
    follow("monorepos", &Folder::new());
}

#[test]
fn ci() {
    follow("ci", &Folder::new());
}

#[test]
fn no_other_page_has_commands() {
    for entry in fs::read_dir(workspace().join("docs")).expect("the workspace has documentation") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let text = page::read(&format!("docs/{name}.md"));
            assert_eq!(blocks_of_sh(&text) > 0, PAGES.contains(&name.as_ref()), "{name}.md");
        }
    }
}

/// However far in they stand.
fn blocks_of_sh(text: &str) -> usize {
    text.lines().filter(|line| line.trim_start().starts_with("```sh")).count()
}

/// Runs a page of the guide, and has the crate in which it ends.
fn follow(name: &str, home: &Folder) -> Folder {
    let text = page::read(&format!("docs/{name}.md"));
    let (mut blocks, mut crates) = (0, 0);
    let (mut kind, mut version, mut current) = (None, None, None);
    for part in parts(&text) {
        match part {
            Part::Comment { name, value } => {
                let pending = match name.as_str() {
                    "crate" => &mut kind,
                    "version" => &mut version,
                    _ => panic!("what is to be done with {name}: {value}?"),
                };
                assert_eq!(pending.replace(value), None, "no block followed the {name} before");
            }
            Part::Block { language, lines } if language == "sh" => {
                if let Some(kind) = kind.take() {
                    crates += 1;
                    let has_lock = !lines.iter().any(|line| line.starts_with("cargo oplock init"));
                    // Cargo tells crates of one target folder apart by their names.
                    current = Some(new_crate(home, &format!("guide-{name}-{crates}"), &kind, has_lock));
                }
                let folder = current.as_ref().unwrap_or_else(|| panic!("in which crate? {lines:?}"));
                if let Some(version) = version.take() {
                    folder.set_version(&version);
                }
                blocks += 1;
                assert!(!lines.is_empty(), "a block without a command");
                for line in &lines {
                    page::run(folder, line).succeeds();
                }
            }
            Part::Block { language, lines } => {
                assert!(
                    ["text", "console", "toml", "yaml"].contains(&language.as_str()),
                    "what is to be done with a block of {language:?}? {lines:?}"
                );
                assert_eq!((&kind, &version), (&None, &None), "before {lines:?}");
            }
        }
    }
    assert_eq!((kind, version), (None, None), "no block follows");
    assert_eq!(blocks, blocks_of_sh(&text), "a block was not seen");
    current.expect("a page of the guide has a command")
}

fn new_crate(home: &Folder, name: &str, kind: &str, has_lock: bool) -> Folder {
    let folder = home.package(name, "0.1.0", &slice());
    if !has_lock {
        assert_eq!(kind, "released", "a block that makes the lock begins without one");
        return folder;
    }
    let folder = folder.released("0.1.0");
    match kind {
        "released" => {}
        "with an addition" => add(&folder, "[]"),
        "with a break" => {
            folder.edit("src/lib.rs", "default = []", "default = [1]");
            folder.takes_version(2);
        }
        "conflicted" => conflict(&folder),
        _ => panic!("what is a crate {kind:?}?"),
    }
    folder
}

/// The source that the tutorial begins with.
fn slice() -> String {
    let parts = parts(&tutorial());
    let after = parts.iter().skip_while(|part| !matches!(part, Part::Comment { name, .. } if name == "file")).nth(1);
    match after {
        Some(Part::Block { language, lines }) if language == "rust" => lines.join("\n") + "\n",
        other => panic!("the tutorial begins with a source, not with {other:?}"),
    }
}

/// One more attribute, which the lock has as well.
fn add(folder: &Folder, default: &str) {
    let last = "    pub starts: Vec<i32>,\n";
    let more = format!(
        "    /// The axes to remove from the result.\n    #[attr(default = {default})]\n    pub decrease_axis: Vec<i32>,\n"
    );
    folder.edit("src/lib.rs", last, &format!("{last}{more}"));
    folder.oplock_update().succeeds();
}

/// Two branches add the same attribute, each with a default of its own, and one merges the other.
fn conflict(folder: &Folder) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["checkout", "--quiet", "-b", "trunk"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "The release"]);
    for (branch, default) in BRANCHES.into_iter().zip(["[]", "[0]"]) {
        git(folder, &["checkout", "--quiet", "-b", branch, "trunk"]);
        add(folder, default);
        git(folder, &["commit", "--quiet", "--all", "--message", "An addition"]);
    }
    let [ours, theirs] = BRANCHES;
    git(folder, &["checkout", "--quiet", ours]);
    run_git(folder, &["merge", "--quiet", theirs]).fails().says("ops.lock");
    assert!(folder.lock().contains("<<<<<<<"), "{}", folder.lock());
}

fn git(folder: &Folder, arguments: &[&str]) {
    run_git(folder, arguments).succeeds();
}

fn run_git(folder: &Folder, arguments: &[&str]) -> oplock_tests::Output {
    // Nobody's own configuration matters.
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
    folder.run("git").args(identity).args(["-c", "core.autocrlf=false"]).args(arguments).run()
}
