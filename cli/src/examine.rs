//! A package held against its lock: what `check` and `update` have in common.

use oplock_core::approvals::{APPROVALS_FILE, Approval};
use oplock_core::judge::{Overrun, judge_set, unused_approvals, updated};
use oplock_core::{Bump, Condition, Context, Lock, OpDef, report};

use crate::args::{Build, CargoFlags, Format};
use crate::collect::collect;
use crate::error::Error;
use crate::package::{Package, Selection};
use crate::report::{Change, Item, Level, Note, Report, count};
use crate::shell::{self, Shell};
use crate::table::{Changes, Row};
use crate::today::today;

/// What is known of a package and its lock.
pub(crate) struct Examined {
    /// The lock's text as it is on disk.
    text: String,
    /// The lock as it is.
    pub(crate) lock: Lock,
    /// On what the verdicts depend.
    pub(crate) context: Context,
    /// The lock as it would be, were all changes made.
    pub(crate) updated: Lock,
    /// Each change with its verdict.
    pub(crate) items: Vec<Item>,
    /// A release that was never sealed and has been passed.
    pub(crate) overrun: Option<Overrun>,
    /// The approvals whose day is over.
    pub(crate) expired: Vec<Approval>,
    /// The approvals that match nothing.
    pub(crate) unused: Vec<Approval>,
    /// How many operators the source declares.
    ops: usize,
    /// How many more are `unlocked`.
    unlocked: usize,
    /// How many of them, and of the unlocked ones, the guarantee does not cover.
    outside: usize,
}

/// Collects the operators of a package and judges them.
pub(crate) fn examine(
    selection: &Selection,
    package: &Package,
    build: &Build,
    flags: &CargoFlags,
    shell: &Shell,
) -> Result<Examined, Error> {
    // A damaged lock is told before anything is built.
    let (text, lock) = package.read_lock()?;
    let manifest = package.read_manifest()?;
    let context = package.context(&manifest)?;
    let mut collected = collect(selection, package, &manifest, build, flags, shell)?;
    if collected.is_incomplete {
        collected.ops.values_mut().for_each(|op| keep_condition(&lock, op));
    }
    // What was not seen because it was not built is not deleted.
    let is_kept = |op: &str| collected.is_incomplete && !collected.ops.contains_key(op);
    let judgement = judge_set(&lock, &context, &collected.ops);
    let unused = unused_approvals(&lock, &context, &judgement);
    let unused: Vec<_> = unused.into_iter().filter(|approval| !is_kept(&approval.op)).cloned().collect();
    let today = today();
    let expired = context.approvals.list.iter().filter(|approval| approval.has_expired(&today)).cloned().collect();
    let items = judgement
        .findings
        .into_iter()
        .filter(|judged| !is_kept(&judged.finding.op))
        .map(|judged| {
            let place = collected.places.get(&judged.finding.op).cloned();
            Item { change: Change::Judged(judged), place }
        })
        .collect();
    let mut updated = updated(&lock, &context, &collected.ops, &is_kept);
    context.note_version(&mut updated);
    let overrun = context.check_overrun(&lock).err();
    let (ops, outside, unlocked) = (collected.ops.len(), collected.outside, collected.unlocked);
    Ok(Examined { text, lock, context, updated, items, overrun, expired, unused, ops, unlocked, outside })
}

/// Of an operator that several places declare, each under its own condition, some may not have been seen.
fn keep_condition(lock: &Lock, op: &mut OpDef) {
    let read = |text: Option<&str>| text.and_then(|text| Condition::parse(text).ok());
    let locked = lock.ops.get(op.name.as_ref()).and_then(|entry| entry.def.cfg.clone());
    let (Some(known), Some(seen)) = (read(locked.as_deref()), read(op.cfg.as_deref())) else { return };
    let is_part = match &seen {
        Condition::Any(members) => members.iter().all(|member| known.covers(member)),
        single => known.covers(single),
    };
    if is_part {
        op.cfg = locked;
    }
}

impl Examined {
    /// How many changes nothing allows.
    pub(crate) fn refused(&self) -> usize {
        self.items.iter().filter(|item| item.is_refused()).count()
    }

    /// Whether the lock says anything else than the source, or was not brought up to date for this version.
    pub(crate) fn is_stale(&self) -> bool {
        self.has_stale_version() || Lock { version: self.lock.version.clone(), ..self.updated.clone() } != self.lock
    }

    /// Whether the lock was brought up to date for another version of the package.
    pub(crate) fn has_stale_version(&self) -> bool {
        self.context.has_stale_version(&self.lock)
    }

    /// Whether nothing may be written: a break that nothing allows, an approval that is over, a release passed.
    pub(crate) fn is_blocked(&self) -> bool {
        self.refused() > 0 || self.overrun.is_some() || !self.expired.is_empty()
    }

    /// Says on standard error which approvals are in force.
    pub(crate) fn list_approvals(&self, shell: &Shell) {
        for approval in &self.context.approvals.list {
            if self.expired.contains(approval) || self.unused.contains(approval) {
                continue;
            }
            let until = approval.expires.as_ref().map(|day| format!(" until {day}")).unwrap_or_default();
            let (rule, path) = (&approval.rule, approval.path());
            let who = format!("by {}{until}: {:?}", approval.by, approval.reason);
            shell.status("Approved", format_args!("{rule} of `{path}` {who}"));
        }
    }

    /// Whether the file is already what `update` would write: line ends that git has turned are no difference.
    pub(crate) fn is_written(&self) -> bool {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text).replace("\r\n", "\n");
        text == self.updated.to_string()
    }

    /// What is wrong beside the changes themselves.
    pub(crate) fn notes(&self, selection: &Selection, package: &Package) -> Vec<Note> {
        let lock_file = selection.relative(&package.lock_path());
        let approvals_file = selection.relative(&package.approvals_path());
        let of = |rule, text: String, file: &str, line| Note {
            level: Level::Error,
            rule,
            text,
            file: file.to_owned(),
            line,
        };
        let mut notes = Vec::new();
        if let Some(overrun) = &self.overrun {
            notes.push(of("release_passed", report::overrun(overrun), &lock_file, overrun.line));
        }
        for approval in &self.expired {
            let (day, line) = (approval.expires.clone().unwrap_or_default(), approval.line);
            let text = format!(
                "{APPROVALS_FILE}:{line}: the approval of {} of `{}` expired on {day}\n  \
                 help: take the change back, or let it be approved anew: remove the entry and run `cargo oplock approve`",
                approval.rule,
                approval.path()
            );
            notes.push(of("approval_expired", text, &approvals_file, line));
        }
        for approval in &self.unused {
            notes.push(of("approval_unused", report::unused_approval(approval), &approvals_file, approval.line));
        }
        let last = self.lock.last_release();
        let is_patch = last.and_then(|last| Bump::between(last, &self.context.version)) == Some(Bump::Patch);
        if let Some(last) = last.filter(|_| is_patch) {
            let refused = self.items.iter().filter(|item| item.is_refused());
            for approval in refused.filter_map(|item| self.context.approvals.of(item.finding())) {
                let text = format!(
                    "{APPROVALS_FILE}:{}: a patch release may not break, whoever approves it: {} follows {last}\n  \
                     help: raise the package's version to {}",
                    approval.line,
                    self.context.version,
                    Bump::Minor.apply(last)
                );
                notes.push(of("approval_in_patch_release", text, &approvals_file, approval.line));
            }
        }
        notes
    }

    /// Prints what was found, and why nothing may be written, if nothing may.
    pub(crate) fn tell(
        &self,
        (selection, package): (&Selection, &Package),
        format: Format,
        is_done: bool,
    ) -> Result<(), Error> {
        let notes = self.notes(selection, package);
        let file = selection.relative(&package.lock_path());
        let root = Some(selection.root.as_path());
        shell::print(
            &Report { package: Some(&package.name), root, file, items: &self.items, notes, is_done }.to_text(format),
        )
    }

    /// The package's line in the table.
    pub(crate) fn row(&self, package: &Package, result: &'static str) -> Row {
        Row {
            package: package.name.clone(),
            version: package.version.to_string(),
            ops: self.ops + self.unlocked,
            changes: Changes::of(&self.updated),
            outside: self.outside,
            result,
        }
    }

    /// How many operators the guarantee does not cover: `; 1 outside the guarantee`, or nothing.
    pub(crate) fn describe_outside(&self) -> String {
        if self.outside == 0 { String::new() } else { format!("; {} outside the guarantee", self.outside) }
    }

    /// `62 operators`
    pub(crate) fn describe_ops(&self) -> String {
        count(self.ops, "operator")
    }
}

#[cfg(test)]
mod tests {
    use oplock_core::lock::{OpEntry, Since};

    use super::*;

    #[test]
    fn a_condition_that_was_seen_in_part_is_kept() {
        let [a, b, c] = ["feature = \"a\"", "feature = \"b\"", "feature = \"c\""];
        let any = |members: &[&str]| format!("any({})", members.join(", "));
        let with = |cfg: Option<&str>| OpDef { cfg: cfg.map(|cfg| cfg.to_owned().into()), ..OpDef::new("o") };
        for (locked, seen, expected) in [
            (Some(any(&[a, b])), Some(a.to_owned()), Some(any(&[a, b]))),
            (Some(any(&[a, b, c])), Some(any(&[a, c])), Some(any(&[a, b, c]))),
            (Some(any(&[a, b])), Some(c.to_owned()), Some(c.to_owned())),
            (Some(any(&[a, b])), Some(any(&[a, c])), Some(any(&[a, c]))),
            (Some(any(&[a, b])), None, None),
            (None, Some(a.to_owned()), Some(a.to_owned())),
        ] {
            let mut lock = Lock::new("x");
            lock.ops.insert("o".to_owned(), OpEntry::new(with(locked.as_deref()), &Since::Unreleased));
            let mut op = with(seen.as_deref());
            keep_condition(&lock, &mut op);
            assert_eq!(op.cfg.as_deref(), expected.as_deref(), "{locked:?} {seen:?}");
        }
    }
}
