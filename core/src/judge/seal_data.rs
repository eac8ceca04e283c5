//! Sealing data versions and upgrade functions, and how soon `min_producer` may rise.

use std::fmt;

use semver::Version;

use super::Context;
use super::data::only_names_bad_consumers;
use crate::day::day_after;
use crate::lock::{Lock, Release, Since, Stamp};
use crate::model::{Map, SavedKind};
use crate::version::Bump;

/// `min_producer` rises to a version that was not released long enough ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooEarly {
    /// The kind of data.
    pub kind: SavedKind,
    /// The last release's `min_producer`.
    pub from: u32,
    /// What it rises to.
    pub to: u32,
    /// The first release that writes such a version, and its day; `None` where none does.
    pub released: Option<(Version, String)>,
    /// How many days must have passed.
    pub window: u32,
    /// The first day on which it may rise; `None` where no release writes the version.
    pub from_day: Option<String>,
}

impl fmt::Display for TooEarly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooEarly { kind, from, to, released, window, from_day } = self;
        write!(f, "`min_producer` of {kind}s rises from {from} to {to}, and ")?;
        match (released, from_day) {
            (Some((version, date)), Some(day)) => write!(
                f,
                "{version}, the first release that writes such {kind}s, was sealed on {date}: less than {window} days ago\n  \
                 help: from {day} on it may rise; until then keep `min_producer = {from}` and an upgrade for each open break\n  "
            )?,
            _ => write!(
                f,
                "no release writes such {kind}s yet\n  \
                 help: keep `min_producer = {from}` in this release, and raise it {window} days later\n  "
            )?,
        }
        f.write_str("help: another window: `min-producer-window = \"… days\"` in [package.metadata.oplock]")
    }
}

/// Judges how soon `min_producer` rises, on that day, `YYYY-MM-DD`.
pub(super) fn check_window(lock: &Lock, context: &Context, today: &str) -> Result<(), TooEarly> {
    let window = context.min_producer_window();
    for (kind, saved) in &lock.saved {
        let (Some(from), to) = (saved.min_producer.was, saved.versions.min_producer) else { continue };
        if window == 0 {
            continue;
        }
        // A release that was taken over from another line writes nothing that this line takes for more than where the two parted.
        let own = |release: &Release| release.behind.is_none();
        let mut line = lock.release_line().into_iter();
        let first = line.find(|(_, release)| own(release) && release.version_of(*kind) >= to);
        let from_day = first.and_then(|(_, release)| day_after(&release.date, window));
        if from_day.as_deref().is_none_or(|day| day > today) {
            let released = first.map(|(version, release)| (version.clone(), release.date.clone()));
            return Err(TooEarly { kind: *kind, from, to, released, window, from_day });
        }
    }
    Ok(())
}

/// Stamps what the release is the first to carry, and writes the data versions on its line.
///
/// The release is in the lock already.
pub fn seal_data(lock: &mut Lock, version: &Version) {
    let versions = versions_of(lock);
    if let Some(release) = lock.releases.get_mut(version) {
        release.versions = versions;
    }
    let seal = |stamp: &mut Stamp| {
        if stamp.since == Some(Since::Unreleased) {
            stamp.since = Some(Since::Release(version.clone()));
        }
    };
    for saved in lock.saved.values_mut() {
        saved.since.values_mut().chain(saved.bad_since.values_mut()).for_each(seal);
        (saved.min_producer.was, saved.min_consumer.was) = (None, None);
    }
    for gone in std::mem::take(&mut lock.gone_upgrades) {
        lock.upgrades.remove(&gone);
    }
    lock.upgrades.values_mut().for_each(seal);
}

/// The data versions that a release writes; version 1 goes without saying.
pub(super) fn versions_of(lock: &Lock) -> Map<SavedKind, u32> {
    let versions = SavedKind::ALL.map(|kind| (kind, lock.data_versions(kind).producer()));
    versions.into_iter().filter(|(_, version)| *version != 1).collect()
}

/// What the unreleased data versions and upgrades need.
pub(super) fn need_of_data(lock: &Lock, need: &mut dyn FnMut(Bump, &dyn Fn() -> String)) {
    let is_new = |stamp: &Stamp| stamp.since == Some(Since::Unreleased);
    for (kind, saved) in &lock.saved {
        let versions = &saved.versions;
        if let Some(was) = saved.min_producer.was {
            need(Bump::Major, &|| format!("`min_producer` of {kind}s rises from {was} to {}", versions.min_producer));
        }
        if let Some(was) = saved.min_consumer.was {
            need(Bump::Minor, &|| format!("`min_consumer` of {kind}s rises from {was} to {}", versions.min_consumer));
        }
        for (version, _) in saved.since.iter().filter(|(_, stamp)| is_new(stamp)) {
            let bump = if only_names_bad_consumers(lock, *kind, saved) { Bump::Patch } else { Bump::Minor };
            need(bump, &|| format!("data version {version} of {kind}s is added"));
        }
        for (version, _) in saved.bad_since.iter().filter(|(_, stamp)| is_new(stamp)) {
            need(Bump::Patch, &|| format!("version {version} is named a bad consumer of {kind}s"));
        }
    }
    let min_producer = lock.data_versions(SavedKind::Graph).min_producer;
    for ((op, version), stamp) in &lock.upgrades {
        if lock.gone_upgrades.contains(&(op.clone(), *version)) {
            let bump = if *version <= min_producer { Bump::Patch } else { Bump::Major };
            need(bump, &|| format!("the upgrade of `{op}` nodes saved before data version {version} is gone"));
        } else if is_new(stamp) {
            need(Bump::Patch, &|| format!("an upgrade of `{op}` nodes saved before data version {version} is added"));
        }
    }
}
