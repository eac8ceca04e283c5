//! SARIF 2.1.0, for code scanning: one run, with all rules that occur in it.

use std::fmt::Write as _;

use oplock_core::compare::rule;
use serde_json::{Value, json};

use super::{Flat, Report};
use crate::checks::check;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn to_text(reports: &[Report<'_>]) -> String {
    let all: Vec<_> = reports.iter().flat_map(Report::flat).collect();
    let mut names: Vec<_> = all.iter().map(|flat| flat.rule).collect();
    names.sort_unstable();
    names.dedup();
    let rules: Vec<_> = names.iter().map(|name| describe(name)).collect();
    let results: Vec<_> =
        all.iter().map(|flat| result(flat, names.binary_search(&flat.rule).unwrap_or_default())).collect();
    let driver = json!({
        "name": "oplock",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{log:#}\n")
}

fn describe(name: &str) -> Value {
    let of_rule = rule(name).map(|rule| (rule.why, rule.example));
    let (why, example) = of_rule.or_else(|| check(name).map(|check| (check.why, check.example))).unwrap_or_default();
    json!({
        "id": name,
        "shortDescription": { "text": why },
        "fullDescription": { "text": format!("{why} Example: {example}") },
        "help": { "text": format!("cargo oplock explain {name}") },
    })
}

fn result(flat: &Flat<'_>, rule: usize) -> Value {
    let mut text = flat.title.clone();
    for line in &flat.details {
        let _ = write!(text, "\n{line}");
    }
    let mut physical = json!({ "artifactLocation": { "uri": uri(&flat.file) } });
    if flat.line > 0 {
        physical["region"] = json!({ "startLine": flat.line });
    }
    json!({
        "ruleId": flat.rule,
        "ruleIndex": rule,
        "level": flat.level.name(),
        "message": { "text": text },
        "locations": [{ "physicalLocation": physical }],
        "partialFingerprints": { "oplockFinding/v1": format!("{} {}", flat.rule, flat.title) },
    })
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
