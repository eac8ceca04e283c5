//! One JSON object a line, a finding each. The names of the keys are stable.

use oplock_core::lock::Since;
use oplock_core::{Kind, SavedKind, Verdict};
use serde::Serialize;
use serde_json::json;

use super::{Item, Note, Report};

/// The version of what a line holds, told in each: it rises when a key goes or changes its meaning.
pub(super) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Row<'a> {
    schema: u32,
    reason: &'a str,
    package: Option<&'a str>,
    rule: &'a str,
    op: Option<&'a str>,
    data: Option<&'a str>,
    kind: Option<&'a str>,
    item: Option<&'a str>,
    field: Option<&'a str>,
    from: Option<&'a str>,
    to: Option<&'a str>,
    backward: &'a str,
    forward: &'a str,
    bump: &'a str,
    r#break: bool,
    verdict: Option<&'a str>,
    since: Option<String>,
    line: Option<u32>,
    file: Option<&'a str>,
    source_line: Option<u32>,
    message: String,
    breaks: Option<String>,
    remedy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<serde_json::Value>,
}

pub(super) fn to_text(report: &Report<'_>) -> String {
    let items = report.items.iter().map(|item| to_line(report.package, item));
    let notes = report.notes.iter().map(|note| note_line(report.package, note));
    items.chain(notes).map(|line| line + "\n").collect()
}

fn to_line(package: Option<&str>, item: &Item) -> String {
    let finding = item.finding();
    let non_empty = |text: String| if text.is_empty() { None } else { Some(text) };
    let row = Row {
        schema: SCHEMA,
        reason: "finding",
        package,
        rule: finding.rule.name,
        op: Some(finding.op.as_str()).filter(|op| !op.is_empty()),
        data: finding.data.map(SavedKind::key),
        kind: finding.item.as_ref().map(|(kind, _)| Kind::key(*kind)),
        item: finding.item.as_ref().map(|(_, name)| name.as_str()),
        field: finding.field,
        from: finding.from.as_deref(),
        to: finding.to.as_deref(),
        backward: if finding.backward() { "yes" } else { "no" },
        forward: finding.forward().name(),
        bump: finding.bump.name(),
        r#break: finding.is_break(),
        verdict: item.verdict().map(|verdict| match verdict {
            Verdict::Compatible => "compatible",
            Verdict::Accepted(_) => "accepted",
            Verdict::Approved(_) => "approved",
            Verdict::Refused(_) => "refused",
        }),
        since: item.since().map(|since| match since {
            Since::Unreleased => "unreleased".to_owned(),
            Since::Release(version) => version.to_string(),
        }),
        line: Some(item.line()).filter(|line| *line > 0),
        file: item.place.as_ref().map(|place| place.file.as_str()),
        source_line: item.place.as_ref().map(|place| place.line),
        message: finding.message(),
        breaks: non_empty(finding.breaks(&item.saved())),
        remedy: non_empty(finding.remedy()),
        witness: item.witness.object(),
    };
    serde_json::to_string(&row).unwrap_or_default() // a row has no key that is not text, so it can always be written
}

fn note_line(package: Option<&str>, note: &Note) -> String {
    let mut lines = note.text.lines();
    let message = lines.next().unwrap_or_default();
    let help: Vec<_> = lines.map(str::trim).collect();
    let line = Some(note.line).filter(|line| *line > 0);
    json!({
        "schema": SCHEMA, "reason": "note", "package": package, "rule": note.rule, "level": note.level.name(),
        "file": note.file, "line": line, "message": message, "help": help,
    })
    .to_string()
}
