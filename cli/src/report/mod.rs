//! Findings as a person or a program reads them. What they say comes from `oplock_core`; here it is only laid out.

mod human;
mod json;
mod paddle;
mod short;

use oplock_core::lock::{Line, Since};
use oplock_core::{Finding, Judged, Verdict, report};

use crate::args::Format;
use crate::collect::Place;

/// A finding and what is known of it.
pub(crate) struct Item {
    /// What changed, and what follows.
    pub(crate) change: Change,
    /// Where the source declares the operator.
    pub(crate) place: Option<Place>,
}

/// What changed.
pub(crate) enum Change {
    /// Held against a package's lock.
    Judged(Judged),
    /// Between two files.
    Compared {
        /// The finding.
        finding: Finding,
        /// Since when the old file promises it, if that is a lock.
        since: Option<Since>,
        /// Where the old file says so; 0 where it does not.
        line: Line,
    },
}

impl Item {
    /// The finding itself.
    pub(crate) fn finding(&self) -> &Finding {
        match &self.change {
            Change::Judged(judged) => &judged.finding,
            Change::Compared { finding, .. } => finding,
        }
    }

    /// Whether the package may make the change, where that was asked.
    pub(crate) fn verdict(&self) -> Option<&Verdict> {
        match &self.change {
            Change::Judged(judged) => Some(&judged.verdict),
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

    fn since(&self) -> Option<&Since> {
        match &self.change {
            Change::Judged(judged) => judged.since.as_ref(),
            Change::Compared { since, .. } => since.as_ref(),
        }
    }

    fn line(&self) -> Line {
        match &self.change {
            Change::Judged(judged) => judged.line,
            Change::Compared { line, .. } => *line,
        }
    }

    /// Which graphs are meant, as the sentence about what breaks takes it.
    fn saved(&self) -> String {
        report::saved(self.since())
    }
}

/// The findings of one package, or of two files.
pub(crate) struct Report<'a> {
    /// The package, where there is one.
    pub(crate) package: Option<&'a str>,
    /// The findings in order.
    pub(crate) items: &'a [Item],
    /// Whether what may be is being done just now, so that no way to it needs to be told.
    pub(crate) is_done: bool,
}

impl Report<'_> {
    /// The text in that format; empty where there is nothing to tell.
    pub(crate) fn to_text(&self, format: Format) -> String {
        match format {
            Format::Human => human::to_text(self),
            Format::Short => short::to_text(self),
            Format::Json => json::to_text(self),
            Format::Paddle => paddle::to_text(self),
        }
    }
}

/// `3 changes`, `1 change`.
pub(crate) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
