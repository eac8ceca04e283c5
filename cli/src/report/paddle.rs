//! `PaddlePaddle`'s published report of changes, to the letter; breaks only.

use std::fmt::Write as _;

use oplock_core::{AttrType, Finding, Kind, Value};

use super::Report;
use oplock_interop::paddle::{report_bool, report_value, type_number};

const FRAME: &str = "------------------------------\n";
const TITLE: &str = "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:\n";

pub(super) fn to_text(report: &Report<'_>) -> String {
    let mut text = String::new();
    let mut op = None;
    for finding in report.items.iter().filter(|item| item.is_refused()).map(super::Item::finding) {
        if !finding.is_of_signature() {
            continue; // the report knows nothing of data versions
        }
        if op.is_none() {
            text.push_str(FRAME);
            text.push_str(TITLE);
        }
        if op != Some(&finding.op) {
            let _ = writeln!(text, "\nFor OP '{}':", finding.op);
            op = Some(&finding.op);
        }
        let _ = writeln!(text, "  * {}", bullet(finding));
    }
    if op.is_some() {
        text.push_str(FRAME);
    }
    text
}

fn bullet(finding: &Finding) -> String {
    let Some((kind, name)) = &finding.item else {
        return match finding.field {
            None => "The OP is deleted.".to_owned(),
            Some(field) => changed(finding, field, "the OP"),
        };
    };
    let kind = match kind {
        Kind::Input => "Input",
        Kind::Output => "Output",
        Kind::Attr => "Attr",
    };
    match (finding.rule.name, finding.field) {
        ("attr_added_without_default", _) => format!("The added {kind} '{name}' doesn't set default value."),
        ("input_added_not_dispensable" | "output_added_not_dispensable", _) => {
            format!("The added {kind} '{name}' is not dispensable.")
        }
        (_, Some(field)) => changed(finding, field, &format!("{kind} '{name}'")),
        (_, None) => format!("The {kind} '{name}' is deleted."),
    }
}

fn changed(finding: &Finding, field: &str, what: &str) -> String {
    let default = |value: &Option<Value>| value.as_ref().map_or("None".to_owned(), report_value);
    let (name, from, to) = match (field, &finding.defaults) {
        ("default", Some((from, to))) => ("default_value", default(from), default(to)),
        _ => (field, plain(field, finding.from.as_deref()), plain(field, finding.to.as_deref())),
    };
    format!("The arg '{name}' of {what} is changed: from '{from}' to '{to}'.")
}

/// A value as the published report has it: Python's booleans, and the number of a type that has one.
fn plain(field: &str, text: Option<&str>) -> String {
    match text.unwrap_or_default() {
        "true" => report_bool(true).to_owned(),
        "false" => report_bool(false).to_owned(),
        text if field == "type" => {
            let number = text.parse::<AttrType>().ok().and_then(type_number);
            number.map_or_else(|| text.to_owned(), |number| number.to_string())
        }
        text => text.to_owned(),
    }
}
