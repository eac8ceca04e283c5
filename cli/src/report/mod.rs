//! Findings as a person or a program reads them. What they say comes from `oplock_core`; here it is only laid out.

mod github;
mod human;
mod json;
mod markdown;
mod paddle;
pub(crate) mod peer;
mod sarif;
mod short;
mod witness;

use std::path::Path;

use oplock_core::lock::{Line, Since};
use oplock_core::{Bump, Finding, Judged, Verdict, report};

use crate::args::Format;
use crate::checks::check;
use crate::collect::Place;
use crate::git;

pub(crate) use witness::Sought;

/// A finding and what is known of it.
pub(crate) struct Item {
    /// What changed, and what follows.
    pub(crate) change: Change,
    /// Where the source declares the operator.
    pub(crate) place: Option<Place>,
    /// A graph that it harms, where that was asked.
    pub(crate) witness: Sought,
}

/// What changed.
pub(crate) enum Change {
    /// Held against a package's lock.
    Judged(Judged),
    /// A break that the lock has already, and no release yet.
    Pending(Judged),
    /// Between two files.
    Compared {
        /// The finding.
        finding: Finding,
        /// Since when the old file promises it, if that is a lock.
        since: Option<Since>,
        /// The old file.
        file: String,
        /// Where that says so; 0 where it does not.
        line: Line,
    },
}

impl Item {
    /// The finding itself.
    pub(crate) fn finding(&self) -> &Finding {
        match &self.change {
            Change::Judged(judged) | Change::Pending(judged) => &judged.finding,
            Change::Compared { finding, .. } => finding,
        }
    }

    /// Whether the package may make the change, where that was asked.
    pub(crate) fn verdict(&self) -> Option<&Verdict> {
        match &self.change {
            Change::Judged(judged) | Change::Pending(judged) => Some(&judged.verdict),
            Change::Compared { .. } => None,
        }
    }

    /// Whether it is a break that nothing allows.
    pub(crate) fn is_refused(&self) -> bool {
        match self.verdict() {
            Some(verdict) => matches!(verdict, Verdict::Refused(_)),
            None => self.finding().is_break(),
        }
    }

    /// How bad it is.
    fn level(&self) -> Level {
        if self.is_refused() {
            return Level::Error;
        }
        match self.change {
            Change::Judged(_) => Level::Warning,
            Change::Pending(_) | Change::Compared { .. } => Level::Note,
        }
    }

    fn since(&self) -> Option<&Since> {
        match &self.change {
            Change::Judged(judged) | Change::Pending(judged) => judged.since.as_ref(),
            Change::Compared { since, .. } => since.as_ref(),
        }
    }

    fn line(&self) -> Line {
        match &self.change {
            Change::Judged(judged) | Change::Pending(judged) => judged.line,
            Change::Compared { line, .. } => *line,
        }
    }

    /// The file of that line, where it is another than the report's.
    fn file(&self) -> Option<&str> {
        match &self.change {
            Change::Compared { file, line, .. } if *line > 0 => Some(file),
            _ => None,
        }
    }

    /// Which graphs are meant, as the sentence about what breaks takes it.
    fn saved(&self) -> String {
        report::saved(self.since())
    }
}

/// Something to tell that is no change of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// How bad it is.
    pub(crate) level: Level,
    /// A stable name, in snake case.
    pub(crate) rule: &'static str,
    /// What it says; further lines help.
    pub(crate) text: String,
    /// The file that it is about, from the folder of the workspace.
    pub(crate) file: String,
    /// The line in it; 0 where it is about no line.
    pub(crate) line: Line,
}

/// How bad something is, from the least to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Only to be known.
    Note,
    /// The lock is stale.
    Warning,
    /// Nothing allows it.
    Error,
}

impl Level {
    /// `note`, `warning` or `error`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// The findings of one package, or of two files.
pub(crate) struct Report<'a> {
    /// The package, where there is one.
    pub(crate) package: Option<&'a str>,
    /// The folder from which files are named; the one at hand where there is none.
    pub(crate) root: Option<&'a Path>,
    /// The lock, or the newer of the two files.
    pub(crate) file: String,
    /// The findings in order.
    pub(crate) items: &'a [Item],
    /// What else there is to tell.
    pub(crate) notes: Vec<Note>,
    /// Whether what may be is being done just now, so that no way to it needs to be told.
    pub(crate) is_done: bool,
}

impl Report<'_> {
    /// The text in that format; empty where there is nothing to tell.
    pub(crate) fn to_text(&self, format: Format) -> String {
        to_text(std::slice::from_ref(self), format)
    }

    /// The least bump of all its changes.
    fn least_bump(&self) -> Option<Bump> {
        self.items.iter().map(|item| item.finding().bump).max()
    }
}

/// The text of several reports in that format; empty where there is nothing to tell, but for a whole document.
pub(crate) fn to_text(reports: &[Report<'_>], format: Format) -> String {
    debug_assert!(reports.iter().flat_map(|report| &report.notes).all(|note| check(note.rule).is_some()));
    match format {
        Format::Human => reports.iter().map(human::to_text).collect(),
        Format::Short => reports.iter().map(short::to_text).collect(),
        Format::Json => reports.iter().map(json::to_text).collect(),
        Format::Github => github::to_text(reports),
        Format::Sarif => sarif::to_text(reports),
        Format::Markdown => markdown::to_text(reports),
        Format::Paddle => reports.iter().map(paddle::to_text).collect(),
    }
}

/// A finding or note in the one shape that annotations take.
struct Flat<'a> {
    level: Level,
    rule: &'a str,
    /// The first line.
    title: String,
    /// The others, without their indentation.
    details: Vec<String>,
    file: String,
    line: Line,
}

impl<'a> Report<'a> {
    fn flat(&'a self) -> Vec<Flat<'a>> {
        // Annotations name files from the root of the repository.
        let prefix = git::prefix(self.root.unwrap_or(Path::new("."))).unwrap_or_default();
        let from_root =
            |file: &str| if Path::new(file).is_absolute() { file.to_owned() } else { format!("{prefix}{file}") };
        let notes = self.notes.iter().map(|note| {
            let mut lines = note.text.lines().map(|line| line.trim().to_owned());
            let title = lines.next().unwrap_or_default();
            Flat {
                level: note.level,
                rule: note.rule,
                title,
                details: lines.collect(),
                file: from_root(&note.file),
                line: note.line,
            }
        });
        let items = self.items.iter().map(|item| {
            let finding = item.finding();
            let (file, line) = match &item.place {
                Some(place) => (place.file.replace('\\', "/"), place.line),
                None => (item.file().unwrap_or(&self.file).to_owned(), item.line()),
            };
            let details = match &item.change {
                Change::Judged(judged) | Change::Pending(judged) => report::details(judged),
                Change::Compared { finding, .. } => vec![finding.breaks(&item.saved())],
            };
            let details = details.iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
            Flat {
                level: item.level(),
                rule: finding.rule.name,
                title: finding.message(),
                details,
                file: from_root(&file),
                line,
            }
        });
        items.chain(notes).collect()
    }
}

/// `3 changes`, `1 change`.
pub(crate) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
