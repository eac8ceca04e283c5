//! What a command printed and how it ended. A failed assertion shows all of it.

use std::fmt;
use std::process::ExitStatus;

use crate::diagnostics::{self, Diagnostic, Level};
use crate::tools;

/// A finished command.
#[derive(Clone, Debug)]
pub struct Output {
    command: String,
    status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Output { command, status, stdout, stderr } = self;
        write!(f, "$ {command}\n-- stdout --\n{stdout}-- stderr --\n{stderr}-- {status}\n")
    }
}

impl Output {
    pub(crate) fn new(command: String, output: &std::process::Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Output { command, status: output.status, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// Whether it ended with 0.
    pub fn is_success(&self) -> bool {
        self.status.success()
    }

    /// It ended with 0.
    #[track_caller]
    pub fn succeeds(self) -> Self {
        self.exits(0)
    }

    /// It ended with another code than 0.
    #[track_caller]
    pub fn fails(self) -> Self {
        assert!(!self.status.success(), "should have failed:\n{self}");
        self
    }

    /// It ended with that code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert!(self.status.code() == Some(code), "should have ended with {code}:\n{self}");
        self
    }

    /// The text is somewhere in what it printed.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stdout.contains(text) || self.stderr.contains(text), "should have printed {text:?}:\n{self}");
        self
    }

    /// The text is nowhere in what it printed.
    #[track_caller]
    pub fn says_nothing_of(self, text: &str) -> Self {
        assert!(!self.stdout.contains(text) && !self.stderr.contains(text), "should not have said {text:?}:\n{self}");
        self
    }

    /// Standard output is empty.
    #[track_caller]
    pub fn prints_nothing(self) -> Self {
        assert!(self.stdout.is_empty(), "standard output should have been empty:\n{self}");
        self
    }

    /// No macro and no command panicked.
    #[track_caller]
    pub fn does_not_panic(self) -> Self {
        self.says_nothing_of("panicked")
    }

    /// What the compiler said, each with its place.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        diagnostics::read(&self.stderr)
    }

    /// The compiler's errors, without cargo's own last words.
    pub fn errors(&self) -> Vec<Diagnostic> {
        let mut errors = self.diagnostics();
        errors.retain(|diagnostic| diagnostic.level == Level::Error && !diagnostic.places.is_empty());
        errors
    }

    /// The compiler's warnings of the crates that a test made, without those of this workspace.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let own = tools::workspace().to_string_lossy();
        let is_foreign = |place: &String| !place.starts_with(own.as_ref());
        let mut warnings = self.diagnostics();
        warnings.retain(|diagnostic| diagnostic.level == Level::Warning && diagnostic.places.iter().any(is_foreign));
        warnings
    }

    /// The compiler has nothing to warn of.
    #[track_caller]
    pub fn warns_of_nothing(self) -> Self {
        assert!(self.warnings().is_empty(), "should not have warned:\n{self}");
        self
    }

    /// There are so many errors, no more.
    #[track_caller]
    pub fn has_errors(self, count: usize) -> Self {
        assert!(self.errors().len() == count, "should have had {count} errors:\n{self}");
        self
    }

    /// An error that has the text stands at the place: `src/lib.rs:17:22`.
    #[track_caller]
    pub fn has_error_at(self, place: &str, text: &str) -> Self {
        self.has_at(Level::Error, place, text)
    }

    /// A warning that has the text stands at the place.
    #[track_caller]
    pub fn has_warning_at(self, place: &str, text: &str) -> Self {
        self.has_at(Level::Warning, place, text)
    }

    #[track_caller]
    fn has_at(self, level: Level, place: &str, text: &str) -> Self {
        let is_there = self.diagnostics().iter().any(|diagnostic| {
            diagnostic.level == level
                && diagnostic.text.contains(text)
                && diagnostic.places.iter().any(|p| p.replace('\\', "/") == place)
        });
        assert!(is_there, "should have said {text:?} at {place} ({level:?}):\n{self}");
        self
    }

    /// Standard output as one JSON object a line.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON, {error}: {line}\n{self}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The findings that it printed as JSON, each as `rule op.item field bump`.
    #[track_caller]
    pub fn findings(&self) -> Vec<String> {
        let row = |object: &serde_json::Value| {
            let text = |key: &str| object[key].as_str().unwrap_or("-").to_owned();
            format!("{} {}.{} {} {}", text("rule"), text("op"), text("item"), text("field"), text("bump"))
        };
        self.json_lines().iter().map(row).collect()
    }
}
