//! `cargo oplock check`: says what the lock does not agree with, and writes nothing.
//!
//! A lock is held against the source, and so against the last release; and, if asked, against the lock of another time,
//! so that nobody launders a break by making the lock anew.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use oplock_core::LOCK_FILE;
use oplock_core::approvals::APPROVALS_FILE;
use oplock_core::judge::{ApprovedRow, BaseFinding, approved_since, check_base};

use crate::args::Check;
use crate::base::{Base, Bases, Known};
use crate::error::Error;
use crate::examine::{Examined, examine};
use crate::exit::Exit;
use crate::git;
use crate::package::{Package, Selection, select};
use crate::report::{self, Change, Level, Note, Report, count};
use crate::shell::{self, Shell};
use crate::table::{self, Row};

/// What was found of one package.
struct Checked {
    examined: Option<Examined>,
    notes: Vec<Note>,
    exit: Exit,
}

/// Checks each package; one that cannot be checked does not hide the others.
pub(super) fn run(args: &Check, shell: &Shell) -> Result<Exit, Error> {
    let selection = select(&args.examine.packages.select)?;
    let bases = match &args.base {
        None => None,
        Some(spec) => Some(Bases::find(spec, selection.packages().first().map_or(&selection.root, |p| &p.folder))?),
    };
    let mut exit = Exit::Clean;
    if let Some(bases) = &bases {
        exit = exit.max(lost(&selection, bases, args)?);
    }
    let packages = match selection.locked() {
        Err(Error::NoLock { .. } | Error::NoLocks) if exit == Exit::Break => return Ok(exit),
        packages => packages?,
    };
    let mut all = Vec::new();
    let mut rows = Vec::new();
    for (i, package) in packages.iter().enumerate() {
        shell.at(i + 1, packages.len());
        let checked = check(&selection, package, bases.as_ref(), packages.len() == 1, args, shell);
        exit = exit.max(checked.exit);
        rows.extend(checked.examined.as_ref().map(|examined| examined.row(package, result(checked.exit))));
        if args.examine.message_format.is_document() {
            all.push((*package, checked));
        }
    }
    if args.examine.message_format.is_document() {
        let reports: Vec<_> = all.iter().map(|(package, checked)| report_of(&selection, package, checked)).collect();
        shell::print(&report::to_text(&reports, args.examine.message_format))?;
    }
    sum_up(&rows, shell);
    Ok(exit)
}

fn sum_up(rows: &[Row], shell: &Shell) {
    shell.lines(&table::to_text(rows));
}

const fn result(exit: Exit) -> &'static str {
    match exit {
        Exit::Clean => "in order",
        Exit::Stale => "stale",
        _ => "refused",
    }
}

fn report_of<'a>(selection: &'a Selection, package: &'a Package, checked: &'a Checked) -> Report<'a> {
    Report {
        package: Some(&package.name),
        root: Some(&selection.root),
        file: selection.relative(&package.lock_path()),
        items: checked.examined.as_ref().map_or(&[], |examined| &examined.items),
        notes: checked.notes.clone(),
        is_done: false,
    }
}

/// The packages whose lock the base has and the working tree has not.
fn lost(selection: &Selection, bases: &Bases, args: &Check) -> Result<Exit, Error> {
    let mut exit = Exit::Clean;
    if matches!(bases, Bases::File(..)) {
        return Ok(exit);
    }
    for package in selection.packages().iter().filter(|package| !package.has_lock()) {
        let Some(base) = bases.of(package, false)? else { continue };
        let text = format!(
            "package `{}` lost its lock: {} is there, and {} is not\n  help: bring it back: `git checkout {} -- {}`",
            package.name,
            base.place,
            package.lock_path().display(),
            bases.name(),
            git::argument(&package.lock_path()),
        );
        let file = selection.relative(&package.lock_path());
        let note = Note { level: Level::Error, rule: "lock_lost", text, file: file.clone(), line: 0 };
        let (root, notes) = (Some(selection.root.as_path()), vec![note]);
        let report = Report { package: Some(&package.name), root, file, items: &[], notes, is_done: false };
        shell::print(&report.to_text(args.examine.message_format))?;
        exit = Exit::Break;
    }
    Ok(exit)
}

fn check(
    selection: &Selection,
    package: &Package,
    bases: Option<&Bases>,
    is_only: bool,
    args: &Check,
    shell: &Shell,
) -> Checked {
    let mut checked = Checked { examined: None, notes: Vec::new(), exit: Exit::Clean };
    if let Some(bases) = bases {
        match against_base(selection, package, bases, is_only, shell) {
            Ok(notes) => checked.notes = notes,
            Err(error) => checked.fail(&error, selection, package),
        }
    }
    match examine(selection, package, &args.examine.packages, shell) {
        Ok(mut examined) => {
            if args.witness {
                examined.seek_witnesses(package);
            }
            checked.notes.extend(examined.notes(selection, package));
            checked.examined = Some(examined);
        }
        Err(error) => checked.fail(&error, selection, package),
    }
    conclude(selection, package, &mut checked, args, shell);
    if !args.examine.message_format.is_document()
        && let Err(error) = shell::print(&report_of(selection, package, &checked).to_text(args.examine.message_format))
    {
        checked.exit = shell::fail(&error);
    }
    tell(package, &checked, shell);
    checked
}

impl Checked {
    /// What could not be done is told on standard error, and in a document as well.
    fn fail(&mut self, error: &Error, selection: &Selection, package: &Package) {
        let text = error.to_string();
        if self.notes.iter().any(|note| note.rule == COULD_NOT_RUN && note.text == text) {
            return; // the comparison with the base failed of the same
        }
        self.exit = self.exit.max(shell::fail(error));
        let file = selection.relative(&package.lock_path());
        self.notes.push(Note { level: Level::Error, rule: COULD_NOT_RUN, text, file, line: 0 });
    }

    fn errors(&self) -> usize {
        self.notes.iter().filter(|note| note.level == Level::Error).count()
    }
}

const COULD_NOT_RUN: &str = "could_not_run";

/// How it ends, and what only a document says of that.
fn conclude(selection: &Selection, package: &Package, checked: &mut Checked, args: &Check, shell: &Shell) {
    if !args.examine.message_format.is_document() {
        checked.notes.retain(|note| note.rule != COULD_NOT_RUN); // standard error has it
    }
    let Some(examined) = &checked.examined else {
        if checked.errors() > 0 {
            checked.exit = checked.exit.max(Exit::Break);
        }
        return;
    };
    examined.list_approvals(shell);
    warn_if_left_out(package);
    let could_run = checked.exit != Exit::CouldNotRun;
    if examined.refused() > 0 || (checked.errors() > 0 && could_run) {
        checked.exit = checked.exit.max(Exit::Break);
    } else if examined.is_stale() {
        checked.exit = checked.exit.max(Exit::Stale);
        if args.examine.message_format.is_document() {
            let text = format!("the lock is stale: {}", why_stale(package, examined));
            let file = selection.relative(&package.lock_path());
            checked.notes.push(Note { level: Level::Warning, rule: "lock_stale", text, file, line: 0 });
        }
    }
}

fn why_stale(package: &Package, examined: &Examined) -> String {
    match examined.items.iter().filter(|item| matches!(item.change, Change::Judged(_))).count() {
        0 if examined.has_stale_version() => format!(
            "it was neither brought up to date nor sealed for {}; `cargo oplock update` does the one, `cargo oplock seal` both",
            package.version
        ),
        0 => "the lock says something else than the source; `cargo oplock update` brings it up to date".to_owned(),
        n => format!("{} not in the lock yet; `cargo oplock update` brings it up to date", count(n, "change")),
    }
}

/// The last lines of a package, on standard error.
fn tell(package: &Package, checked: &Checked, shell: &Shell) {
    let name = &package.name;
    let Some(examined) = &checked.examined else { return };
    if checked.exit == Exit::CouldNotRun {
        return; // what could not be done has been told, and the rest is no conclusion
    }
    match (examined.refused(), checked.errors()) {
        (0, 0) if checked.exit == Exit::Stale => {
            shell.attention("Stale", format_args!("{name}: {}", why_stale(package, examined)));
        }
        (0, 0) => {
            let outside = examined.describe_outside();
            shell.status("Finished", format_args!("{name}: {} as the lock has them{outside}", examined.describe_ops()));
        }
        (0, n) => shell::error(format_args!("{name}: {}", count(n, "error"))),
        (n, _) => shell::error(format_args!("{name}: {} that nothing allows", count(n, "breaking change"))),
    }
}

/// What the lock may not say, given the lock of the base.
fn against_base(
    selection: &Selection,
    package: &Package,
    bases: &Bases,
    is_only: bool,
    shell: &Shell,
) -> Result<Vec<Note>, Error> {
    let Some(base) = bases.of(package, is_only)? else {
        let (name, base) = (&package.name, bases.name());
        shell.status("Skipped", format_args!("{name}: {base} has no lock of it, so there is nothing to compare"));
        return Ok(Vec::new());
    };
    if let Some(path) = &base.moved_from {
        shell.status("Moved", format_args!("{}: its lock was {path}", package.name));
    }
    let (_, lock) = package.read_lock()?;
    let options = package.read_manifest()?.options();
    let file = selection.relative(&package.lock_path());
    let findings = check_base(&base.lock, &lock, options);
    let approved = approved_since(&base.lock, &lock, options);
    let approved = approved.iter().filter_map(|row| note_of_approval(row, &base, &file));
    let golden = base.lost_golden();
    let golden = golden.iter().map(|path| note_of_golden(path, bases, selection, package));
    let notes: Vec<_> = findings.iter().map(|finding| note(finding, &file)).chain(approved).chain(golden).collect();
    let errors = notes.iter().filter(|note| note.level == Level::Error).count();
    if errors == 0 {
        shell.status("Compared", format_args!("{} with {}: nothing lost or broken", package.name, base.place));
    } else {
        shell.attention("Compared", format_args!("{} with {}: {}", package.name, base.place, count(errors, "error")));
    }
    Ok(notes)
}

fn note(finding: &BaseFinding, file: &str) -> Note {
    let (rule, line) = match finding {
        BaseFinding::Laundered { .. } => ("base_laundered", 0),
        BaseFinding::Lost { .. } => ("base_lost", 0),
        BaseFinding::Changed { .. } => ("base_changed", 0),
        BaseFinding::UnannouncedBreak { line, .. } => ("base_unannounced_break", *line),
        BaseFinding::Noted(_) => ("base_noted", 0),
    };
    let level = if finding.is_error() { Level::Error } else { Level::Note };
    Note { level, rule, text: finding.to_string(), file: file.to_owned(), line }
}

/// A golden graph of a release, or what belongs to it, is gone or another one.
fn note_of_golden(path: &str, bases: &Bases, selection: &Selection, package: &Package) -> Note {
    let there = package.folder.join(path);
    let what = if there.exists() { "is not what it was" } else { "is gone" };
    let base = bases.name();
    let text = format!(
        "{path} {what}: it shows that what a release saved still loads\n  help: bring it back: `git checkout {base} -- {}`",
        git::argument(Path::new(path))
    );
    Note { level: Level::Error, rule: "golden_lost", text, file: selection.relative(&there), line: 0 }
}

/// What the ledger says of an approval is held against the approvals that the base had, or a commit since.
fn note_of_approval(row: &ApprovedRow, base: &Base, file: &str) -> Option<Note> {
    let ApprovedRow { what, approved, line, .. } = row;
    let (by, reason) = (&approved.by, &approved.reason);
    let (level, rule, text) = match base.approval_of(row)? {
        Known::AtBase => return None,
        Known::Since(commit) => (
            Level::Note,
            "base_approved_since",
            format!(
                "the break of {what} was approved by {by} ({reason:?}) in commit {} and sealed since: the change as a whole does not show it in {APPROVALS_FILE}",
                commit.get(..12).unwrap_or(&commit)
            ),
        ),
        Known::Nowhere { is_shallow } => {
            let deepen = if is_shallow {
                "this is a shallow clone, and the approval may be in what it lacks: `git fetch --unshallow`"
            } else {
                "restore the lock of the base, run `cargo oplock approve`, commit the approval, then `cargo oplock seal`"
            };
            let text = format!(
                "the ledger says that {by} approved the break of {what} ({reason:?}), and {APPROVALS_FILE} never said so\n  lock:   line {line}\n  help: {deepen}"
            );
            (Level::Error, "base_unapproved", text)
        }
    };
    Some(Note { level, rule, text, file: file.to_owned(), line: *line })
}

/// A package without its lock builds nowhere, and `cargo publish` says so late.
fn warn_if_left_out(package: &Package) {
    if !package.is_publishable {
        return;
    }
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["package", "--list", "--allow-dirty", "--offline", "--package", &package.id, "--manifest-path"])
        .arg(&package.manifest_path)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else { return };
    let files = String::from_utf8_lossy(&output.stdout);
    if !files.lines().any(|file| file == LOCK_FILE) {
        shell::warning(
            format_args!("{LOCK_FILE} would be left out of the package `{}`, which then builds nowhere", package.name),
            format_args!("add \"{LOCK_FILE}\" to `include` in Cargo.toml, or take it out of `exclude` or .gitignore"),
        );
    }
}
