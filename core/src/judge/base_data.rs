//! Data versions and upgrade functions held against an earlier lock.

use std::fmt::Display;

use super::base::{BaseFinding, show as show_key};
use crate::lock::{Lock, Saved, Since, Stamp};
use crate::model::{Map, SavedKind, Str};
use crate::version::Bump;

/// What a lock may not say of data versions, given the base.
pub(super) fn check(base: &Lock, new: &Lock, out: &mut Vec<BaseFinding>) {
    let none = Saved::default();
    for kind in SavedKind::ALL {
        let of = |lock: &Lock| lock.saved.get(&kind).cloned().unwrap_or(none.clone());
        check_kind(base, kind, (&of(base), &of(new)), out);
    }
    upgrades(base, new, out);
}

fn changed(what: String, from: impl Display, to: impl Display) -> BaseFinding {
    BaseFinding::Changed { what, from: from.to_string(), to: to.to_string() }
}

fn check_kind(base: &Lock, kind: SavedKind, (old, new): (&Saved, &Saved), out: &mut Vec<BaseFinding>) {
    for (version, stamp) in old.since.iter().filter(|(_, stamp)| is_released(stamp)) {
        let what = || format!("data version {version} of {kind}s");
        let text = |saved: &Saved| saved.versions.history.get(version).cloned().unwrap_or_default();
        match new.since.get(version) {
            None => out.push(BaseFinding::Lost { what: what(), line: stamp.line }),
            Some(other) if is_changed(base, stamp, other) => {
                out.push(changed(format!("since when {} is", what()), show(stamp), show(other)));
            }
            Some(_) if text(old) != text(new) => {
                out.push(changed(format!("what {} brought", what()), text(old), text(new)));
            }
            Some(_) => {}
        }
    }
    for (version, stamp) in old.bad_since.iter().filter(|(_, stamp)| is_released(stamp)) {
        let what = || format!("the bad consumer {version} of {kind}s");
        match new.bad_since.get(version) {
            None => out.push(BaseFinding::Lost { what: what(), line: stamp.line }),
            Some(other) if is_changed(base, stamp, other) => {
                out.push(changed(format!("since when {} is", what()), show(stamp), show(other)));
            }
            Some(_) => {}
        }
    }
    // A version that says to be of a release which the base knows, and knows without it.
    let unknown = |known: &Map<u32, Stamp>, all: &Map<u32, Stamp>, what: &str, out: &mut Vec<BaseFinding>| {
        for (version, stamp) in all.iter().filter(|(version, _)| known.get(*version).is_none_or(|s| !is_released(s))) {
            let is_first = *version == 1 && what == "data version";
            if matches!(&stamp.since, Some(Since::Release(since)) if base.releases.contains_key(since)) && !is_first {
                out.push(changed(format!("{what} {version} of {kind}s"), "nothing", show(stamp)));
            }
        }
    };
    unknown(&old.since, &new.since, "data version", out);
    unknown(&old.bad_since, &new.bad_since, "the bad consumer", out);
    let bounds = |saved: &Saved| {
        let versions = &saved.versions;
        [
            ("min_producer", saved.min_producer.was.unwrap_or(versions.min_producer), versions.min_producer),
            ("min_consumer", saved.min_consumer.was.unwrap_or(versions.min_consumer), versions.min_consumer),
        ]
    };
    for ((name, released, _), (_, released_now, now)) in bounds(old).into_iter().zip(bounds(new)) {
        // What was released never falls, and is not forgotten behind a rise that is not released.
        if now < released || released_now < released {
            out.push(changed(format!("`{name}` of {kind}s"), released, released_now.min(now)));
        }
    }
}

/// Data versions that each of two lines of releases has sealed by itself, and that are breaks of one of them alone: data of the other
/// that has the number was not saved with those.
pub(super) fn one_number(line: &Lock, other: &Lock, out: &mut Vec<BaseFinding>) {
    let (ours, theirs) = (line.saved.get(&SavedKind::Graph), other.saved.get(&SavedKind::Graph));
    let of = |saved: Option<&Saved>| saved.map(|saved| saved.since.clone()).unwrap_or_default();
    let theirs = of(theirs);
    for (version, stamp) in &of(ours) {
        let Some(their) = theirs.get(version).filter(|their| is_released(their) && is_released(stamp)) else {
            continue;
        };
        if their.since == stamp.since {
            continue;
        }
        let breaks = |of: &Lock, without: &Lock| {
            let rows = of.ledger.iter().filter(|(key, row)| key.release.is_some() && row.version == Some(*version));
            rows.filter(|(key, _)| !without.ledger.contains_key(key)).map(|(key, _)| show_key(key)).collect::<Vec<_>>()
        };
        for (mine, without, here, there) in [(line, other, stamp, their), (other, line, their, stamp)] {
            let broken = breaks(mine, without);
            if !broken.is_empty() {
                let what = format!("what data version {version} of graphs brought");
                let from = format!("that of the line that has it {}", show(there));
                out.push(changed(what, from, format!("the breaks of {}, {}", broken.join(", "), show(here))));
            }
        }
    }
}

fn upgrades(base: &Lock, new: &Lock, out: &mut Vec<BaseFinding>) {
    let min_producer = new.data_versions(SavedKind::Graph).min_producer;
    let last = base.last_release();
    let has_major = new.releases.keys().any(|release| {
        let is_new = release.pre.is_empty() && !base.releases.contains_key(release);
        is_new && last.is_some_and(|last| Bump::between(last, release) == Some(Bump::Major))
    });
    for (key @ (op, version), stamp) in base.upgrades.iter().filter(|(_, stamp)| is_released(stamp)) {
        let what = || format!("the upgrade of `{op}` before data version {version}");
        match new.upgrades.get(key) {
            None if *version > min_producer && !has_major => {
                out.push(BaseFinding::Lost { what: what(), line: stamp.line });
            }
            Some(other) if is_changed(base, stamp, other) => {
                out.push(changed(format!("since when {} is", what()), show(stamp), show(other)));
            }
            _ => {}
        }
    }
}

/// Whether since when something is was changed; another line of releases that was taken over may have had it earlier.
fn is_changed(base: &Lock, old: &Stamp, new: &Stamp) -> bool {
    match (&old.since, &new.since) {
        (Some(Since::Release(old)), Some(Since::Release(new))) => {
            old < new || (old != new && base.releases.contains_key(new))
        }
        (old, new) => old != new,
    }
}

fn is_released(stamp: &Stamp) -> bool {
    !matches!(stamp.since, Some(Since::Unreleased))
}

fn show(stamp: &Stamp) -> Str {
    stamp.since.as_ref().map_or("no release".into(), |since| since.to_string().into())
}
