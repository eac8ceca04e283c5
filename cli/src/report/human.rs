//! Findings as `oplock_core` words them, a block each, the worst in red.

use std::fmt::Write as _;

use anstyle::Style;
use clap_cargo::style::{ERROR, GOOD, NOTE, WARN};
use oplock_core::{Bump, Finding, Verdict, report};

use super::{Change, Item, Level, Report};

pub(super) fn to_text(report: &Report<'_>) -> String {
    let mut text = String::new();
    for item in report.items {
        let style = style(item);
        let headline = format!("{} [{}]", item.finding().message(), item.finding().rule.name);
        let _ = writeln!(text, "{style}{headline}{style:#}");
        if report.is_done && !item.is_refused() {
            continue;
        }
        let details = match &item.change {
            Change::Judged(judged) | Change::Pending(judged) => report::details(judged),
            Change::Compared { finding, .. } => compared(item, finding),
        };
        if let Some(place) = &item.place {
            let _ = writeln!(text, "  source: {place}");
        }
        for line in details.into_iter().chain(item.witness.lines()) {
            let _ = writeln!(text, "{line}");
        }
        text.push('\n');
    }
    for note in &report.notes {
        let style = match note.level {
            Level::Error => ERROR,
            Level::Warning => WARN,
            Level::Note => NOTE,
        };
        let (first, rest) = note.text.split_once('\n').unwrap_or((&note.text, ""));
        let _ = writeln!(text, "{style}{first}{style:#}\n{rest}{}", if rest.is_empty() { "" } else { "\n" });
    }
    text
}

fn style(item: &Item) -> Style {
    match (item.verdict(), item.finding().bump) {
        (Some(Verdict::Refused(_)), _) | (None, Bump::Major) => ERROR,
        (Some(Verdict::Accepted(_)), _) | (None, Bump::Minor) => WARN,
        _ => GOOD,
    }
}

/// The lines below the first, where no package asks whether it may.
fn compared(item: &Item, finding: &Finding) -> Vec<String> {
    let backward = if finding.backward() { "yes" } else { "no" };
    let forward = finding.forward().name().replace('_', " ");
    let mut lines = Vec::new();
    if let Some(since) = item.since().filter(|_| item.line() > 0) {
        lines.push(format!("  locked: line {}, {since}", item.line()));
    }
    lines.push(format!(
        "  bump: {} (old graphs load: {backward}; new graphs load in old releases: {forward})",
        finding.bump
    ));
    let breaks = finding.breaks(&item.saved());
    if finding.is_break() && !breaks.is_empty() {
        lines.push(format!("  breaks: {breaks}"));
    }
    let remedy = finding.remedy();
    if finding.is_break() && !remedy.is_empty() {
        lines.push(format!("  help: {remedy}"));
    }
    lines
}
