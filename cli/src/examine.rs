//! A package held against its lock: what `check` and `update` have in common.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::approvals::{APPROVALS_FILE, Approval};
use oplock_core::judge::{
    Overrun, PendingBreak, Source, judge_source, pending_breaks, signature_before, take_over, unused_approvals,
};
use oplock_core::{Bump, Condition, Context, Lock, OpDef, Set, report};
use oplock_graph::witness::Releases;
use semver::Version;

use crate::args::{Format, Packages};
use crate::collect::Job;
use crate::definitions::ops_of;
use crate::error::Error;
use crate::package::{Package, Selection};
use crate::report::{Change, Item, Level, Note, Report, Sought, count};
use crate::shell::{self, Shell};
use crate::table::{Changes, Row};
use crate::today::today;

/// What is known of a package and its lock.
pub(crate) struct Examined {
    /// The lock's text as it is on disk.
    pub(crate) text: String,
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
    /// The conditions of those operators of the lock that no build showed, and that were left as the lock has them.
    pub(crate) unseen: BTreeSet<String>,
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
    packages: &Packages,
    shell: &Shell,
) -> Result<Examined, Error> {
    examine_taking(selection, package, packages, None, shell)
}

/// The same once the lock has what that of another package says of the operators that come from there.
pub(crate) fn examine_taking(
    selection: &Selection,
    package: &Package,
    packages: &Packages,
    other: Option<&Lock>,
    shell: &Shell,
) -> Result<Examined, Error> {
    // A damaged lock is told before anything is built.
    let (text, mut lock) = package.read_lock()?;
    let manifest = package.read_manifest()?;
    let context = package.context(&manifest)?;
    let job = Job { selection, package, manifest: &manifest, packages, shell };
    let mut collected = job.collect()?;
    let (is_unseen, unseen) = if Conditions::matter(&lock, &collected.ops) {
        let held = job.flags_that_held(&collected)?;
        let conditions = Conditions { held, features: &manifest.features };
        let kept = collected.ops.values_mut().map(|op| conditions.keep(&lock, op));
        let kept: Vec<_> = kept.filter(|conditions| !conditions.is_empty()).collect();
        let is_unseen = conditions.unseen(&lock, &collected.ops);
        let unseen = is_unseen.values().chain(kept.iter().flatten()).map(ToString::to_string).collect();
        tell_unseen(package, kept.len() + is_unseen.len(), &unseen, shell);
        (is_unseen, unseen)
    } else {
        (BTreeMap::new(), BTreeSet::new())
    };
    if let Some(other) = other {
        lock = take_over(&lock, other, collected.ops.values())?;
    }
    let is_kept = |op: &str| is_unseen.contains_key(op);
    let source = Source {
        ops: std::mem::take(&mut collected.ops),
        saved: std::mem::take(&mut collected.saved),
        positional: collected.positional,
        upgrades: std::mem::take(&mut collected.upgrades),
    };
    let (judgement, mut updated) = judge_source(&lock, &context, &source, &is_kept);
    let unused = unused_approvals(&lock, &context, &judgement);
    let unused: Vec<_> = unused.into_iter().filter(|approval| !is_kept(&approval.op)).cloned().collect();
    let today = today();
    let expired = context.approvals.list.iter().filter(|approval| approval.has_expired(&today)).cloned().collect();
    let items = judgement
        .findings
        .into_iter()
        .map(|judged| {
            let place = collected.places.get(&judged.finding.op).cloned();
            Item { change: Change::Judged(judged), place, witness: Sought::Not }
        })
        .collect();
    context.note_version(&mut updated);
    let overrun = context.check_overrun(&lock).err();
    let (ops, outside, unlocked) = (source.operators(), collected.outside, collected.unlocked);
    Ok(Examined { text, lock, context, updated, items, overrun, expired, unused, unseen, ops, unlocked, outside })
}

/// Which operators, or which of their declarations, no build could show.
fn tell_unseen(package: &Package, ops: usize, conditions: &BTreeSet<String>, shell: &Shell) {
    if conditions.is_empty() {
        return;
    }
    let conditions: Vec<_> = conditions.iter().map(String::as_str).collect();
    let (ops, name) = (count(ops, "operator"), &package.name);
    shell.status("Unseen", format_args!("{name}: {ops}, left as the lock has them: {}", conditions.join(", ")));
}

/// What is missing where its condition held is gone; what is missing elsewhere was not looked for.
struct Conditions<'a> {
    /// The flags of each build that was made.
    held: Vec<BTreeSet<Condition>>,
    /// The features of the manifest.
    features: &'a Set<String>,
}

impl Conditions<'_> {
    /// Whether the lock has an operator under a condition, and the source does not show it the same.
    fn matter(lock: &Lock, ops: &BTreeMap<String, OpDef>) -> bool {
        lock.ops
            .iter()
            .filter(|(_, entry)| entry.def.cfg.is_some())
            .any(|(name, entry)| ops.get(name).is_none_or(|op| op.cfg != entry.def.cfg))
    }

    /// Whether a declaration under that condition may be there, though no build showed it. Where a feature of it is
    /// gone from the manifest, no build ever will.
    fn may_be_unseen(&self, condition: &Condition) -> bool {
        let held = |flags: &BTreeSet<Condition>| condition.eval(&|flag| flags.contains(flag));
        condition.features().into_iter().all(|feature| self.features.contains(feature)) && !self.held.iter().any(held)
    }

    /// The operators of the lock that are kept since nobody looked for them, with their conditions.
    fn unseen(&self, lock: &Lock, ops: &BTreeMap<String, OpDef>) -> BTreeMap<String, Condition> {
        let missing = lock.ops.iter().filter(|(name, _)| !ops.contains_key(*name));
        let conditions = missing.filter_map(|(name, entry)| Some((name.clone(), entry.condition()?)));
        conditions.filter(|(_, condition)| self.may_be_unseen(condition)).collect()
    }

    /// Of an operator that several places declare, each under its own condition, some may not have been seen: those.
    fn keep(&self, lock: &Lock, op: &mut OpDef) -> Vec<Condition> {
        let members = |condition: Condition| match condition {
            Condition::Any(members) => members,
            single => vec![single],
        };
        let Some(entry) = lock.ops.get(op.name.as_ref()) else { return Vec::new() };
        let seen = op.cfg.as_deref().and_then(|text| Condition::parse(text).ok());
        let (Some(locked), Some(seen)) = (entry.condition().map(members), seen.map(members)) else { return Vec::new() };
        let is_part = seen.iter().all(|member| locked.contains(member));
        let missing: Vec<_> = locked.into_iter().filter(|member| !seen.contains(member)).collect();
        if !is_part || !missing.iter().all(|member| self.may_be_unseen(member)) {
            return Vec::new();
        }
        op.cfg = entry.def.cfg.clone();
        missing
    }
}

impl Examined {
    /// Seeks a graph for each break that it harms: one of the last release, which this version reads.
    pub(crate) fn seek_witnesses(&mut self, package: &Package) {
        let older = self.lock.last_release().cloned().unwrap_or_else(|| package.version.clone());
        let mut newer = package.version.clone();
        if newer <= older || !newer.pre.is_empty() {
            newer = Version::new(older.major, older.minor, older.patch + 1);
        }
        let releases = Releases { package: package.name.clone(), older, newer };
        let [locked, new] = [&self.lock, &self.updated].map(ops_of);
        let with = |op: &str, def: OpDef| {
            let mut old = locked.clone();
            old.insert(op.to_owned(), def);
            old
        };
        for item in &mut self.items {
            // The lock may hold what no release carried.
            let finding = item.finding();
            let before = signature_before(&self.lock, finding).filter(|def| locked.get(&finding.op) != Some(def));
            let old = before.map(|def| with(&finding.op, def));
            item.seek_witness(&releases, old.as_ref().unwrap_or(&locked), &new);
        }
        // What an update has written down is told again, where the source has not changed it since.
        for PendingBreak { judged, old } in pending_breaks(&self.lock, &self.context) {
            if self.items.iter().any(|item| item.finding().path() == judged.finding.path()) {
                continue;
            }
            let old = with(&judged.finding.op, old);
            let mut item = Item { change: Change::Pending(judged), place: None, witness: Sought::Not };
            item.seek_witness(&releases, &old, &new);
            self.items.push(item);
        }
    }

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
    use std::sync::LazyLock;

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
            let _ = conditions(&[]).keep(&lock, &mut op);
            assert_eq!(op.cfg.as_deref(), expected.as_deref(), "{locked:?} {seen:?}");
        }
        // What would have been seen, had it been there, is gone.
        let mut lock = Lock::new("x");
        lock.ops.insert("o".to_owned(), OpEntry::new(with(Some(&any(&[a, b]))), &Since::Unreleased));
        let mut op = with(Some(a));
        assert_eq!(conditions(&[&[a, b]]).keep(&lock, &mut op), []);
        assert_eq!(op.cfg.as_deref(), Some(a));
    }

    #[test]
    fn what_no_build_could_show_is_unseen() {
        let mut lock = Lock::new("x");
        for (name, cfg) in [
            ("always", None),
            ("on", Some("feature = \"a\"")),
            ("off", Some("feature = \"b\"")),
            ("never", Some("all(feature = \"b\", feature = \"gone\")")),
            ("here", Some("unix")),
            ("elsewhere", Some("not(unix)")),
        ] {
            let def = OpDef { cfg: cfg.map(Into::into), ..OpDef::new(name) };
            lock.ops.insert(name.to_owned(), OpEntry::new(def, &Since::Unreleased));
        }
        assert!(Conditions::matter(&lock, &BTreeMap::new()));
        let unseen = conditions(&[&["unix"], &["unix", "feature = \"a\""]]).unseen(&lock, &BTreeMap::new());
        assert_eq!(unseen.into_keys().collect::<Vec<_>>(), ["elsewhere", "off"]);
    }

    /// The builds in which these flags held; the manifest has the features a, b and c.
    fn conditions(builds: &[&[&str]]) -> Conditions<'static> {
        static FEATURES: LazyLock<Set<String>> = LazyLock::new(|| ["a", "b", "c"].map(str::to_owned).into());
        let flags = |build: &&[&str]| build.iter().map(|flag| Condition::parse(flag).unwrap()).collect();
        Conditions { held: builds.iter().map(flags).collect(), features: &FEATURES }
    }
}
