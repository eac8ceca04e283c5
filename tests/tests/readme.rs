//! Runs the tutorial of the README as it is written, and holds what it shows against what is there.
//!
//! Comments between its blocks steer that, which a reader of the page does not see:
//!
//! | comment | meaning |
//! |---|---|
//! | `<!-- skip: WHY -->` | the next block is not run |
//! | `<!-- file: PATH -->` | the next block becomes that file |
//! | `<!-- replace in FILE: A ==> B -->` | an edit that the page asks for in words; `⏎` is a line end |
//! | `<!-- fails: TEXT -->` | the last command of the next block fails and prints the text |

use std::path::PathBuf;

use oplock_tests::page::{self, Part, parts, tutorial};
use oplock_tests::{Folder, workspace};

/// Where the reader stands.
struct Reader {
    /// The folder in which `oplock` was cloned.
    home: Folder,
    /// The current folder, from there.
    current: PathBuf,
}

impl Reader {
    fn folder(&self) -> Folder {
        self.home.sub(&self.current.to_string_lossy())
    }

    /// Runs the lines of a block; the last one fails and prints the text, where one is given.
    fn run(&mut self, lines: &[String], failure: Option<&str>) {
        for (i, line) in lines.iter().enumerate() {
            if let Some(folder) = line.strip_prefix("cd ") {
                self.current.push(folder);
                assert!(self.folder().path().is_dir(), "{line}");
                continue;
            }
            let output = page::run(&self.folder(), line);
            match failure.filter(|_| i + 1 == lines.len()) {
                Some(text) => drop(output.fails().says(text)),
                None => drop(output.succeeds()),
            }
        }
    }
}

#[test]
fn the_tutorial_works_as_it_is_written() {
    let home = Folder::new();
    link(&home);
    let mut reader = Reader { home, current: PathBuf::new() };
    let (mut blocks, mut commands) = (0, 0);
    let mut pending = None;
    for part in parts(&tutorial()) {
        match part {
            Part::Comment { name, value } => {
                assert_eq!(pending, None, "before {name}: {value}");
                match name.strip_prefix("replace in ") {
                    Some(file) => {
                        let (from, to) = value.split_once(" ==> ").unwrap_or_else(|| panic!("{value}"));
                        let [from, to] = [from, to].map(|text| text.replace('⏎', "\n"));
                        let folder = reader.folder();
                        // `default = []` is there again once another attribute has it: the first one is meant.
                        let text = folder.read(file);
                        assert!(text.contains(&from), "{from:?} is not in {file}:\n{text}");
                        folder.write(file, &text.replacen(&from, &to, 1));
                    }
                    None => pending = Some((name, value)),
                }
            }
            Part::Block { language, lines } => {
                blocks += 1;
                let text = lines.join("\n") + "\n";
                match (pending.take().as_ref().map(|(name, value)| (name.as_str(), value.as_str())), language.as_str())
                {
                    (Some(("skip", why)), _) => assert!(!why.is_empty(), "say why: {text}"),
                    (Some(("file", path)), _) => reader.folder().write(path, &text),
                    (Some(("fails", failure)), "sh") => reader.run(&lines, Some(failure)),
                    (None, "sh") => {
                        commands += lines.len();
                        reader.run(&lines, None);
                    }
                    // What the page shows is there.
                    (None, "toml") => {
                        let lock = reader.folder().lock();
                        let is_there = |line: &&String| lock.lines().any(|l| l == line.as_str());
                        assert!(lines.iter().all(|line| is_there(&line)), "{text}\nis not all of\n\n{lock}");
                    }
                    (None, "rust") => {
                        let lib = reader.folder().read("src/lib.rs");
                        assert!(lib.contains(&text), "{text}\nis not in\n\n{lib}");
                    }
                    (comment, language) => panic!("what is to be done with {comment:?} and a block of {language:?}?"),
                }
            }
        }
    }
    assert!(
        blocks >= 8 && commands >= 8,
        "only {blocks} blocks and {commands} commands: was the tutorial read at all?"
    );
}

/// The clone beside which the tutorial makes its crate.
#[cfg(unix)]
fn link(home: &Folder) {
    std::os::unix::fs::symlink(workspace(), home.path().join("oplock")).expect("a link to this workspace");
}

#[cfg(windows)]
fn link(home: &Folder) {
    std::os::windows::fs::symlink_dir(workspace(), home.path().join("oplock")).expect("a link to this workspace");
}
