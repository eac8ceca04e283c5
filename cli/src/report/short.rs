//! One line a finding.

use std::fmt::Write as _;

use super::Report;

pub(super) fn to_text(report: &Report<'_>) -> String {
    let mut text = String::new();
    for item in report.items {
        let finding = item.finding();
        let _ = write!(text, "{}: {} [{}] ({})", finding.path(), finding.message(), finding.rule.name, finding.bump);
        if let Some(place) = &item.place {
            let _ = write!(text, " at {place}");
        }
        text.push('\n');
    }
    for note in &report.notes {
        let first = note.text.lines().next().unwrap_or_default();
        let _ = writeln!(text, "{}: {first} [{}]", note.level.name(), note.rule);
    }
    text
}
