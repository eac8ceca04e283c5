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

use oplock_tests::{Folder, workspace};

/// A part of the tutorial that means something.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Comment { name: String, value: String },
    Block { language: String, lines: Vec<String> },
}

fn parts(markdown: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block = lines.by_ref().take_while(|line| *line != "```").map(str::to_owned).collect();
            parts.push(Part::Block { language: language.to_owned(), lines: block });
        } else if let Some(comment) = line.strip_prefix("<!-- ") {
            let comment = comment.strip_suffix(" -->").unwrap_or_else(|| panic!("a comment in one line: {line}"));
            let (name, value) = comment.split_once(": ").unwrap_or((comment, ""));
            parts.push(Part::Comment { name: name.to_owned(), value: value.to_owned() });
        }
    }
    parts
}

/// The tutorial, from its heading to the comment that ends it.
fn tutorial() -> String {
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("the workspace has a README.md");
    let (_, rest) = readme.split_once("\n## A first success in five minutes\n").expect("the tutorial has a heading");
    let (tutorial, _) = rest.split_once("<!-- end of the tutorial -->").expect("a comment ends the tutorial");
    tutorial.to_owned()
}

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
            let folder = self.folder();
            let mut words = line.split_whitespace();
            let program = words.next().unwrap_or_else(|| panic!("an empty line in {lines:?}"));
            assert!(!line.contains(['\'', '"', '$', '|', '>', '&']), "only a shell understands this line: {line}");
            let run = match program {
                "cargo" => folder.cargo(words.next().unwrap_or_default()),
                other => folder.run(other),
            };
            let output = run.args(words).run();
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

#[test]
fn parts_of_a_page() {
    let comment = |name: &str, value: &str| Part::Comment { name: name.to_owned(), value: value.to_owned() };
    let block = |language: &str, lines: &[&str]| Part::Block {
        language: language.to_owned(),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    let page = "Text.\n\n<!-- file: a b.rs -->\n```rust\nfn a() {}\n\n```\n<!-- end -->\n```sh\ncd x\n```\n";
    let expected =
        [comment("file", "a b.rs"), block("rust", &["fn a() {}", ""]), comment("end", ""), block("sh", &["cd x"])];
    assert_eq!(parts(page), expected);
}
