//! What another system says of a change: its own report, or the findings one by one.

use std::fmt::Write as _;

use oplock_core::Kind;
use oplock_interop::rules::Judgement;
use serde_json::json;

use super::json::SCHEMA;
use crate::args::Format;

/// The text in that format, which is one of `human`, `short` and `json`.
pub(crate) fn to_text(judgement: &Judgement, rules: &str, format: Format) -> String {
    match (format, &judgement.report) {
        (Format::Json, _) => json(judgement, rules),
        (Format::Human, Some(report)) => report.clone(),
        _ => judgement.findings.iter().fold(String::new(), |mut text, finding| {
            let _ = writeln!(text, "{finding}");
            text
        }),
    }
}

/// One JSON object a line, a finding each.
fn json(judgement: &Judgement, rules: &str) -> String {
    judgement.findings.iter().fold(String::new(), |mut text, finding| {
        let line = json!({
            "schema": SCHEMA, "reason": "peer_finding", "rules": rules, "rule": finding.rule, "op": finding.op,
            "kind": finding.item.as_ref().map(|(kind, _)| Kind::key(*kind)),
            "item": finding.item.as_ref().map(|(_, item)| item.as_str()), "message": finding.text,
        });
        let _ = writeln!(text, "{line}");
        text
    })
}
