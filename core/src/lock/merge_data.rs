//! Data versions and upgrade functions of merged locks, line by line, and of a release line that is taken over.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Display;

use super::merge::{Choice, Merger};
use super::{Bound, Lock, Saved, Since, Stamp};
use crate::model::{DataVersions, Map, SavedKind, Set};

/// One line of a history: what it says, and since when.
type VersionLine = Option<(String, Stamp)>;

impl Merger<'_> {
    /// Merges what only the whole package has.
    pub(super) fn data(&mut self) {
        for kind in SavedKind::ALL {
            self.kind(kind);
        }
        let sides = [self.base, self.ours, self.theirs];
        let keys: BTreeSet<_> = sides.into_iter().flat_map(|lock| lock.upgrades.keys()).cloned().collect();
        for key in keys {
            let lines =
                sides.map(|lock| lock.upgrades.get(&key).map(|s| (s.clone(), lock.gone_upgrades.contains(&key))));
            let path = format!("upgrade {}.{}", key.0, key.1);
            // What is gone on one side is not forgotten on the other.
            let weigh = |a: &Option<(Stamp, bool)>, b: &Option<(Stamp, bool)>| {
                let weight = |line: &Option<(Stamp, bool)>| line.as_ref().map(|(stamp, gone)| (weight(stamp), !gone));
                weight(a).cmp(&weight(b))
            };
            let show = |line: &Option<(Stamp, bool)>| {
                let gone = |gone: bool| if gone { ", gone" } else { "" };
                line.as_ref()
                    .map_or("not there".to_owned(), |(stamp, is)| format!("{}{}", show_stamp(stamp), gone(*is)))
            };
            if let Some((stamp, is_gone)) = self.pick(&path, lines.each_ref(), show, weigh) {
                if is_gone {
                    self.lock.gone_upgrades.insert(key.clone());
                }
                self.lock.upgrades.insert(key, stamp);
            }
        }
    }

    fn kind(&mut self, kind: SavedKind) {
        let none = Saved::default();
        let of = |lock: &Lock| lock.saved.get(&kind).cloned().unwrap_or(none.clone());
        let sides = [self.base, self.ours, self.theirs].map(of);
        let mut merged = Saved::default();
        let mut history = Map::new();
        let versions: BTreeSet<_> = sides.iter().flat_map(|saved| saved.since.keys().copied()).collect();
        for version in versions {
            let lines = sides.each_ref().map(|saved| version_line(saved, version));
            let show = |line: &VersionLine| {
                line.as_ref().map_or("not there".to_owned(), |(text, stamp)| format!("{text:?}, {}", show_stamp(stamp)))
            };
            let weigh = |a: &VersionLine, b: &VersionLine| {
                let weight = |line: &VersionLine| line.as_ref().map(|(_, stamp)| weight(stamp));
                weight(a).cmp(&weight(b))
            };
            let picked = self.pick(&format!("data version {version} of {kind}s"), lines.each_ref(), show, weigh);
            if let Some((text, stamp)) = picked {
                history.insert(version, text);
                merged.since.insert(version, stamp);
            }
        }
        if !history.is_empty() {
            merged.versions.history = history;
        }
        let bad: BTreeSet<_> = sides.iter().flat_map(|saved| saved.bad_since.keys().copied()).collect();
        for version in bad {
            let lines = sides.each_ref().map(|saved| saved.bad_since.get(&version).cloned());
            let show = |line: &Option<Stamp>| line.as_ref().map_or("not there".to_owned(), show_stamp);
            let weigh = |a: &Option<Stamp>, b: &Option<Stamp>| a.as_ref().map(weight).cmp(&b.as_ref().map(weight));
            let picked = self.pick(&format!("bad consumer {version} of {kind}s"), lines.each_ref(), show, weigh);
            if let Some(stamp) = picked {
                merged.versions.bad_consumers.insert(version);
                merged.bad_since.insert(version, stamp);
            }
        }
        let mut bound = |name: &str, of: &dyn Fn(&Saved) -> (u32, Option<u32>)| {
            let show = |(value, was): &(u32, Option<u32>)| {
                was.map_or_else(|| value.to_string(), |was| format!("{value} (was {was})"))
            };
            let [base, ours, theirs] = sides.each_ref().map(of);
            let path = format!("`{name}` of {kind}s");
            self.pick(&path, [&base, &ours, &theirs], show, |a, b| a.0.cmp(&b.0).then(settled(a.1, b.1)))
        };
        let (value, was) = bound("min_producer", &|saved| (saved.versions.min_producer, saved.min_producer.was));
        (merged.versions.min_producer, merged.min_producer) = (value, Bound { was, line: 0 });
        let (value, was) = bound("min_consumer", &|saved| (saved.versions.min_consumer, saved.min_consumer.was));
        (merged.versions.min_consumer, merged.min_consumer) = (value, Bound { was, line: 0 });
        if merged != none {
            self.lock.saved.insert(kind, merged);
        }
    }
}

/// What is released goes before what is not.
fn settled(ours: Option<u32>, theirs: Option<u32>) -> Ordering {
    theirs.is_some().cmp(&ours.is_some())
}

fn version_line(saved: &Saved, version: u32) -> VersionLine {
    let stamp = saved.since.get(&version)?;
    Some((saved.versions.history.get(&version).cloned().unwrap_or_default(), stamp.clone()))
}

/// A released line before one that no release carries; an earlier release before a later one.
fn weight(stamp: &Stamp) -> (u8, std::cmp::Reverse<Option<semver::Version>>) {
    match &stamp.since {
        Some(Since::Release(version)) => (2, std::cmp::Reverse(Some(version.clone()))),
        None => (1, std::cmp::Reverse(None)),
        Some(Since::Unreleased) => (0, std::cmp::Reverse(None)),
    }
}

fn show_stamp(stamp: &Stamp) -> String {
    stamp.since.as_ref().map_or("no release".to_owned(), ToString::to_string)
}

fn is_sealed(stamp: &Stamp) -> bool {
    stamp.since != Some(Since::Unreleased)
}

/// Leaves of data versions and upgrades what the last release had.
pub(super) fn keep_released_data(lock: &mut Lock) {
    lock.saved = lock.released_data();
    lock.saved.retain(|_, saved| *saved != Saved::default());
    lock.upgrades.retain(|_, stamp| is_sealed(stamp));
    lock.gone_upgrades = Set::new();
}

impl Lock {
    /// What the last release declared of data versions.
    pub(crate) fn released_data(&self) -> Map<SavedKind, Saved> {
        let mut all = self.saved.clone();
        for saved in all.values_mut() {
            let Saved { versions, since, bad_since, min_producer, min_consumer, .. } = saved;
            since.retain(|_, stamp| is_sealed(stamp));
            bad_since.retain(|_, stamp| is_sealed(stamp));
            versions.history.retain(|version, _| since.contains_key(version));
            if since.is_empty() {
                versions.history = DataVersions::default().history;
            }
            versions.bad_consumers = bad_since.keys().copied().collect();
            versions.min_producer = min_producer.was.take().unwrap_or(versions.min_producer);
            versions.min_consumer = min_consumer.was.take().unwrap_or(versions.min_consumer);
        }
        all
    }
}

/// Takes over what another line of releases declared and sealed of data versions and upgrades.
pub(super) fn absorb_data(lock: &Lock, other: &Lock, merged: &mut Lock, choices: &mut Vec<Choice>) {
    let mut choose = |path: String, ours: &dyn Display, theirs: &dyn Display| {
        let (ours, theirs) = (ours.to_string(), theirs.to_string());
        choices.push(Choice { path, ours, theirs, took_ours: true });
    };
    for (kind, theirs) in &other.saved {
        let mut ours = lock.saved.get(kind).cloned().unwrap_or_default();
        for (version, stamp) in theirs.since.iter().filter(|(_, stamp)| is_sealed(stamp)) {
            let text = theirs.versions.history.get(version).cloned().unwrap_or_default();
            match version_line(&ours, *version) {
                Some((own, _)) if own != text => choose(format!("data version {version} of {kind}s"), &own, &text),
                // The same line: which each sealed by itself, or which only the other line has released.
                Some((_, own_stamp)) if is_sealed(&own_stamp) => {}
                Some(_) => drop(ours.since.insert(*version, stamp.clone())),
                None => {
                    if ours.since.is_empty() {
                        ours.versions.history.clear();
                    }
                    ours.versions.history.insert(*version, text);
                    ours.since.insert(*version, stamp.clone());
                }
            }
        }
        for (version, stamp) in theirs.bad_since.iter().filter(|(_, stamp)| is_sealed(stamp)) {
            ours.versions.bad_consumers.insert(*version);
            // Where both lines named it, it is bad since the earlier release.
            if ours.bad_since.get(version).is_none_or(|own| weight(own) < weight(stamp)) {
                ours.bad_since.insert(*version, stamp.clone());
            }
        }
        let their_producer = theirs.min_producer.was.unwrap_or(theirs.versions.min_producer);
        let their_consumer = theirs.min_consumer.was.unwrap_or(theirs.versions.min_consumer);
        for (value, bound, their) in [
            (&mut ours.versions.min_producer, &mut ours.min_producer, their_producer),
            (&mut ours.versions.min_consumer, &mut ours.min_consumer, their_consumer),
        ] {
            if their >= *value {
                (*value, bound.was) = (their, None);
            } else if bound.was.is_some_and(|was| was < their) {
                bound.was = Some(their);
            }
        }
        if ours != Saved::default() {
            merged.saved.insert(*kind, ours);
        }
    }
    for (key, stamp) in other.upgrades.iter().filter(|(_, stamp)| is_sealed(stamp)) {
        // One that another line of releases no longer has is not missed here.
        if !merged.upgrades.contains_key(key) && !other.gone_upgrades.contains(key) {
            merged.upgrades.insert(key.clone(), stamp.clone());
        }
    }
}
