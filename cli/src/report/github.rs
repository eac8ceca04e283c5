//! Annotations of a GitHub workflow. GitHub shows ten of a kind in a step, so the worst come first and the last one
//! sums up.

use std::fmt::Write as _;

use super::{Flat, Level, Report, count};

/// How many GitHub shows.
const MOST: usize = 10;

pub(super) fn to_text(reports: &[Report<'_>]) -> String {
    let mut all: Vec<_> = reports.iter().flat_map(Report::flat).collect();
    // Stable: within a level as they were found.
    all.sort_by_key(|flat| std::cmp::Reverse(flat.level));
    let rest = if all.len() > MOST { all.split_off(MOST - 1) } else { Vec::new() };
    let mut text: String = all.iter().map(line).collect();
    if let Some(worst) = rest.first() {
        let errors = rest.iter().filter(|flat| flat.level == Level::Error).count();
        let what = format!("{} more, {} among them", count(rest.len(), "finding"), count(errors, "error"));
        let message = data(&format!("{what}: `cargo oplock check` lists all"));
        let _ = writeln!(text, "::{} title=oplock::{message}", command(worst.level));
    }
    text
}

const fn command(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

fn line(flat: &Flat<'_>) -> String {
    let mut properties = vec![format!("file={}", property(&flat.file))];
    if flat.line > 0 {
        properties.push(format!("line={}", flat.line));
    }
    properties.push(format!("title={}", property(&format!("oplock: {}", flat.rule))));
    let message = std::iter::once(&flat.title).chain(&flat.details).map(String::as_str).collect::<Vec<_>>().join("\n");
    format!("::{} {}::{}\n", command(flat.level), properties.join(","), data(&message))
}

/// A message as a workflow command takes it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as a workflow command takes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
