//! A comment on a pull request: what changed, whether it may, which graphs break, and the least bump.

use std::fmt::Write as _;

use oplock_core::Verdict;

use super::{Item, Level, Report, count};

pub(super) fn to_text(reports: &[Report<'_>]) -> String {
    let mut text = String::from("## Operators\n");
    let told: Vec<_> = reports.iter().filter(|r| !r.items.is_empty() || !r.notes.is_empty()).collect();
    if told.is_empty() {
        text.push_str("\nNothing changed that the lock does not have.\n");
    }
    for report in told {
        section(&mut text, report);
    }
    text
}

fn section(text: &mut String, report: &Report<'_>) {
    let _ = writeln!(text, "\n### {}\n", code(report.package.unwrap_or(&report.file)));
    if let Some(bump) = report.least_bump() {
        let refused = report.items.iter().filter(|item| item.is_refused()).count();
        let allowed = if refused == 0 { "all allowed".to_owned() } else { format!("{refused} **refused**") };
        let changes = count(report.items.len(), "change");
        let _ = writeln!(text, "{changes}, {allowed}. Least bump: **{bump}**.\n");
        text.push_str("| | change | rule | bump | old graphs load | new graphs load in old releases |\n");
        text.push_str("|---|---|---|---|---|---|\n");
        for item in report.items {
            row(text, item);
        }
    }
    let broken: Vec<_> = report.items.iter().filter(|item| item.finding().is_break()).collect();
    if !broken.is_empty() {
        text.push_str("\n<details><summary>Graphs that break</summary>\n\n");
        for item in broken {
            let finding = item.finding();
            let _ = writeln!(text, "- {}: {}", cell(&finding.path()), cell(&finding.breaks(&item.saved())));
        }
        text.push_str("\n</details>\n");
    }
    for note in &report.notes {
        let mark = if note.level == Level::Note { "note" } else { note.level.name() };
        let lines: Vec<_> = note.text.lines().map(|line| cell(line.trim())).collect();
        let _ = writeln!(text, "\n> **{mark}**: {}", lines.join("  \n> "));
    }
}

fn row(text: &mut String, item: &Item) {
    let finding = item.finding();
    let verdict = match item.verdict() {
        None if finding.is_break() => "break".to_owned(),
        None => String::new(),
        Some(Verdict::Compatible) => "compatible".to_owned(),
        Some(Verdict::Accepted(version)) => format!("accepted for {version}"),
        Some(Verdict::Approved(approved)) => format!("approved by {}", approved.by),
        Some(Verdict::Refused(_)) => "**refused**".to_owned(),
    };
    let backward = if finding.backward() { "yes" } else { "no" };
    let forward = match finding.forward().name() {
        "if_unused" => "if they do not use it",
        other => other,
    };
    let (verdict, message, rule) = (cell(&verdict), cell(&finding.message()), code(finding.rule.name));
    let _ = writeln!(text, "| {verdict} | {message} | {rule} | {} | {backward} | {forward} |", finding.bump);
}

/// A text in a cell of a table: nothing in it may end the cell, or be taken for HTML.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}
