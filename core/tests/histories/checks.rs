//! What must be true after each step.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::Lock;
use oplock_core::judge::{BaseFinding, Remedy, Verdict, judge_set};
use oplock_core::lock::{OpEntry, Release, Row, RowKey, Since};
use semver::Version;

use super::branch::Branch;
use super::model::{Item, Past, adds, broken, is_major, names, promised, stamps, step_of};
use super::world::{KINDS, Step, World};

impl World {
    /// Checks what the step changed.
    pub(crate) fn check(&self, step: &Step) -> Result<(), String> {
        let other = self.other.as_ref().map(|(other, _)| other);
        match (KINDS[step.kind].0, other) {
            ("merge", _) | (_, None) => self.check_branch(&self.main),
            ("rebase", Some(other)) => self.check_branch(other),
            (_, Some(other)) => self.check_branch(if step.on_branch { other } else { &self.main }),
        }
    }

    pub(crate) fn check_branch(&self, branch: &Branch) -> Result<(), String> {
        let text = branch.lock.to_string();
        match Lock::parse(&text, Some("p")) {
            Ok(again) if again == branch.lock => {}
            Ok(_) => return Err(format!("the lock reads back as something else\n{text}")),
            Err(error) => return Err(format!("the lock does not read back: {error}\n{text}")),
        }
        // The guarantee, for the lock as it is and for what an update makes of it.
        let ways = [Some(branch.lock.clone()), branch.updated().filter(|lock| *lock != branch.lock)];
        for lock in ways.into_iter().flatten() {
            let Some(sealed) = branch.release(&self.past, &lock) else { continue };
            let version = &branch.context.version;
            for past in branch.tips.iter().map(|tip| &self.past[*tip]) {
                let step = step_of(&past.version, version);
                // A plan allows it, and so does a release in between, though a hand may have forged that.
                let allows = |other: &Version| *other > past.version && step_of(&past.version, other) == 3;
                let between = sealed.releases.keys().filter(|other| *other != version);
                let is_major =
                    is_major(&past.version, version) || (step == 3 && lock.next.iter().chain(between).any(allows));
                for break_ in broken(past, &branch.source) {
                    let is_approved = step >= 2 && branch.approves(past, &break_, &sealed);
                    if !is_major && !is_approved {
                        return Err(format!(
                            "{version} passes and breaks {break_:?} of {}\n{}\nwas {:?}\nis  {:?}\nsealed as\n{sealed}",
                            past.version,
                            past.lock,
                            past.ever.get(&break_.0),
                            branch.source.get(&break_.0)
                        ));
                    }
                }
                Self::check_records(branch, past, &sealed).map_err(|what| {
                    format!("{version} passes, though {what}\nafter\n{}\nsealed as\n{sealed}", past.lock)
                })?;
            }
        }
        let tips: Vec<_> = branch.tips.iter().map(|tip| &self.past[*tip]).collect();
        match tips[..] {
            _ if !branch.is_clean => Ok(()),
            [past] => Self::check_alone(branch, past).and_then(|()| self.check_clean(branch)),
            _ => self.check_clean(branch),
        }
    }

    /// Whoever wrote it: what passes says of the releases of its line what they said.
    pub(crate) fn check_records(branch: &Branch, past: &Past, sealed: &Lock) -> Result<(), String> {
        let known = &past.lock.releases;
        // Where it stands in the line is told by the order of all.
        let is_kept = |version: &Version, release: &Release| {
            let now = sealed.releases.get(version).cloned();
            now.map(|now| Release { behind: release.behind.clone(), ..now }).as_ref() == Some(release)
        };
        if let Some((version, _)) = known.iter().find(|(version, release)| !is_kept(version, release)) {
            return Err(format!("release {version} is lost or another"));
        }
        let line =
            |lock: &Lock| lock.release_line().into_iter().map(|(version, _)| version.clone()).collect::<Vec<_>>();
        // What was put behind the releases of a line that did not know it stands later than those that both lines sealed alike.
        let is_moved = |version: &Version| {
            let behind = |lock: &Lock| lock.releases.get(version).and_then(|release| release.behind.clone());
            behind(sealed) != behind(&past.lock)
        };
        let (mut before, mut of_both) = (line(&past.lock), line(sealed));
        before.retain(|version| !is_moved(version));
        of_both.retain(|version| known.contains_key(version) && !is_moved(version));
        // A release that a hand forged has no digest, and may say any day.
        let is_forged = sealed.releases.values().any(|release| release.digest.is_none());
        if of_both != before && !is_forged {
            return Err(format!("the releases {before:?} stand as {of_both:?}"));
        }
        let line = line(sealed);
        let place = |release: &Version| line.iter().position(|other| other == release);
        let of_known = |lock: &Lock| -> BTreeMap<_, _> {
            let is_known = |key: &RowKey| key.release.as_ref().is_some_and(|release| known.contains_key(release));
            let rows = lock.ledger.iter().filter(|(key, _)| is_known(key));
            rows.map(|(key, row)| (key.clone(), row.clone())).collect()
        };
        if of_known(&past.lock) != of_known(sealed) {
            return Err("the rows of its releases are others".to_owned());
        }
        for (name, def) in promised(&branch.source) {
            for item in std::iter::once(None).chain(names(&def).into_iter().map(Some)) {
                let side = sealed.ops.get(&name).map(|entry| entry.side(item.as_ref()));
                let Some(Since::Release(now)) = side.as_ref().and_then(|side| side.since()) else {
                    continue; // a pre-release seals nothing
                };
                let was = past.since.get(&(name.clone(), item.clone()));
                // A line that was taken over may have had it earlier; a release in between, though a hand may have forged
                // that, may have deleted it.
                let is_deletion = |key: &RowKey, row: &Row| {
                    let is_of = key.item == item || key.item.is_none();
                    let is_new = key.release.as_ref().is_some_and(|release| !known.contains_key(release));
                    is_of && is_new && !row.to.is_guarded()
                };
                let came_back = || sealed.rows_of(&name).any(|(key, row)| is_deletion(key, row));
                let is_right = was == Some(now)
                    || (!known.contains_key(now) && (was.is_none_or(|was| place(now) < place(was)) || came_back()));
                if !is_right {
                    return Err(format!("{name} {item:?} is promised since {now}, and was since {was:?}"));
                }
            }
        }
        Ok(())
    }

    /// What only commands have written keeps the guarantee without a base, and says what became of each thing.
    pub(crate) fn check_alone(branch: &Branch, past: &Past) -> Result<(), String> {
        let (lock, version) = (&branch.lock, &branch.context.version);
        let fail = |what: String, lock: &Lock| {
            Err(format!("{what}\nversion {version} after {}\nsource {:?}\n{lock}", past.version, branch.source))
        };
        let (step, is_major) = (step_of(&past.version, version), is_major(&past.version, version));
        let broken = broken(past, &branch.source);
        let is_planned = lock.next.as_ref().is_some_and(|next| step_of(&past.version, next) == 3);
        let judgement = judge_set(lock, &branch.context, &branch.source);
        // Before the version is raised nobody knows what it will be.
        let in_vain = broken.iter().find(|break_| step == 1 || !branch.approves(past, break_, &past.lock));
        if let Some(break_) = in_vain.filter(|_| !is_major && !is_planned && !branch.is_refused(&judgement)) {
            return fail(format!("{break_:?} is broken, and nothing is refused"), lock);
        }
        let ways = [Some(lock.clone()), branch.updated()];
        for lock in ways.into_iter().flatten() {
            let Some(sealed) = branch.sealed(&lock) else { continue };
            if let Some(break_) = in_vain.filter(|_| step < 3 || !(is_major || is_planned)) {
                return fail(format!("{break_:?} is broken, and can be sealed"), &lock);
            }
            if step < 2 && adds(past, &branch.source) {
                return fail("a patch release may add".to_owned(), &lock);
            }
            // Only what the last release is not above: a break that missed the release for which it was accepted, because
            // another branch had sealed it, is judged against what that promised.
            let is_passed = |to: &Version| *to > past.version && *to < *version;
            let passed = lock.pending().find(|(_, row)| row.accepted_for.as_ref().is_some_and(is_passed));
            if passed.is_some() && version.pre.is_empty() && lock.next.as_ref().is_none_or(|next| next < version) {
                return fail("a release that was to break was passed".to_owned(), &lock);
            }
            if version.pre.is_empty() {
                Self::check_sealed(branch, past, &broken, &sealed).or_else(|what| fail(what, &sealed))?;
            } else if sealed.ops != lock.ops || sealed.ledger != lock.ledger {
                return fail("a pre-release says more than that it was made".to_owned(), &sealed);
            }
        }
        Ok(())
    }

    /// A sealed lock says since when each thing is promised, and has a row for each that was broken.
    pub(crate) fn check_sealed(
        branch: &Branch,
        past: &Past,
        broken: &BTreeSet<(String, Item)>,
        sealed: &Lock,
    ) -> Result<(), String> {
        let version = &branch.context.version;
        let mut said = BTreeMap::new();
        for (name, entry) in &sealed.ops {
            for item in std::iter::once(None).chain(entry.items.keys().cloned().map(Some)) {
                match entry.side(item.as_ref()).since() {
                    Some(Since::Release(since)) => drop(said.insert((name.clone(), item), since.clone())),
                    Some(Since::Unreleased) => return Err(format!("{name} {item:?} is unreleased")),
                    None => {}
                }
            }
        }
        let meant = stamps(Some(past), &promised(&branch.source), version);
        if said != meant {
            return Err(format!("promised since\n{said:?}, and not\n{meant:?}"));
        }
        if let Some((key, _)) = past.lock.ledger.iter().find(|(key, row)| sealed.ledger.get(*key) != Some(row)) {
            return Err(format!("the row of {key:?} is lost"));
        }
        for (op, item) in broken {
            let row = |item: &Item| {
                sealed.ledger.get(&RowKey { op: op.clone(), release: Some(version.clone()), item: item.clone() })
            };
            let Some(row) = row(item).or_else(|| row(&None)) else {
                return Err(format!("no row says that {op} {item:?} was broken"));
            };
            let was = past.ops.get(op).map(|def| OpEntry::new(def.clone(), &Since::Unreleased).row_side(item.as_ref()));
            let is_of_item = row.rule != "op_deleted" && row.rule != "name_reused";
            let was = was.filter(|was| is_of_item && was.is_guarded());
            if let Some(was) = was.filter(|was| *was != row.from.clone().without_since()) {
                return Err(format!("{op} {item:?} was {was}, and its row says {}", row.from));
            }
        }
        // Of what was deleted with its operator, each item stands in the ledger, and so do the marks of a tombstone.
        for (op, def) in past.ops.iter().filter(|(op, _)| !promised(&branch.source).contains_key(*op)) {
            let key = |item| RowKey { op: op.clone(), release: Some(version.clone()), item: Some(item) };
            if let Some(lost) = names(def).into_iter().find(|item| !sealed.ledger.contains_key(&key(item.clone()))) {
                return Err(format!("no row says what {lost:?} of {op} was"));
            }
        }
        Ok(())
    }

    /// What only commands have written is held against no base in vain, and is not refused for nothing.
    pub(crate) fn check_clean(&self, branch: &Branch) -> Result<(), String> {
        let before = branch.tips.iter().flat_map(|tip| self.past[*tip].before.iter().chain([tip]));
        let bases = before.map(|past| &self.past[*past].lock).chain(branch.trail.iter().rev().take(4));
        let judgement = judge_set(&branch.lock, &branch.context, &branch.source);
        let is_open = judgement.stale || judgement.refused().next().is_some();
        for base in bases {
            // What came back is taken apart by `withdraw` until the next update.
            let is_reused = |finding: &BaseFinding| {
                is_open
                    && matches!(finding, BaseFinding::Laundered { finding, .. } if finding.rule.name == "name_reused")
            };
            let mut errors = branch.held_against(base, &branch.lock);
            errors.retain(|finding| !is_reused(finding));
            if !errors.is_empty() {
                let said: Vec<_> = errors.iter().map(ToString::to_string).collect();
                return Err(format!("a false alarm: {}\nbase\n{base}\nlock\n{}", said.join("\n"), branch.lock));
            }
        }
        if branch.tips.len() == 1 {
            let past = branch.tips.iter().map(|tip| &self.past[*tip]).next();
            let judgement = judge_set(&branch.lock, &branch.context, &branch.source);
            for judged in judgement.refused() {
                let is_of = |(op, _): &(String, Item)| *op == judged.finding.op;
                let is_reused = judged.finding.rule.name == "name_reused";
                let is_broken = past.is_none_or(|past| broken(past, &branch.source).iter().any(is_of));
                if matches!(judged.verdict, Verdict::Refused(Remedy::Major { .. })) && !is_broken && !is_reused {
                    return Err(format!("refused for nothing: {}\n{}", judged.finding.message(), branch.lock));
                }
            }
        }
        Ok(())
    }
}
