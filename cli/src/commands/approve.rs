//! `cargo oplock approve`: one break is allowed, with a reason and a name, for the file that a CODEOWNERS line guards.

use std::fmt::Write as _;

use oplock_core::approvals::Approval;
use oplock_core::compare::{RULES, rule};
use oplock_core::lock::replace_file;
use oplock_core::{Bump, Finding, Kind, Remedy, Verdict, did_you_mean};

use crate::args::Approve;
use crate::error::Error;
use crate::examine::examine;
use crate::exit::Exit;
use crate::git;
use crate::package::select;
use crate::report::Item;
use crate::shell::{self, Shell};
use crate::today::today;

/// Exits with 100 where no approval helps, and with 2 where the words name no break or several.
pub(super) fn run(args: &Approve, shell: &Shell) -> Result<Exit, Error> {
    let name = args.rule.trim_matches(['[', ']']); // as it stands behind a finding
    if rule(name).is_none() {
        let hint = did_you_mean(name, RULES.iter().map(|rule| rule.name));
        return Err(Error::NoRule { name: args.rule.clone(), hint });
    }
    if let Some(day) = args.expires.as_ref().filter(|day| **day < today()) {
        shell::error(format_args!("the approval would have expired on {day}"));
        return Ok(Exit::Usage);
    }
    let selection = select(&args.packages.select)?;
    let package = selection.only()?;
    let by = args.by.clone().or_else(|| git::user(&package.folder)).ok_or(Error::NoApprover)?;
    let approvals = package.read_approvals()?;
    let examined = examine(&selection, package, &args.packages, shell)?;
    let breaks: Vec<_> = examined.items.iter().filter(|item| item.finding().is_break()).collect();
    let named = |item: &&&Item| {
        let finding = item.finding();
        finding.rule.name == name
            && (args.path == finding.path() || args.path == long_path(finding))
            && args.field.as_deref().is_none_or(|field| finding.field == Some(field))
    };
    let matching: Vec<_> = breaks.iter().filter(named).collect();
    let item = match matching[..] {
        [item] => item,
        [] => {
            nothing(args, name, &breaks);
            return Ok(Exit::Usage);
        }
        _ => {
            let list: Vec<_> = matching.iter().map(|item| option(item.finding())).collect();
            shell::error(format_args!("several breaks are named so; say which:\n  {}", list.join("\n  ")));
            return Ok(Exit::Usage);
        }
    };
    let finding = item.finding();
    let what = format!("{name} of `{}`", long_path(finding));
    match item.verdict() {
        Some(Verdict::Refused(Remedy::Withdraw { path })) => {
            shell::error(format_args!(
                "{what} needs no approval: no release carries it yet\n  help: take it back: `cargo oplock withdraw {path}`, then `cargo oplock update`"
            ));
            return Ok(Exit::Break);
        }
        Some(Verdict::Refused(Remedy::Mend)) => {
            let remedy = finding.remedy();
            shell::error(format_args!("{what} is a mistake, which no approval makes right\n  help: {remedy}"));
            return Ok(Exit::Break);
        }
        Some(Verdict::Accepted(version)) => {
            shell.status("Unchanged", format_args!("{what}: {version} may make this break without an approval"));
            return Ok(Exit::Clean);
        }
        _ => {}
    }
    if approvals.of(finding).is_some() {
        shell.status("Unchanged", format_args!("{what} is approved already"));
        return Ok(Exit::Clean);
    }
    // Somebody else may have approved something while this was being examined.
    let (text, mut approvals) = package.read_approvals_text()?;
    if approvals.of(finding).is_none() {
        approvals.list.push(Approval::new(finding, &args.reason, &by, args.expires.clone()));
    }
    replace_file(&package.approvals_path(), text.as_deref(), &approvals.to_string())?;
    let message = finding.message();
    shell.status("Approved", format_args!("{what} by {by}: {message}; next: `cargo oplock update`"));
    let last = examined.lock.last_release();
    let is_patch = last.and_then(|last| Bump::between(last, &package.version)) == Some(Bump::Patch);
    if let Some(last) = last.filter(|_| is_patch) {
        shell::warning(
            format_args!("a patch release may not break, whoever approves it, and {} is one", package.version),
            format_args!("raise the package's version to {}", Bump::Minor.apply(last)),
        );
    }
    Ok(Exit::Clean)
}

fn long_path(finding: &Finding) -> String {
    match &finding.item {
        None => finding.op.clone(),
        Some((kind, item)) => format!("{}.{}.{item}", finding.op, Kind::key(*kind)),
    }
}

/// `slice.attr.starts --field default (from [] to [1])`
fn option(finding: &Finding) -> String {
    let field = finding.field.map(|field| format!(" --field {field}")).unwrap_or_default();
    let ends = match (&finding.from, &finding.to) {
        (Some(from), Some(to)) => format!(" (from {from} to {to})"),
        _ => String::new(),
    };
    format!("{}{field}{ends}", long_path(finding))
}

fn nothing(args: &Approve, name: &str, breaks: &[&Item]) {
    let paths: Vec<_> = breaks.iter().flat_map(|item| [item.finding().path(), long_path(item.finding())]).collect();
    // What is named so breaks by another rule, or in another field.
    let is_right = paths.contains(&args.path);
    let hint = did_you_mean(&args.path, paths.iter().map(String::as_str).filter(|_| !is_right));
    let field = args.field.as_ref().map(|field| format!(" (field {field})")).unwrap_or_default();
    let mut list = String::new();
    for item in breaks {
        let _ = write!(list, "\n  help: approvable: {} {}", item.finding().rule.name, option(item.finding()));
    }
    let path = &args.path;
    shell::error(format_args!("there is no break {name} of `{path}`{field}{hint}{list}"));
}
