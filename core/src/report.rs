//! What a person is told of a judged change. The compiler error and the command line print the same text.

use semver::Version;

use crate::approvals::{APPROVALS_FILE, Approval};
use crate::judge::{Judged, Overrun, Remedy, Verdict};
use crate::lock::{LOCK_FILE, Since};
use crate::model::SavedKind;

/// The first line: what changed, and by which rule it is judged.
pub fn headline(judged: &Judged) -> String {
    format!("{} [{}]", judged.finding.message(), judged.finding.rule.name)
}

/// The lines below it: what the lock says and since when, which graph fails, and the ways out, the smallest first.
/// Each line is indented by two blanks.
pub fn details(judged: &Judged) -> Vec<String> {
    let mut lines = Vec::new();
    if judged.line > 0 {
        let since = judged.since.as_ref().map(|since| format!(", {since}")).unwrap_or_default();
        let locked = judged.locked.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        lines.push(format!("  locked: {LOCK_FILE}:{}{since}{locked}", judged.line));
    }
    let breaks = judged.finding.breaks(&saved(judged.since.as_ref()));
    if !breaks.is_empty() {
        lines.push(format!("  breaks: {breaks}"));
    }
    match &judged.verdict {
        Verdict::Compatible => lines.push("  help: `cargo oplock update` takes it into the lock".to_owned()),
        Verdict::Accepted(version) => lines.push(format!(
            "  help: {version} may make this break: `cargo oplock update` takes it into the lock and its ledger"
        )),
        Verdict::Approved(approved) => lines.push(format!(
            "  help: approved by {}, because {:?}: `cargo oplock update` takes it into the lock and its ledger",
            approved.by, approved.reason
        )),
        Verdict::Refused(remedy) => {
            lines.push(format!("  help: {}", judged.finding.remedy()));
            lines.extend(match remedy {
                Remedy::Mend => None,
                Remedy::Withdraw { path } => Some(format!(
                    "  help: or, since no release carries it yet, take it back: `cargo oplock withdraw {}`, then `cargo oplock update`",
                    shell_word(path)
                )),
                Remedy::Major { version } => Some(format!(
                    "  help: or make it a break of {version}: `cargo oplock plan major`, then `cargo oplock update`"
                )),
            });
        }
    }
    lines
}

/// Which graphs a break concerns, as [`crate::Finding::breaks`] takes it.
pub fn saved(since: Option<&Since>) -> String {
    match since {
        Some(Since::Release(version)) => format!("saved since {version}"),
        Some(Since::Unreleased) => "saved by a build with this lock".to_owned(),
        None => "saved before".to_owned(),
    }
}

/// The whole of it, as one text.
pub fn human(judged: &Judged) -> String {
    let mut lines = vec![headline(judged)];
    lines.extend(details(judged));
    lines.join("\n")
}

/// What is said of a lock that does not have these changes yet; without any, an earlier change was taken back.
pub fn stale<'a>(changes: impl IntoIterator<Item = &'a Judged>) -> String {
    let changes: Vec<_> = changes.into_iter().map(headline).collect();
    if changes.is_empty() {
        stale_because("what an earlier change put into it is taken back")
    } else {
        stale_because(&changes.join("; "))
    }
}

/// What is said of a lock that has other words for what data versions brought which no release carries.
pub fn stale_words(kind: SavedKind) -> String {
    stale_because(&format!("what data versions of {kind}s brought is told in other words"))
}

/// What is said of a lock that knows nothing of the package's version.
pub fn stale_version(version: &Version) -> String {
    let why = format!("the package is at {version}, for which it was neither sealed nor brought up to date");
    format!("{}, or `cargo oplock seal` for a release", stale_because(&why))
}

/// What stands before the reason.
const IS_STALE: &str = " is stale: ";

/// What helps, behind it.
const UPDATE: &str = ". Run `cargo oplock update`";

fn stale_because(why: &str) -> String {
    format!("{LOCK_FILE}{IS_STALE}{why}{UPDATE}")
}

/// The reason alone of what is said of a stale lock: who reads data cannot follow the advice to who built the package.
pub fn why_stale(said: &str) -> &str {
    let why = said.strip_prefix(LOCK_FILE).and_then(|said| said.strip_prefix(IS_STALE)).unwrap_or(said);
    why.split_once(UPDATE).map_or(why, |(why, _)| why)
}

/// What is said when the package's version has passed a release that was never sealed.
pub fn overrun(overrun: &Overrun) -> String {
    let place = if overrun.line > 0 { format!("{LOCK_FILE}:{}: ", overrun.line) } else { format!("{LOCK_FILE}: ") };
    let what = if overrun.line > 0 { "breaks were accepted for" } else { "the lock waits for" };
    let Overrun { release, version, .. } = overrun;
    format!(
        "{place}{what} release {release}, which was never sealed, and the package is at {version}\n  \
         help: if {release} was never published, say what takes its place: `cargo oplock plan {version}`\n  \
         help: if it was, set the package's version back to {release} until the lock is sealed"
    )
}

/// What is said of an approval that names neither a change nor a row of the ledger.
pub fn unused_approval(approval: &Approval) -> String {
    format!(
        "{APPROVALS_FILE}:{}: the approval of {} of `{}` matches no change and no row of the ledger\n  \
         help: it names one finding exactly (rule, op, item, field, from, to): correct it, or remove it",
        approval.line,
        approval.rule,
        approval.path()
    )
}

/// A text as an argument of a command that is shown, quoted where a shell would take it for something else.
pub fn shell_word(text: &str) -> String {
    const PLAIN: &str = if cfg!(windows) { "/._:-+@\\" } else { "/._:-+@" };
    let is_plain = |c: char| c.is_alphanumeric() || PLAIN.contains(c);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::op_added;
    use crate::model::OpDef;

    #[test]
    fn a_shell_takes_a_path_as_it_is() {
        let shown = ["conv2d.attr.axis", "golden/1.0.0/a.json", "my ops/it's"].map(shell_word);
        assert_eq!(shown, ["conv2d.attr.axis", "golden/1.0.0/a.json", r"'my ops/it'\''s'"]);
        assert_eq!(shell_word(r"my\ops"), if cfg!(windows) { r"my\ops" } else { r"'my\ops'" });
    }

    #[test]
    fn a_stale_lock() {
        let added = |name: &'static str| Judged {
            finding: op_added(&OpDef::new(name)),
            verdict: Verdict::Compatible,
            since: None,
            line: 0,
            locked: None,
        };
        assert_eq!(
            stale(&[added("neg"), added("abs")]),
            "ops.lock is stale: operator `neg` is added [op_added]; operator `abs` is added [op_added]. \
             Run `cargo oplock update`"
        );
        assert_eq!(
            stale([]),
            "ops.lock is stale: what an earlier change put into it is taken back. Run `cargo oplock update`"
        );
        assert_eq!(
            stale_words(SavedKind::Checkpoint),
            "ops.lock is stale: what data versions of checkpoints brought is told in other words. Run `cargo oplock update`"
        );
        assert_eq!(
            stale_version(&Version::new(2, 0, 0)),
            "ops.lock is stale: the package is at 2.0.0, for which it was neither sealed nor brought up to date. \
             Run `cargo oplock update`, or `cargo oplock seal` for a release"
        );
        let version = stale_version(&Version::new(2, 0, 0));
        assert_eq!(
            why_stale(&version),
            "the package is at 2.0.0, for which it was neither sealed nor brought up to date"
        );
        assert_eq!(why_stale("told by another version"), "told by another version");
    }
}
