//! A package held against its lock: what `check` and `update` have in common.

use oplock_core::judge::{Overrun, judge_set, updated};
use oplock_core::{Condition, Lock, OpDef, report};

use crate::args::Check;
use crate::collect::collect;
use crate::error::Error;
use crate::package::{Package, Selection};
use crate::report::{Change, Item, Report, count};
use crate::shell::{self, Shell};

/// What is known of a package and its lock.
pub(crate) struct Examined {
    /// The lock's text as it is on disk.
    text: String,
    /// The lock as it is.
    lock: Lock,
    /// The lock as it would be, were all changes made.
    pub(crate) updated: Lock,
    /// Each change with its verdict.
    pub(crate) items: Vec<Item>,
    /// A release that was never sealed and has been passed.
    pub(crate) overrun: Option<Overrun>,
    /// How many operators the source declares.
    ops: usize,
}

/// Collects the operators of a package and judges them.
pub(crate) fn examine(
    selection: &Selection,
    package: &Package,
    args: &Check,
    shell: &Shell,
) -> Result<Examined, Error> {
    // A damaged lock is told before anything is built.
    let (text, lock) = package.read_lock()?;
    let manifest = package.read_manifest()?;
    let context = package.context(&manifest);
    let mut collected = collect(selection, package, &manifest, &args.build, &args.select.cargo, shell)?;
    if collected.is_incomplete {
        collected.ops.values_mut().for_each(|op| keep_condition(&lock, op));
    }
    // What was not seen because it was not built is not deleted.
    let is_kept = |op: &str| collected.is_incomplete && !collected.ops.contains_key(op);
    let judgement = judge_set(&lock, &context, &collected.ops);
    let items = judgement
        .findings
        .into_iter()
        .filter(|judged| !is_kept(&judged.finding.op))
        .map(|judged| {
            let place = collected.places.get(&judged.finding.op).cloned();
            Item { change: Change::Judged(judged), place }
        })
        .collect();
    let updated = updated(&lock, &context, &collected.ops, &is_kept);
    let overrun = context.check_overrun(&lock).err();
    Ok(Examined { text, lock, updated, items, overrun, ops: collected.ops.len() })
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

    /// Whether the lock says anything else than the source.
    pub(crate) fn is_stale(&self) -> bool {
        self.lock != self.updated
    }

    /// Whether the file is already what `update` would write: line ends that git has turned are no difference.
    pub(crate) fn is_written(&self) -> bool {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text).replace("\r\n", "\n");
        text == self.updated.to_string()
    }

    /// Prints what was found, and why nothing may be written, if nothing may.
    pub(crate) fn tell(&self, package: &Package, args: &Check, is_done: bool) -> Result<(), Error> {
        let report = Report { package: Some(&package.name), items: &self.items, is_done };
        shell::print(&report.to_text(args.message_format))?;
        if let Some(overrun) = &self.overrun {
            shell::error(report::overrun(overrun));
        }
        Ok(())
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
