//! Pages of the documentation, read for what a test can do with them: blocks, and the comments that steer it.

use std::fs;

use crate::{Folder, Output, workspace};

/// A part of a page that means something.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    /// `<!-- NAME: VALUE -->`, which a reader of the page does not see.
    Comment {
        /// What is in front of the colon.
        name: String,
        /// What follows it, or nothing.
        value: String,
    },
    /// What stands between fences.
    Block {
        /// The word behind the first fence.
        language: String,
        /// What is in it.
        lines: Vec<String>,
    },
}

/// The comments and blocks of a page, from its beginning to its end.
pub fn parts(markdown: &str) -> Vec<Part> {
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

/// The text of a page, by its path in this workspace.
pub fn read(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The tutorial of the README, from its heading to the comment that ends it.
pub fn tutorial() -> String {
    let readme = read("README.md");
    let (_, rest) = readme.split_once("\n## A first success in five minutes\n").expect("the tutorial has a heading");
    let (tutorial, _) = rest.split_once("<!-- end of the tutorial -->").expect("a comment ends the tutorial");
    tutorial.to_owned()
}

/// Runs a line of a block in that folder, as a shell would that knows words and double quotes, and nothing else.
pub fn run(folder: &Folder, line: &str) -> Output {
    let words = words(line);
    let Some((program, arguments)) = words.split_first() else { panic!("an empty line") };
    let run = match (program.as_str(), arguments.split_first()) {
        // That of the build, whatever the path says.
        ("cargo", Some((command, arguments))) => folder.cargo(command).args(arguments),
        _ => folder.run(program).args(arguments),
    };
    run.run()
}

fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            '$' | '`' | '\\' => panic!("only a shell understands this line: {line}"),
            '\'' | '|' | '<' | '>' | '&' | ';' | '*' | '?' | '#' | '~' | '(' | ')' if !quoted => {
                panic!("only a shell understands this line: {line}")
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "a quote is not closed: {line}");
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn words_of_a_line() {
        assert_eq!(words(r#"a  --by "A. <b>"  c="d e" """#), ["a", "--by", "A. <b>", "c=d e", ""]);
    }

    #[test]
    #[should_panic(expected = "only a shell")]
    fn a_line_for_a_shell() {
        words("a > b");
    }
}
