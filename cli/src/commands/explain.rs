//! `cargo oplock explain`: the table of rules, as text.

use std::fmt::Write as _;

use clap_cargo::style::{HEADER, LITERAL};
use oplock_core::compare::{Case, RULES, Rule, rule};
use oplock_core::did_you_mean;
use serde_json::json;

use crate::args::{Explain, ExplainFormat};
use crate::error::Error;
use crate::exit::Exit;
use crate::shell;

pub(super) fn run(args: &Explain) -> Result<Exit, Error> {
    let text = match (&args.rule, args.message_format) {
        (None, ExplainFormat::Human) => list(),
        (None, ExplainFormat::Json) => RULES.iter().map(as_json_line).collect(),
        (Some(name), format) => {
            let rule = find(name)?;
            match format {
                ExplainFormat::Human => explain(rule),
                ExplainFormat::Json => as_json_line(rule),
            }
        }
    };
    shell::print(&text)?;
    Ok(Exit::Clean)
}

fn find(name: &str) -> Result<&'static Rule, Error> {
    let bare = name.trim_matches(['[', ']']); // as it stands behind a finding
    rule(bare).ok_or_else(|| Error::NoRule {
        name: name.to_owned(),
        hint: did_you_mean(bare, RULES.iter().map(|rule| rule.name)),
    })
}

fn list() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for rule in RULES {
        let bump = rule.cases.first().map_or("", |case| case.bump.name());
        let _ = writeln!(text, "{LITERAL}{:width$}{LITERAL:#}  {bump:5}  {}", rule.name, rule.why);
    }
    text.push_str("\n`cargo oplock explain RULE` tells more of one.\n");
    text
}

fn explain(rule: &Rule) -> String {
    let mut text = format!("{HEADER}{}{HEADER:#}\n\n{}\n", rule.name, rule.why);
    let _ = writeln!(text, "\nExample: {}", rule.example);
    for case in rule.cases {
        let _ = writeln!(text, "\n{LITERAL}{}{LITERAL:#}", general(case.message));
        let backward = if case.backward { "yes" } else { "no" };
        let forward = match case.forward.name() {
            "if_unused" => "only those that do not use what is new",
            other => other,
        };
        let _ = writeln!(text, "  least bump: {}{}", case.bump, relaxation(case));
        let _ = writeln!(text, "  old graphs load in the new release: {backward}");
        let _ = writeln!(text, "  new graphs load in old releases: {forward}");
        if !case.breaks.is_empty() {
            let _ = writeln!(text, "  breaks: {}", general(case.breaks));
        }
        if !case.remedy.is_empty() {
            let _ = writeln!(text, "  what to do: {}", general(case.remedy));
        }
    }
    let _ = writeln!(text, "\nSource: {}", rule.source);
    text
}

fn relaxation(case: &Case) -> &'static str {
    if case.relaxation { "; minor with `relaxations = \"minor\"`" } else { "" }
}

/// A text of the table without a finding to fill it: `{item}` is `ITEM`.
fn general(template: &str) -> String {
    let mut text = template.to_owned();
    for name in ["op", "kind", "item", "field", "from", "to"] {
        text = text.replace(&format!("{{{name}}}"), &name.to_uppercase());
    }
    text.replace("{saved}", "saved before")
}

fn as_json_line(rule: &Rule) -> String {
    let cases: Vec<_> = rule
        .cases
        .iter()
        .map(|case| {
            json!({
                "field": case.field, "from": case.from, "to": case.to, "bump": case.bump.name(),
                "backward": if case.backward { "yes" } else { "no" }, "forward": case.forward.name(),
                "relaxation": case.relaxation, "message": case.message, "breaks": case.breaks, "remedy": case.remedy,
            })
        })
        .collect();
    let object =
        json!({ "rule": rule.name, "why": rule.why, "example": rule.example, "source": rule.source, "cases": cases });
    format!("{object}\n")
}
