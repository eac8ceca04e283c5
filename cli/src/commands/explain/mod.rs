//! `cargo oplock explain`: the table of rules, as text.

mod samples;
mod shown;

use std::fmt::Write as _;

use clap_cargo::style::{HEADER, LITERAL};
use oplock_core::compare::{Case, RULES, Rule, rule};
use oplock_core::{Bump, did_you_mean};
use serde_json::json;

use shown::shown;

use crate::args::{Explain, ExplainFormat};
use crate::checks::{CHECKS, Check, check};
use crate::error::Error;
use crate::exit::Exit;
use crate::shell;

pub(super) fn run(args: &Explain) -> Result<Exit, Error> {
    let text = match (&args.rule, args.message_format) {
        (None, ExplainFormat::Human) => list(),
        (None, ExplainFormat::Json) => RULES
            .iter()
            .map(|rule| format!("{}\n", as_json(rule)))
            .chain(CHECKS.iter().map(check_as_json_line))
            .collect(),
        (Some(name), format) => match (find(name)?, format) {
            (Found::Rule(rule), ExplainFormat::Human) => explain(rule),
            (Found::Rule(rule), ExplainFormat::Json) => {
                let mut object = as_json(rule);
                shown(rule.name).add_to(&mut object);
                format!("{object}\n")
            }
            (Found::Check(check), ExplainFormat::Human) => explain_check(check),
            (Found::Check(check), ExplainFormat::Json) => check_as_json_line(check),
        },
    };
    shell::print(&text)?;
    Ok(Exit::Clean)
}

/// What a name names.
enum Found {
    Rule(&'static Rule),
    Check(&'static Check),
}

fn find(name: &str) -> Result<Found, Error> {
    let bare = name.trim_matches(['[', ']']); // as it stands behind a finding
    let found = rule(bare).map(Found::Rule).or_else(|| check(bare).map(Found::Check));
    let names = || RULES.iter().map(|rule| rule.name).chain(CHECKS.iter().map(|check| check.name));
    found.ok_or_else(|| Error::NoRule { name: name.to_owned(), hint: did_you_mean(bare, names()) })
}

fn list() -> String {
    let names = RULES.iter().map(|rule| rule.name).chain(CHECKS.iter().map(|check| check.name));
    let width = names.map(str::len).max().unwrap_or_default();
    let mut text = String::new();
    for rule in RULES {
        let bump = rule.cases.first().map_or("", |case| case.bump.name());
        let _ = writeln!(text, "{LITERAL}{:width$}{LITERAL:#}  {bump:5}  {}", rule.name, rule.why);
    }
    text.push_str("\nOf locks and approvals:\n\n");
    for check in CHECKS {
        let _ = writeln!(text, "{LITERAL}{:width$}{LITERAL:#}         {}", check.name, check.why);
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
        let _ = writeln!(text, "  what to do: {}", what_to_do(case));
    }
    text.push_str(&shown(rule.name).text());
    if rule.cases.iter().any(|case| case.bump == Bump::Major) {
        let name = rule.name;
        let _ = writeln!(
            text,
            "\nTo break on purpose: `cargo oplock plan major` for a major version, or one break alone:\n  \
             `cargo oplock approve {name} OP[.ITEM] --reason TEXT`; what no release carries: `cargo oplock withdraw OP[.ITEM]`"
        );
    }
    let _ = writeln!(text, "\nSource: {}", rule.source);
    text
}

/// The smallest way back; of what is no break, the way on.
fn what_to_do(case: &Case) -> String {
    match case.bump {
        Bump::Major => general(case.remedy),
        _ => "`cargo oplock update`".to_owned(),
    }
}

fn explain_check(check: &Check) -> String {
    let Check { name, why, example, remedy, source } = check;
    format!("{HEADER}{name}{HEADER:#}\n\n{why}\n\nExample: {example}\n\n  what to do: {remedy}\n\nSource: {source}\n")
}

fn check_as_json_line(check: &Check) -> String {
    let Check { name, why, example, remedy, source } = check;
    let object = json!({
        "rule": name, "why": why, "example": example, "remedy": remedy, "source": source, "cases": [],
    });
    format!("{object}\n")
}

fn relaxation(case: &Case) -> &'static str {
    if case.relaxation { "; minor with `relaxations = \"minor\"`" } else { "" }
}

/// A text of the table without a finding to fill it: `{item}` is `ITEM`.
fn general(template: &str) -> String {
    let mut text = template.replace("{subject}", "`OP` or `OP.ITEM`");
    for name in ["op", "kind", "item", "field", "feature", "from", "to", "data", "other"] {
        text = text.replace(&format!("{{{name}}}"), &name.to_uppercase());
    }
    text.replace("{saved}", "saved before")
}

fn as_json(rule: &Rule) -> serde_json::Value {
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
    json!({ "rule": rule.name, "why": rule.why, "example": rule.example, "source": rule.source, "cases": cases })
}
